/* Loops in derivatives of accelerations (loop_slopes.c). With rows J of the constraints, gap =
 * phi'' + 2 alpha phi' + beta^2 phi = J a + ..., and their multipliers lambda,
 *
 *     M da = M da' + J* dlambda,      J da + d(gap at constant accelerations of hinges) = 0
 *
 * where da' is the derivative of the open tree under wrenches J* lambda that move with their bodies
 * (operators/tangent.h). */
#ifndef RCT_ANALYSIS_LOOP_SLOPES_H
#define RCT_ANALYSIS_LOOP_SLOPES_H

#include "core/pool.h"
#include "dynamics/closed/closed.h"
#include "dynamics/solver.h"
#include "operators/tangent.h"

typedef struct rct_loop_slopes {
    const rct_closure_method *method;
    const rct_closure_rows *rows; /* NULL: no loop holds */
    void *work;
    rct_operator *op;
    const rct_operator_tree *tree;
    double of_speed, of_place;   /* 2 alpha, beta^2 */
    double *gap, *more, *lambda; /* [rows] */
    double *change, *effort;     /* [rates] */
    double *force, *moment;      /* [n][3] */
} rct_loop_slopes;

/* Add the loops that hold, as ties and forms, to the laws: in the state evaluated last, with the
 * operators `op` of `tree` there, which must be factored. `l` is all zero before; end it whether
 * this succeeds or not. RCT_ERROR_MEMORY, or as the method of closing fails. */
rct_status rct_loop_slopes_begin(rct_loop_slopes *l, rct_solver *solver,
                                 const rct_operator_tree *tree, rct_operator *op, rct_pool *pool,
                                 rct_operator_laws *laws, rct_error *error);
void rct_loop_slopes_end(rct_loop_slopes *l);

/* As rct_tangent_times and rct_tangent_transposed, with loops. Fails as the method of closing. */
rct_status rct_loop_slopes_times(rct_loop_slopes *l, rct_tangent *t, const double *dq,
                                 const double *du, const double *dtau, double *da,
                                 rct_error *error);
rct_status rct_loop_slopes_transposed(rct_loop_slopes *l, rct_tangent *t, const double *x,
                                      double *gq, double *gu, double *gtau, rct_error *error);

#endif
