/* A run from its options to its report. */
#include "run/run.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "dynamics/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void begin(rct_running *run)
{
    rct_run_report *r = &run->note.report;
    run->note.start = rct_solver_time(run->solver);
    run->note.difference = NAN;
    run->note.advised = INFINITY;
    r->saved = -1;
    r->position_loop = r->velocity_loop = -1;
    for (int i = 0; i < 2; i++) {
        r->kinetic[i] = r->potential[i] = NAN;
        for (int k = 0; k < 3; k++) {
            r->momentum[i][k] = r->angular_momentum[i][k] = NAN;
        }
    }
    r->drift_share = r->step_error = r->step_advised = NAN;
}

/* Add the forces of the user to what changes the energy. */
static void count_user(rct_running *run)
{
    const rct_solver *s = run->solver;
    char *changers = run->census.changers;
    const size_t used = strlen(changers);
    int acts = s->function != NULL;
    for (int64_t r = 0; s->pushes_hinges && r < s->plan->freedoms; r++) {
        acts = acts || s->efforts[r] != 0.0;
    }
    if (acts) {
        snprintf(changers + used, sizeof run->census.changers - used, "%sforces of the user",
                 used > 0 ? ", " : "");
    }
}

/* A bound on drift needs a run that has a drift. */
static rct_status check_drift(const rct_running *run, rct_error *error)
{
    rct_loop_info loops;
    rct_solver_get_loop_info(run->solver, &loops);
    char opens[64] = "";
    snprintf(opens, sizeof opens, "loops, which may open with the drift %s",
             loops.loops > 0 ? loops.drift : "");
    return run->options.max_drift == 0.0 || rct_run_is_conserved(run)
               ? RCT_OK
               : rct_fail(error, RCT_ERROR_ARGUMENT,
                          "the drift of energy cannot be bounded, because the energy is changed by "
                          "%s; leave the bound out",
                          run->census.changers[0] != '\0' ? run->census.changers : opens);
}

static rct_status claim(rct_running *run, rct_error *error)
{
    if (run->options.checkpoint == NULL) {
        return RCT_OK;
    }
    run->writer =
        rct_checkpoint_writer_create(run->options.checkpoint, run->model, run->solver, error);
    return run->writer != NULL ? RCT_OK : error->status;
}

static rct_status open_record(rct_running *run, rct_error *error)
{
    const rct_run_options *o = &run->options;
    rct_run_report *r = &run->note.report;
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = r->frames;
    options.dt = o->dt;
    options.t_end = o->t_end;
    options.overwrite = o->overwrite;
    options.command_line = o->command_line;
    if (o->recording == NULL) {
        return RCT_OK;
    }
    if (o->from == NULL && o->overwrite && rct_solver_evaluate(run->solver, error) != RCT_OK) {
        return error->status; /* the recording that it would replace stays */
    }
    r->file_bytes = rct_recorder_file_bytes(run->model, r->frames);
    run->recorder = o->from != NULL ? rct_recorder_reopen(o->recording, run->model, run->solver,
                                                          &options, r->measured, error)
                                    : rct_recorder_create(o->recording, run->model, run->solver,
                                                          &options, error);
    return run->recorder != NULL ? RCT_OK : error->status;
}

/* Close the recording; a failure here fails the run, unless it has failed before. */
static rct_status close_record(rct_running *run, rct_status status, rct_error *error)
{
    const rct_run_report *r = &run->note.report;
    const int whole = status == RCT_OK && r->measured == r->frames;
    if (run->recorder == NULL) {
        return status;
    }
    const rct_status closed =
        rct_recorder_close(run->recorder, whole, status == RCT_OK ? error : NULL);
    run->recorder = NULL;
    run->note.report.recorded = closed == RCT_OK;
    return whole ? closed : status;
}

/* Run from the first missing frame to the end, close files, and judge the run. */
static rct_status go(rct_running *run, rct_error *error)
{
    rct_run_report *r = &run->note.report;
    run->started = rct_seconds() - r->elapsed;
    run->saved_at = rct_seconds();
    rct_status status = run->writer != NULL ? rct_run_make_note(run, error) : RCT_OK;
    RCT_THEN(status, rct_run_loop(run, error));
    status = close_record(run, status, error);
    r->time = rct_solver_time(run->solver);
    if (status == RCT_OK && r->measured == r->frames) {
        rct_run_look(run);
        rct_run_judge(run);
        status = rct_run_check_end(run, error);
    }
    r->elapsed = rct_seconds() - run->started;
    return status;
}

static rct_status start(rct_running *run, rct_error *error)
{
    rct_stepping stepping;
    rct_solver_get_stepping(run->solver, &stepping);
    run->adapts = !isnan(stepping.tolerance);
    rct_model_take_census(run->model, &run->census);
    count_user(run);
    begin(run);
    rct_status status = rct_run_check_model(run->solver, run->model, error);
    RCT_THEN(status, run->options.from != NULL ? rct_run_go_on(run, error) : RCT_OK);
    RCT_THEN(status, rct_run_plan(run, error));
    RCT_THEN(status, check_drift(run, error));
    RCT_THEN(status, claim(run, error));
    RCT_THEN(status, open_record(run, error));
    RCT_THEN(status, go(run, error));
    return status;
}

rct_status rct_solver_run_sized(rct_solver *solver, const rct_model *model, rct_in options,
                                rct_out report, rct_error *error)
{
    rct_error own;
    rct_error *words = error != NULL ? error : &own;
    rct_running run;
    memset(&run, 0, sizeof run); /* with padding, which goes out and into files */
    run.solver = solver;
    run.model = model;
    run.options = rct_run_options_default();
    if (!rct_given(solver, "solver", words) || !rct_given(model, "model", words) ||
        !rct_take(&run.options, rct_whole(sizeof run.options), options, "options", words)) {
        rct_give(report, &run.note.report, rct_whole(sizeof run.note.report));
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = start(&run, words);
    rct_give(report, &run.note.report, rct_whole(sizeof run.note.report));
    rct_recorder_close(run.recorder, 0, NULL);
    rct_checkpoint_writer_free(run.writer);
    rct_release(run.bytes);
    return status;
}
