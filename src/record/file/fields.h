/* Columns of a table of like things, one dataset each: row i for thing i. Written whole, read in parts. */
#ifndef RCT_RECORD_FILE_FIELDS_H
#define RCT_RECORD_FILE_FIELDS_H

#include "record/file/h5.h"

#include <stddef.h>

/* A field of a struct made of doubles. */
typedef struct rct_field {
    const char *name;
    int width; /* how many */
    size_t offset;
    const char *unit, *axes, *description;
} rct_field;

/* Bytes that one thing takes in all of them. */
int64_t rct_fields_bytes(const rct_field *fields, int count);

/* The field of a struct as row `row` of its column; the column as a dataset. */
void rct_take_field(double *column, int64_t row, const rct_field *field, const void *thing);
void rct_put_field(rct_call *call, hid_t group, const rct_field *field, int64_t rows,
                   const double *column);

/* The field of one struct as a dataset of its own. */
void rct_put_single(rct_call *call, hid_t group, const rct_field *field, const void *thing);

/* The column as a dataset to be written in blocks, of the shape `table`. */
hid_t rct_create_column(rct_call *call, hid_t group, hid_t type, const rct_field *field,
                        int64_t rows, rct_table *table);

/* A column of one value a row, without unit and axes. */
void rct_put_column(rct_call *call, hid_t group, hid_t type, const char *name, int64_t rows,
                    const char *description, const void *column);

/* Rows [first, first + count) of a table of `rows`. */
typedef struct rct_part {
    hid_t group;
    int64_t rows, first, count;
} rct_part;

/* They of a field, to that of `things`, structs of `stride` bytes; they of a column of one whole number a row, to the
 * int32_t, int or enumeration that is `offset` bytes in. What the table does not have stays as it is. RCT_ERROR_IO: it has
 * another shape or type. */
void rct_get_field(rct_call *call, const rct_part *part, const rct_field *field, void *things,
                   size_t stride);
void rct_get_whole(rct_call *call, const rct_part *part, const char *name, size_t offset,
                   void *things, size_t stride);

/* RCT_ERROR_MODEL: the group, called `where`, lacks one of these, NULL at the end. */
void rct_check_columns(rct_call *call, hid_t group, const char *where, const char *const *names);

/* RCT_ERROR_MODEL: it has another than the fields and `others`, NULL at the end: perhaps it is misspelled. */
void rct_check_names(rct_call *call, hid_t group, const char *where, const rct_field *fields,
                     int count, const char *const *others);

/* Their texts, of `size` bytes each with the zero behind it; rct_release. NULL: the table has none. */
char *rct_get_texts(rct_call *call, const rct_part *part, const char *name, int64_t *size);

/* The field of one struct from a dataset of its own, if it is there. */
void rct_get_single(rct_call *call, hid_t group, const rct_field *field, void *thing);

#endif
