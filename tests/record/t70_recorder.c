/* Recorder: the file holds the numbers of the solver, bit for bit, and describes itself. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "core/memory.h"

#include <riccatree/version.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = RECORDING_BODIES, ROOM = 6, WRITTEN = 4 };

static const double DT = 0.0078125;

/* Records WRITTEN frames, one step apart, in a file with room for ROOM. */
static void record_some(const char *path, int complete)
{
    rct_model *model = recording_model();
    rct_solver *solver = recording_solver(model);
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = ROOM;
    options.dt = DT;
    options.t_end = 5 * DT;
    options.overwrite = 1;
    options.command_line = "riccatree run small";
    rct_recorder *recorder = rct_recorder_create(path, model, solver, &options, NULL);
    assert_non_null(recorder);
    for (int k = 0; k < WRITTEN; k++) {
        rct_measures measures;
        rct_solver_measure(solver, &measures);
        /* measured by the caller or by the recorder: the same */
        assert_int_equal(rct_recorder_write(recorder, solver, k == 1 ? NULL : &measures, NULL),
                         RCT_OK);
        assert_int_equal(rct_solver_step(solver, DT, 1, NULL), RCT_OK);
    }
    assert_int_equal(rct_recorder_close(recorder, complete, NULL), RCT_OK);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void expect_same(const double *got, const double *wanted, int count)
{
    assert_memory_equal(got, wanted, (size_t)count * sizeof *got);
}

static void expect_states(hid_t file)
{
    double orientation[ROOM][N][4], rate[ROOM][N][3], position[ROOM][N][3];
    double q[N][4], w[N][3], r[N][3];
    recording_read(file, "/frames/orientation", H5T_NATIVE_DOUBLE, orientation);
    recording_read(file, "/frames/angular_velocity", H5T_NATIVE_DOUBLE, rate);
    recording_read(file, "/frames/position", H5T_NATIVE_DOUBLE, position);
    rct_model *model = recording_model();
    rct_solver *solver = recording_solver(model);
    for (int k = 0; k < WRITTEN; k++) {
        rct_solver_get_state(solver, q[0], w[0], r[0], NULL);
        expect_same(orientation[k][0], q[0], 4 * N);
        expect_same(rate[k][0], w[0], 3 * N);
        expect_same(position[k][0], r[0], 3 * N);
        assert_int_equal(rct_solver_step(solver, DT, 1, NULL), RCT_OK);
    }
    rct_solver_free(solver);
    rct_model_free(model);
}

static void expect_sums(hid_t file)
{
    double time[ROOM], kinetic[ROOM], potential[ROOM], energy[ROOM], drift[ROOM];
    double p[ROOM][3], l[ROOM][3], dp[ROOM][3], dl[ROOM][3];
    recording_read(file, "/frames/time", H5T_NATIVE_DOUBLE, time);
    recording_read(file, "/frames/kinetic", H5T_NATIVE_DOUBLE, kinetic);
    recording_read(file, "/frames/potential", H5T_NATIVE_DOUBLE, potential);
    recording_read(file, "/frames/energy", H5T_NATIVE_DOUBLE, energy);
    recording_read(file, "/frames/energy_drift", H5T_NATIVE_DOUBLE, drift);
    recording_read(file, "/frames/momentum", H5T_NATIVE_DOUBLE, p);
    recording_read(file, "/frames/angular_momentum", H5T_NATIVE_DOUBLE, l);
    recording_read(file, "/frames/momentum_change", H5T_NATIVE_DOUBLE, dp);
    recording_read(file, "/frames/angular_momentum_change", H5T_NATIVE_DOUBLE, dl);
    rct_model *model = recording_model();
    rct_solver *solver = recording_solver(model);
    for (int k = 0; k < WRITTEN; k++) {
        rct_measures m;
        rct_solver_measure(solver, &m);
        assert_true(time[k] == rct_solver_time(solver));
        assert_true(kinetic[k] == m.kinetic && potential[k] == m.potential);
        assert_true(energy[k] == m.kinetic + m.potential);
        assert_true(drift[k] == energy[k] - energy[0]);
        expect_same(p[k], m.momentum, 3);
        expect_same(l[k], m.angular_momentum, 3);
        for (int i = 0; i < 3; i++) {
            assert_true(dp[k][i] == p[k][i] - p[0][i]);
            assert_true(dl[k][i] == l[k][i] - l[0][i]);
        }
        assert_int_equal(rct_solver_step(solver, DT, 1, NULL), RCT_OK);
    }
    assert_true(kinetic[0] > 0.0 && potential[0] == 0.0 && fabs(drift[WRITTEN - 1]) < 1e-3);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_frames_are_the_solver_states(void **state)
{
    (void)state;
    record_some(recording_path(0, "a.h5"), 1);
    const hid_t file = recording_open(recording_path(0, "a.h5"));
    expect_states(file);
    expect_sums(file);
    assert_true(H5Fclose(file) >= 0);
    assert_int_equal(recording_frames_written(recording_path(0, "a.h5")), WRITTEN);
    assert_int_equal(recording_complete(recording_path(0, "a.h5")), 1);
}

static void test_unwritten_frames_are_nan(void **state)
{
    (void)state;
    const char *series[] = {
        "orientation", "angular_velocity", "position",        "time",
        "kinetic",     "potential",        "energy",          "energy_drift",
        "momentum",    "angular_momentum", "momentum_change", "angular_momentum_change"};
    const int widths[] = {4 * N, 3 * N, 3 * N, 1, 1, 1, 1, 1, 3, 3, 3, 3};
    record_some(recording_path(0, "a.h5"), 0);
    assert_int_equal(recording_complete(recording_path(0, "a.h5")), 0);
    const hid_t file = recording_open(recording_path(0, "a.h5"));
    for (int s = 0; s < 12; s++) {
        char name[64];
        double values[ROOM * N * 4];
        snprintf(name, sizeof name, "/frames/%s", series[s]);
        recording_read(file, name, H5T_NATIVE_DOUBLE, values);
        for (int i = 0; i < ROOM * widths[s]; i++) {
            assert_int_equal(isnan(values[i]) != 0, i >= WRITTEN * widths[s]);
        }
    }
    assert_true(H5Fclose(file) >= 0);
}

static void expect_text(hid_t object, const char *name, const char *wanted)
{
    char text[256] = "";
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    assert_true(attribute >= 0);
    const hid_t type = H5Aget_type(attribute);
    assert_true(H5Tget_size(type) < sizeof text);
    assert_true(H5Aread(attribute, type, text) >= 0);
    if (wanted != NULL) {
        assert_string_equal(text, wanted);
    } else {
        assert_true(text[0] != '\0');
    }
    H5Tclose(type);
    H5Aclose(attribute);
}

static void expect_numbers(hid_t object, const char *name, const double *wanted, int count)
{
    double values[3] = {NAN, NAN, NAN};
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    assert_true(attribute >= 0);
    assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, values) >= 0);
    expect_same(values, wanted, count);
    H5Aclose(attribute);
}

