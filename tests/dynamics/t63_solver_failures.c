/* Failures of the solver: singular poses and motion that overflows. The state is that of the last
 * complete step, bit for bit, the error names body and step, and the solver can continue. */
#include "tests/support/cmocka_all.h"

#include "tests/dynamics/snapshot.h"
#include "tests/support/draw.h"

#include <riccatree/operators.h>

#include <math.h>
#include <string.h>

/* ---- poses without an answer -------------------------------------------------------------- */

/* A line mass along z without inertia about its axis. Off the axis hangs a point mass on a massless
 * bar, and a body off that bar. Rotating the bar about the line from point mass to body moves its
 * hinge and no mass: across the plane of the bar it resists nothing. If this plane contains the
 * line's axis, nothing resists the spin of the line. */
static rct_model *pose_model(void)
{
    rct_model *model = rct_model_create("pose", NULL);
    rct_body line = rct_body_default(), bar = rct_body_default(), body = rct_body_default();
    line.mass = 2.0;
    line.com[2] = -0.5;
    line.inertia[0] = line.inertia[1] = 2.0 / 12.0;
    bar.parent = 0;
    bar.hinge_at[0] = 0.5;
    bar.hinge_at[2] = -1.0;
    bar.mass = 1.0;
    bar.com[2] = -1.0;
    bar.orientation[3] = 1.0; /* half a right angle about z: a pose with an answer */
    bar.orientation[0] = 2.0;
    body.parent = 1;
    body.hinge_at[0] = 1.0;
    body.hinge_at[2] = -1.0;
    body.mass = 1.0;
    body.com[1] = 0.2;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    assert_int_equal(rct_model_add_body(model, &line, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_add_body(model, &bar, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    return model;
}

/* Line and bar with the orientation `q`, so that the plane of the bar contains the line's axis. */
static void pose(rct_solver *solver, const double q[4])
{
    const double rate[3][3] = {{0.0}};
    double orientation[3][4];
    memcpy(orientation[0], q, sizeof orientation[0]);
    memcpy(orientation[1], q, sizeof orientation[1]);
    memcpy(orientation[2], (double[4]){0.5, -0.5, 0.1, 0.7}, sizeof orientation[2]);
    assert_int_equal(rct_solver_set_state(solver, orientation[0], rate[0], NULL), RCT_OK);
}

static void expect_singular(rct_solver *solver)
{
    const snapshot before = snapshot_take(solver);
    rct_error error = {.status = RCT_OK};
    assert_int_equal(rct_solver_evaluate(solver, &error), RCT_ERROR_SINGULAR);
    assert_int_equal(error.status, RCT_ERROR_SINGULAR);
    assert_int_equal(error.body, 0);
    assert_int_equal(error.step, -1);
    double numbers[9] = {1.0, 2.0, 3.0};
    assert_int_equal(rct_solver_mass_solve(solver, 1, numbers, numbers, &error),
                     RCT_ERROR_SINGULAR);
    assert_int_equal(error.body, 0);
    snapshot_expect(solver, &before);
    assert_int_equal(rct_solver_step(solver, 1e-3, 5, &error), RCT_ERROR_SINGULAR);
    assert_int_equal(error.body, 0);
    assert_int_equal(error.step, 0);
    snapshot_expect(solver, &before);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_ERROR_SINGULAR);
}

static void test_singular_poses_are_told(void **state)
{
    (void)state;
    rct_model *model = pose_model();
    uint64_t random = 2;
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver *solver = snapshot_solver(model, (rct_method)method);
        const snapshot good = snapshot_take(solver);
        double q[4] = {1.0, 0.0, 0.0, 0.0};
        for (int k = 0; k < 200; k++) { /* exactly singular, then singular but for rounding */
            pose(solver, q);
            expect_singular(solver);
            assert_int_equal(snapshot_set(solver, &good, NULL), RCT_OK);
            assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
            draw_numbers(&random, q, 4, 1.0);
        }
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* ---- motion beyond all numbers ------------------------------------------------------------ */

static void test_overflow_is_told(void **state)
{
    (void)state;
    rct_model *model = snapshot_tree();
    const int32_t b = snapshot_find(model, RCT_HINGE_BALL);
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver *solver = snapshot_solver(model, (rct_method)method);
        const snapshot good = snapshot_take(solver);
        snapshot fast = good;
        rct_error error = {.status = RCT_OK};
        fast.rate[b][0] = 1e200;
        assert_int_equal(snapshot_set(solver, &fast, NULL), RCT_OK);
        const snapshot before = snapshot_take(solver);
        assert_int_equal(rct_solver_evaluate(solver, &error), RCT_ERROR_DIVERGED);
        assert_int_equal(error.status, RCT_ERROR_DIVERGED);
        assert_in_range(error.body, 0, SNAPSHOT_BODIES - 1);
        assert_int_equal(rct_solver_step(solver, 1e-3, 3, &error), RCT_ERROR_DIVERGED);
        assert_int_equal(error.step, 0);
        assert_int_equal(rct_solver_step(solver, 1e-3, 3, NULL), RCT_ERROR_DIVERGED);
        snapshot_expect(solver, &before);
        assert_int_equal(snapshot_set(solver, &good, NULL), RCT_OK);
        assert_int_equal(rct_solver_step(solver, 1e-3, 3, NULL), RCT_OK);
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* Steps so large that the motion grows without bound: a step after the first one fails. */
static void test_divergence_names_the_step(void **state)
{
    (void)state;
    rct_model *model = snapshot_tree();
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver *one = snapshot_solver(model, (rct_method)method);
        rct_solver *many = snapshot_solver(model, (rct_method)method);
        rct_error error;
        int64_t steps = 0;
        while (rct_solver_step(one, 0.5, 1, &error) == RCT_OK) {
            steps++;
            assert_true(steps < 1000);
        }
        assert_int_equal(error.step, 0);
        assert_true(steps >= 2);
        assert_int_equal(rct_solver_step(many, 0.5, 1000, &error), RCT_ERROR_DIVERGED);
        assert_int_equal(error.status, RCT_ERROR_DIVERGED);
        assert_int_equal(error.step, steps);
        assert_in_range(error.body, 0, SNAPSHOT_BODIES - 1);
        const snapshot whole = snapshot_take(one);
        snapshot_expect(many, &whole);
        assert_true(whole.time == 0.5 * (double)steps);
        rct_solver_free(one);
        rct_solver_free(many);
    }
    rct_model_free(model);
}

/* The longer the step, the earlier its failing stage: each step is undone. */
static void test_every_stage_is_taken_back(void **state)
{
    (void)state;
    rct_model *model = snapshot_tree();
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver *solver = snapshot_solver(model, (rct_method)method);
        const snapshot before = snapshot_take(solver);
        for (int k = 1; k < 30; k++) {
            const double dt = pow(10.0, 10.0 * k);
            rct_error error = {.status = RCT_OK};
            assert_int_equal(rct_solver_step(solver, dt, 1, &error), RCT_ERROR_DIVERGED);
            assert_int_equal(error.step, 0);
            snapshot_expect(solver, &before);
        }
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* After a failure no effect of it remains: the same bits as in a solver that never failed. */
static void test_the_solver_goes_on(void **state)
{
    (void)state;
    rct_model *model = snapshot_tree();
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver *failed = snapshot_solver(model, (rct_method)method);
        rct_solver *sound = snapshot_solver(model, (rct_method)method);
        const snapshot start = snapshot_take(sound);
        assert_int_equal(rct_solver_step(failed, 0.5, 1000, NULL), RCT_ERROR_DIVERGED);
        rct_solver *both[2] = {failed, sound};
        for (int i = 0; i < 2; i++) {
            rct_solver_set_time(both[i], 0.0);
            assert_int_equal(snapshot_set(both[i], &start, NULL), RCT_OK);
            assert_int_equal(rct_solver_step(both[i], 1e-3, 10, NULL), RCT_OK);
        }
        const snapshot should = snapshot_take(sound);
        snapshot_expect(failed, &should);
        rct_solver_free(failed);
        rct_solver_free(sound);
    }
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_singular_poses_are_told),
        cmocka_unit_test(test_overflow_is_told),
        cmocka_unit_test(test_divergence_names_the_step),
        cmocka_unit_test(test_every_stage_is_taken_back),
        cmocka_unit_test(test_the_solver_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
