/* A recording with any byte changed, or cut short, is an error or reads as it was written, both
 * when it is checked and when a run continues it. No file crashes HDF5. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "record/file/seal.h"
#include "tests/support/faults/damage.h"

#include <riccatree/check.h>

#include <stdlib.h>
#include <string.h>

enum { N = RECORDING_BODIES, ROOM = 4, WRITTEN = 3, STRIDE = 61 };

typedef struct numbers {
    double orientation[ROOM][N][4], angular_velocity[ROOM][N][3], position[ROOM][N][3];
    double sums[8][ROOM][3];
} numbers;

/* Of the frames that are written. */
static void read_numbers(numbers *n, const char *path)
{
    static const char *const sums[8] = {"/frames/time",
                                        "/frames/kinetic",
                                        "/frames/potential",
                                        "/frames/energy",
                                        "/frames/energy_drift",
                                        "/frames/momentum",
                                        "/frames/angular_momentum",
                                        "/frames/momentum_change"};
    memset(n, 0, sizeof *n);
    const hid_t file = recording_open(path);
    recording_read(file, "/frames/orientation", H5T_NATIVE_DOUBLE, n->orientation);
    recording_read(file, "/frames/angular_velocity", H5T_NATIVE_DOUBLE, n->angular_velocity);
    recording_read(file, "/frames/position", H5T_NATIVE_DOUBLE, n->position);
    for (int s = 0; s < 8; s++) {
        recording_read(file, sums[s], H5T_NATIVE_DOUBLE, n->sums[s]);
    }
    assert_true(H5Fclose(file) >= 0);
}

static void same_numbers(const numbers *a, const numbers *b)
{
    assert_memory_equal(a->orientation, b->orientation, WRITTEN * sizeof a->orientation[0]);
    assert_memory_equal(a->angular_velocity, b->angular_velocity,
                        WRITTEN * sizeof a->angular_velocity[0]);
    assert_memory_equal(a->position, b->position, WRITTEN * sizeof a->position[0]);
    for (int s = 0; s < 8; s++) {
        const size_t row = (s < 5 ? 1 : 3) * sizeof(double);
        assert_memory_equal(a->sums[s], b->sums[s], WRITTEN * row);
    }
}

static const char *record(recording *f, int complete)
{
    const char *path = recording_path(0, "a.h5");
    f->options.frames = ROOM;
    rct_recorder *recorder = recording_create(f, path, NULL);
    for (int k = 0; k < WRITTEN; k++) {
        assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, NULL), RCT_OK);
        assert_int_equal(rct_solver_step(f->solver, 1e-3, 1, NULL), RCT_OK);
    }
    assert_int_equal(rct_recorder_close(recorder, complete, NULL), RCT_OK);
    return path;
}

typedef struct expectation {
    numbers all;
    rct_file_info info;
} expectation;

static rct_status check_or_same(void *context, rct_error *error)
{
    static numbers found;
    rct_file_info info = {.room = 0};
    const expectation *wanted = context;
    const char *path = recording_path(0, "a.h5");
    const rct_status status = rct_file_check(path, &info, error);
    if (status == RCT_OK) {
        assert_int_equal(info.kind, wanted->info.kind);
        assert_int_equal(info.room, wanted->info.room);
        assert_int_equal(info.written, wanted->info.written);
        assert_int_equal(info.complete, wanted->info.complete);
        assert_int_equal(info.checked, 1);
        read_numbers(&found, path);
        same_numbers(&found, &wanted->all);
    }
    return status;
}

static void expect(expectation *wanted, int complete)
{
    const char *path = recording_path(0, "a.h5");
    memset(&wanted->info, 0, sizeof wanted->info);
    assert_int_equal(rct_file_check(path, &wanted->info, NULL), RCT_OK);
    assert_int_equal(wanted->info.kind, RCT_FILE_RECORDING);
    assert_int_equal(wanted->info.room, ROOM);
    assert_int_equal(wanted->info.written, WRITTEN);
    assert_int_equal(wanted->info.complete, complete);
    assert_int_equal(wanted->info.checked, 1);
    read_numbers(&wanted->all, path);
}

/* Only bytes that nobody reads may change unnoticed: the unwritten frame, its checksum, and the
 * marks that the seal overrides. */
static void test_every_byte(void **state)
{
    enum { SPARE = N * 10 * 8 + (5 + 4 * 3) * 8 + 4 };
    static expectation wanted;
    record(*state, 1);
    expect(&wanted, 1);
    const int64_t passed = damage_flip_all(recording_path(0, "a.h5"), 1, check_or_same, &wanted);
    assert_in_range(passed, SPARE, SPARE + 1);
}