static herr_t expect_described(hid_t root, const char *name, const H5O_info_t *info, void *count)
{
    if (info->type == H5O_TYPE_DATASET) {
        const hid_t dataset = H5Dopen2(root, name, H5P_DEFAULT);
        expect_text(dataset, "unit", NULL);
        expect_text(dataset, "frame", NULL);
        expect_text(dataset, "description", NULL);
        H5Dclose(dataset);
        ++*(int *)count;
    }
    return 0;
}

static void test_the_file_describes_itself(void **state)
{
    (void)state;
    int datasets = 0;
    record_some(recording_path(0, "a.h5"), 1);
    const hid_t file = recording_open(recording_path(0, "a.h5"));
    expect_text(file, "format", "riccatree trajectory");
    expect_text(file, "library_version", rct_version());
    expect_text(file, "command_line", "riccatree run small");
    expect_text(file, "model_name", "small");
    expect_text(file, "method", "abi");
    expect_text(file, "backend", "cpu");
    expect_text(file, "created", NULL);
    expect_text(file, "units", NULL);
    expect_numbers(file, "format_version", (const double[]){2}, 1);
    expect_numbers(file, "threads", (const double[]){1}, 1);
    expect_numbers(file, "bodies", (const double[]){N}, 1);
    expect_numbers(file, "dof", (const double[]){3 * (N - 1)}, 1);
    expect_numbers(file, "gravity", (const double[]){0.5, 0.0, -9.0}, 3);
    expect_numbers(file, "dt", (const double[]){DT}, 1);
    expect_numbers(file, "t_end", (const double[]){5 * DT}, 1);
    H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, expect_described, &datasets, H5O_INFO_BASIC);
    assert_int_equal(datasets, 10 + 13 + 3 + 2);
    assert_true(H5Fclose(file) >= 0);
}

