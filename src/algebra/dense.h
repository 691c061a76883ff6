/* Dense matrices: products, triangular systems, and factorizations in a fixed order, on one thread,
 * without allocation. Strict builds give the same bits on every machine, other builds on any number
 * of processors. */
#ifndef RCT_ALGEBRA_DENSE_H
#define RCT_ALGEBRA_DENSE_H

#include <stdint.h>

/* Element (i, j) is x[i down + j across]. */
typedef struct rct_dense_view {
    double *x;
    int64_t rows, columns, down, across;
} rct_dense_view;

/* Columns are `stride` apart. */
rct_dense_view rct_dense_columns(const double *x, int64_t rows, int64_t columns, int64_t stride);
rct_dense_view rct_dense_turned(rct_dense_view a);
/* Rows from i on, columns from j on. */
rct_dense_view rct_dense_part(rct_dense_view a, int64_t i, int64_t j, int64_t rows,
                              int64_t columns);

double rct_dense_length(int64_t count, const double *x, int64_t step);

double rct_dense_dot(int64_t count, const double *a, int64_t a_step, const double *b,
                     int64_t b_step);

/* C += s A B; A and B may not overlap C. */
void rct_dense_add_product(rct_dense_view C, double s, rct_dense_view A, rct_dense_view B);

/* X = L^-1 X with the lower triangle, X = U^-1 X with the upper one. */
void rct_dense_forward(rct_dense_view L, rct_dense_view X);
void rct_dense_backward(rct_dense_view U, rct_dense_view X);

/* A = L L* in its lower triangle. Returns 0 if a pivot is not positive. */
int rct_dense_cholesky(rct_dense_view A);

/* The number of pivots above `least`, largest first, from the lower triangle of A, which is
 * overwritten; order [rows]: the row in each place. */
int32_t rct_dense_cholesky_rank(rct_dense_view A, double least, int32_t *order);

/* A = Q R by columns; or A P = Q R where `order` is not NULL, with pivots of falling size and the
 * column of A in each place. R is left in the upper triangle; the part below it, with tau [the
 * fewer of rows and columns], has the reflections of Q. `work` [rct_dense_qr_work]. */
int64_t rct_dense_qr_work(int64_t rows, int64_t columns);
void rct_dense_qr(rct_dense_view A, double *tau, int32_t *order, double *work);

/* x [rows] = Q x, or Q* x, with the first `count` reflections. */
void rct_dense_apply_q(rct_dense_view QR, const double *tau, int64_t count, int turned, double *x);

/* The estimated ratio of the smallest singular value of the upper triangle to the largest; work [2
 * rows]. */
double rct_dense_condition(rct_dense_view U, double *work);

/* A W = V S by rotations: A becomes V S, W [columns][columns] is written, S in falling order goes
 * to values [columns]. By columns. */
void rct_dense_singular_values(rct_dense_view A, double *values, rct_dense_view W);

#endif
