/* A run in progress (riccatree/run.h). */
#ifndef RCT_RUN_RUN_H
#define RCT_RUN_RUN_H

#include <riccatree/census.h>
#include <riccatree/closure.h>
#include <riccatree/loop.h>
#include <riccatree/run.h>

/* The part of a run that a checkpoint has. Behind it come the command line and the place of the
 * recording, each with a zero ("": none), zeros up to a multiple of 8 bytes, and the note of the
 * caller. */
typedef struct rct_run_note {
    char kind[16];
    double start, dt, t_end, max_drift; /* as in the options; the time before the first step */
    int64_t checkpoint_steps;
    double checkpoint_seconds;
    int64_t text_bytes; /* of the two texts, with the zeros behind them */
    rct_run_report report;
    double difference; /* as in rct_step_report, of the worst step looked at; NaN: none */
    double advised;    /* s, the shortest; INFINITY: none */
    int64_t looked_at; /* steps before the last one looked at on the way */
} rct_run_note;

typedef struct rct_running {
    rct_solver *solver;
    const rct_model *model;
    rct_run_options options;
    rct_run_note note; /* its report is the report of the run */
    rct_census census;
    rct_recorder *recorder;        /* NULL: nothing is recorded */
    rct_checkpoint_writer *writer; /* NULL: no checkpoint is written */
    void *bytes;                   /* a note as written */
    int64_t byte_count;
    int adapts;      /* whether steps have error control */
    int kept;        /* whether the last frame measured still has to be recorded */
    int stopped;     /* by the caller */
    double started;  /* s by the clock, less the time before a checkpoint */
    double saved_at; /* s by the clock */
    rct_measures last;
} rct_running;

/* options.c: whether a model has as many bodies and rates as a solver, so that the solver may be
 * made from it. */
rct_status rct_run_check_model(const rct_solver *solver, const rct_model *model, rct_error *error);

/* options.c: steps and frames from complete options; RCT_ERROR_ARGUMENT. */
rct_status rct_run_plan(rct_running *run, rct_error *error);

/* note.c: make a note; write a checkpoint; write one if it is due, after all frames so far are on
 * disk; the number of steps before which none is due, at most `target`. */
rct_status rct_run_make_note(rct_running *run, rct_error *error);
rct_status rct_run_save(rct_running *run, rct_error *error);
rct_status rct_run_save_due(rct_running *run, rct_error *error);
int64_t rct_run_next_save(const rct_running *run, int64_t target);

/* Take the note from the checkpoint from which the run continues; the options must be those of that
 * run. */
rct_status rct_run_go_on(rct_running *run, rct_error *error);

/* loop.c: run from the first missing frame to the last, or until the caller stops. */
rct_status rct_run_loop(rct_running *run, rct_error *error);

/* judge.c: whether nothing changes the energy; look at a step from the present state, where that
 * tells more; at the end, whether steps were short enough; whether loops are closed and the drift
 * is small enough. States stay. */
int rct_run_is_conserved(const rct_running *run);
void rct_run_look(rct_running *run);
void rct_run_look_again(rct_running *run); /* at a frame */
void rct_run_judge(rct_running *run);

/* RCT_ERROR_DIVERGED: the last measurement is not finite; or as rct_solver_check. */
rct_status rct_run_check_energy(const rct_running *run, rct_error *error);
rct_status rct_run_check_end(const rct_running *run, rct_error *error);

#endif
