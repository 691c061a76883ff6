/* Checkpoints: a run that continues from a checkpoint ends in the bits of a run that never stopped,
 * on every plan and backend, and on the emulated accelerator where it is available
 * (t76_checkpoint_emulated). */
#include "tests/support/cmocka_all.h"

#include "tests/record/checkpoint_case.h"
#include "tests/support/draw.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/riccatree.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 24, SPLITS = 20, FEW_SPLITS = 4, DEVICE_SPLITS = 2 };

static const double dt = 2e-3;

static void step(rct_solver *solver, int64_t steps)
{
    rct_error error;
    if (rct_solver_step(solver, dt, steps, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

enum { EVENTS = 5 };

/* For the model with events of these tests: the number of times they have happened, the last time,
 * and the active loops. */
static void show_events(const rct_solver *solver, double *numbers)
{
    int64_t happened[EVENTS] = {0};
    int32_t active[EVENTS] = {0};
    rct_solver_get_events(solver, happened, numbers);
    rct_solver_get_active_loops(solver, active);
    for (int k = 0; k < EVENTS; k++) {
        numbers[EVENTS + k] = (double)(happened[k] + 1000 * active[k]);
    }
}

/* All visible results of a solver, to be freed. */
static double *show(const rct_solver *solver, size_t *bytes)
{
    rct_solver_info info;
    rct_measures measures;
    rct_solver_get_info(solver, &info);
    const int64_t n = info.bodies, count = 13 * n + info.coordinates + info.dof + 9 + 2 * EVENTS;
    double *all = calloc((size_t)count, sizeof *all), *rest = all + 13 * n;
    rct_solver_get_state(solver, all, all + 4 * n, all + 7 * n, all + 10 * n);
    rct_solver_get_coordinates(solver, rest, rest + info.coordinates);
    rct_solver_measure(solver, &measures);
    memcpy(rest + info.coordinates + info.dof, &measures, sizeof measures);
    show_events(solver, rest + info.coordinates + info.dof + 8);
    all[count - 1] = rct_solver_time(solver);
    *bytes = (size_t)count * sizeof *all;
    return all;
}

/* The solver of a checkpoint, with another number of threads. */
static rct_solver *take_up(const char *path, int32_t threads, int64_t *steps)
{
    rct_error error;
    rct_checkpoint_info info;
    rct_checkpoint *checkpoint = open_checkpoint(path);
    rct_checkpoint_get_info(checkpoint, &info);
    assert_int_equal(info.note_bytes, 7);
    assert_string_equal(info.note, "a note");
    rct_model *model = rct_checkpoint_model(checkpoint, &error);
    assert_non_null(model);
    info.options.threads = threads;
    rct_solver *solver = make_solver(model, &info.options);
    expect_ok(rct_checkpoint_restore(checkpoint, model, solver, &error), &error);
    assert_true(rct_solver_time(solver) == info.time);
    *steps = info.steps;
    rct_checkpoint_close(checkpoint);
    rct_model_free(model);
    return solver;
}

/* Stopped after each of some random steps, and resumed. */
static void check_splits(const rct_model *model, rct_solver_options options, int splits,
                         uint64_t seed)
{
    size_t bytes = 0, other = 0;
    const char *path = recording_path(0, "a.ck");
    uint64_t random = seed;
    options.threads = 1;
    rct_solver *straight = make_solver(model, &options);
    step(straight, STEPS);
    double *wanted = show(straight, &bytes);
    for (int k = 0; k < splits; k++) {
        int64_t at = 0;
        const int64_t first = (int64_t)(draw_bits(&random) % (STEPS + 1));
        rct_solver *solver = make_solver(model, &options);
        step(solver, first);
        write_checkpoint(path, model, solver, first);
        rct_solver_free(solver);
        solver = take_up(path, 1 + k % 3, &at);
        assert_int_equal(at, first);
        step(solver, STEPS - at);
        double *got = show(solver, &other);
        assert_int_equal(other, bytes);
        assert_memory_equal(got, wanted, bytes);
        free(got);
        rct_solver_free(solver);
    }
    free(wanted);
    rct_solver_free(straight);
}

/* The cpu, and the accelerator if there is one. */
static void check_backends(const rct_model *model, int64_t segment, rct_method method, int splits)
{
    rct_backend_info accelerator;
    rct_solver_options options = rct_solver_options_default();
    options.segment = segment;
    options.method = method;
    options.backend = "cpu";
    check_splits(model, options, splits, (uint64_t)segment + 3);
    assert_int_equal(rct_backend_describe(0, &accelerator, NULL), RCT_OK);
    options.backend = accelerator.name;
    if (accelerator.available && strcmp(accelerator.name, "cpu") != 0) {
        check_splits(model, options, DEVICE_SPLITS, 7);
    }
}

static void test_ball_plans_go_on_to_the_same_bits(void **state)
{
    (void)state;
    static const int64_t segments[] = {0, 7, RCT_SEGMENT_AUTO};
    for (int shape = SHAPE_TREE; shape <= SHAPE_BINARY; shape++) {
        const random_system system = {.shape = (random_shape)shape,
                                      .bodies = 120,
                                      .fixed = 0.1,
                                      .shuffled = 1,
                                      .spin = 2.0,
                                      .seed = 11};
        rct_model *model = random_system_create(&system);
        assert_non_null(model);
        check_backends(model, segments[shape % 3], RCT_METHOD_ABI,
                       shape == SHAPE_TREE ? SPLITS : FEW_SPLITS);
        check_backends(model, segments[(shape + 1) % 3], RCT_METHOD_RICCATI, FEW_SPLITS);
        rct_model_free(model);
    }
}

static void test_plans_go_on_to_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const hinge_system system = {.tree = {.shape = k % 2 == 0 ? SHAPE_TREE : SHAPE_CHAIN,
                                              .bodies = 60,
                                              .shuffled = 1,
                                              .spin = 1.0,
                                              .seed = 40 + (uint64_t)k},
                                     .hinges = ALL_HINGES,
                                     .joint_forces = k > 0,
                                     .forces = k > 1 ? 9 : 0,
                                     .ground_moves = k == 3 ? 2 : 0};
        rct_model *model = hinge_system_create(&system);
        assert_non_null(model);
        check_backends(model, k == 1 ? 5 : RCT_SEGMENT_AUTO, RCT_METHOD_ABI,
                       k == 3 ? SPLITS : FEW_SPLITS);
        rct_model_free(model);
    }
}

/* Examples with loops, with every method of closing. */
static void test_closed_loops_go_on_to_the_same_bits(void **state)
{
    (void)state;
    static const char *const names[] = {"andrews", "bricard", "four-bar"};
    int closed = 0;
    for (int k = 0; k < 3; k++) {
        char path[RECORDING_PATH];
        rct_error error;
        snprintf(path, sizeof path, "%s/%s.json", RCT_EXAMPLES, names[k]);
        rct_model *model = rct_model_read(path, &error);
        assert_non_null(model);
        for (int closing = RCT_CLOSING_ADMITTANCE; closing <= RCT_CLOSING_SVD; closing++) {
            rct_solver_options options = rct_solver_options_default();
            options.closing = (rct_closing)closing;
            options.drift = k == 1                      ? RCT_DRIFT_BAUMGARTE
                            : closing == RCT_CLOSING_QR ? RCT_DRIFT_PARTITION
                                                        : RCT_DRIFT_PROJECT;
            options.baumgarte[1] = 7.3;
            rct_solver *solver = rct_solver_create(model, &options, &error);
            if (solver != NULL) {
                check_splits(model, options, closing == 0 ? SPLITS : FEW_SPLITS, 17);
                closed++;
            } else {
                assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
            }
            rct_solver_free(solver);
        }
        rct_model_free(model);
    }
    assert_true(closed >= 3);
}

static void test_a_loop_released_stays_so(void **state)
{
    (void)state;
    size_t bytes = 0;
    int64_t at = 0;
    rct_error error;
    rct_model *model = rct_model_read(RCT_EXAMPLES "/four-bar.json", &error);
    assert_non_null(model);
    const rct_solver_options options = rct_solver_options_default();
    rct_solver *solver = make_solver(model, &options);
    step(solver, 5);
    expect_ok(rct_solver_set_loop_active(solver, 0, RCT_LOOP_RELEASED, &error), &error);
    write_checkpoint(recording_path(0, "a.ck"), model, solver, 5);
    step(solver, STEPS);
    double *wanted = show(solver, &bytes);
    rct_solver *other = take_up(recording_path(0, "a.ck"), 1, &at);
    step(other, STEPS);
    double *got = show(other, &bytes);
    assert_memory_equal(got, wanted, bytes);
    free(wanted);
    free(got);
    rct_solver_free(solver);
    rct_solver_free(other);
    rct_model_free(model);
}

/* Hinges that break, at a time and at a force; a latch that catches and releases repeatedly. */
static const char eventful[] =
    "{ \"riccatree\": 1, \"bodies\": ["
    "{ \"parent\": \"ground\", \"mass\": 1, \"com\": [0.25, 0, 0],"
    "  \"inertia\": [0.01, 0.02, 0.02, 0, 0, 0], \"initial\": { \"rate\": 12 },"
    "  \"hinge\": { \"type\": \"revolute\", \"axis\": [0, 1, 0] } },"
    "{ \"repeat\": 2, \"body\": { \"parent\": \"previous\", \"mass\": 1, \"com\": [0.25, 0, 0],"
    "  \"inertia\": [0.01, 0.02, 0.02, 0, 0, 0], \"initial\": { \"rate\": 12 },"
    "  \"hinge\": { \"type\": \"revolute\", \"at\": [0.5, 0, 0], \"axis\": [0, 1, 0] } } },"
    "{ \"name\": \"swing\", \"parent\": \"ground\", \"mass\": 1, \"com\": [0, 0, 0],"
    "  \"inertia\": [1, 1, 1, 0, 0, 0], \"initial\": { \"position\": -0.1, \"rate\": 9 },"
    "  \"hinge\": { \"type\": \"revolute\", \"axis\": [0, 1, 0], \"stiffness\": 2e5 } },"
    "{ \"name\": \"rest\", \"parent\": \"ground\", \"mass\": 1, \"com\": [0, 0, 0],"
    "  \"inertia\": [1, 1, 1, 0, 0, 0], \"hinge\": { \"type\": \"revolute\", \"axis\": [0, 1, 0] } "
    "} ],"
    "\"loops\": [ { \"name\": \"latch\", \"type\": \"relation\", \"active\": false,"
    "  \"terms\": [ { \"body\": \"rest\" } ] } ], \"events\": ["
    "{ \"type\": \"time\", \"value\": 0.0131, \"breaks\": \"body1\" },"
    "{ \"type\": \"force\", \"way\": \"falls\", \"value\": 300, \"breaks\": \"body2\" },"
    "{ \"type\": \"coordinate\", \"body\": \"swing\", \"value\": 0.01, \"again\": true,"
    "  \"loop\": \"latch\", \"becomes\": \"attached\" },"
    "{ \"type\": \"coordinate\", \"body\": \"swing\", \"value\": -0.01, \"way\": \"falls\","
    "  \"again\": true, \"loop\": \"latch\", \"becomes\": \"released\" },"
    "{ \"type\": \"distance\", \"body\": \"body0\", \"at\": [0.5, 0, 0], \"other\": \"ground\","
    "  \"other_at\": [1, 0, 0], \"value\": 0.6, \"breaks\": \"body0\" } ] }";

static void test_events_go_on_to_the_same_bits(void **state)
{
    (void)state;
    rct_error error;
    double numbers[2 * EVENTS];
    rct_model *model = rct_model_parse(eventful, (int64_t)strlen(eventful), &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    rct_solver *solver = make_solver(model, NULL);
    step(solver, STEPS);
    show_events(solver, numbers);
    assert_true(numbers[0] == 0.0131 && numbers[EVENTS + 2] >= 3.0);
    assert_true(numbers[1] == 0.0131 && numbers[4] > 0.03);
    rct_solver_free(solver);
    check_backends(model, RCT_SEGMENT_AUTO, RCT_METHOD_ABI, SPLITS);
    check_backends(model, 2, RCT_METHOD_RICCATI, FEW_SPLITS);
    rct_model_free(model);
}

static void pull(void *context, double time, int32_t bodies, const double *orientation,
                 const double *rate, const double *position, const double *velocity, double *force,
                 double *moment)
{
    (void)context;
    (void)orientation;
    (void)rate;
    (void)velocity;
    for (int32_t b = 0; b < bodies; b++) {
        force[3 * b] = 0.3 * time - position[3 * b];
        moment[3 * b + 1] = 0.1;
    }
}

static void test_forces_of_the_user_are_given_again(void **state)
{
    recording *f = *state;
    size_t bytes = 0;
    int64_t at = 0;
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.user_forces = 1;
    rct_solver *solver = make_solver(f->model, &options);
    expect_ok(rct_solver_set_force_function(solver, pull, NULL, &error), &error);
    step(solver, 9);
    write_checkpoint(recording_path(0, "a.ck"), f->model, solver, 9);
    step(solver, STEPS);
    double *wanted = show(solver, &bytes);
    rct_solver *other = take_up(recording_path(0, "a.ck"), 1, &at);
    expect_ok(rct_solver_set_force_function(other, pull, NULL, &error), &error);
    step(other, STEPS);
    double *got = show(other, &bytes);
    assert_memory_equal(got, wanted, bytes);
    free(wanted);
    free(got);
    rct_solver_free(solver);
    rct_solver_free(other);
}

#define CHECKPOINT_TEST(name) cmocka_unit_test_setup_teardown(name, recording_begin, recording_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECKPOINT_TEST(test_ball_plans_go_on_to_the_same_bits),
        CHECKPOINT_TEST(test_plans_go_on_to_the_same_bits),
        CHECKPOINT_TEST(test_closed_loops_go_on_to_the_same_bits),
        CHECKPOINT_TEST(test_a_loop_released_stays_so),
        CHECKPOINT_TEST(test_events_go_on_to_the_same_bits),
        CHECKPOINT_TEST(test_forces_of_the_user_are_given_again),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
