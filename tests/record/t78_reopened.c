/* Reopened recordings: frames recorded anew leave the bytes of a recording made in one go; a file
 * that is not the recording of the run is refused, and every failure leaves it unchanged. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "core/memory.h"
#include "record/file/call.h"
#include "record/file/disk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FRAMES = 6, STEPS_A_FRAME = 3 };

static void set_options(recording *f)
{
    f->options.frames = FRAMES;
    f->options.dt = 1e-3;
    f->options.t_end = 1.0;
    f->options.command_line = "a command";
}

/* Writes frames from `first` to before `end`, of a new solver; returns whether the file is then
 * complete. */
static void record(recording *f, rct_recorder *recorder, int64_t first, int64_t end, int complete)
{
    rct_error error;
    rct_solver *solver = recording_solver(f->model);
    for (int64_t k = 0; k < end; k++) {
        if (k >= first && rct_recorder_write(recorder, solver, NULL, &error) != RCT_OK) {
            fail_msg("%s", error.text);
        }
        assert_int_equal(rct_solver_step(solver, 1e-3, STEPS_A_FRAME, NULL), RCT_OK);
    }
    assert_int_equal(rct_recorder_close(recorder, complete, NULL), RCT_OK);
    rct_solver_free(solver);
}

static rct_recorder *reopen(recording *f, const char *path, int64_t frames, rct_error *error)
{
    return rct_recorder_reopen(path, f->model, f->solver, &f->options, frames, error);
}

static void refused(recording *f, const char *path, int64_t frames, rct_status status,
                    const char *says)
{
    rct_error error = {.status = RCT_OK};
    assert_null(reopen(f, path, frames, &error));
    assert_int_equal(error.status, status);
    if (strstr(error.text, says) == NULL || strchr(error.text, '\n') != NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, says);
    }
}

static char *read_file(const char *path, size_t *size)
{
    struct stat found;
    assert_int_equal(stat(path, &found), 0);
    char *bytes = malloc((size_t)found.st_size);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *size = fread(bytes, 1, (size_t)found.st_size, file);
    fclose(file);
    return bytes;
}

static void expect_bytes(const char *path, const char *wanted, size_t size)
{
    size_t found = 0;
    char *bytes = read_file(path, &found);
    assert_int_equal(found, size);
    assert_memory_equal(bytes, wanted, size);
    free(bytes);
}

static void test_frames_recorded_again_leave_the_same_bytes(void **state)
{
    recording *f = *state;
    size_t size = 0;
    rct_error error;
    const char *path = recording_path(0, "a.h5");
    set_options(f);
    record(f, recording_create(f, path, NULL), 0, FRAMES, 1);
    char *wanted = read_file(path, &size);
    for (int64_t frames = 0; frames <= FRAMES; frames++) {
        rct_recorder *recorder = reopen(f, path, frames, &error);
        assert_non_null(recorder);
        assert_int_equal(recording_frames_written(path), frames);
        assert_int_equal(recording_complete(path), 0);
        record(f, recorder, frames, FRAMES, 1);
        expect_bytes(path, wanted, size);
    }
    free(wanted);
}

static void test_a_recording_broken_off_goes_on(void **state)
{
    recording *f = *state;
    size_t size = 0, whole = 0;
    rct_error error;
    const char *path = recording_path(0, "a.h5"), *other = recording_path(1, "b.h5");
    set_options(f);
    record(f, recording_create(f, path, NULL), 0, 4, 0);
    record(f, reopen(f, path, 3, &error), 3, FRAMES, 1);
    record(f, recording_create(f, other, NULL), 0, FRAMES, 1);
    char *a = read_file(path, &size), *b = read_file(other, &whole);
    int64_t different = 0;
    assert_int_equal(size, whole);
    for (size_t k = 0; k < size; k++) {
        different += a[k] != b[k];
    }
    assert_true(different <= 20); /* of the time they were made at */
    free(a);
    free(b);
}

