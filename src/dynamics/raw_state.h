/* The state of a solver bit for bit: the numbers its backend holds, in label order and link axes, as they cross
 * the backend table. In body order and inertial axes they would be rounded. */
#ifndef RCT_DYNAMICS_RAW_STATE_H
#define RCT_DYNAMICS_RAW_STATE_H

#include "dynamics/solver.h"

/* How many there are. What a loop remembers from step to step is state as well and follows these. */
int64_t rct_raw_count(const rct_solver *solver);

void rct_raw_read(const rct_solver *solver, double *numbers);

/* The solver goes on from `numbers` at `time`; it keeps no state of before (rct_solver_keep). */
void rct_raw_write(rct_solver *solver, double time, const double *numbers);

#endif
