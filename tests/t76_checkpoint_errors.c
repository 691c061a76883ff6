/* Checkpoints: a file that is none, or damaged in any byte, or of another run is refused in one line; whatever fails
 * while one is written, the one before it stays. */
#define _GNU_SOURCE 1 /* memmem() */

#include "cmocka_all.h"
#include "recording.h"

#include "core/memory.h"
#include "record/call.h"
#include "support/damage.h"
#include "support/draw.h"

#include <riccatree/riccatree.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HEAD_VERSION = 8, HEAD_STATE_BYTES = 64 }; /* where they stand in the file */
enum { KILLS = 20 };

static rct_solver *make_solver(const rct_model *model, const rct_solver_options *options)
{
    rct_error error;
    rct_solver *solver = rct_solver_create(model, options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static void expect_ok(rct_status status, const rct_error *error)
{
    if (status != RCT_OK) {
        fail_msg("%s", error->text);
    }
}

static void write_checkpoint(const char *path, const rct_model *model, const rct_solver *solver,
                             int64_t steps)
{
    rct_error error;
    rct_checkpoint_writer *writer = rct_checkpoint_writer_create(path, model, solver, &error);
    if (writer == NULL) {
        fail_msg("%s", error.text);
    }
    expect_ok(rct_checkpoint_write(writer, steps, "a note", 7, &error), &error);
    rct_checkpoint_writer_free(writer);
}

/* ---- what is refused ----------------------------------------------------------------------- */

static void refused(const char *path, rct_status status, const char *says)
{
    rct_error error = {.status = RCT_OK};
    assert_null(rct_checkpoint_open(path, &error));
    assert_int_equal(error.status, status);
    damage_expect_line(&error, says);
}

/* A checkpoint of the small system; its bytes, to be freed. */
static char *small_checkpoint(const recording *f, const char *path, size_t *size)
{
    write_checkpoint(path, f->model, f->solver, 0);
    return damage_read(path, size);
}

static rct_status open_one(void *path, rct_error *error)
{
    rct_checkpoint *checkpoint = rct_checkpoint_open(path, error);
    rct_checkpoint_close(checkpoint);
    return checkpoint != NULL ? RCT_OK : error->status;
}

static const char *flipped(size_t at)
{
    return at < 8    ? "is no checkpoint"
           : at < 16 ? "a checkpoint of format version"
           : at < 24 ? "bytes, and says"
                     : "is damaged: its checksum is";
}

static const char *cut(size_t at)
{
    return at < 8 ? "is no checkpoint" : "is cut short";
}

static void test_every_flipped_byte_and_prefix_is_refused(void **state)
{
    recording *f = *state;
    size_t size = 0;
    char *path = (char *)recording_path(0, "a.ck");
    char *bytes = small_checkpoint(f, path, &size);
    damage_flip(path, 0, size, open_one, path, flipped);
    FILE *file = fopen(path, "ab");
    fputc(0, file);
    fclose(file);
    refused(path, RCT_ERROR_IO, "is damaged: it has");
    damage_write(path, bytes, size);
    damage_cut(path, 0, size, 1, open_one, path, cut);
    free(bytes);
}

static void test_files_that_are_none(void **state)
{
    recording *f = *state;
    size_t size = 0;
    rct_error error;
    const char *path = recording_path(0, "a.ck"), *other = recording_path(1, "a.ck.previous");
    refused(path, RCT_ERROR_IO, "a.ck: there is no such checkpoint");
    free(small_checkpoint(f, other, &size));
    refused(path, RCT_ERROR_IO, "but one before it, with .previous behind its name");
    refused(recording_directory(), RCT_ERROR_IO, "is not a regular file");
    assert_int_equal(mkfifo(recording_path(2, "pipe"), 0666), 0); /* nobody writes to it */
    refused(recording_path(2, "pipe"), RCT_ERROR_IO, "is not a regular file");
    recording_write_text(path, "{ \"riccatree\": 1 }");
    refused(path, RCT_ERROR_IO, "is no checkpoint: it does not begin like one");
    refused("", RCT_ERROR_IO, "there is no such checkpoint");
    assert_null(rct_checkpoint_writer_create("", f->model, f->solver, &error));
    damage_expect_line(&error, "no path for the checkpoint");
    assert_null(rct_checkpoint_writer_create(recording_directory(), f->model, f->solver, &error));
    damage_expect_line(&error, "is not a regular file; choose another name");
}

/* Files whole by their checksum that another build, another format or nobody made. */
static void test_other_builds_and_forged_files(void **state)
{
    recording *f = *state;
    size_t size = 0;
    const char *path = recording_path(0, "a.ck");
    char *bytes = small_checkpoint(f, path, &size);
    bytes[HEAD_VERSION] = 2;
    damage_write_forged(path, bytes, size);
    refused(path, RCT_ERROR_UNSUPPORTED, "format version 2 with 5 parts; this library reads");
    bytes[HEAD_VERSION] = 1;

    char *build = memmem(bytes, size, rct_build(), strlen(rct_build()));
    assert_non_null(build);
    build[0] = '9';
    damage_write_forged(path, bytes, size);
    refused(path, RCT_ERROR_UNSUPPORTED, "made by another build, which may round otherwise: 9.");
    refused(path, RCT_ERROR_UNSUPPORTED, rct_build());
    build[0] = rct_build()[0];

    for (int64_t more = -8; more <= 8; more += 16) {
        int64_t stated = 0;
        memcpy(&stated, bytes + HEAD_STATE_BYTES, sizeof stated);
        stated += more;
        memcpy(bytes + HEAD_STATE_BYTES, &stated, sizeof stated);
        damage_write_forged(path, bytes, size);
        refused(path, RCT_ERROR_IO, "its parts do not make up the whole");
        stated -= more;
        memcpy(bytes + HEAD_STATE_BYTES, &stated, sizeof stated);
    }
    damage_write_forged(path, bytes, size);
    rct_checkpoint *whole = rct_checkpoint_open(path, NULL); /* as it was */
    assert_non_null(whole);
    rct_checkpoint_close(whole);
    free(bytes);
}

/* Restoring must fail, and leave the solver as it is. */
static void not_restored(const char *path, const rct_model *model,
                         const rct_solver_options *options, const char *says)
{
    double before[4 * RECORDING_BODIES], after[4 * RECORDING_BODIES];
    rct_error error = {.status = RCT_OK};
    rct_checkpoint *checkpoint = rct_checkpoint_open(path, NULL);
    assert_non_null(checkpoint);
    rct_solver *solver = make_solver(model, options);
    assert_int_equal(rct_solver_step(solver, 1e-3, 1, NULL), RCT_OK);
    rct_solver_get_state(solver, before, NULL, NULL, NULL);
    assert_int_equal(rct_checkpoint_restore(checkpoint, model, solver, &error), RCT_ERROR_ARGUMENT);
    damage_expect_line(&error, says);
    rct_solver_get_state(solver, after, NULL, NULL, NULL);
    assert_memory_equal(before, after, sizeof before);
    assert_true(rct_solver_time(solver) == 1e-3);
    rct_solver_free(solver);
    rct_checkpoint_close(checkpoint);
}

static void test_other_models_and_options_are_refused(void **state)
{
    recording *f = *state;
    rct_error error;
    const char *path = recording_path(0, "a.ck");
    rct_solver_options options = rct_solver_options_default();
    options.lanes = 2;
    rct_solver *solver = make_solver(f->model, &options);
    write_checkpoint(path, f->model, solver, 0);
    rct_model *chain = recording_chain(5, 0), *heavier = recording_model();
    rct_model *two = recording_chain(2, 0);
    not_restored(path, chain, &options, "is of another model: its \"  \"name\": \"small\",\" is");
    assert_int_equal(rct_model_set_gravity(heavier, (const double[]){0.5, 0.0, -9.5}, NULL),
                     RCT_OK);
    not_restored(path, heavier, &options,
                 "\"gravity\": [0.5, 0.0, -9.0],\" is \"  \"gravity\": [0.5, 0.0, -9.5],\" here");
    assert_null(rct_checkpoint_writer_create(path, two, solver, &error));
    damage_expect_line(&error, "the model has 2 bodies, but the solver 5");

    options.lanes = 1;
    not_restored(path, f->model, &options, "its \"lanes 2\" is \"lanes 1\" here");
    options.lanes = 2;
    options.method = RCT_METHOD_RICCATI;
    not_restored(path, f->model, &options, "its \"method abi\" is \"method riccati\" here");
    options.method = RCT_METHOD_ABI;
    options.segment = 2;
    not_restored(path, f->model, &options, "is of another solver: its \"segment");
    options.segment = RCT_SEGMENT_AUTO;
    options.user_forces = 1;
    not_restored(path, f->model, &options, "its \"mixed 0\" is \"mixed 1\" here");
    options.user_forces = 0;
    options.junction = RCT_JUNCTION_HOST;
    not_restored(path, f->model, &options, "its \"option junction 0\" is \"option junction 1\"");
    rct_solver_free(solver);
    rct_model_free(chain);
    rct_model_free(two);
    rct_model_free(heavier);
}

/* ---- what fails ---------------------------------------------------------------------------- */

/* After how many steps the checkpoint there was written; it is whole. */
static int64_t steps_of(const char *path)
{
    rct_error error;
    rct_checkpoint_info info;
    rct_checkpoint *checkpoint = rct_checkpoint_open(path, &error);
    if (checkpoint == NULL) {
        fail_msg("%s", error.text);
    }
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

/* A process that writes one after the other, killed: there is always a whole one. */
static void test_killed_at_any_time(void **state)
{
    recording *f = *state;
    uint64_t random = 3;
    int64_t last = 0;
    const char *path = recording_path(0, "a.ck");
    write_checkpoint(path, f->model, f->solver, last);
    for (int k = 0; k < KILLS; k++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            rct_checkpoint_writer *writer =
                rct_checkpoint_writer_create(path, f->model, f->solver, NULL);
            for (int64_t steps = last + 1;; steps++) {
                rct_checkpoint_write(writer, steps, "", 0, NULL);
            }
        }
        const struct timespec wait = {0, 1000 * (int64_t)(draw_bits(&random) % 40000)};
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
        assert_int_equal(recording_count_files(NULL), 1);
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
        CHECKPOINT_TEST(test_every_flipped_byte_and_prefix_is_refused),
        CHECKPOINT_TEST(test_files_that_are_none),
        CHECKPOINT_TEST(test_other_builds_and_forged_files),
        CHECKPOINT_TEST(test_other_models_and_options_are_refused),
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
