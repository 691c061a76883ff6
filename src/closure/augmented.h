/* The equations of the open tree and of its loops side by side, in absolute motions of bodies (seed
 * 003, eq. 61; seed 004, eq. 73); they are sparse for any loops. For every body V is a change of
 * its spatial velocity, F is the force that its hinge exerts, x are the changes of the rates of its
 * hinge; mu are the multipliers of the loops. With phi and A of operators/tree.c and the wrenches W
 * and factors T of closures.h
 *
 *     M V + F - sum of phi A* F of its children + W* mu = 0
 *     -H F + T* mu = force
 *     V - A phi* V of the parent - H* x = 0
 *     W V + T x - eps mu = z
 *
 * is a symmetric matrix with 12 unknowns per body, one per rate and one per row. Eliminating all
 * but mu leaves (J M^-1 J* + eps) mu = -z without a force. The term in eps keeps the matrix regular
 * where rows depend on one another. */
#ifndef RCT_CLOSURE_AUGMENTED_H
#define RCT_CLOSURE_AUGMENTED_H

#include "closure/method.h"

typedef struct rct_augmented {
    const rct_closure_problem *problem;
    int64_t n, rates, rows, size;
    double unit;
    int64_t count;         /* entries in the list: the upper triangle */
    int64_t *row, *column; /* [count] of the list; only for laying out */
    double *list;          /* [count] numbers of the list */
    double *solution;      /* [size] */
    rct_sparse_system *system;
} rct_augmented;

/* Lay the matrix out and analyse it, for all states with rows->version, with arrays of the pool.
 * The problem must stay at its address. Returns the system, which the caller frees; NULL:
 * RCT_ERROR_MEMORY. */
rct_sparse_system *rct_augmented_lay_out(rct_augmented *system, const rct_closure_problem *problem,
                                         rct_pool *pool, rct_error *error);

/* Factor it in a state, with the mass unit 1 / unit, so that J M^-1 J* / unit is about 1, as the
 * other entries are; eps is relative to unit too. RCT_ERROR_MEMORY; RCT_ERROR_SINGULAR where a
 * hinge of the tree has a motion that nothing resists. */
rct_status rct_augmented_factor(rct_augmented *system, double unit, double eps, rct_error *error);

/* M change + J* y = force, J change - eps unit y = -x: force and change [rates], NULL: no force,
 * change not wanted; x and y [rows], which may be the same. Without a force y = (J M^-1 J* + eps
 * unit)^-1 x. Allocates nothing. */
void rct_augmented_solve(rct_augmented *system, const double *force, const double *x,
                         double *change, double *y);

#endif
