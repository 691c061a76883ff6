/* Columns of a table of like things, one dataset each: row i for thing i. */
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

/* A column of one value a row, without unit and axes. */
void rct_put_column(rct_call *call, hid_t group, hid_t type, const char *name, int64_t rows,
                    const char *description, const void *column);

#endif
