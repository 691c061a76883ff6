/* The motion of the ground in a model file: "base" -> rct_base, either constants or a table. The
 * numbers are checked when the motion is set. */
#include "core/memory.h"
#include "model/json/read.h"

#include <riccatree/force.h>

#include <stddef.h>

enum { ROW = 5 };

static void read_base(rct_json_reader *reader, const rct_json *value)
{
    const rct_json *rows = rct_json_member(value, "table");
    int64_t count = 0;
    const int uses = RCT_BASE_AXIS | RCT_BASE_TABLE | (rows != NULL ? 0 : RCT_BASE_CONSTANTS);
    rct_base base = rct_base_default();
    double *table = NULL;
    rct_json_check_keys(reader, value, rows != NULL ? "\"base\" with a table" : "\"base\"",
                        &rct_base_keys, uses);
    rct_json_read_keys(reader, value, &rct_base_keys, uses, &base);
    if (rows != NULL) {
        base.table = table = rct_json_table(reader, rows, ROW, "[t, x, y, z, angle]", &count);
        base.rows = (int32_t)count;
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
