/* Dense matrices by rows, for formulations that form their operators in full, as the papers
 * write them. A function of rct_algebra returns a new matrix, kept until all are freed at once.
 * After the first failure the functions do nothing and return an empty matrix, so a formulation
 * is written without checks on each line and asks for the status at its end. */
#ifndef RCT_REFERENCE_ALGEBRA_H
#define RCT_REFERENCE_ALGEBRA_H

#include "core/pool.h"

typedef struct rct_matrix {
    int64_t rows, columns;
    double *x;
} rct_matrix;

/* c = a b, each transposed if asked; zero factors are skipped. c has the room, and is neither a
 * nor b. */
void rct_matrix_product(const rct_matrix *a, int a_transposed, const rct_matrix *b,
                        int b_transposed, rct_matrix *c);

/* y += m v, or m* v */
void rct_matrix_apply(const rct_matrix *m, int transposed, const double *v, double *y);

typedef struct rct_algebra {
    rct_status status; /* of the first failure */
    rct_error *error;
    rct_matrix nothing; /* the result after a failure */
    rct_pool pool;      /* of the matrices, and of everything that is freed with them */
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

/* x^-1 y by LU with partial pivoting. RCT_ERROR_SINGULAR if x is singular to rounding. */
rct_matrix *rct_algebra_solve(rct_algebra *a, const rct_matrix *x, const rct_matrix *y);

/* A matrix of `rows` times `columns` blocks, at most RCT_ALGEBRA_BLOCKS of each, NULL for zeros.
 * Every row and column of blocks has one that is not NULL. */
enum { RCT_ALGEBRA_BLOCKS = 4 };
rct_matrix *rct_algebra_blocks(rct_algebra *a, int rows, int columns,
                               const rct_matrix *const *blocks);

/* Rows `first` to `first` + `count` - 1 of x. */
rct_matrix *rct_algebra_rows(rct_algebra *a, const rct_matrix *x, int64_t first, int64_t count);

#endif