static void test_bytes_of_one_broken_off(void **state)
{
    static expectation wanted;
    record(*state, 0);
    expect(&wanted, 0);
    assert_in_range(damage_flip_all(recording_path(0, "a.h5"), 13, check_or_same, &wanted), 1, 100);
}

static const char *a_line(size_t at)
{
    (void)at;
    return "a.h5: ";
}

static void test_every_prefix(void **state)
{
    size_t size = 0;
    static expectation wanted;
    const char *path = record(*state, 1);
    expect(&wanted, 1);
    char *bytes = damage_read(path, &size);
    damage_cut(path, 0, size, STRIDE, check_or_same, &wanted, a_line);
    bytes = realloc(bytes, size + 1);
    bytes[size] = 0;
    damage_write(path, bytes, size + 1); /* and longer */
    rct_error error;
    assert_int_equal(check_or_same(&wanted, &error), RCT_ERROR_IO);
    damage_expect_line(&error, "its seal is broken");
    free(bytes);
}

static void test_going_on(void **state)
{
    recording *f = *state;
    size_t size = 0;
    int64_t refused = 0;
    static expectation wanted;
    static numbers found;
    const char *path = record(f, 1);
    expect(&wanted, 1);
    char *bytes = damage_read(path, &size);
    for (size_t k = 0; k < size; k += k < RCT_SEAL_BYTES / 4 ? 1 : STRIDE) {
        rct_error error = {.text = ""};
        bytes[k] = (char)(bytes[k] ^ 0xff);
        damage_write(path, bytes, size);
        bytes[k] = (char)(bytes[k] ^ 0xff);
        rct_recorder *recorder =
            rct_recorder_reopen(path, f->model, f->solver, &f->options, WRITTEN, &error);
        refused += recorder == NULL;
        if (recorder == NULL) {
            damage_expect_line(&error, "a.h5: ");
        } else {
            assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
            read_numbers(&found, path);
            same_numbers(&found, &wanted.all);
            assert_int_equal(recording_frames_written(path), WRITTEN);
        }
    }
    assert_true(refused > (int64_t)(size / STRIDE) * 9 / 10);
    free(bytes);
}

/* What a user could see: one bit halves the kinetic energy of a frame. */
static void test_the_words_name_the_frame(void **state)
{
    recording *f = *state;
    size_t size = 0, at = 0;
    static numbers n;
    rct_error error;
    rct_file_info info;
    const char *path = record(f, 1);
    read_numbers(&n, path);
    char *bytes = damage_read(path, &size);
    const double *kinetic = (const double *)n.sums[1] + 1;
    while (memcmp(bytes + at, kinetic, sizeof *kinetic) != 0) {
        at++;
    }
    bytes[at + 6] ^= 0x10;
    damage_write(path, bytes, size);
    assert_int_equal(rct_file_check(path, &info, &error), RCT_ERROR_IO);
    damage_expect_line(&error, "is damaged: the checksum of frame 1 is ");
    assert_null(rct_recorder_reopen(path, f->model, f->solver, &f->options, 2, &error));
    damage_expect_line(&error, "is damaged: the checksum of frame 1 is ");
    rct_recorder *recorder = rct_recorder_reopen(path, f->model, f->solver, &f->options, 1, &error);
    assert_non_null(recorder); /* it is recorded again */
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    assert_int_equal(rct_file_check(path, &info, &error), RCT_OK);
    assert_int_equal(info.written, 1);
    free(bytes);
}

static void test_it_may_be_checked_while_it_is_written(void **state)
{
    recording *f = *state;
    rct_file_info info;
    const char *path = recording_path(0, "a.h5");
    f->options.frames = ROOM;
    rct_recorder *recorder = recording_create(f, path, NULL);
    for (int k = 0; k < ROOM; k++) {
        assert_int_equal(rct_file_check(path, &info, NULL), RCT_OK);
        assert_int_equal(info.written, k);
        assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, NULL), RCT_OK);
    }
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
}

#define RECORDER_TEST(name) cmocka_unit_test_setup_teardown(name, recording_begin, recording_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RECORDER_TEST(test_every_byte),
        RECORDER_TEST(test_bytes_of_one_broken_off),
        RECORDER_TEST(test_every_prefix),
        RECORDER_TEST(test_going_on),
        RECORDER_TEST(test_the_words_name_the_frame),
        RECORDER_TEST(test_it_may_be_checked_while_it_is_written),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
