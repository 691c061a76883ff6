/* A solver renewed with the numbers of another model of the same shape is bit for bit a new solver
 * of that model; a model that differs in more than numbers is refused. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "dynamics/solver.h"
#include "model/model.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"
#include "tests/support/systems/tree_families.h"

#include <riccatree/riccatree.h>

#include <stdlib.h>
#include <string.h>

enum { STEPS = 3 };

/* ---- two models of one shape -------------------------------------------------------------- */

static void turn_axes(double v[3])
{
    const double x = v[0];
    v[0] = v[1], v[1] = v[2], v[2] = x;
}

static void scale(double *v, int count, double by)
{
    for (int i = 0; i < count; i++) {
        v[i] *= by;
    }
}

/* Another number in every place where a hinge of its type has one. */
static void change(rct_body *body, int k)
{
    const double by = 1.0 + 0.03 * (k + 1);
    const int absolute = body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE;
    body->mass *= by;
    scale(body->com, 3, 0.9);
    scale(body->inertia, 6, by);
    scale(body->hinge_at, 3, by);
    scale(body->angular_velocity, 3, 0.7);
    scale(body->position, 3, 1.2);
    scale(body->rate, 3, 0.6);
    scale(body->stiffness, 3, by);
    scale(body->damping, 3, by);
    scale(body->applied, 3, by);
    scale(body->armature, 3, by);
    body->hinge_pitch *= by;
    turn_axes(absolute ? body->orientation + 1 : body->hinge_orientation + 1);
    if (!absolute && body->hinge != RCT_HINGE_FIXED) {
        turn_axes(body->hinge_axis);
        turn_axes(body->hinge_axis2);
    }
}

static void change_all(rct_model *model)
{
    for (int32_t b = 0; b < model->count; b++) {
        rct_body body = rct_bodies_get(model->bodies, b);
        change(&body, b % 7);
        must_put(model, b, &body);
    }
    for (int32_t i = 0; i < model->force_count; i++) {
        scale(model->forces[i].force, 3, 1.5);
        scale(model->forces[i].at, 3, 0.8);
        model->forces[i].stiffness *= 1.5;
    }
    model->gravity[1] += 0.5;
}

static rct_model *family_of(const char *name, int64_t bodies, rct_hinge_type hinge)
{
    rct_error error;
    rct_family family = rct_family_default();
    family.family = name;
    family.bodies = bodies;
    family.systems = 11;
    family.hinge = hinge;
    family.perturb = 0.4;
    rct_model *model = rct_model_generate(&family, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

/* ---- solvers ------------------------------------------------------------------------------ */

static rct_solver *solver_of(const rct_model *model, rct_method method)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.method = method;
    options.segment = RCT_SEGMENT_WHOLE;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* All results at the start and after some steps; to be freed. */
static double *show(rct_solver *solver, int64_t *count)
{
    rct_error error;
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    const int64_t n = info.bodies, state = info.coordinates + info.dof;
    const size_t measures = sizeof(rct_measures) / sizeof(double);
    *count = 2 * (state + (int64_t)measures) + 12 * n + 1;
    double *all = calloc((size_t)*count, sizeof *all), *to = all;
    assert_non_null(all);
    for (int i = 0; i < 2; i++) {
        rct_measures sums;
        rct_solver_measure(solver, &sums);
        memcpy(to, &sums, sizeof sums);
        rct_solver_get_coordinates(solver, to + measures, to + measures + info.coordinates);
        to += (int64_t)measures + state;
        assert_int_equal(i == 0 ? rct_solver_step(solver, 1e-3, STEPS, &error) : RCT_OK, RCT_OK);
    }
    assert_int_equal(rct_solver_evaluate(solver, &error), RCT_OK);
    rct_solver_get_accelerations(solver, to, to + 3 * n);
    rct_solver_get_hinge_forces(solver, to + 6 * n, to + 9 * n);
    to[12 * n] = rct_solver_time(solver);
    return all;
}

static void check_like_new(rct_solver *renewed, const rct_model *model, rct_method method)
{
    int64_t count, other;
    rct_solver *fresh = solver_of(model, method);
    double *a = show(renewed, &count), *b = show(fresh, &other);
    assert_true(count == other && memcmp(a, b, (size_t)count * sizeof *a) == 0);
    free(a);
    free(b);
    rct_solver_free(fresh);
}

static rct_solver *again(rct_solver *solver, const rct_model *model)
{
    rct_error error;
    assert_true(rct_solver_fits(solver, model));
    assert_int_equal(rct_solver_renew(solver, model, &error), RCT_OK);
    return solver;
}

/* Renews to other numbers, which must have an effect, and once more. */
static void check_model(rct_model *model, rct_method method)
{
    int64_t count, other;
    rct_solver *solver = solver_of(model, method);
    double *before = show(solver, &count);
    change_all(model);
    double *after = show(again(solver, model), &other);
    assert_true(count == other && memcmp(before, after, (size_t)count * sizeof *after) != 0);
    check_like_new(again(solver, model), model, method);
    free(before);
    free(after);
    rct_solver_free(solver);
}

static void test_families(void **state)
{
    (void)state;
    for (const char *const *name = tree_families; *name != NULL; name++) {
        for (int type = RCT_HINGE_BALL; type <= RCT_HINGE_REVOLUTE; type++) {
            for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
                rct_model *model = family_of(*name, 13, (rct_hinge_type)type);
                check_model(model, (rct_method)method);
                rct_model_free(model);
            }
        }
    }
}

static void test_random_trees(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                              .bodies = 6 + (int32_t)(5 * seed),
                                              .seed = seed,
                                              .spin = 1.0},
                                     .hinges = ALL_HINGES,
                                     .joint_forces = seed % 2 == 0,
                                     .forces = seed % 3 == 0 ? 4 : 0,
                                     .floating = seed % 5 == 0,
                                     .ground_moves = seed % 4 == 1};
        rct_model *model = hinge_system_create(&system);
        assert_non_null(model);
        check_model(model, RCT_METHOD_ABI);
        rct_model_free(model);
    }
}

