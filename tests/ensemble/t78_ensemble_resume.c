/* A run of an ensemble that continues from kept batches has the bits of one that was never stopped:
 * from any moment, with any threads and batches, and with failing members. */
#include "tests/support/cmocka_all.h"

#include "tests/ensemble/stopped.h"
#include "tests/support/draw.h"
#include "tests/support/must.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/hinge_system.h"
#include "tests/support/systems/loop_models.h"

#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <stdlib.h>

enum { STEPS = 40, SERIES = 5, MOST_POINTS = 20 };

static const stopped_when never;

static rct_ensemble_run_options options_of(int64_t batch, int32_t threads)
{
    static const int32_t track[] = {0, 2};
    rct_ensemble_run_options options = collect_options(STEPS, SERIES, batch, threads);
    options.tracked = 2;
    options.track = track;
    options.keep_steps = 3;
    return options;
}

static int64_t pick(uint64_t *key, int64_t count)
{
    *key = *key * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(*key >> 33) % count;
}

/* Continues from points of `run`, all or MOST_POINTS random ones, with other options than those of
 * `run`. Threads wait for one another to hand out a point: if one of them is slow, there may be a
 * single point. */
static void check_points(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                         const collected *straight, const stopped_run *run, uint64_t *key)
{
    const int32_t most = run->count < MOST_POINTS ? run->count : MOST_POINTS;
    assert_true(run->count > (options.threads == 1 ? 3 : 0));
    for (int32_t i = 0; i < most; i++) {
        const int64_t at = most < run->count ? pick(key, run->count) : i;
        static const int64_t batches[] = {0, 1, 3, 8, 11};
        options.batch = batches[pick(key, 5)];
        options.threads = 1 + (int32_t)pick(key, 3);
        options.keep_steps = 1 + pick(key, 7);
        stopped_run *other = stopped_go_on(ensemble, options, run->c, &run->points[at], never);
        stopped_check_whole(other, straight);
        stopped_free(other);
    }
}

/* Stopped by progress repeatedly, until the run ends. One thread makes every step once; several
 * threads make some steps that are never reported. */
static void check_stops(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                        const collected *straight, uint64_t *key)
{
    const int64_t all = straight->members * options.steps;
    stopped_run *run = NULL;
    int64_t made = 0;
    int stops = 0, alone = options.threads == 1;
    for (int whole = 0; !whole; stops++) {
        const stopped_when when = {.steps = 1 + pick(key, all / 8)};
        const int32_t before = run != NULL ? run->count : 0;
        options.keep_steps = 1 + pick(key, 5);
        options.threads = alone ? 1 : 1 + (int32_t)pick(key, 3);
        stopped_point from = run != NULL ? stopped_end(run, before > 0) : (stopped_point){0};
        stopped_run *next = run == NULL ? stopped_begin(ensemble, options, when)
                                        : stopped_go_on(ensemble, options, run->c, &from, when);
        if (run != NULL) {
            stopped_point_free(&from);
            stopped_free(run);
        }
        run = next;
        made += run->steps;
        whole = run->c->delivered == straight->members;
        assert_int_equal(run->status, RCT_OK);
        assert_true(stops < 200);
    }
    stopped_check_whole(run, straight);
    assert_true(stops > 1);
    assert_true(alone ? made == straight->steps : made <= straight->steps);
    stopped_free(run);
}

/* Frees the ensemble. */
static void check(rct_ensemble *ensemble, rct_ensemble_run_options options)
{
    uint64_t key = 77;
    collected *straight = collect(ensemble, options, RCT_OK, NULL);
    for (int32_t threads = 1; threads <= 2; threads++) {
        options.threads = threads;
        stopped_run *run = stopped_begin(ensemble, options, never);
        stopped_check_whole(run, straight);
        check_points(ensemble, options, straight, run, &key);
        stopped_free(run);
        check_stops(ensemble, options, straight, &key);
    }
    collected_free(straight);
    rct_ensemble_free(ensemble);
}

/* ---- members of every kind ---------------------------------------------------------------- */

static void test_balls_and_hinges(void **state)
{
    (void)state;
    static const rct_variation v[] = {{"bodies.*.mass", RCT_VARY_UNIFORM, 0.5, 2.0, 0},
                                      {"gravity[0]", RCT_VARY_UNIFORM, -3.0, 3.0, 0}};
    static const rct_hinge_type types[] = {RCT_HINGE_BALL, RCT_HINGE_REVOLUTE, RCT_HINGE_UNIVERSAL};
    for (int i = 0; i < 3; i++) {
        for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
            rct_ensemble_run_options options = options_of(8, 1);
            options.solver.method = (rct_method)method;
            check(must_ensemble(must_family("branch", 9, types[i]), 22, 0.7, 2, v), options);
        }
    }
}

