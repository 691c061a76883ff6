/* Integrators with error control on every backend there is: one motion, to the tolerance; and where there are no implicit stages,
 * words that say so. */
#include "tests/support/cmocka_all.h"

#include "tests/support/must.h"

#include <math.h>
#include <string.h>

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

static void expect_motion(const char *backend, rct_hinge_type hinge)
{
    rct_error error;
    double found[NUMBERS] = {0.0}, truth[NUMBERS] = {0.0};
    rct_solver *solver = made(backend, RCT_INTEGRATOR_DOPRI5, hinge, &error);
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
        rct_error error;
        assert_int_equal(rct_backend_describe(i, &info, NULL), RCT_OK);
        if (!info.available) {
            continue;
        }
        expect_motion(info.name, RCT_HINGE_REVOLUTE);
        expect_motion(info.name, RCT_HINGE_BALL);
        rct_solver *solver = made(info.name, RCT_INTEGRATOR_IMPLICIT, RCT_HINGE_REVOLUTE, &error);
        if (strcmp(info.name, "cpu") != 0) {
            assert_null(solver);
            assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
            assert_non_null(strstr(error.text, "has no implicit stages; use the backend cpu"));
        } else {
            assert_non_null(solver);
        }
        rct_solver_free(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_backend)};
    return cmocka_run_group_tests_name("integrators on backends", tests, NULL, NULL);
}
