/* The equations of the open tree and of its loops side by side, in absolute motions of bodies (seed 003, eq. 61; seed
 * 004, eq. 73), sparse whatever the loops are. Of every body V is a change of its spatial velocity and F what its hinge
 * exerts, x are the changes of the rates of its hinge, and mu the multipliers of the loops; with phi and A of
 * operators/tree.c and the wrenches W and factors T of closures.h
 *
 *     M V + F - sum of phi A* F of what hangs on it + W* mu = 0
 *     -H F + T* mu = force
 *     V - A phi* V of the parent - H* x = 0
 *     W V + T x - eps mu = z
 *
 * a symmetric matrix of 12 unknowns a body, one a rate and one a row. Eliminating all but mu leaves (J M^-1 J* + eps)
 * mu = -z without a force. The term in eps keeps it regular where rows depend on one another.
 */
#ifndef RCT_CLOSURE_AUGMENTED_H
#define RCT_CLOSURE_AUGMENTED_H

#include "closure/method.h"

typedef struct rct_augmented {
    const rct_closure_problem *problem;
    int64_t n, rates, rows, size;
    double unit;
    int64_t count;         /* entries in the list: the upper triangle                            */
    int64_t *row, *column; /* [count] of the list; laying out only                               */
    double *list;          /* [count] numbers of the list                                        */
    double *solution;      /* [size]                                                             */
    rct_sparse_system *system;
} rct_augmented;

/* Lay the matrix out and analyse it, for all states with rows->version, with arrays of the pool. The problem stays where it
 * is. Gives the system, to be
 * freed; NULL: RCT_ERROR_MEMORY. */
rct_sparse_system *rct_augmented_lay_out(rct_augmented *system, const rct_closure_problem *problem,
                                         rct_pool *pool, rct_error *error);

/* Factor it in a state, with a mass of 1 / unit for 1 so that J M^-1 J* / unit is about 1, as the other entries are; eps
 * is relative to unit too. RCT_ERROR_MEMORY; RCT_ERROR_SINGULAR where a hinge of the tree has a motion that nothing
 * resists. */
rct_status rct_augmented_factor(rct_augmented *system, double unit, double eps, rct_error *error);

/* M change + J* y = force, J change - eps unit y = -x: force and change [rates], NULL: none, not wanted; x and y [rows], which
 * may be the same. Without a force y = (J M^-1 J* + eps unit)^-1 x. Takes no memory. */
void rct_augmented_solve(rct_augmented *system, const double *force, const double *x,
                         double *change, double *y);

#endif
