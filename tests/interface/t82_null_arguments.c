/* Every public function with each required pointer NULL in turn returns a status and the name of
 * the argument, or does nothing. tests/house/null_check.sh checks that all functions are in this
 * one file. */
#include "tests/support/cmocka_all.h"

#include "tests/support/faults/refusal.h"
#include "tests/support/files/small_ensemble.h"

#include <riccatree/check.h>
#include <riccatree/reference.h>
#include <riccatree/rod.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static rct_error error;

/* The call before was refused with the name of that argument; it is also refused without an error
 * to fill. */
static void refused(const char *name, rct_status status)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "`%s` is NULL", name);
    assert_int_equal(status, RCT_ERROR_ARGUMENT);
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    if (strstr(error.text, quoted) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, quoted);
    }
    error = (rct_error){.status = RCT_OK};
}

static void none(const char *name, const void *made)
{
    assert_null(made);
    refused(name, RCT_ERROR_ARGUMENT);
}

static rct_status take(void *context, const rct_member_result *result, rct_error *unused)
{
    (void)context, (void)result, (void)unused;
    return RCT_OK;
}

static rct_solver *solver_of(const rct_model *model)
{
    const rct_solver_options options = rct_solver_options_default();
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static void test_models(void **state)
{
    (void)state;
    rct_model *model = two_bodies();
    rct_body body = rct_body_default();
    rct_force force = rct_force_default();
    rct_force_effort effort;
    double motion_of[3];
    rct_rod rod = rct_rod_default();
    rct_shape shape = rct_shape_default();
    rct_loop loop = rct_loop_default();
    rct_base base = rct_base_default();
    rct_base_motion motion;
    double gravity[3] = {1.0, 2.0, 3.0};
    char name[RCT_NAME_SIZE] = "kept";

    rct_model_free(NULL);
    assert_null(rct_model_name(NULL));
    refused("model", rct_model_set_gravity(NULL, gravity, &error));
    refused("gravity", rct_model_set_gravity(model, NULL, &error));
    rct_model_gravity(NULL, gravity);
    rct_model_gravity(model, NULL);
    assert_true(gravity[2] == 3.0);
    refused("model", rct_model_add_rod(NULL, &rod, NULL, &error));
    refused("rod", rct_model_add_rod(model, NULL, NULL, &error));
    refused("model", rct_model_add_body(NULL, &body, NULL, &error));
    refused("body", rct_model_add_body(model, NULL, NULL, &error));
    assert_int_equal(rct_model_body_count(NULL), 0);
    refused("model", rct_model_body(NULL, 0, &body, &error));
    refused("body", rct_model_body(model, 0, NULL, &error));
    rct_model_body_name(NULL, 7, name);
    assert_string_equal(name, "body7");
    rct_model_body_name(model, 0, NULL);
    assert_int_equal(rct_model_find_body(NULL, "body0"), -1);
    assert_int_equal(rct_model_find_body(model, NULL), -1);
    assert_null(rct_did_you_mean("x", NULL, NULL, NULL));
    assert_string_equal(rct_did_you_mean(NULL, NULL, NULL, error.text), "");
    assert_null(rct_model_body_hint(model, "x", NULL, NULL));
    assert_string_equal(rct_model_body_hint(NULL, NULL, "say", error.text), "; say");
    refused("model", rct_model_check(NULL, &error));
    rct_census census;
    rct_model_take_census(NULL, &census);
    assert_true(census.mass == 0.0 && census.changers[0] == '\0');
    rct_model_take_census(model, NULL);

    refused("model", rct_model_add_force(NULL, &force, NULL, &error));
    refused("force", rct_model_add_force(model, NULL, NULL, &error));
    assert_int_equal(rct_model_force_count(NULL), 0);
    refused("model", rct_model_force(NULL, 0, &force, &error));
    refused("force", rct_model_force(model, 0, NULL, &error));
    refused("model", rct_model_loop_motion(NULL, 0, 0.0, motion_of, &error));
    refused("motion", rct_model_loop_motion(model, 0, 0.0, NULL, &error));
    refused("model", rct_model_force_effort(NULL, 0, 0.0, 0.0, 0.0, &effort, &error));
    refused("effort", rct_model_force_effort(model, 0, 0.0, 0.0, 0.0, NULL, &error));
    refused("model", rct_model_add_shape(NULL, &shape, NULL, &error));
    refused("shape", rct_model_add_shape(model, NULL, NULL, &error));
    assert_int_equal(rct_model_shape_count(NULL), 0);
    assert_int_equal(rct_model_body_shapes(NULL, 0, NULL), 0);
    refused("model", rct_model_shape(NULL, 0, &shape, &error));
    refused("shape", rct_model_shape(model, 0, NULL, &error));
    refused("model", rct_model_set_base(NULL, &base, &error));
    refused("base", rct_model_set_base(model, NULL, &error));
    rct_model_base(NULL, &base);
    assert_true(base.axis[2] == 0.0);
    rct_model_base(model, NULL);
    rct_model_base_motion(NULL, 1.0, &motion);
    assert_true(motion.orientation[0] == 0.0);
    rct_model_base_motion(model, 1.0, NULL);

    refused("model", rct_model_add_loop(NULL, &loop, NULL, &error));
    refused("loop", rct_model_add_loop(model, NULL, NULL, &error));
    assert_int_equal(rct_model_loop_count(NULL), 0);
    refused("model", rct_model_loop(NULL, 0, &loop, &error));
    refused("loop", rct_model_loop(model, 0, NULL, &error));
    assert_true(isnan(rct_loop_set_outline(NULL, gravity, 3)));
    assert_true(isnan(rct_loop_set_outline(&loop, NULL, 3)));
    rct_model_loop_name(NULL, 7, name);
    assert_string_equal(name, "loop7");
    rct_model_loop_name(model, 0, NULL);
    assert_int_equal(rct_model_find_loop(NULL, "loop0"), -1);
    assert_int_equal(rct_model_find_loop(model, NULL), -1);
    refused("model", rct_model_set_start(NULL, gravity, gravity, &error));
    refused("coordinates", rct_model_set_start(model, NULL, gravity, &error));
    refused("rates", rct_model_set_start(model, gravity, NULL, &error));
    assert_int_equal(rct_model_body_count(model), 2);
    rct_model_free(model);
}

static void test_files_of_models(void **state)
{
    (void)state;
    rct_model *model = two_bodies();
    rct_model *unnamed = rct_model_create(NULL, &error);
    assert_non_null(unnamed);
    rct_model_free(unnamed);
    none("path", rct_model_read(NULL, &error));
    none("text", rct_model_parse(NULL, 3, &error));
    refused("model", rct_model_write(NULL, "x", &error));
    refused("path", rct_model_write(model, NULL, &error));
    none("path", rct_model_read_h5(NULL, &error));
    refused("model", rct_model_write_h5(NULL, "x", &error));
    refused("path", rct_model_write_h5(model, NULL, &error));
    none("family", rct_model_generate(NULL, &error));
    none("path", rct_model_import(NULL, NULL, &error));
    none("text", rct_model_import_text(NULL, 3, NULL, &error));
    rct_model_free(model);
}

static void test_events(void **state)
{
    (void)state;
    rct_model *model = two_bodies();
    rct_event event = rct_event_default();
    char name[RCT_NAME_SIZE] = "kept";
    refused("model", rct_model_add_event(NULL, &event, NULL, &error));
    refused("event", rct_model_add_event(model, NULL, NULL, &error));
    assert_int_equal(rct_model_event_count(NULL), 0);
    refused("model", rct_model_event(NULL, 0, &event, &error));
    refused("event", rct_model_event(model, 0, NULL, &error));
    rct_model_event_name(NULL, 7, name);
    assert_string_equal(name, "event7");
    rct_model_event_name(model, 0, NULL);
    assert_int_equal(rct_model_find_event(NULL, "event0"), -1);
    assert_int_equal(rct_model_find_event(model, NULL), -1);
    refused("model", rct_model_loosen(NULL, 0, NULL, &error));
    rct_model_free(model);
}

static void test_references(void **state)
{
    (void)state;
    rct_model *model = two_bodies();
    double apart[RCT_REFERENCE_IDENTITIES];
    rct_reference_result result = {.linear = NULL};
    refused("model",
            rct_reference_evaluate(NULL, RCT_REFERENCE_LAGRANGE, NULL, NULL, &result, &error));
    refused("result",
            rct_reference_evaluate(model, RCT_REFERENCE_LAGRANGE, NULL, NULL, NULL, &error));
    refused("model", rct_reference_evaluate_at(NULL, RCT_REFERENCE_LAGRANGE, 0.0, NULL, NULL,
                                               &result, &error));
    refused("model", rct_reference_identities(NULL, 0.0, NULL, NULL, apart, &error));
    refused("apart", rct_reference_identities(model, 0.0, NULL, NULL, NULL, &error));
    refused("result", rct_reference_evaluate_at(model, RCT_REFERENCE_LAGRANGE, 0.0, NULL, NULL,
                                                NULL, &error));
    rct_model_free(model);
}

static void test_solvers_that_are_none(void **state)
{
    (void)state;
    rct_solver_info info;
    rct_stepping stepping;
    rct_measures measures;
    rct_loop_info loops;
    double x[24] = {4.0};
    int32_t active[1] = {7};
    int64_t happened[1] = {7};
    none("model", rct_solver_create(NULL, NULL, &error));
    refused("info", rct_backend_describe(0, NULL, &error));
    refused("model", rct_backend_predict(0, NULL, NULL, x, &error));
    rct_solver_free(NULL);
    refused("solver", rct_solver_check(NULL, &error));
    rct_solver_get_info(NULL, &info);
    assert_int_equal(info.bodies, 0);
    rct_solver_get_stepping(NULL, &stepping);
    assert_true(stepping.steps == 0 && isnan(stepping.shortest));
    refused("solver", rct_solver_set_state(NULL, x, x, &error));
    refused("solver", rct_solver_set_coordinates(NULL, x, x, &error));
    rct_solver_get_coordinates(NULL, x, x);
    rct_solver_get_state(NULL, x, x, x, x);
    refused("solver", rct_solver_keep(NULL, &error));
    refused("solver", rct_solver_get_kept(NULL, x, x, x, x, &error));
    assert_true(isnan(rct_solver_kept_time(NULL)));
    assert_true(isnan(rct_solver_time(NULL)));
    rct_solver_set_time(NULL, 1.0);
    refused("solver", rct_solver_evaluate(NULL, &error));
    rct_solver_get_accelerations(NULL, x, x);
    rct_solver_get_rate_derivatives(NULL, x);
    rct_solver_get_hinge_forces(NULL, x, x);
    rct_solver_get_state_vectors(NULL, x, x);
    refused("solver", rct_solver_set_force_function(NULL, NULL, NULL, &error));
    refused("solver", rct_solver_set_body_forces(NULL, NULL, 0, NULL, NULL, &error));
    refused("solver", rct_solver_set_efforts(NULL, NULL, &error));
    refused("solver", rct_solver_forward(NULL, 0, NULL, NULL, NULL, NULL, &error));
    refused("solver", rct_solver_step(NULL, 1e-3, 1, &error));
    rct_step_report report;
    refused("solver", rct_solver_check_step(NULL, 1e-3, &report, &error));
    rct_solver_measure(NULL, &measures);
    assert_true(isnan(measures.kinetic));
    rct_solver_get_loop_info(NULL, &loops);
    assert_int_equal(loops.loops, 0);
    none("solver", rct_solver_find_aggregates(NULL, &error));
    rct_solver_get_loop_forces(NULL, x, x, x);
    rct_solver_get_active_loops(NULL, active);
    rct_solver_get_events(NULL, happened, x);
    assert_true(active[0] == 7 && happened[0] == 7);
    refused("solver", rct_solver_set_loop_active(NULL, 0, RCT_LOOP_RELEASED, &error));
    refused("solver", rct_solver_assemble(NULL, &error));
    refused("solver", rct_solver_equilibrium(NULL, NULL, &error));
    refused("solver", rct_solver_modes(NULL, 1, x, NULL, NULL, &error));
    refused("square", rct_solver_modes(NULL, 1, NULL, NULL, NULL, &error));
    refused("solver", rct_solver_mass_times(NULL, 1, x, x, &error));
    refused("solver", rct_solver_mass_solve(NULL, 1, x, x, &error));
    refused("solver", rct_solver_jacobian_times(NULL, 1, x, x, x, &error));
    refused("solver", rct_solver_jacobian_transposed(NULL, 1, x, x, x, &error));
    refused("solver", rct_solver_inverse_dynamics(NULL, x, x, x, x, &error));
    refused("solver", rct_solver_acceleration_tangent(NULL, 1, x, x, x, x, &error));
    refused("solver", rct_solver_acceleration_adjoint(NULL, 1, x, x, x, x, &error));
    refused("solver", rct_solver_hinge_efforts(NULL, x, &error));
    refused("solver", rct_solver_move_coordinates(NULL, x, x, x, &error));
    assert_true(x[0] == 4.0); /* arrays are left alone */
}

static void test_arrays_of_solvers(void **state)
{
    (void)state;
    rct_model *model = two_bodies();
    rct_solver *solver = solver_of(model);
    double x[24] = {0.0};
    refused("orientation", rct_solver_set_state(solver, NULL, x, &error));
    refused("angular_velocity", rct_solver_set_state(solver, x, NULL, &error));
    refused("coordinates", rct_solver_set_coordinates(solver, NULL, x, &error));
    refused("rates", rct_solver_set_coordinates(solver, x, NULL, &error));
    refused("x", rct_solver_mass_times(solver, 1, NULL, x, &error));
    refused("y", rct_solver_mass_times(solver, 1, x, NULL, &error));
    refused("x", rct_solver_mass_solve(solver, 1, NULL, x, &error));
    refused("y", rct_solver_mass_solve(solver, 1, x, NULL, &error));
    refused("x", rct_solver_jacobian_times(solver, 1, NULL, x, x, &error));
    refused("force", rct_solver_jacobian_transposed(solver, 1, NULL, x, x, &error));
    refused("moment", rct_solver_jacobian_transposed(solver, 1, x, NULL, x, &error));
    refused("y", rct_solver_jacobian_transposed(solver, 1, x, x, NULL, &error));
    refused("x", rct_solver_inverse_dynamics(solver, NULL, x, x, x, &error));
    refused("da", rct_solver_acceleration_tangent(solver, 1, x, x, x, NULL, &error));
    refused("x", rct_solver_acceleration_adjoint(solver, 1, NULL, x, x, x, &error));
    refused("effort", rct_solver_hinge_efforts(solver, NULL, &error));
    refused("coordinates", rct_solver_move_coordinates(solver, NULL, x, x, &error));
    refused("dq", rct_solver_move_coordinates(solver, x, NULL, x, &error));
    refused("moved", rct_solver_move_coordinates(solver, x, x, NULL, &error));
    assert_int_equal(rct_solver_mass_times(solver, 0, NULL, NULL, &error), RCT_OK); /* no rows */
    assert_int_equal(rct_solver_evaluate(solver, &error), RCT_OK);
    rct_solver_get_info(solver, NULL);
    rct_solver_get_stepping(solver, NULL);
    refused("report", rct_solver_check_step(solver, 1e-3, NULL, &error));
    rct_solver_measure(solver, NULL);
    rct_solver_get_loop_info(solver, NULL);
    rct_solver_get_coordinates(solver, NULL, NULL);
    rct_solver_get_state(solver, NULL, NULL, NULL, NULL);
    rct_solver_get_accelerations(solver, NULL, NULL);
    rct_solver_get_rate_derivatives(solver, NULL);
    rct_solver_get_hinge_forces(solver, NULL, NULL);
    rct_solver_get_state_vectors(solver, NULL, NULL);
    rct_solver_get_loop_forces(solver, NULL, NULL, NULL);
    rct_solver_get_active_loops(solver, NULL);
    rct_solver_get_events(solver, NULL, NULL);
    assert_int_equal(rct_solver_jacobian_times(solver, 1, x, NULL, NULL, &error), RCT_OK);
    assert_int_equal(rct_solver_inverse_dynamics(solver, x, NULL, NULL, NULL, &error), RCT_OK);
    assert_int_equal(rct_solver_acceleration_tangent(solver, 1, NULL, NULL, NULL, x, &error),
                     RCT_OK);
    assert_int_equal(rct_solver_acceleration_adjoint(solver, 1, x, NULL, NULL, NULL, &error),
                     RCT_OK);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_aggregates(void **state)
{
    (void)state;
    rct_model *model = two_bodies();
    rct_loop loop = rct_loop_default();
    rct_aggregate_info info;
    loop.body = 1;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, &error), RCT_OK);
    rct_solver_options options = rct_solver_options_default();
    options.as_given = 1;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    rct_aggregates *aggregates = rct_solver_find_aggregates(solver, &error);
    assert_int_equal(rct_aggregates_count(aggregates), 1);
    assert_int_equal(rct_aggregates_count(NULL), 0);
    refused("aggregates", rct_aggregates_get(NULL, 0, &info, &error));
    refused("info", rct_aggregates_get(aggregates, 0, NULL, &error));
    assert_null(rct_aggregates_bodies(NULL, 0));
    assert_null(rct_aggregates_loops(NULL, 0));
    rct_aggregates_free(aggregates);
    rct_aggregates_free(NULL);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_recordings(void **state)
{
    (void)state;
    rct_model *model = two_bodies();
    rct_solver *solver = solver_of(model);
    rct_measures measures;
    rct_recorder_options options = rct_recorder_options_default();
    options.overwrite = 1;
    assert_int_equal(rct_recorder_file_bytes(NULL, 5), 0);
    none("path", rct_recorder_create(NULL, model, solver, NULL, &error));
    none("model", rct_recorder_create("x", NULL, solver, NULL, &error));
    none("solver", rct_recorder_create("x", model, NULL, NULL, &error));
    none("path", rct_recorder_reopen(NULL, model, solver, &options, 0, &error));
    none("model", rct_recorder_reopen("x", NULL, solver, &options, 0, &error));
    none("solver", rct_recorder_reopen("x", model, NULL, &options, 0, &error));
    rct_recorder *recorder =
        rct_recorder_create("null_arguments.h5", model, solver, &options, &error);
    assert_non_null(recorder);
    rct_solver_measure(solver, &measures);
    refused("recorder", rct_recorder_write(NULL, solver, NULL, &error));
    refused("solver", rct_recorder_write(recorder, NULL, NULL, &error));
    refused("recorder", rct_recorder_write_kept(NULL, solver, &measures, &error));
    refused("solver", rct_recorder_write_kept(recorder, NULL, &measures, &error));
    refused("measures", rct_recorder_write_kept(recorder, solver, NULL, &error));
    refused("recorder", rct_recorder_sync(NULL, &error));
    assert_int_equal(rct_recorder_close(NULL, 1, &error), RCT_OK);
    assert_int_equal(rct_recorder_write(recorder, solver, NULL, &error), RCT_OK);
    assert_int_equal(rct_recorder_close(recorder, 1, &error), RCT_OK);
    recorder = rct_recorder_reopen("null_arguments.h5", model, solver, NULL, 1, NULL);
    assert_non_null(recorder); /* the defaults it was made with */
    rct_recorder_close(recorder, 0, NULL);
    rct_solver_free(solver);
    rct_model_free(model);
    unlink("null_arguments.h5");
}

static void test_runs(void **state)
{
    (void)state;
    rct_model *model = two_bodies();
    rct_solver *solver = solver_of(model);
    rct_run_report report;
    double step;
    int32_t body;
    const rct_run_options options = rct_run_options_default();
    refused("solver", rct_solver_run(NULL, model, &options, &report, &error));
    assert_true(report.steps == 0 && report.begun == 0);
    refused("model", rct_solver_run(solver, NULL, &options, NULL, &error));
    refused("options", rct_solver_run(solver, model, NULL, NULL, &error));
    refused("steps", rct_run_steps(1.0, 0.1, NULL, &error));
    refused("frames", rct_run_frames(10, 0, NULL, &error));
    refused("solver", rct_solver_longest_step(NULL, model, &step, &body, &error));
    refused("model", rct_solver_longest_step(solver, NULL, &step, &body, &error));
    refused("step", rct_solver_longest_step(solver, model, NULL, &body, &error));
    refused("body", rct_solver_longest_step(solver, model, &step, NULL, &error));
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_checkpoints(void **state)
{
    (void)state;
    rct_model *model = two_bodies();
    rct_solver *solver = solver_of(model);
    const char *path = "null_arguments.checkpoint";
    rct_checkpoint_info info;
    none("path", rct_checkpoint_writer_create(NULL, model, solver, &error));
    none("model", rct_checkpoint_writer_create(path, NULL, solver, &error));
    none("solver", rct_checkpoint_writer_create(path, model, NULL, &error));
    rct_checkpoint_writer *writer = rct_checkpoint_writer_create(path, model, solver, &error);
    assert_non_null(writer);
    refused("writer", rct_checkpoint_write(NULL, 0, NULL, 0, &error));
    refused("note", rct_checkpoint_write(writer, 0, NULL, 8, &error));
    assert_int_equal(rct_checkpoint_write(writer, 0, NULL, 0, &error), RCT_OK);
    rct_checkpoint_writer_free(writer);
    rct_checkpoint_writer_free(NULL);

    rct_file_info file;
    refused("path", rct_file_check(NULL, &file, &error));
    refused("info", rct_file_check(path, NULL, &error));
    none("path", rct_checkpoint_open(NULL, &error));
    rct_checkpoint *checkpoint = rct_checkpoint_open(path, &error);
    assert_non_null(checkpoint);
    rct_checkpoint_get_info(NULL, &info);
    assert_null(info.note);
    rct_checkpoint_get_info(checkpoint, NULL);
    none("checkpoint", rct_checkpoint_model(NULL, &error));
    refused("checkpoint", rct_checkpoint_restore(NULL, model, solver, &error));
    refused("model", rct_checkpoint_restore(checkpoint, NULL, solver, &error));
    refused("solver", rct_checkpoint_restore(checkpoint, model, NULL, &error));
    rct_run_options options;
    refused("checkpoint", rct_run_options_of(NULL, &options, &error));
    refused("options", rct_run_options_of(checkpoint, NULL, &error));
    rct_checkpoint_close(checkpoint);
    rct_checkpoint_close(NULL);
    rct_solver_free(solver);
    rct_model_free(model);
    unlink(path);
}

static void test_views(void **state)
{
    (void)state;
    rct_model *model = two_bodies();
    rct_solver *solver = solver_of(model);
    const char *path = "null_view.h5", *page = "null_view.html";
    double numbers[8];
    rct_recording_info info = {.frames = -1};
    rct_quantity quantity;
    rct_recorder *recorder = rct_recorder_create(path, model, solver, NULL, &error);
    assert_non_null(recorder);
    assert_int_equal(rct_recorder_write(recorder, solver, NULL, &error), RCT_OK);
    assert_int_equal(rct_recorder_close(recorder, 1, &error), RCT_OK);
    none("path", rct_recording_open(NULL, &error));
    rct_recording *reader = rct_recording_open(path, &error);
    assert_non_null(reader);
    rct_recording_get_info(NULL, &info);
    assert_int_equal(info.frames, -1);
    rct_recording_get_info(reader, NULL);
    refused("reader", rct_recording_quantity(NULL, 0, &quantity, &error));
    refused("quantity", rct_recording_quantity(reader, 0, NULL, &error));
    assert_int_equal(rct_recording_find(NULL, "time"), -1);
    assert_int_equal(rct_recording_find(reader, NULL), -1);
    refused("reader", rct_recording_read(NULL, 0, 0, 0, 1, numbers, &error));
    refused("numbers", rct_recording_read(reader, 0, 0, 0, 1, NULL, &error));
    rct_recording_close(reader);
    rct_recording_close(NULL);
    refused("from", rct_view_recording(NULL, page, NULL, NULL, &error));
    refused("path", rct_view_recording(path, NULL, NULL, NULL, &error));
    refused("from", rct_view_ensemble(NULL, page, NULL, NULL, &error));
    refused("path", rct_view_ensemble(path, NULL, NULL, NULL, &error));
    refused("model", rct_view_model(NULL, page, NULL, NULL, &error));
    refused("path", rct_view_model(model, NULL, NULL, NULL, &error));
    refused("from", rct_export_npz(NULL, page, &error));
    refused("path", rct_export_npz(path, NULL, &error));
    refused("from", rct_export_vtkhdf(NULL, page, &error));
    refused("path", rct_export_vtkhdf(path, NULL, &error));
    rct_solver_free(solver);
    rct_model_free(model);
    unlink(path);
}

static void test_ensembles(void **state)
{
    (void)state;
    rct_ensemble *e = small_ensemble(small_options(), 3);
    rct_ensemble_run_options run = small_run();
    rct_variation variation;
    int64_t length;
    double values[8] = {5.0};
    none("model", rct_ensemble_create(NULL, NULL, &error));
    rct_ensemble_free(NULL);
    assert_int_equal(rct_ensemble_members(NULL), 0);
    assert_int_equal(rct_ensemble_bodies(NULL), 0);
    assert_int_equal(rct_ensemble_variations(NULL), 0);
    refused("ensemble", rct_ensemble_variation(NULL, 0, &variation, &error));
    refused("variation", rct_ensemble_variation(e, 0, NULL, &error));
    refused("ensemble", rct_ensemble_parameters(NULL, 0, values, &error));
    refused("values", rct_ensemble_parameters(e, 0, NULL, &error));
    none("ensemble", rct_ensemble_model(NULL, 0, &error));
    refused("ensemble", rct_ensemble_run(NULL, &run, &error));
    refused("options", rct_ensemble_run(e, NULL, &error));
    assert_int_equal(rct_ensemble_solver_options(e, NULL).segment, RCT_SEGMENT_WHOLE);
    assert_int_equal(rct_ensemble_solver_options(NULL, &run.solver).segment, run.solver.segment);
    assert_int_equal(rct_ensemble_segment(NULL, 5), 5);
    none("path", rct_sweep_read(NULL, &error));
    rct_sweep_free(NULL);
    refused("text", rct_variation_parse(NULL, &variation, &length, &error));
    refused("variation", rct_variation_parse("a=1:2:3", NULL, &length, &error));
    refused("path_length", rct_variation_parse("a=1:2:3", &variation, NULL, &error));
    rct_ensemble_free(e);
}

static void test_files_of_ensembles(void **state)
{
    (void)state;
    const char *path = "null_arguments_ensemble.h5";
    rct_ensemble *e = small_ensemble(small_options(), 3);
    rct_ensemble_run_options run = small_run();
    int8_t done[8];
    run.deliver = take;
    assert_int_equal(rct_ensemble_file_bytes(NULL, &run), 0);
    assert_int_equal(rct_ensemble_file_bytes(e, NULL), 0);
    none("path", rct_ensemble_file_create(NULL, e, &run, 1, NULL, &error));
    none("ensemble", rct_ensemble_file_create(path, NULL, &run, 1, NULL, &error));
    none("run", rct_ensemble_file_create(path, e, NULL, 1, NULL, &error));
    none("path", rct_ensemble_file_open(NULL, e, &run, &error));
    none("ensemble", rct_ensemble_file_open(path, NULL, &run, &error));
    none("run", rct_ensemble_file_open(path, e, NULL, &error));
    rct_ensemble_file *file = rct_ensemble_file_create(path, e, &run, 1, NULL, &error);
    assert_non_null(file);
    refused("file", rct_ensemble_file_alone(NULL, 0.0, &error));
    refused("file", rct_ensemble_file_done(NULL, done, &error));
    refused("done", rct_ensemble_file_done(file, NULL, &error));
    refused("file", rct_ensemble_file_write(NULL, &(rct_member_result){.member = 0}, &error));
    refused("result", rct_ensemble_file_write(file, NULL, &error));
    assert_int_equal(rct_ensemble_file_write(file, &(rct_member_result){.member = 0}, &error),
                     RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "one of its arrays is NULL"));
    refused("file", rct_ensemble_file_flush(NULL, &error));
    refused("file", rct_ensemble_file_sync(NULL, &error));
    assert_int_equal(rct_ensemble_file_close(NULL, 1, &error), RCT_OK);
    assert_int_equal(rct_ensemble_file_close(file, 0, &error), RCT_OK);
    rct_ensemble_free(e);
    unlink(path);
}

static void test_results_of_ensembles(void **state)
{
    (void)state;
    const char *path = "null_arguments_results.h5";
    rct_ensemble_run_options run;
    rct_ensemble_results_info info;
    rct_variation variation;
    char text[RCT_MEMBER_TEXT];
    small_file(path);
    none("path", rct_ensemble_results_open(NULL, &error));
    rct_ensemble_results_close(NULL);
    rct_ensemble_results *results = rct_ensemble_results_open(path, &error);
    assert_non_null(results);
    rct_ensemble_results_get_info(NULL, &info);
    assert_int_equal(info.members, 0);
    rct_ensemble_results_get_info(results, NULL);
    refused("results", rct_ensemble_results_variation(NULL, 0, &variation, &error));
    refused("variation", rct_ensemble_results_variation(results, 0, NULL, &error));
    none("results", rct_ensemble_results_ensemble(NULL, &run, &error));
    none("run", rct_ensemble_results_ensemble(results, NULL, &error));
    refused("results", rct_ensemble_results_read(NULL, NULL, NULL, NULL, NULL, NULL, &error));
    assert_int_equal(rct_ensemble_results_read(results, NULL, NULL, NULL, NULL, NULL, &error),
                     RCT_OK);
    refused("results", rct_ensemble_results_series(NULL, NULL, NULL, &error));
    assert_int_equal(rct_ensemble_results_series(results, NULL, NULL, &error), RCT_OK);
    refused("results", rct_ensemble_results_states(NULL, 0, 0, NULL, NULL, &error));
    assert_int_equal(rct_ensemble_results_states(results, 0, 1, NULL, NULL, &error), RCT_OK);
    refused("results", rct_ensemble_results_motions(NULL, 0, 0, NULL, NULL, &error));
    assert_int_equal(rct_ensemble_results_motions(results, 0, 1, NULL, NULL, &error), RCT_OK);
    refused("results", rct_ensemble_results_text(NULL, 0, text, &error));
    refused("text", rct_ensemble_results_text(results, 0, NULL, &error));
    rct_ensemble_results_close(results);
    unlink(path);
}

static void test_checkpoints_of_ensembles(void **state)
{
    (void)state;
    const char *path = "null_arguments_results.h5";
    rct_ensemble *e = small_ensemble(small_options(), 3);
    rct_ensemble_run_options run = small_run();
    const rct_ensemble_begun *batches = NULL;
    run.deliver = take;
    none("results", rct_ensemble_checkpoint_writer_create(NULL, 0, e, &run, &error));
    none("ensemble", rct_ensemble_checkpoint_writer_create(path, 0, NULL, &run, &error));
    none("run", rct_ensemble_checkpoint_writer_create(path, 0, e, NULL, &error));
    rct_ensemble_checkpoint_writer *writer =
        rct_ensemble_checkpoint_writer_create(path, 0, e, &run, &error);
    assert_non_null(writer);
    refused("writer", rct_ensemble_checkpoint_write(NULL, 0, NULL, &error));
    refused("batches", rct_ensemble_checkpoint_write(writer, 1, NULL, &error));
    rct_ensemble_checkpoint_writer_free(writer);
    rct_ensemble_checkpoint_writer_free(NULL);
    none("results", rct_ensemble_checkpoints_open(NULL, e, &run, NULL, &error));
    none("ensemble", rct_ensemble_checkpoints_open(path, NULL, &run, NULL, &error));
    none("run", rct_ensemble_checkpoints_open(path, e, NULL, NULL, &error));
    rct_ensemble_checkpoints *all = rct_ensemble_checkpoints_open(path, e, &run, NULL, &error);
    assert_non_null(all);
    assert_int_equal(rct_ensemble_checkpoints_begun(NULL, &batches), 0);
    assert_int_equal(rct_ensemble_checkpoints_begun(all, NULL), 0);
    rct_ensemble_checkpoints_close(all);
    rct_ensemble_checkpoints_close(NULL);
    refused("results", rct_ensemble_checkpoints_remove(NULL, &error));
    rct_ensemble_free(e);
}

static void test_ranks(void **state)
{
    (void)state;
    int own = 7, all = 8;
    rct_ranks_close(NULL);
    assert_int_equal(rct_ranks_number(NULL), 0);
    assert_int_equal(rct_ranks_count(NULL), 0);
    refused("ranks", rct_ranks_agree(NULL, RCT_OK, &error));
    rct_ranks_gather(NULL, &own, sizeof own, &all);
    assert_int_equal(all, 8);
    rct_ranks *ranks = rct_ranks_open(&error);
    assert_non_null(ranks);
    rct_ranks_gather(ranks, NULL, sizeof own, &all);
    rct_ranks_gather(ranks, &own, sizeof own, NULL);
    rct_ranks_gather(ranks, &own, -1, &all);
    assert_int_equal(all, 8);
    rct_ranks_close(ranks);
}

/* The same refusals without an error to fill. */
static void test_without_an_error(void **state)
{
    (void)state;
    assert_int_equal(rct_solver_evaluate(NULL, NULL), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_model_check(NULL, NULL), RCT_ERROR_ARGUMENT);
    assert_null(rct_sweep_read(NULL, NULL));
    assert_null(rct_model_import(NULL, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_files_of_models),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_solvers_that_are_none),
        cmocka_unit_test(test_arrays_of_solvers),
        cmocka_unit_test(test_aggregates),
        cmocka_unit_test(test_recordings),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_checkpoints),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_ensembles),
        cmocka_unit_test(test_files_of_ensembles),
        cmocka_unit_test(test_results_of_ensembles),
        cmocka_unit_test(test_checkpoints_of_ensembles),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_without_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
