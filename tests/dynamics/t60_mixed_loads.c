/* Loads of mixed trees from one evaluation to the next: nothing is left of what acted before; forces of the user do what
 * the same wrenches of the model do. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/larger.h"
#include "tests/support/systems/mixed_system.h"

#include <riccatree/solver.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Accelerations of an evaluation and its hinge forces, [12][n]. */
static double *evaluate(rct_solver *solver, int64_t n)
{
    rct_error error;
    double *rows = calloc((size_t)(12 * n), sizeof *rows);
    assert_non_null(rows);
    if (rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_accelerations(solver, rows, rows + 3 * n);
    rct_solver_get_hinge_forces(solver, rows + 6 * n, rows + 9 * n);
    return rows;
}

static rct_solver *solver_of(const rct_model *model, int user)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.user_forces = user;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static mixed_system system_of(uint64_t seed)
{
    return (mixed_system){.tree = {.shape = (random_shape)(seed % 4),
                                   .bodies = 60,
                                   .shuffled = 1,
                                   .spin = 2.0,
                                   .seed = seed},
                          .hinges = MIXED_ALL_HINGES,
                          .joint_forces = seed % 2,
                          .forces = seed % 3 ? 10 : 0,
                          .ground_moves = (int)(seed % 3)};
}

/* The state as it was, after steps away from it: the same bits. */
static void test_nothing_is_left_of_the_steps_before(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const mixed_system system = system_of(seed);
        rct_model *model = mixed_system_create(&system);
        rct_solver *solver = solver_of(model, 0);
        double *q = mixed_initial_coordinates(model), *u = mixed_initial_rates(model);
        rct_error error;
        assert_int_equal(rct_solver_set_coordinates(solver, q, u, &error), RCT_OK);
        double *first = evaluate(solver, 60);
        assert_int_equal(rct_solver_step(solver, 1e-3, 3, &error), RCT_OK);
        assert_int_equal(rct_solver_set_coordinates(solver, q, u, &error), RCT_OK);
        rct_solver_set_time(solver, 0.0);
        double *again = evaluate(solver, 60);
        assert_memory_equal(first, again, 12 * 60 * sizeof *first);
        free(first);
        free(again);
        free(q);
        free(u);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* A force and a moment on every body that grow with its number. */
static void push(void *context, double time, int32_t bodies, const double *orientation,
                 const double *angular_velocity, const double *position, const double *velocity,
                 double *force, double *moment)
{
    (void)time;
    (void)orientation;
    (void)angular_velocity;
    (void)position;
    (void)velocity;
    for (int32_t i = 0; i < bodies; i++) {
        for (int k = 0; k < 3; k++) {
            assert_true(force[3 * i + k] == 0.0 && moment[3 * i + k] == 0.0);
            force[3 * i + k] += 0.1 * (i + k);
            moment[3 * i + k] += 0.03 * (i - 2 * k);
        }
    }
    *(int *)context += 1;
}

static void add_wrenches(rct_model *model)
{
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_force f = rct_force_default();
        f.body = i;
        for (int k = 0; k < 3; k++) {
            f.force[k] = 0.1 * (i + k);
            f.moment[k] = 0.03 * (i - 2 * k);
        }
        assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    }
}

static void test_forces_of_the_user(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const mixed_system system = system_of(seed);
        rct_model *model = mixed_system_create(&system);
        rct_solver *solver = solver_of(model, 1);
        rct_error error;
        int calls = 0;
        double *without = evaluate(solver, 60);
        assert_int_equal(rct_solver_set_force_function(solver, push, &calls, &error), RCT_OK);
        double *with = evaluate(solver, 60), *again = evaluate(solver, 60);
        assert_int_equal(calls, 2);
        assert_memory_equal(with, again, 12 * 60 * sizeof *with);
        assert_int_equal(rct_solver_set_force_function(solver, NULL, NULL, &error), RCT_OK);
        rct_solver_get_hinge_forces(solver, again + 6 * 60, again + 9 * 60); /* still with it */
        assert_memory_equal(with, again, 12 * 60 * sizeof *with);
        double *after = evaluate(solver, 60);
        assert_memory_equal(without, after, 12 * 60 * sizeof *after);
        rct_solver_free(solver);

        add_wrenches(model);
        solver = solver_of(model, 0);
        double *wrenches = evaluate(solver, 60);
        for (int k = 0; k < 4; k++) {
            double most = 0.0, scale = 0.0;
            for (int i = 180 * k; i < 180 * (k + 1); i++) {
                most = larger(most, fabs(with[i] - wrenches[i]));
                scale = larger(scale, fabs(with[i]));
            }
            assert_true(most <= 1e-11 * scale);
        }
        free(without);
        free(with);
        free(again);
        free(after);
        free(wrenches);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

static void test_solvers_not_made_for_the_user(void **state)
{
    (void)state;
    rct_error error;
    for (uint64_t seed = 1; seed <= 3; seed += 2) { /* with joint forces and without others */
        const mixed_system system = system_of(seed);
        rct_model *model = mixed_system_create(&system);
        rct_solver *solver = solver_of(model, 0);
        assert_int_equal(rct_solver_set_force_function(solver, push, NULL, &error),
                         RCT_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.text, "user_forces"));
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* Every allocation of a solver with loads may fail. */
static void test_memory(void **state)
{
    (void)state;
    const mixed_system system = system_of(1);
    rct_model *model = mixed_system_create(&system);
    rct_solver_options options = rct_solver_options_default();
    rct_solver *solver = NULL;
    options.user_forces = 1;
    int64_t k = 0;
    for (; solver == NULL && k < 1000; k++) {
        rct_error error;
        rct_allocate_fail_after(k);
        solver = rct_solver_create(model, &options, &error);
        rct_allocate_fail_after(-1);
        assert_true(solver != NULL || error.status == RCT_ERROR_MEMORY);
    }
    assert_non_null(solver);
    assert_true(k > 30);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_left_of_the_steps_before),
        cmocka_unit_test(test_forces_of_the_user),
        cmocka_unit_test(test_solvers_not_made_for_the_user),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
