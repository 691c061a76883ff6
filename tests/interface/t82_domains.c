/* Arguments outside their domain through the calls of the interface: each is refused with words, and
 * changes nothing; errors of a caller's functions come back whole. */
#include "tests/support/cmocka_all.h"

#include "tests/support/faults/refusal.h"
#include "tests/support/files/recording.h"
#include "tests/support/must.h"

#include <riccatree/analysis.h>
#include <riccatree/checkpoint.h>
#include <riccatree/ensemble_file.h>
#include <riccatree/event.h>
#include <riccatree/loop.h>
#include <riccatree/run.h>

#include <math.h>
#include <string.h>

static rct_error error;

static void refused(rct_status status, const char *says)
{
    expect_refusal(status, &error, says);
}

static void good(rct_status status)
{
    if (status != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* ---- models ------------------------------------------------------------------------------- */

static void test_sizes_that_are_none(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("m", &error);
    const rct_body body = rct_body_default();
    refused(rct_model_add_body_sized(model, (rct_in){&body, -5, 0, 0}, NULL, &error),
            "argument `body` has -5 bytes");
    refused(rct_model_add_body_sized(model, (rct_in){&body, 8, -1, 0}, NULL, &error), "-1 of them");
    assert_int_equal(rct_model_body_count(model), 0);
    rct_solver_options options = {.threads = 77};
    rct_solver_options_init((rct_out){&options, -8, 0, 0});
    assert_int_equal(options.threads, 77);
    rct_model_free(model);
}

static void test_names_of_none(void **state)
{
    (void)state;
    char name[RCT_NAME_SIZE];
    rct_model *model = must_family("chain", 2, RCT_HINGE_BALL);
    rct_model_body_name(model, RCT_GROUND, name);
    assert_string_equal(name, "body-1");
    assert_int_equal(rct_model_find_body(model, name), -1);
    rct_model_loop_name(model, INT32_MIN, name);
    assert_string_equal(name, "loop-2147483648");
    rct_model_free(model);
}

/* What a start takes, a solver and a reader take. */
static void test_starts(void **state)
{
    (void)state;
    rct_model *wheel = must_family("chain", 1, RCT_HINGE_REVOLUTE);
    const double far = 2e15, rate = 0.0;
    refused(rct_model_set_start(wheel, &far, &rate, &error), "an angle is 2^50 rad or more");
    rct_model *ball = must_family("chain", 1, RCT_HINGE_BALL);
    for (double size = 1e-200; size < 1e300; size *= 1e200) {
        rct_body body;
        good(
            rct_model_set_start(ball, (double[4]){size, 0.0, 0.0, size}, (double[3]){0.0}, &error));
        good(rct_model_body(ball, 0, &body, &error));
        assert_true(fabs(body.orientation[0] - sqrt(0.5)) < 1e-15);
    }
    refused(rct_model_set_start(ball, (double[4]){0.0}, (double[3]){0.0}, &error), "length zero");
    rct_model_free(wheel);
    rct_model_free(ball);
}

static void test_efforts_at_no_number(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 1, RCT_HINGE_REVOLUTE);
    rct_force stop = rct_force_default();
    rct_force_effort effort;
    stop.type = RCT_FORCE_LIMIT;
    stop.lower = -1.0;
    stop.upper = 1.0;
    stop.stiffness = 10.0;
    must_force(model, &stop);
    refused(rct_model_force_effort(model, 0, 0.0, (double)NAN, 0.0, &effort, &error), "finite");
    refused(rct_model_force_effort(model, 0, 0.0, 2.0, INFINITY, &effort, &error), "finite");
    rct_model_free(model);
}

/* ---- solvers and files -------------------------------------------------------------------- */

static void test_checkpoints_that_could_not_be_read(void **state)
{
    (void)state;
    const char *path = recording_path(0, "a.rct");
    rct_model *model = must_family("chain", 3, RCT_HINGE_REVOLUTE);
    rct_solver *solver = must_solver(model, NULL);
    rct_checkpoint_writer *writer = rct_checkpoint_writer_create(path, model, solver, &error);
    assert_non_null(writer);
    good(rct_checkpoint_write(writer, 1, "note", 4, &error));
    refused(rct_checkpoint_write(writer, 2, "note", -3, &error), "a note of -3 bytes");
    refused(rct_checkpoint_write(writer, 2, "note", INT64_MAX, &error), "bytes: give 0 to");
    rct_solver_set_time(solver, (double)NAN);
    refused(rct_checkpoint_write(writer, 2, "note", 4, &error), "time of the solver is not finite");
    rct_checkpoint_writer_free(writer);
    rct_checkpoint *checkpoint = rct_checkpoint_open(path, &error);
    assert_non_null(checkpoint);
    rct_checkpoint_close(checkpoint);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_recordings_that_are_held(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 3, RCT_HINGE_REVOLUTE);
    rct_recorder_options options = rct_recorder_options_default();
    rct_solver *solver = must_solver(model, NULL);
    options.frames = 2;
    options.dt = options.t_end = 1.0;
    rct_recorder *recorder =
        rct_recorder_create(recording_path(0, "a.h5"), model, solver, &options, &error);
    assert_non_null(recorder);
    assert_null(rct_checkpoint_writer_create(recording_path(0, "a.h5"), model, solver, &error));
    assert_non_null(strstr(error.text, "another process writes to this file"));
    rct_solver_set_time(solver, (double)NAN);
    refused(rct_recorder_write(recorder, solver, NULL, &error), "not finite");
    rct_recorder_close(recorder, 0, NULL);
    rct_solver_free(solver);
    rct_model_free(model);
}

static int step_too(void *solver, const rct_run_report *so_far)
{
    (void)so_far;
    rct_solver_step(solver, 1e-3, 1, NULL);
    return 0;
}

static void test_runs_that_are_moved(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 4, RCT_HINGE_REVOLUTE);
    rct_solver *solver = must_solver(model, NULL);
    rct_run_options options = rct_run_options_default();
    rct_run_report report;
    options.dt = 1e-3;
    options.t_end = 0.1;
    options.watch = step_too;
    options.context = solver;
    refused(rct_solver_run(solver, model, &options, &report, &error), "may only read it");
    rct_solver_free(solver);
    rct_model_free(model);
}

