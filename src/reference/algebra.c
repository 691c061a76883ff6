/* Matrices that are kept until all are freed (algebra.h); solutions by LAPACK. */
#include "reference/algebra.h"

#include "core/error.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* The smallest reciprocal condition number of a matrix scaled to rows of about 1; below it a
 * solution is noise. */
static const double least_condition = 1e-15;

/* ---- loops, no library --------------------------------------------------------------------- */

static double entry(const rct_matrix *m, int transposed, int64_t i, int64_t j)
{
    return transposed ? m->x[j * m->columns + i] : m->x[i * m->columns + j];
}

void rct_matrix_product(const rct_matrix *a, int a_transposed, const rct_matrix *b,
                        int b_transposed, rct_matrix *c)
{
    const int64_t inner = a_transposed ? a->rows : a->columns;
    memset(c->x, 0, (size_t)(c->rows * c->columns) * sizeof *c->x);
    for (int64_t i = 0; i < c->rows; i++) {
        for (int64_t k = 0; k < inner; k++) {
            const double factor = entry(a, a_transposed, i, k);
            for (int64_t j = 0; j < c->columns && factor != 0.0; j++) {
                c->x[i * c->columns + j] += factor * entry(b, b_transposed, k, j);
            }
        }
    }
}

void rct_matrix_apply(const rct_matrix *m, int transposed, const double *x, double *y)
{
    for (int64_t i = 0; i < m->rows; i++) {
        for (int64_t j = 0; j < m->columns; j++) {
            y[transposed ? j : i] += m->x[i * m->columns + j] * x[transposed ? i : j];
        }
    }
}

/* ---- matrices that are kept ---------------------------------------------------------------- */

rct_matrix *rct_algebra_zeros(rct_algebra *a, int64_t rows, int64_t columns)
{
    if (a->status != RCT_OK) {
        return &a->nothing;
    }
    rct_matrix *m = rct_pool_take(&a->pool, 1, sizeof *m, a->error);
    double *x = rct_pool_take(&a->pool, rows * columns, sizeof *x, a->error);
    if (x == NULL) {
        a->status = RCT_ERROR_MEMORY;
        return &a->nothing;
    }
    *m = (rct_matrix){rows, columns, x};
    return m;
}

rct_matrix *rct_algebra_unit(rct_algebra *a, int64_t size)
{
    rct_matrix *unit = rct_algebra_zeros(a, size, size);
    for (int64_t i = 0; i < unit->rows; i++) {
        unit->x[i * size + i] = 1.0;
    }
    return unit;
}

rct_matrix *rct_algebra_transposed(rct_algebra *a, const rct_matrix *x)
{
    rct_matrix *t = rct_algebra_zeros(a, x->columns, x->rows);
    for (int64_t i = 0; i < t->rows; i++) {
        for (int64_t j = 0; j < t->columns; j++) {
            t->x[i * t->columns + j] = x->x[j * x->columns + i];
        }
    }
    return t;
}

static rct_matrix *multiply(rct_algebra *a, const rct_matrix *x, int transposed,
                            const rct_matrix *y)
{
    rct_matrix *p = rct_algebra_zeros(a, transposed ? x->columns : x->rows, y->columns);
    if (a->status == RCT_OK) {
        rct_matrix_product(x, transposed, y, 0, p);
    }
    return p;
}

rct_matrix *rct_algebra_product(rct_algebra *a, const rct_matrix *x, const rct_matrix *y)
{
    return multiply(a, x, 0, y);
}

rct_matrix *rct_algebra_inner(rct_algebra *a, const rct_matrix *x, const rct_matrix *y)
{
    return multiply(a, x, 1, y);
}

rct_matrix *rct_algebra_sum(rct_algebra *a, double s, const rct_matrix *x, double t,
                            const rct_matrix *y)
{
    rct_matrix *sum = rct_algebra_zeros(a, x->rows, x->columns);
    for (int64_t i = 0; i < sum->rows * sum->columns; i++) {
        sum->x[i] = s * x->x[i] + t * y->x[i];
    }
    return sum;
}

rct_matrix *rct_algebra_negative(rct_algebra *a, const rct_matrix *x)
{
    return rct_algebra_sum(a, -1.0, x, 0.0, x);
}

