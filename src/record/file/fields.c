/* Columns of a table of like things as datasets (fields.h). */
#include "record/file/fields.h"

#include <string.h>

int64_t rct_fields_bytes(const rct_field *fields, int count)
{
    int64_t bytes = 0;
    for (int i = 0; i < count; i++) {
        bytes += fields[i].width * (int64_t)sizeof(double);
    }
    return bytes;
}

void rct_take_field(double *column, int64_t row, const rct_field *field, const void *thing)
{
    memcpy(column + row * field->width, (const char *)thing + field->offset,
           (size_t)field->width * sizeof *column);
}

/* The field as a dataset of `rank` dimensions before its width, of so many rows. */
static void put(rct_call *call, hid_t group, hid_t type, const rct_field *field, int rank,
                int64_t rows, const void *values)
{
    rct_table table = {.name = field->name,
                       .rank = rank,
                       .extent = {rows},
                       .unit = field->unit,
                       .axes = field->axes,
                       .description = field->description};
    if (field->width > 1) {
        table.extent[table.rank++] = field->width;
    }
    rct_h5_put_dataset(call, group, type, &table, values);
}

void rct_put_field(rct_call *call, hid_t group, const rct_field *field, int64_t rows,
                   const double *column)
{
    put(call, group, H5T_NATIVE_DOUBLE, field, 1, rows, column);
}

void rct_put_single(rct_call *call, hid_t group, const rct_field *field, const void *thing)
{
    put(call, group, H5T_NATIVE_DOUBLE, field, 0, 1, (const char *)thing + field->offset);
}

void rct_put_column(rct_call *call, hid_t group, hid_t type, const char *name, int64_t rows,
                    const char *description, const void *column)
{
    const rct_field field = {name, 1, 0, "1", "none", description};
    put(call, group, type, &field, 1, rows, column);
}
