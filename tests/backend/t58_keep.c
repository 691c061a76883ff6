/* Snapshots of states while steps continue: a snapshot holds the state at its call, bit for bit,
 * and so does the recording made from it. Backends that cannot continue meanwhile say so. */
#include "tests/support/cmocka_all.h"

#include "tests/support/files/recording.h"
#include "tests/support/systems/random_system.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 300, FRAMES = 6 };

static const double dt = 1e-3;

static rct_model *system_of(random_shape shape)
{
    const random_system system = {
        .shape = shape, .bodies = BODIES, .fixed = 0.1, .shuffled = 1, .spin = 2.0, .seed = 5};
    rct_model *model = random_system_create(&system);
    assert_non_null(model);
    return model;
}

static rct_solver *solver_on(const rct_model *model, const char *backend, rct_junction junction)
{
    rct_error error;
    const rct_solver_options options = {
        .backend = backend, .segment = RCT_SEGMENT_AUTO, .junction = junction};
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

typedef struct rows {
    double q[4 * BODIES], w[3 * BODIES], x[3 * BODIES], v[3 * BODIES];
} rows;

static void read_now(const rct_solver *solver, rows *r)
{
    rct_solver_get_state(solver, r->q, r->w, r->x, r->v);
}

static void expect_kept(const rct_solver *solver, const rows *then, double time)
{
    rows *kept = calloc(1, sizeof *kept);
    rct_error error;
    if (rct_solver_get_kept(solver, kept->q, kept->w, kept->x, kept->v, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    assert_memory_equal(kept, then, sizeof *kept);
    assert_true(rct_solver_kept_time(solver) == time);
    free(kept);
}

static void check_keeping(const rct_model *model, const char *backend, rct_junction junction)
{
    rct_error error;
    rct_measures sums;
    rct_solver *solver = solver_on(model, backend, junction);
    rows *then = calloc(1, sizeof *then);
    for (int k = 0; k < 4; k++) {
        read_now(solver, then);
        const double time = rct_solver_time(solver);
        assert_int_equal(rct_solver_keep(solver, &error), RCT_OK);
        if (k % 2) {
            rct_solver_measure(solver, &sums); /* from where the copy comes */
        }
        assert_int_equal(rct_solver_step(solver, dt, 3, &error), RCT_OK);
        if (k > 1) {
            rct_solver_measure(solver, &sums);
        }
        expect_kept(solver, then, time);
        expect_kept(solver, then, time); /* as often as asked */
    }
    assert_int_equal(rct_solver_step(solver, dt, 3, &error), RCT_OK);
    assert_int_equal(rct_solver_keep(solver, &error), RCT_OK); /* nothing waits but the reading */
    rows *kept = calloc(1, sizeof *kept);
    assert_int_equal(rct_solver_get_kept(solver, kept->q, kept->w, kept->x, kept->v, &error),
                     RCT_OK);
    read_now(solver, then);
    assert_memory_equal(kept, then, sizeof *kept);
    assert_int_equal(rct_solver_keep(solver, &error), RCT_OK); /* and never read */
    free(kept);
    rct_solver_free(solver);
    free(then);
}

/* Frames written at once, or kept and written one step late. */
static void record(const rct_model *model, const char *backend, const char *path, int late)
{
    rct_error error;
    rct_solver *solver = solver_on(model, backend, RCT_JUNCTION_AUTO);
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = FRAMES;
    options.overwrite = 1;
    rct_recorder *recorder = rct_recorder_create(path, model, solver, &options, &error);
    assert_non_null(recorder);
    for (int k = 0; k < FRAMES; k++) {
        rct_measures sums;
        rct_solver_measure(solver, &sums);
        if (late) {
            assert_int_equal(rct_solver_keep(solver, &error), RCT_OK);
            assert_int_equal(rct_solver_step(solver, dt, 1, &error), RCT_OK);
            assert_int_equal(rct_recorder_write_kept(recorder, solver, &sums, &error), RCT_OK);
        } else {
            assert_int_equal(rct_recorder_write(recorder, solver, &sums, &error), RCT_OK);
            assert_int_equal(rct_solver_step(solver, dt, 1, &error), RCT_OK);
        }
    }
    assert_int_equal(rct_recorder_close(recorder, 1, &error), RCT_OK);
    rct_solver_free(solver);
}

static void check_recording(const rct_model *model, const char *backend)
{
    static const char *const series[] = {"/frames/orientation", "/frames/angular_velocity",
                                         "/frames/position", "/frames/time", "/frames/energy"};
    static const int64_t widths[] = {4 * BODIES, 3 * BODIES, 3 * BODIES, 1, 1};
    record(model, backend, recording_path(0, "at_once.h5"), 0);
    record(model, backend, recording_path(1, "late.h5"), 1);
    const hid_t at_once = recording_open(recording_path(0, "at_once.h5"));
    const hid_t late = recording_open(recording_path(1, "late.h5"));
    for (int s = 0; s < 5; s++) {
        const size_t bytes = (size_t)(FRAMES * widths[s]) * sizeof(double);
        double *a = malloc(bytes), *b = malloc(bytes);
        recording_read(at_once, series[s], H5T_NATIVE_DOUBLE, a);
        recording_read(late, series[s], H5T_NATIVE_DOUBLE, b);
        assert_memory_equal(a, b, bytes);
        free(a);
        free(b);
    }
    H5Fclose(at_once);
    H5Fclose(late);
}

static void test_what_is_kept_is_what_was_there(void **state)
{
    (void)state;
    rct_backend_info info;
    rct_model *model = system_of(SHAPE_TREE), *chain = system_of(SHAPE_CHAIN);
    for (int k = 0; rct_backend_describe(k, &info, NULL) == RCT_OK; k++) {
        if (info.available && strcmp(info.name, "cpu") != 0) {
            check_keeping(model, info.name, RCT_JUNCTION_AUTO);
            check_keeping(chain, info.name, RCT_JUNCTION_DEVICE); /* no link is outside lanes */
            check_recording(model, info.name);
        }
    }
    rct_model_free(model);
    rct_model_free(chain);
}

static void test_the_cpu_keeps_nothing(void **state)
{
    (void)state;
    rct_error error;
    rct_model *model = system_of(SHAPE_TREE);
    rct_solver *solver = solver_on(model, "cpu", RCT_JUNCTION_AUTO);
    assert_int_equal(rct_solver_keep(solver, &error), RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "read the state instead"));
    assert_true(isnan(rct_solver_kept_time(solver)));
    assert_int_equal(rct_solver_get_kept(solver, NULL, NULL, NULL, NULL, &error),
                     RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "keep one first"));
    rct_recorder *recorder =
        rct_recorder_create(recording_path(0, "none.h5"), model, solver, NULL, &error);
    assert_non_null(recorder);
    rct_measures sums;
    rct_solver_measure(solver, &sums);
    assert_int_equal(rct_recorder_write_kept(recorder, solver, &sums, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "frame 0 is not recorded: no state is kept"));
    assert_int_equal(rct_recorder_write(recorder, solver, &sums, &error), RCT_OK);
    assert_int_equal(rct_recorder_close(recorder, 1, &error), RCT_OK);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_kept_is_what_was_there),
        cmocka_unit_test(test_the_cpu_keeps_nothing),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
