/* A damaged file of an ensemble is refused before it is used, or reads as it was written; a file of
 * another build is read, but not continued. */
#define _GNU_SOURCE 1 /* memmem() */

#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "record/file/seal.h"
#include "tests/support/faults/damage.h"
#include "tests/support/files/small_ensemble.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMBERS = 6, VARIATIONS = 2 };

typedef struct rows {
    int32_t status[MEMBERS];
    double time[MEMBERS], energy[MEMBERS], drift[MEMBERS], parameters[MEMBERS][VARIATIONS];
    int complete;
} rows;

typedef struct expectation {
    rct_ensemble *ensemble;
    rows rows;
} expectation;

static void read_rows(rows *r, const rct_ensemble_results *results)
{
    rct_ensemble_results_info info;
    memset(r, 0, sizeof *r);
    rct_ensemble_results_get_info(results, &info);
    assert_int_equal(info.members, MEMBERS);
    assert_int_equal(info.checked, 1);
    r->complete = info.complete;
    assert_int_equal(rct_ensemble_results_read(results, r->status, r->time, r->energy, r->drift,
                                               r->parameters[0], NULL),
                     RCT_OK);
}

/* Both when it is read and when a run continues it. */
static rct_status open_all(void *context, rct_error *error)
{
    rows found;
    expectation *wanted = context;
    const rct_ensemble_run_options run = small_run();
    rct_ensemble_run_options own;
    const char *path = recording_path(0, "a.h5");
    rct_ensemble_results *r = rct_ensemble_results_open(path, error);
    rct_ensemble *again = r != NULL ? rct_ensemble_results_ensemble(r, &own, error) : NULL;
    if (r != NULL) {
        read_rows(&found, r);
        assert_memory_equal(&found, &wanted->rows, sizeof found);
    }
    rct_ensemble_results_close(r);
    rct_ensemble_free(again);
    rct_ensemble_file *file = rct_ensemble_file_open(path, wanted->ensemble, &run, error);
    assert_true((file != NULL) == (again != NULL));
    return file != NULL ? rct_ensemble_file_close(file, 0, error) : error->status;
}

static void expect(expectation *wanted)
{
    small_file(recording_path(0, "a.h5"));
    wanted->ensemble = small_ensemble(small_options(), 3);
    rct_ensemble_results *r = rct_ensemble_results_open(recording_path(0, "a.h5"), NULL);
    assert_non_null(r);
    read_rows(&wanted->rows, r);
    assert_int_equal(wanted->rows.complete, 1);
    rct_ensemble_results_close(r);
}

static const char *a_line(size_t at)
{
    (void)at;
    return "a.h5: ";
}

static void test_every_flipped_byte_and_prefix(void **state)
{
    (void)state;
    size_t size = 0;
    expectation wanted;
    expect(&wanted);
    char *bytes = damage_read(recording_path(0, "a.h5"), &size);
    /* all but the mark of HDF5, which the seal knows better */
    assert_in_range(damage_flip_all(recording_path(0, "a.h5"), 1, open_all, &wanted), 0, 1);
    damage_cut(recording_path(0, "a.h5"), 0, size, 61, open_all, &wanted, a_line);
    free(bytes);
    rct_ensemble_free(wanted.ensemble);
}

static void test_the_words_name_the_row(void **state)
{
    (void)state;
    size_t size = 0;
    rct_error error;
    expectation wanted;
    expect(&wanted);
    char *bytes = damage_read(recording_path(0, "a.h5"), &size);
    char *energy = memmem(bytes, size, wanted.rows.energy, sizeof wanted.rows.energy);
    energy[3 * sizeof(double) + 6] ^= 0x10;
    damage_write(recording_path(0, "a.h5"), bytes, size);
    assert_null(rct_ensemble_results_open(recording_path(0, "a.h5"), &error));
    assert_int_equal(error.status, RCT_ERROR_IO);
    damage_expect_line(&error, "is damaged: the checksum of row 3 is ");
    free(bytes);
    rct_ensemble_free(wanted.ensemble);
}

