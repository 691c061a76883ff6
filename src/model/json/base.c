/* The motion of the ground in a model file: "base" -> rct_base, either constants or a table. What the numbers
 * must meet is checked when the motion is set. */
#include "core/memory.h"
#include "model/json/read.h"

#include <riccatree/force.h>

#include <inttypes.h>
#include <stddef.h>

enum { ROW = 5 };

/* Row i of the table, counted from 0 here and from 1 in errors. */
static void read_row(rct_json_reader *reader, const rct_json *row, int64_t i, double *out)
{
    if (row->type != RCT_JSON_ARRAY) {
        rct_json_fail(reader, NULL,
                      "row %" PRId64 " of \"table\" is %s; it must be [t, x, y, z, angle]", i + 1,
                      rct_json_type_name(row));
    } else if (row->count != ROW) {
        rct_json_fail(reader, NULL,
                      "row %" PRId64 " of \"table\" has %" PRId64
                      " elements; it must be [t, x, y, z, angle]",
                      i + 1, row->count);
    }
    const rct_json *element = rct_json_first(row);
    for (int k = 0; k < ROW && reader->status == RCT_OK; k++) {
        if (element->type != RCT_JSON_NUMBER) {
            rct_json_fail(reader, NULL,
                          "row %" PRId64 " of \"table\": element %d is %s; it must be a number",
                          i + 1, k + 1, rct_json_type_name(element));
        }
        out[k] = element->number;
        element = rct_json_next(element);
    }
}

/* Into new memory, which is the caller's, also after an error. */
static double *read_table(rct_json_reader *reader, const rct_json *rows)
{
    const int64_t count = rct_json_count(rows);
    if (count < 2 || count > INT32_MAX) {
        rct_json_fail(reader, NULL,
                      "\"table\" is %s; it must be an array of at least two rows [t, x, y, z, "
                      "angle]",
                      rows->type == RCT_JSON_ARRAY ? "of another length"
                                                   : rct_json_type_name(rows));
    }
    if (reader->status != RCT_OK) {
        return NULL;
    }
    double *table = rct_allocate(count, ROW * (int64_t)sizeof *table, "the motion of the ground",
                                 reader->error);
    rct_json_heard(reader, table != NULL ? RCT_OK : RCT_ERROR_MEMORY);
    const rct_json *row = rct_json_first(rows);
    for (int64_t i = 0; i < count && reader->status == RCT_OK; i++) {
        const rct_json *outer = rct_json_enter(reader, row);
        read_row(reader, row, i, table + i * ROW);
        rct_json_enter(reader, outer);
        row = rct_json_next(row);
    }
    return table;
}

static void read_base(rct_json_reader *reader, const rct_json *value)
{
    const rct_json *rows = rct_json_member(value, "table");
    const int uses = RCT_BASE_AXIS | RCT_BASE_TABLE | (rows != NULL ? 0 : RCT_BASE_CONSTANTS);
    rct_base base = rct_base_default();
    double *table = NULL;
    rct_json_check_keys(reader, value, rows != NULL ? "\"base\" with a table" : "\"base\"",
                        &rct_base_keys, uses);
    rct_json_read_keys(reader, value, &rct_base_keys, uses, &base);
    if (rows != NULL) {
        const rct_json *outer = rct_json_enter(reader, rows);
        base.table = table = read_table(reader, rows);
        base.rows = (int32_t)rct_json_count(rows);
        rct_json_enter(reader, outer);
    }
    if (reader->status == RCT_OK) {
        rct_json_heard(reader, rct_model_set_base(reader->model, &base, reader->error));
    }
    rct_release(table);
}

void rct_json_base(rct_json_reader *reader)
{
    const rct_json *value = rct_json_member(reader->file.values, "base");
    if (value != NULL) {
        const rct_json *outer = rct_json_enter(reader, value);
        read_base(reader, value);
        rct_json_enter(reader, outer);
    }
}
