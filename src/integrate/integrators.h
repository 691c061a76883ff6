/* The integrators by their numbers. */
#ifndef RCT_INTEGRATE_INTEGRATORS_H
#define RCT_INTEGRATE_INTEGRATORS_H

#include "dynamics/solver.h"

/* Steps of the integrator that the solver was made with: as rct_solver_step, of arguments that are checked, but nothing is said
 * about why one fails besides what it comes with. `done` are the whole steps of dt. */
rct_status rct_take_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                          rct_error *error);

#endif
