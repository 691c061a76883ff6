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

    /* Steps start from the present state; its derivatives are slope 0, and `steepness`. `goes_on`: a step ended there. */
    rct_status (*begin)(rct_steps *steps, int goes_on, rct_error *error);

    /* A step of h from there, and the size of its error. Fails as an evaluation. */
    rct_status (*attempt)(rct_steps *steps, double h, double *size, rct_error *error);
} rct_pair;

extern const rct_pair rct_dopri5, rct_ark4;

/* As rct_rk4_steps. */
rct_status rct_adaptive_steps(rct_solver *solver, const rct_pair *pair, double dt, int64_t steps,
                              int64_t *done, rct_error *error);

#endif
