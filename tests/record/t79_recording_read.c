/* Recordings read by the library: every number as HDF5 reads it and as the solver had it, any rows
 * of any frame; refused are files that are not recordings, damaged files, older versions, and
 * requests for missing data. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "tests/support/faults/damage.h"
#include "tests/support/files/small_ensemble.h"
#include "tests/support/must.h"

#include <riccatree/riccatree.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 3, BODIES = 6, MOST = 4096 };

static rct_error error;

/* A recording of a model, with room for one frame more. */
static const char *record(const rct_model *model, int frames)
{
    const char *path = recording_path(0, "a.h5");
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = FRAMES + 1;
    options.overwrite = 1;
    rct_solver *solver = recording_solver(model);
    rct_recorder *recorder = rct_recorder_create(path, model, solver, &options, NULL);
    assert_non_null(recorder);
    for (int k = 0; k < frames; k++) {
        assert_int_equal(rct_recorder_write(recorder, solver, NULL, NULL), RCT_OK);
        must_step(solver, 1e-2, 3);
    }
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    rct_solver_free(solver);
    return path;
}

static rct_recording *opened(const char *path)
{
    rct_recording *reader = rct_recording_open(path, &error);
    if (reader == NULL) {
        fail_msg("%s", error.text);
    }
    return reader;
}

static void expect_refused(const char *path, rct_status status, const char *says)
{
    assert_null(rct_recording_open(path, &error));
    assert_int_equal(error.status, status);
    damage_expect_line(&error, says);
}

/* All quantities of a file, row by row, against whole datasets read by HDF5. */
static void same_as_hdf5(const char *path, int32_t wanted)
{
    static double whole[MOST], row[MOST];
    rct_recording *reader = opened(path);
    rct_recording_info info;
    rct_recording_get_info(reader, &info);
    assert_int_equal(info.bodies, BODIES);
    assert_int_equal(info.frames, FRAMES);
    assert_int_equal(info.complete, 0);
    assert_int_equal(info.checked, 1);
    assert_int_equal(info.quantities, wanted);
    const hid_t file = recording_open(path);
    for (int32_t i = 0; i < info.quantities; i++) {
        rct_quantity q;
        char name[64];
        assert_int_equal(rct_recording_quantity(reader, i, &q, NULL), RCT_OK);
        assert_int_equal(rct_recording_find(reader, q.name), i);
        assert_true(q.unit[0] != '\0' && q.axes[0] != '\0' && q.description[0] != '\0');
        snprintf(name, sizeof name, "/frames/%s", q.name);
        assert_true((FRAMES + 1) * q.rows * q.width <= MOST);
        recording_read(file, name, H5T_NATIVE_DOUBLE, whole);
        for (int64_t k = 0; k < FRAMES * q.rows; k++) {
            const int64_t frame = (k * 7) % FRAMES, at = k / FRAMES; /* frames in turn */
            assert_int_equal(rct_recording_read(reader, i, frame, at, 1, row, NULL), RCT_OK);
            assert_memory_equal(row, whole + (frame * q.rows + at) * q.width,
                                (size_t)q.width * sizeof *row);
        }
    }
    assert_true(H5Fclose(file) >= 0);
    rct_recording_close(reader);
}

static void test_all_numbers(void **state)
{
    (void)state;
    rct_model *ball = must_family("chain", BODIES, RCT_HINGE_BALL);
    same_as_hdf5(record(ball, FRAMES), 12);
    rct_model *revolute = must_family("comb", BODIES, RCT_HINGE_REVOLUTE);
    same_as_hdf5(record(revolute, FRAMES), 14);
    rct_model *closed = must_family("ladder", BODIES, RCT_HINGE_REVOLUTE);
    same_as_hdf5(record(closed, FRAMES), 16);
    rct_model_free(ball);
    rct_model_free(revolute);
    rct_model_free(closed);
}

/* Frames larger than a chunk; each chunk holds a part of the bodies. */
static void test_large_frames(void **state)
{
    (void)state;
    enum { MANY = 70001 };
    rct_model *model = must_family("chain", MANY, RCT_HINGE_BALL);
    rct_recording *reader = opened(record(model, 1));
    rct_solver *solver = recording_solver(model);
    double *wanted = calloc(4 * MANY, sizeof *wanted), *found = calloc(4 * MANY, sizeof *found);
    assert_true(wanted != NULL && found != NULL);
    const int32_t orientation = rct_recording_find(reader, "orientation");
    rct_solver_get_state(solver, wanted, NULL, NULL, NULL);
    assert_int_equal(rct_recording_read(reader, orientation, 0, 0, MANY, found, NULL), RCT_OK);
    assert_memory_equal(found, wanted, 4 * MANY * sizeof *found);
    for (int64_t first = 0; first < MANY; first += 9999) {
        const int64_t rows = MANY - first < 12345 ? MANY - first : 12345;
        assert_int_equal(rct_recording_read(reader, orientation, 0, first, rows, found, NULL),
                         RCT_OK);
        assert_memory_equal(found, wanted + 4 * first, (size_t)(4 * rows) * sizeof *found);
    }
    free(wanted);
    free(found);
    rct_solver_free(solver);
    rct_recording_close(reader);
    rct_model_free(model);
}

