/* Dense matrices by rows, for formulations that form their operators in full, as the papers write them. What an
 * rct_algebra does gives a new matrix, kept until all are freed at once; after the first failure nothing is done and every
 * result is empty, so that a formulation is written down without a check a line and asks for the status at its end. */
#ifndef RCT_REFERENCE_ALGEBRA_H
#define RCT_REFERENCE_ALGEBRA_H

#include "core/pool.h"

typedef struct rct_matrix {
    int64_t rows, columns;
    double *x;
} rct_matrix;

/* Zero factors are passed over: c = a b, each transposed if asked; c has the room, and is none of them. */
void rct_matrix_product(const rct_matrix *a, int a_transposed, const rct_matrix *b,
                        int b_transposed, rct_matrix *c);

/* y += m v, or m* v */
void rct_matrix_apply(const rct_matrix *m, int transposed, const double *v, double *y);

typedef struct rct_algebra {
    rct_status status; /* of the first failure */
    rct_error *error;
    rct_matrix nothing; /* the result after a failure */
    rct_pool pool;      /* of the matrices, and what else is to end with them */
} rct_algebra;

rct_matrix *rct_algebra_zeros(rct_algebra *a, int64_t rows, int64_t columns);
rct_matrix *rct_algebra_unit(rct_algebra *a, int64_t size);
rct_matrix *rct_algebra_transposed(rct_algebra *a, const rct_matrix *x);
rct_matrix *rct_algebra_product(rct_algebra *a, const rct_matrix *x, const rct_matrix *y);

/* x^T y */
rct_matrix *rct_algebra_inner(rct_algebra *a, const rct_matrix *x, const rct_matrix *y);

/* s x + t y */
rct_matrix *rct_algebra_sum(rct_algebra *a, double s, const rct_matrix *x, double t,
                            const rct_matrix *y);

/* -x */
rct_matrix *rct_algebra_negative(rct_algebra *a, const rct_matrix *x);

/* (1 - e)^-1 = 1 + e + e^2 + ..., e strictly lower triangular. */
rct_matrix *rct_algebra_powers(rct_algebra *a, const rct_matrix *e);

/* x^-1 y by LU with partial pivoting. RCT_ERROR_SINGULAR if x is to rounding. */
rct_matrix *rct_algebra_solve(rct_algebra *a, const rct_matrix *x, const rct_matrix *y);

/* A matrix of `rows` times `columns` blocks, up to so many, NULL for zeros; in every row and column of blocks is one
 * that is not NULL. */
enum { RCT_ALGEBRA_BLOCKS = 4 };
rct_matrix *rct_algebra_blocks(rct_algebra *a, int rows, int columns,
                               const rct_matrix *const *blocks);

/* Rows `first` to `first` + `count` - 1 of x. */
rct_matrix *rct_algebra_rows(rct_algebra *a, const rct_matrix *x, int64_t first, int64_t count);

#endif
