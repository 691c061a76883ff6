/* Messages of a run on standard error: its progress, why it stopped, steps that are or were too
 * long. */
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACE_SIZE = 600, FROM_SIZE = 80, TEXT_SIZE = 128, MOST_RATES = 1 << 21 };

/* Above this share of the longest step nothing is said, because the longest step is found from
 * above. */
static const double close_by = 0.98;

/* The relative drift of the energy at which the advised steps aim. */
static const double good_drift = 1e-5;

void cli_run_show(const cli_run_state *run, const rct_run_report *so_far)
{
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "t = %.6g s  %.1f ns per body and evaluation", so_far->time,
             cli_run_cost(run, so_far));
    cli_progress((double)so_far->done / (double)so_far->steps, so_far->elapsed, text);
}

bool cli_run_stopped(const cli_run_state *run, int status, const char *why, bool advised)
{
    const rct_run_report *r = &run->report;
    char file[PLACE_SIZE] = "", from[FROM_SIZE] = "", frames[CLI_COUNTED];
    const char *kept = run->options.checkpoint;
    char *quoted = advised && kept != NULL && r->saved >= 0 ? cli_quoted(kept) : NULL;
    if (quoted != NULL) {
        snprintf(from, sizeof from, "; continue from step %" PRId64 ": riccatree resume ",
                 r->saved);
    }
    if (run->options.recording != NULL) {
        snprintf(file, sizeof file, "; %s %s %s", run->arguments->out,
                 r->recorded ? "holds" : "may not hold all of its",
                 cli_counted(r->measured, "frame", frames));
    }
    cli_fail(status, "stopped after step %" PRId64 " of %" PRId64 ", t = %.9g s: %s%s%s%s", r->done,
             r->steps, r->time, why, file, from, quoted != NULL ? quoted : "");
    free(quoted);
    return false;
}

void cli_run_expect(cli_run_state *run)
{
    double step = INFINITY;
    int32_t body = -1;
    const double dt = run->options.dt;
    if (rct_integrator_adapts((rct_integrator)run->arguments->integrator) ||
        run->info.dof > MOST_RATES ||
        rct_solver_longest_step(run->solver, run->model, &step, &body, NULL) != RCT_OK ||
        close_by * dt <= step) {
        return;
    }
    char name[RCT_NAME_SIZE];
    rct_model_body_name(run->model, body, name);
    run->warnings++;
    cli_warn(
        "steps of %.9g s are too long for springs and dampers, which are stiffest at body %" PRId32
        " \"%s\": they need less than %.3g s; try --dt %.9g, or --integrator implicit",
        dt, body, name, step, rct_step_advised(step, 0.5, 1));
}

/* With error control, the error follows the tolerance. */
static void warn_of_tolerance(cli_run_state *run, const char *why, double tolerance)
{
    cli_warn("%s: the tolerance of %g is too large; try --tolerance %.2g", why, tolerance,
             tolerance * good_drift / fmin(run->report.drift_share, 1.0));
}

void cli_run_judge(cli_run_state *run)
{
    char why[TEXT_SIZE + CLI_SHORT_TEXT];
    const rct_run_report *r = &run->report;
    const bool drifts = r->drift_share > RCT_RUN_SHARE;
    rct_stepping stepping;
    rct_loop_info loops;
    rct_solver_get_stepping(run->solver, &stepping);
    rct_solver_get_loop_info(run->solver, &loops);
    if (drifts && rct_loops_open(loops.bound, r->position, r->velocity)) {
        run->warnings++;
        cli_warn(
            "loops were open at the start, by up to %.3g m or rad and %.3g m/s or rad/s, and the "
            "first step closed them: the energy is off by %.3g J, and nothing tells whether "
            "steps are short enough; start from a closed state",
            r->position, r->velocity, r->drift);
        return;
    }
    if (drifts) {
        snprintf(why, sizeof why,
                 "the energy, which nothing in the model changes, is off by %.3g J, %.2g of the "
                 "energy of the motion",
                 r->drift, r->drift_share);
    } else {
        snprintf(why, sizeof why,
                 r->step_error <= 1.0 ? "velocities after one step and after two of half its "
                                        "length differ by %.2g of their size"
                                      : "velocities after one step and after two of half its "
                                        "length differ by more than their size",
                 r->step_error);
    }
    run->warnings += drifts || r->step_error > RCT_RUN_SHARE;
    if (drifts && !isnan(stepping.tolerance)) {
        warn_of_tolerance(run, why, stepping.tolerance);
    } else if (drifts || r->step_error > RCT_RUN_SHARE) {
        cli_warn("steps of %.9g s are too long: %s; try --dt %.9g", run->options.dt, why,
                 r->step_advised);
    }
}
