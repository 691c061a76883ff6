/* An accelerator that has no memory, fails once, or is lost, at every allocation and at every call
 * of its runtime in turn. Without memory no solver is made, and nothing leaks. Later failures are
 * final: every status reports them in the same words, results read are those of an undisturbed run,
 * bit for bit, or NaN, and a recording keeps the frames before the failure. */
#include "tests/support/cmocka_all.h"

#include "tests/support/device/emulated.h"
#include "tests/support/files/recording.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 30, FRAMES = 2, RESULTS = 100 * BODIES, MOST = 5000 };

/* One letter per action: e evaluate, a accelerations, f hinge forces, t two steps, x state, m
 * measures, r record a frame, w write a state. */
static const char script[] = "eafxmrtxmrwet";

typedef struct session {
    rct_solver *solver;
    rct_recorder *recorder;
    int64_t recorded;
    int lost;
    char text[RCT_ERROR_TEXT_SIZE]; /* the first message about the loss */
    double results[RESULTS];
    int64_t count;
    const rct_model *hinges; /* the model if it is the only one, or NULL */
} session;

/* Ball hinges with the junction on the host and on the device; hinges of every type under loads;
 * and small trees of these on the ground without loads. */
enum { BY_HOST, BY_DEVICE, HINGES, HINGES_IN_BUSHES, KINDS };

static rct_model *model_of_all_parts(int kind)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = BODIES, .shuffled = 1, .spin = 1.0, .seed = 4},
        .hinges = ALL_HINGES & ~(1 << RCT_HINGE_FIXED), /* constant data is known */
        .joint_forces = kind == HINGES,
        .forces = kind == HINGES ? 4 : 0,
        .ground_moves = kind == HINGES};
    rct_model *model =
        kind < HINGES ? random_system_create(&system.tree) : hinge_system_create(&system);
    assert_non_null(model);
    return model;
}

static rct_solver *create(const rct_model *model, int kind, rct_error *error)
{
    const rct_solver_options options = {
        .method = kind == BY_HOST ? RCT_METHOD_RICCATI : RCT_METHOD_ABI,
        .backend = "cuda",
        .segment = kind == HINGES_IN_BUSHES ? BODIES + 1 : 2,
        .junction = kind == BY_HOST ? RCT_JUNCTION_HOST : RCT_JUNCTION_DEVICE};
    *error = (rct_error){.status = RCT_OK};
    return rct_solver_create(model, &options, error);
}

/* ---- no memory ---------------------------------------------------------------------------- */

static void expect_no_memory(const rct_error *error)
{
    assert_int_equal(error->status, RCT_ERROR_MEMORY);
    if (strstr(error->text, "memory") == NULL || strchr(error->text, '\n') != NULL) {
        fail_msg("\"%s\" does not speak of memory", error->text);
    }
}

