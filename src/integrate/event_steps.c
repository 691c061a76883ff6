/* Steps with events (riccatree/event.h). A step is taken whole. If an event has crossed then, the
 * step is taken back and cut where the first event crosses. Steps of other lengths from the same
 * state narrow a bracket around that instant; the rest of the step follows from there. A step that
 * fails is taken back whole. */
#include "core/error.h"
#include "dynamics/events.h"
#include "dynamics/raw_state.h"
#include "integrate/integrators.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* How far the next two trials are from the guess, as a fraction of the bracket; and the most
 * trials. */
static const double beside = 1e-3;
enum { MOST_TRIALS = 200 };

/* The fraction of a step by which the time of an event may lie past its end and still belong to
 * it. */
static const double most_near = 1e-3;

/* The resolution of times, s. */
static double resolution(double time, double h)
{
    return 4.0 * DBL_EPSILON * fmax(fabs(time), h);
}

/* Step from the present state by h to `until`, without a look at events. A short h does not make
 * the following steps short. */
static rct_status leap(rct_solver *solver, double h, double until, rct_error *error)
{
    const double next = solver->pace.next;
    int64_t done;
    const rct_status status = rct_plain_steps(solver, h, 1, &done, error);
    if (h < next) {
        solver->pace.next = fmax(solver->pace.next, next);
    }
    if (status == RCT_OK) {
        rct_solver_set_time_inside(solver, until);
    }
    return status;
}

/* The instant in a bracket at which the first event crosses of those that have crossed at `hi`, by
 * linear interpolation. */
static double guess(const rct_events *e, double lo, double hi)
{
    double first = hi;
    for (int32_t k = 0; k < e->count; k++) {
        if (rct_events_crosses(e, k, e->was[k], e->now[k])) {
            const double part = e->open[k] / (e->open[k] - e->now[k]);
            first = fmin(first, lo + part * (hi - lo));
        }
    }
    return first;
}

/* The next trial: behind the guess, then before it, so that the bracket shrinks from both ends,
 * then in the middle, so that the bracket halves at least. No trial is nearer to `lo` than half of
 * `enough`, so that a step is left to make. */
static double next_trial(const rct_events *e, int trial, double lo, double hi, double enough)
{
    const double width = hi - lo, near = fmax(0.5 * enough, beside * width);
    const double at = guess(e, lo, hi) + (trial % 3 == 0 ? near : -near);
    return trial % 3 < 2 && at > lo + 0.5 * enough && at < hi ? at : lo + 0.5 * width;
}

/* Back to the state `from`, at `start`. Steps since then count as rejected. */
static rct_status take_back(rct_solver *solver, double start, rct_error *error)
{
    const rct_pace tried = solver->pace, before = solver->events->pace;
    const rct_status status = rct_raw_write(solver, start, solver->events->from, error);
    solver->pace = before;
    solver->pace.rejected = tried.rejected + (tried.steps - before.steps);
    solver->pace.evaluations = tried.evaluations;
    return status;
}

/* Step from there by h to `until`, and look at events. */
static rct_status try_step(rct_solver *solver, double start, double h, double until,
                           rct_error *error)
{
    rct_status status = take_back(solver, start, error);
    RCT_THEN(status, leap(solver, h, until, error));
    RCT_THEN(status, rct_events_look(solver, solver->events->seen, error));
    return status;
}

/* After a step of h from the state `from`, at `start`, by which events have crossed: go to just
 * behind the first crossing. */
static rct_status locate(rct_solver *solver, double start, double h, rct_error *error)
{
    const double until = solver->time;
    rct_events *e = solver->events;
    const double enough = resolution(start, h);
    const size_t bytes = (size_t)e->count * sizeof *e->now;
    double lo = 0.0, hi = h, at = h;
    rct_status status = RCT_OK;
    memcpy(e->open, e->was, bytes);
    for (int trial = 0; trial < MOST_TRIALS && hi - lo > enough && status == RCT_OK; trial++) {
        at = next_trial(e, trial, lo, hi, enough);
        status = try_step(solver, start, at, start + at, error);
        const int behind = rct_events_any(e, e->seen);
        memcpy(behind ? e->now : e->open, e->seen, bytes);
        *(behind ? &hi : &lo) = at;
    }
    if (status == RCT_OK && at != hi) {
        status = try_step(solver, start, hi, hi == h ? until : start + hi, error);
        memcpy(e->now, e->seen, bytes);
    }
    return status;
}

