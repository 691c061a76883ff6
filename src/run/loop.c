/* Stepping from frame to frame. Between frames the run takes chunks of about a tenth of a second,
 * so that the caller can stop it; a chunk is always finished. */
#include "core/clock.h"
#include "core/error.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

static const double chunk_seconds = 0.1;

static int64_t chunk(const rct_run_report *r, int64_t target)
{
    const int64_t remaining = target - r->done;
    if (r->done == 0) {
        return 1; /* the time of a step is not known yet */
    }
    const double steps = chunk_seconds / (r->stepping / (double)r->done);
    return steps >= (double)remaining ? remaining : steps <= 1.0 ? 1 : (int64_t)steps;
}

/* Record the kept frame; if that fails, the frame does not count. */
static rct_status record_kept(rct_running *run, rct_error *error)
{
    const int kept = run->kept;
    run->kept = 0;
    if (!kept) {
        return RCT_OK;
    }
    const rct_status status =
        rct_recorder_write_kept(run->recorder, run->solver, &run->last, error);
    run->note.report.measured -= status != RCT_OK;
    return status;
}

static rct_status watch(rct_running *run, rct_error *error)
{
    rct_run_report *r = &run->note.report;
    r->time = rct_solver_time(run->solver);
    r->elapsed = rct_seconds() - run->started;
    if (run->options.watch != NULL && run->options.watch(run->options.context, r) != 0) {
        run->stopped = 1;
    }
    return rct_solver_time(run->solver) == r->time
               ? RCT_OK
               : rct_fail(
                     error, RCT_ERROR_ARGUMENT,
                     "the function `watch` has moved the solver from %.9g s to %.9g s, and may "
                     "only read it",
                     r->time, rct_solver_time(run->solver));
}

static rct_status advance(rct_running *run, int64_t target, rct_error *error)
{
    rct_run_report *r = &run->note.report;
    rct_status status = RCT_OK;
    while (r->done < target && !run->stopped && status == RCT_OK) {
        rct_error why = {.step = 0};
        const int64_t steps = chunk(r, rct_run_next_save(run, target));
        const double start = rct_seconds();
        status = rct_solver_step(run->solver, run->options.dt, steps, &why);
        r->stepping += rct_seconds() - start;
        if (status != RCT_OK) {
            r->done += why.step > 0 ? why.step : 0;
            if (error != NULL) {
                *error = why;
            }
            return status;
        }
        r->done += steps;
        status = record_kept(run, error);
        RCT_THEN(status, rct_run_save_due(run, error));
        RCT_THEN(status, watch(run, error));
    }
    return status;
}

/* The larger of two gaps, and its loop; NaN counts as the largest. */
static void see(double *most, int32_t *where, double now, int32_t loop)
{
    if (!(now <= *most)) {
        *most = now;
        *where = loop;
    }
}

static void measure(rct_running *run)
{
    rct_run_report *r = &run->note.report;
    const rct_measures *now = &run->last;
    rct_loop_info loops;
    rct_solver_measure(run->solver, &run->last);
    for (int i = r->measured == 0 ? 0 : 1; i < 2; i++) {
        r->kinetic[i] = now->kinetic;
        r->potential[i] = now->potential;
        memcpy(r->momentum[i], now->momentum, sizeof now->momentum);
        memcpy(r->angular_momentum[i], now->angular_momentum, sizeof now->angular_momentum);
    }
    rct_solver_get_loop_info(run->solver, &loops);
    see(&r->position, &r->position_loop, loops.position, loops.position_loop);
    see(&r->velocity, &r->velocity_loop, loops.velocity, loops.velocity_loop);
    const double kinetic = now->kinetic - r->kinetic[0];
    const double potential = now->potential - r->potential[0];
    r->drift = fmax(r->drift, fabs(kinetic + potential));
    r->exchange = fmax(r->exchange, fmax(fabs(kinetic), fabs(potential)));
}

/* A frame that the device copies out while it steps on is recorded after the next steps. */
static rct_status take_frame(rct_running *run, rct_error *error)
{
    rct_run_report *r = &run->note.report;
    measure(run);
    rct_status status = rct_run_check_energy(run, error);
    run->kept = status == RCT_OK && run->recorder != NULL && r->done < r->steps &&
                rct_solver_keep(run->solver, NULL) == RCT_OK;
    if (status == RCT_OK && run->recorder != NULL && !run->kept) {
        status = rct_recorder_write(run->recorder, run->solver, &run->last, error);
    }
    if (status == RCT_OK) {
        r->measured++;
        rct_run_look_again(run);
        status = watch(run, error);
    }
    return status;
}

rct_status rct_run_loop(rct_running *run, rct_error *error)
{
    const rct_run_report *r = &run->note.report;
    rct_status status = RCT_OK;
    if (r->saved < 0) { /* the run begins */
        rct_run_look(run);
        status = run->writer != NULL ? rct_run_save(run, error) : RCT_OK;
    }
    run->note.report.begun = status == RCT_OK;
    while (status == RCT_OK && r->measured < r->frames && !(run->stopped && r->done < r->steps)) {
        const int64_t target = rct_run_frame_step(r->steps, r->frames, r->measured);
        status = advance(run, target, error);
        if (status == RCT_OK && r->done == target) {
            status = take_frame(run, error);
        }
    }
    if (status == RCT_OK && r->measured < r->frames) { /* stopped */
        status = record_kept(run, error);
        RCT_THEN(status, run->writer != NULL ? rct_run_save(run, error) : RCT_OK);
    } else if (status != RCT_OK) {
        record_kept(run, NULL);
        if (error != NULL && error->step >= 0) {
            error->step = r->done; /* of the run, not of the steps made at once */
        }
    }
    return status;
}
