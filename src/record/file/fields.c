/* Columns of a table of like things as datasets (fields.h). */
#include "record/file/fields.h"

#include "core/memory.h"

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

/* The field as a dataset of this many rows, with `rank` dimensions before its width. */
static rct_table table_of(const rct_field *field, int rank, int64_t rows)
{
    rct_table table = {.name = field->name,
                       .rank = rank,
                       .extent = {rank > 0 ? rows : 0},
                       .unit = field->unit,
                       .axes = field->axes,
                       .description = field->description};
    if (field->width > 1) {
        table.extent[table.rank++] = field->width;
    }
    return table;
}

static void put(rct_call *call, hid_t group, hid_t type, const rct_field *field, int rank,
                int64_t rows, const void *values)
{
    const rct_table table = table_of(field, rank, rows);
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

hid_t rct_create_column(rct_call *call, hid_t group, hid_t type, const rct_field *field,
                        int64_t rows, rct_table *table)
{
    *table = table_of(field, 1, rows);
    return rct_h5_create_dataset(call, group, type, table);
}

void rct_put_column(rct_call *call, hid_t group, hid_t type, const char *name, int64_t rows,
                    const char *description, const void *column)
{
    const rct_field field = {name, 1, 0, "1", "none", description};
    put(call, group, type, &field, 1, rows, column);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Read the rows of a column of numbers of `bytes` each into work space, and copy them from there
 * into `things`. */
static void get(rct_call *call, const rct_part *part, hid_t type, size_t bytes,
                const rct_field *field, char *things, size_t stride)
{
    const rct_table table = table_of(field, 1, part->rows);
    const size_t size = (size_t)field->width * bytes;
    hid_t dataset = rct_h5_open_shaped(call, part->group, &table);
    char *column = rct_call_allocate(call, part->count, (int64_t)size, "a column of a file");
    if (column != NULL) {
        rct_h5_read_block(call, dataset, type, &table, part->first, part->count, column);
    }
    for (int64_t i = 0; i < part->count && call->status == RCT_OK; i++) {
        memcpy(things + (size_t)i * stride + field->offset, column + (size_t)i * size, size);
    }
    rct_release(column);
    rct_h5_close(call, &dataset);
}

void rct_get_field(rct_call *call, const rct_part *part, const rct_field *field, void *things,
                   size_t stride)
{
    if (rct_h5_has(call, part->group, field->name)) {
        get(call, part, H5T_NATIVE_DOUBLE, sizeof(double), field, things, stride);
    }
}

/* HDF5 would cut off fractions. */
static void check_whole(rct_call *call, hid_t group, const char *name)
{
    hid_t dataset = rct_h5_open_dataset(call, group, name);
    hid_t type = rct_h5_type(call, dataset);
    const H5T_class_t class = H5Tget_class(type);
    if (class != H5T_INTEGER && class != H5T_ENUM) {
        rct_call_fail(call, RCT_ERROR_IO, "its dataset %s does not hold whole numbers", name);
    }
    rct_h5_close(call, &type);
    rct_h5_close(call, &dataset);
}

void rct_get_whole(rct_call *call, const rct_part *part, const char *name, size_t offset,
                   void *things, size_t stride)
{
    const rct_field field = {name, 1, offset, "1", "none", ""};
    if (rct_h5_has(call, part->group, name)) {
        check_whole(call, part->group, name);
        get(call, part, H5T_NATIVE_INT32, sizeof(int32_t), &field, things, stride);
    }
}

void rct_check_columns(rct_call *call, hid_t group, const char *where, const char *const *names)
{
    for (; *names != NULL; names++) {
        if (!rct_h5_has(call, group, *names)) {
            rct_call_fail(call, RCT_ERROR_MODEL,
                          "has no %s/%s; add this dataset, with a row for each", where, *names);
        }
    }
}

static int is_known(const char *name, const rct_field *fields, int count, const char *const *others)
{
    for (int k = 0; k < count; k++) {
        if (strcmp(fields[k].name, name) == 0) {
            return 1;
        }
    }
    while (*others != NULL && strcmp(*others, name) != 0) {
        others++;
    }
    return *others != NULL;
}

void rct_check_names(rct_call *call, hid_t group, const char *where, const rct_field *fields,
                     int count, const char *const *others)
{
    char name[RCT_H5_NAME];
    for (int64_t i = 0; rct_h5_link_name(call, group, i, name); i++) {
        if (!is_known(name, fields, count, others)) {
            rct_call_fail(call, RCT_ERROR_MODEL,
                          "%s/%s is not part of a model; see docs/trajectory-file.md", where, name);
        }
    }
}

char *rct_get_texts(rct_call *call, const rct_part *part, const char *name, int64_t *size)
{
    const rct_table table = {.name = name, .rank = 1, .extent = {part->rows}};
    if (!rct_h5_has(call, part->group, name)) {
        return NULL;
    }
    hid_t dataset = rct_h5_open_shaped(call, part->group, &table);
    char *texts = rct_h5_get_rows(call, dataset, part->first, part->count, size);
    rct_h5_close(call, &dataset);
    return texts;
}

void rct_get_single(rct_call *call, hid_t group, const rct_field *field, void *thing)
{
    const rct_table table = table_of(field, 0, 1);
    if (rct_h5_has(call, group, field->name)) {
        rct_h5_get_dataset(call, group, H5T_NATIVE_DOUBLE, &table, (char *)thing + field->offset);
    }
}