/* A row without its checksum does not count, whatever its status: the process was killed before. */
static void test_a_row_is_there_with_its_checksum(void **state)
{
    (void)state;
    size_t size = 0;
    uint32_t sums[MEMBERS];
    int8_t done[MEMBERS];
    rct_file_info info;
    expectation wanted;
    rct_error error = {.text = ""};
    const rct_ensemble_run_options run = small_run();
    expect(&wanted);
    char *bytes = damage_read(recording_path(0, "a.h5"), &size);
    const hid_t hdf5 = recording_open(recording_path(0, "a.h5"));
    recording_read(hdf5, "/members/checksum", H5T_NATIVE_UINT32, sums);
    assert_true(H5Fclose(hdf5) >= 0);
    char *at = memmem(bytes, size, sums, sizeof sums);
    memset(at + 4 * sizeof *sums, 0, sizeof *sums);
    damage_write(recording_path(0, "a.h5"), bytes, size);
    rct_ensemble_file *file =
        rct_ensemble_file_open(recording_path(0, "a.h5"), wanted.ensemble, &run, &error);
    assert_non_null(file);
    assert_int_equal(rct_ensemble_file_done(file, done, &error), RCT_OK);
    for (int k = 0; k < MEMBERS; k++) {
        assert_int_equal(done[k], k != 4);
    }
    assert_int_equal(rct_ensemble_file_close(file, 0, &error), RCT_OK);
    assert_int_equal(rct_file_check(recording_path(0, "a.h5"), &info, &error), RCT_OK);
    assert_int_equal(info.kind, RCT_FILE_ENSEMBLE);
    assert_int_equal(info.written, MEMBERS - 1);
    assert_int_equal(info.room, MEMBERS);
    free(bytes);
    rct_ensemble_free(wanted.ensemble);
}

/* Writes the file with `bytes` and a valid seal. */
static void seal_again(const char *path, const char *bytes, size_t size)
{
    int64_t end, count;
    rct_call call;
    rct_error error;
    rct_ranges ranges = {.count = 0};
    memcpy(&end, bytes + 8, sizeof end);
    memcpy(&count, bytes + 16, sizeof count);
    for (int64_t i = 1; i < count; i++) { /* but that of the seal itself */
        rct_range range;
        memcpy(&range, bytes + end + i * (int64_t)sizeof range, sizeof range);
        assert_int_equal(rct_ranges_add(&ranges, range.at, range.bytes), 0);
    }
    damage_write(path, bytes, size);
    const int file = open(path, O_RDWR);
    rct_call_begin(&call, path, NULL, &error);
    assert_int_equal(rct_seal_put(&call, file, end, &ranges), size);
    rct_seal_count(&call, file, &(rct_counters){.complete = 1});
    assert_int_equal(rct_call_end(&call), RCT_OK);
    rct_ranges_release(&ranges);
    close(file);
}

static void test_another_build(void **state)
{
    (void)state;
    size_t size = 0;
    rct_error error = {.text = ""};
    rct_ensemble_run_options own;
    expectation wanted;
    expect(&wanted);
    char *bytes = damage_read(recording_path(0, "a.h5"), &size);
    char *build = memmem(bytes, size, rct_build(), strlen(rct_build()));
    build[0] = '9';
    seal_again(recording_path(0, "a.h5"), bytes, size);
    small_refused(recording_path(0, "a.h5"), wanted.ensemble, small_run(), RCT_ERROR_UNSUPPORTED,
                  "made by another build, which may round otherwise: 9.");
    small_refused(recording_path(0, "a.h5"), wanted.ensemble, small_run(), RCT_ERROR_UNSUPPORTED,
                  rct_build());
    rct_ensemble_results *r = rct_ensemble_results_open(recording_path(0, "a.h5"), &error);
    assert_non_null(r); /* can be read */
    assert_null(rct_ensemble_results_ensemble(r, &own, &error));
    assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
    rct_ensemble_results_close(r);
    free(bytes);
    rct_ensemble_free(wanted.ensemble);
}

#define TEST(name) cmocka_unit_test_teardown(name, recording_tidy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_every_flipped_byte_and_prefix),
        TEST(test_the_words_name_the_row),
        TEST(test_a_row_is_there_with_its_checksum),
        TEST(test_another_build),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
