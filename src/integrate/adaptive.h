/* Steps whose length depends on their error. */
#ifndef RCT_INTEGRATE_ADAPTIVE_H
#define RCT_INTEGRATE_ADAPTIVE_H

#include "integrate/stages.h"

/* An integrator with error control. */
typedef struct rct_pair {
    int order; /* of the estimate: the error of a step goes with this power of its length */

    /* The fraction of the tolerance that the estimate may reach. Errors of steps add up. The number
     * was found by trial on motions that are not chaotic, over some seconds: their errors are 0.1
     * to 10 times the tolerance (t64_adaptive). */
    double share;

    /* Begin steps at the present state: slope 0 is its derivatives; sets `steepness`. `goes_on`: a
     * step ended there. */
    rct_status (*begin)(rct_steps *steps, int goes_on, rct_error *error);

    /* A step of h from there, and the size of its error. Fails as an evaluation. */
    rct_status (*attempt)(rct_steps *steps, double h, double *size, rct_error *error);
} rct_pair;

extern const rct_pair rct_dopri5, rct_ark4;

/* As rct_rk4_steps. */
rct_status rct_adaptive_steps(rct_solver *solver, const rct_pair *pair, double dt, int64_t steps,
                              int64_t *done, rct_error *error);

#endif
