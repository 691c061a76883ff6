/* Columns of a table of like things, one dataset each: row i belongs to thing i. Columns are
 * written whole and read in parts. */
#ifndef RCT_RECORD_FILE_FIELDS_H
#define RCT_RECORD_FILE_FIELDS_H

#include "record/file/h5.h"

#include <stddef.h>

/* A field of doubles in a struct. */
typedef struct rct_field {
    const char *name;
    int width; /* number of doubles */
    size_t offset;
    const char *unit, *axes, *description;
} rct_field;

/* Bytes of one thing in all columns. */
int64_t rct_fields_bytes(const rct_field *fields, int count);

/* Copy the field of a struct to row `row` of its column; write the column as a dataset. */
void rct_take_field(double *column, int64_t row, const rct_field *field, const void *thing);
void rct_put_field(rct_call *call, hid_t group, const rct_field *field, int64_t rows,
                   const double *column);

/* Write the field of one struct as a dataset of its own. */
void rct_put_single(rct_call *call, hid_t group, const rct_field *field, const void *thing);

/* Create the column as a dataset of the shape `table`, to be written in blocks. */
hid_t rct_create_column(rct_call *call, hid_t group, hid_t type, const rct_field *field,
                        int64_t rows, rct_table *table);

/* Write a column of one value for each row, without unit and axes. */
void rct_put_column(rct_call *call, hid_t group, hid_t type, const char *name, int64_t rows,
                    const char *description, const void *column);

/* Rows [first, first + count) of a table of `rows`. */
typedef struct rct_part {
    hid_t group;
    int64_t rows, first, count;
} rct_part;

/* Read these rows of a field into the field of `things`, structs of `stride` bytes; or of a
 * column of one whole number for each row into the int32_t, int or enumeration at `offset`.
 * Columns that the table does not have leave `things` unchanged. RCT_ERROR_IO: another shape or
 * type. */
void rct_get_field(rct_call *call, const rct_part *part, const rct_field *field, void *things,
                   size_t stride);
void rct_get_whole(rct_call *call, const rct_part *part, const char *name, size_t offset,
                   void *things, size_t stride);

/* RCT_ERROR_MODEL if the group, which errors call `where`, lacks one of these names, which end
 * with NULL. */
void rct_check_columns(rct_call *call, hid_t group, const char *where, const char *const *names);

/* RCT_ERROR_MODEL if the group has a name that is neither a field nor in `others`, which end
 * with NULL: it may be misspelled. */
void rct_check_names(rct_call *call, hid_t group, const char *where, const rct_field *fields,
                     int count, const char *const *others);

/* The texts of these rows, `size` bytes each with the zero behind it; free by rct_release. NULL:
 * the table has none. */
char *rct_get_texts(rct_call *call, const rct_part *part, const char *name, int64_t *size);

/* Read the field of one struct from a dataset of its own, if it exists. */
void rct_get_single(rct_call *call, hid_t group, const rct_field *field, void *thing);

#endif