static void test_what_is_not_there(void **state)
{
    (void)state;
    double numbers[4 * BODIES];
    rct_quantity q;
    rct_model *model = must_family("chain", BODIES, RCT_HINGE_BALL);
    rct_recording *r = opened(record(model, FRAMES));
    static const struct {
        int32_t quantity;
        int64_t frame, first, rows;
        const char *says;
    } bad[] = {
        {-1, 0, 0, 1, "there is no quantity -1; give 0 to 11"},
        {12, 0, 0, 1, "there is no quantity 12"},
        {0, -1, 0, 1, "there is no frame -1; it has 3 frames"},
        {0, FRAMES, 0, 1, "there is no frame 3"},
        {0, 0, 1, BODIES, "orientation has 6 rows, not 6 from row 1 on"},
        {0, 0, -1, 2, "has 6 rows, not 2 from row -1 on"},
        {0, 0, INT64_MAX, INT64_MAX, "from row 9223372036854775807 on"},
        {0, 0, 0, -1, "has 6 rows, not -1 from row 0 on"},
        {3, 0, 0, 2, "time has 1 rows, not 2 from row 0 on"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(rct_recording_read(r, bad[i].quantity, bad[i].frame, bad[i].first,
                                            bad[i].rows, numbers, &error),
                         RCT_ERROR_ARGUMENT);
        damage_expect_line(&error, bad[i].says);
    }
    assert_int_equal(rct_recording_quantity(r, 12, &q, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_recording_find(r, "force"), -1);
    rct_recording_close(r);
    rct_model_free(model);
}

static void test_other_files(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", BODIES, RCT_HINGE_BALL);
    const char *path = record(model, 0);
    rct_recording *none = opened(path);
    rct_recording_info info;
    rct_recording_get_info(none, &info);
    assert_int_equal(info.frames, 0);
    rct_recording_close(none);

    const char *other = recording_path(1, "model.h5");
    assert_int_equal(rct_model_write_h5(model, other, NULL), RCT_OK);
    expect_refused(other, RCT_ERROR_UNSUPPORTED,
                   "is not a recording; give a file that run --out wrote");
    const char *members = recording_path(1, "members.h5");
    small_file(members);
    expect_refused(members, RCT_ERROR_UNSUPPORTED,
                   "is not a recording; give a file that run --out wrote");
    const char *text = recording_path(1, "text");
    recording_write_text(text, "{}");
    expect_refused(text, RCT_ERROR_UNSUPPORTED, "is not a recording: it does not begin like one");
    expect_refused(recording_path(1, "none.h5"), RCT_ERROR_IO, "cannot open the file");
    expect_refused("", RCT_ERROR_IO, "cannot open the file");

    rct_recording *older = opened(RCT_OLDER "/recording.h5");
    rct_recording_get_info(older, &info);
    assert_int_equal(info.frames, 3);
    assert_int_equal(info.checked, 0);
    rct_recording_close(older);
    rct_model_free(model);
}

/* What chose the steps, and what closed loops. */
static void test_what_made_it(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        rct_model *model = must_family(closed ? "fourbars" : "chain", 3, RCT_HINGE_REVOLUTE);
        rct_solver_options made = rct_solver_options_default();
        rct_recording_info info;
        made.integrator = closed ? RCT_INTEGRATOR_RK4 : RCT_INTEGRATOR_DOPRI5;
        made.tolerance = 1e-7;
        made.closing = RCT_CLOSING_SVD;
        made.drift = RCT_DRIFT_BAUMGARTE;
        made.baumgarte[1] = 30.0;
        rct_solver *solver = rct_solver_create(model, &made, &error);
        const char *path = recording_path(1, closed ? "closed.h5" : "open.h5");
        rct_recorder *recorder = rct_recorder_create(path, model, solver, NULL, &error);
        assert_int_equal(rct_recorder_close(recorder, 1, &error), RCT_OK);
        rct_recording *reader = opened(path);
        rct_recording_get_info(reader, &info);
        assert_string_equal(info.integrator, closed ? "rk4" : "dopri5");
        assert_true(info.tolerance == (closed ? 0.0 : 1e-7));
        assert_string_equal(info.closing, closed ? "svd" : "");
        assert_string_equal(info.drift, closed ? "baumgarte" : "");
        assert_true(info.baumgarte[1] == (closed ? 30.0 : 0.0));
        rct_recording_close(reader);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    rct_recording_info older;
    rct_recording *reader = opened(RCT_OLDER "/recording.h5"); /* which does not say */
    rct_recording_get_info(reader, &older);
    assert_true(older.integrator[0] == '\0' && older.tolerance == 0.0);
    rct_recording_close(reader);
}

static rct_status open_it(void *context, rct_error *why)
{
    (void)context;
    rct_recording *reader = rct_recording_open(recording_path(0, "a.h5"), why);
    rct_recording_close(reader);
    return reader != NULL ? RCT_OK : why->status;
}

/* Everything that is not refused lies in the unwritten frame. */
static void test_damage(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", BODIES, RCT_HINGE_BALL);
    const char *path = record(model, FRAMES);
    size_t size = 0;
    free(damage_read(path, &size));
    const int64_t kept = damage_flip_all(path, 7, open_it, NULL);
    assert_true(kept > 0 && kept < (int64_t)size / 7 / 4);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_all_numbers, recording_tidy),
        cmocka_unit_test_teardown(test_large_frames, recording_tidy),
        cmocka_unit_test_teardown(test_what_is_not_there, recording_tidy),
        cmocka_unit_test_teardown(test_other_files, recording_tidy),
        cmocka_unit_test_teardown(test_what_made_it, recording_tidy),
        cmocka_unit_test_teardown(test_damage, recording_tidy),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
