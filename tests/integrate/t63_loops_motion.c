/* Motion of closed systems: values in quadruple precision (Andrews' mechanism, Bricard's,
 * four-bars, also through their singular poses), constraints over time with every correction of
 * drift, the order of the steps. */
#include "tests/support/cmocka_all.h"

#include "tests/support/larger.h"
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

static double violation(const rct_solver *solver)
{
    const rct_loop_info info = loop_info(solver);
    return fmax(info.position, info.velocity);
}

static double energy(const rct_solver *solver)
{
    rct_measures sums;
    rct_solver_measure(solver, &sums);
    return sums.kinetic + sums.potential;
}

static void check_near(const char *what, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * fmax(1.0, fabs(expected)))) {
        fail_msg("%s is %.17g, off by %g", what, found, found - expected);
    }
}

/* ---- values of others --------------------------------------------------------------------- */

static void test_andrews(void **state)
{
    (void)state;
    /* beta, Theta, gamma, Phi, delta, Omega, epsilon in the order of the bodies of the example */
    static const double expected[7] = {
        15.810771195153707,  -15.756371058411839, 0.040822240119645805, -0.53473011632079590,
        0.52440996587995407, 0.53473011632079590, 1.0480807410419379};
    rct_model *model = example("andrews");
    rct_solver *solver = solver_with(model, RCT_CLOSING_ADMITTANCE, RCT_DRIFT_PROJECT);
    double q[7];
    must_step(solver, 1e-5, 3000);
    rct_solver_get_coordinates(solver, q, NULL);
    for (int i = 0; i < 7; i++) {
        check_near("an angle of Andrews' mechanism", q[i], expected[i], 1e-9);
    }
    assert_true(violation(solver) < 1e-10);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_bricard(void **state)
{
    (void)state;
    static const double expected[2][3] = {
        {0.968283679106777, -1.224625159436334, 0.750146609437767},
        {0.510501461187220, -1.649167599394806, 0.140123114553186}};
    static const rct_closing closings[] = {RCT_CLOSING_ADMITTANCE, RCT_CLOSING_MULTIPLIERS,
                                           RCT_CLOSING_QR, RCT_CLOSING_SVD};
    rct_model *model = example("bricard");
    for (size_t c = 0; c < sizeof closings / sizeof closings[0]; c++) {
        rct_solver *solver = solver_with(model, closings[c], RCT_DRIFT_PROJECT);
        rct_loop_info info;
        double position[5][3];
        for (int k = 0; k < 2; k++) {
            must_step(solver, 1e-3, 500);
            rct_solver_get_state(solver, NULL, NULL, position[0], NULL);
            for (int i = 0; i < 3; i++) {
                check_near("point 3 of Bricard's mechanism", position[3][i], expected[k][i], 1e-10);
            }
        }
        rct_solver_get_loop_info(solver, &info);
        assert_int_equal(info.rank, 4);
        assert_int_equal(info.redundant, 1);
        assert_string_equal(info.closing, rct_closing_name(closings[c]));
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* Rods of 1 m and 1 kg: 0 to n upright on the ground, the others from the tip of one to the tip of
 * the next. */
static rct_model *four_bars(int32_t n, double out)
{
    const double gravity[3] = {0.0, -9.81, 0.0};
    rct_model *model = rct_model_create("four-bars", NULL);
    assert_non_null(model);
    rct_model_set_gravity(model, gravity, NULL);
    for (int32_t k = 0; k <= 2 * n; k++) {
        const int upright = k <= n;
        rct_body rod = rct_body_default();
        rod.hinge = RCT_HINGE_REVOLUTE;
        rod.mass = 1.0;
        rod.inertia[2] = rod.inertia[upright ? 0 : 1] = 1.0 / 12.0;
        rod.parent = upright ? RCT_GROUND : k - n - 1;
        rod.hinge_at[0] = upright ? out + k : 0.0;
        rod.hinge_at[1] = upright ? 0.0 : 1.0;
        rod.com[upright] = 0.5;
        rod.rate[0] = upright ? -1.0 : 1.0;
        assert_int_equal(rct_model_add_body(model, &rod, NULL, NULL), RCT_OK);
    }
    for (int32_t k = 0; k < n; k++) {
        rct_loop loop = rct_loop_default();
        loop.type = RCT_LOOP_PLANAR_REVOLUTE;
        loop.body = n + 1 + k;
        loop.at[0] = 1.0;
        loop.other = k + 1;
        loop.other_at[1] = 1.0;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    return model;
}

/* The angle after `time`, by their single equation of motion; h is small enough for all digits. */
static double angle_of_four_bars(int32_t n, double time)
{
    const double pull = 9.81 * (0.5 * (n + 1) + n) / ((n + 1) / 3.0 + n);
    const int steps = (int)lround(time * 4000.0);
    const double h = time / steps;
    double q = acos(0.0), u = -1.0;
    for (int i = 0; i < steps; i++) {
        const double a1 = -pull * cos(q), a2 = -pull * cos(q + 0.5 * h * u);
        const double a3 = -pull * cos(q + 0.5 * h * (u + 0.5 * h * a1));
        const double a4 = -pull * cos(q + h * (u + 0.5 * h * a2));
        q += h * (u + h / 6.0 * (a1 + a2 + a3));
        u += h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
    }
    return q;
}

static void check_four_bars(int32_t n, double dt, double time, double tip, double tolerance)
{
    rct_model *model = four_bars(n, 0.0);
    rct_solver *solver = solver_with(model, RCT_CLOSING_ADMITTANCE, RCT_DRIFT_PROJECT);
    double *position = calloc((size_t)(2 * n + 1), 3 * sizeof *position);
    double farthest = 0.0;
    for (int k = 0; k < 20; k++) {
        must_step(solver, dt, lround(time / dt / 20.0));
        farthest = larger(farthest, violation(solver));
    }
    rct_solver_get_state(solver, NULL, NULL, position, NULL);
    check_near("the tip of the first rod", position[3 * (n + 1)], tip, tolerance);
    assert_true(farthest < 1e-10);
    free(position);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_four_bars(void **state)
{
    (void)state;
    check_four_bars(40, 2e-3, 1.0, -0.115356880632109898, 1e-9);
    check_near("the equation of 40 four-bars", cos(angle_of_four_bars(40, 10.0)),
               0.180512226686728390, 1e-9);
}

/* Ten seconds, some twenty times through the pose where all rods lie on one line. */
static void test_singular_poses(void **state)
{
    (void)state;
    for (int32_t n = 1; n <= 2; n++) {
        check_four_bars(n, 1e-3, 10.0, cos(angle_of_four_bars(n, 10.0)), 1e-8);
    }
    check_four_bars(40, 1e-3, 10.0, cos(angle_of_four_bars(40, 10.0)), 1e-8);
}

/* A thousand kilometres out, where places have a rounding of 1e-10 m, loops are still closed to the
 * last bits. */
static void test_far_out(void **state)
{
    (void)state;
    static const rct_closing closings[] = {RCT_CLOSING_ADMITTANCE, RCT_CLOSING_EMBEDDING,
                                           RCT_CLOSING_MULTIPLIERS};
    enum { BARS = 3, RODS = 2 * BARS + 1 };
    for (int k = 0; k < 3; k++) {
        double q[2][RODS], u[2][RODS];
        for (int far = 0; far < 2; far++) {
            rct_model *model = four_bars(BARS, far ? 0x1p20 : 0.0);
            rct_solver *solver = solver_with(model, closings[k], RCT_DRIFT_PROJECT);
            must_step(solver, 1e-3, 300);
            rct_solver_get_coordinates(solver, q[far], u[far]);
            if (violation(solver) > 1e-13) {
                fail_msg("open by %g, out %d", violation(solver), far);
            }
            rct_solver_free(solver);
            rct_model_free(model);
        }
        for (int i = 0; i < RODS; i++) {
            check_near("a coordinate far out", q[1][i], q[0][i], 1e-12);
            check_near("a rate far out", u[1][i], u[0][i], 1e-12);
        }
    }
}

/* ---- forces ------------------------------------------------------------------------------- */

/* Forces on the rocker of the four-bar, from the ground and from the coupler: of a hinge where it
 * is not cut, of the loop where it is cut. */
static void test_forces_of_two_cuts(void **state)
{
    (void)state;
    static const char *const names[] = {"four-bar", "four-bar-internal"};
    enum { BODIES = 4 };
    double hinge[2][BODIES][3], loop[2][3], moment[3];
    int32_t rocker[2] = {-1, -1};
    for (int k = 0; k < 2; k++) {
        rct_model *model = example(names[k]);
        rct_solver *solver = solver_with(model, RCT_CLOSING_ADMITTANCE, RCT_DRIFT_PROJECT);
        must_step(solver, 1e-3, 300);
        assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        rct_solver_get_hinge_forces(solver, hinge[k][0], NULL);
        rct_solver_get_loop_forces(solver, loop[k], moment, NULL);
        for (int32_t b = 0; b < BODIES; b++) {
            char name[RCT_NAME_SIZE];
            rct_model_body_name(model, b, name);
            rocker[k] = strcmp(name, "rocker") == 0 ? b : rocker[k];
        }
        rct_loop cut;
        rct_model_loop(model, 0, &cut, NULL);
        for (int i = 0; i < 3 && cut.body != rocker[k]; i++) {
            loop[k][i] = -loop[k][i];
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
    assert_true(fabs(loop[0][1]) > 1.0);
    for (int i = 0; i < 3; i++) {
        check_near("the force of the ground", loop[0][i], hinge[1][rocker[1]][i], 1e-9);
        check_near("the force of the coupler", loop[1][i], hinge[0][rocker[0]][i], 1e-9);
    }
}

/* ---- constraints and energy --------------------------------------------------------------- */

/* Torques drive the quick-return mechanisms to 100 rad/s and more. */
static void test_constraints_over_time(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double dt, time;
    } runs[] = {{"bricard", 2e-3, 10.0},       {"four-bar", 2e-3, 10.0},
                {"geared-link", 2e-3, 10.0},   {"four-bar-internal", 2e-3, 10.0},
                {"six-bodies", 4e-3, 10.0},    {"quick-return-1", 1e-3, 2.0},
                {"quick-return-2", 1e-3, 2.0}, {"quick-return-3", 1e-3, 2.0},
                {"cam-follower", 1e-4, 1.0}};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        rct_model *model = example(runs[i].name);
        rct_solver *solver = solver_with(model, RCT_CLOSING_ADMITTANCE, RCT_DRIFT_PROJECT);
        const int64_t steps = lround(runs[i].time / runs[i].dt / 100.0);
        double farthest = 0.0;
        for (int k = 0; k < 100; k++) {
            must_step(solver, runs[i].dt, steps);
            farthest = larger(farthest, violation(solver));
        }
        if (farthest > 1e-10) {
            fail_msg("%s: open by %g", runs[i].name, farthest);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* Largest change of the energy of the four-bar over half a second, and largest violation. */
static double drift_of(const char *name, rct_drift drift, double dt, double *farthest)
{
    rct_model *model = example(name);
    rct_solver *solver = solver_with(model, RCT_CLOSING_ADMITTANCE, drift);
    const double start = energy(solver);
    double most = 0.0;
    *farthest = 0.0;
    for (int k = 0; k < 10; k++) {
        must_step(solver, dt, lround(0.05 / dt));
        most = larger(most, fabs(energy(solver) - start));
        *farthest = larger(*farthest, violation(solver));
    }
    rct_solver_free(solver);
    rct_model_free(model);
    return most;
}

/* Half the step gives a sixteenth of the error, with any correction of drift. */
static void test_order(void **state)
{
    (void)state;
    static const rct_drift drifts[] = {RCT_DRIFT_PROJECT, RCT_DRIFT_BAUMGARTE, RCT_DRIFT_NONE};
    for (int k = 0; k < 3; k++) {
        double open[2];
        const double coarse = drift_of("bricard", drifts[k], 1e-2, &open[0]);
        const double fine = drift_of("bricard", drifts[k], 5e-3, &open[1]);
        const double order = log2(coarse / fine);
        print_message("%s: energy %.2g, %.2g: order %.2f; open by %.2g, %.2g\n",
                      rct_drift_name(drifts[k]), coarse, fine, order, open[0], open[1]);
        assert_true(fine > 1e-13 && order > 3.5);
        if (drifts[k] == RCT_DRIFT_PROJECT) {
            assert_true(open[0] < 1e-12 && open[1] < 1e-12);
        } else {
            assert_true(open[0] > 1e-12 && log2(open[0] / open[1]) > 3.5);
        }
    }
}

/* A slightly open start: projection closes it at once, Baumgarte over time, no other method
 * does. */
static void test_drift_from_an_open_start(void **state)
{
    (void)state;
    double left[3];
    for (int k = 0; k < 3; k++) {
        rct_model *model = example("four-bar");
        rct_solver *solver = solver_with(model, RCT_CLOSING_ADMITTANCE, (rct_drift)k);
        rct_solver_info info;
        double q[32], u[32];
        rct_solver_get_info(solver, &info);
        rct_solver_get_coordinates(solver, q, u);
        q[0] += 1e-4;
        assert_int_equal(rct_solver_set_coordinates(solver, q, u, NULL), RCT_OK);
        assert_true(violation(solver) > 1e-6);
        must_step(solver, 1e-3, 1);
        if (k == RCT_DRIFT_PROJECT) {
            assert_true(violation(solver) < 1e-12);
        }
        must_step(solver, 1e-3, 999);
        left[k] = violation(solver);
        assert_float_equal(loop_info(solver).bound, 1e-2, 0.0); /* bodies reach 1 m and more */
        rct_solver_free(solver);
        rct_model_free(model);
    }
    print_message("after a second: %.2g, %.2g, %.2g\n", left[0], left[1], left[2]);
    assert_true(left[RCT_DRIFT_PROJECT] < 1e-12);
    assert_true(left[RCT_DRIFT_BAUMGARTE] < 1e-2 * left[RCT_DRIFT_NONE]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_andrews),
        cmocka_unit_test(test_bricard),
        cmocka_unit_test(test_four_bars),
        cmocka_unit_test(test_singular_poses),
        cmocka_unit_test(test_far_out),
        cmocka_unit_test(test_constraints_over_time),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_forces_of_two_cuts),
        cmocka_unit_test(test_drift_from_an_open_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
