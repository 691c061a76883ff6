/* Input that a plan refuses, and failing allocations: links whose spin nothing determines, with the
 * body named, and every allocation of a plan and of a solver failing in turn. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/systems/random_system.h"
#include "topology/plan.h"

#include <riccatree/solver.h>

#include <string.h>

/* A line mass of 2 kg and 1 m along -z that hangs by its end: no inertia about its own axis. */
static rct_body line(int32_t parent)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.mass = 2.0;
    body.com[2] = -0.5;
    body.inertia[0] = body.inertia[1] = 2.0 / 12.0;
    return body;
}

/* A ball of 1 kg about its hinge at (x, 0, z) of the parent. */
static rct_body ball(int32_t parent, double x, double z)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge_at[0] = x;
    body.hinge_at[2] = z;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    return body;
}

static rct_body welded(rct_body body)
{
    body.hinge = RCT_HINGE_FIXED;
    return body;
}

static rct_model *model_of(const rct_body *bodies, int32_t count)
{
    rct_model *model = rct_model_create("case", NULL);
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(rct_model_add_body(model, &bodies[i], NULL, NULL), RCT_OK);
    }
    return model;
}

static void expect_accepted(const rct_body *bodies, int32_t count)
{
    rct_model *model = model_of(bodies, count);
    rct_error error;
    rct_plan *plan = rct_plan_create(model, &error);
    if (plan == NULL) {
        fail_msg("%s", error.text);
    }
    rct_plan_free(plan);
    rct_model_free(model);
}

static void expect_refused(const rct_body *bodies, int32_t count, int32_t body)
{
    rct_model *model = model_of(bodies, count);
    char name[RCT_NAME_SIZE];
    rct_error error;
    assert_null(rct_plan_create(model, &error));
    assert_int_equal(error.status, RCT_ERROR_MODEL);
    assert_int_equal(error.body, body);
    rct_model_body_name(model, body, name);
    assert_non_null(strstr(error.text, name));
    assert_non_null(strstr(error.text, "spin is undetermined"));
    memset(&error, 0, sizeof error);
    assert_null(rct_solver_create(model, NULL, &error));
    assert_int_equal(error.status, RCT_ERROR_MODEL);
    assert_int_equal(error.body, body);
    rct_model_free(model);
}

static void test_line_hung_on_its_axis(void **state)
{
    (void)state;
    rct_body bodies[3] = {line(RCT_GROUND), ball(0, 0.0, -1.0), ball(0, 0.3, -1.0)};
    bodies[0].name = "needle";
    expect_refused(bodies, 1, 0);
    expect_refused(bodies, 2, 0); /* a hinge on the axis does not hold it */
    expect_accepted(bodies, 3);   /* one off the axis does                */
    bodies[1].hinge_at[1] = 1e-3;
    expect_accepted(bodies, 2);
}

/* In any direction: the axis need not be a coordinate axis. */
static void test_oblique_line(void **state)
{
    (void)state;
    rct_body bodies[2] = {line(RCT_GROUND), ball(0, 0.0, 0.0)};
    const double u[3] = {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0}, j = 2.0 / 12.0;
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3;
        bodies[0].com[i] = 0.5 * u[i];
        bodies[0].inertia[i] = j * (1.0 - u[i] * u[i]);
        bodies[0].inertia[i == 0 ? 3 : (i == 1 ? 5 : 4)] = -j * u[i] * u[k];
        bodies[1].hinge_at[i] = u[i];
    }
    expect_refused(bodies, 1, 0);
    expect_refused(bodies, 2, 0);
    bodies[1].hinge_at[0] = -bodies[1].hinge_at[0];
    expect_accepted(bodies, 2);
}

static void test_point_mass_on_a_massless_bar(void **state)
{
    (void)state;
    rct_body bodies[2] = {ball(RCT_GROUND, 0.0, 0.0), line(0)};
    memset(bodies[1].inertia, 0, sizeof bodies[1].inertia);
    bodies[1].name = "bob";
    expect_refused(bodies, 2, 1);
    memset(bodies[1].com, 0, sizeof bodies[1].com); /* a point mass on its hinge */
    expect_refused(bodies, 2, 1);
}

/* A line mass along z, carried off its axis: its mass resists where its inertia does not. */
static void test_line_beside_its_hinge(void **state)
{
    (void)state;
    rct_body body = line(RCT_GROUND);
    body.com[0] = 0.4;
    body.com[2] = 0.0;
    expect_accepted(&body, 1);
}

