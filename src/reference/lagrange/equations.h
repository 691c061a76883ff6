/* A sparse symmetric system of linear equations A x = b in quadruple precision, and its solution to
 * quadruple precision: scaled by powers of two, factored in double, refined in quad. */
#ifndef RCT_REFERENCE_LAGRANGE_EQUATIONS_H
#define RCT_REFERENCE_LAGRANGE_EQUATIONS_H

#include "algebra/sparse_system.h"
#include "backend/dense.h"
#include "core/pool.h"
#include "reference/quad.h"

typedef struct rct_equations {
    int64_t size;    /* equations and unknowns                                                  */
    int64_t count;   /* entries of A set so far                                                 */
    int64_t *row;    /* [count]                                                                 */
    int64_t *column; /* [count]                                                                 */
    quad *value;     /* [count]                                                                 */
    quad *right;     /* [size] b                                                                */
    double *scale;   /* [size] powers of two, the units of rows and unknowns; 0: to be found    */

    /* [size] each, work space */
    quad *sum;
    double *step;
} rct_equations;

/* `size` equations with b = 0 and no scale, with room for `capacity` entries, in the pool. */
rct_status rct_equations_create(rct_equations *equations, int64_t size, int64_t capacity,
                                rct_pool *pool, rct_error *error);

/* Add an entry of A. Zeros are left out; no entry is set twice. */
void rct_equations_add(rct_equations *equations, int64_t row, int64_t column, quad value);

/* How the matrix is factored: dense LAPACK, sparse, or dense on an accelerator. */
typedef enum rct_factorization {
    RCT_FACTORIZATION_AUTO = 0, /* dense if that is faster                                       */
    RCT_FACTORIZATION_DENSE = 1,
    RCT_FACTORIZATION_SPARSE = 2,
    RCT_FACTORIZATION_ACCELERATOR = 3,
} rct_factorization;

/* Solve for x [size]; A and b are scaled in place. `residual` is the largest correction of the
 * last refinement relative to the largest unknown, both scaled. RCT_ERROR_SINGULAR if it stays
 * above 1e-20. */
rct_status rct_equations_solve(rct_equations *equations, rct_factorization factorization, quad *x,
                               double *residual, rct_error *error);

/* ---- factors (factor.c): LU in double of a sparse matrix in quad, dense with LAPACK or on an accelerator, or sparse ---- */

typedef struct rct_factor {
    int64_t size;
    double *dense; /* [size][size] by columns, or NULL: sparse                                  */
    void *pivots;  /* [size] of LAPACK                                                          */
    const rct_dense_operations *accelerator; /* of `held`, which has the same factors; NULL: none */
    rct_dense *held;
    rct_sparse_system *sparse;
    rct_pool pool;
} rct_factor;

/* Factor the matrix of `equations` rounded to double. RCT_ERROR_SINGULAR if a pivot vanishes to
 * rounding, RCT_ERROR_UNSUPPORTED if there is no accelerator or the matrix is too large to be
 * dense on one. Free the factor in any case. */
rct_status rct_factor_make(rct_factor *factor, const rct_equations *equations,
                           rct_factorization factorization, rct_error *error);
void rct_factor_free(rct_factor *factor);

/* Solve in place: x [size] holds the right-hand side, then the solution. */
rct_status rct_factor_solve(rct_factor *factor, double *x, rct_error *error);

#endif
