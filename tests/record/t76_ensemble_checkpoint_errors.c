/* Checkpoints of ensembles that are damaged in any byte, forged or of another build are refused
 * with a one-line message. If writing a checkpoint fails anywhere, the previous one stays. */
#define _GNU_SOURCE 1 /* memmem() */

#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "core/memory.h"
#include "record/file/call.h"
#include "tests/record/kept.h"
#include "tests/support/faults/damage.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

enum { HEAD_BATCHES = 32 }; /* where it stands in the file */

static const char *flipped(size_t at)
{
    return at < 8    ? "is not a checkpoint"
           : at < 16 ? "a checkpoint of format version"
           : at < 24 ? "bytes, and its head says"
                     : "is damaged: its checksum is";
}

static const char *cut(size_t at)
{
    return at < 8    ? "is not a checkpoint"
           : at < 88 ? "is cut short"
                     : "; remove it, and its batches start again";
}

static void test_every_flipped_byte_and_prefix_is_refused(void **state)
{
    (void)state;
    size_t size = 0;
    kept_write_usual(4);
    for (int previous = 0; previous < 2; previous++) {
        const char *path =
            recording_path(1, previous ? "a.h5.checkpoint-3.previous" : "a.h5.checkpoint");
        char *bytes = damage_read(recording_path(2, "a.h5.checkpoint"), &size);
        damage_write(path, bytes, size);
        damage_flip(path, previous ? size - 300 : 0, size, kept_open_again, NULL, flipped);
        damage_cut(path, 0, size, previous ? 97 : 1, kept_open_again, NULL, cut);
        damage_write(recording_path(2, "a.h5.checkpoint"), bytes, size);
        free(bytes);
    }
}

/* Files with a valid checksum, of another build or invented. */
static void test_other_builds_and_forged_files(void **state)
{
    (void)state;
    size_t size = 0;
    const char *path = recording_path(1, "a.h5.checkpoint");
    kept_write_usual(4);
    char *bytes = damage_read(path, &size);
    char *build = memmem(bytes, size, rct_build(), strlen(rct_build()));
    build[0] = '9';
    damage_write_forged(path, bytes, size);
    kept_refused(RCT_ERROR_UNSUPPORTED, "made by another build, which may round otherwise: 9.");
    kept_refused(RCT_ERROR_UNSUPPORTED, rct_build());
    build[0] = rct_build()[0];
    bytes[HEAD_BATCHES] = 3;
    damage_write_forged(path, bytes, size);
    kept_refused(RCT_ERROR_IO, "is damaged: batch 2 of 3 in it is not a batch");
    bytes[HEAD_BATCHES] = 2;
    /* the first entry: size, steps, count, place of its members, then head, members */
    const int64_t entry[] = {(int64_t)sizeof(kept_batch) - 3, 4, 3, offsetof(kept_batch, members)};
    char *at = memmem(bytes, size, entry, sizeof entry);
    assert_non_null(at);
    const struct {
        int64_t place, value;
    } forged[] = {{0, -8},      {0, INT64_MAX}, {0, 8},  {1, -1},          {1, KEPT_STEPS + 1},
                  {2, 0},       {2, INT64_MAX}, {2, 6},  {3, -8},          {3, 4},
                  {3, 1 << 20}, {5, 1},         {5, -1}, {7, KEPT_MEMBERS}};
    for (size_t k = 0; k < sizeof forged / sizeof forged[0]; k++) {
        int64_t was;
        memcpy(&was, at + 8 * forged[k].place, sizeof was);
        memcpy(at + 8 * forged[k].place, &forged[k].value, sizeof was);
        damage_write_forged(path, bytes, size);
        kept_refused(RCT_ERROR_IO, "is not a batch; remove it, and its batches start again");
        memcpy(at + 8 * forged[k].place, &was, sizeof was);
    }
    damage_write_forged(path, bytes, size);
    kept_expect(NULL, 2, (const int64_t[][2]){{5, 11}, {4, 0}}); /* as it was */
    free(bytes);
}

/* ---- what fails --------------------------------------------------------------------------- */

static void end_failures(void)
{
    rct_call_fail_after(-1);
    rct_allocate_fail_after(-1);
}

/* Failing steps and allocations, in writing, reading and removing. */
static void test_everything_can_fail(void **state)
{
    (void)state;
    void (*const causes[])(int64_t) = {rct_call_fail_after, rct_allocate_fail_after};
    rct_ensemble *ensemble = kept_ensemble(kept_options(), 3);
    const rct_ensemble_run_options run = kept_run();
    const char *path = recording_path(0, "a.h5");
    for (int cause = 0; cause < 2; cause++) {
        kept_batch b;
        const rct_ensemble_begun later = kept_begun(&b, 9, 1, (const int64_t[]){11});
        rct_error error;
        int64_t k = 0;
        kept_write_usual(4);
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
            rct_ensemble_checkpoints *c = kept_open(NULL, &error);
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

static void test_small_disk(void **state)
{
    (void)state;
    char junk[4096] = "junk";
    rct_error error;
    if (!damage_small_disk(recording_directory())) {
        skip();
    }
    kept_write_usual(4);
    const int file = open(recording_path(1, "junk"), O_WRONLY | O_CREAT, 0666);
    while (write(file, junk, sizeof junk) > 0) {
    }
    rct_ensemble *ensemble = kept_ensemble(kept_options(), 3);
    const rct_ensemble_run_options run = kept_run();
    rct_ensemble_checkpoint_writer *writer =
        rct_ensemble_checkpoint_writer_create(recording_path(0, "a.h5"), 0, ensemble, &run, NULL);
    assert_int_equal(rct_ensemble_checkpoint_write(writer, 0, NULL, &error), RCT_ERROR_IO);
    damage_expect_line(&error, "No space left on device; free space or choose another disk");
    kept_expect(NULL, 2, (const int64_t[][2]){{5, 11}, {4, 0}});
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
        TEST(test_every_flipped_byte_and_prefix_is_refused),
        TEST(test_other_builds_and_forged_files),
        TEST(test_everything_can_fail),
        TEST(test_small_disk),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
