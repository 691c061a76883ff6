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

void rct_put_field(rct_call *call, hid_t group, const rct_field *field, int64_t rows,
                   const double *column)
{
    const rct_table table = {.name = field->name,
                             .rank = field->width > 1 ? 2 : 1,
                             .extent = {rows, field->width},
                             .unit = field->unit,
                             .axes = field->axes,
                             .description = field->description};
    rct_h5_put_dataset(call, group, H5T_NATIVE_DOUBLE, &table, column);
}

void rct_put_single(rct_call *call, hid_t group, const rct_field *field, const void *thing)
{
    const rct_table table = {.name = field->name,
                             .rank = field->width > 1 ? 1 : 0,
                             .extent = {field->width},
                             .unit = field->unit,
                             .axes = field->axes,
                             .description = field->description};
    rct_h5_put_dataset(call, group, H5T_NATIVE_DOUBLE, &table, (const char *)thing + field->offset);
}

void rct_put_column(rct_call *call, hid_t group, hid_t type, const char *name, int64_t rows,
                    const char *description, const void *column)
{
    const rct_table table = {.name = name,
                             .rank = 1,
                             .extent = {rows},
                             .unit = "1",
                             .axes = "none",
                             .description = description};
    rct_h5_put_dataset(call, group, type, &table, column);
}
