/* The motion of the ground in a model file: "base" -> rct_base, either constants or a table. What the numbers
 * must meet is checked when the motion is set. */
#include "core/memory.h"
#include "model/json/forces.h"

#include <riccatree/force.h>

#include <stddef.h>

enum { ROW = 5 };

static const char *const constant_keys[] = {
    "velocity", "acceleration", "axis", "rate", "angular_acceleration", "table", NULL};
static const char *const table_keys[] = {"axis", "table", NULL};

static rct_status read_constants(rct_json_reader *reader, const json_t *value, rct_base *base)
{
    rct_status status = rct_json_vector(reader, value, "velocity", base->velocity, 3);
    if (status == RCT_OK) {
        status = rct_json_vector(reader, value, "acceleration", base->acceleration, 3);
    }
    if (status == RCT_OK) {
        status = rct_json_vector(reader, value, "axis", base->axis, 3);
    }
    if (status == RCT_OK) {
        status = rct_json_number(reader, value, "rate", &base->rate);
    }
    if (status == RCT_OK) {
        status =
            rct_json_number(reader, value, "angular_acceleration", &base->angular_acceleration);
    }
    return status;
}

/* Row i of the table, counted from 0 here and from 1 in errors. */
static rct_status read_row(rct_json_reader *reader, const json_t *row, size_t i, double *out)
{
    if (!json_is_array(row)) {
        return rct_json_fail(reader, "row %zu of \"table\" is %s; it must be [t, x, y, z, angle]",
                             i + 1, rct_json_type(row));
    }
    if (json_array_size(row) != ROW) {
        return rct_json_fail(reader,
                             "row %zu of \"table\" has %zu elements; it must be [t, x, y, z, "
                             "angle]",
                             i + 1, json_array_size(row));
    }
    for (size_t k = 0; k < ROW; k++) {
        const json_t *element = json_array_get(row, k);
        if (!json_is_number(element)) {
            return rct_json_fail(reader,
                                 "row %zu of \"table\": element %zu is %s; it must be a "
                                 "number",
                                 i + 1, k + 1, rct_json_type(element));
        }
        out[k] = json_number_value(element);
    }
    return RCT_OK;
}

static rct_status read_rows(rct_json_reader *reader, const json_t *rows, double *table)
{
    rct_status status = RCT_OK;
    for (size_t i = 0; i < json_array_size(rows) && status == RCT_OK; i++) {
        rct_json_enter_index(reader, (int64_t)i);
        status = read_row(reader, json_array_get(rows, i), i, table + i * ROW);
        rct_json_leave(reader);
    }
    return status;
}

/* Into new memory, which is the caller's, also after an error. */
static rct_status read_table(rct_json_reader *reader, const json_t *rows, double **table)
{
    const size_t count = json_array_size(rows);
    if (!json_is_array(rows) || count < 2 || count > INT32_MAX) {
        return rct_json_fail(reader,
                             "\"table\" is %s; it must be an array of at least two rows "
                             "[t, x, y, z, angle]",
                             json_is_array(rows) ? "of another length" : rct_json_type(rows));
    }
    *table = rct_allocate((int64_t)count, ROW * (int64_t)sizeof **table, "the motion of the ground",
                          reader->error);
    return *table == NULL ? RCT_ERROR_MEMORY : read_rows(reader, rows, *table);
}

static rct_status read_base(rct_json_reader *reader, const json_t *value, rct_base *base,
                            double **table)
{
    const json_t *rows = json_object_get(value, "table");
    rct_status status =
        rct_json_object(reader, value, rows != NULL ? "\"base\" with a table" : "\"base\"",
                        rows != NULL ? table_keys : constant_keys);
    if (status == RCT_OK) {
        status = read_constants(reader, value, base);
    }
    if (status == RCT_OK && rows != NULL) {
        rct_json_enter_key(reader, "table");
        status = read_table(reader, rows, table);
        rct_json_leave(reader);
        base->table = *table;
        base->rows = (int32_t)json_array_size(rows);
    }
    return status;
}

rct_status rct_json_base(rct_json_reader *reader, const json_t *root)
{
    const json_t *value = json_object_get(root, "base");
    if (value == NULL) {
        return RCT_OK;
    }
    rct_base base = rct_base_default();
    double *table = NULL;
    rct_json_enter_key(reader, "base");
    rct_status status = read_base(reader, value, &base, &table);
    if (status == RCT_OK) {
        status = rct_model_set_base(reader->model, &base, reader->error);
        rct_json_locate(reader, status);
    }
    rct_json_leave(reader);
    rct_release(table);
    return status;
}
