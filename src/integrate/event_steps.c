/* Steps in which something may happen (riccatree/event.h). A step is taken whole; if an event has crossed then, it is taken back
 * and cut where the first one crosses: the instant is found between the two ends of a bracket by steps of other lengths from the
 * same state, and what is left of the step follows from there. A step that fails is taken back whole. */
#include "core/error.h"
#include "dynamics/events.h"
#include "dynamics/raw_state.h"
#include "integrate/integrators.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of the bracket, how far beside the guess the next two trials are; and trials until it is left as it is. */
static const double beside = 1e-3;
enum { MOST_TRIALS = 200 };

/* Of a step, how far ahead of it at most what happens is of it. */
static const double most_near = 1e-3;

/* s, what times are known to. */
static double resolution(double time, double h)
{
    return 4.0 * DBL_EPSILON * fmax(fabs(time), h);
}

/* From the present state by h to `until`, without a look at events. That h is short is no reason to go on with short steps. */
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

/* Where, between the ends of a bracket, the first of those that have crossed at `hi` does so, if all go straight. */
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

/* The next trial: behind the guess and before it, so that the bracket shrinks from both ends, then in the middle, so that
 * it does by half at least. None is as near to `lo` as half of what is `enough`: from there on no step would be left to make. */
static double next_trial(const rct_events *e, int trial, double lo, double hi, double enough)
{
    const double width = hi - lo, near = fmax(0.5 * enough, beside * width);
    const double at = guess(e, lo, hi) + (trial % 3 == 0 ? near : -near);
    return trial % 3 < 2 && at > lo + 0.5 * enough && at < hi ? at : lo + 0.5 * width;
}

/* The state `from`, at `start`. Steps since then count as rejected. */
static rct_status take_back(rct_solver *solver, double start, rct_error *error)
{
    const rct_pace tried = solver->pace, before = solver->events->pace;
    const rct_status status = rct_raw_write(solver, start, solver->events->from, error);
    solver->pace = before;
    solver->pace.rejected = tried.rejected + (tried.steps - before.steps);
    solver->pace.evaluations = tried.evaluations;
    return status;
}

/* From there by h to `until`; what is watched there. */
static rct_status try_step(rct_solver *solver, double start, double h, double until,
                           rct_error *error)
{
    rct_status status = take_back(solver, start, error);
    RCT_THEN(status, leap(solver, h, until, error));
    RCT_THEN(status, rct_events_look(solver, solver->events->seen, error));
    return status;
}

/* After a step of h from the state `from`, at `start`, by which events have crossed: to just behind the first that does. */
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

/* s: the first time of an event between the present one and `end`, or that. */
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

/* Whether nothing but times has come, which were stepped to. */
static int is_timely(const rct_events *e)
{
    int timely = 1;
    for (int32_t k = 0; k < e->count; k++) {
        timely = timely && (e->of[k].type == RCT_EVENT_TIME ||
                            !rct_events_crosses(e, k, e->was[k], e->now[k]));
    }
    return timely;
}

/* From the present state by `left`, to `end`, or to what happens first; and that. To a time that is nearer than times are known to
 * there is no step, unless a `whole` one is as short as that. */
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

/* s: where a step of dt from the present time ends. Times are sums of steps, known to what rounding adds up to in as many as lead
 * there: an event whose time lies no further ahead than that is one of this step, which ends at it. */
static double end_of_step(const rct_solver *solver, double dt)
{
    const rct_events *e = solver->events;
    const double sum = solver->time + dt, steps = fabs(sum) / dt;
    const double known = fmax(resolution(sum, dt), DBL_EPSILON * steps * fabs(sum));
    const double near = fmin(known, most_near * dt);
    double end = sum;
    for (int32_t k = 0; k < e->count; k++) {
        const double time = e->of[k].value;
        end = e->of[k].type == RCT_EVENT_TIME && time > end && time - sum <= near ? time : end;
    }
    return end;
}

/* A step of dt to `end`; what is watched is known before, and after. */
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
        (void)rct_raw_write(solver, start, e->start, NULL); /* of two failures the first is told */
        solver->pace = pace;
    }
    return status;
}

rct_status rct_event_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                           rct_error *error)
{
    rct_events *e = solver->events;
    rct_status status = steps > 0 ? rct_events_look(solver, e->was, error) : RCT_OK;
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