static void test_welding_gives_inertia(void **state)
{
    (void)state;
    rct_body bodies[3] = {line(RCT_GROUND), welded(ball(0, 0.0, -1.0)), line(1)};
    expect_accepted(bodies, 2);
    expect_refused(bodies, 3, 2);
    memset(bodies[1].inertia, 0, sizeof bodies[1].inertia); /* a point mass on the axis */
    expect_refused(bodies, 2, 0);
    bodies[1].hinge_at[0] = 0.1; /* off the axis */
    expect_accepted(bodies, 2);
    bodies[0] = welded(line(RCT_GROUND)); /* what never moves needs none */
    expect_accepted(bodies, 2);
}

/* The error names the first body at fault by ancestry, whatever the ids. */
static void test_error_names_the_right_body(void **state)
{
    (void)state;
    const rct_body bodies[4] = {ball(3, 0.0, 0.0), line(0), ball(RCT_GROUND, 0.0, 0.0),
                                ball(2, 0.0, 1.0)};
    expect_refused(bodies, 4, 1);
}

static rct_model *branched_model(void)
{
    const random_system system = {
        .bodies = 40, .fixed = 0.3, .shuffled = 1, .spin = 1.0, .seed = 7};
    return random_system_create(&system);
}

static void test_plan_without_memory(void **state)
{
    (void)state;
    rct_model *model = branched_model();
    rct_plan *plan = NULL;
    int64_t k = 0;
    for (; plan == NULL; k++) {
        rct_error error = {.status = RCT_OK};
        rct_allocate_fail_after(k);
        plan = rct_plan_create(model, &error);
        rct_allocate_fail_after(-1);
        assert_int_equal(error.status, plan == NULL ? RCT_ERROR_MEMORY : RCT_OK);
        assert_true(plan != NULL || strstr(error.text, "out of memory") != NULL);
        assert_true(k < 1000);
    }
    assert_true(k > 15); /* the failures were many, and the last call had what it needs */
    rct_plan_free(plan);
    rct_allocate_fail_after(0);
    assert_null(rct_plan_create(model, NULL)); /* nobody need listen */
    rct_allocate_fail_after(-1);
    rct_model_free(model);
}

static void test_solver_without_memory(void **state)
{
    (void)state;
    rct_model *model = branched_model();
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver_options options = rct_solver_options_default();
        options.method = (rct_method)method;
        rct_solver *solver = NULL;
        int64_t k = 0;
        for (; solver == NULL; k++) {
            rct_error error = {.status = RCT_OK};
            rct_allocate_fail_after(k);
            solver = rct_solver_create(model, &options, &error);
            rct_allocate_fail_after(-1);
            assert_int_equal(error.status, solver == NULL ? RCT_ERROR_MEMORY : RCT_OK);
            assert_true(k < 1000);
        }
        assert_true(k > 25);
        assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* The header's promise: no function below create allocates. */
static void test_nothing_is_allocated_after_create(void **state)
{
    (void)state;
    rct_model *model = branched_model();
    rct_solver *solver = rct_solver_create(model, NULL, NULL);
    double rows[40][12], other[40][12];
    rct_measures measures;
    assert_non_null(solver);
    rct_allocate_fail_after(0);
    assert_int_equal(rct_solver_step(solver, 1e-3, 3, NULL), RCT_OK);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_accelerations(solver, rows[0], other[0]);
    rct_solver_get_hinge_forces(solver, rows[0], other[0]);
    rct_solver_get_state_vectors(solver, rows[0], other[0]);
    rct_solver_measure(solver, &measures);
    rct_solver_get_state(solver, rows[0], other[0], NULL, NULL);
    assert_int_equal(rct_solver_set_state(solver, rows[0], other[0], NULL), RCT_OK);
    rct_allocate_fail_after(-1);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_hung_on_its_axis),
        cmocka_unit_test(test_oblique_line),
        cmocka_unit_test(test_point_mass_on_a_massless_bar),
        cmocka_unit_test(test_line_beside_its_hinge),
        cmocka_unit_test(test_welding_gives_inertia),
        cmocka_unit_test(test_error_names_the_right_body),
        cmocka_unit_test(test_plan_without_memory),
        cmocka_unit_test(test_solver_without_memory),
        cmocka_unit_test(test_nothing_is_allocated_after_create),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
