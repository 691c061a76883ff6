/* Stepping from frame to frame. Between frames the steps are taken in chunks of about a tenth of a
 * second, so that progress is shown and a signal is heard; a chunk is always finished. */
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double chunk_seconds = 0.1;

enum { PLACE_SIZE = 600, WHY_SIZE = 80, TEXT_SIZE = 128 };

static int64_t chunk(const cli_run_state *run, int64_t target)
{
    const int64_t remaining = target - run->note.done;
    if (run->note.done == 0) {
        return 1; /* nothing is known about the time of a step yet */
    }
    const double steps = chunk_seconds / (run->note.stepping / (double)run->note.done);
    return steps >= (double)remaining ? remaining : steps <= 1.0 ? 1 : (int64_t)steps;
}

/* The frame that was kept, into the record; without it, it does not count. */
static rct_status record_kept(cli_run_state *run, rct_error *error)
{
    const int kept = run->kept;
    run->kept = 0;
    if (!kept) {
        return RCT_OK;
    }
    const rct_status status =
        rct_recorder_write_kept(run->recorder, run->solver, &run->last, error);
    run->note.measured -= status != RCT_OK;
    return status;
}

/* Closes the record and prints what stopped the run, how far it got, and what the file holds; and how to go on where
 * another run, or this one on another disk, would not meet the same. */
static bool stop(cli_run_state *run, int status, const char *why, bool advised)
{
    char file[PLACE_SIZE] = "", from[WHY_SIZE] = "", frames[CLI_COUNTED];
    const cli_checkpoint *kept = &run->checkpoint;
    char *quoted =
        advised && kept->writer != NULL && kept->saved >= 0 ? cli_quoted(kept->file) : NULL;
    if (quoted != NULL) {
        snprintf(from, sizeof from, "; go on from step %" PRId64 ": riccatree resume ",
                 kept->saved);
    }
    if (run->recorder != NULL) {
        record_kept(run, NULL);
        const rct_status closed = rct_recorder_close(run->recorder, 0, NULL);
        run->recorder = NULL;
        snprintf(file, sizeof file, "; %s %s %s", run->arguments->out,
                 closed == RCT_OK ? "holds" : "may not hold its",
                 cli_counted(run->note.measured, "frame", frames));
    }
    cli_fail(status, "stopped after step %" PRId64 " of %" PRId64 ", t = %.9g s: %s%s%s%s",
             run->note.done, run->note.steps, rct_solver_time(run->solver), why, file, from,
             quoted != NULL ? quoted : "");
    free(quoted);
    return false;
}

/* What the run has come to is kept, if that was asked for. */
static bool stop_by_signal(cli_run_state *run, int number)
{
    char why[WHY_SIZE];
    const bool keeps = run->checkpoint.writer != NULL;
    if (record_kept(run, &cli_error) != RCT_OK || (keeps && cli_checkpoint_save(run) != RCT_OK)) {
        return stop(run, CLI_FAILED, cli_error.text, true);
    }
    snprintf(why, sizeof why, "%s%s", cli_signal_words(number),
             keeps ? "" : ", and without --checkpoint it cannot go on");
    return stop(run, CLI_SIGNAL + number, why, true);
}

static void show(const cli_run_state *run)
{
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "t = %.6g s  %.1f ns per body and evaluation",
             rct_solver_time(run->solver), cli_run_cost(run));
    cli_progress((double)run->note.done / (double)run->note.steps, cli_seconds() - run->started,
                 text);
}

static bool advance(cli_run_state *run, int64_t target)
{
    cli_error.step = 0;
    while (run->note.done < target && cli_signal_caught() == 0) {
        const int64_t steps = chunk(run, cli_checkpoint_next(run, target));
        const double start = cli_seconds();
        const rct_status status =
            rct_solver_step(run->solver, run->arguments->dt, steps, &cli_error);
        run->note.stepping += cli_seconds() - start;
        if (status != RCT_OK) {
            run->note.done += cli_error.step > 0 ? cli_error.step : 0;
            return stop(run, cli_status(), cli_error.text, status == RCT_ERROR_DEVICE);
        }
        run->note.done += steps;
        show(run);
        if (record_kept(run, &cli_error) != RCT_OK || cli_checkpoint_save_due(run) != RCT_OK) {
            return stop(run, CLI_FAILED, cli_error.text, true);
        }
    }
    return run->note.done >= target || stop_by_signal(run, cli_signal_caught());
}

static void measure(cli_run_state *run)
{
    rct_measures *now = &run->last;
    rct_solver_measure(run->solver, now);
    if (run->note.measured == 0) {
        run->note.first = *now;
    }
    cli_see_loops(&run->note.violation, run->solver);
    const double kinetic = now->kinetic - run->note.first.kinetic;
    const double potential = now->potential - run->note.first.potential;
    run->note.drift = fmax(run->note.drift, fabs(kinetic + potential));
    run->note.exchange = fmax(run->note.exchange, fmax(fabs(kinetic), fabs(potential)));
}

/* A frame that the machine copies out while it steps on is recorded after the next steps. */
static bool take_frame(cli_run_state *run)
{
    measure(run);
    rct_status status = RCT_OK;
    run->kept = run->recorder != NULL && run->note.done < run->note.steps &&
                rct_solver_keep(run->solver, NULL) == RCT_OK;
    if (run->recorder == NULL) {
        status = rct_solver_check(run->solver, &cli_error); /* what was measured may be no number */
    } else if (!run->kept) {
        status = rct_recorder_write(run->recorder, run->solver, &run->last, &cli_error);
    }
    if (status != RCT_OK) {
        return stop(run, CLI_FAILED, cli_error.text, true);
    }
    run->note.measured++;
    return true;
}

static bool finish(cli_run_state *run)
{
    rct_recorder *recorder = run->recorder;
    run->recorder = NULL;
    return cli_closed(rct_recorder_close(recorder, 1, &cli_error));
}

/* What is known before the first step: how good it will be, and that a checkpoint can be written. */
static bool begin(cli_run_state *run)
{
    if (run->checkpoint.saved >= 0) {
        return true; /* the run has begun before */
    }
    cli_run_expect(run);
    cli_run_look(run);
    return run->checkpoint.writer == NULL || cli_did(cli_checkpoint_save(run));
}

bool cli_run_loop(cli_run_state *run)
{
    bool good = begin(run);
    for (int64_t k = run->note.measured; k < run->note.frames && good; k++) {
        good = advance(run, cli_run_frame_step(&run->note, k)) && take_frame(run);
    }
    cli_progress_clear();
    return good && finish(run);
}
