/* Checkpoints of ensembles: what is read is what was written, the farthest of what overlaps is chosen; a file that is none,
 * damaged in any byte or of another ensemble is refused in one line; whatever fails, the one before it stays. */
#define _GNU_SOURCE 1 /* memmem() */

#include "cmocka_all.h"
#include "recording.h"

#include "core/memory.h"
#include "record/call.h"
#include "support/damage.h"

#include <riccatree/riccatree.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MEMBERS = 12, STEPS = 20, STATE = 3, HEAD_BATCHES = 32 };

static const rct_variation variations[] = {{"bodies.link-1.mass", RCT_VARY_NORMAL, 1.0, 0.1, 0}};

static rct_ensemble *ensemble_of(rct_ensemble_options options, int32_t bodies)
{
    rct_model *model = recording_chain(bodies, 1);
    rct_ensemble *ensemble = rct_ensemble_create(model, &options, NULL);
    rct_model_free(model);
    assert_non_null(ensemble);
    return ensemble;
}

static rct_ensemble_options usual(void)
{
    return (rct_ensemble_options){MEMBERS, 7, 1, variations, 0.0};
}

static rct_status take_result(void *context, const rct_member_result *result, rct_error *error)
{
    (void)context, (void)result, (void)error;
    return RCT_OK;
}

static rct_ensemble_run_options usual_run(void)
{
    rct_ensemble_run_options run = rct_ensemble_run_options_default();
    run.steps = STEPS;
    run.solver.backend = "cpu";
    run.deliver = take_result;
    return run;
}

/* A batch as a run may keep it: its members somewhere in its bytes. */
typedef struct batch {
    int64_t head, members[3];
    double state[STATE];
} batch;

static rct_ensemble_begun begun_of(batch *b, int64_t steps, int32_t count, const int64_t *members)
{
    memcpy(b->members, members, (size_t)count * sizeof *members);
    for (int i = 0; i < STATE; i++) {
        b->state[i] = (double)(100 * steps + 10 * members[0] + i);
    }
    b->head = steps;
    return (rct_ensemble_begun){b, (int64_t)sizeof *b - 3, steps, count, b->members};
}

