/* Plans on an accelerator that meet a singular state or motion that overflows: status, body, step
 * and message are those of the serial sweep on the cpu, and the state is that of the last complete
 * step, bit for bit. Also the requests of an evaluation to the device: launches by the levels of
 * chains; for a system of small trees one launch, and one graph per step. */
#include "tests/support/cmocka_all.h"

#include "tests/support/device/emulated.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 40, ARMS = 8, ALL = BODIES + 2 * ARMS };

/* A chain of revolute hinges along x, with loads. On its links, points hang by revolute hinges
 * about z, each with a point on an arm that turns about x: in its upright position (a right angle)
 * the arm has no moment about the axis on which it hangs. */
static rct_model *model_of(int loads)
{
    rct_model *model = rct_model_create("arms", NULL);
    for (int32_t i = 0; i < BODIES; i++) {
        rct_body link = rct_body_default();
        link.parent = i > 0 ? i - 1 : RCT_GROUND;
        link.hinge = RCT_HINGE_REVOLUTE;
        link.hinge_axis[i % 2] = 1.0;
        link.hinge_at[0] = i > 0 ? 0.3 : 0.0;
        link.mass = 1.0;
        link.com[0] = 0.15;
        link.inertia[0] = link.inertia[1] = link.inertia[2] = 0.01;
        link.damping[0] = loads ? 0.1 : 0.0;
        link.rate[0] = 0.1 * (i % 3);
        assert_int_equal(rct_model_add_body(model, &link, NULL, NULL), RCT_OK);
    }
    for (int32_t k = 0; k < ARMS; k++) {
        rct_body point = rct_body_default();
        point.hinge = RCT_HINGE_REVOLUTE;
        point.mass = 0.1;
        point.parent = k < ARMS - 1 ? k * (BODIES / ARMS) + k % 3 : BODIES - 1; /* one at the tip */
        assert_int_equal(rct_model_add_body(model, &point, NULL, NULL), RCT_OK);
        point.parent = BODIES + 2 * k;
        point.hinge_axis[0] = 1.0;
        point.hinge_axis[2] = 0.0;
        point.com[1] = 0.2;
        point.position[0] = 0.3;
        assert_int_equal(rct_model_add_body(model, &point, NULL, NULL), RCT_OK);
    }
    return model;
}

