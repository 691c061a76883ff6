/* Motion of closed systems whose loops coordinate partitioning keeps closed: independent
 * coordinates keep the values of the step, the motion is that of projection, and published values
 * are reached. */
#include "tests/support/cmocka_all.h"

#include "tests/support/must.h"
#include "tests/support/systems/example.h"
#include "tests/support/systems/loop_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rct_solver *solver_with(const rct_model *model, rct_closing closing, rct_drift drift)
{
    rct_solver_options options = loop_options(closing);
    options.drift = drift;
    return loop_solver(model, &options);
}

/* A step without correction, and one with: coordinates whose bits differ are dependent. */
static void check_kept(const char *name, double dt)
{
    rct_model *model = example(name);
    rct_solver *open = solver_with(model, RCT_CLOSING_QR, RCT_DRIFT_NONE);
    rct_solver *closed = solver_with(model, RCT_CLOSING_QR, RCT_DRIFT_PARTITION);
    int changed = 0;
    for (int k = 0; k < 20; k++) {
        int64_t count;
        must_step(closed, dt, 1);
        double *state = loop_state(closed, &count);
        loop_set_state(open, state);
        must_step(open, dt, 1);
        must_step(closed, dt, 1);
        const rct_loop_info info = loop_info(closed);
        assert_true(info.position <= 1e-12 && info.velocity <= 1e-12);
        double *free_state = loop_state(open, &count), *held = loop_state(closed, &count);
        for (int64_t half = 0; half < 2; half++) { /* coordinates, then as many rates */
            int others = 0;
            for (int64_t i = half * count / 2; i < (half + 1) * count / 2; i++) {
                others += memcmp(&free_state[i], &held[i], sizeof *held) != 0;
            }
            assert_in_range(others, 0, info.rank);
            changed += others;
        }
        free(state);
        free(free_state);
        free(held);
    }
    assert_true(changed > 0);
    rct_solver_free(open);
    rct_solver_free(closed);
    rct_model_free(model);
}

static void test_independent_coordinates(void **state)
{
    (void)state;
    check_kept("four-bar", 2e-3);
    check_kept("bricard", 2e-3);
    check_kept("quick-return-1", 2e-3);
    check_kept("andrews", 1e-5);
    check_kept("geared-link", 1e-4);
    check_kept("cam-follower", 1e-4);
}

/* With steps whose truncation is of the size of rounding the motion is that of projection, with any
 * way of closing. */
static void test_as_projection(void **state)
{
    (void)state;
    static const char *const names[] = {"four-bar", "bricard", "quick-return-2", "six-bodies"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        rct_model *model = example(names[n]);
        rct_solver *projected = solver_with(model, RCT_CLOSING_SVD, RCT_DRIFT_PROJECT);
        int64_t count;
        must_step(projected, 5e-4, 400);
        double *expected = loop_state(projected, &count);
        for (int closing = RCT_CLOSING_ADMITTANCE; closing <= RCT_CLOSING_SVD; closing++) {
            rct_solver *solver = solver_with(model, (rct_closing)closing, RCT_DRIFT_PARTITION);
            must_step(solver, 5e-4, 400);
            double *found = loop_state(solver, &count);
            for (int64_t i = 0; i < count; i++) {
                if (!(fabs(found[i] - expected[i]) <= 1e-9 * fmax(1.0, fabs(expected[i])))) {
                    fail_msg("%s by %s: number %d is off by %g", names[n],
                             rct_closing_name((rct_closing)closing), (int)i,
                             found[i] - expected[i]);
                }
            }
            assert_string_equal(loop_info(solver).drift, "partition");
            free(found);
            rct_solver_free(solver);
        }
        free(expected);
        rct_solver_free(projected);
        rct_model_free(model);
    }
}

/* The test set for initial value problems: the first angle at 0.03 s. */
static void test_andrews(void **state)
{
    (void)state;
    rct_model *model = example("andrews");
    rct_solver *solver = solver_with(model, RCT_CLOSING_ADMITTANCE, RCT_DRIFT_PARTITION);
    double q[7];
    must_step(solver, 1e-5, 3000);
    rct_solver_get_coordinates(solver, q, NULL);
    assert_true(fabs(q[0] - 15.810771195153707) <= 1e-8);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Loops that hinges hold already have no dependent coordinate: rounding of J is no pivot. */
static void test_held_by_hinges(void **state)
{
    (void)state;
    static const rct_loop_type types[] = {RCT_LOOP_FIXED, RCT_LOOP_PLANAR_PRISMATIC, RCT_LOOP_BALL};
    rct_error error;
    rct_measures before, after;
    rct_model *model = rct_model_create("held", &error);
    for (int32_t i = 0; i < 2; i++) {
        rct_body body = rct_body_default();
        body.parent = i - 1;
        body.hinge = i == 0 ? RCT_HINGE_BALL : RCT_HINGE_FIXED;
        body.mass = 1.0 + i;
        body.com[0] = -0.5, body.com[1] = 0.3;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.15;
        memcpy(body.hinge_at, (double[]){-0.68, 0.39, -0.51}, sizeof body.hinge_at);
        body.angular_velocity[1] = i == 0 ? 0.7 : 0.0;
        assert_int_equal(rct_model_add_body(model, &body, NULL, &error), RCT_OK);
    }
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        rct_loop loop = rct_loop_default();
        loop.type = types[k];
        loop.body = 1, loop.other = 0;
        memcpy(loop.at, (double[]){0.4, -0.7, 0.2}, sizeof loop.at);
        memcpy(loop.other_at, (double[]){0.4 - 0.68, 0.39 - 0.7, 0.2 - 0.51}, sizeof loop.other_at);
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, &error), RCT_OK);
    }
    rct_solver *solver = solver_with(model, RCT_CLOSING_ADMITTANCE, RCT_DRIFT_PARTITION);
    rct_solver_measure(solver, &before);
    must_step(solver, 1e-3, 200);
    rct_solver_measure(solver, &after);
    assert_int_equal(loop_info(solver).rank, 0);
    assert_true(fabs(after.kinetic + after.potential - before.kinetic - before.potential) < 1e-9);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_independent_coordinates),
        cmocka_unit_test(test_as_projection),
        cmocka_unit_test(test_andrews),
        cmocka_unit_test(test_held_by_hinges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
