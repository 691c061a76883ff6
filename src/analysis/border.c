/* Rows that couple bodies, and the factor of a tree that they border (border.h). */
#include "analysis/border.h"

#include "core/error.h"
#include "core/rotation.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

rct_status rct_border_begin(rct_border *b, rct_stiffness *tree, rct_operator *sweeps,
                            const rct_operator_tree *bodies, int64_t rows, int64_t ends,
                            rct_error *error)
{
    const int64_t n = bodies->n, rates = bodies->first[n], one = sizeof(double);
    rct_pool *pool = &b->pool;
    b->tree = tree;
    b->sweeps = sweeps;
    b->bodies = bodies;
    pool->what = b->dense.what = "couplings";
    b->first = rct_pool_take(pool, rows + 1, sizeof *b->first, error);
    b->ends = rct_pool_take(pool, ends, sizeof *b->ends, error);
    b->compliance = rct_pool_take(pool, rows, one, error);
    b->used = rct_pool_take(pool, rows, sizeof *b->used, error);
    b->multiplier = rct_pool_take(pool, rows, one, error);
    if (rows > 0) {
        b->force = rct_pool_take(pool, n, 3 * one, error);
        b->moment = rct_pool_take(pool, n, 3 * one, error);
        b->linear = rct_pool_take(pool, n, 3 * one, error);
        b->angular = rct_pool_take(pool, n, 3 * one, error);
        b->column = rct_pool_take(pool, rates, one, error);
    }
    return pool->failed ? RCT_ERROR_MEMORY : RCT_OK;
}

void rct_border_finish(rct_border *b)
{
    rct_pool_empty(&b->pool);
    rct_pool_empty(&b->dense);
}

/* ---- rows ------------------------------------------------------------------------------------ */

void rct_border_clear(rct_border *b, double hold, double length, double *slope)
{
    b->rows = b->constraints = b->used_count = 0;
    b->hold = hold;
    b->length = length;
    b->slope = slope;
    b->size = 0.0;
}

/* The square of the part of an end as a force, with moments divided by the length. */
static double square_of(const rct_border *b, const rct_border_end *end)
{
    const double *f = end->part, least = 1.0 / (b->length * b->length);
    if (end->body == RCT_GROUND) {
        const double *turn = b->bodies->H + 6 * end->rate;
        return f[0] * f[0] * (rct_dot(turn, turn) > 0.0 ? least : 1.0);
    }
    return rct_dot(f + 3, f + 3) + least * rct_dot(f, f);
}

/* Hold the end alone with stiffness h. */
static void hold(rct_border *b, const rct_border_end *end, double h)
{
    double form[36];
    if (end->body == RCT_GROUND) {
        b->slope[end->rate] += h * end->part[0] * end->part[0];
        return;
    }
    for (int i = 0; i < 36; i++) {
        form[i] = h * end->part[i / 6] * end->part[i % 6];
    }
    rct_stiffness_add(b->tree, end->body, form);
}

/* Add a row of ends. */
static void put(rct_border *b, const rct_border_end *ends, int32_t count, double compliance)
{
    const int32_t at = b->rows > 0 ? b->first[b->rows] : 0;
    memcpy(b->ends + at, ends, (size_t)count * sizeof *ends);
    b->first[b->rows] = at;
    b->compliance[b->rows++] = compliance;
    b->first[b->rows] = at + count;
    b->constraints += compliance == 0.0;
}

/* Row j of the orthogonal rows, Helmert's: (1, ..., 1, -j, 0, ..., 0) over its length. */
static void take_back(rct_border *b, const rct_border_end *ends, int32_t j, double h)
{
    const double unit = 1.0 / sqrt((double)j * (j + 1.0));
    put(b, ends, j + 1, -1.0 / h);
    rct_border_end *own = b->ends + b->first[b->rows] - j - 1;
    for (int32_t i = 0; i <= j; i++) {
        for (int k = 0; k < 6; k++) {
            own[i].part[k] *= i < j ? unit : -j * unit;
        }
    }
}

void rct_border_add(rct_border *b, const rct_border_end *ends, int32_t count, double stiffness)
{
    double most = 0.0;
    for (int32_t i = 0; i < count; i++) {
        most = fmax(most, square_of(b, &ends[i]));
        if (isfinite(stiffness) && ends[i].body != RCT_GROUND) {
            const double *f = ends[i].part + 3, mass = b->bodies->mass[ends[i].body];
            b->size = fmax(b->size, mass > 0.0 ? fabs(stiffness) * rct_dot(f, f) / mass : 0.0);
        }
    }
    const double h = stiffness > 0.0 && most > 0.0 ? fmin(count * stiffness, b->hold / most) : 0.0;
    for (int32_t i = 0; i < count && h > 0.0; i++) {
        hold(b, &ends[i], h);
    }
    for (int32_t j = 1; j < count && h > 0.0; j++) {
        take_back(b, ends, j, h);
    }
    const double rest = stiffness - h / count;
    if (rest != 0.0) {
        put(b, ends, count, 1.0 / rest);
    }
}

/* ---- products -------------------------------------------------------------------------------- */