/* ---- what does not fit -------------------------------------------------------------------- */

static void test_other_shapes_do_not_fit(void **state)
{
    (void)state;
    rct_error error;
    for (int type = RCT_HINGE_BALL; type <= RCT_HINGE_REVOLUTE; type++) {
        rct_model *model = family_of("branch", 9, (rct_hinge_type)type);
        rct_solver *solver = solver_of(model, RCT_METHOD_ABI);
        const int32_t last = model->count - 1;
        const rct_body kept = rct_bodies_get(model->bodies, last);
        rct_body body = kept;
        const rct_force wrench = {.type = RCT_FORCE_WRENCH, .other = RCT_GROUND};
        assert_true(rct_solver_fits(solver, model));
        body.parent = body.parent == 0 ? RCT_GROUND : 0;
        must_put(model, last, &body);
        assert_false(rct_solver_fits(solver, model));
        body = kept;
        body.hinge = RCT_HINGE_PRISMATIC;
        must_put(model, last, &body);
        assert_false(rct_solver_fits(solver, model));
        body = kept;
        body.damping[0] = 1.0; /* loads; of ball hinges another kind of plan */
        must_put(model, last, &body);
        assert_false(rct_solver_fits(solver, model));
        must_put(model, last, &kept);
        model->count--;
        assert_false(rct_solver_fits(solver, model));
        model->count++;
        assert_true(rct_solver_fits(solver, model));
        assert_int_equal(rct_model_add_force(model, &wrench, NULL, &error), RCT_OK);
        assert_false(rct_solver_fits(solver, model));
        rct_solver_free(solver);
        solver = solver_of(model, RCT_METHOD_ABI);
        assert_true(rct_solver_fits(solver, model));
        model->forces[0].body = 1;
        assert_false(rct_solver_fits(solver, model));
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

static void test_cut_trees_are_not_renewed(void **state)
{
    (void)state;
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    for (int type = RCT_HINGE_BALL; type <= RCT_HINGE_REVOLUTE; type++) {
        rct_model *model = family_of("chain", 64, (rct_hinge_type)type);
        rct_solver *solver = rct_solver_create(model, &options, NULL);
        assert_non_null(solver);
        assert_false(rct_solver_renews(solver) || rct_solver_fits(solver, model));
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* ---- failures ----------------------------------------------------------------------------- */

/* A rod without inertia about its axis, at a tip: refused as when the solver is made. */
static void test_an_undetermined_spin_is_told(void **state)
{
    (void)state;
    rct_error told, error;
    rct_model *model = family_of("chain", 5, RCT_HINGE_BALL);
    rct_solver *solver = solver_of(model, RCT_METHOD_ABI);
    rct_solver_options options = solver->options;
    rct_body tip = rct_bodies_get(model->bodies, 4);
    memcpy(tip.com, (double[3]){0.0, 0.0, -0.5}, sizeof tip.com);
    memcpy(tip.inertia, (double[6]){0.1, 0.1}, sizeof tip.inertia);
    must_put(model, 4, &tip);
    assert_true(rct_solver_fits(solver, model));
    assert_int_equal(rct_solver_renew(solver, model, &error), RCT_ERROR_MODEL);
    assert_null(rct_solver_create(model, &options, &told));
    assert_int_equal(error.body, told.body);
    assert_string_equal(error.text, told.text);
    assert_non_null(strstr(error.text, "its spin is undetermined"));
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    for (int type = RCT_HINGE_BALL; type <= RCT_HINGE_REVOLUTE; type++) {
        rct_model *model = family_of("fork", 9, (rct_hinge_type)type);
        rct_status status = RCT_ERROR_MEMORY;
        int64_t allocations = 0;
        rct_body damped = rct_bodies_get(model->bodies, 3);
        damped.damping[0] = 1.0;
        must_put(model, 3, &damped);
        for (; status != RCT_OK && allocations < 100; allocations++) {
            rct_error error = {.text = ""};
            rct_solver *solver = solver_of(model, RCT_METHOD_ABI);
            rct_allocate_fail_after(allocations);
            status = rct_solver_renew(solver, model, &error);
            rct_allocate_fail_after(-1);
            assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
            assert_true(status == RCT_OK || strstr(error.text, "out of memory") != NULL);
            rct_solver_free(solver);
        }
        assert_int_equal(status, RCT_OK);
        assert_true(allocations > 5);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_other_shapes_do_not_fit),
        cmocka_unit_test(test_cut_trees_are_not_renewed),
        cmocka_unit_test(test_an_undetermined_spin_is_told),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
