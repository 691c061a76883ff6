/* Failures with loops other than those of the loops themselves: memory, forces of the user, and
 * threads. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/systems/loop_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_options(void **state)
{
    (void)state;
    rct_model *model = loop_chain(2, RCT_HINGE_REVOLUTE, 0.0, 0.0, 1);
    rct_error error;
    rct_solver_options options = loop_options((rct_closing)17);
    assert_null(rct_solver_create(model, &options, &error));
    loop_expect(error.status, RCT_ERROR_ARGUMENT, &error, -1, "unknown closing 17");
    options = loop_options(RCT_CLOSING_QR);
    options.drift = (rct_drift)5;
    assert_null(rct_solver_create(model, &options, &error));
    loop_expect(error.status, RCT_ERROR_ARGUMENT, &error, -1, "unknown drift 5");
    options.drift = RCT_DRIFT_BAUMGARTE;
    options.baumgarte[1] = NAN;
    assert_null(rct_solver_create(model, &options, &error));
    loop_expect(error.status, RCT_ERROR_ARGUMENT, &error, -1, "give numbers of 0 or more");
    assert_string_equal(rct_closing_name((rct_closing)17), "unknown");
    assert_string_equal(rct_drift_name((rct_drift)5), "unknown");
    assert_string_equal(rct_closing_name(RCT_CLOSING_ADMITTANCE), "admittance");
    assert_string_equal(rct_closing_name(RCT_CLOSING_EMBEDDING), "embedding");
    assert_string_equal(rct_closing_name(RCT_CLOSING_MULTIPLIERS), "multipliers");
    assert_string_equal(rct_closing_name(RCT_CLOSING_QR), "qr");
    assert_string_equal(rct_closing_name(RCT_CLOSING_SVD), "svd");
    assert_string_equal(rct_drift_name(RCT_DRIFT_PARTITION), "partition");
    rct_model_free(model);
}

/* Solvers of models without loops have the functions too. */
static void test_without_loops(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("open", NULL);
    const rct_body body = loop_rod(RCT_GROUND, RCT_HINGE_REVOLUTE);
    rct_error error;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    const rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    rct_solver *solver = loop_solver(model, &options);
    const rct_loop_info info = loop_info(solver);
    assert_int_equal(info.loops, 0);
    assert_int_equal(info.position_loop, -1);
    assert_null(info.closing);
    rct_solver_get_loop_forces(solver, NULL, NULL, NULL);
    assert_int_equal(rct_solver_assemble(solver, &error), RCT_OK);
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, &error),
                     RCT_ERROR_ARGUMENT);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* A tip without mass: the open tree has no inertia there, and the solver reports it at once. */
static void test_singular_tree(void **state)
{
    (void)state;
    rct_model *model = loop_chain(2, RCT_HINGE_REVOLUTE, 0.0, 0.0, 0);
    rct_body tip = loop_rod(1, RCT_HINGE_REVOLUTE);
    rct_loop loop = rct_loop_default();
    rct_error error;
    tip.com[0] = 0.0;
    memset(tip.inertia, 0, sizeof tip.inertia);
    assert_int_equal(rct_model_add_body(model, &tip, NULL, NULL), RCT_OK);
    loop.body = 2;
    loop.other_at[0] = 2.0;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    const rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    assert_null(rct_solver_create(model, &options, &error));
    loop_expect(error.status, RCT_ERROR_SINGULAR, &error, 2, "nothing resists");
    rct_model_free(model);
}

static void check_diverged(rct_hinge_type hinge, rct_drift drift, double rate)
{
    rct_model *model = loop_chain(4, hinge, 0.3, 0.0, 1);
    rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    options.drift = drift;
    rct_solver *solver = loop_solver(model, &options);
    rct_error error;
    int64_t count;
    double *fast = loop_state(solver, &count);
    fast[count - 1] = rate;
    loop_set_state(solver, fast);
    assert_int_equal(rct_solver_evaluate(solver, &error), RCT_ERROR_DIVERGED);
    assert_true(error.body >= 0 && strstr(error.text, "no longer finite") != NULL);
    assert_int_equal(rct_solver_step(solver, 1e-3, 3, &error), RCT_ERROR_DIVERGED);
    assert_true(error.body >= 0 && error.step == 0);
    loop_check_kept(solver, fast);
    free(fast);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Rates whose squares are no numbers. */
static void test_diverged(void **state)
{
    (void)state;
    for (int drift = 0; drift <= RCT_DRIFT_PARTITION; drift++) {
        for (int k = 0; k < 4; k++) {
            check_diverged(k % 2 ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE, (rct_drift)drift,
                           k / 2 ? 1e155 : 1e200);
        }
    }
}

static void check_memory(const rct_model *model, const rct_solver_options *options)
{
    rct_solver *solver = NULL;
    int64_t k = 0, count;
    rct_error error;
    while (solver == NULL) {
        rct_allocate_fail_after(k++);
        solver = rct_solver_create(model, options, &error);
        rct_allocate_fail_after(-1);
        assert_true(solver != NULL || error.status == RCT_ERROR_MEMORY);
        assert_true(k < 2000);
    }
    rct_allocate_fail_after(0); /* nothing is allocated in a step, or when loops are pulled */
    assert_int_equal(rct_solver_evaluate(solver, &error), RCT_OK);
    assert_int_equal(rct_solver_step(solver, 1e-3, 3, &error), RCT_OK);
    assert_int_equal(rct_solver_assemble(solver, &error), RCT_OK);
    rct_allocate_fail_after(-1);
    double *state = loop_state(solver, &count);
    for (k = 0;; k++) { /* but when they come and go */
        rct_allocate_fail_after(k);
        const rct_status status = rct_solver_set_loop_active(solver, 0, RCT_LOOP_RELEASED, &error);
        rct_allocate_fail_after(-1);
        if (status == RCT_OK) {
            break;
        }
        assert_int_equal(status, RCT_ERROR_MEMORY);
        assert_int_equal(loop_info(solver).active, 2);
        loop_check_kept(solver, state);
        assert_true(k < 1000);
    }
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, &error), RCT_OK);
    rct_allocate_fail_after(0);
    assert_int_equal(rct_solver_step(solver, 1e-3, 3, &error), RCT_OK);
    rct_allocate_fail_after(-1);
    free(state);
    rct_solver_free(solver);
}

