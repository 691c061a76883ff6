/* LU factors in double of a sparse matrix in quad: dense with LAPACK or on an accelerator, or sparse. */
#ifndef RCT_REFERENCE_LAGRANGE_FACTOR_H
#define RCT_REFERENCE_LAGRANGE_FACTOR_H

#include "reference/lagrange/equations.h"

typedef struct rct_factor rct_factor;

/* Factor the matrix of `equations` rounded to double. RCT_ERROR_SINGULAR where a pivot vanishes to
 * rounding, RCT_ERROR_UNSUPPORTED where there is no accelerator or the matrix is too large to be dense on
 * one. NULL on failure; `*status` says which. */
rct_factor *rct_factor_create(const rct_equations *equations, rct_factorization factorization,
                              rct_status *status, rct_error *error);
void rct_factor_free(rct_factor *factor);

/* Solve in place: x [size] holds the right-hand side, then the solution. */
rct_status rct_factor_solve(rct_factor *factor, double *x, rct_error *error);

#endif