/* column = K^-1 times the sum of Y* times `factor` over the rows. */
static void respond(rct_border *b, const int32_t *rows, int32_t count, const double *factor)
{
    for (int32_t k = 0; k < count; k++) {
        for (int32_t e = b->first[rows[k]]; e < b->first[rows[k] + 1]; e++) {
            const rct_border_end *end = &b->ends[e];
            for (int i = 0; i < 3 && end->body != RCT_GROUND; i++) {
                b->moment[3 * (int64_t)end->body + i] += factor[k] * end->part[i];
                b->force[3 * (int64_t)end->body + i] += factor[k] * end->part[3 + i];
            }
        }
    }
    rct_operator_gather(b->sweeps, 1, b->force, b->moment, b->column);
    for (int32_t k = 0; k < count; k++) {
        for (int32_t e = b->first[rows[k]]; e < b->first[rows[k] + 1]; e++) {
            const rct_border_end *end = &b->ends[e];
            if (end->body == RCT_GROUND) {
                b->column[end->rate] += factor[k] * end->part[0];
                continue;
            }
            memset(b->moment + 3 * (int64_t)end->body, 0, 3 * sizeof *b->moment);
            memset(b->force + 3 * (int64_t)end->body, 0, 3 * sizeof *b->force);
        }
    }
    rct_stiffness_solve(b->tree, b->column, b->column);
}

/* The product of a row with rates x, where bodies have the motions `linear` and `angular`. */
static double take(const rct_border *b, int32_t row, const double *x)
{
    double sum = 0.0;
    for (int32_t e = b->first[row]; e < b->first[row + 1]; e++) {
        const rct_border_end *end = &b->ends[e];
        const int64_t at = 3 * (int64_t)end->body;
        sum += end->body == RCT_GROUND
                   ? end->part[0] * x[end->rate]
                   : rct_dot(end->part, b->angular + at) + rct_dot(end->part + 3, b->linear + at);
    }
    return sum;
}

/* ---- the factor ------------------------------------------------------------------------------ */

static rct_status make_room(rct_border *b, int64_t rows, rct_error *error)
{
    rct_indefinite *S = &b->S;
    S->size = rows;
    if (rows <= b->room) {
        return RCT_OK;
    }
    if (rows > RCT_BORDER_MOST) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "loops and springs between bodies couple the tree by %" PRId64
                        " rows, and an analysis takes them as one dense matrix of at most %d rows; "
                        "analyse a smaller part of the system",
                        rows, RCT_BORDER_MOST);
    }
    rct_pool_empty(&b->dense);
    b->room = 0;
    S->A = rct_pool_take(&b->dense, rows * rows, sizeof *S->A, error);
    S->order = rct_pool_take(&b->dense, rows, sizeof *S->order, error);
    S->pair = rct_pool_take(&b->dense, rows, sizeof *S->pair, error);
    S->scale = rct_pool_take(&b->dense, rows, sizeof *S->scale, error);
    S->work = rct_pool_take(&b->dense, rows, 2 * sizeof *S->work, error);
    b->room = b->dense.failed ? 0 : rows;
    return b->dense.failed ? RCT_ERROR_MEMORY : RCT_OK;
}

rct_status rct_border_factor(rct_border *b, int all, rct_inertia *signs, rct_error *error)
{
    static const double one[] = {1.0};
    int32_t made_negative = 0;
    b->used_count = 0;
    *signs = (rct_inertia){0, 0};
    for (int32_t i = 0; i < b->rows; i++) {
        if (all || b->compliance[i] >= 0.0) {
            b->used[b->used_count++] = i;
            made_negative += b->compliance[i] >= 0.0;
        }
    }
    const rct_status status = make_room(b, b->used_count, error);
    if (status != RCT_OK || b->used_count == 0) {
        return status;
    }
    for (int32_t i = 0; i < b->used_count; i++) {
        double *row = b->S.A + (int64_t)i * b->S.size;
        respond(b, &b->used[i], 1, one);
        rct_operator_velocities(b->sweeps, 1, b->column, b->linear, b->angular);
        for (int32_t j = 0; j <= i; j++) {
            row[j] = -take(b, b->used[j], b->column);
        }
        row[i] -= b->compliance[b->used[i]];
    }
    rct_indefinite_factor(&b->S);
    signs->negative = b->S.negative - made_negative;
    signs->zero = b->S.zero;
    return RCT_OK;
}

void rct_border_solve(rct_border *b, const double *x, double *y)
{
    const int64_t rates = b->bodies->first[b->bodies->n];
    rct_stiffness_solve(b->tree, x, y);
    if (b->used_count == 0) {
        return;
    }
    rct_operator_velocities(b->sweeps, 1, y, b->linear, b->angular);
    for (int32_t i = 0; i < b->used_count; i++) {
        b->multiplier[i] = take(b, b->used[i], y);
    }
    rct_indefinite_solve(&b->S, b->multiplier);
    respond(b, b->used, b->used_count, b->multiplier);
    for (int64_t r = 0; r < rates; r++) {
        y[r] += b->column[r];
    }
}

void rct_border_close(rct_border *b, const double *gap, double *y)
{
    for (int32_t i = 0, at = 0; i < b->used_count; i++) {
        b->multiplier[i] = b->compliance[b->used[i]] == 0.0 ? -gap[at++] : 0.0;
    }
    rct_indefinite_solve(&b->S, b->multiplier);
    respond(b, b->used, b->used_count, b->multiplier);
    memcpy(y, b->column, (size_t)b->bodies->first[b->bodies->n] * sizeof *y);
}
