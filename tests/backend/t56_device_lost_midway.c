/* An accelerator lost within a call that makes many requests one after the other: steps by
 * operators, closing of loops. Whatever the call, the error is that of the device: data read after
 * the loss must not be reported as a motion, or as a fault of the model or its loops. */
#include "tests/support/cmocka_all.h"

#include "tests/support/device/emulated.h"
#include "tests/support/systems/closed_system.h"

#include <riccatree/riccatree.h>

#include <stdio.h>
#include <string.h>

enum { BODIES = 8, MOST = 5000 };

static rct_model *model_of(int loops)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = BODIES, .spin = 0.5, .seed = 4},
        .hinges = 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_REVOLUTE,
        .no_rotors = 1};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    if (loops) {
        closed_add_random(model, 1, 1 << RCT_LOOP_DISTANCE, 4);
    }
    return model;
}

static rct_solver *solver_of(const rct_model *model, rct_integrator integrator, rct_error *error)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cuda";
    options.integrator = integrator;
    *error = (rct_error){.status = RCT_OK};
    return rct_solver_create(model, &options, error);
}

/* The status is OK, or says that the device is lost. */
static void expect_loss(const rct_solver *solver, rct_status status, const rct_error *error)
{
    if (status == RCT_OK) {
        return;
    }
    rct_error lost;
    if (status != RCT_ERROR_DEVICE) {
        fail_msg("%s: %s", rct_status_name(status), error->text);
    }
    assert_int_equal(rct_solver_check(solver, &lost), RCT_ERROR_DEVICE);
    assert_string_equal(error->text, lost.text);
}

/* The device is lost at each call of the runtime in turn, after the solver is made. */
static void check(const rct_model *model, rct_integrator integrator)
{
    int lost = 1;
    for (int k = 1; lost && k < MOST; k++) {
        rct_error error;
        emulated_reset("");
        rct_solver *solver = solver_of(model, integrator, &error);
        assert_non_null(solver);
        emulation_options options = emulated()->defaults();
        options.lose_at_call = k;
        options.lose_error = cudaErrorLaunchFailure;
        emulated()->set(&options);
        for (int i = 0; i < 2; i++) {
            expect_loss(solver, rct_solver_evaluate(solver, &error), &error);
            expect_loss(solver, rct_solver_step(solver, 1e-3, 1, &error), &error);
            expect_loss(solver, rct_solver_assemble(solver, &error), &error);
        }
        lost = rct_solver_check(solver, NULL) != RCT_OK;
        rct_solver_free(solver);
    }
    assert_false(lost);
    emulated_reset("");
}

static void test_lost_within_a_call(void **state)
{
    (void)state;
    for (int loops = 0; loops <= 1; loops++) {
        rct_model *model = model_of(loops);
        for (int i = RCT_INTEGRATOR_RK4; i <= RCT_INTEGRATOR_CONSERVING; i++) {
            check(model, (rct_integrator)i);
        }
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lost_within_a_call)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