/* With memory again a solver can be made, and works. */
static void expect_recovery(const rct_model *model, int kind)
{
    rct_error error;
    rct_solver *solver = create(model, kind, &error);
    if (solver == NULL || rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_free(solver);
    emulated_expect_clean();
}

static void check_allocations(const rct_model *model, int kind, const char *words)
{
    const emulation_options sound = emulated()->defaults();
    rct_solver *solver = NULL;
    int64_t k = 0;
    while (solver == NULL && k < MOST) {
        char option[64];
        rct_error error;
        snprintf(option, sizeof option, words, (long long)++k);
        emulated_reset(option);
        solver = create(model, kind, &error);
        if (solver == NULL) {
            expect_no_memory(&error);
            emulated_expect_clean();
            emulated()->set(&sound);
            expect_recovery(model, kind);
        }
    }
    assert_non_null(solver);
    assert_true(k > 8);
    rct_solver_free(solver);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (int j = 0; j < KINDS; j++) {
        rct_model *model = model_of_all_parts(j);
        check_allocations(model, j, "fail_allocation=%lld");
        check_allocations(model, j, "memory=%lld0000");
        rct_model_free(model);
    }
}

/* Memory that the plugin allocates on the host. */
static void check_allocations_of_the_host(const rct_model *model, int kind)
{
    rct_solver *solver = NULL;
    int64_t k = 0;
    while (solver == NULL && k < MOST) {
        rct_error error;
        emulated_reset("");
        emulated()->allocate_fail_after(k++);
        solver = create(model, kind, &error);
        emulated()->allocate_fail_after(-1);
        if (solver == NULL) {
            expect_no_memory(&error);
            emulated_expect_clean();
        }
    }
    assert_non_null(solver);
    assert_true(k > 20);
    rct_solver_free(solver);
    expect_recovery(model, kind);
}

static void test_no_memory_of_the_host(void **state)
{
    (void)state;
    for (int j = BY_DEVICE; j < KINDS; j++) {
        rct_model *model = model_of_all_parts(j);
        check_allocations_of_the_host(model, j);
        rct_model_free(model);
    }
}

/* ---- a session ---------------------------------------------------------------------------- */

static void note_status(session *s, rct_status status, const rct_error *error)
{
    if (status == RCT_OK) {
        assert_false(s->lost);
        return;
    }
    assert_int_equal(status, RCT_ERROR_DEVICE);
    assert_int_equal(error->status, RCT_ERROR_DEVICE);
    assert_null(strchr(error->text, '\n'));
    if (!s->lost) {
        assert_non_null(strstr(error->text, "backend cuda failed while "));
        assert_non_null(strstr(error->text, "(cudaError"));
        snprintf(s->text, sizeof s->text, "%s", strstr(error->text, "backend cuda"));
    }
    assert_string_equal(strstr(error->text, "backend cuda"), s->text);
    s->lost = 1;
}

/* Numbers that are read are right or NaN; from the loss on they are NaN. */
static void note_numbers(session *s, int64_t count, const double *sound)
{
    rct_error error = {.status = RCT_OK};
    const double *got = s->results + s->count;
    const double *wanted = sound != NULL ? sound + s->count : got;
    const int lost_before = s->lost;
    int64_t blank = 0;
    for (int64_t i = 0; i < count; i++) {
        blank += isnan(got[i]) ? 1 : 0;
        assert_true(isnan(got[i]) || memcmp(&got[i], &wanted[i], sizeof *got) == 0);
    }
    note_status(s, rct_solver_check(s->solver, &error), &error);
    assert_true(s->lost || blank == 0);
    assert_true(!lost_before || blank == count);
    s->count += count;
    assert_true(s->count + 13 * BODIES <= RESULTS);
}

static void record(session *s)
{
    rct_error error = {.status = RCT_OK};
    const rct_status status = rct_recorder_write(s->recorder, s->solver, NULL, &error);
    s->recorded += status == RCT_OK;
    note_status(s, status, &error);
}

static void write_state(session *s)
{
    rct_error error = {.status = RCT_OK};
    if (s->hinges != NULL) {
        double *coordinates = initial_coordinates(s->hinges);
        double *rates = initial_rates(s->hinges);
        note_status(s, rct_solver_set_coordinates(s->solver, coordinates, rates, &error), &error);
        free(coordinates);
        free(rates);
        return;
    }
    double q[BODIES][4] = {{0.0}}, w[BODIES][3] = {{0.0}};
    for (int b = 0; b < BODIES; b++) {
        q[b][0] = 1.0;
        q[b][1] = 0.01 * b;
    }
    note_status(s, rct_solver_set_state(s->solver, q[0], w[0], &error), &error);
}

static void act(session *s, char what, const double *sound)
{
    rct_error error = {.status = RCT_OK};
    double *x = s->results + s->count;
    rct_measures m;
    switch (what) {
    case 'e': note_status(s, rct_solver_evaluate(s->solver, &error), &error); break;
    case 't': note_status(s, rct_solver_step(s->solver, 1e-4, 2, &error), &error); break;
    case 'r': record(s); break;
    case 'w': write_state(s); break;
    case 'a':
        rct_solver_get_accelerations(s->solver, x, x + 3 * BODIES);
        note_numbers(s, 6 * BODIES, sound);
        break;
    case 'f':
        rct_solver_get_hinge_forces(s->solver, x, x + 3 * BODIES);
        note_numbers(s, 6 * BODIES, sound);
        break;
    case 'x':
        rct_solver_get_state(s->solver, x, x + 4 * BODIES, x + 7 * BODIES, x + 10 * BODIES);
        note_numbers(s, 13 * BODIES, sound);
        break;
    default:
        rct_solver_measure(s->solver, &m);
        memcpy(x, &m, 8 * sizeof *x); /* two energies, two vectors */
        note_numbers(s, 8, sound);
    }
}

/* The frames in the file are those of an undisturbed run. */
static void expect_frames(const session *s, const char *path, const double *sound)
{
    double frames[FRAMES][BODIES][4];
    assert_int_equal(recording_frames_written(path), s->recorded);
    assert_int_equal(recording_complete(path), s->recorded == FRAMES);
    const hid_t file = recording_open(path);
    recording_read(file, "/frames/orientation", H5T_NATIVE_DOUBLE, frames);
    assert_true(H5Fclose(file) >= 0);
    for (int64_t k = 0; k < s->recorded; k++) {
        assert_memory_equal(frames[k], sound + 12 * BODIES + k * (13 * BODIES + 8),
                            sizeof frames[k]);
    }
}

/* `sound`: the results of an undisturbed run, NULL for that run itself. The solver still exists. */
static void run(session *s, const rct_model *model, int kind, const double *sound)
{
    rct_error error;
    const char *path = recording_path(0, "lost.h5");
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = FRAMES;
    options.overwrite = 1;
    memset(s, 0, sizeof *s);
    s->hinges = kind >= HINGES ? model : NULL;
    s->solver = create(model, kind, &error);
    if (s->solver == NULL && error.status == RCT_ERROR_UNSUPPORTED) {
        assert_in_range(emulated()->counted().calls, 1,
                        kind < HINGES ? 1 : 2); /* whether it is there */
        s->lost = 1;
    } else if (s->solver == NULL) {
        note_status(s, error.status, &error);
    }
    if (s->solver == NULL) {
        return;
    }
    s->recorder = rct_recorder_create(path, model, s->solver, &options, &error);
    assert_non_null(s->recorder);
    for (const char *what = script; *what != '\0'; what++) {
        act(s, *what, sound);
    }
    const rct_status closed = rct_recorder_close(s->recorder, s->recorded == FRAMES, &error);
    assert_int_equal(closed, RCT_OK);
    expect_frames(s, path, sound != NULL ? sound : s->results);
}

/* Fails every call, or every `stride`-th, with those that free memory among them; returns the calls
 * of the run whose failure changed nothing. A reported error does not remain as the last error of
 * the runtime, unless it is `lasting`. */
static int64_t check_calls(const rct_model *model, int kind, const char *words, int64_t stride,
                           int lasting)
{
    static session sound, s;
    int64_t unnoticed = 0;
    emulated_reset("");
    run(&sound, model, kind, NULL);
    const int64_t calls = emulated()->counted().calls;
    rct_solver_free(sound.solver);
    assert_false(sound.lost);
    const int64_t all = emulated()->counted().calls;
    assert_true(calls > 100 && all > calls + 30 && all < MOST);
    for (int64_t k = 1; k <= all; k += stride) {
        char option[64];
        snprintf(option, sizeof option, words, (long long)k);
        emulated_reset(option);
        run(&s, model, kind, sound.results);
        unnoticed += k <= calls && !s.lost;
        rct_solver_free(s.solver);
        emulated_expect_clean();
        assert_int_equal(emulated()->last_error() == cudaSuccess, lasting == 0);
    }
    return unnoticed;
}

static void test_lost_at_every_call(void **state)
{
    (void)state;
    for (int j = 0; j < KINDS; j++) {
        rct_model *model = model_of_all_parts(j);
        assert_int_equal(check_calls(model, j, "lose_at_call=%lld lose_error=214", 1, 1), 0);
        rct_model_free(model);
    }
}

/* Failures of calls on an instantiated graph do not matter. */
static void test_calls_failing_once(void **state)
{
    (void)state;
    for (int j = 0; j < KINDS; j++) {
        rct_model *model = model_of_all_parts(j);
        assert_true(check_calls(model, j, "fail_at_call=%lld", 3, 0) <= 1);
        rct_model_free(model);
    }
}

static void test_no_operation_allocates(void **state)
{
    (void)state;
    for (int j = 0; j < KINDS; j++) {
        static session s;
        rct_error error;
        rct_model *model = model_of_all_parts(j);
        memset(&s, 0, sizeof s);
        s.hinges = j >= HINGES ? model : NULL;
        emulated_reset("");
        s.solver = create(model, j, &error);
        assert_non_null(s.solver);
        emulated()->count_from_here();
        emulated()->allocate_fail_after(0);
        for (const char *what = "eafxmtxmtweat"; *what != '\0'; what++) {
            act(&s, *what, NULL);
        }
        emulated()->allocate_fail_after(-1);
        assert_int_equal(emulated()->counted().allocations, 0);
        assert_false(s.lost);
        rct_solver_free(s.solver);
        rct_model_free(model);
        emulated_expect_clean();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_no_memory_of_the_host),
        cmocka_unit_test(test_no_operation_allocates),
        cmocka_unit_test(test_lost_at_every_call),
        cmocka_unit_test(test_calls_failing_once),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
