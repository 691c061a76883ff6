/* A sparse symmetric matrix that is factored again and again with other numbers in the same places. Positive definite:
 * L D L* of CHOLMOD, ordered once; factoring again allocates nothing, and calls no BLAS, so that the bits do not depend
 * on its threads. Otherwise: L U of UMFPACK, which does both. */
#ifndef RCT_CLOSURE_SPARSE_SYSTEM_H
#define RCT_CLOSURE_SPARSE_SYSTEM_H

#include <riccatree/status.h>

/* Where the numbers are: each in the upper triangle stands for its image as well; numbers in one place are summed. */
typedef struct rct_sparse_places {
    int64_t size, count;
    const int64_t *row, *column; /* [count] row <= column */
    /* [size] The equation that stands in row i, an involution without zeros on its diagonal; NULL: the matrix is
     * positive definite. */
    const int64_t *partner;
} rct_sparse_places;

typedef struct rct_sparse_system rct_sparse_system;

/* NULL: RCT_ERROR_MEMORY. */
rct_sparse_system *rct_sparse_system_create(const rct_sparse_places *places, rct_error *error);
void rct_sparse_system_free(rct_sparse_system *system);
int64_t rct_sparse_system_bytes(const rct_sparse_system *system);

/* With values [count]. RCT_ERROR_MEMORY, RCT_ERROR_SINGULAR. */
rct_status rct_sparse_system_factor(rct_sparse_system *system, const double *values,
                                    rct_error *error);

/* x [size] = A^-1 x */
void rct_sparse_system_solve(rct_sparse_system *system, double *x);

/* D of an unknown in L D L*; positive definite ones only. */
double rct_sparse_system_pivot(const rct_sparse_system *system, int64_t unknown);

/* How many pivots of U are no larger than `least`, rows scaled to a sum of 1; others only. */
int64_t rct_sparse_system_small_pivots(const rct_sparse_system *system, double least);

#endif