static void write_batches(int32_t rank, int32_t count, const rct_ensemble_begun *batches)
{
    rct_error error;
    rct_ensemble *ensemble = ensemble_of(usual(), 3);
    const rct_ensemble_run_options run = usual_run();
    rct_ensemble_checkpoint_writer *writer = rct_ensemble_checkpoint_writer_create(
        recording_path(0, "a.h5"), rank, ensemble, &run, &error);
    if (writer == NULL || rct_ensemble_checkpoint_write(writer, count, batches, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_ensemble_checkpoint_writer_free(writer);
    rct_ensemble_free(ensemble);
}

/* Two batches of rank 0. */
static void write_usual(int64_t steps)
{
    batch a, b;
    const rct_ensemble_begun batches[] = {begun_of(&a, steps, 3, (const int64_t[]){0, 1, 2}),
                                          begun_of(&b, steps + 1, 1, (const int64_t[]){11})};
    write_batches(0, 2, batches);
}

static rct_ensemble_checkpoints *open_usual(const int8_t *done, rct_error *error)
{
    rct_ensemble *ensemble = ensemble_of(usual(), 3);
    const rct_ensemble_run_options run = usual_run();
    rct_ensemble_checkpoints *c =
        rct_ensemble_checkpoints_open(recording_path(0, "a.h5"), ensemble, &run, done, error);
    rct_ensemble_free(ensemble);
    return c;
}

/* What is given: steps and first member of each. */
static void expect_given(const int8_t *done, int32_t count, const int64_t (*wanted)[2])
{
    rct_error error = {.text = ""};
    const rct_ensemble_begun *given = NULL;
    rct_ensemble_checkpoints *c = open_usual(done, &error);
    if (c == NULL) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(rct_ensemble_checkpoints_begun(c, &given), count);
    for (int32_t k = 0; k < count; k++) {
        batch b, own;
        assert_int_equal(given[k].steps, wanted[k][0]);
        assert_int_equal(given[k].members[0], wanted[k][1]);
        assert_int_equal((intptr_t)given[k].bytes % 8, 0);
        assert_int_equal(given[k].size, sizeof b - 3);
        memset(&own, 0, sizeof own), memset(&b, 0, sizeof b);
        memcpy(&b, given[k].bytes, sizeof b - 3);
        memcpy(own.members, b.members, sizeof b.members);
        assert_ptr_equal(given[k].members, (const char *)given[k].bytes + offsetof(batch, members));
        begun_of(&own, given[k].steps, given[k].count, b.members);
        assert_memory_equal(&own, &b, sizeof b - 3);
    }
    rct_ensemble_checkpoints_close(c);
}

static void test_what_overlaps(void **state)
{
    (void)state;
    batch b[5];
    int8_t done[MEMBERS] = {0};
    expect_given(NULL, 0, NULL);
    write_batches(0, 0, NULL);
    expect_given(NULL, 0, NULL);
    const rct_ensemble_begun before[] = {begun_of(&b[0], 5, 3, (const int64_t[]){0, 1, 2}),
                                         begun_of(&b[1], 8, 2, (const int64_t[]){3, 4})};
    write_batches(0, 2, before); /* becomes the previous one */
    const rct_ensemble_begun now[] = {begun_of(&b[2], 9, 3, (const int64_t[]){0, 1, 2})};
    write_batches(0, 1, now);
    expect_given(NULL, 2, (const int64_t[][2]){{9, 0}, {8, 3}});
    const rct_ensemble_begun other[] = {
        begun_of(&b[0], 7, 2, (const int64_t[]){2, 5}),    /* 2 is taken: left out          */
        begun_of(&b[1], 3, 2, (const int64_t[]){5, 6}),    /* 5 is not, for that is not given */
        begun_of(&b[3], 8, 3, (const int64_t[]){3, 7, 8}), /* as far as {3, 4}, of a later rank */
        begun_of(&b[4], 0, 1, (const int64_t[]){11})};
    write_batches(12, 4, other);
    expect_given(NULL, 4, (const int64_t[][2]){{9, 0}, {8, 3}, {3, 5}, {0, 11}});
    done[2] = done[3] = done[4] = done[11] =
        1; /* {3, 4} has nothing left, {2, 5} shares nothing that is not done */
    expect_given(done, 3, (const int64_t[][2]){{9, 0}, {8, 3}, {7, 2}});
    memset(done, 1, sizeof done);
    expect_given(done, 0, NULL);
}

/* ---- what is refused ---------------------------------------------------------------------- */

static rct_status open_again(void *context, rct_error *error)
{
    (void)context;
    rct_ensemble_checkpoints *c = open_usual(NULL, error);
    rct_ensemble_checkpoints_close(c);
    return c != NULL ? RCT_OK : error->status;
}

static void refused(rct_status status, const char *says)
{
    rct_error error = {.text = ""};
    assert_int_equal(open_again(NULL, &error), status);
    damage_expect_line(&error, says);
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
    return at < 8    ? "is no checkpoint"
           : at < 88 ? "is cut short"
                     : "; remove it, and its batches begin anew";
}

static void test_every_flipped_byte_and_prefix_is_refused(void **state)
{
    (void)state;
    size_t size = 0;
    write_usual(4);
    for (int previous = 0; previous < 2; previous++) {
        const char *path =
            recording_path(1, previous ? "a.h5.checkpoint-3.previous" : "a.h5.checkpoint");
        char *bytes = damage_read(recording_path(2, "a.h5.checkpoint"), &size);
        damage_write(path, bytes, size);
        damage_flip(path, previous ? size - 300 : 0, size, open_again, NULL, flipped);
        damage_cut(path, 0, size, previous ? 97 : 1, open_again, NULL, cut);
        damage_write(recording_path(2, "a.h5.checkpoint"), bytes, size);
        free(bytes);
    }
}

/* Files whole by their checksum that another build or nobody made. */
static void test_other_builds_and_forged_files(void **state)
{
    (void)state;
    size_t size = 0;
    const char *path = recording_path(1, "a.h5.checkpoint");
    write_usual(4);
    char *bytes = damage_read(path, &size);
    char *build = memmem(bytes, size, rct_build(), strlen(rct_build()));
    build[0] = '9';
    damage_write_forged(path, bytes, size);
    refused(RCT_ERROR_UNSUPPORTED, "made by another build, which may round otherwise: 9.");
    refused(RCT_ERROR_UNSUPPORTED, rct_build());
    build[0] = rct_build()[0];
    bytes[HEAD_BATCHES] = 3;
    damage_write_forged(path, bytes, size);
    refused(RCT_ERROR_IO, "is damaged: what it holds as batch 2 of 3 is none");
    bytes[HEAD_BATCHES] = 2;
    /* the first entry: size, steps, count, where its members are, then head, members */
    const int64_t entry[] = {(int64_t)sizeof(batch) - 3, 4, 3, offsetof(batch, members)};
    char *at = memmem(bytes, size, entry, sizeof entry);
    assert_non_null(at);
    const struct {
        int64_t place, value;
    } forged[] = {{0, -8},      {0, INT64_MAX}, {0, 8},  {1, -1},     {1, STEPS + 1},
                  {2, 0},       {2, INT64_MAX}, {2, 6},  {3, -8},     {3, 4},
                  {3, 1 << 20}, {5, 1},         {5, -1}, {7, MEMBERS}};
    for (size_t k = 0; k < sizeof forged / sizeof forged[0]; k++) {
        int64_t was;
        memcpy(&was, at + 8 * forged[k].place, sizeof was);
        memcpy(at + 8 * forged[k].place, &forged[k].value, sizeof was);
        damage_write_forged(path, bytes, size);
        refused(RCT_ERROR_IO, "is none; remove it, and its batches begin anew");
        memcpy(at + 8 * forged[k].place, &was, sizeof was);
    }
    damage_write_forged(path, bytes, size);
    expect_given(NULL, 2, (const int64_t[][2]){{5, 11}, {4, 0}}); /* as it was */
    free(bytes);
}

static void test_other_kinds(void **state)
{
    (void)state;
    rct_error error;
    write_usual(4);
    assert_null(rct_checkpoint_open(recording_path(1, "a.h5.checkpoint"), &error));
    assert_int_equal(error.status, RCT_ERROR_IO);
    damage_expect_line(&error,
                       "is a checkpoint of an ensemble; go on with `riccatree resume a.h5`");
    rct_model *model = recording_chain(3, 1);
    rct_solver *solver = recording_solver(model);
    rct_checkpoint_writer *writer =
        rct_checkpoint_writer_create(recording_path(1, "a.h5.checkpoint-1"), model, solver, NULL);
    assert_int_equal(rct_checkpoint_write(writer, 1, "", 0, NULL), RCT_OK);
    refused(RCT_ERROR_IO, "is a checkpoint of a single run, not of an ensemble; go on from it with "
                          "`riccatree resume a.h5.checkpoint-1`, or move it away");
    rct_checkpoint_writer_free(writer);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void other(rct_ensemble_options options, int32_t bodies, rct_ensemble_run_options run,
                  const char *says)
{
    rct_error error = {.text = ""};
    rct_ensemble *ensemble = ensemble_of(options, bodies);
    assert_null(
        rct_ensemble_checkpoints_open(recording_path(0, "a.h5"), ensemble, &run, NULL, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    damage_expect_line(&error, says);
    rct_ensemble_free(ensemble);
}

/* What differs is found as for the file of the results, of which t79_ensemble_open tries every difference. */
static void test_other_ensembles(void **state)
{
    (void)state;
    write_usual(4);
    rct_ensemble_options options = usual();
    rct_ensemble_run_options run = usual_run();
    options.seed = 8;
    run.dt = 0.002;
    other(options, 3, run, "was made with seed 7, not 8; dt 0.001, not 0.002; give what it was");
    other(usual(), 4, usual_run(), "is of another model: its \"");
    run = usual_run();
    run.steps = -1;
    other(usual(), 3, run, "-1 steps");
}

static void unkept(rct_ensemble_checkpoint_writer *writer, rct_ensemble_begun begun,
                   const char *says)
{
    rct_error error = {.text = ""};
    assert_int_equal(rct_ensemble_checkpoint_write(writer, 1, &begun, &error), RCT_ERROR_ARGUMENT);
    damage_expect_line(&error, says);
    assert_int_equal(recording_count_files(NULL), 0);
}

static void test_batches_that_are_none(void **state)
{
    (void)state;
    batch b;
    rct_error error;
    rct_ensemble *ensemble = ensemble_of(usual(), 3);
    rct_ensemble_run_options run = usual_run();
    rct_ensemble_checkpoint_writer *writer =
        rct_ensemble_checkpoint_writer_create(recording_path(0, "a.h5"), 0, ensemble, &run, NULL);
    const rct_ensemble_begun good = begun_of(&b, 4, 2, (const int64_t[]){3, 4});
    const int64_t outside[2] = {3, 4};
    rct_ensemble_begun bad = good;
    bad.members = outside;
    unkept(writer, bad, "batch 0 cannot be kept: its members do not lie within its bytes");
    bad = good;
    bad.steps = STEPS + 1;
    unkept(writer, bad, "it has made steps that the run has not");
    b.members[1] = 3;
    unkept(writer, good, "its members are not those of the run, ascending");
    b.members[1] = MEMBERS;
    unkept(writer, good, "its members are not those of the run, ascending");
    rct_ensemble_checkpoint_writer_free(writer);
    assert_null(rct_ensemble_checkpoint_writer_create("", 0, ensemble, &run, &error));
    damage_expect_line(&error, "no path of the results");
    assert_null(rct_ensemble_checkpoint_writer_create("a.h5", -1, ensemble, &run, &error));
    damage_expect_line(&error, "no rank -1");
    assert_int_equal(mkdir(recording_path(1, "a.h5.checkpoint-2"), 0777), 0);
    assert_null(rct_ensemble_checkpoint_writer_create(recording_path(0, "a.h5"), 2, ensemble, &run,
                                                      &error));
    damage_expect_line(&error, "is not a regular file");
    assert_int_equal(rmdir(recording_path(1, "a.h5.checkpoint-2")), 0);
    rct_ensemble_free(ensemble);
}

/* ---- what fails --------------------------------------------------------------------------- */

static void end_failures(void)
{
    rct_call_fail_after(-1);
    rct_allocate_fail_after(-1);
}

/* Steps and memory, of writing, reading and removing. */
static void test_everything_can_fail(void **state)
{
    (void)state;
    void (*const causes[])(int64_t) = {rct_call_fail_after, rct_allocate_fail_after};
    rct_ensemble *ensemble = ensemble_of(usual(), 3);
    const rct_ensemble_run_options run = usual_run();
    const char *path = recording_path(0, "a.h5");
    for (int cause = 0; cause < 2; cause++) {
        batch b;
        const rct_ensemble_begun later = begun_of(&b, 9, 1, (const int64_t[]){11});
        rct_error error;
        int64_t k = 0;
        write_usual(4);
        rct_ensemble_checkpoint_writer *writer = NULL;
        for (; writer == NULL; k++) {
            causes[cause](k);
            writer = rct_ensemble_checkpoint_writer_create(path, 0, ensemble, &run, &error);
            end_failures();
        }
        rct_status status = RCT_ERROR_IO;
        for (k = 0; status != RCT_OK; k++) {
            causes[cause](k);
            status = rct_ensemble_checkpoint_write(writer, 1, &later, &error);
            end_failures();
            assert_true(status == RCT_OK || strchr(error.text, '\n') == NULL);
            assert_int_equal(recording_count_files(".part"), 0);
            rct_ensemble_checkpoints *c = open_usual(NULL, &error);
            const rct_ensemble_begun *given;
            assert_non_null(c); /* the one before, or this one */
            assert_true(rct_ensemble_checkpoints_begun(c, &given) >= 1);
            assert_true(given[0].steps == 5 || (given[0].steps == 9 && (k > 10 || cause == 1)));
            rct_ensemble_checkpoints_close(c);
        }
        rct_ensemble_checkpoint_writer_free(writer);
        rct_ensemble_checkpoints *c = NULL;
        for (k = 0; c == NULL; k++) {
            causes[cause](k);
            c = rct_ensemble_checkpoints_open(path, ensemble, &run, NULL, &error);
            end_failures();
            assert_true(c != NULL || error.text[0] != '\0');
        }
        assert_true(k > 5);
        rct_ensemble_checkpoints_close(c);
        for (k = 0, status = RCT_ERROR_IO; status != RCT_OK; k++) {
            causes[cause](k);
            status = rct_ensemble_checkpoints_remove(path, &error);
            end_failures();
        }
        assert_true(k > 2);
        assert_int_equal(recording_count_files(NULL), 0);
    }
    rct_ensemble_free(ensemble);
}

static void test_removing(void **state)
{
    (void)state;
    const char *const stay[] = {"a.h5",
                                "a.h5.checkpoint-x",
                                "a.h5.checkpoints",
                                "a.h5.checkpoint-0",
                                "b.h5.checkpoint",
                                "a.h5.checkpoint-1.parts"};
    const char *const go[] = {"a.h5.checkpoint-17", "a.h5.checkpoint.part",
                              "a.h5.checkpoint-17.part", "a.h5.checkpoint-2.previous"};
    rct_error error;
    write_usual(4);
    write_usual(5);
    for (size_t k = 0; k < sizeof stay / sizeof stay[0]; k++) {
        recording_write_text(recording_path(1, stay[k]), "mine");
    }
    for (size_t k = 0; k < sizeof go / sizeof go[0]; k++) {
        recording_write_text(recording_path(1, go[k]), "not whole");
    }
    assert_int_equal(rct_ensemble_checkpoints_remove(recording_path(0, "a.h5"), &error), RCT_OK);
    for (size_t k = 0; k < sizeof stay / sizeof stay[0]; k++) {
        recording_expect_text(recording_path(1, stay[k]), "mine");
    }
    assert_int_equal(recording_count_files(NULL), sizeof stay / sizeof stay[0]);
    assert_int_equal(rct_ensemble_checkpoints_remove(recording_path(0, "a.h5"), &error), RCT_OK);
    assert_int_equal(rct_ensemble_checkpoints_remove("/no/such/a.h5", &error), RCT_ERROR_IO);
    damage_expect_line(&error, "look for checkpoints beside the results");
}

static void test_small_disk(void **state)
{
    (void)state;
    char junk[4096] = "junk";
    rct_error error;
    if (!damage_small_disk(recording_directory())) {
        skip();
    }
    write_usual(4);
    const int file = open(recording_path(1, "junk"), O_WRONLY | O_CREAT, 0666);
    while (write(file, junk, sizeof junk) > 0) {
    }
    rct_ensemble *ensemble = ensemble_of(usual(), 3);
    const rct_ensemble_run_options run = usual_run();
    rct_ensemble_checkpoint_writer *writer =
        rct_ensemble_checkpoint_writer_create(recording_path(0, "a.h5"), 0, ensemble, &run, NULL);
    assert_int_equal(rct_ensemble_checkpoint_write(writer, 0, NULL, &error), RCT_ERROR_IO);
    damage_expect_line(&error, "No space left on device; free space or choose another disk");
    expect_given(NULL, 2, (const int64_t[][2]){{5, 11}, {4, 0}});
    close(file);
    rct_ensemble_checkpoint_writer_free(writer);
    rct_ensemble_free(ensemble);
    recording_remove_files();
    assert_int_equal(umount(recording_directory()), 0);
}

static int tidy(void **state)
{
    (void)state;
    end_failures();
    recording_remove_files();
    return 0;
}

#define TEST(name) cmocka_unit_test_teardown(name, tidy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_overlaps),
        TEST(test_every_flipped_byte_and_prefix_is_refused),
        TEST(test_other_builds_and_forged_files),
        TEST(test_other_kinds),
        TEST(test_other_ensembles),
        TEST(test_batches_that_are_none),
        TEST(test_everything_can_fail),
        TEST(test_removing),
        TEST(test_small_disk),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
