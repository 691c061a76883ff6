/* Ranks of aggregates against singular values of their rows of J in the metric of the mass matrix,
 * which share no code with them: random systems with dependent constraints, small and large ones,
 * in lengths from micrometres to a thousand km. */
#include "tests/support/cmocka_all.h"

#include "closure/aggregate.h"
#include "core/memory.h"
#include "tests/support/larger.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/loop_models.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A = J L^-T, by rows, M = L L^T; to be freed. */
static double *rows_in_metric(const closed_system *s)
{
    const int v = (int)s->rates, rows = s->problem.rows->count;
    double *M = closed_system_mass(s), *A = closed_system_jacobian(s);
    assert_int_equal(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', v, M, v), 0);
    for (int i = 0; i < rows; i++) {
        assert_int_equal(
            LAPACKE_dtrtrs(LAPACK_ROW_MAJOR, 'L', 'N', 'N', v, 1, M, v, A + (ptrdiff_t)i * v, 1),
            0);
    }
    free(M);
    return A;
}

/* The rank of some of the rows; `largest` of all numbers in A. `clear`: 0 if rounding hides the
 * rank. */
static int32_t slow_rank(const double *A, double largest, int64_t v, const rct_aggregate *a,
                         int *clear)
{
    const int32_t fewer = a->rows < v ? a->rows : (int32_t)v;
    double *own = calloc((size_t)(a->rows * v), sizeof *own);
    double *values = calloc((size_t)fewer + 1, sizeof *values), unused[1];
    int32_t rank = 0;
    for (int32_t i = 0; i < a->rows; i++) {
        memcpy(own + i * v, A + a->row[i] * v, (size_t)v * sizeof *own);
    }
    assert_int_equal(LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'N', a->rows, (int)v, own, (int)v, values,
                                    unused, 1, unused, (int)v),
                     0);
    while (rank < fewer && values[rank] > fmax(1e-9 * values[0], 1e-12 * largest)) {
        rank++;
    }
    *clear = rank == 0 || values[rank - 1] > 1e-5 * values[0];
    free(own);
    free(values);
    return rank;
}

/* The aggregates of a system. */
static rct_aggregation *aggregate(const closed_system *s)
{
    int32_t *order = calloc((size_t)s->n, sizeof *order), count = 0;
    for (int32_t depth = 0; count < s->n; depth++) {
        for (int32_t b = 0; b < s->n; b++) {
            int32_t up = 0;
            for (int32_t k = s->problem.tree->parent[b]; k >= 0; k = s->problem.tree->parent[k]) {
                up++;
            }
            if (up == depth) {
                order[count++] = b;
            }
        }
    }
    rct_aggregation *a = rct_aggregation_create(s->problem.tree, order, s->problem.rows, NULL);
    free(order);
    assert_non_null(a);
    return a;
}

typedef struct tally {
    int64_t checked, large, redundant, unclear;
} tally;

static void check(const rct_model *model, tally *seen)
{
    closed_system s = closed_system_create(model, 0.0);
    rct_aggregation *a = aggregate(&s);
    int32_t *rank = calloc((size_t)a->count + 1, sizeof *rank);
    double *A = rows_in_metric(&s), largest = 0.0;
    for (int64_t i = 0; i < s.rates * s.problem.rows->count; i++) {
        largest = larger(largest, fabs(A[i]));
    }
    assert_int_equal(rct_aggregation_ranks(a, s.problem.tree, s.problem.rows, rank, NULL), RCT_OK);
    for (int32_t k = 0; k < a->count; k++) {
        int clear;
        const int32_t expected = slow_rank(A, largest, s.rates, &a->aggregate[k], &clear);
        if (clear) {
            assert_int_equal(rank[k], expected);
            seen->checked++;
            seen->large += a->aggregate[k].rates > RCT_AGGREGATE_DENSE;
            seen->redundant += expected < a->aggregate[k].rows;
        } else {
            seen->unclear++;
        }
    }
    free(A);
    free(rank);
    rct_aggregation_free(a);
    closed_system_free(&s);
}

/* Every third loop repeated: its constraints are already there. */
static void repeat_loops(rct_model *model)
{
    const int32_t count = rct_model_loop_count(model);
    for (int32_t i = 0; i < count; i += 3) {
        rct_loop loop;
        assert_int_equal(rct_model_loop(model, i, &loop, NULL), RCT_OK);
        loop.name = NULL;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
}

static void test_random(void **state)
{
    tally seen = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        const int large = seed % 10 == 0;
        const hinge_system system = {
            .tree = {.shape = SHAPE_TREE, .bodies = large ? 90 : 12, .shuffled = 1, .seed = seed},
            .hinges = ALL_HINGES};
        rct_model *model = hinge_system_create(&system);
        closed_add_random(model, large ? 40 : 1 + (int32_t)(seed % 6), (1 << RCT_LOOP_TYPES) - 1,
                          seed);
        if (seed % 2 == 0) {
            repeat_loops(model);
        }
        check(model, &seen);
        rct_model_free(model);
    }
    print_message("%d checked, %d large, %d with redundant constraints; %d unclear\n",
                  (int)seen.checked, (int)seen.large, (int)seen.redundant, (int)seen.unclear);
    assert_true(seen.checked > 200 && seen.large >= 10 && seen.redundant > 60);
    assert_true(10 * seen.unclear < seen.checked);
}

