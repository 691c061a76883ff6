/* Constraint embedding against the dense answer on random closed systems, against closed forms, and against what
 * defines a solution: M change = J* lambda, J change + gap = 0. */
#include "cmocka_all.h"

#include "closure/embedding.h"
#include "core/memory.h"
#include "support/closed_system.h"
#include "support/draw.h"

#include <lapacke.h>
#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1 };

static const rct_closure_method *const method = &rct_closure_embedding;

static double *numbers(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static double largest(const double *x, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* Largest difference over the largest of y. */
static double differ(const double *x, const double *y, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    const double size = largest(y, count);
    return size > 0.0 ? most / size : most;
}

static rct_model *random_model(uint64_t seed, random_shape shape, int32_t bodies, int32_t loops,
                               int types)
{
    const mixed_system system = {
        .tree = {.shape = shape, .bodies = bodies, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = MIXED_ALL_HINGES,
        .joint_forces = 1,
        .forces = 3,
        .ground_moves = (int)(seed % 2)};
    rct_model *model = mixed_system_create(&system);
    assert_non_null(model);
    closed_add_random(model, loops, types, seed + 100);
    return model;
}

/* ---- one method on one system ---------------------------------------------------------------- */

typedef struct solution {
    void *work;
    double *gap, *lambda, *change;
    rct_closure_report report;
} solution;

static solution factored(const closed_system *s)
{
    solution x = {.gap = numbers(s->problem.rows->count),
                  .lambda = numbers(s->problem.rows->count),
                  .change = numbers(s->rates)};
    rct_error error;
    x.work = method->create(s->closures, &error);
    assert_non_null(x.work);
    if (method->factor(x.work, &s->problem, &x.report, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    return x;
}

static void solve(solution *x)
{
    assert_int_equal(method->solve(x->work, x->gap, x->lambda, x->change, &x->report, NULL),
                     RCT_OK);
}

static void release(solution *x)
{
    method->destroy(x->work);
    free(x->gap);
    free(x->lambda);
    free(x->change);
}

/* ---- random systems ---------------------------------------------------------------------------- */

/* J of a random motion, so that it can be cancelled whatever the rank. */
static void draw_consistent(const closed_system *s, uint64_t *random, double *gap)
{
    const int64_t rows = s->problem.rows->count;
    double *J = closed_system_jacobian(s), *u = numbers(s->rates);
    draw_numbers(random, u, (int)s->rates, 1.0);
    for (int64_t i = 0; i < rows; i++) {
        gap[i] = 0.0;
        for (int64_t j = 0; j < s->rates; j++) {
            gap[i] += J[i * s->rates + j] * u[j];
        }
    }
    free(J);
    free(u);
}

/* |J change + gap| by the dense J. */
static double residual_of(const closed_system *s, const solution *x)
{
    const int64_t rows = s->problem.rows->count;
    double *J = closed_system_jacobian(s), most = 0.0;
    for (int64_t i = 0; i < rows; i++) {
        double sum = x->gap[i];
        for (int64_t j = 0; j < s->rates; j++) {
            sum += J[i * s->rates + j] * x->change[j];
        }
        most = fmax(most, fabs(sum));
    }
    free(J);
    const double size = largest(x->gap, rows);
    return size > 0.0 ? most / size : 0.0;
}

/* Whether the others span the row of J: what least squares by singular values leave of it. */
static int follows(const closed_system *s, int32_t row)
{
    const int v = (int)s->rates, others = s->problem.rows->count - 1;
    const int longer = v > others ? v : others;
    double *J = closed_system_jacobian(s), *wanted = numbers(longer), *values = numbers(longer);
    double *left = numbers(v), *columns = numbers((int64_t)v * others);
    int32_t rank = 0;
    memcpy(wanted, J + (int64_t)row * v, (size_t)v * sizeof *wanted);
    memcpy(left, wanted, (size_t)v * sizeof *left);
    memmove(J + (int64_t)row * v, J + (int64_t)(row + 1) * v,
            (size_t)(others - row) * (size_t)v * sizeof *J);
    memcpy(columns, J, (size_t)others * (size_t)v * sizeof *J);
    const double size = largest(left, v);
    if (others > 0) {
        assert_int_equal(LAPACKE_dgelsd(LAPACK_COL_MAJOR, v, others, 1, columns, v, wanted, longer,
                                        values, 1e-9, &rank),
                         0);
        for (int32_t i = 0; i < others; i++) {
            for (int32_t j = 0; j < v; j++) {
                left[j] -= J[(int64_t)i * v + j] * wanted[i];
            }
        }
    }
    const int spanned = largest(left, v) <= 1e-8 * size;
    free(J);
    free(wanted);
    free(values);
    free(left);
    free(columns);
    return spanned;
}

static void compare(const closed_system *s, solution *x, uint64_t seed)
{
    const int32_t rows = s->problem.rows->count;
    double *lambda = numbers(rows), *change = numbers(s->rates);
    const int32_t rank = closed_system_answer(s, x->gap, lambda, change);
    solve(x);
    const double off = differ(x->change, change, s->rates);
    const double off_lambda = differ(x->lambda, lambda, rows);
    if (x->report.rank != rank || !(off <= 1e-10) || !(off_lambda <= 1e-10)) {
        fail_msg("seed %d: rank %d of %d, change off by %g, lambda by %g", (int)seed,
                 x->report.rank, rank, off, off_lambda);
    }
    assert_true(fabs(x->report.residual - residual_of(s, x)) <= 1e-10);
    assert_true((x->report.dependent >= 0) == (rank < rows));
    assert_true(rank == rows || follows(s, x->report.dependent));
    free(lambda);
    free(change);
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        rct_model *model = random_model(seed, (random_shape)(seed % 4), 4 + (int32_t)(seed % 23),
                                        1 + (int32_t)(seed % 7), ALL_TYPES);
        closed_system s = closed_system_create(model, 0.2);
        solution x = factored(&s);
        uint64_t random = seed;
        draw_consistent(&s, &random, x.gap);
        compare(&s, &x, seed);
        draw_numbers(&random, x.gap, s.problem.rows->count,
                     1.0); /* most cannot be cancelled whole */
        compare(&s, &x, seed);
        release(&x);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
