/* Integrators with error control on every available backend give the same motion, to the
 * tolerance. */
#include "tests/support/cmocka_all.h"

#include "tests/support/must.h"

#include <math.h>

enum { BODIES = 40, NUMBERS = 7 * BODIES };

static rct_solver *made(const char *backend, rct_integrator integrator, rct_hinge_type hinge,
                        rct_error *error)
{
    const rct_family family = {.family = "comb",
                               .bodies = BODIES,
                               .hinge = hinge,
                               .seed = 1,
                               .perturb = 0.3,
                               .systems = 1};
    rct_model *model = must_generate(&family);
    rct_solver_options options = rct_solver_options_default();
    options.backend = backend;
    options.integrator = integrator;
    options.tolerance = 1e-9;
    rct_solver *solver = rct_solver_create(model, &options, error);
    rct_model_free(model);
    return solver;
}

static void read_state(const rct_solver *solver, double *numbers)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    assert_true(info.coordinates + info.dof <= NUMBERS);
    rct_solver_get_coordinates(solver, numbers, numbers + info.coordinates);
}

static void expect_motion(const char *backend, rct_integrator by, rct_hinge_type hinge)
{
    rct_error error;
    double found[NUMBERS] = {0.0}, truth[NUMBERS] = {0.0};
    rct_solver *solver = made(backend, by, hinge, &error);
    rct_solver *fixed = made("cpu", RCT_INTEGRATOR_RK4, hinge, &error);
    assert_non_null(solver);
    assert_non_null(fixed);
    must_step(solver, 0.02, 2);
    must_step(fixed, 1e-4, 400);
    read_state(solver, found);
    read_state(fixed, truth);
    for (int i = 0; i < NUMBERS; i++) {
        assert_true(fabs(found[i] - truth[i]) < 1e-7 * (1.0 + fabs(truth[i])));
    }
    rct_solver_free(solver);
    rct_solver_free(fixed);
}

static void test_every_backend(void **state)
{
    (void)state;
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        assert_int_equal(rct_backend_describe(i, &info, NULL), RCT_OK);
        for (int k = 0; k < 2 && info.available; k++) {
            const rct_integrator by = k == 0 ? RCT_INTEGRATOR_DOPRI5 : RCT_INTEGRATOR_IMPLICIT;
            expect_motion(info.name, by, RCT_HINGE_REVOLUTE);
            expect_motion(info.name, by, RCT_HINGE_BALL);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_backend)};
    return cmocka_run_group_tests_name("integrators on backends", tests, NULL, NULL);
}