static void expect_field(hid_t file, const char *name, int b, int width, const double *wanted)
{
    double values[N * 6];
    recording_read(file, name, H5T_NATIVE_DOUBLE, values);
    expect_same(values + (ptrdiff_t)b * width, wanted, width);
}

static void test_the_model_is_in_the_file(void **state)
{
    (void)state;
    int32_t parents[N];
    int8_t hinges[N];
    char names[N][9], member[8];
    const hid_t name_type = H5Tcopy(H5T_C_S1);
    H5Tset_size(name_type, sizeof names[0]);
    H5Tset_strpad(name_type, H5T_STR_NULLPAD);
    H5Tset_cset(name_type, H5T_CSET_UTF8);
    record_some(recording_path(0, "a.h5"), 1);
    const hid_t file = recording_open(recording_path(0, "a.h5"));
    const hid_t dataset = H5Dopen2(file, "/model/hinge", H5P_DEFAULT);
    const hid_t hinge_type = H5Dget_type(dataset);
    recording_read(file, "/model/parent", H5T_NATIVE_INT32, parents);
    recording_read(file, "/model/hinge", hinge_type, hinges);
    recording_read(file, "/model/name", name_type, names);
    rct_model *model = recording_model();
    for (int b = 0; b < N; b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        assert_int_equal(parents[b], body.parent);
        H5Tenum_nameof(hinge_type, &hinges[b], member, sizeof member);
        assert_string_equal(member, body.hinge == RCT_HINGE_FIXED ? "fixed" : "ball");
        assert_int_equal(strncmp(names[b], body.name != NULL ? body.name : "", sizeof names[b]), 0);
        expect_field(file, "/model/hinge_at", b, 3, body.hinge_at);
        expect_field(file, "/model/hinge_orientation", b, 4, body.hinge_orientation);
        expect_field(file, "/model/mass", b, 1, &body.mass);
        expect_field(file, "/model/com", b, 3, body.com);
        expect_field(file, "/model/inertia", b, 6, body.inertia);
        expect_field(file, "/model/initial_orientation", b, 4, body.orientation);
        expect_field(file, "/model/initial_angular_velocity", b, 3, body.angular_velocity);
    }
    rct_model_free(model);
    H5Tclose(hinge_type);
    H5Tclose(name_type);
    H5Dclose(dataset);
    assert_true(H5Fclose(file) >= 0);
}

static void test_a_frame_allocates_nothing(void **state)
{
    (void)state;
    rct_model *model = recording_model();
    rct_solver *solver = recording_solver(model);
    rct_recorder *recorder =
        rct_recorder_create(recording_path(0, "n.h5"), model, solver, NULL, NULL);
    assert_non_null(recorder);
    rct_allocate_fail_after(0);
    assert_int_equal(rct_recorder_write(recorder, solver, NULL, NULL), RCT_OK);
    rct_allocate_fail_after(-1);
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    assert_int_equal(rct_recorder_close(NULL, 1, NULL), RCT_OK);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_the_solver_states),
        cmocka_unit_test(test_unwritten_frames_are_nan),
        cmocka_unit_test(test_the_file_describes_itself),
        cmocka_unit_test(test_the_model_is_in_the_file),
        cmocka_unit_test(test_a_frame_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
