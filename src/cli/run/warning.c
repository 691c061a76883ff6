/* Whether the steps of a run were too long. Where the energy is conserved, its drift tells, over the whole run; elsewhere
 * a step without error control is compared with two of half its length, before the first and after the last one. What counts is a share of the
 * run's own energy, kinetic at the start and exchanged since: a system that has come to rest is not blamed for its last
 * digits. */
#include "run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const double cli_most_drift = 1e-3;

/* The share of velocities above which steps are too long; that of the energy in those that are advised. */
static const double most_error = 1e-3, good_drift = 1e-5;

/* J: beyond it numbers are no scale. */
static const double largest = 1e300;

const double cli_energy_rounding = 1e-13;

/* Advised where nothing tells more. */
static const double shorter = 0.2;

/* Projection, of all coordinates or of dependent ones, keeps the energy; Baumgarte's terms and open loops do not. */
static bool is_conserved(const cli_run_state *run)
{
    rct_loop_info loops;
    rct_solver_get_loop_info(run->solver, &loops);
    return run->census.changers[0] == '\0' &&
           (loops.active == 0 || strcmp(loops.drift, rct_drift_name(RCT_DRIFT_PROJECT)) == 0 ||
            strcmp(loops.drift, rct_drift_name(RCT_DRIFT_PARTITION)) == 0);
}

void cli_run_look(cli_run_state *run)
{
    rct_step_report report;
    cli_worst_step *worst = &run->note.worst;
    if (is_conserved(run) || run->note.adapts ||
        rct_solver_check_step(run->solver, run->arguments->dt, &report, NULL) != RCT_OK) {
        return; /* without memory, or the machine, nothing is said about steps */
    }
    worst->difference = fmax(worst->difference, report.difference);
    worst->advised = report.advised > 0.0 ? fmin(worst->advised, report.advised) : worst->advised;
}

static void warn(cli_run_state *run, double advised, const char *why)
{
    run->step_advised = advised;
    run->warnings++;
    cli_warn("steps of %.9g s are too long: %s; try --dt %.9g", run->arguments->dt, why, advised);
}

/* The error of steps with error control goes with the tolerance. */
static void warn_of_tolerance(cli_run_state *run, double share)
{
    rct_stepping s;
    rct_solver_get_stepping(run->solver, &s);
    run->warnings++;
    cli_warn(
        "the energy, which nothing changes, is off by %.3g J, %.2g of what the motion has: the "
        "tolerance of %g is too large; try --tolerance %.2g",
        run->note.drift, share, s.tolerance, s.tolerance * good_drift / fmin(share, 1.0));
}

static void judge_drift(cli_run_state *run, double scale)
{
    char why[CLI_SHORT_TEXT + 100];
    const double share = run->note.drift / scale;
    run->share = share;
    if (!(share <= cli_most_drift) && run->note.adapts) {
        warn_of_tolerance(run, share);
    } else if (!(share <= cli_most_drift)) {
        snprintf(why, sizeof why,
                 "the energy, which nothing changes, is off by %.3g J, %.2g of what the motion has",
                 run->note.drift, share);
        warn(run, rct_step_advised(run->arguments->dt, good_drift / fmin(share, 1.0), 4), why);
    }
}

static void judge_steps(cli_run_state *run, double scale)
{
    char why[CLI_SHORT_TEXT + 100];
    const double error =
        sqrt(run->note.worst.difference / fmin(scale, largest)); /* NaN: none looked at */
    run->step_error = error;
    if (error > most_error) {
        snprintf(why, sizeof why,
                 error <= 1.0
                     ? "velocities after one and after two of half the length differ by %.2g of "
                       "what they are"
                     : "velocities after one have nothing to do with those after two of half "
                       "the length",
                 error);
        warn(run, fmin(run->note.worst.advised, rct_step_advised(run->arguments->dt, shorter, 1)),
             why);
    }
}

void cli_run_judge(cli_run_state *run)
{
    const double scale =
        run->note.first.kinetic + run->note.exchange + cli_energy_rounding * run->census.holds;
    run->step_error = run->step_advised = run->share = NAN;
    if (is_conserved(run)) {
        run->share = 0.0;
        if (scale > 0.0) {
            judge_drift(run, scale);
        }
    } else if (!run->note.adapts) {
        judge_steps(run, scale);
    }
}

bool cli_run_holds(const cli_run_state *run)
{
    rct_loop_info loops;
    rct_solver_get_loop_info(run->solver, &loops);
    return run->arguments->max_drift == 0.0 || is_conserved(run) ||
           cli_refuse(
               "--max-drift: there is no drift to tell: energy is changed by %s; leave it out",
               run->census.changers[0] != '\0' ? run->census.changers : loops.drift);
}

bool cli_run_kept(const cli_run_state *run)
{
    const double most = run->arguments->max_drift;
    return most == 0.0 || run->share <= most ||
           cli_fail(CLI_FAILED,
                    "the energy, which nothing changes, is off by %.3g J, %.2g of what the motion "
                    "has, more than --max-drift %g; %s",
                    run->note.drift, run->share, most,
                    run->note.adapts ? "give a smaller --tolerance" : "take shorter steps");
}

bool cli_run_closed(const cli_run_state *run)
{
    rct_loop_info loops;
    rct_solver_get_loop_info(run->solver, &loops);
    if (loops.position <= loops.bound) {
        return true;
    }
    char name[RCT_NAME_SIZE];
    rct_model_loop_name(run->model, loops.position_loop, name);
    return cli_fail(CLI_FAILED,
                    "loop %" PRId32 " \"%s\" is open by %.3g at the end, and the motion no longer "
                    "that of the model; take shorter steps, or keep loops closed by --drift "
                    "project in place of %s",
                    loops.position_loop, name, loops.position, loops.drift);
}