/* The first time of an event between the present time and `end`, s; `end` if there is none. */
static double next_time(const rct_solver *solver, double end)
{
    const rct_events *e = solver->events;
    for (int32_t k = 0; k < e->count; k++) {
        if (e->of[k].type == RCT_EVENT_TIME && e->of[k].value > solver->time &&
            rct_events_crosses(e, k, solver->time - e->of[k].value, 0.0)) {
            end = fmin(end, e->of[k].value);
        }
    }
    return end;
}

/* Whether only events of time have come; these were stepped to. */
static int is_timely(const rct_events *e)
{
    int timely = 1;
    for (int32_t k = 0; k < e->count; k++) {
        timely = timely && (e->of[k].type == RCT_EVENT_TIME ||
                            !rct_events_crosses(e, k, e->was[k], e->now[k]));
    }
    return timely;
}

/* Step from the present state by `left`, to `end`, or to the first event, and do what happens
 * there. A distance below the resolution of times is not stepped, unless a `whole` step is as short
 * as that. */
static rct_status part_of_step(rct_solver *solver, double left, double end, int whole,
                               rct_error *error)
{
    rct_events *e = solver->events;
    const double start = solver->time, until = next_time(solver, end);
    const double h = until < end ? until - start : left;
    rct_status status = RCT_OK;
    if ((whole && until == end) || h > resolution(start, 0.0)) {
        status = leap(solver, h, until, error);
    } else {
        rct_solver_set_time_inside(solver, until);
    }
    RCT_THEN(status, rct_events_look(solver, e->now, error));
    if (status == RCT_OK && !is_timely(e)) {
        status = locate(solver, start, h, error);
    }
    RCT_THEN(status, rct_events_happen(solver, error));
    return status;
}

/* The end of a step of dt from the present time, s. Times may be sums of steps, known up to the
 * rounding of as many sums. A step ends at the time of an event if this lies no further past the
 * sum than that rounding. */
static double end_of_step(const rct_solver *solver, double dt)
{
    const rct_events *e = solver->events;
    const double sum = rct_time_after(solver->time, dt), steps = fabs(sum) / dt;
    const double known = fmax(resolution(sum, dt), DBL_EPSILON * steps * fabs(sum));
    const double near = fmin(known, most_near * dt);
    double end = sum;
    for (int32_t k = 0; k < e->count; k++) {
        const double time = e->of[k].value;
        end = e->of[k].type == RCT_EVENT_TIME && time > end && time - sum <= near ? time : end;
    }
    return end;
}

/* A step of dt to `end`; watched quantities are known before, and afterwards. */
static rct_status one_step(rct_solver *solver, double dt, double end, rct_error *error)
{
    rct_events *e = solver->events;
    const double start = solver->time;
    const rct_pace pace = solver->pace;
    rct_raw_read(solver, e->start);
    e->from = e->start;
    e->pace = pace;
    memset(e->tally, 0, (size_t)e->count * sizeof *e->tally);
    rct_status status = part_of_step(solver, dt, end, 1, error);
    while (solver->time < end && status == RCT_OK) {
        rct_raw_read(solver, e->part);
        e->from = e->part;
        e->pace = solver->pace;
        status = part_of_step(solver, end - solver->time, end, 0, error);
    }
    if (status == RCT_OK) { /* an instant that was located may be rounded past it */
        rct_solver_set_time_inside(solver, end);
    } else {
        /* of two failures the first is reported */
        (void)rct_raw_write(solver, start, e->start, NULL);
        solver->pace = pace;
    }
    return status;
}

rct_status rct_event_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                           rct_error *error)
{
    rct_status status = steps > 0 ? rct_events_begin(solver, error) : RCT_OK;
    *done = 0;
    while (*done < steps && status == RCT_OK) {
        status = one_step(solver, dt, end_of_step(solver, dt), error);
        *done += status == RCT_OK;
    }
    solver->evaluated = solver->evaluated && steps == 0;
    if (status != RCT_OK && error != NULL) {
        error->step = *done;
    }
    return status;
}
