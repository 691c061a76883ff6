/* Aggregates of solvers (riccatree/closure.h): of examples against known ones, with any way of
 * closing; after loops are attached and released; no aggregates in systems without loops. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/must.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/example.h"
#include "tests/support/systems/loop_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rct_aggregates *find(const rct_solver *solver)
{
    rct_error error = {.status = RCT_OK};
    rct_aggregates *all = rct_solver_find_aggregates(solver, &error);
    if (all == NULL) {
        fail_msg("%s", error.text);
    }
    return all;
}

static rct_aggregate_info get(const rct_aggregates *all, int32_t i)
{
    rct_aggregate_info info;
    assert_int_equal(rct_aggregates_get(all, i, &info, NULL), RCT_OK);
    return info;
}

/* ---- what is known ------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int32_t count; /* of aggregates; what follows is of the first */
    int32_t head, bodies, loops, constraints, rates, rank;
} known[] = {
    {"four-bar", 1, RCT_GROUND, 3, 1, 2, 3, 2},
    {"four-bar-internal", 1, RCT_GROUND, 3, 1, 2, 3, 2},
    {"bricard", 1, RCT_GROUND, 5, 1, 5, 5, 4},
    {"geared-link", 2, RCT_GROUND, 2, 1, 1, 2, 1},
    {"quick-return-1", 1, RCT_GROUND, 5, 2, 4, 5, 4},
    {"quick-return-3", 1, RCT_GROUND, 4, 2, 3, 4, 3},
    {"six-bodies", 1, 0, 5, 2, 6, 15, 6},
    {"ladder", 1, RCT_GROUND, 12, 4, 8, 12, 8},
    {"andrews", 1, RCT_GROUND, 7, 3, 6, 7, 6},
    {"cam-follower", 1, RCT_GROUND, 3, 2, 2, 3, 2},
};

static void test_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        rct_model *model = example(known[i].name);
        for (rct_closing closing = RCT_CLOSING_ADMITTANCE; closing <= RCT_CLOSING_SVD; closing++) {
            const rct_solver_options options = loop_options(closing);
            rct_solver *solver = loop_solver(model, &options);
            rct_aggregates *all = find(solver);
            print_message("%s\n", known[i].name);
            assert_int_equal(rct_aggregates_count(all), known[i].count);
            const rct_aggregate_info one = get(all, 0);
            assert_int_equal(one.body, known[i].head);
            assert_int_equal(one.bodies, known[i].bodies);
            assert_int_equal(one.loops, known[i].loops);
            assert_int_equal(one.constraints, known[i].constraints);
            assert_int_equal(one.rates, known[i].rates);
            assert_int_equal(one.rank, known[i].rank);
            assert_int_equal(one.independent, known[i].rates - known[i].rank);
            assert_int_equal(one.redundant, known[i].constraints - known[i].rank);
            rct_aggregates_free(all);
            rct_solver_free(solver);
        }
        rct_model_free(model);
    }
}

/* Seed 002, Fig. 6: the second motor and the fore arm are carried by the upper arm, which is in the
 * first aggregate. */
