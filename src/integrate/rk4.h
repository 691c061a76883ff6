/* Steps whose errors tell only what the sweeps see. */
#ifndef RCT_INTEGRATE_RK4_H
#define RCT_INTEGRATE_RK4_H

#include "dynamics/solver.h"

/* As rct_solver_step, with checked arguments, ignoring events; `done` counts the whole steps. */
rct_status rct_rk4_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                         rct_error *error);

/* Whether a step with this failure might have gone well with another length. */
int rct_is_of_motion(rct_status status);

/* step_check.c: as rct_solver_check_step. */
rct_status rct_check_step(rct_solver *solver, double dt, rct_step_report *report, rct_error *error);

/* step_blame.c: whether a step of dt (s) that failed was too long for the motion. If so, the text
 * of `error` says that and which step to try, before the failure. The state is that before the
 * step, and stays. */
void rct_blame_step(rct_solver *solver, double dt, rct_error *error);

/* The length of a system, m: the distance from each hinge to the next and to the centre of mass,
 * summed over all bodies, beyond which none is from its root except by sliding; or the largest
 * radius of gyration, where that is more; 1 where both are 0. */
double rct_length_of(const rct_plan *plan);

#endif
