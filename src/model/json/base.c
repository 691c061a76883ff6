/* The motion of the ground in a model file: "base" -> rct_base, either constants or a table. What the numbers
 * must meet is checked when the motion is set. */
#include "core/memory.h"
#include "model/json/read.h"

#include <riccatree/force.h>

#include <stddef.h>

enum { ROW = 5 };

/* Row i of the table, counted from 0 here and from 1 in errors. */
static void read_row(rct_json_reader *reader, const json_t *row, size_t i, double *out)
{
    if (!json_is_array(row)) {
        rct_json_fail(reader, NULL, "row %zu of \"table\" is %s; it must be [t, x, y, z, angle]",
                      i + 1, rct_json_type(row));
    } else if (json_array_size(row) != ROW) {
        rct_json_fail(reader, NULL,
                      "row %zu of \"table\" has %zu elements; it must be [t, x, y, z, angle]",
                      i + 1, json_array_size(row));
    }
    for (size_t k = 0; k < ROW && reader->status == RCT_OK; k++) {
        const json_t *element = json_array_get(row, k);
        if (!json_is_number(element)) {
            rct_json_fail(reader, NULL,
                          "row %zu of \"table\": element %zu is %s; it must be a number", i + 1,
                          k + 1, rct_json_type(element));
        }
        out[k] = json_number_value(element);
    }
}

/* Into new memory, which is the caller's, also after an error. */
static double *read_table(rct_json_reader *reader, const json_t *rows)
{
    const size_t count = json_array_size(rows);
    if (!json_is_array(rows) || count < 2 || count > INT32_MAX) {
        rct_json_fail(reader, NULL,
                      "\"table\" is %s; it must be an array of at least two rows [t, x, y, z, "
                      "angle]",
                      json_is_array(rows) ? "of another length" : rct_json_type(rows));
    }
    if (reader->status != RCT_OK) {
        return NULL;
    }
    double *table = rct_allocate((int64_t)count, ROW * (int64_t)sizeof *table,
                                 "the motion of the ground", reader->error);
    rct_json_heard(reader, table != NULL ? RCT_OK : RCT_ERROR_MEMORY);
    for (size_t i = 0; i < count && reader->status == RCT_OK; i++) {
        rct_json_enter_index(reader, (int64_t)i);
        read_row(reader, json_array_get(rows, i), i, table + i * ROW);
        rct_json_leave(reader);
    }
    return table;
}

static void read_base(rct_json_reader *reader, const json_t *value)
{
    const json_t *rows = json_object_get(value, "table");
    const int uses = RCT_BASE_AXIS | RCT_BASE_TABLE | (rows != NULL ? 0 : RCT_BASE_CONSTANTS);
    rct_base base = rct_base_default();
    double *table = NULL;
    rct_json_check_keys(reader, value, rows != NULL ? "\"base\" with a table" : "\"base\"",
                        &rct_base_keys, uses);
    rct_json_read_keys(reader, value, &rct_base_keys, uses, &base);
    if (rows != NULL) {
        rct_json_enter_key(reader, "table");
        base.table = table = read_table(reader, rows);
        base.rows = (int32_t)json_array_size(rows);
        rct_json_leave(reader);
    }
    if (reader->status == RCT_OK) {
        rct_json_heard(reader, rct_model_set_base(reader->model, &base, reader->error));
    }
    rct_release(table);
}

void rct_json_base(rct_json_reader *reader, const json_t *root)
{
    const json_t *value = json_object_get(root, "base");
    if (value != NULL) {
        rct_json_enter_key(reader, "base");
        read_base(reader, value);
        rct_json_leave(reader);
    }
}
