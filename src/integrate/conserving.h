/* Steps that keep energy and momenta over long times. */
#ifndef RCT_INTEGRATE_CONSERVING_H
#define RCT_INTEGRATE_CONSERVING_H

#include "dynamics/solver.h"

/* As rct_rk4_steps. */
rct_status rct_conserving_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                                rct_error *error);

#endif
