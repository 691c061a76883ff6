/* Why a step has failed. A motion that runs away ends in numbers that are not finite, or, before
 * that, in arms of a million metres that hide any inertia. The sweeps then see an effect. The
 * length of the step is the cause if bodies turn by more than a radian in a step, or move further
 * than the system is long, or if much shorter steps from the same state succeed. */
#include "core/memory.h"
#include "core/rotation.h"
#include "dynamics/closed/closed.h"
#include "dynamics/raw_state.h"
#include "integrate/rk4.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A step is blamed if it is too long by this factor; it is also the advice where nothing tells
 * more. */
static const double much_shorter = 0.2;

int rct_is_of_motion(rct_status status)
{
    return status == RCT_ERROR_SINGULAR || status == RCT_ERROR_DIVERGED || status == RCT_ERROR_LOOP;
}

double rct_length_of(const rct_plan *plan)
{
    double length = 0.0, spread = 0.0;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_body *body = rct_bodies_at(plan->bodies, b);
        const double around = body->inertia[0] + body->inertia[1] + body->inertia[2];
        length +=
            sqrt(rct_dot(body->hinge_at, body->hinge_at)) + sqrt(rct_dot(body->com, body->com));
        spread = fmax(spread, body->mass > 0.0 ? sqrt(0.5 * around / body->mass) : 0.0);
    }
    length = fmax(length, spread);
    return length > 0.0 ? length : 1.0;
}

static int runs_away(const rct_solver *solver, double dt)
{
    const int64_t n = solver->plan->body_count;
    const double length = rct_length_of(solver->plan);
    double *rate = rct_allocate(n, 6 * (int64_t)sizeof *rate, "a step that failed", NULL);
    int away = 0;
    if (rate != NULL) {
        double *velocity = rate + 3 * n;
        rct_solver_get_state_inside(solver, NULL, rate, NULL, velocity);
        for (int64_t b = 0; b < n && !away; b++) {
            const double *w = rate + 3 * b, *v = velocity + 3 * b;
            away = !(dt * sqrt(rct_dot(w, w)) <= 1.0) || !(dt * sqrt(rct_dot(v, v)) <= length);
        }
    }
    rct_release(rate);
    return away;
}

/* Return to the start, with the loops that hold now; 0 if these do not close there. */
static int return_to_start(rct_solver *solver)
{
    return rct_solver_load_start(solver, NULL) == RCT_OK &&
           (solver->closed == NULL || rct_closed_assemble(solver, 0.0, NULL) == RCT_OK);
}

/* The step to try, s; dt if the length of the step is not the cause. A state that has run away
 * tells nothing about steps; the start does. */
static double advice(rct_solver *solver, double dt)
{
    rct_step_report report;
    const double shorter = rct_step_advised(dt, much_shorter, 1);
    const int away = runs_away(solver, dt);
    const int told = (!away || return_to_start(solver)) &&
                     rct_check_step(solver, dt, &report, NULL) == RCT_OK && report.advised > 0.0 &&
                     report.advised <= shorter;
    return told ? report.advised : away ? shorter : dt;
}

void rct_blame_step(rct_solver *solver, double dt, rct_error *error)
{
    char text[RCT_ERROR_TEXT_SIZE];
    double *state = rct_allocate(rct_raw_count(solver), sizeof *state, "a step that failed", NULL);
    if (state == NULL) {
        return; /* the failure stays as it is reported */
    }
    const double time = solver->time, kept = solver->kept;
    const rct_pace pace = solver->pace;
    rct_raw_read(solver, state);
    const double step = advice(solver, dt);
    rct_raw_write(solver, time, state, NULL); /* if the device is lost now, the next call says so */
    solver->kept = kept;
    solver->pace = pace;
    rct_release(state);
    if (step < dt) {
        /* the advice behind it does not help against the cause */
        const int what = (int)strcspn(error->text, ";");
        snprintf(text, sizeof text,
                 "the step of %.9g s is too long; take a smaller step, %.9g s: %.*s", dt, step,
                 what < 400 ? what : 400, error->text);
        memcpy(error->text, text, sizeof text);
    }
}