static void test_geared_link(void **state)
{
    (void)state;
    const rct_solver_options options = loop_options(RCT_CLOSING_EMBEDDING);
    rct_model *model = example("geared-link");
    rct_solver *solver = loop_solver(model, &options);
    rct_aggregates *all = find(solver);
    const char *const names[2][2] = {{"motor1", "upper"}, {"motor2", "fore"}};
    for (int32_t i = 0; i < 2; i++) {
        assert_int_equal(get(all, i).bodies, 2);
        for (int32_t k = 0; k < 2; k++) {
            char name[RCT_NAME_SIZE];
            rct_model_body_name(model, rct_aggregates_bodies(all, i)[k], name);
            assert_string_equal(name, names[i][k]);
        }
        assert_int_equal(rct_aggregates_loops(all, i)[0], i);
    }
    assert_int_equal(get(all, 1).body, rct_aggregates_bodies(all, 0)[1]);
    rct_aggregates_free(all);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* ---- loops that come and go ---------------------------------------------------------------- */

static void test_release(void **state)
{
    (void)state;
    for (rct_closing closing = RCT_CLOSING_ADMITTANCE; closing <= RCT_CLOSING_SVD; closing++) {
        const rct_solver_options options = loop_options(closing);
        rct_model *model = example("ladder");
        rct_solver *solver = loop_solver(model, &options);
        rct_aggregates *whole = find(solver);
        must_step(solver, 1e-3, 5);
        assert_int_equal(rct_solver_set_loop_active(solver, 3, RCT_LOOP_RELEASED, NULL), RCT_OK);
        rct_aggregates *less = find(solver);
        assert_int_equal(get(less, 0).bodies,
                         9); /* the last rung and the rods above it are free of it */
        assert_int_equal(get(less, 0).loops, 3);
        assert_int_equal(get(less, 0).rank, 6);
        assert_int_equal(rct_solver_set_loop_active(solver, 3, RCT_LOOP_PULLED, NULL), RCT_OK);
        rct_aggregates *again = find(solver);
        const rct_aggregate_info now = get(again, 0), first = get(whole, 0);
        assert_memory_equal(&now, &first, sizeof now);
        for (int32_t i = 0; i < 4; i++) {
            assert_int_equal(rct_solver_set_loop_active(solver, i, RCT_LOOP_RELEASED, NULL),
                             RCT_OK);
        }
        rct_aggregates *none = find(solver);
        assert_int_equal(rct_aggregates_count(none), 0);
        assert_int_equal(get(whole, 0).bodies, 12); /* copies stay */
        rct_aggregates_free(none);
        rct_aggregates_free(again);
        rct_aggregates_free(less);
        rct_solver_free(solver);
        assert_int_equal(rct_aggregates_bodies(whole, 0)[0], 0);
        rct_aggregates_free(whole);
        rct_model_free(model);
    }
}

/* ---- random systems ------------------------------------------------------------------------ */

/* Different aggregates have different bodies, ranks add up to that of all constraints, by singular
 * values; and nothing in the solver changes: its next answer has the same bits. */
static void test_random(void **state)
{
    int64_t aggregates = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        rct_model *model = loop_random(seed, LOOP_POINTLIKE | 1 << RCT_LOOP_FIXED, seed % 2 == 0);
        rct_solver_options options = loop_options((rct_closing)(seed % 5));
        options.as_given = 1;
        rct_solver *solver = loop_solver(model, &options), *other = loop_solver(model, &options);
        const rct_loop_info info = loop_info(solver);
        rct_aggregates *all = find(solver);
        int32_t taken[14] = {0}, rank = 0, rows = 0, loops = 0;
        int64_t numbers;
        for (int32_t i = 0; i < rct_aggregates_count(all); i++) {
            const rct_aggregate_info one = get(all, i);
            for (int32_t k = 0; k < one.bodies; k++) {
                assert_int_equal(taken[rct_aggregates_bodies(all, i)[k]]++, 0);
            }
            assert_true(one.body == RCT_GROUND || one.body < 14);
            rank += one.rank;
            rows += one.constraints;
            loops += one.loops;
            aggregates++;
        }
        assert_int_equal(rank, info.rank);
        assert_int_equal(rows, info.constraints);
        assert_int_equal(loops, info.active);
        const rct_status one = rct_solver_step(solver, 1e-4, 2, NULL);
        assert_int_equal(rct_solver_step(other, 1e-4, 2, NULL), one);
        double *there = loop_state(other, &numbers);
        loop_check_kept(solver, there);
        free(there);
        rct_aggregates_free(all);
        rct_solver_free(other);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    assert_true(aggregates > 60);
}

/* For all hinges and loops, with welded bodies among them: ranks as the method finds them for all
 * rows at once. */
static void test_all_hinges(void **state)
{
    int64_t checked = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const hinge_system system = {
            .tree = {.shape = SHAPE_TREE, .bodies = 14, .shuffled = 1, .seed = seed},
            .hinges = ALL_HINGES};
        rct_solver_options options = loop_options(seed % 2 ? RCT_CLOSING_QR : RCT_CLOSING_SVD);
        rct_model *model = hinge_system_create(&system);
        closed_add_random(model, 1 + (int32_t)(seed % 4), (1 << RCT_LOOP_TYPES) - 1, seed);
        options.as_given = 1;
        rct_solver *solver = loop_solver(model, &options);
        rct_aggregates *all = find(solver);
        int32_t rank = 0;
        for (int32_t i = 0; i < rct_aggregates_count(all); i++) {
            rank += get(all, i).rank;
        }
        assert_int_equal(rank, loop_info(solver).rank);
        checked += rank > 0;
        rct_aggregates_free(all);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    assert_true(checked > 30);
}

/* A parallelogram is singular if all its rods lie in one line: then another rate is independent. */
static void test_singular_pose(void **state)
{
    (void)state;
    const double quarter = 1.5707963267948966, turn[3] = {-quarter, quarter, -quarter};
    rct_model *model = must_family("fourbars", 3, RCT_HINGE_REVOLUTE);
    const rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    rct_solver *solver = loop_solver(model, &options);
    for (int i = 0; i < 2; i++) {
        int64_t numbers;
        double *now = loop_state(solver, &numbers);
        rct_aggregates *all = find(solver);
        assert_int_equal(get(all, 0).rank, i == 0 ? 2 : 1);
        assert_int_equal(get(all, 0).independent, i == 0 ? 1 : 2);
        assert_int_equal(get(all, 0).redundant, i == 0 ? 0 : 1);
        assert_true(loop_info(solver).position < 1e-12);
        for (int k = 0; k < 3; k++) {
            now[k] += turn[k];
        }
        loop_set_state(solver, now);
        rct_aggregates_free(all);
        free(now);
    }
    rct_solver_free(solver);
    rct_model_free(model);
}

/* One aggregate of all bodies, with any number of loops and any hold of them: the rank of a sparse
 * matrix. */
static void check_whole(rct_model *model, rct_closing closing)
{
    const rct_solver_options options = loop_options(closing);
    rct_solver *solver = loop_solver(model, &options);
    rct_aggregates *all = find(solver);
    const rct_loop_info info = loop_info(solver);
    assert_int_equal(rct_aggregates_count(all), 1);
    assert_int_equal(get(all, 0).bodies, rct_model_body_count(model));
    assert_int_equal(get(all, 0).rank, info.rank);
    assert_int_equal(get(all, 0).loops, info.loops);
    rct_aggregates_free(all);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_large(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const rct_closing closing = i == 0 ? RCT_CLOSING_ADMITTANCE : RCT_CLOSING_MULTIPLIERS;
        check_whole(must_family("fourbars", 3001, RCT_HINGE_REVOLUTE), closing);
        check_whole(must_family("ladder", 3000, RCT_HINGE_BALL), closing);
        check_whole(loop_chain(3000, RCT_HINGE_BALL, 0.1, 0.0, 1), closing);
        check_whole(loop_chain(3000, RCT_HINGE_REVOLUTE, 0.1, 0.0, 1), closing);
    }
}

/* ---- none, and misuse ---------------------------------------------------------------------- */

static void test_none(void **state)
{
    (void)state;
    rct_error error;
    rct_aggregate_info info = {.bodies = 7};
    rct_model *model = must_family("binary", 9, RCT_HINGE_BALL);
    const rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    rct_solver *solver = loop_solver(model, &options);
    rct_aggregates *all = find(solver);
    assert_int_equal(rct_aggregates_count(all), 0);
    for (int32_t i = -1; i < 2; i++) {
        assert_int_equal(rct_aggregates_get(all, i, &info, &error), RCT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.text, "does not exist; the model has 0 aggregates"));
        assert_null(rct_aggregates_bodies(all, i));
        assert_null(rct_aggregates_loops(all, i));
    }
    assert_int_equal(info.bodies, 7);
    rct_aggregates_free(all);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Failing allocations, and a time that is not finite. */
static void test_failures(void **state)
{
    (void)state;
    rct_error error;
    rct_model *model = loop_chain(6, RCT_HINGE_BALL, 0.3, 0.0, 1);
    const rct_solver_options options = loop_options(RCT_CLOSING_QR);
    rct_solver *solver = loop_solver(model, &options);
    rct_aggregates *all = NULL;
    int64_t failures = -1;
    while (all == NULL) {
        rct_allocate_fail_after(++failures);
        all = rct_solver_find_aggregates(solver, &error);
        rct_allocate_fail_after(-1);
        assert_true(all != NULL || error.status == RCT_ERROR_MEMORY);
    }
    assert_true(failures > 20);
    assert_int_equal(get(all, 0).rank, 3);
    rct_aggregates_free(all);

    rct_solver_set_time(solver, NAN);
    assert_null(rct_solver_find_aggregates(solver, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* A slider so far out that squares of places overflow: no rank is returned, for small and large
 * systems. */
static void test_beyond_all_bounds(void **state)
{
    (void)state;
    for (int32_t rods = 3; rods < 100; rods += 80) {
        rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
        rct_model *model = rct_model_create(NULL, NULL);
        rct_loop loop = rct_loop_default();
        for (int32_t i = 0; i < rods; i++) {
            rct_body rod = loop_rod(i - 1, i == 1 ? RCT_HINGE_PRISMATIC : RCT_HINGE_REVOLUTE);
            assert_int_equal(rct_model_add_body(model, &rod, NULL, NULL), RCT_OK);
        }
        loop.type = RCT_LOOP_PLANAR_REVOLUTE;
        loop.body = rods - 1;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
        options.as_given = 1;
        rct_solver *solver = loop_solver(model, &options);
        rct_aggregates *all = find(solver);
        int64_t numbers;
        double *far = loop_state(solver, &numbers);
        assert_true(get(all, 0).rank > 0);
        rct_aggregates_free(all);
        far[1] = 1e200;
        loop_set_state(solver, far);
        all = find(solver);
        assert_int_equal(get(all, 0).bodies, rods);
        assert_int_equal(get(all, 0).rank, -1);
        assert_int_equal(get(all, 0).independent, -1);
        assert_int_equal(get(all, 0).redundant, -1);
        rct_aggregates_free(all);
        free(far);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),   cmocka_unit_test(test_geared_link),
        cmocka_unit_test(test_release),    cmocka_unit_test(test_random),
        cmocka_unit_test(test_all_hinges), cmocka_unit_test(test_singular_pose),
        cmocka_unit_test(test_large),      cmocka_unit_test(test_none),
        cmocka_unit_test(test_failures),   cmocka_unit_test(test_beyond_all_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
