/* Writing and reading checkpoints when an operation fails or the process is killed: the previous
 * checkpoint stays. */
#define _GNU_SOURCE 1 /* memmem() */

#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "core/memory.h"
#include "record/file/call.h"
#include "tests/record/checkpoint_case.h"
#include "tests/support/draw.h"
#include "tests/support/faults/damage.h"

#include <riccatree/riccatree.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KILLS = 20 };

/* The number of steps of the checkpoint; it is complete. */
static int64_t steps_of(const char *path)
{
    rct_checkpoint_info info;
    rct_checkpoint *checkpoint = open_checkpoint(path);
    rct_checkpoint_get_info(checkpoint, &info);
    rct_checkpoint_close(checkpoint);
    return info.steps;
}

static void test_the_one_before_is_kept(void **state)
{
    recording *f = *state;
    struct stat found;
    const char *path = recording_path(0, "a.ck"), *before = recording_path(1, "a.ck.previous");
    const char *link = recording_path(2, "link.ck");
    for (int64_t k = 0; k < 3; k++) {
        write_checkpoint(path, f->model, f->solver, k);
        assert_int_equal(steps_of(path), k);
        assert_true(k == 0 || steps_of(before) == k - 1);
        assert_int_equal(recording_count_files(NULL), k == 0 ? 1 : 2);
    }
    assert_int_equal(symlink(path, link), 0); /* the file goes, the link stays */
    write_checkpoint(link, f->model, f->solver, 3);
    assert_int_equal(lstat(link, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_int_equal(steps_of(path), 3);
    assert_int_equal(steps_of(before), 2);
    assert_int_equal(unlink(path), 0); /* to what is not there */
    write_checkpoint(link, f->model, f->solver, 4);
    assert_int_equal(lstat(link, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_int_equal(steps_of(path), 4);
}

static void test_every_step_of_writing_can_fail(void **state)
{
    recording *f = *state;
    rct_error error;
    rct_status status = RCT_ERROR_IO;
    int64_t k = 0;
    const char *path = recording_path(0, "a.ck");
    rct_checkpoint_writer *writer = rct_checkpoint_writer_create(path, f->model, f->solver, NULL);
    assert_int_equal(rct_checkpoint_write(writer, 1, "", 0, NULL), RCT_OK);
    for (; status != RCT_OK; k++) {
        rct_call_fail_after(k);
        status = rct_checkpoint_write(writer, 2, "", 0, &error);
        rct_call_fail_after(-1);
        assert_true(status == RCT_OK || strstr(error.text, "told to by a test") != NULL);
        const int64_t there = steps_of(path);
        assert_true(there == 1 || (there == 2 && (status == RCT_OK || k > 10)));
        assert_int_equal(recording_count_files(".part"), 0);
    }
    assert_true(k > 10);
    rct_checkpoint_writer_free(writer);
}

static void test_every_step_of_reading_can_fail(void **state)
{
    recording *f = *state;
    rct_error error;
    rct_checkpoint *checkpoint = NULL;
    const char *path = recording_path(0, "a.ck");
    write_checkpoint(path, f->model, f->solver, 1);
    int64_t k = 0;
    for (; checkpoint == NULL; k++) {
        rct_call_fail_after(k);
        checkpoint = rct_checkpoint_open(path, &error);
        rct_call_fail_after(-1);
        assert_true(checkpoint != NULL || strstr(error.text, "told to by a test") != NULL);
    }
    assert_true(k > 2);
    rct_checkpoint_close(checkpoint);
}

static void test_every_allocation_can_fail(void **state)
{
    recording *f = *state;
    rct_error error;
    const char *path = recording_path(0, "a.ck");
    rct_checkpoint_writer *writer = NULL;
    for (int64_t k = 0; writer == NULL; k++) {
        rct_allocate_fail_after(k);
        writer = rct_checkpoint_writer_create(path, f->model, f->solver, &error);
        rct_allocate_fail_after(writer != NULL ? 0 : -1);
        assert_true(writer != NULL || error.status == RCT_ERROR_MEMORY);
    }
    assert_int_equal(rct_checkpoint_write(writer, 0, "", 0, NULL), RCT_OK); /* allocates nothing */
    rct_checkpoint_writer_free(writer);
    rct_checkpoint *checkpoint = NULL;
    for (int64_t k = 0; checkpoint == NULL; k++) {
        rct_allocate_fail_after(k);
        checkpoint = rct_checkpoint_open(path, &error);
        assert_true(checkpoint != NULL || error.status == RCT_ERROR_MEMORY);
    }
    rct_allocate_fail_after(0);
    assert_int_equal(rct_checkpoint_restore(checkpoint, f->model, f->solver, &error),
                     RCT_ERROR_MEMORY);
    assert_null(rct_checkpoint_model(checkpoint, &error));
    assert_int_equal(error.status, RCT_ERROR_MEMORY);
    rct_allocate_fail_after(-1);
    assert_int_equal(rct_checkpoint_restore(checkpoint, f->model, f->solver, &error), RCT_OK);
    rct_checkpoint_close(checkpoint);
}

/* A process that writes checkpoints one after the other is killed: there is always a complete
 * one. */
static void test_killed_at_any_time(void **state)
{
    recording *f = *state;
    uint64_t random = 3;
    int64_t last = 0;
    const char *path = recording_path(0, "a.ck");
    write_checkpoint(path, f->model, f->solver, last);
    for (int k = 0; k < KILLS || (last == 0 && k < 20 * KILLS); k++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            rct_checkpoint_writer *writer =
                rct_checkpoint_writer_create(path, f->model, f->solver, NULL);
            for (int64_t steps = last + 1;; steps++) {
                rct_checkpoint_write(writer, steps, "", 0, NULL);
            }
        }
        /* up to 40 ms; longer the longer nothing gets whole, as where a disk is slow */
        const int64_t most = last > 0 ? 40000 : 40000 + 2000 * (int64_t)k;
        const struct timespec wait = {0, 1000 * (int64_t)(draw_bits(&random) % (uint64_t)most)};
        nanosleep(&wait, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_true(steps_of(path) >= last);
        last = steps_of(path);
    }
    assert_true(last > 0);
    write_checkpoint(path, f->model, f->solver, 1); /* over a part that may be left */
    assert_int_equal(steps_of(path), 1);
    assert_int_equal(recording_count_files(".part"), 0);
}

static void test_space_that_is_not_there(void **state)
{
    recording *f = *state;
    rct_error error;
    size_t size = 0;
    const char *path = recording_path(0, "a.ck");
    free(small_checkpoint(f, path, &size));
    rct_checkpoint_writer *writer = rct_checkpoint_writer_create(path, f->model, f->solver, NULL);
    for (size_t limit = 0; limit < size; limit += 97) {
        recording_limit(limit);
        const rct_status status = rct_checkpoint_write(writer, 1, "a note", 7, &error);
        recording_limit(RLIM_INFINITY);
        assert_int_equal(status, RCT_ERROR_IO);
        damage_expect_line(&error, "a.ck: cannot write the checkpoint: File too large; free space");
        assert_int_equal(steps_of(path), 0);
        assert_int_equal(recording_count_files(NULL), 2); /* with the lock */
    }
    rct_checkpoint_writer_free(writer);
}

static void test_small_disk(void **state)
{
    recording *f = *state;
    rct_error error;
    char junk[4096] = "junk";
    rct_status status = RCT_OK;
    const char *path = recording_path(0, "a.ck");
    if (!damage_small_disk(recording_directory())) {
        skip();
    }
    write_checkpoint(path, f->model, f->solver, 5);
    const int file = open(recording_path(1, "junk"), O_WRONLY | O_CREAT, 0666);
    while (write(file, junk, sizeof junk) > 0) {
    }
    rct_checkpoint_writer *writer = rct_checkpoint_writer_create(path, f->model, f->solver, NULL);
    status = rct_checkpoint_write(writer, 6, "", 0, &error);
    assert_int_equal(status, RCT_ERROR_IO);
    damage_expect_line(&error, "No space left on device; free space or choose another disk");
    assert_int_equal(steps_of(path), 5);
    assert_int_equal(ftruncate(file, 0), 0); /* and when there is space again */
    assert_int_equal(rct_checkpoint_write(writer, 6, "", 0, &error), RCT_OK);
    assert_int_equal(steps_of(path), 6);
    close(file);
    rct_checkpoint_writer_free(writer);
    recording_remove_files();
    assert_int_equal(umount(recording_directory()), 0);
}

#define CHECKPOINT_TEST(name) cmocka_unit_test_setup_teardown(name, recording_begin, recording_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECKPOINT_TEST(test_the_one_before_is_kept),
        CHECKPOINT_TEST(test_every_step_of_writing_can_fail),
        CHECKPOINT_TEST(test_every_step_of_reading_can_fail),
        CHECKPOINT_TEST(test_every_allocation_can_fail),
        CHECKPOINT_TEST(test_killed_at_any_time),
        CHECKPOINT_TEST(test_space_that_is_not_there),
        CHECKPOINT_TEST(test_small_disk),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
