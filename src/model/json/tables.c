/* Tables of a model file: arrays of rows of numbers. */
#include "core/memory.h"
#include "model/json/read.h"

#include <inttypes.h>

/* Row i of the table, counted from 0 here and from 1 in errors. */
static void read_row(rct_json_reader *reader, const rct_json *row, int64_t i, int width,
                     const char *like, double *out)
{
    if (row->type != RCT_JSON_ARRAY) {
        rct_json_fail(reader, NULL, "row %" PRId64 " of \"table\" is %s; it must be %s", i + 1,
                      rct_json_type_name(row), like);
    } else if (row->count != width) {
        rct_json_fail(reader, NULL,
                      "row %" PRId64 " of \"table\" has %" PRId64 " elements; it must be %s", i + 1,
                      row->count, like);
    }
    const rct_json *element = rct_json_first(row);
    for (int k = 0; k < width && reader->status == RCT_OK; k++) {
        if (element->type != RCT_JSON_NUMBER) {
            rct_json_fail(reader, NULL,
                          "row %" PRId64 " of \"table\": element %d is %s; it must be a number",
                          i + 1, k + 1, rct_json_type_name(element));
        }
        out[k] = element->number;
        element = rct_json_next(element);
    }
}

double *rct_json_table(rct_json_reader *reader, const rct_json *rows, int width, const char *like,
                       int64_t *count)
{
    const rct_json *outer = rct_json_enter(reader, rows);
    double *table = NULL;
    *count = rct_json_count(rows);
    if (*count < 2 || *count > INT32_MAX) {
        rct_json_fail(reader, NULL, "\"table\" is %s; it must be an array of at least two rows %s",
                      rows->type == RCT_JSON_ARRAY ? "of another length" : rct_json_type_name(rows),
                      like);
    }
    if (reader->status == RCT_OK) {
        table = rct_allocate(*count, width * (int64_t)sizeof *table, "a table", reader->error);
        rct_json_heard(reader, table != NULL ? RCT_OK : RCT_ERROR_MEMORY);
    }
    const rct_json *row = rct_json_first(rows);
    for (int64_t i = 0; i < *count && reader->status == RCT_OK; i++) {
        const rct_json *inner = rct_json_enter(reader, row);
        read_row(reader, row, i, width, like, table + i * width);
        rct_json_enter(reader, inner);
        row = rct_json_next(row);
    }
    rct_json_enter(reader, outer);
    return table;
}
