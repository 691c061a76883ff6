/* Recordings in other formats: VTKHDF read by HDF5 has the numbers of the recording and one cell
 * for each vertex and each line of the tree; a failed export leaves the earlier file.
 * tests/cli/t94_export.sh reads arrays by numpy. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "core/memory.h"
#include "record/file/call.h"
#include "tests/support/faults/damage.h"
#include "tests/support/must.h"

#include <riccatree/riccatree.h>

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 3, N = RECORDING_BODIES };

static rct_error error;

/* The branching chain, whose second tree has a root too. */
static void record(recording *f, int frames)
{
    f->options.overwrite = 1;
    rct_recorder *recorder = recording_create(f, recording_path(0, "a.h5"), NULL);
    for (int k = 0; k < frames; k++) {
        assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, NULL), RCT_OK);
        must_step(f->solver, 1e-3, 2);
    }
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
}

static void read_whole(hid_t file, const char *name, int64_t *numbers)
{
    recording_read(file, name, H5T_NATIVE_INT64, numbers);
}

static void test_vtkhdf(void **state)
{
    recording *f = *state;
    static double wanted[4 * FRAMES * N], room[4][4 * 4 * N];
    record(f, FRAMES);
    const char *path = recording_path(1, "a.vtkhdf");
    assert_int_equal(rct_export_vtkhdf(recording_path(0, "a.h5"), path, &error), RCT_OK);
    const hid_t from = recording_open(recording_path(0, "a.h5")), to = recording_open(path);
    static const struct {
        const char *from, *to;
        int width;
    } pairs[] = {{"/frames/position", "/VTKHDF/Points", 3},
                 {"/frames/orientation", "/VTKHDF/PointData/orientation", 4},
                 {"/frames/angular_velocity", "/VTKHDF/PointData/angular_velocity", 3}};
    for (int i = 0; i < 3; i++) {
        recording_read(from, pairs[i].from, H5T_NATIVE_DOUBLE, room);
        recording_read(to, pairs[i].to, H5T_NATIVE_DOUBLE, wanted);
        assert_memory_equal(wanted, room, (size_t)(FRAMES * N * pairs[i].width) * sizeof(double));
    }
    recording_read(from, "/frames/time", H5T_NATIVE_DOUBLE, room);
    recording_read(to, "/VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, wanted);
    assert_memory_equal(wanted, room, FRAMES * sizeof(double));

    int64_t numbers[64] = {0}, ends[64] = {0};
    read_whole(to, "/VTKHDF/NumberOfPoints", numbers);
    assert_int_equal(numbers[0], N);
    read_whole(to, "/VTKHDF/Steps/PointOffsets", numbers);
    for (int k = 0; k < FRAMES; k++) {
        assert_int_equal(numbers[k], k * N);
    }
    read_whole(to, "/VTKHDF/Vertices/Connectivity", numbers);
    int lines = 0;
    read_whole(to, "/VTKHDF/Lines/Connectivity", ends);
    for (int32_t b = 0; b < N; b++) {
        rct_body body;
        assert_int_equal(numbers[b], b);
        assert_int_equal(rct_model_body(f->model, b, &body, NULL), RCT_OK);
        if (body.parent != RCT_GROUND) {
            assert_int_equal(ends[2 * lines], b);
            assert_int_equal(ends[2 * lines + 1], body.parent);
            lines++;
        }
    }
    read_whole(to, "/VTKHDF/Lines/NumberOfCells", numbers);
    assert_int_equal(numbers[0], lines);
    read_whole(to, "/VTKHDF/Lines/Offsets", numbers);
    for (int k = 0; k <= lines; k++) {
        assert_int_equal(numbers[k], 2 * k);
    }
    read_whole(to, "/VTKHDF/Strips/NumberOfCells", numbers);
    assert_int_equal(numbers[0], 0);
    assert_true(H5Fclose(from) >= 0 && H5Fclose(to) >= 0);
}

typedef rct_status export(const char *from, const char *path, rct_error *why);
static export *const exports[] = {rct_export_npz, rct_export_vtkhdf};

/* Every failing allocation and every seventh failing step leaves the earlier file, except at the
 * close of the new one, and no other file. */
static void test_failures(void **state)
{
    recording *f = *state;
    record(f, FRAMES);
    const char *path = recording_path(1, "a.out");
    for (int i = 0; i < 2; i++) {
        for (int kind = 0; kind < 2; kind++) {
            int64_t failures = 0;
            rct_status status;
            recording_write_text(path, "before");
            do {
                rct_allocate_fail_after(kind == 0 ? failures : -1);
                rct_call_fail_after(kind == 1 ? failures : -1);
                status = exports[i](recording_path(0, "a.h5"), path, &error);
                rct_allocate_fail_after(-1);
                rct_call_fail_after(-1);
                if (status != RCT_OK && strstr(error.text, "close the file") == NULL) {
                    recording_expect_text(path, "before");
                }
                failures += kind == 0 ? 1 : 7; /* steps, of which there are hundreds */
            } while (status != RCT_OK);
            assert_true(failures > 5);
        }
    }
    assert_int_equal(recording_count_files(NULL), 2);
}

static void test_refusals(void **state)
{
    recording *f = *state;
    const char *from = recording_path(0, "a.h5");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(exports[i]("/nowhere/a.h5", recording_path(1, "b"), &error), RCT_ERROR_IO);
        damage_expect_line(&error, "/nowhere/a.h5: cannot open the file");
        record(f, 1);
        assert_int_equal(exports[i](from, from, &error), RCT_ERROR_ARGUMENT);
        damage_expect_line(&error, "a.h5: that is also the file that is read; name another");
        assert_int_equal(exports[i](from, "/nowhere/b", &error), RCT_ERROR_IO);
        damage_expect_line(&error, "/nowhere/b");
        record(f, 0);
        assert_int_equal(exports[i](from, recording_path(1, "b"), &error), RCT_ERROR_ARGUMENT);
        damage_expect_line(&error, "a.h5: the recording has no frames yet");
    }
    assert_int_equal(recording_count_files(NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_vtkhdf, recording_begin, recording_end),
        cmocka_unit_test_setup_teardown(test_failures, recording_begin, recording_end),
        cmocka_unit_test_setup_teardown(test_refusals, recording_begin, recording_end),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