/* Members with steps of their own length, which are kept too. */
static void test_integrators(void **state)
{
    (void)state;
    static const rct_variation v[] = {{"bodies.*.hinge.stiffness", RCT_VARY_GRID, 0.0, 1e4, 2},
                                      {"gravity[0]", RCT_VARY_UNIFORM, -3.0, 3.0, 0}};
    for (int i = RCT_INTEGRATOR_DOPRI5; i <= RCT_INTEGRATOR_CONSERVING; i++) {
        rct_ensemble_run_options options = options_of(0, 1);
        options.solver.integrator = (rct_integrator)i;
        options.solver.tolerance = 1e-10;
        check(must_ensemble(must_family("branch", 9, RCT_HINGE_REVOLUTE), 6, 0.7, 2, v), options);
    }
}

static void test_lanes(void **state)
{
    (void)state;
    static const rct_variation gravity = {"gravity[1]", RCT_VARY_NORMAL, 0.0, 2.0, 0};
    for (int32_t lanes = 1; lanes <= lanes_up_to(4); lanes *= 2) {
        rct_ensemble_run_options options = options_of(9, 1);
        options.solver.lanes = lanes;
        options.series = options.tracked = 0;
        check(must_ensemble(must_family("chain", 6, RCT_HINGE_BALL), 19, 0.7, 1, &gravity),
              options);
        check(must_ensemble(must_family("chain", 6, RCT_HINGE_PRISMATIC), 19, 0.7, 1, &gravity),
              options);
    }
}

/* Hinges of all types, springs, dampers, forces, a ground that moves, several roots. */
static void test_random_trees(void **state)
{
    (void)state;
    static const rct_variation gravity = {"gravity[2]", RCT_VARY_UNIFORM, -9.0, 9.0, 0};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                              .bodies = 6 + (int32_t)(3 * seed),
                                              .seed = seed,
                                              .spin = 1.0},
                                     .hinges = ALL_HINGES,
                                     .joint_forces = seed % 2 == 0,
                                     .forces = seed % 3 == 0 ? 4 : 0,
                                     .floating = seed % 5 == 0,
                                     .ground_moves = seed % 4 == 1};
        check(must_ensemble(hinge_system_create(&system), 13, 0.7, seed % 2, &gravity),
              options_of(5, 1));
    }
}

/* With admittance side by side; with the other methods each member has a solver of its own. */
static void test_closed_members(void **state)
{
    (void)state;
    static const rct_variation masses[] = {{"bodies.*.mass", RCT_VARY_UNIFORM, 0.5, 2.0, 0}};
    for (int closing = RCT_CLOSING_ADMITTANCE; closing <= RCT_CLOSING_SVD; closing++) {
        rct_error error;
        rct_ensemble_run_options options = options_of(0, 1);
        options.solver.closing = (rct_closing)closing;
        options.dt = 5e-3;
        options.steps = 24;
        check(must_ensemble(loop_model_four_bars(3, RCT_LOOP_REVOLUTE, &error),
                            closing == RCT_CLOSING_ADMITTANCE ? 11 : 3, 0.0, 1, masses),
              options);
    }
}

/* Cut into segments, one member after the other. */
static void test_large_members(void **state)
{
    (void)state;
    rct_ensemble_run_options options = options_of(0, 1);
    options.steps = 10;
    options.keep_steps = 2;
    check(must_ensemble(must_family("chain", RCT_ENSEMBLE_WHOLE + 1, RCT_HINGE_BALL), 3, 0.7, 0,
                        NULL),
          options);
    check(must_ensemble(must_family("branch", RCT_ENSEMBLE_WHOLE + 40, RCT_HINGE_REVOLUTE), 3, 0.7,
                        0, NULL),
          options);
}

/* Loads choose the kernels: batches are cut short where some members have loads and others have
 * none. */
static void test_members_that_cannot_stand_together(void **state)
{
    (void)state;
    static const rct_variation v[] = {{"gravity[0]", RCT_VARY_GRID, 0.0, 1.0, 2},
                                      {"bodies.*.hinge.damping", RCT_VARY_GRID, 0.0, 1.0, 3}};
    check(must_ensemble(must_family("chain", 5, RCT_HINGE_REVOLUTE), 18, 0.7, 2, v),
          options_of(8, 1));
}