/* Four-bars closed by spatial hinges: five constraints each, three of which follow from the others;
 * small, then large. */
static void test_redundant_rows(void **state)
{
    (void)state;
    for (int32_t loops = 1; loops <= 60; loops += 59) {
        tally seen = {0};
        rct_model *model = loop_model_four_bars(loops, RCT_LOOP_REVOLUTE, NULL);
        check(model, &seen);
        assert_true(seen.checked == 1 && seen.redundant == 1);
        assert_int_equal(seen.large, loops > 1);
        rct_model_free(model);
    }
}

static void expect_rank(rct_model *model, int32_t wanted)
{
    closed_system s = closed_system_create(model, 0.0);
    rct_aggregation *a = aggregate(&s);
    int32_t rank = 0;
    assert_int_equal(a->count, 1);
    assert_int_equal(rct_aggregation_ranks(a, s.problem.tree, s.problem.rows, &rank, NULL), RCT_OK);
    assert_int_equal(rank, wanted);
    rct_aggregation_free(a);
    closed_system_free(&s);
    rct_model_free(model);
}

/* The same, too many for a dense matrix: admittance counts the ranks. */
static void test_many_redundant_rows(void **state)
{
    enum { LOOPS = 1000 };
    (void)state;
    expect_rank(loop_model_four_bars(LOOPS, RCT_LOOP_REVOLUTE, NULL), 2 * LOOPS);
}

/* A long ladder, with three of five constraints of every rung redundant: more than admittance
 * counts, and too many for a dense matrix. */
static void test_not_known(void **state)
{
    (void)state;
    for (int32_t rungs = 100; rungs <= 400; rungs += 300) {
        expect_rank(loop_model_ladder(rungs, RCT_LOOP_REVOLUTE, NULL),
                    rungs == 100 ? 2 * rungs : -1);
    }
}

/* A zigzag of rods of some length, its end on a revolute closure, in any unit: five constraints of rank 2. */
static void test_lengths(void **state)
{
    (void)state;
    for (double length = 1e-6; length < 1e7; length *= 1e3) {
        rct_model *model = rct_model_create(NULL, NULL);
        for (int32_t i = 0; i < 4; i++) {
            rct_body rod = rct_body_default();
            rod.parent = i - 1;
            rod.hinge = RCT_HINGE_REVOLUTE;
            rod.hinge_axis[0] = 0.0;
            rod.hinge_axis[2] = 1.0;
            rod.hinge_at[0] = i > 0 ? length : 0.0;
            rod.com[0] = 0.5 * length;
            rod.mass = 1.0;
            for (int k = 0; k < 2; k++) {
                rod.inertia[k] = length * length / 12.0;
            }
            rod.position[0] = i == 0 ? 0.4 : i % 2 == 0 ? 0.8 : -0.8;
            assert_int_equal(rct_model_add_body(model, &rod, NULL, NULL), RCT_OK);
        }
        rct_loop loop = rct_loop_default();
        loop.type = RCT_LOOP_REVOLUTE;
        loop.body = 3;
        loop.at[0] = length;
        loop.other_at[0] = 4.0 * length * cos(0.4);
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
        tally seen = {0};
        check(model, &seen);
        assert_true(seen.checked == 1 && seen.redundant == 1);
        rct_model_free(model);
    }
}

static void test_memory(void **state)
{
    (void)state;
    for (int32_t loops = 1; loops <= 40; loops += 39) {
        rct_model *model = loop_model_four_bars(loops, RCT_LOOP_PLANAR_REVOLUTE, NULL);
        closed_system s = closed_system_create(model, 0.0);
        rct_aggregation *a = aggregate(&s);
        rct_status status = RCT_ERROR_MEMORY;
        int32_t rank[1] = {0};
        int64_t failures = -1;
        while (status != RCT_OK) {
            rct_error error;
            rct_allocate_fail_after(++failures);
            status = rct_aggregation_ranks(a, s.problem.tree, s.problem.rows, rank, &error);
            rct_allocate_fail_after(-1);
            assert_true(status == RCT_OK || error.status == RCT_ERROR_MEMORY);
        }
        assert_true(failures > 10);
        assert_int_equal(rank[0], 2 * loops);
        rct_aggregation_free(a);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_redundant_rows),
        cmocka_unit_test(test_many_redundant_rows),
        cmocka_unit_test(test_not_known),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