static rct_solver *solver_of(const rct_model *model, const char *backend, int64_t segment)
{
    rct_error error = {0};
    rct_solver_options options = rct_solver_options_default();
    options.segment = segment;
    options.backend = backend;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* Evaluates, or with dt > 0 steps, from a state; returns the error and the resulting state. */
static rct_error act(rct_solver *solver, const double *state, double dt, double *left)
{
    rct_error error = {.status = RCT_OK};
    assert_int_equal(rct_solver_set_coordinates(solver, state, state + ALL, NULL), RCT_OK);
    if (dt > 0.0) {
        rct_solver_step(solver, dt, 3, &error);
    } else {
        rct_solver_evaluate(solver, &error);
    }
    rct_solver_get_coordinates(solver, left, left + ALL);
    return error;
}

/* The fault is that of the cpu, and no trace of it remains; `status`, `body`: which, or -1. */
static void expect_fault(const rct_model *model, const double *state, double dt, int status,
                         int32_t body)
{
    static const int64_t lengths[] = {3, RCT_SEGMENT_AUTO, 0, 100, 1};
    static double left[2 * ALL], first[2 * ALL], whole[2 * ALL];
    rct_solver *cpu = solver_of(model, "cpu", 0);
    const rct_error wanted = act(cpu, state, dt, left);
    assert_true(wanted.status == RCT_ERROR_SINGULAR || wanted.status == RCT_ERROR_DIVERGED);
    assert_true(status < 0 || (int)wanted.status == status);
    assert_true(body < 0 || wanted.body == body);
    for (int k = 0; k < 5; k++) {
        rct_solver *solver = solver_of(model, "cuda", lengths[k]);
        rct_solver_get_coordinates(solver, first, first + ALL);
        const rct_error error = act(solver, state, dt, left);
        if (error.status != wanted.status || error.body != wanted.body ||
            error.step != wanted.step) {
            fail_msg("segments of %d, dt %g: body %d, step %d (%s), not body %d, step %d",
                     (int)lengths[k], dt, (int)error.body, (int)error.step, error.text,
                     (int)wanted.body, (int)wanted.step);
        }
        assert_string_equal(error.text, wanted.text);
        if (wanted.step == 0) {
            assert_memory_equal(left, state, sizeof left);
        }
        const rct_error none = act(solver, first, 1e-4, whole);
        assert_int_equal(none.status, RCT_OK);
        rct_solver_free(solver);
    }
    rct_solver_free(cpu);
    emulated_expect_clean();
}

static void test_singular(void **state)
{
    (void)state;
    for (int loads = 0; loads <= 1; loads++) {
        rct_model *model = model_of(loads);
        for (int32_t k = 0; k < ARMS; k++) {
            static double x[2 * ALL];
            rct_solver *solver = solver_of(model, "cpu", 0);
            rct_solver_get_coordinates(solver, x, x + ALL);
            rct_solver_free(solver);
            x[BODIES + 2 * k + 1] = asin(1.0);
            expect_fault(model, x, 0.0, RCT_ERROR_SINGULAR, BODIES + 2 * k);
            expect_fault(model, x, 1e-3, RCT_ERROR_SINGULAR, BODIES + 2 * k);
        }
        rct_model_free(model);
    }
}

/* Steps launched many at once stop at the failing one: the result is that of as many good steps. */
static void test_a_later_step_fails(void **state)
{
    (void)state;
    static double x[2 * ALL], left[2 * ALL], sound[2 * ALL];
    int later = 0;
    rct_model *model = model_of(0);
    rct_solver *solver = solver_of(model, "cuda", 100);
    rct_solver_get_coordinates(solver, x, x + ALL);
    for (double dt = 0.1; dt < 1e3; dt *= 1.5) {
        rct_error error = {.status = RCT_OK};
        assert_int_equal(rct_solver_set_coordinates(solver, x, x + ALL, NULL), RCT_OK);
        rct_solver_step(solver, dt, 20, &error);
        rct_solver_get_coordinates(solver, left, left + ALL);
        if (error.status == RCT_OK || error.step == 0) {
            continue;
        }
        assert_int_equal(rct_solver_set_coordinates(solver, x, x + ALL, NULL), RCT_OK);
        assert_int_equal(rct_solver_step(solver, dt, error.step, NULL), RCT_OK);
        rct_solver_get_coordinates(solver, sound, sound + ALL);
        assert_memory_equal(left, sound, sizeof left);
        later++;
    }
    assert_true(later > 2);
    rct_solver_free(solver);
    rct_model_free(model);
    emulated_expect_clean();
}

static void test_not_finite(void **state)
{
    (void)state;
    rct_model *model = model_of(1);
    static double x[2 * ALL];
    rct_solver *solver = solver_of(model, "cpu", 0);
    rct_solver_get_coordinates(solver, x, x + ALL);
    rct_solver_free(solver);
    for (double dt = 1e5; dt < 1e307; dt *= 1e13) {
        expect_fault(model, x, dt, -1, -1);
    }
    x[ALL + 17] = 1e200;
    expect_fault(model, x, 0.0, -1, -1);
    expect_fault(model, x, 1e-3, -1, -1);
    rct_model_free(model);
}

/* ---- what is asked of the device ---------------------------------------------------------- */

static emulation_counts of_evaluation(rct_solver *solver)
{
    emulated()->count_from_here();
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    return emulated()->counted();
}

static rct_model *family_of(const char *name, int64_t bodies, int64_t systems)
{
    const rct_family family = {.family = name,
                               .bodies = bodies,
                               .hinge = RCT_HINGE_REVOLUTE,
                               .seed = 5,
                               .perturb = 1.0,
                               .systems = systems};
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    return model;
}

/* Launches: compose, the trunk, guide, condense and open, the junction, accelerate; four for each
 * level of chains. */
static void test_launches_of_chains(void **state)
{
    (void)state;
    for (int64_t bodies = 100; bodies <= 5000; bodies *= 7) {
        int64_t levels = 0;
        rct_solver_info info;
        rct_model *model = family_of("chain", bodies, 1);
        rct_solver *solver = solver_of(model, "cuda", RCT_SEGMENT_AUTO);
        rct_solver_get_info(solver, &info);
        for (int64_t spans = info.segments; spans > 1; spans = (spans + 7) / 8) {
            levels++;
        }
        const emulation_counts one = of_evaluation(solver);
        assert_int_equal(one.launches, 7 + 4 * levels);
        assert_int_equal(one.waits, 1);
        assert_true(one.copied_bytes < 256); /* whatever the length */
        rct_solver_free(solver);
        rct_model_free(model);
    }
    emulated_expect_clean();
}

static void test_small_trees_are_one_launch(void **state)
{
    (void)state;
    rct_model *model = family_of("chain", 32, 100);
    rct_solver *solver = solver_of(model, "cuda", RCT_SEGMENT_AUTO);
    const emulation_counts one = of_evaluation(solver);
    assert_int_equal(one.launches, 1);
    assert_int_equal(one.copies, 2); /* the faults, to the device and back */
    assert_int_equal(one.waits, 1);
    assert_int_equal(rct_solver_step(solver, 1e-6, 1, NULL), RCT_OK);
    emulated()->count_from_here();
    assert_int_equal(rct_solver_step(solver, 1e-6, 5, NULL), RCT_OK);
    const emulation_counts steps = emulated()->counted();
    assert_int_equal(steps.launches, 0);
    assert_int_equal(steps.graph_launches, 5);
    assert_int_equal(steps.copies, 2);
    assert_int_equal(steps.waits, 1);
    rct_solver_free(solver);
    rct_model_free(model);
    emulated_expect_clean();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_a_later_step_fails),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_launches_of_chains),
        cmocka_unit_test(test_small_trees_are_one_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
