/* Motion of closed systems: values of others in quadruple precision (Andrews' mechanism, Bricard's, 40 four-bars),
 * constraints over time by every way to keep them, the order of the steps. */
#include "cmocka_all.h"

#include <riccatree/closure.h>
#include <riccatree/riccatree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rct_model *example(const char *name)
{
    char path[512];
    rct_error error;
    snprintf(path, sizeof path, "%s/%s.json", RCT_EXAMPLES, name);
    rct_model *model = rct_model_read(path, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static rct_solver *solver_with(const rct_model *model, rct_closing closing, rct_drift drift)
{
    rct_solver_options options = rct_solver_options_default();
    rct_error error;
    options.backend = "cpu";
    options.closing = closing;
    options.drift = drift;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static void step(rct_solver *solver, double dt, int64_t steps)
{
    rct_error error;
    if (rct_solver_step(solver, dt, steps, &error) != RCT_OK) {
        fail_msg("step %lld: %s", (long long)error.step, error.text);
    }
}

static double violation(const rct_solver *solver)
{
    rct_loop_info info;
    rct_solver_get_loop_info(solver, &info);
    return fmax(info.position, info.velocity);
}

static double energy(const rct_solver *solver)
{
    rct_measures sums;
    rct_solver_measure(solver, &sums);
    return sums.kinetic + sums.potential;
}

/* Rod k of 2 N + 1: upright ones first, 0 to N, then those that lie on their ends; hinges about z. */
static rct_model *four_bars(int32_t n)
{
    const double gravity[3] = {0.0, -9.81, 0.0};
    rct_model *model = rct_model_create("four-bars", NULL);
    rct_model_set_gravity(model, gravity, NULL);
    for (int32_t k = 0; k <= 2 * n; k++) {
        rct_body rod = rct_body_default();
        rod.hinge = RCT_HINGE_REVOLUTE;
        rod.hinge_axis[2] = 1.0;
        rod.mass = 1.0;
        rod.inertia[2] = 1.0 / 12.0;
        rod.inertia[0] = k <= n ? 1.0 / 12.0 : 0.0;
        rod.inertia[1] = k <= n ? 0.0 : 1.0 / 12.0;
        rod.parent = k <= n ? RCT_GROUND : k - n - 1;
        rod.hinge_at[0] = k <= n ? k : 0.0;
        rod.hinge_at[1] = k <= n ? 0.0 : 1.0;
        rod.com[k <= n] = 0.5;
        rod.rate[0] = k <= n ? -1.0 : 1.0;
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

static void test_four_bars(void **state)
{
    (void)state;
    rct_model *model = four_bars(40);
    rct_solver *solver = solver_with(model, RCT_CLOSING_ADMITTANCE, RCT_DRIFT_PROJECT);
    double position[81 * 3];
    step(solver, 1e-3, 1000);
    rct_solver_get_state(solver, NULL, NULL, position, NULL);
    print_message("off by %g, open by %g\n", position[3 * 41] + 0.115356880632109898, violation(solver));
    step(solver, 1e-3, 9000);
    rct_solver_get_state(solver, NULL, NULL, position, NULL);
    print_message("off by %g, open by %g\n", position[3 * 41] - 0.180512226686728390, violation(solver));
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_bricard(void **state)
{
    (void)state;
    rct_model *model = example("bricard");
    rct_solver *solver = solver_with(model, RCT_CLOSING_ADMITTANCE, RCT_DRIFT_PROJECT);
    double p[15], q[20];
    for (int k = 0; k < 2; k++) {
    step(solver, 1e-3, 500);
    rct_solver_get_state(solver, q, NULL, p, NULL);
    for (int i = 0; i < 5; i++) print_message("%.15g %.15g %.15g\n", p[3*i], p[3*i+1], p[3*i+2]);
    }
    rct_loop_info info;
    rct_solver_get_loop_info(solver, &info);
    print_message("rank %d of %d, violation %g %g, energy %g\n", info.rank, info.constraints, info.position, info.velocity, energy(solver));
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_andrews(void **state)
{
    (void)state;
    rct_model *model = example("andrews");
    rct_solver *solver = solver_with(model, RCT_CLOSING_ADMITTANCE, RCT_DRIFT_PROJECT);
    double q[7];
    step(solver, 1e-5, 3000);
    rct_solver_get_coordinates(solver, q, NULL);
    for (int i = 0; i < 7; i++) print_message("%.15g\n", q[i]);
    print_message("open by %g\n", violation(solver));
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_bars),
        cmocka_unit_test(test_bricard),
        cmocka_unit_test(test_andrews),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
