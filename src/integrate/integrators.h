/* The integrators by their numbers. */
#ifndef RCT_INTEGRATE_INTEGRATORS_H
#define RCT_INTEGRATE_INTEGRATORS_H

#include "dynamics/solver.h"

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
