/* The state of a solver bit for bit: the numbers its backend holds, in label order and link axes, as they cross
 * the backend table. In body order and inertial axes they would be rounded. */
#ifndef RCT_DYNAMICS_RAW_STATE_H
#define RCT_DYNAMICS_RAW_STATE_H

#include "dynamics/solver.h"

/* How many there are: those of links, then of every loop whether it holds, then of all events how often they
 * have happened, and when last, then the pace of an integrator with error control. */
int64_t rct_raw_count(const rct_solver *solver);

void rct_raw_read(const rct_solver *solver, double *numbers);

/* The solver goes on from `numbers` at `time`; it keeps no state of before (rct_solver_keep). Fails as what closes
 * loops does, where others hold than before. */
rct_status rct_raw_write(rct_solver *solver, double time, const double *numbers, rct_error *error);

#endif