/* The step at which a run fails does not depend on its frames. */
static void test_the_step_of_a_run(void **state)
{
    (void)state;
    static const int64_t frames[] = {2, 0, 11, 301};
    rct_model *model = must_family("chain", 4, RCT_HINGE_REVOLUTE);
    for (int k = 0; k < 4; k++) {
        rct_solver *solver = must_solver(model, NULL);
        rct_run_options options = rct_run_options_default();
        rct_run_report report;
        good(rct_solver_set_coordinates(solver, (double[4]){1.0, 0.0, 0.0, 0.0},
                                        (double[4]){3.0, -30.0, 20.0, 5.0}, &error));
        options.dt = 0.3;
        options.t_end = 90.0;
        options.frames = frames[k];
        assert_true(rct_solver_run(solver, model, &options, &report, &error) != RCT_OK);
        assert_int_equal(error.step, report.done);
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* ---- ensembles ---------------------------------------------------------------------------- */

static rct_status disk_full(void *context, const rct_member_result *result, rct_error *own)
{
    (void)context, (void)result;
    assert_int_equal(own->status, RCT_OK);
    assert_int_equal(own->body, -1);
    strcpy(own->text, "disk full");
    return RCT_ERROR_IO;
}

static void test_what_a_function_of_an_ensemble_says(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 2, RCT_HINGE_REVOLUTE);
    rct_ensemble *ensemble = must_ensemble(model, 4, 0.1, 0, NULL);
    rct_ensemble_run_options options = rct_ensemble_run_options_default();
    options.dt = 1e-3;
    options.steps = 2;
    refused(rct_ensemble_run(ensemble, &options, &error), "give `deliver`");
    options.deliver = disk_full;
    assert_int_equal(rct_ensemble_run(ensemble, &options, &error), RCT_ERROR_IO);
    assert_int_equal(error.status, RCT_ERROR_IO);
    assert_int_equal(error.body, -1);
    assert_int_equal(error.step, -1);
    assert_string_equal(error.text, "disk full");
    rct_ensemble_free(ensemble);
}

/* Rows that nothing was written to are no numbers; the file needs no function that delivers. */
static void test_rows_that_are_pending(void **state)
{
    (void)state;
    const char *path = recording_path(0, "a.h5");
    rct_model *model = must_family("chain", 2, RCT_HINGE_REVOLUTE);
    rct_ensemble *ensemble = must_ensemble(model, 3, 0.1, 0, NULL);
    rct_ensemble_run_options options = rct_ensemble_run_options_default();
    double time[3], energy[3], series[3][2], q[3][2];
    int32_t status[3];
    options.dt = 1e-3;
    options.steps = 2;
    options.series = 2;
    rct_ensemble_file *file = rct_ensemble_file_create(path, ensemble, &options, 1, NULL, &error);
    assert_non_null(file);
    good(rct_ensemble_file_close(file, 0, &error));
    rct_ensemble_results *results = rct_ensemble_results_open(path, &error);
    assert_non_null(results);
    good(rct_ensemble_results_read(results, status, time, energy, NULL, NULL, &error));
    good(rct_ensemble_results_states(results, 1, 2, q[1], NULL, &error));
    good(rct_ensemble_results_motions(results, 0, 3, series[0], NULL, &error));
    for (int k = 0; k < 3; k++) {
        assert_int_equal(status[k], RCT_MEMBER_PENDING);
        assert_true(isnan(time[k]) && isnan(energy[k]) && isnan(series[k][0]) &&
                    isnan(series[k][1]));
        assert_true(k == 0 || isnan(q[k][1]));
    }
    rct_ensemble_results_close(results);
    rct_ensemble_free(ensemble);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_that_are_none),
        cmocka_unit_test(test_names_of_none),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_efforts_at_no_number),
        cmocka_unit_test(test_checkpoints_that_could_not_be_read),
        cmocka_unit_test(test_recordings_that_are_held),
        cmocka_unit_test(test_runs_that_are_moved),
        cmocka_unit_test(test_the_step_of_a_run),
        cmocka_unit_test(test_what_a_function_of_an_ensemble_says),
        cmocka_unit_test(test_rows_that_are_pending),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
