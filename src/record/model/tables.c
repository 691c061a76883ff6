/* Tables of two columns that belong to things of a model, forces or loops: the number of rows of
 * each, and all rows in one list. */
#include "core/memory.h"
#include "record/model/model.h"

#include <inttypes.h>
#include <string.h>

static char *thing(const rct_tables *t, int64_t i)
{
    return (char *)t->things + (size_t)i * t->size;
}

static int64_t rows_at(const rct_tables *t, int64_t i)
{
    int64_t rows;
    memcpy(&rows, thing(t, i) + t->rows, sizeof rows);
    return rows;
}

int64_t rct_tables_rows(const rct_tables *t)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < t->count; i++) {
        sum += rows_at(t, i);
    }
    return sum;
}

int64_t rct_tables_bytes(const rct_tables *t)
{
    const int64_t sum = rct_tables_rows(t);
    return sum == 0 ? 0
                    : 2 * sum * (int64_t)sizeof(double) + t->count * (int64_t)sizeof(int32_t) +
                          2 * RCT_DATASET_BYTES;
}

void rct_put_tables(rct_call *call, hid_t group, const rct_tables *t, const char *description)
{
    const int64_t sum = rct_tables_rows(t);
    const rct_table table = {.name = "table",
                             .rank = 2,
                             .extent = {sum, 2},
                             .unit = "by the thing it belongs to",
                             .axes = "none",
                             .description = description};
    if (sum == 0) {
        return;
    }
    double *numbers = rct_call_allocate(call, 2 * sum, sizeof *numbers, "tables");
    int32_t *rows = rct_call_allocate(call, t->count, sizeof *rows, "tables");
    for (int64_t i = 0, at = 0; i < t->count && numbers != NULL && rows != NULL; i++) {
        const double *own;
        memcpy(&own, thing(t, i) + t->table, sizeof own);
        rows[i] = (int32_t)rows_at(t, i);
        if (rows[i] > 0) {
            memcpy(numbers + 2 * at, own, 2 * (size_t)rows[i] * sizeof *numbers);
        }
        at += rows[i];
    }
    if (numbers != NULL && rows != NULL) {
        rct_put_column(call, group, H5T_NATIVE_INT32, "rows", t->count,
                       "rows of its table; the tables follow one another", rows);
        rct_h5_put_dataset(call, group, H5T_NATIVE_DOUBLE, &table, numbers);
    }
    rct_release(numbers);
    rct_release(rows);
}

double *rct_get_table(rct_call *call, hid_t group, int width, int64_t *rows)
{
    int64_t extent[RCT_H5_RANK] = {0};
    rct_h5_extent_of(call, group, "table", extent);
    *rows = call->status == RCT_OK && extent[0] < INT32_MAX ? extent[0] : 0;
    const rct_table table = {.name = "table", .rank = 2, .extent = {*rows, width}};
    double *numbers = rct_call_allocate(call, *rows * width, sizeof *numbers, "a table");
    if (numbers != NULL) {
        rct_h5_get_dataset(call, group, H5T_NATIVE_DOUBLE, &table, numbers);
    }
    return numbers;
}

double *rct_get_tables(rct_call *call, const rct_part *part, const char *where, const rct_tables *t)
{
    int64_t left = 0, given = 0;
    if (!rct_h5_has(call, part->group, "table")) {
        return NULL;
    }
    double *numbers = rct_get_table(call, part->group, 2, &left);
    int32_t *rows = rct_call_allocate(call, part->count, sizeof *rows, "reading tables");
    rct_get_whole(call, part, "rows", 0, rows, sizeof *rows);
    for (int64_t i = 0; i < part->count && call->status == RCT_OK; i++) {
        const int64_t own = rows[i];
        const double *table = own > 0 ? numbers + 2 * given : NULL;
        if (own < 0 || own > left) {
            rct_call_fail(call, RCT_ERROR_MODEL,
                          "%s/rows: entry %" PRId64 " takes %" PRId64
                          " rows of a table that has %" PRId64
                          " left; give as many rows as the table has",
                          where, i, own, left);
            break;
        }
        memcpy(thing(t, i) + t->rows, &own, sizeof own);
        memcpy(thing(t, i) + t->table, &table, sizeof table);
        given += own;
        left -= own;
    }
    rct_release(rows);
    return numbers;
}
