/* Admittance against the dense answer of closed_system (admittance_check.h). */
#include "tests/closure/admittance_check.h"

#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"

#include <lapacke.h>

#include <math.h>
#include <stdlib.h>

static const rct_closure_method *const method = &rct_closure_admittance;

rct_model *admittance_model(uint64_t seed, int32_t bodies, int hinges, int32_t loops, int types)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = bodies, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = hinges};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    closed_add_random(model, loops, types, seed + 100);
    return model;
}

double norm(const double *v, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return sqrt(sum);
}

double distance(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

/* As closed_system_answer takes them. */
static double least_value(const closed_system *s, int32_t rank)
{
    const int v = (int)s->rates, rows = s->problem.rows->count;
    double *M = closed_system_mass(s), *A = closed_system_jacobian(s), values[MOST_ROWS];
    double least = 1.0, rest[MOST_ROWS];
    if (rank > 0) {
        LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', v, M, v);
        for (int i = 0; i < rows; i++) {
            LAPACKE_dtrtrs(LAPACK_ROW_MAJOR, 'L', 'N', 'N', v, 1, M, v, A + (size_t)i * (size_t)v,
                           1);
        }
        LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', rows, v, A, v, values, NULL, 1, NULL, 1, rest);
        least = values[rank - 1] / values[0];
    }
    free(M);
    free(A);
    return least;
}

difference admittance_compare(closed_system *s, const int32_t *most, const double *gap)
{
    const int32_t rows = s->problem.rows->count;
    difference d = {.rows = rows};
    rct_closure_report report;
    rct_error error;
    double *x = calloc((size_t)(2 * rows + 2 * s->rates) + 1, sizeof *x);
    double *lambda = x + rows, *change = lambda + rows, *other = change + s->rates;
    rct_admittance *work = rct_admittance_create(most, NULL);
    assert_non_null(work);
    if (method->factor(work, &s->problem, &report, &error) != RCT_OK ||
        method->solve(work, gap, lambda, change, &report, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    d.rank = report.rank;
    d.residual = report.residual;
    d.front = work->reduced != NULL && work->reduced->front != NULL;
    d.dense_rank = closed_system_answer(s, gap, x, other);
    d.least = least_value(s, d.dense_rank);
    d.lambda = distance(x, lambda, rows) / (norm(x, rows) + 1e-300);
    d.change = distance(other, change, s->rates) / (norm(other, s->rates) + 1e-300);
    method->destroy(work);
    free(x);
    return d;
}

void admittance_check(closed_system *s, const double *gap, int consistent, int seed)
{
    const int32_t *const most[] = {&usual, &some, &tight};
    for (int k = 0; k < 3; k++) {
        const difference d = admittance_compare(s, most[k], gap);
        const double tolerance = 1e-12 + 2e-16 / (d.least * d.least);
        if (d.rank != d.dense_rank || !(d.lambda <= tolerance) ||
            !(d.change <= (consistent ? 1e-12 + 1e-14 / d.least : tolerance))) {
            fail_msg("seed %d, %d rows, front %d: rank %d, not %d; lambda off by %g, change by %g, "
                     "least singular value %g",
                     seed, (int)d.rows, (int)d.front, (int)d.rank, (int)d.dense_rank, d.lambda,
                     d.change, d.least);
        }
        if (consistent && !(d.residual <= 1e-12 + 1e-14 / d.least)) {
            fail_msg("seed %d: %g of the gap is left", seed, d.residual);
        }
    }
}

void admittance_draw_gap(closed_system *s, uint64_t seed, double *gap)
{
    double *linear = calloc((size_t)(6 * s->n + s->rates), sizeof *linear);
    double *angular = linear + 3 * s->n, *rates = angular + 3 * s->n;
    draw_numbers(&seed, rates, (int32_t)s->rates, 1.0);
    rct_operator_velocities(s->problem.operators, 1, rates, linear, angular);
    rct_closure_take(s->problem.rows, angular, linear, rates, gap);
    free(linear);
}
