/* The file of an ensemble that is damaged anywhere but in its rows is refused before it is used, and so is that of another
 * build. */
#define _GNU_SOURCE 1 /* memmem() */

#include "cmocka_all.h"
#include "recording.h"

#include "record/seal.h"
#include "support/damage.h"
#include "support/small_ensemble.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEAL_BYTES = 8 + 16 * RCT_SEAL_RANGES + 24 };

static rct_status open_all(void *ensemble, rct_error *error)
{
    const rct_ensemble_run_options run = small_run();
    rct_ensemble_run_options own;
    const char *path = recording_path(0, "a.h5");
    rct_ensemble_results *r = rct_ensemble_results_open(path, error);
    rct_ensemble *again = r != NULL ? rct_ensemble_results_ensemble(r, &own, error) : NULL;
    rct_ensemble_results_close(r);
    rct_ensemble_free(again);
    rct_ensemble_file *file = rct_ensemble_file_open(path, ensemble, &run, error);
    assert_true((file != NULL) == (again != NULL));
    return file != NULL ? rct_ensemble_file_close(file, 0, error) : error->status;
}

static const char *broken(size_t at)
{
    (void)at;
    return "a.h5: ";
}

static const char *is_broken(size_t at)
{
    (void)at;
    return "is damaged, or was changed by another program: its seal is broken";
}

static const char *has_none(size_t at)
{
    (void)at;
    return "has no seal at its end: it is cut short";
}

/* The ranges that are open in the file, by its seal. */
static int64_t read_ranges(const char *bytes, size_t size, rct_seal_range ranges[RCT_SEAL_RANGES])
{
    int64_t count;
    memcpy(&count, bytes + size - SEAL_BYTES, sizeof count);
    memcpy(ranges, bytes + size - SEAL_BYTES + 8, RCT_SEAL_RANGES * sizeof *ranges);
    return count;
}

static void test_every_flipped_byte_and_prefix_is_refused(void **state)
{
    (void)state;
    size_t size = 0, at = 0;
    rct_seal_range ranges[RCT_SEAL_RANGES];
    rct_ensemble *ensemble = small_ensemble(small_options(), 3);
    const char *path = recording_path(0, "a.h5");
    small_file(recording_path(0, "a.h5"));
    char *bytes = damage_read(path, &size);
    const int64_t count = read_ranges(bytes, size, ranges);
    assert_int_equal(count, 12);
    for (int64_t i = 0; i < count; i++) {
        damage_flip(path, at, (size_t)ranges[i].at, open_all, ensemble, is_broken);
        at = (size_t)(ranges[i].at + ranges[i].bytes);
    }
    assert_true(at < size - 1000); /* rows are not at the end */
    damage_flip(path, at, size - 8, open_all, ensemble, is_broken);
    damage_flip(path, size - 8, size, open_all, ensemble, has_none);
    damage_cut(path, 0, size, 61, open_all, ensemble, broken);
    damage_write(path, bytes, size);
    free(bytes);
    rct_ensemble_free(ensemble);
}

/* Rows have no checksum; a status that is none is found. */
static void test_a_status_that_is_none(void **state)
{
    (void)state;
    size_t size = 0;
    int8_t done[6];
    rct_error error = {.text = ""};
    rct_seal_range ranges[RCT_SEAL_RANGES];
    rct_ensemble *ensemble = small_ensemble(small_options(), 3);
    const rct_ensemble_run_options run = small_run();
    const char *path = recording_path(0, "a.h5");
    small_file(recording_path(0, "a.h5"));
    char *bytes = damage_read(path, &size);
    for (int64_t i = read_ranges(bytes, size, ranges); i-- > 0;) {
        if (ranges[i].bytes == 6) {
            bytes[ranges[i].at + 4] = 77;
        }
    }
    damage_write(path, bytes, size);
    rct_ensemble_file *file = rct_ensemble_file_open(path, ensemble, &run, &error);
    assert_int_equal(rct_ensemble_file_done(file, done, &error), RCT_ERROR_IO);
    damage_expect_line(&error, "is damaged: row 4 has status 77");
    assert_int_equal(rct_ensemble_file_close(file, 1, &error), RCT_ERROR_IO);
    free(bytes);
    rct_ensemble_free(ensemble);
}

static void test_another_build(void **state)
{
    (void)state;
    size_t size = 0;
    rct_error error = {.text = ""};
    rct_seal_range ranges[RCT_SEAL_RANGES];
    rct_call call;
    rct_ensemble_run_options own;
    rct_ensemble *ensemble = small_ensemble(small_options(), 3);
    const char *path = recording_path(0, "a.h5");
    small_file(recording_path(0, "a.h5"));
    char *bytes = damage_read(path, &size);
    const int count = (int)read_ranges(bytes, size, ranges);
    char *build = memmem(bytes, size, rct_build(), strlen(rct_build()));
    build[0] = '9';
    damage_write(path, bytes, size);
    const int file = open(path, O_RDWR);
    rct_call_begin(&call, path, NULL, &error);
    assert_int_equal(rct_seal_put(&call, file, (int64_t)size - SEAL_BYTES, count, ranges), size);
    assert_int_equal(rct_call_end(&call), RCT_OK);
    close(file);
    small_refused(recording_path(0, "a.h5"), ensemble, small_run(), RCT_ERROR_UNSUPPORTED,
                  "made by another build, which may round otherwise: 9.");
    small_refused(recording_path(0, "a.h5"), ensemble, small_run(), RCT_ERROR_UNSUPPORTED,
                  rct_build());
    rct_ensemble_results *r = rct_ensemble_results_open(path, &error); /* can be read */
    assert_non_null(r);
    assert_null(rct_ensemble_results_ensemble(r, &own, &error));
    assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
    rct_ensemble_results_close(r);
    free(bytes);
    rct_ensemble_free(ensemble);
}

#define TEST(name) cmocka_unit_test_teardown(name, recording_tidy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_every_flipped_byte_and_prefix_is_refused),
        TEST(test_a_status_that_is_none),
        TEST(test_another_build),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
