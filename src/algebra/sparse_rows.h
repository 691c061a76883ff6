/* A sparse matrix of any shape and rank that is factored again and again with other numbers in the
 * same places:
 *
 *     P A Q = L [U1 U2; 0 0]      L [rows][rank] unit lower trapezoidal      U1 [rank][rank] upper triangular
 *
 * The orders P and Q are chosen for few numbers in the factors (Markowitz), among pivots that are
 * at least a part of the largest number left in their row and in their column, a tenth unless
 * `threshold` is changed. Then the rest, when no pivot is found, tells the rank. The orders are
 * kept as long as they serve. One thread, no BLAS, the same order on every machine for the same
 * numbers. */
#ifndef RCT_ALGEBRA_SPARSE_ROWS_H
#define RCT_ALGEBRA_SPARSE_ROWS_H

#include "algebra/sparse_system.h"
#include "core/pool.h"

#define RCT_SPARSE_THRESHOLD 0.1

/* Numbers by rows, in the order of elimination: those of row i from start[i] on, in the columns of
 * these places. */
typedef struct rct_sparse_factor {
    int64_t *start; /* [rows + 1] */
    int32_t *place; /* [start[rows]] */
    double *value;  /* likewise */
    int64_t room;   /* of both */
} rct_sparse_factor;

typedef struct rct_sparse_squares rct_sparse_squares; /* L* L (sparse_least.c) */

typedef struct rct_sparse_rows {
    rct_pool pool;
    int32_t rows, columns, rank;
    double threshold;    /* least pivot over the largest number of its row and of its column */
    int64_t most;        /* numbers in the factors; more are refused */
    int64_t *start;      /* [rows + 1] A: row i from start[i] on */
    int32_t *at;         /* [start[rows]] its columns, each once */
    int32_t *row;        /* [rows] the row in each place */
    int32_t *column;     /* [columns] the column in each place */
    int32_t *place;      /* [columns] of each column */
    double *pivot;       /* [rank] */
    int64_t *middle;     /* [rows] where U2 begins in a row of U */
    rct_sparse_factor L; /* without its ones */
    rct_sparse_factor U; /* without the pivots; rows behind the rank are the rest, which is small */
    double *work;        /* [columns] zero between uses */
    double *right, *left; /* [rows] each */

    rct_sparse_squares *squares; /* where rows depend on others, else NULL */
} rct_sparse_rows;

/* For a matrix with `numbers` numbers; the caller writes their places to start and at. NULL:
 * RCT_ERROR_MEMORY. */
rct_sparse_rows *rct_sparse_rows_create(int32_t rows, int32_t columns, int64_t numbers,
                                        int64_t most, const char *what, rct_error *error);
void rct_sparse_rows_free(rct_sparse_rows *s);
int64_t rct_sparse_rows_bytes(const rct_sparse_rows *s);

/* Choose the orders for numbers `value` [start[rows]], with no pivot of size `least` or less;
 * columns marked in `last` [columns] (NULL: none) are taken only when no others are left. Then
 * factor. RCT_ERROR_MEMORY; RCT_ERROR_SINGULAR: numbers beyond all bounds; RCT_ERROR_UNSUPPORTED,
 * without a text: the factors have more numbers than `most`. */
rct_status rct_sparse_rows_choose(rct_sparse_rows *s, const double *value, double least,
                                  const uint8_t *last, rct_error *error);

/* X = -U1^-1 U2, with columns `stride` apart. */
void rct_sparse_rows_null(const rct_sparse_rows *s, double *X, int64_t stride);

/* x [rank] for which A1 x is nearest to b [rows], where A1 are the first columns (rows in the
 * original order, columns by their places). */
void rct_sparse_rows_nearest(rct_sparse_rows *s, const double *b, double *x);

/* y [rows] of least length with A1* y = load [rank]. */
void rct_sparse_rows_shortest(rct_sparse_rows *s, const double *load, double *y);

/* The last row without a pivot, or -1. */
int32_t rct_sparse_rows_dependent(const rct_sparse_rows *s);

/* ---- its parts ---- */

/* The orders and the places of the factors (sparse_pivots.c). Fails as rct_sparse_rows_choose. */
rct_status rct_sparse_rows_order(rct_sparse_rows *s, const double *value, double least,
                                 const uint8_t *last, rct_error *error);

/* Room for `numbers` numbers; the present ones are lost. RCT_ERROR_MEMORY. */
rct_status rct_sparse_factor_widen(rct_sparse_factor *f, int64_t numbers, const char *what,
                                   rct_error *error);

/* Places of L* L, after an order, failing as rct_sparse_rows_choose; its factors, after those of A.
 * RCT_ERROR_SINGULAR: they are not finite. */
rct_status rct_sparse_least_order(rct_sparse_rows *s, rct_error *error);
rct_status rct_sparse_least_factor(rct_sparse_rows *s, rct_error *error);
void rct_sparse_least_free(rct_sparse_squares *squares); /* NULL does nothing */
int64_t rct_sparse_least_bytes(const rct_sparse_squares *squares);

/* x [rank] = (L* L)^-1 x */
void rct_sparse_least_solve(rct_sparse_squares *squares, double *x);

#endif
