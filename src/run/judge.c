/* Whether the steps of a run were short enough. Where the energy is conserved, its drift over the
 * whole run tells; elsewhere a step without error control is compared with two of half its length,
 * before the first and after the last step, and at frames in between. All count as fractions of the
 * energy of the run, kinetic at the start and exchanged since, so that a system that has come to
 * rest is not blamed for its last digits. */
#include "core/error.h"
#include "dynamics/closed/closed.h"
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The fraction of the energy at advised steps; the largest energy, J, that serves as a scale; the
 * fraction of a step to advise where nothing tells more. */
static const double good_drift = 1e-5, largest = 1e300, shorter = 0.2;

/* Projection, of all coordinates or of dependent ones, keeps the energy. Baumgarte's terms and open
 * loops do not, even where these loops were released on the way. */
int rct_run_is_conserved(const rct_running *run)
{
    rct_loop_info loops;
    rct_solver_get_loop_info(run->solver, &loops);
    const int none =
        loops.loops == 0 || (loops.active == 0 && rct_model_event_count(run->model) == 0);
    return run->census.changers[0] == '\0' &&
           (none || strcmp(loops.drift, rct_drift_name(RCT_DRIFT_PROJECT)) == 0 ||
            strcmp(loops.drift, rct_drift_name(RCT_DRIFT_PARTITION)) == 0);
}

void rct_run_look(rct_running *run)
{
    rct_step_report report;
    rct_run_note *n = &run->note;
    if (rct_run_is_conserved(run) || run->adapts ||
        rct_solver_check_step(run->solver, run->options.dt, &report, NULL) != RCT_OK) {
        return; /* without memory, or the device, nothing is said about steps */
    }
    n->difference = fmax(n->difference, report.difference);
    n->advised = report.advised > 0.0 ? fmin(n->advised, report.advised) : n->advised;
}

void rct_run_look_again(rct_running *run)
{
    enum { STEPS_BETWEEN = 100 }; /* a look takes three */
    rct_run_note *n = &run->note;
    if (n->report.done - n->looked_at >= STEPS_BETWEEN && n->report.done < n->report.steps) {
        n->looked_at = n->report.done;
        rct_run_look(run);
    }
}

void rct_run_judge(rct_running *run)
{
    rct_run_report *r = &run->note.report;
    rct_loop_info loops;
    const double dt = run->options.dt;
    const double scale = r->kinetic[0] + r->exchange + RCT_RUN_ROUNDING * run->census.holds;
    if (rct_run_is_conserved(run)) {
        r->drift_share = scale > 0.0 ? r->drift / scale : 0.0;
        rct_solver_get_loop_info(run->solver, &loops);
        if (!(r->drift_share <= RCT_RUN_SHARE) && !run->adapts &&
            !rct_loops_open(loops.bound, r->position, r->velocity)) {
            r->step_advised = rct_step_advised(dt, good_drift / fmin(r->drift_share, 1.0), 4);
        }
    } else if (!run->adapts) {
        /* NaN: no step was looked at */
        r->step_error = sqrt(run->note.difference / fmin(scale, largest));
        if (r->step_error > RCT_RUN_SHARE) {
            r->step_advised = fmin(run->note.advised, rct_step_advised(dt, shorter, 1));
        }
    }
}

/* If the next step fails, its error describes best a motion that runs away. */
rct_status rct_run_check_energy(const rct_running *run, rct_error *error)
{
    const double dt = run->options.dt, energy = run->last.kinetic + run->last.potential;
    const double time = rct_solver_time(run->solver);
    rct_status status = rct_solver_check(run->solver, error);
    if (status == RCT_OK && !isfinite(energy)) {
        status = rct_solver_step(run->solver, dt, 1, error);
    }
    if (status != RCT_OK || isfinite(energy)) {
        return status;
    }
    if (run->adapts || run->note.report.done == 0) {
        return rct_fail(error, RCT_ERROR_DIVERGED,
                        "the energy is no longer finite at t = %.9g s; %s", time,
                        run->adapts ? "give a smaller tolerance" : "start with slower rates");
    }
    return rct_fail(error, RCT_ERROR_DIVERGED,
                    "the step of %.9g s is too long; take a smaller step, %.9g s: the energy is "
                    "no longer finite at t = %.9g s",
                    dt, fmin(run->note.advised, rct_step_advised(dt, shorter, 1)), time);
}

static rct_status check_loops(const rct_running *run, rct_error *error)
{
    rct_loop_info loops;
    char name[RCT_NAME_SIZE];
    double open = 0.0;
    const int32_t loop =
        run->solver->closed != NULL ? rct_closed_open_loop(run->solver, 0, &open) : -1;
    if (loop < 0) {
        return RCT_OK;
    }
    rct_solver_get_loop_info(run->solver, &loops);
    rct_model_loop_name(run->model, loop, name);
    return rct_fail(
        error, RCT_ERROR_LOOP,
        "loop %" PRId32
        " \"%s\" is open by %.3g at the end, and the motion is no longer that of the model; take "
        "shorter steps, or keep loops closed by the drift project instead of %s",
        loop, name, open, loops.drift);
}

rct_status rct_run_check_end(const rct_running *run, rct_error *error)
{
    const rct_run_report *r = &run->note.report;
    const double most = run->options.max_drift;
    const rct_status status = check_loops(run, error);
    if (status != RCT_OK || most == 0.0 || r->drift_share <= most) {
        return status;
    }
    return rct_fail(error, RCT_ERROR_DIVERGED,
                    "the energy, which nothing in the model changes, is off by %.3g J, %.2g of the "
                    "energy of the motion, more than the largest drift of %g; %s",
                    r->drift, r->drift_share, most,
                    run->adapts ? "give a smaller tolerance" : "take shorter steps");
}
