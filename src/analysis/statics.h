/* A solver as a system at rest: where it is now, the gradient of its potential energy along its rates, and its tangent stiffness
 * (operators/stiffness.h). What equilibrium and modes have in common. */
#ifndef RCT_ANALYSIS_STATICS_H
#define RCT_ANALYSIS_STATICS_H

#include "core/pool.h"
#include "dynamics/solver.h"
#include "operators/stiffness.h"

typedef struct rct_statics {
    rct_solver *solver;
    const rct_operator_tree *tree;
    rct_operator *sweeps; /* not factored: their room is that of K's factors */
    rct_stiffness *stiffness;
    int64_t rates;
    double length; /* m, of the system                                            */

    /* of the state looked at last */
    double energy;    /* J, potential, what forces and efforts of constant size give included */
    double *gradient; /* [rates]                                                     */
    double *carried; /* [rates] what hinges carry, N or N m: the size that a gradient is small by */

    rct_operation *operation;
    rct_pool pool;
    double *effort, *slope; /* [rates] of hinges                                     */
    double *coordinates;
    double
        *reach; /* [n][2] N, what a body and all that hangs on it are pulled by; m, of its arms */
} rct_statics;

/* Of a solver whose forces all have a potential and whose ground rests, `what` needs that: RCT_ERROR_UNSUPPORTED names what
 * has none. RCT_ERROR_MEMORY. End what was begun, failed or not. */
rct_status rct_statics_begin(rct_statics *s, rct_solver *solver, const char *what,
                             rct_error *error);
void rct_statics_end(rct_statics *s);

/* The present state, its rates not read. */
rct_status rct_statics_look(rct_statics *s, rct_error *error);

/* The largest part that a gradient is of what its hinge carries, 0 at rest; its body to `body`, unless NULL. */
double rct_statics_residual(const rct_statics *s, int32_t *body);

/* Whether that is rest, within what rounding of a model file and of long chains makes of one. */
int rct_statics_rests(double residual);

/* 1/s^2: eigenvalues of (K, M) below it are not told from 0. */
double rct_statics_least(const rct_statics *s);

/* bends.c: what the spring at the ball hinge of a body does. */
void rct_statics_bend(rct_statics *statics, int32_t body);

#endif
