/* Steps with error control: from one multiple of dt to the next in as many steps as the tolerance
 * needs. The errors of the last two steps decide the length of the next (a PI controller;
 * Gustafsson 1991, Hairer and Wanner). The next step depends only on the state of the run and the
 * pace, so it is the same to the bit wherever a call or a checkpoint comes between. */
#include "integrate/adaptive.h"

#include "core/error.h"
#include "dynamics/closed/closed.h"
#include "integrate/integrators.h"
#include "integrate/rk4.h"

#include <math.h>

/* The controller: the part that is taken of the step that would just meet the tolerance; the most
 * by which a step may grow, and shrink; and the power of the previous error, times that of the
 * order. */
static const double safety = 0.9, most_growth = 5.0, least_shrinking = 0.2, memory = 0.04;

/* Previous errors below this count as this. */
static const double least_error = 1e-4;

/* A step that is shorter than whole only by rounding counts as whole; so small a fraction of dt is
 * no step. */
static const double enough = 1.0 - 1e-9, nothing = 1e-12;

static rct_status begin(rct_steps *s, const rct_pair *pair, int goes_on, rct_error *error)
{
    const rct_status status = pair->begin(s, goes_on, error);
    s->begun = status == RCT_OK;
    return status;
}

/* A step in which little changes at the present slopes. */
static double first_step(const rct_steps *s, int order, double dt)
{
    const double step = pow(s->solver->options.tolerance, 1.0 / order) / s->steepness;
    return step < dt ? step : dt;
}

/* One attempt. Its error is a multiple of the tolerance; INFINITY where the motion makes it fail. A
 * step that is good enough also has its loops closed, where projection closes them. */
static rct_status attempt(rct_steps *s, const rct_pair *pair, double h, double *size,
                          rct_error *error)
{
    rct_solver *solver = s->solver;
    rct_closed_set_stage(solver->closed, RCT_STAGE_OPEN);
    rct_status status = pair->attempt(s, h, size, error);
    rct_closed_set_stage(solver->closed, 0);
    *size = status == RCT_OK ? *size / (pair->share * solver->options.tolerance) : INFINITY;
    if (status == RCT_OK && *size <= 1.0 && solver->closed != NULL) {
        status = rct_closed_settle(solver, s->end, error);
        *size = status == RCT_OK ? *size : INFINITY;
    }
    return rct_is_of_motion(status) ? RCT_OK : status;
}

static double bounded(double x, double low, double high)
{
    return x < low ? low : x < high ? x : high; /* NaN: high */
}

/* The length of the step after one of h that was taken. */
static void go_on(rct_pace *pace, const rct_pair *pair, double h, double size, int rejected,
                  double dt)
{
    const int cut = h < enough * pace->next;
    const double power = 1.0 / pair->order;
    const double growth = bounded(safety * pow(size, 0.75 * memory - power) *
                                      pow(fmax(pace->error, least_error), memory),
                                  least_shrinking, rejected ? 1.0 : most_growth);
    const double next = h * growth;
    pace->next = fmin(cut && growth >= 1.0 ? fmax(next, pace->next) : next, dt);
    pace->error = size;
    pace->steps++;
    if (!cut) {
        pace->shortest = pace->shortest > 0.0 ? fmin(pace->shortest, h) : h;
        pace->longest = fmax(pace->longest, h);
    }
}

/* The error when steps have come down to h. `why`: how the last attempt failed, if it did. */
static rct_status give_up(const rct_steps *s, double h, double size, const rct_error *why,
                          rct_error *error)
{
    const double tolerance = s->solver->options.tolerance;
    if (isfinite(size)) {
        return rct_fail(
            error, RCT_ERROR_DIVERGED,
            "the step came down to %.3g s at t = %.9g s, and its error is still %.3g times the "
            "tolerance of %g; give a larger tolerance, or remove what changes so suddenly there",
            h, s->time, size, tolerance);
    }
    return rct_fail_body(error, RCT_ERROR_DIVERGED, why->body,
                         "the step came down to %.3g s at t = %.9g s, and it still fails: %.300s",
                         h, s->time, why->text[0] != '\0' ? why->text : "its error is not finite");
}

/* One step towards `end`. */
static rct_status step(rct_steps *s, const rct_pair *pair, double dt, double end, rct_error *error)
{
    rct_pace *pace = &s->solver->pace;
    rct_error why = {.body = -1};
    double size = INFINITY, h = 0.0;
    int rejected = 0;
    for (;;) {
        const double left = end - s->time;
        const int last = !(pace->next < enough * left);
        h = last ? left : 2.0 * pace->next > left ? 0.5 * left : pace->next;
        const double most = rct_time_tables_step(s->solver->tables, s->time, h);
        s->end = last && most == h ? end : s->time + most;
        h = most;
        if (h <= nothing * dt || s->time + 0.5 * h == s->time) {
            return give_up(s, h, size, &why, error);
        }
        why = (rct_error){.body = -1};
        const rct_status status = attempt(s, pair, h, &size, &why);
        if (status != RCT_OK) {
            if (error != NULL) {
                *error = why;
            }
            return status;
        }
        if (size <= 1.0) {
            go_on(pace, pair, h, size, rejected, dt);
            s->time = s->end;
            return RCT_OK;
        }
        pace->next = h * bounded(safety * pow(size, -1.0 / pair->order), 0.1, safety);
        pace->rejected++;
        rejected = 1;
    }
}

/* From the present state to `end`, dt later. */
static rct_status interval(rct_steps *s, const rct_pair *pair, double dt, double end,
                           rct_error *error)
{
    rct_pace *pace = &s->solver->pace;
    if (s->time + 0.5 * (end - s->time) == s->time) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "a step of %.3g s does not change the time of %.9g s, which has too few "
                        "digits; take a longer step, or set an earlier time",
                        dt, s->time);
    }
    rct_status status = s->begun ? RCT_OK : begin(s, pair, 0, error);
    if (status == RCT_OK && !(pace->next > 0.0)) {
        pace->next = first_step(s, pair->order, dt);
    }
    while (s->time < end && status == RCT_OK) {
        status = step(s, pair, dt, end, error);
        RCT_THEN(status, begin(s, pair, 1, error));
    }
    return status;
}

rct_status rct_adaptive_steps(rct_solver *solver, const rct_pair *pair, double dt, int64_t steps,
                              int64_t *done, rct_error *error)
{
    rct_steps s = rct_steps_begin(solver);
    rct_status status = RCT_OK;
    *done = 0;
    while (*done < steps && status == RCT_OK) {
        const double start = s.time;
        rct_steps_keep(&s);
        status = interval(&s, pair, dt, rct_time_after(start, dt), error);
        if (status == RCT_OK) {
            *done += 1;
        } else {
            rct_steps_take_back(&s);
        }
    }
    solver->evaluated = solver->evaluated && steps == 0;
    solver->time = s.time;
    rct_solver_move_ground(solver, s.time);
    if (status != RCT_OK && error != NULL) {
        error->step = *done;
    }
    return status;
}
