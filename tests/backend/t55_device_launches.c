/* The requests of an evaluation to a device, counted by the emulation. A few launches however long
 * the paths are: three for a chain, and two where no junction is needed, with or without side
 * paths. With the junction on the device, no copy grows with the system. A step is one launch of a
 * graph, and many steps wait for the device only now and then. */
#include "tests/support/cmocka_all.h"

#include "tests/support/device/emulated.h"
#include "tests/support/must.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/tree_families.h"

#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 3 };

static const int64_t sizes[SIZES] = {100, 1000, 10000};

static rct_model *family_of(const char *name, int64_t bodies)
{
    const rct_family family = {
        .family = name, .bodies = bodies, .hinge = RCT_HINGE_BALL, .seed = 5};
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    return model;
}

static rct_solver *solver_of(const rct_model *model, int method, rct_junction junction)
{
    const rct_solver_options options = {.method = (rct_method)method,
                                        .backend = "cuda",
                                        .segment = RCT_SEGMENT_AUTO,
                                        .junction = junction};
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* With error control and a tolerance that every step meets. */
static rct_solver *adaptive_solver(const rct_model *model, rct_integrator integrator)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cuda";
    options.integrator = integrator;
    options.tolerance = 1.0;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static emulation_counts of_evaluation(rct_solver *solver)
{
    emulated()->count_from_here();
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    return emulated()->counted();
}

static emulation_counts of_steps(rct_solver *solver, int64_t steps)
{
    emulated()->count_from_here();
    assert_int_equal(rct_solver_step(solver, 1e-6, steps, NULL), RCT_OK);
    return emulated()->counted();
}

static void expect(int64_t count, int64_t most, const char *of, const char *what, int64_t bodies)
{
    if (count > most) {
        fail_msg("%s of %" PRId64 ": %" PRId64 " %s, not %" PRId64 " at most", what, bodies, count,
                 of, most);
    }
}

/* Checks the launches of an evaluation; `most`: the largest number allowed. */
static int64_t check_device(const char *name, int64_t bodies, int method, rct_junction junction,
                            int64_t most)
{
    rct_model *model = family_of(name, bodies);
    rct_solver *solver = solver_of(model, method, junction);
    const emulation_counts one = of_evaluation(solver);
    expect(one.launches, most, "launches", name, bodies);
    expect(one.copies, 2, "copies", name, bodies); /* the faults, to the device and back */
    expect(one.copied_bytes, 256, "bytes copied", name, bodies);
    expect(one.waits, 1, "waits", name, bodies);
    assert_int_equal(of_steps(solver, 1).launches, 4 * one.launches); /* recorded, once */
    const emulation_counts few = of_steps(solver, 5);
    assert_int_equal(few.launches, 0);
    assert_int_equal(few.graph_launches, 5);
    expect(few.copies, 2, "copies", name, bodies);
    expect(few.waits, 1, "waits", name, bodies);
    rct_solver_free(solver);
    rct_model_free(model);
    return one.launches;
}

/* With the trunk on the host records are gathered and scattered: frames, spans, ends. */
static int64_t check_host(const char *name, int64_t bodies, int method, int64_t most)
{
    rct_model *model = family_of(name, bodies);
    rct_solver *solver = solver_of(model, method, RCT_JUNCTION_HOST);
    const emulation_counts one = of_evaluation(solver);
    expect(one.launches, most, "launches", name, bodies);
    expect(one.copies, 10, "copies", name, bodies);
    expect(one.waits, 3, "waits", name, bodies);
    const emulation_counts step = of_steps(solver, 1);
    assert_int_equal(step.launches, 4 * one.launches);
    assert_int_equal(step.graph_launches, one.launches == 1); /* one task: there is no trunk */
    rct_solver_free(solver);
    rct_model_free(model);
    return one.launches;
}

static void test_a_handful_of_launches(void **state)
{
    (void)state;
    const char *const *names = tree_families;
    for (int i = 0; names[i] != NULL; i++) {
        const int64_t most = strcmp(names[i], "chain") == 0 ? 3 : 6;
        for (int k = 0; k < 2 * SIZES; k++) {
            check_device(names[i], sizes[k / 2], k % 2, RCT_JUNCTION_DEVICE, most);
            check_host(names[i], sizes[k / 2], k % 2, 12);
        }
        emulated_expect_clean();
    }
}

/* Short chains may take fewer launches. */
static void test_a_chain_of_any_length_is_three(void **state)
{
    (void)state;
    for (int64_t bodies = 2; bodies <= 20000; bodies = 3 * bodies + 1) {
        const int64_t launches = bodies < 16 ? 1 : 3; /* a task is swept whole */
        assert_int_equal(check_device("chain", bodies, 0, RCT_JUNCTION_DEVICE, 3), launches);
        if (launches > 1) {
            assert_int_equal(check_host("chain", bodies, 0, 7), 7);
        }
    }
}

/* Each block computes the upper levels by itself, and its warps sweep the two links beside the
 * branch system. */
static void test_runs_alone_take_two(void **state)
{
    (void)state;
    for (int method = 0; method < 2; method++) {
        assert_int_equal(check_device("chain", 3000, method, RCT_JUNCTION_AUTO, 2), 2);
        assert_int_equal(check_device("branch", 3000, method, RCT_JUNCTION_AUTO, 2), 2);
    }
    assert_int_equal(check_device("chain", 51000, RCT_METHOD_ABI, RCT_JUNCTION_AUTO, 3), 3);
    emulated_expect_clean();
}

static void test_many_steps_wait_now_and_then(void **state)
{
    (void)state;
    rct_model *model = family_of("branch", 200);
    rct_solver *solver = solver_of(model, RCT_METHOD_ABI, RCT_JUNCTION_DEVICE);
    of_steps(solver, 1);
    const emulation_counts many = of_steps(solver, 640);
    assert_int_equal(many.launches, 0);
    assert_int_equal(many.graph_launches, 640);
    expect(many.waits, 10, "waits", "branch", 200);
    expect(many.copied_bytes, 10 * 256, "bytes copied", "branch", 200);
    assert_int_equal(of_steps(solver, 1).launches, 0);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Loops with the trunk on the host: only records of its nodes cross, however long the runs between
 * them are. */
static void test_loops_cross_by_nodes(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        rct_family family = rct_family_default();
        family.bodies = 3 * sizes[i];
        family.perturb = 0.1;
        rct_model *model = rct_model_generate(&family, NULL);
        assert_non_null(model);
        closed_add_random(model, 3, 1 << RCT_LOOP_BALL, 7);
        rct_solver *solver = solver_of(model, RCT_METHOD_ABI, RCT_JUNCTION_AUTO);
        of_steps(solver, 1);
        const emulation_counts step = of_steps(solver, 1);
        expect(step.launches, 150, "launches", "a closed step", family.bodies);
        expect(step.waits, 50, "waits", "a closed step", family.bodies);
        expect(step.copied_bytes, 100000, "bytes copied", "a closed step", family.bodies);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    emulated_expect_clean();
}

/* A chain with a spring and a damper at every hinge. */
static rct_model *springs_of(rct_hinge_type hinge, int64_t bodies)
{
    const rct_family family = {
        .family = "chain", .bodies = bodies, .hinge = hinge, .seed = 5, .perturb = 0.1};
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    for (int32_t b = 0; b < bodies; b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        for (int i = 0; i < rct_hinge_freedoms(hinge); i++) {
            body.stiffness[i] = 1.0, body.damping[i] = 1e-3;
        }
        must_put(model, b, &body);
    }
    return model;
}

/* A step with error control copies nothing that grows with the system, besides the data of a
 * call. */
static void test_error_control_stays_on_the_device(void **state)
{
    (void)state;
    static const rct_integrator adaptive[] = {RCT_INTEGRATOR_DOPRI5, RCT_INTEGRATOR_IMPLICIT};
    for (int k = 0; k < 2 * SIZES; k++) {
        const int64_t bodies = sizes[k / 2];
        for (int i = 0; i < 2; i++) {
            rct_model *model = springs_of(i == 0 ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL, bodies);
            rct_solver *solver = adaptive_solver(model, adaptive[k % 2]);
            const emulation_counts one = of_steps(solver, 1), three = of_steps(solver, 3);
            const char *name = k % 2 == 0 ? "two steps of dopri5" : "two steps of implicit";
            expect(three.launches - one.launches, 400, "launches", name, bodies);
            expect(three.waits - one.waits, 20, "waits", name, bodies);
            expect(three.copied_bytes - one.copied_bytes, 2000, "bytes copied", name, bodies);
            rct_solver_free(solver);
            rct_model_free(model);
        }
    }
    emulated_expect_clean();
}

static void push(void *context, double time, int32_t bodies, const double *orientation,
                 const double *angular_velocity, const double *position, const double *velocity,
                 double *force, double *moment)
{
    (void)context, (void)time, (void)bodies, (void)orientation, (void)position, (void)moment;
    force[0] = 1e-3 + 1e-3 * velocity[0] + 1e-4 * angular_velocity[1];
}

/* Coordinates, rates and derivatives cross once, unchanged, and nothing else that grows; for a
 * force on one body near the root only its data cross. */
static void test_no_more_crosses_than_is_asked_for(void **state)
{
    (void)state;
    static const rct_hinge_type hinges[] = {RCT_HINGE_REVOLUTE, RCT_HINGE_BALL};
    const int32_t second = 1;
    for (int k = 0; k < 2 * SIZES; k++) {
        const int64_t bodies = sizes[k / 2], q = k % 2 ? 4 : 1, u = k % 2 ? 3 : 1;
        const int64_t call = (q + 2 * u) * bodies * (int64_t)sizeof(double);
        rct_model *model = springs_of(hinges[k % 2], bodies);
        rct_solver_options options = rct_solver_options_default();
        options.backend = "cuda";
        options.user_forces = 1;
        rct_solver *solver = rct_solver_create(model, &options, NULL);
        double *numbers = calloc((size_t)call, 1);
        assert_non_null(solver);
        assert_non_null(numbers);
        rct_solver_get_coordinates(solver, numbers, numbers + q * bodies);
        emulated()->count_from_here();
        assert_int_equal(rct_solver_forward(solver, 1, numbers, numbers + q * bodies, NULL,
                                            numbers + (q + u) * bodies, NULL),
                         RCT_OK);
        const emulation_counts one = emulated()->counted();
        expect(one.copied_bytes, call + 512, "bytes copied", "a call", bodies);
        expect(one.waits, 4, "waits", "a call", bodies);
        assert_int_equal(rct_solver_set_body_forces(solver, &second, 1, push, NULL, NULL), RCT_OK);
        of_evaluation(solver);
        expect(of_evaluation(solver).copied_bytes, 2000, "bytes copied", "a force", bodies);
        of_steps(solver, 1);
        expect(of_steps(solver, 1).copied_bytes, 8000, "bytes copied", "steps with it", bodies);
        free(numbers);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    emulated_expect_clean();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_handful_of_launches),
        cmocka_unit_test(test_error_control_stays_on_the_device),
        cmocka_unit_test(test_no_more_crosses_than_is_asked_for),
        cmocka_unit_test(test_a_chain_of_any_length_is_three),
        cmocka_unit_test(test_runs_alone_take_two),
        cmocka_unit_test(test_many_steps_wait_now_and_then),
        cmocka_unit_test(test_loops_cross_by_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
