/* Invalid runs are refused, and a run that ends early keeps its frames and its message; failing
 * allocations; the longest step, and counts. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/run/run_case.h"

#include <math.h>
#include <string.h>

static rct_error error;

/* ---- what ends a run ---------------------------------------------------------------------- */

static void refused(const char *words, rct_status expected, rct_solver *solver,
                    const rct_model *model, const rct_run_options *options, rct_run_report *report)
{
    error.text[0] = '\0';
    const rct_status status = rct_solver_run(solver, model, options, report, &error);
    if (status != expected || strstr(error.text, words) == NULL) {
        fail_msg("\"%s\" expected, and status %d: %d, \"%s\"", words, expected, status, error.text);
    }
    assert_int_equal(rct_solver_run(solver, model, options, NULL, NULL), expected);
}

static void test_refused_before_the_first_step(void **state)
{
    (void)state;
    rct_model *model = chain(0.0), *damped = chain(0.5), *other = rct_model_create(NULL, NULL);
    rct_solver *solver = solver_of(model), *slowed = solver_of(damped);
    rct_run_report report;
    const struct {
        const char *words;
        double dt, t_end, max_drift;
        int64_t frames, checkpoint_steps, note_bytes;
        const char *recording, *checkpoint;
    } rows[] = {
        {"is not a whole number of steps of 0.3 s; the nearest are 0.9 s and 1.2 s", 0.3, 1.0, 0, 0,
         0, 0, NULL, NULL},
        {"less than one step of 3 s; the nearest is 3 s", 3.0, 1.0, 0, 0, 0, 0, NULL, NULL},
        {"more than 1e+15 steps", 1e-300, 1.0, 0, 0, 0, 0, NULL, NULL},
        {"0 s, is not after the present time, 0 s", 0.1, 0.0, 0, 0, 0, 0, NULL, NULL},
        {"an end after the present time", 0.0, 1.0, 0, 0, 0, 0, NULL, NULL},
        {"an end after the present time", NAN, 1.0, 0, 0, 0, 0, NULL, NULL},
        {"no more than 11 states in 10 steps", 0.1, 1.0, 0, 12, 0, 0, NULL, NULL},
        {"1 frames; give from 2", 0.1, 1.0, 0, 1, 0, 0, NULL, NULL},
        {"not negative", 0.1, 1.0, -1.0, 0, 0, 0, NULL, NULL},
        {"not negative", 0.1, 1.0, 0, 0, -1, 0, NULL, NULL},
        {"and the note", 0.1, 1.0, 0, 0, 0, 4, NULL, NULL},
        {"that is also the recording", 0.1, 1.0, 0, 0, 0, 0, "same", "same"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rct_run_options options = rct_run_options_default();
        options.dt = rows[i].dt;
        options.t_end = rows[i].t_end;
        options.max_drift = rows[i].max_drift;
        options.frames = rows[i].frames;
        options.checkpoint_steps = rows[i].checkpoint_steps;
        options.note_bytes = rows[i].note_bytes;
        options.recording = rows[i].recording;
        options.checkpoint = rows[i].checkpoint;
        refused(rows[i].words, RCT_ERROR_ARGUMENT, solver, model, &options, &report);
        assert_true(report.begun == 0 && report.done == 0 && rct_solver_time(solver) == 0.0);
    }
    rct_run_options options = options_of();
    refused("the model that the solver was made from", RCT_ERROR_ARGUMENT, solver, other, &options,
            &report);
    options.max_drift = 0.1;
    refused("energy is changed by dampers", RCT_ERROR_ARGUMENT, slowed, damped, &options, &report);
    options = options_of();
    options.recording = "nowhere/run.h5";
    refused("nowhere/run.h5", RCT_ERROR_IO, solver, model, &options, &report);
    options.recording = NULL;
    options.checkpoint = "nowhere/run.rct";
    refused("nowhere/run.rct", RCT_ERROR_IO, solver, model, &options, &report);
    options = options_of();
    assert_int_equal(rct_model_set_gravity(model, (double[3]){0.0, 0.0, -1.62}, NULL), RCT_OK);
    refused("the model has changed since the solver was made from it: its gravity",
            RCT_ERROR_ARGUMENT, solver, model, &options, &report);
    assert_true(rct_solver_time(solver) == 0.0);
    rct_solver_free(slowed);
    rct_solver_free(solver);
    rct_model_free(other);
    rct_model_free(damped);
    rct_model_free(model);
}

static void test_a_drift_that_is_too_large(void **state)
{
    (void)state;
    rct_model *model = chain(0.0);
    rct_solver *solver = solver_of(model);
    rct_run_options options = options_of();
    rct_run_report report;
    options.dt = 0.05; /* far too long, and yet no number is lost */
    options.recording = record;
    options.overwrite = 1;
    options.frames = 0;
    options.max_drift = 1e-12;
    assert_int_equal(rct_solver_run(solver, model, &options, &report, &error), RCT_ERROR_DIVERGED);
    assert_non_null(strstr(error.text, "more than the largest drift of 1e-12; take shorter steps"));
    assert_true(report.done == report.steps && report.measured == report.frames && report.recorded);
    assert_true(report.drift_share > 1e-12);
    rct_solver_free(solver);
    rct_model_free(model);
    remove_files();
}

static void lift(void *context, double time, int32_t bodies, const double *orientation,
                 const double *angular_velocity, const double *position, const double *velocity,
                 double *force, double *moment)
{
    (void)context, (void)time, (void)bodies, (void)orientation, (void)angular_velocity,
        (void)position, (void)velocity, (void)moment;
    force[1] += 3.0;
}

/* Efforts of the user change the energy of any model. */
static void test_forces_of_the_user(void **state)
{
    (void)state;
    rct_model *model = chain(0.0);
    rct_solver_options options = rct_solver_options_default();
    double efforts[BODIES] = {0.0};
    options.user_forces = 1;
    for (int i = 0; i < 3; i++) { /* efforts of 0, others, and a function */
        rct_solver *solver = rct_solver_create(model, &options, &error);
        rct_run_options run = options_of();
        rct_run_report report;
        efforts[3] = i == 1 ? 1.0 : 0.0;
        assert_int_equal(rct_solver_set_efforts(solver, efforts, &error), RCT_OK);
        assert_int_equal(rct_solver_set_force_function(solver, i == 2 ? lift : NULL, NULL, &error),
                         RCT_OK);
        assert_int_equal(rct_solver_run(solver, model, &run, &report, &error), RCT_OK);
        assert_true(isnan(i > 0 ? report.drift_share : report.step_error));
        run.t_end += t_end;
        run.max_drift = 0.1;
        if (isnan(report.drift_share)) {
            refused("energy is changed by forces of the user", RCT_ERROR_ARGUMENT, solver, model,
                    &run, &report);
        }
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* A loop that Baumgarte's terms have closed, and that is inactive at the end. */
static void test_a_loop_released_on_the_way(void **state)
{
    (void)state;
    rct_model *model = chain(0.0);
    rct_loop loop = rct_loop_default();
    rct_event event = rct_event_default();
    rct_solver_options options = rct_solver_options_default();
    rct_run_options run = options_of();
    rct_run_report report;
    loop.type = RCT_LOOP_DISTANCE, loop.body = 9, loop.length = 5.0;
    event.value = 0.5 * t_end;
    options.drift = RCT_DRIFT_BAUMGARTE;
    options.baumgarte[0] = options.baumgarte[1] = 10.0;
    options.as_given = 1;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, &error), RCT_OK);
    assert_int_equal(rct_model_add_event(model, &event, NULL, &error), RCT_OK);
    rct_solver *solver = rct_solver_create(model, &options, &error);
    assert_int_equal(rct_solver_run(solver, model, &run, &report, &error), RCT_OK);
    assert_true(isnan(report.drift_share) && report.step_error < RCT_RUN_SHARE);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Failing steps leave the frames before, and the message of the step. */
static void test_a_step_that_fails(void **state)
{
    (void)state;
    rct_model *model = chain(0.0);
    rct_solver *solver = solver_of(model);
    rct_run_options options = options_of();
    rct_run_report report;
    options.dt = 10.0;
    options.t_end = 1e4;
    options.recording = record;
    options.frames = 1001;
    remove_files();
    assert_true(rct_solver_run(solver, model, &options, &report, &error) != RCT_OK);
    assert_true(error.step >= 0 && report.begun && report.done < report.steps);
    assert_true(report.recorded && report.measured == report.done + 1);
    assert_true(report.time == 10.0 * (double)report.done);
    rct_recording *reader = rct_recording_open(record, &error);
    rct_recording_info info;
    rct_recording_get_info(reader, &info);
    assert_true(!info.complete && info.frames == report.measured);
    rct_recording_close(reader);
    rct_solver_free(solver);
    rct_model_free(model);
    remove_files();
}

/* Springs between points: a free body of 2 kg and one of 3 kg, at its point of mass and off it. */
static void test_longest_step_of_springs(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        rct_model *model = rct_model_create(NULL, NULL);
        rct_force f = rct_force_default();
        double step = 0.0;
        int32_t at = 7;
        for (int b = 0; b < 2; b++) {
            rct_body body = rct_body_default();
            body.hinge = RCT_HINGE_FREE;
            body.parent = RCT_GROUND;
            body.mass = 2.0 + b;
            body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.5;
            body.position[0] = 3.0 * b;
            rct_model_add_body(model, &body, NULL, NULL);
        }
        f.type = k == 1 ? RCT_FORCE_CABLE : RCT_FORCE_SPRING;
        f.other = k == 1 ? RCT_GROUND : 1;
        f.at[0] = 0.25;
        f.at[1] = k == 2 ? 0.5 : 0.0;
        f.other_at[1] = k == 2 ? 0.5 : 0.0;
        f.length = 7.0;
        f.stiffness = 1e4;
        rct_model_add_force(model, &f, NULL, NULL);
        rct_solver *solver = solver_of(model);
        const double softness = k == 1   ? 1.0 / 2.0
                                : k == 0 ? 1.0 / 2.0 + 1.0 / 3.0
                                         : 1.0 / 2.0 + 1.0 / 3.0 + 2.0 * 0.25 / 0.5;
        assert_int_equal(rct_solver_longest_step(solver, model, &step, &at, &error), RCT_OK);
        assert_true(fabs(step / (2.0 * sqrt(2.0) / sqrt(1e4 * softness)) - 1.0) < 1e-6);
        assert_int_equal(at, 0);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* A mass on a spring with steps that are too long: its energy overflows long before its place
 * does. */
static void test_an_energy_that_is_none(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("spring", NULL);
    rct_body body = rct_body_default();
    rct_force spring = rct_force_default();
    body.parent = RCT_GROUND;
    body.hinge = RCT_HINGE_FREE;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.position[0] = 1.0;
    assert_int_equal(rct_model_add_body(model, &body, NULL, &error), RCT_OK);
    spring.type = RCT_FORCE_SPRING;
    spring.other = RCT_GROUND;
    spring.stiffness = 1e8;
    assert_int_equal(rct_model_add_force(model, &spring, NULL, &error), RCT_OK);
    rct_solver *solver = solver_of(model);
    rct_run_options options = rct_run_options_default();
    rct_run_report report;
    options.dt = 1e-3;
    options.t_end = 1.0;
    options.frames = 1001;
    options.recording = record;
    remove_files();
    assert_int_equal(rct_solver_run(solver, model, &options, &report, &error), RCT_ERROR_DIVERGED);
    assert_non_null(strstr(
        error.text, "take a smaller step, 0.0002 s: the energy is no longer finite at t = 0."));
    assert_true(report.done > 10 && report.measured == report.done && isfinite(report.kinetic[0]));
    rct_solver_free(solver);
    rct_model_free(model);
    remove_files();
}

/* ---- checkpoints that are none of a run --------------------------------------------------- */

static int stop_at_once(void *context, const rct_run_report *so_far)
{
    (void)context, (void)so_far;
    return 1;
}

static void test_other_checkpoints(void **state)
{
    (void)state;
    rct_model *model = chain(0.1);
    rct_solver *solver = solver_of(model);
    rct_run_options options = options_of(), read;
    rct_run_report report;
    remove_files();
    rct_checkpoint_writer *writer = rct_checkpoint_writer_create(kept, model, solver, &error);
    assert_int_equal(rct_checkpoint_write(writer, 0, "note", 5, &error), RCT_OK);
    rct_checkpoint_writer_free(writer);
    rct_checkpoint *checkpoint = rct_checkpoint_open(kept, &error);
    assert_int_equal(rct_run_options_of(checkpoint, &read, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "not one of a run"));
    options.from = checkpoint;
    refused("not one of a run", RCT_ERROR_ARGUMENT, solver, model, &options, &report);
    rct_checkpoint_close(checkpoint);

    options = options_of();
    options.checkpoint = kept;
    options.watch = stop_at_once;
    options.frames = 2;
    assert_int_equal(rct_solver_run(solver, model, &options, &report, &error), RCT_OK);
    checkpoint = rct_checkpoint_open(kept, &error);
    assert_int_equal(rct_run_options_of(checkpoint, &options, &error), RCT_OK);
    rct_run_options changed = options;
    changed.t_end = 0.4;
    refused("continue with these steps and with its number of frames", RCT_ERROR_ARGUMENT, solver,
            model, &changed, &report);
    changed = options;
    changed.recording = record;
    refused("its run records nothing", RCT_ERROR_ARGUMENT, solver, model, &changed, &report);
    rct_checkpoint_close(checkpoint);
    rct_solver_free(solver);
    rct_model_free(model);
    remove_files();
}

/* ---- without memory ----------------------------------------------------------------------- */

static void test_without_memory(void **state)
{
    (void)state;
    rct_model *model = chain(0.1);
    rct_solver *solver = solver_of(model);
    rct_run_options options = options_of();
    rct_run_report report;
    rct_status status = RCT_ERROR_MEMORY;
    options.checkpoint = kept;
    remove_files();
    for (int64_t k = 0; status != RCT_OK && k < 4000; k++) {
        rct_solver_set_time(solver, 0.0);
        rct_allocate_fail_after(k);
        status = rct_solver_run(solver, model, &options, &report, &error);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
    }
    assert_int_equal(status, RCT_OK);
    rct_solver_free(solver);
    rct_model_free(model);
    remove_files();
}

/* ---- the longest step --------------------------------------------------------------------- */

/* One hinge without gravity: I q'' = -c q' - k q. Undamped, rk4 is stable up to 2 sqrt(2) / w; all damper, up to 2.7853 I / c. */
static void test_longest_step(void **state)
{
    (void)state;
    const struct {
        double stiffness, damping, expected;
    } rows[] = {{400.0, 0.0, 2.0 * sqrt(2.0) / 20.0},
                {0.0, 50.0, 2.785293563405282 / 50.0},
                {0.0, 0.0, INFINITY}};
    for (size_t i = 0; i < 3; i++) {
        rct_model *model = rct_model_create(NULL, NULL);
        rct_body body = rct_body_default();
        double step = 0.0;
        int32_t at = 7;
        body.hinge = RCT_HINGE_REVOLUTE;
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        body.stiffness[0] = rows[i].stiffness;
        body.damping[0] = rows[i].damping;
        rct_model_add_body(model, &body, NULL, NULL);
        rct_solver *solver = solver_of(model);
        assert_int_equal(rct_solver_longest_step(solver, model, &step, &at, &error), RCT_OK);
        assert_true(i == 2 ? isinf(step) : fabs(step / rows[i].expected - 1.0) < 1e-6);
        assert_int_equal(at, i == 2 ? -1 : 0);
        rct_model_add_body(model, &body, NULL, NULL);
        assert_int_equal(rct_solver_longest_step(solver, model, &step, &at, &error),
                         RCT_ERROR_ARGUMENT);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

static void test_counts(void **state)
{
    (void)state;
    int64_t steps = 0, frames = 0;
    assert_int_equal(rct_run_steps(0.3, 0.1, &steps, NULL), RCT_OK); /* 0.3 / 0.1 is below 3 */
    assert_int_equal(steps, 3);
    assert_int_equal(rct_run_frames(250, 0, &frames, NULL), RCT_OK);
    assert_int_equal(frames, 101);
    assert_int_equal(rct_run_frames(7, 0, &frames, NULL), RCT_OK);
    assert_int_equal(frames, 8);
    assert_int_equal(rct_run_frame_step(1000000000000000, 1000000000, 999999999), 1000000000000000);
    assert_int_equal(rct_run_frame_step(10, 4, 1), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_before_the_first_step),
        cmocka_unit_test(test_a_drift_that_is_too_large),
        cmocka_unit_test(test_forces_of_the_user),
        cmocka_unit_test(test_a_loop_released_on_the_way),
        cmocka_unit_test(test_a_step_that_fails),
        cmocka_unit_test(test_an_energy_that_is_none),
        cmocka_unit_test(test_other_checkpoints),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_longest_step),
        cmocka_unit_test(test_longest_step_of_springs),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, run_case_enter, run_case_leave);
}