static void test_memory(void **state)
{
    (void)state;
    rct_model *model = loop_chain(6, RCT_HINGE_BALL, 0.3, 0.0, 1);
    rct_loop loop = rct_loop_default();
    loop.body = 2;
    loop.other_at[0] = 2.0 * cos(0.3);
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    for (int k = 0; k < 5; k++) {
        rct_solver_options options = loop_options((rct_closing)k);
        print_message("%s\n", rct_closing_name((rct_closing)k));
        check_memory(model, &options);
        options.drift = RCT_DRIFT_PARTITION;
        check_memory(model, &options);
    }
    rct_model_free(model);
}

/* ---- the user's forces, and threads ------------------------------------------------------- */

static void count_calls(void *context, double time, int32_t bodies, const double *orientation,
                        const double *angular_velocity, const double *position,
                        const double *velocity, double *force, double *moment)
{
    (void)time, (void)bodies, (void)orientation, (void)angular_velocity, (void)position;
    (void)velocity, (void)moment;
    *(int *)context += 1;
    force[1] += 2.0;
}

static void test_user_forces(void **state)
{
    (void)state;
    rct_model *model = loop_chain(6, RCT_HINGE_REVOLUTE, 0.0, -1.0, 1);
    rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    options.user_forces = 1;
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    assert_null(solver); /* straight: no direction to fold in */
    assert_int_equal(error.status, RCT_ERROR_LOOP);
    rct_model_free(model);
    model = loop_chain(6, RCT_HINGE_REVOLUTE, 0.3, -0.1, 1);
    solver = loop_solver(model, &options);
    int calls = 0;
    assert_int_equal(rct_solver_set_force_function(solver, count_calls, &calls, NULL), RCT_OK);
    assert_int_equal(rct_solver_evaluate(solver, &error), RCT_OK);
    assert_int_equal(calls, 1);
    assert_int_equal(rct_solver_step(solver, 1e-3, 2, &error), RCT_OK);
    assert_int_equal(calls, 9);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Many chains pinned at their ends, long enough that threads share the sweeps. */
static rct_model *many_chains(int32_t chains, int32_t bodies)
{
    rct_model *model = rct_model_create("chains", NULL);
    const double gravity[3] = {0.0, 0.0, -9.81};
    rct_model_set_gravity(model, gravity, NULL);
    for (int32_t b = 0; b < chains * bodies; b++) {
        rct_body body = loop_rod(b % bodies == 0 ? RCT_GROUND : b - 1, RCT_HINGE_BALL);
        const double angle = b % 2 == 0 ? 0.2 : -0.2;
        body.hinge_at[1] = b % bodies == 0 ? 2.0 * (b / bodies) : 0.0;
        body.orientation[0] = cos(0.5 * angle);
        body.orientation[3] = sin(0.5 * angle);
        body.angular_velocity[0] = 0.001 * b;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    for (int32_t k = 0; k < chains; k++) {
        rct_loop loop = rct_loop_default();
        loop.body = (k + 1) * bodies - 1;
        loop.at[0] = 1.0;
        loop.other_at[0] = bodies * cos(0.2);
        loop.other_at[1] = 2.0 * k;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    return model;
}

static void test_threads(void **state)
{
    (void)state;
    rct_model *model = many_chains(3, 1000);
    double *states[3];
    int64_t count = 0;
    for (int k = 0; k < 3; k++) {
        rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
        rct_solver_info info;
        options.threads = k + 1;
        rct_solver *solver = loop_solver(model, &options);
        rct_solver_get_info(solver, &info);
        assert_int_equal(info.threads, k + 1);
        assert_int_equal(rct_solver_step(solver, 1e-4, 3, NULL), RCT_OK);
        assert_true(loop_info(solver).position < 1e-9);
        states[k] = loop_state(solver, &count);
        rct_solver_free(solver);
    }
    assert_memory_equal(states[0], states[1], (size_t)count * sizeof(double));
    assert_memory_equal(states[0], states[2], (size_t)count * sizeof(double));
    for (int k = 0; k < 3; k++) {
        free(states[k]);
    }
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),       cmocka_unit_test(test_without_loops),
        cmocka_unit_test(test_singular_tree), cmocka_unit_test(test_diverged),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_user_forces),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
