/* Files that version 0.1.0 made before there were checksums: they are read and reported as
 * unchecked; writing to them is refused. The folder older has them: `run chain --bodies 3 --frames
 * 3`, `ensemble chain --bodies 2 --series 2` with three values of gravity, four steps of 1 ms
 * each. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "tests/support/faults/damage.h"

#include <riccatree/riccatree.h>

#include <stdlib.h>

static const char recorded[] = RCT_OLDER "/recording.h5", members[] = RCT_OLDER "/ensemble.h5";

static void copy(const char *to, const char *from)
{
    size_t size = 0;
    char *bytes = damage_read(from, &size);
    damage_write(to, bytes, size);
    free(bytes);
}

static void test_a_recording(void **state)
{
    recording *f = *state;
    rct_file_info info;
    rct_error error;
    const char *path = recording_path(0, "a.h5");
    assert_int_equal(rct_file_check(recorded, &info, NULL), RCT_OK);
    assert_int_equal(info.kind, RCT_FILE_RECORDING);
    assert_int_equal(info.room, 3);
    assert_int_equal(info.written, 3);
    assert_int_equal(info.complete, 1);
    assert_int_equal(info.checked, 0);
    copy(path, recorded);
    assert_null(rct_recorder_reopen(path, f->model, f->solver, &f->options, 1, &error));
    assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
    damage_expect_line(&error, "a.h5: has no checksums, so an older version");
    damage_same_bytes(path, recorded);
}

static void test_an_ensemble(void **state)
{
    (void)state;
    int32_t status[3];
    double gravity[3];
    rct_file_info file;
    rct_error error;
    rct_ensemble_results_info info;
    rct_ensemble_run_options run;
    assert_int_equal(rct_file_check(members, &file, NULL), RCT_OK);
    assert_int_equal(file.kind, RCT_FILE_ENSEMBLE);
    assert_int_equal(file.written, 3);
    assert_int_equal(file.checked, 0);
    rct_ensemble_results *r = rct_ensemble_results_open(members, NULL);
    assert_non_null(r);
    rct_ensemble_results_get_info(r, &info);
    assert_int_equal(info.complete, 1);
    assert_int_equal(info.checked, 0);
    assert_int_equal(rct_ensemble_results_read(r, status, NULL, NULL, NULL, gravity, NULL), RCT_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(status[k], RCT_OK);
        assert_true(gravity[k] == -9.0 + 4.0 * k);
    }
    assert_null(rct_ensemble_results_ensemble(r, &run, &error));
    assert_int_equal(error.status, RCT_ERROR_IO);
    damage_expect_line(&error, "ensemble.h5: has no checksums: it was written by an older version");
    rct_ensemble_results_close(r);
}

static rct_status check(void *path, rct_error *error)
{
    rct_file_info info;
    return rct_file_check(path, &info, error);
}

static const char *a_line(size_t at)
{
    (void)at;
    return "a.h5: ";
}

/* HDF5 notices by itself that much is missing. */
static void test_cut_short(void **state)
{
    (void)state;
    size_t size = 0;
    char path[RECORDING_PATH];
    snprintf(path, sizeof path, "%s", recording_path(0, "a.h5"));
    const char *const files[] = {recorded, members};
    for (int i = 0; i < 2; i++) {
        free(damage_read(files[i], &size));
        copy(path, files[i]);
        damage_cut(path, 0, size / 4 * 3, 997, check, path, a_line); /* its end is spare */
    }
}

static void test_the_older_seal(void **state)
{
    (void)state;
    size_t size = 0;
    int passed = 0;
    rct_error error;
    char path[RECORDING_PATH];
    snprintf(path, sizeof path, "%s", recording_path(0, "a.h5"));
    char *bytes = damage_read(members, &size);
    for (size_t k = 96; k < size - 8; k += 401) {
        bytes[k] = (char)(bytes[k] ^ 1);
        damage_write(path, bytes, size);
        bytes[k] = (char)(bytes[k] ^ 1);
        if (check(path, &error) == RCT_OK) {
            passed++;
        } else {
            damage_expect_line(&error, "its seal is broken");
        }
    }
    assert_in_range(passed, 1, 8); /* of 43: rows are outside of that seal */
    free(bytes);
}

#define RECORDER_TEST(name) cmocka_unit_test_setup_teardown(name, recording_begin, recording_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RECORDER_TEST(test_a_recording),
        RECORDER_TEST(test_an_ensemble),
        RECORDER_TEST(test_cut_short),
        RECORDER_TEST(test_the_older_seal),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
