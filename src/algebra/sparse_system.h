/* A sparse symmetric matrix that is factored again and again with other numbers in the same places,
 * ordered once. Positive definite: L D L*, in lanes where the band is narrow (banded.h), else by LDL,
 * whose last unknowns are a dense matrix if they are coupled densely (definite.h); neither allocates
 * anything after the first time. Otherwise: L U of KLU,
 * which pivots and allocates its factors each time. Both work on one thread and call no BLAS, so
 * they give the same bits on any processor and any number of processors. No factor depends on the
 * numbers of earlier ones. */
#ifndef RCT_ALGEBRA_SPARSE_SYSTEM_H
#define RCT_ALGEBRA_SPARSE_SYSTEM_H

#include <riccatree/status.h>

#include <stdint.h>

/* The places of the numbers: each number in the upper triangle stands for its image as well;
 * numbers in one place are summed. */
typedef struct rct_sparse_places {
    const char *what; /* for errors; it must outlive the system */
    int64_t size, count;
    const int64_t *row, *column; /* [count] row <= column */
    int definite;                /* positive definite */
    /* whether a definite matrix of a narrow band may be cut into pieces (banded.h): fast, but pivots
     * of unknowns between pieces are smaller than one after the other */
    int pieces;
    /* [size] if not definite: the order in which unknowns are eliminated, and the equation of each,
     * used while its pivot is not small; NULL: any. */
    const int64_t *order, *equation;
} rct_sparse_places;

typedef struct rct_sparse_system rct_sparse_system;

/* NULL: RCT_ERROR_MEMORY. */
rct_sparse_system *rct_sparse_system_create(const rct_sparse_places *places, rct_error *error);
void rct_sparse_system_free(rct_sparse_system *system);
int64_t rct_sparse_system_bytes(const rct_sparse_system *system);

/* RCT_ERROR_SINGULAR, with a text about a system for `what`. */
rct_status rct_sparse_singular(const char *what, rct_error *error);

/* Factor with values [count]. RCT_ERROR_MEMORY, RCT_ERROR_SINGULAR. */
rct_status rct_sparse_system_factor(rct_sparse_system *system, const double *values,
                                    rct_error *error);

/* x [size] = A^-1 x */
void rct_sparse_system_solve(rct_sparse_system *system, double *x);

/* The same, and solve once more for the residual of A x; for other matrices only. */
void rct_sparse_system_refine(rct_sparse_system *system, double *x);

/* D of all unknowns in L D L*, [size]; only for positive definite matrices. */
void rct_sparse_system_pivots(const rct_sparse_system *system, double *pivots);

/* For the pivots of U, with rows scaled to a largest entry of 1: the smallest over the largest; and
 * the decimal logarithm of the size of the determinant of A. Only for other matrices. */
double rct_sparse_system_least_pivot(const rct_sparse_system *system);
double rct_sparse_system_determinant(const rct_sparse_system *system);

#endif
