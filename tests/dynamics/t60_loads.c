/* Loads of trees from one evaluation to the next: no effect of earlier loads remains; forces of the
 * user act like the same wrenches of the model. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/larger.h"
#include "tests/support/systems/hinge_system.h"

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

static rct_solver *solver_in(const rct_model *model, int user, int64_t segment)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.user_forces = user;
    options.segment = segment;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static rct_solver *solver_of(const rct_model *model, int user)
{
    return solver_in(model, user, RCT_SEGMENT_AUTO);
}

static hinge_system system_of(uint64_t seed)
{
    return (hinge_system){.tree = {.shape = (random_shape)(seed % 4),
                                   .bodies = 60,
                                   .shuffled = 1,
                                   .spin = 2.0,
                                   .seed = seed},
                          .hinges = ALL_HINGES,
                          .joint_forces = seed % 2,
                          .forces = seed % 3 ? 10 : 0,
                          .ground_moves = (int)(seed % 3)};
}

/* The state is set again after steps away from it: the same bits. */
static void test_nothing_is_left_of_the_steps_before(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const hinge_system system = system_of(seed);
        rct_model *model = hinge_system_create(&system);
        rct_solver *solver = solver_of(model, 0);
        double *q = initial_coordinates(model), *u = initial_rates(model);
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

/* A force and a moment on every body, in proportion to its number. */
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

/* Of n bodies, as evaluate has them. */
static void expect_close(const double *found, const double *wanted, int n)
{
    for (int k = 0; k < 4; k++) {
        double most = 0.0, scale = 0.0;
        for (int i = 3 * n * k; i < 3 * n * (k + 1); i++) {
            most = larger(most, fabs(found[i] - wanted[i]));
            scale = larger(scale, fabs(wanted[i]));
        }
        assert_true(most <= 1e-11 * scale);
    }
}

static void test_forces_of_the_user(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const hinge_system system = system_of(seed);
        rct_model *model = hinge_system_create(&system);
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
        expect_close(again, with, 60);
        double *after = evaluate(solver, 60);
        assert_memory_equal(without, after, 12 * 60 * sizeof *after);
        rct_solver_free(solver);

        add_wrenches(model);
        solver = solver_of(model, 0);
        double *wrenches = evaluate(solver, 60);
        expect_close(with, wrenches, 60);
        free(without);
        free(with);
        free(again);
        free(after);
        free(wrenches);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* Rows of named bodies, in the order of rct_solver_get_state; pushes each by its number in the
 * model. */
typedef struct named_bodies {
    const rct_solver *solver;
    const int32_t *ids;
    int32_t count;
    const double *state; /* of the last evaluation, [13][all] by columns */
    int64_t all;
} named_bodies;

static void same_row(const double *row, const double *all, int width, int32_t id)
{
    assert_memory_equal(row, all + (int64_t)width * id, (size_t)width * sizeof *row);
}

/* NOLINTNEXTLINE(readability-function-size): as rct_force_function has it */
static void push_named(void *context, double time, int32_t bodies, const double *orientation,
                       const double *angular_velocity, const double *position,
                       const double *velocity, double *force, double *moment)
{
    const named_bodies *n = context;
    (void)time;
    assert_int_equal(bodies, n->count);
    for (int32_t k = 0; k < bodies; k++) {
        same_row(orientation + 4 * k, n->state, 4, n->ids[k]);
        same_row(angular_velocity + 3 * k, n->state + 4 * n->all, 3, n->ids[k]);
        same_row(position + 3 * k, n->state + 7 * n->all, 3, n->ids[k]);
        same_row(velocity + 3 * k, n->state + 10 * n->all, 3, n->ids[k]);
        for (int i = 0; i < 3; i++) {
            assert_true(force[3 * k + i] == 0.0 && moment[3 * k + i] == 0.0);
            force[3 * k + i] = 0.1 * (n->ids[k] + i);
            moment[3 * k + i] = 0.03 * (n->ids[k] - 2 * i);
        }
    }
}

/* Gets all bodies, and pushes only those that are named. */
static void push_some_of_all(void *context, double time, int32_t bodies, const double *orientation,
                             const double *angular_velocity, const double *position,
                             const double *velocity, double *force, double *moment)
{
    const named_bodies *n = context;
    (void)time, (void)bodies, (void)orientation, (void)angular_velocity, (void)position;
    (void)velocity;
    for (int32_t k = 0; k < n->count; k++) {
        for (int i = 0; i < 3; i++) {
            force[3 * n->ids[k] + i] = 0.1 * (n->ids[k] + i);
            moment[3 * n->ids[k] + i] = 0.03 * (n->ids[k] - 2 * i);
        }
    }
}

/* A force function on named bodies has the same effect as on these bodies among all, to the last
 * bit; then no effect remains. */
static void test_named_bodies(void **state)
{
    (void)state;
    static const int32_t ids[4] = {3, 17, 18, 59}, other[1] = {40};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const hinge_system system = system_of(seed);
        rct_model *model = hinge_system_create(&system);
        rct_solver *solver = solver_in(model, 1, seed % 2 ? 4 : RCT_SEGMENT_AUTO);
        rct_error error;
        double rows[13 * 60];
        named_bodies named = {solver, ids, 4, rows, 60};
        named_bodies one = {solver, other, 1, rows, 60};
        rct_solver_get_state(solver, rows, rows + 240, rows + 420, rows + 600);
        double *without = evaluate(solver, 60);
        assert_int_equal(rct_solver_set_body_forces(solver, ids, 4, push_named, &named, &error),
                         RCT_OK);
        double *with = evaluate(solver, 60);
        assert_int_equal(rct_solver_set_force_function(solver, push_some_of_all, &named, &error),
                         RCT_OK);
        double *whole = evaluate(solver, 60);
        assert_memory_equal(with, whole, 12 * 60 * sizeof *with);
        assert_int_equal(rct_solver_set_body_forces(solver, other, 1, push_named, &one, &error),
                         RCT_OK);
        double *elsewhere = evaluate(solver, 60);
        assert_int_equal(rct_solver_set_force_function(solver, push_some_of_all, &one, &error),
                         RCT_OK);
        double *again = evaluate(solver, 60);
        assert_memory_equal(elsewhere, again, 12 * 60 * sizeof *again);
        assert_int_equal(rct_solver_set_body_forces(solver, NULL, 0, NULL, NULL, &error), RCT_OK);
        double *after = evaluate(solver, 60);
        assert_memory_equal(without, after, 12 * 60 * sizeof *after);
        double *all[] = {without, with, whole, elsewhere, again, after};
        for (int k = 0; k < 6; k++) {
            free(all[k]);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

static void test_names_that_are_none(void **state)
{
    (void)state;
    static const struct {
        int32_t ids[3];
        int32_t count;
        const char *words;
    } cases[] = {{{3, 60, 61}, 3, "bodies[1] = 60 is not a body"},
                 {{-1, 0, 0}, 1, "bodies[0] = -1 is not a body"},
                 {{5, 4, 0}, 2, "bodies[1] = 4 comes after 5"},
                 {{5, 5, 0}, 2, "bodies[1] = 5 comes after 5"},
                 {{0, 0, 0}, -1, "-1 bodies"}};
    const hinge_system system = system_of(2);
    rct_model *model = hinge_system_create(&system);
    rct_solver *solver = solver_of(model, 1);
    rct_error error;
    int calls = 0;
    assert_int_equal(rct_solver_set_force_function(solver, push, &calls, &error), RCT_OK);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(
            rct_solver_set_body_forces(solver, cases[k].ids, cases[k].count, push, NULL, &error),
            RCT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.text, cases[k].words));
    }
    assert_int_equal(rct_solver_set_body_forces(solver, NULL, 1, push, NULL, &error),
                     RCT_ERROR_ARGUMENT);
    rct_allocate_fail_after(2);
    assert_int_equal(rct_solver_set_force_function(solver, NULL, NULL, &error), RCT_ERROR_MEMORY);
    rct_allocate_fail_after(-1);
    free(evaluate(solver, 60));
    assert_int_equal(calls, 1); /* the function before stays */
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_solvers_not_made_for_the_user(void **state)
{
    (void)state;
    rct_error error;
    for (uint64_t seed = 1; seed <= 3; seed += 2) { /* with joint forces and without others */
        const hinge_system system = system_of(seed);
        rct_model *model = hinge_system_create(&system);
        rct_solver *solver = solver_of(model, 0);
        assert_int_equal(rct_solver_set_force_function(solver, push, NULL, &error),
                         RCT_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.text, "user_forces"));
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* Every allocation of a solver with loads fails in turn. */
static void test_memory(void **state)
{
    (void)state;
    const hinge_system system = system_of(1);
    rct_model *model = hinge_system_create(&system);
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
        cmocka_unit_test(test_named_bodies),
        cmocka_unit_test(test_names_that_are_none),
        cmocka_unit_test(test_solvers_not_made_for_the_user),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
