/* The integrators by their numbers. */
#ifndef RCT_INTEGRATE_INTEGRATORS_H
#define RCT_INTEGRATE_INTEGRATORS_H

#include "dynamics/solver.h"

/* Steps of the integrator that the solver was made with: as rct_solver_step, of arguments that are checked, but nothing is said
 * about why one fails besides what it comes with. `done` are the whole steps of dt. */
rct_status rct_take_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                          rct_error *error);

/* The same, whatever events there are. */
rct_status rct_plain_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                           rct_error *error);

/* event_steps.c: the same, of a model with events. */
rct_status rct_event_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                           rct_error *error);

#endif
