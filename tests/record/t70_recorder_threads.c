/* Frames larger than one thread writes at a time: for any number of threads the file has the
 * numbers of the solver, and its checksums hold; the same for files that several threads write at
 * once. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include <riccatree/check.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 20011, FRAMES = 3 };

static const double DT = 1e-4;

static rct_solver *solver_of(const rct_model *model, int32_t threads)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.threads = threads;
    return rct_solver_create(model, &options, NULL);
}

/* Whether it succeeded. */
static int record(const char *path, const rct_model *model, int32_t threads)
{
    rct_recorder_options options = rct_recorder_options_default();
    rct_solver *solver = solver_of(model, threads);
    options.frames = FRAMES;
    options.dt = DT;
    options.t_end = (FRAMES - 1) * DT;
    rct_recorder *recorder = rct_recorder_create(path, model, solver, &options, NULL);
    int good = recorder != NULL;
    for (int k = 0; k < FRAMES && good; k++) {
        good = rct_recorder_write(recorder, solver, NULL, NULL) == RCT_OK &&
               rct_solver_step(solver, DT, 1, NULL) == RCT_OK;
    }
    good = good && rct_recorder_close(recorder, 1, NULL) == RCT_OK;
    rct_solver_free(solver);
    return good;
}

/* Orientation, angular velocity and position of all frames, against those of a solver of one thread. */
static void expect_states(const char *path, const rct_model *model)
{
    static const struct {
        const char *name;
        int width;
    } series[] = {
        {"/frames/orientation", 4}, {"/frames/angular_velocity", 3}, {"/frames/position", 3}};
    const size_t n = BODIES;
    double *wanted = calloc(10 * n, sizeof *wanted), *got = calloc(FRAMES * 4 * n, sizeof *got);
    const hid_t file = recording_open(path);
    for (int s = 0; s < 3; s++) {
        const size_t width = (size_t)series[s].width, at = s == 0 ? 0 : s == 1 ? 4 * n : 7 * n;
        rct_solver *solver = solver_of(model, 1);
        recording_read(file, series[s].name, H5T_NATIVE_DOUBLE, got);
        for (size_t k = 0; k < FRAMES; k++) {
            rct_solver_get_state(solver, wanted, wanted + 4 * n, wanted + 7 * n, NULL);
            assert_memory_equal(got + k * width * n, wanted + at, width * n * sizeof *got);
            assert_int_equal(rct_solver_step(solver, DT, 1, NULL), RCT_OK);
        }
        rct_solver_free(solver);
    }
    H5Fclose(file);
    free(wanted);
    free(got);
}

static void expect_file(const char *path, const rct_model *model)
{
    rct_file_info info;
    rct_error error;
    if (rct_file_check(path, &info, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    assert_true(info.checked && info.complete && info.written == FRAMES);
    expect_states(path, model);
}

static rct_model *chain_of(rct_hinge_type hinge)
{
    rct_family family = rct_family_default();
    family.bodies = BODIES;
    family.hinge = hinge;
    family.perturb = 0.2;
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    return model;
}

static void check_hinges(rct_hinge_type hinge)
{
    rct_model *model = chain_of(hinge);
    for (int32_t threads = 1; threads <= 3; threads++) {
        const char *path = recording_path(0, "threads.h5");
        assert_true(record(path, model, threads));
        expect_file(path, model);
        recording_remove_files();
    }
    rct_model_free(model);
}

static void test_balls(void **state)
{
    (void)state;
    check_hinges(RCT_HINGE_BALL);
}

static void test_revolute(void **state)
{
    (void)state;
    check_hinges(RCT_HINGE_REVOLUTE);
}

typedef struct writer {
    const rct_model *model;
    char path[RECORDING_PATH];
    int good;
} writer;

static void *write_file(void *context)
{
    writer *w = context;
    w->good = record(w->path, w->model, 1);
    return NULL;
}

/* A file each. */
static void test_several_at_once(void **state)
{
    enum { WRITERS = 4 };
    (void)state;
    rct_model *model = chain_of(RCT_HINGE_BALL);
    writer writers[WRITERS];
    pthread_t thread[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        writers[i].model = model;
        snprintf(writers[i].path, sizeof writers[i].path, "%s/%d.h5", recording_directory(), i);
        assert_int_equal(pthread_create(&thread[i], NULL, write_file, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(thread[i], NULL);
        assert_true(writers[i].good);
    }
    for (int i = 0; i < WRITERS; i++) {
        expect_file(writers[i].path, model);
    }
    recording_remove_files();
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_revolute),
        cmocka_unit_test(test_several_at_once),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
