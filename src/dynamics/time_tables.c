/* Tables over time (time_tables.h). */
#include "dynamics/time_tables.h"

#include "core/memory.h"
#include "model/forces/spline.h"

#include <math.h>

static const double most_change = 0.125; /* within a step, of the range of a column */

/* Of the distance between two rows: a row that is nearer has been reached. */
static const double reached = 1e-9;

/* A column of a table; row r begins at row[r * width], with its time. */
typedef struct time_column {
    const double *row;
    int64_t rows;
    int32_t width, column;
    double range; /* > 0 */
} time_column;

struct rct_time_tables {
    int32_t count;
    time_column of[];
};

static double range_of(const time_column *c)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t r = 0; r < c->rows; r++) {
        const double own = c->row[r * c->width + c->column];
        low = fmin(low, own);
        high = fmax(high, own);
    }
    return high - low;
}

/* Append the columns of a table that move; without `t` only count them. */
static int32_t take(rct_time_tables *t, const double *table, int64_t rows, int32_t width)
{
    int32_t count = 0;
    for (int32_t k = 1; k < width && rows > 0; k++) {
        time_column c = {table, rows, width, k, 0.0};
        c.range = range_of(&c);
        if (c.range > 0.0 && t != NULL) {
            t->of[t->count++] = c;
        }
        count += c.range > 0.0;
    }
    return count;
}

static int32_t take_all(rct_time_tables *t, const rct_model *model)
{
    int32_t count = take(t, model->table, model->base.rows, 5);
    for (int32_t i = 0; i < model->force_count; i++) {
        const rct_force *f = &model->forces[i];
        const int over_time =
            f->type == RCT_FORCE_SERVO || (f->type == RCT_FORCE_CURVE && f->over == RCT_OVER_TIME);
        count += over_time ? take(t, f->table, f->rows, 2) : 0;
    }
    for (int32_t i = 0; i < model->loop_count; i++) {
        count += take(t, model->loops[i].table, model->loops[i].rows, 2);
    }
    return count;
}

rct_status rct_time_tables_create(const rct_model *model, rct_time_tables **tables,
                                  rct_error *error)
{
    const int32_t count = take_all(NULL, model);
    *tables = NULL;
    if (count == 0) {
        return RCT_OK;
    }
    *tables = rct_allocate(1, (int64_t)(sizeof **tables + (size_t)count * sizeof *(*tables)->of),
                           "the tables over time of a solver", error);
    if (*tables == NULL) {
        return RCT_ERROR_MEMORY;
    }
    take_all(*tables, model);
    return RCT_OK;
}

void rct_time_tables_free(rct_time_tables *t)
{
    rct_release(t);
}

int64_t rct_time_tables_bytes(const rct_time_tables *t)
{
    return t != NULL ? (int64_t)(sizeof *t + (size_t)t->count * sizeof *t->of) : 0;
}

/* The first row after `time`. */
static int64_t row_after(const time_column *c, double time)
{
    const rct_splines table = {.table = c->row, .rows = c->rows, .columns = c->width - 1};
    int64_t r = rct_splines_row(&table, time);
    while (r < c->rows && c->row[r * c->width] <= time) {
        r++;
    }
    return r;
}

/* The value at `time`, before row r, between the rows. */
static double value_at(const time_column *c, int64_t r, double time)
{
    const double *to = c->row + (r < c->rows ? r : c->rows - 1) * c->width;
    const double *from = r > 0 && r < c->rows ? to - c->width : to;
    const double span = to[0] - from[0];
    const double share = span > 0.0 ? (time - from[0]) / span : 0.0;
    return from[c->column] + share * (to[c->column] - from[c->column]);
}

static double step_of(const time_column *c, double time, double h)
{
    int64_t r = row_after(c, time);
    const double now = value_at(c, r, time);
    for (; r < c->rows && c->row[r * c->width] < time + h; r++) {
        const double left = c->row[r * c->width] - time;
        const double apart = r > 0 ? left + time - c->row[(r - 1) * c->width] : left;
        if (left > reached * apart &&
            fabs(c->row[r * c->width + c->column] - now) > most_change * c->range) {
            return left;
        }
    }
    return h;
}

double rct_time_tables_step(const rct_time_tables *t, double time, double h)
{
    for (int32_t k = 0; t != NULL && k < t->count; k++) {
        h = step_of(&t->of[k], time, h);
    }
    return h;
}
