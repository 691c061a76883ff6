/* A sparse symmetric system of linear equations A x = b in quadruple precision, and its solution to
 * quadruple precision: scaled by powers of two, factored in double, refined in quad. */
#ifndef RCT_REFERENCE_LAGRANGE_EQUATIONS_H
#define RCT_REFERENCE_LAGRANGE_EQUATIONS_H

#include "core/pool.h"
#include "reference/quad.h"

#include <riccatree/status.h>

#include <stdint.h>

typedef struct rct_equations {
    int64_t size;    /* equations and unknowns                                                  */
    int64_t count;   /* entries of A set so far                                                 */
    int64_t *row;    /* [count]                                                                 */
    int64_t *column; /* [count]                                                                 */
    quad *value;     /* [count]                                                                 */
    quad *right;     /* [size] b                                                                */

    /* [size] each, to work with */
    quad *sum;
    double *step, *scale;
} rct_equations;

/* `size` equations, b = 0, with room for `capacity` entries, in the pool. */
rct_status rct_equations_create(rct_equations *equations, int64_t size, int64_t capacity,
                                rct_pool *pool, rct_error *error);

/* Add an entry of A; zeros are left out, no place is set twice. */
void rct_equations_add(rct_equations *equations, int64_t row, int64_t column, quad value);

/* How the matrix is factored: dense LAPACK, sparse, or dense on an accelerator. */
typedef enum rct_factorization {
    RCT_FACTORIZATION_AUTO = 0, /* dense where that is the quicker                               */
    RCT_FACTORIZATION_DENSE = 1,
    RCT_FACTORIZATION_SPARSE = 2,
    RCT_FACTORIZATION_ACCELERATOR = 3,
} rct_factorization;

/* Solve for x [size]; A and b are scaled in place. `residual` is the largest correction of the last
 * refinement relative to the largest unknown, both scaled. RCT_ERROR_SINGULAR if that stays above
 * 1e-20. */
rct_status rct_equations_solve(rct_equations *equations, rct_factorization factorization, quad *x,
                               double *residual, rct_error *error);

#endif
