/* Refused checkpoints: files that are not checkpoints, damaged in any byte, or of another run; each
 * gives a one-line message. */
#define _GNU_SOURCE 1 /* memmem() */

#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "tests/record/checkpoint_case.h"
#include "tests/support/faults/damage.h"

#include <riccatree/riccatree.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_VERSION = 8, HEAD_STATE_BYTES = 64 }; /* where they stand in the file */

static void refused(const char *path, rct_status status, const char *says)
{
    rct_error error = {.status = RCT_OK};
    assert_null(rct_checkpoint_open(path, &error));
    assert_int_equal(error.status, status);
    damage_expect_line(&error, says);
}

static rct_status open_one(void *path, rct_error *error)
{
    rct_checkpoint *checkpoint = rct_checkpoint_open(path, error);
    rct_checkpoint_close(checkpoint);
    return checkpoint != NULL ? RCT_OK : error->status;
}

static const char *flipped(size_t at)
{
    return at < 8    ? "is not a checkpoint"
           : at < 16 ? "a checkpoint of format version"
           : at < 24 ? "bytes, and its head says"
                     : "is damaged: its checksum is";
}

static const char *cut(size_t at)
{
    return at < 8 ? "is not a checkpoint" : "is cut short";
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
    refused(path, RCT_ERROR_IO,
            "but the one before it exists; continue from that: riccatree resume /");
    refused(recording_directory(), RCT_ERROR_IO, "is not a regular file");
    assert_int_equal(mkfifo(recording_path(2, "pipe"), 0666), 0); /* nobody writes to it */
    refused(recording_path(2, "pipe"), RCT_ERROR_IO, "is not a regular file");
    recording_write_text(path, "{ \"riccatree\": 1 }");
    refused(path, RCT_ERROR_IO, "is not a checkpoint: it does not begin like one");
    refused("", RCT_ERROR_IO, "there is no such checkpoint");
    assert_null(rct_checkpoint_writer_create("", f->model, f->solver, &error));
    damage_expect_line(&error, "no path for the checkpoint");
    assert_null(rct_checkpoint_writer_create(recording_directory(), f->model, f->solver, &error));
    damage_expect_line(&error, "is not a regular file; choose another name");
}

/* Files with a valid checksum, of another build, of another format or invented. */
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
        refused(path, RCT_ERROR_IO, "its parts do not add up to the whole");
        stated -= more;
        memcpy(bytes + HEAD_STATE_BYTES, &stated, sizeof stated);
    }
    damage_write_forged(path, bytes, size);
    rct_checkpoint *whole = rct_checkpoint_open(path, NULL); /* as it was */
    assert_non_null(whole);
    rct_checkpoint_close(whole);
    free(bytes);
}

/* Restoring must fail, and leave the solver unchanged. */
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
    not_restored(path, chain, &options,
                 "belongs to another model: name is \"small\" in the file, ");
    assert_int_equal(rct_model_set_gravity(heavier, (const double[]){0.5, 0.0, -9.5}, NULL),
                     RCT_OK);
    not_restored(path, heavier, &options,
                 "belongs to another model: gravity[2] is -9.0 in the file, but -9.5 now; give the "
                 "model and options that it was made from");
    assert_null(rct_checkpoint_writer_create(path, two, solver, &error));
    damage_expect_line(&error, "the model has 2 bodies, but the solver has 5");
    rct_checkpoint_writer *writer = rct_checkpoint_writer_create(path, f->model, solver, &error);
    assert_int_equal(rct_checkpoint_write(writer, -5, "", 0, &error), RCT_ERROR_ARGUMENT);
    damage_expect_line(&error, "-5 steps: give the number of steps made, 0 or more");
    rct_checkpoint_writer_free(writer);

    options.lanes = 1;
    not_restored(path, f->model, &options, "its \"option lanes 2\" is \"option lanes 1\"");
    options.lanes = 2;
    options.method = RCT_METHOD_RICCATI;
    not_restored(path, f->model, &options, "its \"method abi\" is \"method riccati\" here");
    options.method = RCT_METHOD_ABI;
    options.segment = 2;
    not_restored(path, f->model, &options,
                 "belongs to another solver: its \"lanes 1\" is \"lanes 2\"");
    options.segment = RCT_SEGMENT_AUTO;
    options.user_forces = 1;
    not_restored(path, f->model, &options,
                 "its \"option user_forces 0\" is \"option user_forces 1\"");
    options.user_forces = 0;
    options.junction = RCT_JUNCTION_HOST;
    not_restored(path, f->model, &options, "its \"option junction 0\" is \"option junction 1\"");
    rct_solver_free(solver);
    rct_model_free(chain);
    rct_model_free(two);
    rct_model_free(heavier);
}

#define CHECKPOINT_TEST(name) cmocka_unit_test_setup_teardown(name, recording_begin, recording_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECKPOINT_TEST(test_every_flipped_byte_and_prefix_is_refused),
        CHECKPOINT_TEST(test_files_that_are_none),
        CHECKPOINT_TEST(test_other_builds_and_forged_files),
        CHECKPOINT_TEST(test_other_models_and_options_are_refused),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
