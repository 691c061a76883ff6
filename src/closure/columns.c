/* Constraints against the metric of the mass matrix (columns.h), by the operators of the tree. */
#include "closure/columns.h"

#include "core/error.h"
#include "core/numbers.h"

#include <math.h>
#include <string.h>

void rct_closure_columns_create(rct_closure_columns *work, const rct_closure_problem *problem,
                                rct_pool *pool, rct_error *error)
{
    const int64_t n = problem->tree->n, rates = problem->tree->first[n], one = sizeof(double);
    work->problem = problem;
    work->force = rct_pool_take(pool, n, 3 * one, error);
    work->moment = rct_pool_take(pool, n, 3 * one, error);
    work->along = rct_pool_take(pool, rates, one, error);
    work->whole = rct_pool_take(pool, rates, one, error);
    work->taken = rct_pool_take(pool, problem->rows->count, one, error);
}

/* ---- J and J* of rows (closures.h) ---------------------------------------------------------- */

static double motion_along(const double wrench[6], const double *angular, const double *linear)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += wrench[i] * angular[i] + wrench[3 + i] * linear[i];
    }
    return sum;
}

void rct_closure_take(const rct_closure_rows *rows, const double *angular, const double *linear,
                      const double *rates, double *y)
{
    for (int32_t i = 0; i < rows->count; i++) {
        double sum = 0.0;
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const int64_t body = rows->ends[k].body;
            sum += motion_along(rows->ends[k].wrench, angular + 3 * body, linear + 3 * body);
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
            sum += rows->rates[k].factor * rates[rows->rates[k].rate];
        }
        y[i] = sum;
    }
}

void rct_closure_give(const rct_closure_rows *rows, const double *x, double *force, double *moment,
                      double *effort)
{
    for (int32_t i = 0; i < rows->count; i++) {
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const rct_closure_end *end = &rows->ends[k];
            for (int j = 0; j < 3; j++) {
                moment[3 * (int64_t)end->body + j] += end->wrench[j] * x[i];
                force[3 * (int64_t)end->body + j] += end->wrench[3 + j] * x[i];
            }
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
            effort[rows->rates[k].rate] += rows->rates[k].factor * x[i];
        }
    }
}

/* ---- against the metric -------------------------------------------------------------------- */

static void clear(rct_closure_columns *work)
{
    const size_t n = (size_t)work->problem->tree->n;
    memset(work->force, 0, 3 * n * sizeof *work->force);
    memset(work->moment, 0, 3 * n * sizeof *work->moment);
    memset(work->along, 0, (size_t)work->problem->tree->first[n] * sizeof *work->along);
}

/* y = generalized forces of the forces in the work. */
static void gather(rct_closure_columns *work, double *y)
{
    const int64_t rates = work->problem->tree->first[work->problem->tree->n];
    rct_operator_gather(work->problem->operators, 1, work->force, work->moment, y);
    for (int64_t r = 0; r < rates; r++) {
        y[r] += work->along[r];
    }
}

void rct_closure_columns_turn(rct_closure_columns *work, const double *x, double *y)
{
    clear(work);
    rct_closure_give(work->problem->rows, x, work->force, work->moment, work->along);
    gather(work, y);
}

void rct_closure_columns_write(rct_closure_columns *work, double *B)
{
    const int64_t rates = work->problem->tree->first[work->problem->tree->n];
    const int32_t rows = work->problem->rows->count;
    memset(work->taken, 0, (size_t)rows * sizeof *work->taken);
    for (int32_t i = 0; i < rows; i++) {
        work->taken[i] = 1.0;
        rct_closure_columns_turn(work, work->taken, B + i * rates);
        work->taken[i] = 0.0;
    }
    rct_operator_inward(work->problem->operators, rows, B, B);
}

/* Add a vector of length |v| in direction `number` of many that cover the sphere. */
static void add_any_way(int32_t number, const double v[3], double sum[3])
{
    const double turns = 0.6180339887498949 * number, lifts = 0.4142135623730951 * number;
    const double height = 2.0 * (lifts - floor(lifts)) - 1.0;
    const double angle = 6.283185307179586 * (turns - floor(turns));
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double across = length * sqrt(1.0 - height * height);
    sum[0] += across * cos(angle);
    sum[1] += across * sin(angle);
    sum[2] += length * height;
}

const double *rct_closure_columns_whole(rct_closure_columns *work)
{
    const rct_closure_rows *rows = work->problem->rows;
    clear(work);
    for (int32_t k = 0; k < rows->ends_at[rows->count]; k++) {
        const rct_closure_end *end = &rows->ends[k];
        add_any_way(2 * k + 1, end->wrench, work->moment + 3 * (int64_t)end->body);
        add_any_way(2 * k + 2, end->wrench + 3, work->force + 3 * (int64_t)end->body);
    }
    for (int64_t k = 0; k < rows->rates_at[rows->count]; k++) {
        work->along[rows->rates[k].rate] += fabs(rows->rates[k].factor);
    }
    gather(work, work->whole);
    return work->whole;
}

double rct_closure_columns_size(rct_closure_columns *work)
{
    const int64_t rates = work->problem->tree->first[work->problem->tree->n];
    double square = 0.0;
    rct_closure_columns_whole(work);
    rct_operator_inward(work->problem->operators, 1, work->whole, work->whole);
    for (int64_t r = 0; r < rates; r++) {
        square += work->whole[r] * work->whole[r];
    }
    return sqrt(square);
}

double rct_closure_columns_left(rct_closure_columns *work, const double *gap, const double *change,
                                double *left)
{
    rct_operator_velocities(work->problem->operators, 1, change, work->force, work->moment);
    rct_closure_take(work->problem->rows, work->moment, work->force, change, left);
    for (int32_t i = 0; i < work->problem->rows->count; i++) {
        left[i] += gap[i];
    }
    return rct_closure_largest(work->problem->rows->count, left);
}

void rct_closure_columns_report(rct_closure_columns *work, const double *gap, const double *change,
                                rct_closure_report *report)
{
    const int32_t rows = work->problem->rows->count;
    rct_closure_columns_left(work, gap, change, work->taken);
    rct_closure_report_left(rows, rct_closure_largest(rows, gap), work->taken, report);
}

double rct_closure_largest(int32_t count, const double *v)
{
    uint64_t most = 0;
    for (int32_t i = 0; i < count; i++) {
        const uint64_t bits = rct_size_bits(v[i]);
        most = bits > most ? bits : most;
    }
    const double size = rct_size_of_bits(most);
    return isnan(size) ? INFINITY : size;
}

void rct_closure_report_left(int32_t rows, double size, const double *left,
                             rct_closure_report *report)
{
    const double most = rct_closure_largest(rows, left);
    int32_t worst = 0;
    while (worst < rows && fabs(left[worst]) < most && isfinite(left[worst])) {
        worst++;
    }
    report->worst = most > 0.0 ? worst : -1;
    report->residual = most > 0.0 ? most / size : 0.0;
}

rct_status rct_closure_not_finite(rct_error *error)
{
    return rct_fail(error, RCT_ERROR_DIVERGED,
                    "the constraints of loops are no longer finite: the state has grown beyond all "
                    "bounds; take smaller steps");
}