/* ---- members that fail -------------------------------------------------------------------- */

/* Springs too stiff for the step, which fail the earlier the stiffer they are; and impossible
 * masses. */
static void test_members_that_fail(void **state)
{
    (void)state;
    static const rct_variation v[] = {{"bodies.body2.hinge.stiffness", RCT_VARY_GRID, 1.0, 2e7, 9},
                                      {"bodies.body3.mass", RCT_VARY_GRID, -1.0, 2.0, 2},
                                      {"gravity[2]", RCT_VARY_UNIFORM, -9.0, 9.0, 0}};
    rct_ensemble_run_options options = options_of(0, 1);
    options.steps = 160;
    rct_ensemble *ensemble =
        must_ensemble(must_family("chain", 5, RCT_HINGE_REVOLUTE), 36, 0.3, 3, v);
    collected *c = collect(ensemble, options, RCT_OK, NULL);
    int64_t late = 0;
    for (int64_t k = 0; k < c->members; k++) {
        late += c->member[k].status == RCT_ERROR_DIVERGED && c->member[k].time > 3e-3;
    }
    assert_true(late > 4); /* after the first has been kept */
    collected_free(c);
    check(ensemble, options);
}

static void test_large_members_that_fail(void **state)
{
    (void)state;
    static const rct_variation fast = {"bodies.body7.hinge.stiffness", RCT_VARY_GRID, 1.0, 1e9, 2};
    rct_ensemble_run_options options = options_of(0, 1);
    options.keep_steps = 1;
    options.steps = 16;
    check(must_ensemble(must_family("chain", RCT_ENSEMBLE_WHOLE + 30, RCT_HINGE_REVOLUTE), 4, 0.3,
                        1, &fast),
          options);
}

/* ---- when --------------------------------------------------------------------------------- */

/* Points by time, here at every rest; and no points, unless progress ends the run. */
static void test_by_time(void **state)
{
    (void)state;
    uint64_t key = 3;
    rct_ensemble *ensemble =
        must_ensemble(must_family("chain", 6, RCT_HINGE_BALL), 30, 0.7, 0, NULL);
    rct_ensemble_run_options options = options_of(8, 2);
    collected *straight = collect(ensemble, options, RCT_OK, NULL);
    options.keep_steps = 0;
    options.keep_seconds = 1e-9;
    stopped_run *run = stopped_begin(ensemble, options, never);
    check_points(ensemble, options, straight, run, &key);
    stopped_free(run);
    options.keep_seconds = 3600.0;
    run = stopped_begin(ensemble, options, never);
    stopped_check_whole(run, straight);
    assert_int_equal(run->count, 0);
    stopped_free(run);
    options.keep_seconds = 0.0;
    run = stopped_begin(ensemble, options, (stopped_when){.steps = 200});
    assert_int_equal(run->count, 1);
    assert_true(run->points[0].count >= 1 && run->points[0].begun[0].steps > 0);
    stopped_free(run);
    collected_free(straight);
    rct_ensemble_free(ensemble);
}

/* One thread: every batch at every multiple of the step count, and nowhere else. Members that
 * differ in gravity share a batch. */
static void test_by_steps(void **state)
{
    (void)state;
    static const rct_variation gravity = {"gravity[2]", RCT_VARY_UNIFORM, -9.0, 9.0, 0};
    rct_ensemble *ensemble =
        must_ensemble(must_family("chain", 6, RCT_HINGE_BALL), 16, 0.7, 1, &gravity);
    rct_ensemble_run_options options = options_of(8, 1);
    options.keep_steps = 7;
    stopped_run *run = stopped_begin(ensemble, options, never);
    assert_int_equal(run->count, 2 * (STEPS / 7));
    for (int32_t i = 0; i < run->count; i++) {
        assert_int_equal(run->points[i].count, 1);
        assert_int_equal(run->points[i].begun[0].steps, 7 * (i % (STEPS / 7) + 1));
        assert_int_equal(run->points[i].begun[0].count, 8);
        assert_int_equal(run->points[i].begun[0].members[0], i < STEPS / 7 ? 0 : 8);
    }
    stopped_free(run);
    rct_ensemble_free(ensemble);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls_and_hinges),
        cmocka_unit_test(test_integrators),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_closed_members),
        cmocka_unit_test(test_large_members),
        cmocka_unit_test(test_members_that_cannot_stand_together),
        cmocka_unit_test(test_members_that_fail),
        cmocka_unit_test(test_large_members_that_fail),
        cmocka_unit_test(test_by_time),
        cmocka_unit_test(test_by_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
