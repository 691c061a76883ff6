/* Recorder: coordinates and rates of hinges of every type, bit for bit, if poses do not determine
 * them; how far loops are open, if there are loops; nothing in other models. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include <riccatree/closure.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { N = RCT_HINGE_TYPES, FRAMES = 4, Q = 21, U = 19 };

static const double DT = 0.0078125;

/* A chain of all types but free, in the order of rct_hinge_type, and beside it a free body. */
static rct_model *every_hinge(void)
{
    rct_model *model = rct_model_create("every-hinge", NULL);
    for (int32_t i = 0; i < N; i++) {
        rct_body body = rct_body_default();
        body.hinge = (rct_hinge_type)i;
        body.parent = i == 0 || i == RCT_HINGE_FREE ? RCT_GROUND : i - 1;
        body.mass = 1.0 + 0.25 * i;
        body.com[2] = -0.5;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.25;
        if (i > RCT_HINGE_BALL) {
            body.hinge_axis[1] = 1.0;
            body.position[0] = 0.125 * i;
            body.rate[0] = 1.0;
            body.hinge_pitch = i == RCT_HINGE_HELICAL ? 0.25 : 0.0;
        }
        if (i == RCT_HINGE_FREE) {
            body.hinge_axis[1] = 0.0;
            body.angular_velocity[2] = 0.5;
        }
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    return model;
}

static rct_recorder *create(const rct_model *model, const rct_solver *solver, int64_t frames)
{
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = frames;
    options.overwrite = 1;
    rct_recorder *recorder =
        rct_recorder_create(recording_path(0, "hinges.h5"), model, solver, &options, NULL);
    assert_non_null(recorder);
    return recorder;
}

static void test_coordinates_and_rates_are_those_of_the_solver(void **state)
{
    (void)state;
    double q[FRAMES][Q], u[FRAMES][U], read_q[FRAMES][Q], read_u[FRAMES][U];
    int64_t first[N];
    rct_solver_info info;
    rct_model *model = every_hinge();
    rct_solver *solver = recording_solver(model);
    rct_solver_get_info(solver, &info);
    assert_int_equal(info.coordinates, Q);
    assert_int_equal(info.dof, U);
    rct_recorder *recorder = create(model, solver, FRAMES);
    for (int k = 0; k < FRAMES; k++) {
        rct_solver_get_coordinates(solver, q[k], u[k]);
        assert_int_equal(rct_recorder_write(recorder, solver, NULL, NULL), RCT_OK);
        assert_int_equal(rct_solver_step(solver, DT, 1, NULL), RCT_OK);
    }
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    const hid_t file = recording_open(recording_path(0, "hinges.h5"));
    recording_read(file, "/frames/coordinates", H5T_NATIVE_DOUBLE, read_q);
    recording_read(file, "/frames/rates", H5T_NATIVE_DOUBLE, read_u);
    assert_memory_equal(read_q, q, sizeof q);
    assert_memory_equal(read_u, u, sizeof u);
    recording_read(file, "/model/first_coordinate", H5T_NATIVE_INT64, first);
    assert_memory_equal(first, ((const int64_t[N]){0, 0, 4, 5, 6, 8, 10, 13, 14}), sizeof first);
    recording_read(file, "/model/first_rate", H5T_NATIVE_INT64, first);
    assert_memory_equal(first, ((const int64_t[N]){0, 0, 3, 4, 5, 7, 9, 12, 13}), sizeof first);
    assert_true(H5Fclose(file) >= 0);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_models_of_ball_hinges_have_none(void **state)
{
    (void)state;
    rct_model *model = recording_model();
    rct_solver *solver = recording_solver(model);
    rct_recorder *recorder = create(model, solver, 1);
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    const hid_t file = recording_open(recording_path(0, "hinges.h5"));
    const char *const names[] = {"/frames/coordinates", "/frames/rates", "/model/first_coordinate",
                                 "/model/first_rate"};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(H5Lexists(file, names[i], H5P_DEFAULT), 0);
    }
    assert_true(H5Fclose(file) >= 0);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* A chain of `bodies` rods on ball hinges, pinned where its end is. */
static rct_model *pinned(int64_t bodies)
{
    rct_model *model = recording_chain((int32_t)bodies, 0);
    rct_solver *open = recording_solver(model);
    double *orientation = calloc((size_t)bodies, 7 * sizeof *orientation);
    double *position = orientation + 4 * bodies;
    rct_loop loop = rct_loop_default();
    assert_non_null(orientation);
    rct_solver_get_state(open, orientation, NULL, position, NULL);
    loop.body = (int32_t)bodies - 1;
    memcpy(loop.other_at, position + 3 * (bodies - 1), sizeof loop.other_at);
    loop.other_at[0] += 0.125;
    loop.active = 0;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    free(orientation);
    rct_solver_free(open);
    return model;
}

static void test_loops(void **state)
{
    (void)state;
    static const char *const names[] = {"/frames/position_violation", "/frames/velocity_violation"};
    double seen[2][3] = {{0.0}}, read[2][3];
    rct_model *model = pinned(6), *open = recording_chain(6, 0);
    rct_solver *solver = recording_solver(model), *other = recording_solver(open);
    rct_recorder *recorder = create(model, solver, 3);
    for (int k = 0; k < 3; k++) {
        rct_loop_info info;
        rct_solver_get_loop_info(solver, &info);
        seen[0][k] = info.position;
        seen[1][k] = info.velocity;
        assert_int_equal(rct_recorder_write(recorder, solver, NULL, NULL), RCT_OK);
        rct_solver_set_loop_active(solver, 0, RCT_LOOP_PULLED, NULL);
        assert_int_equal(rct_solver_step(solver, DT, 1, NULL), RCT_OK);
    }
    assert_true(seen[0][0] == 0.0 && seen[0][2] < 1e-10);
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    hid_t file = recording_open(recording_path(0, "hinges.h5"));
    for (int s = 0; s < 2; s++) {
        recording_read(file, names[s], H5T_NATIVE_DOUBLE, read[s]);
    }
    assert_memory_equal(read, seen, sizeof read);
    assert_int_equal(H5Lexists(file, "/frames/coordinates", H5P_DEFAULT), 0);
    assert_true(H5Fclose(file) >= 0);
    recorder = create(open, other, 1);
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    file = recording_open(recording_path(0, "hinges.h5"));
    assert_int_equal(H5Lexists(file, names[0], H5P_DEFAULT), 0);
    assert_int_equal(H5Lexists(file, names[1], H5P_DEFAULT), 0);
    assert_true(H5Fclose(file) >= 0);
    rct_solver_free(solver);
    rct_solver_free(other);
    rct_model_free(model);
    rct_model_free(open);
}

static void test_the_size_is_known_beforehand(void **state)
{
    (void)state;
    const struct {
        rct_hinge_type hinge;
        int64_t bodies, frames;
    } cases[] = {{RCT_HINGE_REVOLUTE, 1, 1},
                 {RCT_HINGE_PLANAR, 700, 211},
                 {RCT_HINGE_UNIVERSAL, 3, 20000},
                 {RCT_HINGE_PRISMATIC, 20000, 3}};
    for (int i = 0; i < 4; i++) {
        struct stat found;
        rct_family family = rct_family_default();
        family.hinge = cases[i].hinge;
        family.bodies = cases[i].bodies;
        rct_model *model = rct_model_generate(&family, NULL);
        rct_solver *solver = recording_solver(model);
        rct_recorder *recorder = create(model, solver, cases[i].frames);
        assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
        assert_int_equal(stat(recording_path(0, "hinges.h5"), &found), 0);
        const int64_t announced = rct_recorder_file_bytes(model, cases[i].frames);
        assert_true(announced >= found.st_size);
        assert_true((double)(announced - found.st_size) <= 0.02 * (double)announced + 65536.0);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

static void test_what_cannot_be_recorded_is_refused(void **state)
{
    (void)state;
    rct_error error;
    rct_model *model = every_hinge(), *chain = recording_chain(N, 0);
    rct_solver *solver = recording_solver(model), *other = recording_solver(chain);
    rct_recorder *recorder = create(model, solver, 1);
    assert_int_equal(rct_recorder_write(recorder, other, NULL, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text,
                           "is made for 21 coordinates and 19 rates of hinges, but the solver has "
                           "36 and 27; give the solver that was made from the model"));
    rct_measures measures;
    rct_solver_measure(solver, &measures);
    assert_int_equal(rct_recorder_write_kept(recorder, solver, &measures, &error),
                     RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "no state is kept"));
    assert_int_equal(rct_recorder_write(recorder, solver, NULL, &error), RCT_OK);
    assert_int_equal(rct_recorder_close(recorder, 1, &error), RCT_OK);
    rct_solver_free(other);
    rct_solver_free(solver);
    rct_model_free(chain);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinates_and_rates_are_those_of_the_solver),
        cmocka_unit_test(test_models_of_ball_hinges_have_none),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_the_size_is_known_beforehand),
        cmocka_unit_test(test_what_cannot_be_recorded_is_refused),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