rct_matrix *rct_algebra_powers(rct_algebra *a, const rct_matrix *e)
{
    rct_matrix *x = rct_algebra_unit(a, e->rows);
    const int64_t n = x->rows;
    for (int64_t i = 0; i < n; i++) { /* rows from the top: x = I + e x */
        for (int64_t k = 0; k < i; k++) {
            const double factor = e->x[i * n + k];
            for (int64_t j = 0; j <= k && factor != 0.0; j++) {
                x->x[i * n + j] += factor * x->x[k * n + j];
            }
        }
    }
    return x;
}

/* Scale rows on both sides to a largest entry of about 1, by powers of two. */
static void scale_rows(rct_matrix *x, rct_matrix *y)
{
    for (int64_t i = 0; i < x->rows; i++) {
        double largest = 0.0;
        for (int64_t j = 0; j < x->columns; j++) {
            largest = fmax(largest, fabs(x->x[i * x->columns + j]));
        }
        const double scale = largest > 0.0 ? exp2(-nearbyint(log2(largest))) : 1.0;
        for (int64_t j = 0; j < x->columns; j++) {
            x->x[i * x->columns + j] *= scale;
        }
        for (int64_t j = 0; j < y->columns; j++) {
            y->x[i * y->columns + j] *= scale;
        }
    }
}

static void factor_and_solve(rct_algebra *a, rct_matrix *x, lapack_int *pivots, rct_matrix *y)
{
    const lapack_int n = (lapack_int)x->rows, columns = (lapack_int)y->columns;
    double condition = 0.0;
    const double size = LAPACKE_dlange(LAPACK_ROW_MAJOR, 'I', n, n, x->x, n);
    const lapack_int bad = LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, x->x, n, pivots);
    if (bad == 0) {
        LAPACKE_dgecon(LAPACK_ROW_MAJOR, 'I', n, x->x, n, size, &condition);
    }
    if (!(condition > least_condition)) {
        a->status = rct_fail(a->error, RCT_ERROR_SINGULAR,
                             "a matrix of the reference is singular; give every body inertia about "
                             "every axis, or use the lagrange reference");
        return;
    }
    LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', n, columns, x->x, n, pivots, y->x, columns);
}

rct_matrix *rct_algebra_solve(rct_algebra *a, const rct_matrix *x, const rct_matrix *y)
{
    rct_matrix *factors = rct_algebra_sum(a, 1.0, x, 0.0, x);
    rct_matrix *solution = rct_algebra_sum(a, 1.0, y, 0.0, y);
    if (a->status != RCT_OK || x->rows == 0 || y->columns == 0) {
        return solution;
    }
    lapack_int *pivots = rct_pool_take(&a->pool, x->rows, sizeof *pivots, a->error);
    if (pivots == NULL) {
        a->status = RCT_ERROR_MEMORY;
    } else {
        scale_rows(factors, solution);
        factor_and_solve(a, factors, pivots, solution);
    }
    return solution;
}

rct_matrix *rct_algebra_blocks(rct_algebra *a, int rows, int columns,
                               const rct_matrix *const *blocks)
{
    /* where each row and column of blocks begins; the last entry is the end */
    int64_t row[RCT_ALGEBRA_BLOCKS + 1] = {0}, column[RCT_ALGEBRA_BLOCKS + 1] = {0};
    for (int k = 0; k < rows * columns; k++) {
        if (blocks[k] != NULL) {
            row[k / columns + 1] = blocks[k]->rows;
            column[k % columns + 1] = blocks[k]->columns;
        }
    }
    for (int k = 0; k < RCT_ALGEBRA_BLOCKS; k++) {
        row[k + 1] += row[k];
        column[k + 1] += column[k];
    }
    rct_matrix *whole = rct_algebra_zeros(a, row[rows], column[columns]);
    for (int k = 0; k < rows * columns && a->status == RCT_OK; k++) {
        const rct_matrix *block = blocks[k];
        for (int64_t i = 0; block != NULL && i < block->rows; i++) {
            double *to = whole->x + (row[k / columns] + i) * whole->columns + column[k % columns];
            memcpy(to, block->x + i * block->columns, (size_t)block->columns * sizeof *to);
        }
    }
    return whole;
}

rct_matrix *rct_algebra_rows(rct_algebra *a, const rct_matrix *x, int64_t first, int64_t count)
{
    rct_matrix *part = rct_algebra_zeros(a, count, x->columns);
    if (a->status == RCT_OK) {
        memcpy(part->x, x->x + first * x->columns, (size_t)(count * x->columns) * sizeof *part->x);
    }
    return part;
}
