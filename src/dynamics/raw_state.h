/* The state of a solver bit for bit: the numbers that its backend holds, in label order and link
 * axes, as the backend table passes them. Body order and inertial axes would round them. */
#ifndef RCT_DYNAMICS_RAW_STATE_H
#define RCT_DYNAMICS_RAW_STATE_H

#include "dynamics/solver.h"

/* How many numbers there are: the states of links; for every loop, whether it holds; for all
 * events, how often they have happened, and when last; the pace of an integrator with error
 * control. */
int64_t rct_raw_count(const rct_solver *solver);

void rct_raw_read(const rct_solver *solver, double *numbers);

/* The solver continues from `numbers` at `time`; a kept state (rct_solver_keep) is dropped. Where
 * other loops hold than before, it fails as closing loops does. */
rct_status rct_raw_write(rct_solver *solver, double time, const double *numbers, rct_error *error);

#endif
