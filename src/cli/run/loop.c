/* Stepping from frame to frame. Between frames the steps are taken in chunks of about a tenth of a
 * second, so that progress is shown and a signal is heard; a chunk is always finished. */
#include "progress.h"
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double chunk_seconds = 0.1;

enum { PLACE_SIZE = 600, WHY_SIZE = 80 };

static int64_t chunk(const cli_run_state *run, int64_t target)
{
    const int64_t remaining = target - run->done;
    if (run->done == 0) {
        return 1; /* nothing is known about the time of a step yet */
    }
    const double steps = chunk_seconds / (run->stepping / (double)run->done);
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
    run->measured -= status != RCT_OK;
    return status;
}

/* Closes the record and prints what stopped the run, how far it got, and what the file holds; `advice` follows, and is
 * freed. */
static int stop(cli_run_state *run, int status, const char *why, char *advice)
{
    char file[PLACE_SIZE] = "";
    if (run->recorder != NULL) {
        record_kept(run, NULL);
        const rct_status closed = rct_recorder_close(run->recorder, 0, NULL);
        run->recorder = NULL;
        snprintf(file, sizeof file, "; %s %s %" PRId64 " frame%s", run->arguments->out,
                 closed == RCT_OK ? "holds" : "may not hold its", run->measured,
                 run->measured == 1 ? "" : "s");
    }
    cli_fail(status, "stopped after step %" PRId64 " of %" PRId64 ", t = %.9g s: %s%s%s", run->done,
             run->steps, rct_solver_time(run->solver), why, file, advice != NULL ? advice : "");
    free(advice);
    return status;
}

/* By what another run, or this one on another disk, would not meet. */
static int stop_short(cli_run_state *run, int status, const char *why)
{
    return stop(run, status, why, cli_checkpoint_advice(run));
}

/* What the run has come to is kept, if that was asked for. */
static int stop_by_signal(cli_run_state *run, int number)
{
    rct_error error;
    char why[WHY_SIZE];
    rct_status status = record_kept(run, &error);
    if (status == RCT_OK && run->checkpoint.writer != NULL) {
        status = cli_checkpoint_save(run, &error);
    }
    if (status != RCT_OK) {
        return stop_short(run, CLI_FAILED, error.text);
    }
    snprintf(why, sizeof why, "%s%s", cli_signal_words(number),
             run->checkpoint.writer == NULL ? ", and without --checkpoint it cannot go on" : "");
    return stop_short(run, CLI_SIGNAL + number, why);
}

static int advance(cli_run_state *run, int64_t target, cli_progress *progress)
{
    rct_error error = {.step = 0};
    while (run->done < target && cli_signal_caught() == 0) {
        const int64_t steps = chunk(run, cli_checkpoint_next(run, target));
        const double start = cli_seconds();
        rct_status status = rct_solver_step(run->solver, run->arguments->dt, steps, &error);
        run->stepping += cli_seconds() - start;
        if (status != RCT_OK) {
            run->done += error.step > 0 ? error.step : 0;
            cli_progress_clear(progress);
            return error.status == RCT_ERROR_DEVICE
                       ? stop_short(run, cli_status(&error), error.text)
                       : stop(run, cli_status(&error), error.text, NULL);
        }
        run->done += steps;
        cli_progress_show(progress, run);
        status = record_kept(run, &error);
        if (status == RCT_OK) {
            status = cli_checkpoint_save_due(run, &error);
        }
        if (status != RCT_OK) {
            cli_progress_clear(progress);
            return stop_short(run, CLI_FAILED, error.text);
        }
    }
    if (run->done < target) {
        cli_progress_clear(progress);
        return stop_by_signal(run, cli_signal_caught());
    }
    return CLI_OK;
}

static void measure(cli_run_state *run)
{
    rct_measures *now = &run->last;
    rct_solver_measure(run->solver, now);
    if (run->measured == 0) {
        run->first = *now;
    }
    cli_see_loops(&run->violation, run->solver);
    const double kinetic = now->kinetic - run->first.kinetic;
    const double potential = now->potential - run->first.potential;
    run->drift = fmax(run->drift, fabs(kinetic + potential));
    run->exchange = fmax(run->exchange, fmax(fabs(kinetic), fabs(potential)));
}

/* A frame that the machine copies out while it steps on is recorded after the next steps. */
static int take_frame(cli_run_state *run, const cli_progress *progress)
{
    rct_error error;
    measure(run);
    rct_status status = RCT_OK;
    run->kept = run->recorder != NULL && run->done < run->steps &&
                rct_solver_keep(run->solver, NULL) == RCT_OK;
    if (run->recorder == NULL) {
        status = rct_solver_check(run->solver, &error); /* what was measured may be no number */
    } else if (!run->kept) {
        status = rct_recorder_write(run->recorder, run->solver, &run->last, &error);
    }
    if (status != RCT_OK) {
        cli_progress_clear(progress);
        return stop_short(run, CLI_FAILED, error.text);
    }
    run->measured++;
    return CLI_OK;
}

static int finish(cli_run_state *run)
{
    rct_error error;
    rct_recorder *recorder = run->recorder;
    run->recorder = NULL;
    return rct_recorder_close(recorder, 1, &error) == RCT_OK
               ? CLI_OK
               : cli_fail(CLI_FAILED, "%s", error.text);
}

/* What is known before the first step: how good it will be, and that a checkpoint can be written. */
static int begin(cli_run_state *run)
{
    rct_error error;
    if (run->checkpoint.saved >= 0) {
        return CLI_OK; /* the run has begun before */
    }
    cli_run_look(run);
    return run->checkpoint.writer != NULL && cli_checkpoint_save(run, &error) != RCT_OK
               ? cli_fail_library(&error)
               : CLI_OK;
}

int cli_run_loop(cli_run_state *run)
{
    cli_progress progress = cli_progress_start();
    int status = begin(run);
    for (int64_t k = run->measured; k < run->frames && status == CLI_OK; k++) {
        status = advance(run, cli_run_frame_step(run, k), &progress);
        if (status == CLI_OK) {
            status = take_frame(run, &progress);
        }
    }
    if (status == CLI_OK) {
        cli_progress_clear(&progress);
        status = finish(run);
    }
    return status;
}
