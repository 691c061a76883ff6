/* Factorizations (dense.h): Cholesky, Householder's QR, one-sided rotations of Jacobi. */
#include "algebra/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 32, DIRECT = 16, WIDE = 48, MOST_SWEEPS = 40 };

static double *at(rct_dense_view a, int64_t i, int64_t j)
{
    return a.x + i * a.down + j * a.across;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- Cholesky ----------------------------------------------------------------------------- */

static int cholesky_directly(rct_dense_view A)
{
    for (int64_t j = 0; j < A.rows; j++) {
        for (int64_t i = j; i < A.rows; i++) {
            double sum = *at(A, i, j);
            for (int64_t k = 0; k < j; k++) {
                sum -= *at(A, i, k) * *at(A, j, k);
            }
            *at(A, i, j) = i > j ? sum / *at(A, j, j) : sqrt(sum);
        }
        if (!(*at(A, j, j) > 0.0)) {
            return 0;
        }
    }
    return 1;
}

int rct_dense_cholesky(rct_dense_view A)
{
    const int64_t n = A.rows, half = n / 2, rest = n - half;
    if (n <= DIRECT) {
        return cholesky_directly(A);
    }
    const rct_dense_view first = rct_dense_part(A, 0, 0, half, half);
    const rct_dense_view below = rct_dense_part(A, half, 0, rest, half);
    const rct_dense_view second = rct_dense_part(A, half, half, rest, rest);
    if (!rct_dense_cholesky(first)) {
        return 0;
    }
    rct_dense_forward(first, rct_dense_turned(below));
    for (int64_t j = 0; j < rest; j += WIDE) { /* little above the diagonal */
        const int64_t wide = lesser(WIDE, rest - j);
        rct_dense_add_product(rct_dense_part(second, j, j, rest - j, wide), -1.0,
                              rct_dense_part(below, j, 0, rest - j, half),
                              rct_dense_turned(rct_dense_part(below, j, 0, wide, half)));
    }
    return rct_dense_cholesky(second);
}

static void exchange(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* Exchange rows and columns k and p > k of the rest, in the lower triangle. */
static void exchange_both(rct_dense_view A, int64_t k, int64_t p, int32_t *order)
{
    const int32_t kept = order[k];
    order[k] = order[p];
    order[p] = kept;
    exchange(at(A, k, k), at(A, p, p));
    for (int64_t i = k + 1; i < A.rows; i++) {
        if (i != p) {
            exchange(at(A, i, k), i < p ? at(A, p, i) : at(A, i, p));
        }
    }
}

int32_t rct_dense_cholesky_rank(rct_dense_view A, double least, int32_t *order)
{
    for (int32_t i = 0; i < A.rows; i++) {
        order[i] = i;
    }
    for (int32_t k = 0; k < A.rows; k++) {
        int64_t p = k;
        for (int64_t i = k + 1; i < A.rows; i++) {
            p = *at(A, i, i) > *at(A, p, p) ? i : p;
        }
        if (p > k) {
            exchange_both(A, k, p, order);
        }
        const double pivot = *at(A, k, k);
        if (!(pivot > least)) {
            return k;
        }
        for (int64_t j = k + 1; j < A.rows; j++) {
            const double factor = *at(A, j, k) / pivot;
            for (int64_t i = j; i < A.rows && factor != 0.0; i++) {
                *at(A, i, j) -= factor * *at(A, i, k);
            }
        }
    }
    return (int32_t)A.rows;
}

/* ---- QR ----------------------------------------------------------------------------------- */

int64_t rct_dense_qr_work(int64_t rows, int64_t columns)
{
    return BLOCK * (rows + columns + BLOCK) + 2 * columns;
}

/* H x = (beta, 0) for x [count], H = 1 - tau v v*, v = (1, ...): x becomes beta, and v without its
 * 1. Returns tau. */
static double reflect(int64_t count, double *x)
{
    const double rest = rct_dense_length(count - 1, x + 1, 1);
    if (rest == 0.0) {
        return 0.0;
    }
    const double beta = -copysign(hypot(x[0], rest), x[0]), tau = (beta - x[0]) / beta;
    const double scale = 1.0 / (x[0] - beta);
    for (int64_t i = 1; i < count; i++) {
        x[i] *= scale;
    }
    x[0] = beta;
    return tau;
}

/* y = H y */
static void apply(int64_t count, const double *v, double tau, double *y)
{
    const double along = tau * (y[0] + rct_dense_dot(count - 1, v + 1, 1, y + 1, 1));
    y[0] -= along;
    for (int64_t i = 1; i < count; i++) {
        y[i] -= along * v[i];
    }
}

static void factor_panel(rct_dense_view A, double *tau)
{
    for (int64_t k = 0; k < lesser(A.rows, A.columns); k++) {
        tau[k] = reflect(A.rows - k, at(A, k, k));
        for (int64_t j = k + 1; j < A.columns && tau[k] != 0.0; j++) {
            apply(A.rows - k, at(A, k, k), tau[k], at(A, k, j));
        }
    }
}

/* C = (1 - V T* V*) C for the reflections of a panel (Schreiber and Van Loan, 1989). */
static void apply_panel(rct_dense_view panel, const double *tau, rct_dense_view C, double *work)
{
    const int64_t n = panel.columns, rows = panel.rows;
    const rct_dense_view V = rct_dense_columns(work, rows, n, rows);
    const rct_dense_view T = rct_dense_columns(work + rows * n, n, n, n);
    const rct_dense_view W = rct_dense_columns(work + (rows + n) * n, n, C.columns, n);
    memset(work, 0, (size_t)((rows + n + C.columns) * n) * sizeof *work);
    for (int64_t j = 0; j < n; j++) { /* T by columns: -tau T V* v, tau */
        memcpy(at(V, j, j), at(panel, j, j), (size_t)(rows - j) * sizeof *work);
        *at(V, j, j) = 1.0;
        for (int64_t k = 0; k < j; k++) {
            const double along = -tau[j] * rct_dense_dot(rows - j, at(V, j, k), 1, at(V, j, j), 1);
            for (int64_t i = 0; i <= k; i++) {
                *at(T, i, j) += *at(T, i, k) * along;
            }
        }
        *at(T, j, j) = tau[j];
    }
    rct_dense_add_product(W, 1.0, rct_dense_turned(V), C);
    for (int64_t j = 0; j < C.columns; j++) { /* W = T* W, from below */
        for (int64_t i = n - 1; i >= 0; i--) {
            *at(W, i, j) = rct_dense_dot(i + 1, at(T, 0, i), 1, at(W, 0, j), 1);
        }
    }
    rct_dense_add_product(C, -1.0, V, W);
}

static void factor_in_order(rct_dense_view A, double *tau, double *work)
{
    const int64_t least = lesser(A.rows, A.columns);
    for (int64_t k = 0; k < least; k += BLOCK) {
        const int64_t n = lesser(BLOCK, least - k), after = A.columns - k - n;
        const rct_dense_view panel = rct_dense_part(A, k, k, A.rows - k, n);
        factor_panel(panel, tau + k);
        if (after > 0) {
            apply_panel(panel, tau + k, rct_dense_part(A, k, k + n, A.rows - k, after), work);
        }
    }
}

/* left [columns]: the length of the rest of each column; sure [columns]: the length when last
 * computed. */
static void take_longest(rct_dense_view A, int64_t k, int32_t *order, double *left, double *sure)
{
    int64_t p = k;
    for (int64_t j = k + 1; j < A.columns; j++) {
        p = left[j] > left[p] ? j : p;
    }
    if (p != k) {
        const int32_t kept = order[k];
        order[k] = order[p];
        order[p] = kept;
        for (int64_t i = 0; i < A.rows; i++) {
            exchange(at(A, i, k), at(A, i, p));
        }
        left[p] = left[k];
        sure[p] = sure[k];
    }
}

static void factor_by_length(rct_dense_view A, double *tau, int32_t *order, double *left)
{
    double *sure = left + A.columns;
    for (int64_t j = 0; j < A.columns; j++) {
        left[j] = sure[j] = rct_dense_length(A.rows, at(A, 0, j), 1);
        order[j] = (int32_t)j;
    }
    for (int64_t k = 0; k < lesser(A.rows, A.columns); k++) {
        take_longest(A, k, order, left, sure);
        tau[k] = reflect(A.rows - k, at(A, k, k));
        for (int64_t j = k + 1; j < A.columns; j++) {
            apply(A.rows - k, at(A, k, k), tau[k], at(A, k, j));
            const double off = left[j] > 0.0 ? *at(A, k, j) / left[j] : 0.0;
            left[j] *= sqrt(fmax(0.0, 1.0 - off * off));
            if (left[j] <= sqrt(DBL_EPSILON) * sure[j]) { /* rounding is visible in it */
                left[j] = sure[j] = rct_dense_length(A.rows - k - 1, at(A, k, j) + 1, 1);
            }
        }
    }
}

void rct_dense_qr(rct_dense_view A, double *tau, int32_t *order, double *work)
{
    if (order != NULL) {
        factor_by_length(A, tau, order, work);
    } else {
        factor_in_order(A, tau, work);
    }
}

void rct_dense_apply_q(rct_dense_view QR, const double *tau, int64_t count, int turned, double *x)
{
    for (int64_t k = 0; k < count; k++) {
        const int64_t i = turned ? k : count - 1 - k;
        apply(QR.rows - i, at(QR, i, i), tau[i], x + i);
    }
}

double rct_dense_condition(rct_dense_view U, double *work)
{
    double *y = work, *z = work + U.rows, size = 0.0, given = 0.0, found = 0.0;
    for (int64_t i = 0; i < U.rows; i++) { /* U* y = signs that make y grow */
        const double sum = rct_dense_dot(i, at(U, 0, i), U.down, y, 1);
        double column = 0.0;
        y[i] = z[i] = (-copysign(1.0, sum) - sum) / *at(U, i, i);
        for (int64_t k = 0; k <= i; k++) {
            column += fabs(*at(U, k, i));
        }
        size = fmax(size, column);
    }
    rct_dense_backward(U, rct_dense_columns(z, U.rows, 1, U.rows));
    for (int64_t i = 0; i < U.rows; i++) {
        given += fabs(y[i]);
        found += fabs(z[i]);
    }
    return found > 0.0 ? given / (found * size) : 1.0;
}

/* ---- singular values ----------------------------------------------------------------------- */

static void rotate(int64_t count, double c, double s, double *a, double *b)
{
    for (int64_t i = 0; i < count; i++) {
        const double kept = a[i];
        a[i] = c * kept + s * b[i];
        b[i] = c * b[i] - s * kept;
    }
}

/* Make columns p and q orthogonal, the longer first; returns 0 if they were. */
static int meet(rct_dense_view A, rct_dense_view W, int64_t p, int64_t q)
{
    double *a = at(A, 0, p), *b = at(A, 0, q);
    const double aa = rct_dense_dot(A.rows, a, 1, a, 1), bb = rct_dense_dot(A.rows, b, 1, b, 1);
    const double ab = rct_dense_dot(A.rows, a, 1, b, 1);
    const int across = !(fabs(ab) > DBL_EPSILON * sqrt((double)A.rows) * sqrt(aa) * sqrt(bb));
    if (across && aa >= bb) {
        return 0;
    }
    double c = 0.0, s = 1.0; /* exchange */
    if (!across) {
        const double zeta = (bb - aa) / (2.0 * ab);
        const double t = copysign(1.0, zeta) / (fabs(zeta) + hypot(1.0, zeta));
        const double near = 1.0 / hypot(1.0, t);
        c = aa >= bb ? near : near * t;
        s = aa >= bb ? -near * t : near;
    }
    rotate(A.rows, c, s, a, b);
    rotate(W.rows, c, s, at(W, 0, p), at(W, 0, q));
    return 1;
}

void rct_dense_singular_values(rct_dense_view A, double *values, rct_dense_view W)
{
    for (int64_t j = 0; j < A.columns; j++) {
        memset(at(W, 0, j), 0, (size_t)W.rows * sizeof *values);
        *at(W, j, j) = 1.0;
    }
    for (int sweep = 0, moved = 1; sweep < MOST_SWEEPS && moved; sweep++) {
        moved = 0;
        for (int64_t p = 0; p < A.columns; p++) {
            for (int64_t q = p + 1; q < A.columns; q++) {
                moved |= meet(A, W, p, q);
            }
        }
    }
    for (int64_t j = 0; j < A.columns; j++) {
        values[j] = rct_dense_length(A.rows, at(A, 0, j), 1);
    }
}
