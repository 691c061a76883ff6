/* The integrators by their numbers. */
#ifndef RCT_INTEGRATE_INTEGRATORS_H
#define RCT_INTEGRATE_INTEGRATORS_H

#include "dynamics/solver.h"

#include <math.h>

/* The time a step of dt after `time`. After a multiple of dt that is the next multiple, so that
 * long runs do not sum up the rounding of their steps; it does not depend on how steps are divided
 * among calls. */
static inline double rct_time_after(double time, double dt)
{
    const double steps = rint(time / dt);
    return steps * dt == time ? (steps + 1.0) * dt : time + dt;
}

/* Steps of the integrator of the solver, as rct_solver_step, with checked arguments; an error is
 * not explained further. `done` counts the whole steps of dt. */
rct_status rct_take_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                          rct_error *error);

/* The same, ignoring events. */
rct_status rct_plain_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                           rct_error *error);

/* event_steps.c: the same for a model with events. */
rct_status rct_event_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                           rct_error *error);

#endif
