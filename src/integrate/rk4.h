/* Steps, and nothing said about why one fails but what the sweeps see. */
#ifndef RCT_INTEGRATE_RK4_H
#define RCT_INTEGRATE_RK4_H

#include "dynamics/solver.h"

/* As rct_solver_step, of arguments that are checked, whatever events there are; `done` are the whole steps. */
rct_status rct_rk4_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                         rct_error *error);

/* Whether a step that fails so may have gone well with another length. */
int rct_is_of_motion(rct_status status);

/* step_check.c: as rct_solver_check_step. */
rct_status rct_check_step(rct_solver *solver, double dt, rct_step_report *report, rct_error *error);

/* step_blame.c: whether a step of dt (s) that has failed was too long for the motion; if so, the text of `error` says that and
 * which step to try before what failed. The state is that before the step, and stays. */
void rct_blame_step(rct_solver *solver, double dt, rct_error *error);

/* m, from a hinge to the next and to the centre of mass, summed over all bodies: no body is further from its root but by slides. */
double rct_length_of(const rct_plan *plan);

#endif
