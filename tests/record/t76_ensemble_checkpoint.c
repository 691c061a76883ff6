/* Checkpoints of ensembles: they are read back as written, the most advanced of overlapping ones is
 * chosen, those of any other run are refused, and all of them can be removed. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "tests/record/kept.h"
#include "tests/support/faults/damage.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_what_overlaps(void **state)
{
    (void)state;
    kept_batch b[5];
    int8_t done[KEPT_MEMBERS] = {0};
    kept_expect(NULL, 0, NULL);
    kept_write(0, 0, NULL);
    kept_expect(NULL, 0, NULL);
    const rct_ensemble_begun before[] = {kept_begun(&b[0], 5, 3, (const int64_t[]){0, 1, 2}),
                                         kept_begun(&b[1], 8, 2, (const int64_t[]){3, 4})};
    kept_write(0, 2, before); /* becomes the previous one */
    const rct_ensemble_begun now[] = {kept_begun(&b[2], 9, 3, (const int64_t[]){0, 1, 2})};
    kept_write(0, 1, now);
    kept_expect(NULL, 2, (const int64_t[][2]){{9, 0}, {8, 3}});
    const rct_ensemble_begun other[] = {
        kept_begun(&b[0], 7, 2, (const int64_t[]){2, 5}),    /* 2 is taken: left out          */
        kept_begun(&b[1], 3, 2, (const int64_t[]){5, 6}),    /* 5 is not, for that is not given */
        kept_begun(&b[3], 8, 3, (const int64_t[]){3, 7, 8}), /* as far as {3, 4}, of a later rank */
        kept_begun(&b[4], 0, 1, (const int64_t[]){11})};
    kept_write(12, 4, other);
    kept_expect(NULL, 4, (const int64_t[][2]){{9, 0}, {8, 3}, {3, 5}, {0, 11}});
    done[2] = done[3] = done[4] = done[11] =
        1; /* {3, 4} has nothing left, {2, 5} shares nothing that is not done */
    kept_expect(done, 3, (const int64_t[][2]){{9, 0}, {8, 3}, {7, 2}});
    memset(done, 1, sizeof done);
    kept_expect(done, 0, NULL);
}

/* ---- what is refused ----------------------------------------------------------------------- */

static void test_other_kinds(void **state)
{
    (void)state;
    rct_error error;
    kept_write_usual(4);
    assert_null(rct_checkpoint_open(recording_path(1, "a.h5.checkpoint"), &error));
    assert_int_equal(error.status, RCT_ERROR_IO);
    damage_expect_line(&error, "is a checkpoint of an ensemble; continue with the file of its "
                               "results: riccatree resume /");
    damage_expect_line(&error, "/a.h5");
    rct_model *model = recording_chain(3, 1);
    rct_solver *solver = recording_solver(model);
    rct_checkpoint_writer *writer =
        rct_checkpoint_writer_create(recording_path(1, "a.h5.checkpoint-1"), model, solver, NULL);
    assert_int_equal(rct_checkpoint_write(writer, 1, "", 0, NULL), RCT_OK);
    kept_refused(RCT_ERROR_IO, "is a checkpoint of a single run, not of an ensemble; move it away, "
                               "or continue from it: riccatree resume /");
    kept_refused(RCT_ERROR_IO, "/a.h5.checkpoint-1");
    rct_checkpoint_writer_free(writer);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void other(rct_ensemble_options options, int32_t bodies, rct_ensemble_run_options run,
                  const char *says)
{
    rct_error error = {.text = ""};
    rct_ensemble *ensemble = kept_ensemble(options, bodies);
    assert_null(
        rct_ensemble_checkpoints_open(recording_path(0, "a.h5"), ensemble, &run, NULL, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    damage_expect_line(&error, says);
    rct_ensemble_free(ensemble);
}

/* Differences are found as for the file of the results; t79_ensemble_open tries every
 * difference. */
static void test_other_ensembles(void **state)
{
    (void)state;
    kept_write_usual(4);
    rct_ensemble_options options = kept_options();
    rct_ensemble_run_options run = kept_run();
    options.seed = 8;
    run.dt = 0.002;
    other(options, 3, run, "was made with seed 7, not 8; dt 0.001, not 0.002; remove it");
    other(kept_options(), 4, kept_run(),
          "the number of bodies is 3 in the file, but 4 now; remove it or move it away, and its "
          "batches start again");
    run = kept_run();
    run.steps = -1;
    other(kept_options(), 3, run, "-1 steps");
}

static void unkept(rct_ensemble_checkpoint_writer *writer, rct_ensemble_begun begun,
                   const char *says)
{
    rct_error error = {.text = ""};
    assert_int_equal(rct_ensemble_checkpoint_write(writer, 1, &begun, &error), RCT_ERROR_ARGUMENT);
    damage_expect_line(&error, says);
    assert_int_equal(recording_count_files(NULL), recording_count_files(".lock"));
}

static void test_batches_that_are_none(void **state)
{
    (void)state;
    kept_batch b;
    rct_error error;
    rct_ensemble *ensemble = kept_ensemble(kept_options(), 3);
    rct_ensemble_run_options run = kept_run();
    rct_ensemble_checkpoint_writer *writer =
        rct_ensemble_checkpoint_writer_create(recording_path(0, "a.h5"), 0, ensemble, &run, NULL);
    const rct_ensemble_begun good = kept_begun(&b, 4, 2, (const int64_t[]){3, 4});
    const int64_t outside[2] = {3, 4};
    rct_ensemble_begun bad = good;
    bad.members = outside;
    unkept(writer, bad, "batch 0 cannot be kept: its members do not lie within its bytes");
    bad = good;
    bad.steps = KEPT_STEPS + 1;
    unkept(writer, bad, "it has made more steps than the run has");
    b.members[1] = 3;
    unkept(writer, good, "its members are not members of the run in ascending");
    b.members[1] = KEPT_MEMBERS;
    unkept(writer, good, "its members are not members of the run in ascending");
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

/* ---- removing ----------------------------------------------------------------------------- */

static void test_removing(void **state)
{
    (void)state;
    const char *const stay[] = {"a.h5",
                                "a.h5.checkpoint-x",
                                "a.h5.checkpoints",
                                "a.h5.checkpoint-0",
                                "b.h5.checkpoint",
                                "a.h5.checkpoint-1.parts"};
    const char *const go[] = {"a.h5.checkpoint-17",        "a.h5.checkpoint.part",
                              "a.h5.checkpoint-17.part",   "a.h5.checkpoint-2.previous",
                              "a.h5.checkpoint.12-0.part", "a.h5.checkpoint-3.lock"};
    rct_error error;
    kept_write_usual(4);
    kept_write_usual(5);
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

#define TEST(name) cmocka_unit_test_teardown(name, recording_tidy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_overlaps),         TEST(test_other_kinds), TEST(test_other_ensembles),
        TEST(test_batches_that_are_none), TEST(test_removing),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
