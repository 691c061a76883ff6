/* Steps whose length the error decides. */
#ifndef RCT_INTEGRATE_ADAPTIVE_H
#define RCT_INTEGRATE_ADAPTIVE_H

#include "integrate/stages.h"

/* An integrator with error control. */
typedef struct rct_pair {
    int order; /* of what is estimated: the error of a step goes with that power of its length */

    /* Of the tolerance, what the estimate may be. Errors of steps add up: by trial on motions that are not chaotic, of some
     * seconds, so that these are off by 0.1 to 10 times the tolerance (t64_adaptive). */
    double share;

    /* From `start`, whose derivatives are slope[0], by h: the state it ends in to `next`, where the run is then, its
     * error to `other`. Fails as an evaluation. */
    rct_status (*attempt)(rct_steps *steps, double h, rct_error *error);

    /* The last slope is that of `next`, unless anything moves the state. */
    int goes_on;
} rct_pair;

extern const rct_pair rct_dopri5, rct_ark4;

/* As rct_rk4_steps. */
rct_status rct_adaptive_steps(rct_solver *solver, const rct_pair *pair, double dt, int64_t steps,
                              int64_t *done, rct_error *error);

#endif