static void test_what_is_not_the_recording_of_the_run(void **state)
{
    recording *f = *state;
    rct_error error;
    const char *path = recording_path(0, "a.h5");
    set_options(f);
    record(f, recording_create(f, path, NULL), 0, 4, 0);
    refused(f, recording_path(1, "b.h5"), 0, RCT_ERROR_IO, "b.h5: there is no such recording");
    refused(f, recording_path(1, "a.h5/b"), 0, RCT_ERROR_IO, "cannot open the file: Not a");
    refused(f, path, 5, RCT_ERROR_IO, "holds 4 frames, but the run continues from 5");
    refused(f, path, FRAMES + 1, RCT_ERROR_ARGUMENT,
            "give 0 to 6, the number of frames of the file");
    refused(f, path, -1, RCT_ERROR_ARGUMENT, "-1 frames to continue from");
    f->options.frames = FRAMES + 1;
    refused(f, path, 4, RCT_ERROR_IO, "its dataset orientation has another shape");
    set_options(f);
    f->options.dt = 2e-3;
    refused(f, path, 4, RCT_ERROR_IO, "not the recording of this run: its attribute dt differs");
    set_options(f);
    f->options.command_line = "another";
    refused(f, path, 4, RCT_ERROR_IO, "its attribute command_line differs");
    set_options(f);
    rct_model *chain = recording_chain(2, 0);
    assert_null(rct_recorder_reopen(path, chain, f->solver, &f->options, 1, &error));
    assert_non_null(strstr(error.text, "made for 2 bodies, but the solver has 5"));
    rct_model_free(chain);
    recording_write_text(recording_path(1, "text"), "not an HDF5");
    refused(f, recording_path(1, "text"), 0, RCT_ERROR_IO,
            "is not a recording: it does not begin like one");
    assert_int_equal(recording_frames_written(path), 4);
}

/* Each step, transfer and allocation fails in turn: the file keeps its frames. */
static void test_whatever_fails_leaves_it_as_it_was(void **state)
{
    static void (*const fail_after[])(int64_t) = {rct_call_fail_after, rct_allocate_fail_after,
                                                  rct_disk_fail_after};
    static const int64_t least[] = {100, 3, 1}; /* ways to fail */
    recording *f = *state;
    rct_error error;
    const char *path = recording_path(0, "a.h5");
    set_options(f);
    record(f, recording_create(f, path, NULL), 0, 4, 0);
    for (int kind = 0; kind < 3; kind++) {
        rct_recorder *recorder = NULL;
        int64_t k = 0;
        for (; recorder == NULL; k++) {
            fail_after[kind](k);
            recorder = reopen(f, path, 4, &error);
            fail_after[kind](-1);
            assert_true(recorder != NULL || error.text[0] != '\0');
            assert_int_equal(recording_frames_written(path), 4);
            assert_int_equal(recording_count_files(NULL), 1);
        }
        assert_true(k > least[kind]);
        assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    }
}

static void test_bringing_frames_to_the_disk_can_fail(void **state)
{
    recording *f = *state;
    rct_error error;
    set_options(f);
    rct_recorder *recorder = recording_create(f, recording_path(0, "a.h5"), NULL);
    for (int64_t k = 0; k < 2; k++) {
        rct_call_fail_after(k);
        assert_int_equal(rct_recorder_sync(recorder, &error), RCT_ERROR_IO);
        assert_non_null(strstr(error.text, "cannot bring it to the disk"));
    }
    rct_call_fail_after(-1);
    assert_int_equal(rct_recorder_sync(recorder, &error), RCT_OK);
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
}

#define RECORDER_TEST(name) cmocka_unit_test_setup_teardown(name, recording_begin, recording_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RECORDER_TEST(test_frames_recorded_again_leave_the_same_bytes),
        RECORDER_TEST(test_a_recording_broken_off_goes_on),
        RECORDER_TEST(test_what_is_not_the_recording_of_the_run),
        RECORDER_TEST(test_whatever_fails_leaves_it_as_it_was),
        RECORDER_TEST(test_bringing_frames_to_the_disk_can_fail),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
