/* Recorder under outside faults: killed at any time, disks too small. Earlier frames stay; a file
 * that cannot be made leaves nothing. */
#define _GNU_SOURCE 1 /* unshare() */

#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = RECORDING_BODIES };

/* ---- killed ------------------------------------------------------------------------------ */

enum { KILLED_ROOM = 20000, KILLS = 24 };

/* Records without end; reports in `acknowledged` how many frames the recorder has taken. */
static void record_until_killed(const char *path, volatile int64_t *acknowledged)
{
    rct_model *model = recording_model();
    rct_solver *solver = recording_solver(model);
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = KILLED_ROOM;
    rct_recorder *recorder = rct_recorder_create(path, model, solver, &options, NULL);
    while (recorder != NULL && rct_recorder_write(recorder, solver, NULL, NULL) == RCT_OK) {
        ++*acknowledged;
        rct_solver_step(solver, 0.001, 1, NULL);
    }
    for (;;) {
        pause();
    }
}

/* Every counted frame of the file is the solver's state, bit for bit. */
static void expect_whole_frames(recording *f, const char *path, int64_t acknowledged)
{
    const int64_t count = recording_frames_written(path);
    assert_true(count == acknowledged || count == acknowledged + 1);
    assert_int_equal(recording_complete(path), 0);
    double(*got)[N][4] = calloc(KILLED_ROOM, sizeof *got);
    double(*momentum)[3] = calloc(KILLED_ROOM, sizeof *momentum);
    const hid_t file = recording_open(path);
    recording_read(file, "/frames/orientation", H5T_NATIVE_DOUBLE, got);
    recording_read(file, "/frames/angular_momentum_change", H5T_NATIVE_DOUBLE, momentum);
    assert_true(H5Fclose(file) >= 0);
    rct_solver *solver = recording_solver(f->model);
    rct_measures first, m;
    rct_solver_measure(solver, &first);
    for (int64_t k = 0; k < count; k++) {
        double q[N][4];
        rct_solver_get_state(solver, q[0], NULL, NULL, NULL);
        rct_solver_measure(solver, &m);
        assert_memory_equal(got[k], q, sizeof q);
        assert_true(momentum[k][1] == m.angular_momentum[1] - first.angular_momentum[1]);
        rct_solver_step(solver, 0.001, 1, NULL);
    }
    rct_solver_free(solver);
    free(got);
    free(momentum);
}

static void sleep_us(int64_t microseconds)
{
    const struct timespec wait = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&wait, NULL);
}

static void test_killed_at_any_time(void **state)
{
    recording *f = *state;
    int recorded = 0;
    volatile int64_t *acknowledged =
        mmap(NULL, sizeof *acknowledged, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    srand(1);
    for (int k = 0; k < KILLS; k++) {
        const char *path = recording_path(0, "killed.h5");
        *acknowledged = 0;
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            record_until_killed(path, acknowledged);
        }
        /* one in four while the file is being made, the others while frames are written */
        while (k % 4 != 0 && *acknowledged == 0) {
            sleep_us(100);
        }
        sleep_us(rand() % (k % 4 != 0 ? 40000 : 20000));
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        if (access(path, F_OK) == 0) {
            expect_whole_frames(f, path, *acknowledged);
            recorded += *acknowledged > 0;
        } else {
            assert_int_equal(*acknowledged, 0);
        }
        recording_remove_files();
    }
    munmap((void *)acknowledged, sizeof *acknowledged);
    assert_true(recorded >= KILLS / 2);
}

/* ---- disks too small --------------------------------------------------------------------- */

static void test_space_that_is_not_there(void **state)
{
    recording *f = *state;
    const char *path = recording_path(0, "big.h5");
    f->options.frames = 1000;
    for (rlim_t limit = 0; limit < 400000; limit = 2 * limit + 500) {
        recording_limit(limit);
        recording_refused(f, path, RCT_ERROR_IO, "File too large; free space");
        recording_limit(RLIM_INFINITY);
        assert_int_equal(recording_count_files(NULL), 0);
    }
    f->options.frames = INT64_C(1) << 40; /* statvfs knows better */
    recording_refused(f, path, RCT_ERROR_IO, "No space left on device; free space");
    f->options.frames = INT64_MAX;
    recording_refused(f, path, RCT_ERROR_IO, "9223372036854775807 bytes");
    assert_int_equal(recording_count_files(NULL), 0);

    f->options.overwrite = 1; /* the older file survives */
    recording_write_text(path, "older");
    recording_refused(f, path, RCT_ERROR_IO, "No space left");
    recording_expect_text(path, "older");
    assert_int_equal(recording_count_files(NULL), 1);
}

static void test_a_write_that_fails_can_be_tried_again(void **state)
{
    recording *f = *state;
    rct_error error;
    const char *path = recording_path(0, "late.h5");
    rct_recorder *recorder = recording_create(f, path, NULL);
    assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, NULL), RCT_OK);
    recording_limit(4096);
    assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, &error), RCT_ERROR_IO);
    recording_limit(RLIM_INFINITY);
    assert_non_null(strstr(error.text, "late.h5: frame 1 is not recorded"));
    assert_non_null(strstr(error.text, "File too large"));
    assert_non_null(strstr(error.text, "the frames before it are kept"));
    assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, NULL), RCT_OK);
    recording_limit(4096);
    assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, NULL), RCT_ERROR_IO);
    recording_limit(RLIM_INFINITY);
    assert_int_equal(rct_recorder_close(recorder, 1, &error), RCT_ERROR_IO);
    assert_non_null(strstr(error.text, "is left incomplete: frame 2"));
    assert_int_equal(recording_frames_written(path), 2);
    assert_int_equal(recording_complete(path), 0);
}

/* A small disk of its own over the tests' directory, seen by this process only; 0: not allowed. */
static int mount_small_disk(void)
{
    static int private = 0;
    private = private ||
              (unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
    return private && mount("none", recording_directory(), "tmpfs", 0, "size=256k") == 0;
}

/* Writes into a file of its own until the disk is full. */
static void fill_disk(void)
{
    char block[4096] = "junk";
    const int file = open(recording_path(1, "junk"), O_WRONLY | O_CREAT, 0666);
    assert_true(file >= 0);
    while (write(file, block, sizeof block) > 0) {
    }
    close(file);
}

static void test_small_disk(void **state)
{
    recording *f = *state;
    const char *path = recording_path(0, "a.h5");
    if (!mount_small_disk()) {
        skip();
    }
    f->options.frames = 1000;
    recording_refused(f, path, RCT_ERROR_IO, "No space left on device");
    assert_int_equal(recording_count_files(NULL), 0);
    f->options.frames = 50;
    rct_recorder *recorder = recording_create(f, path, NULL);
    assert_non_null(recorder);
    fill_disk(); /* what is reserved stays reserved */
    for (int k = 0; k < 50; k++) {
        assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, NULL), RCT_OK);
    }
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    f->options.overwrite = 1;
    recording_refused(f, path, RCT_ERROR_IO, "No space left on device");
    assert_int_equal(recording_frames_written(path), 50);
    assert_int_equal(recording_complete(path), 1);
    assert_int_equal(recording_count_files(".part"), 0);
    assert_int_equal(umount(recording_directory()), 0);
}

#define RECORDER_TEST(name) cmocka_unit_test_setup_teardown(name, recording_begin, recording_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RECORDER_TEST(test_killed_at_any_time),
        RECORDER_TEST(test_space_that_is_not_there),
        RECORDER_TEST(test_a_write_that_fails_can_be_tried_again),
        RECORDER_TEST(test_small_disk),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
