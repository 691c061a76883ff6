/* Closing loops by the admittance of seed 001 against dense singular values, on random systems and on chains of many
 * loops. */
#include "cmocka_all.h"

#include "closure/admittance.h"
#include "core/memory.h"
#include "support/closed_system.h"
#include "support/draw.h"

#include <SuiteSparse_config.h>
#include <riccatree/loop.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1 };

static const rct_closure_method *const method = &rct_closure_admittance;

/* With kept nodes wherever there can be any. */
static const rct_reduced_limits tight = {.tree = 0, .piece = 6};
static const rct_reduced_limits usual = {.tree = 96, .piece = 24};

static rct_model *model_of(uint64_t seed, int32_t bodies, int hinges, int32_t loops, int types)
{
    const mixed_system system = {.tree = {.shape = SHAPE_TREE,
                                          .bodies = bodies,
                                          .shuffled = 1,
                                          .spin = 1.0,
                                          .seed = seed},
                                 .hinges = hinges};
    rct_model *model = mixed_system_create(&system);
    assert_non_null(model);
    closed_add_random(model, loops, types, seed + 100);
    return model;
}

static double norm(const double *v, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return sqrt(sum);
}

static double distance(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

/* How far the method is from the dense answer. */
typedef struct difference {
    int32_t rank, dense_rank, rows, kept;
    double lambda, change, residual;
} difference;

static difference compare(closed_system *s, const rct_reduced_limits *limits, const double *gap)
{
    const int32_t rows = s->problem.rows->count;
    difference d = {.rows = rows};
    rct_closure_report report;
    rct_error error;
    double *x = calloc((size_t)(2 * rows + 2 * s->rates) + 1, sizeof *x);
    double *lambda = x + rows, *change = lambda + rows, *other = change + s->rates;
    rct_admittance *work = rct_admittance_create(limits, NULL);
    assert_non_null(work);
    if (method->factor(work, &s->problem, &report, &error) != RCT_OK ||
        method->solve(work, gap, lambda, change, &report, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    d.rank = report.rank;
    d.residual = report.residual;
    d.kept = work->reduced != NULL ? work->reduced->kept : 0;
    d.dense_rank = closed_system_answer(s, gap, x, other);
    d.lambda = distance(x, lambda, rows) / (norm(x, rows) + 1e-300);
    d.change = distance(other, change, s->rates) / (norm(other, s->rates) + 1e-300);
    method->destroy(work);
    free(x);
    return d;
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        rct_model *model = model_of(seed, 14, MIXED_ALL_HINGES, 1 + (int32_t)(seed % 12), ALL_TYPES);
        closed_system s = closed_system_create(model, 0.0);
        double gap[400];
        uint64_t random = seed;
        draw_numbers(&random, gap, s.problem.rows->count, 1.0);
        const difference a = compare(&s, &usual, gap), b = compare(&s, &tight, gap);
        printf("seed %2d rows %3d rank %3d %3d %3d lambda %.1e change %.1e res %.1e  kept %d: lambda %.1e change "
               "%.1e\n",
               (int)seed, a.rows, a.dense_rank, a.rank, b.rank, a.lambda, a.change, a.residual, b.kept,
               b.lambda, b.change);
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
