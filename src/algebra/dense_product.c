/* Views, products and triangular systems (dense.h). Large products are cut into slices, packed, and
 * multiplied by the tiles of kernels/lane/product.h. Triangular systems are halved into
 * products. */
#include "algebra/dense.h"

#include "kernels/sweeps/lanes.h"

#include <math.h>
#include <string.h>

enum { ROWS = RCT_PRODUCT_ROWS, COLUMNS = RCT_PRODUCT_COLUMNS };
enum { DEPTH = 128, HIGH = 64, WIDE = 96 }; /* of slices, sized for caches */
enum { SMALL = 1024, TRIANGLE = 16 };       /* sizes that are done directly */

rct_dense_view rct_dense_columns(const double *x, int64_t rows, int64_t columns, int64_t stride)
{
    return (rct_dense_view){(double *)(uintptr_t)x, rows, columns, 1, stride};
}

rct_dense_view rct_dense_turned(rct_dense_view a)
{
    return (rct_dense_view){a.x, a.columns, a.rows, a.across, a.down};
}

rct_dense_view rct_dense_part(rct_dense_view a, int64_t i, int64_t j, int64_t rows, int64_t columns)
{
    return (rct_dense_view){a.x + i * a.down + j * a.across, rows, columns, a.down, a.across};
}

double rct_dense_length(int64_t count, const double *x, int64_t step)
{
    double largest = 0.0, sum = 0.0;
    for (int64_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(x[i * step]));
    }
    if (!(largest > 0.0) || !isfinite(largest)) {
        return largest;
    }
    const double scale = ldexp(1.0, -ilogb(largest)); /* a power of two: no rounding */
    for (int64_t i = 0; i < count; i++) {
        sum += scale * x[i * step] * (scale * x[i * step]);
    }
    return sqrt(sum) / scale;
}

/* ---- products ----------------------------------------------------------------------------- */

/* Summed in four sums. */
double rct_dense_dot(int64_t count, const double *a, int64_t a_step, const double *b,
                     int64_t b_step)
{
    double sum[4] = {0.0};
    int64_t k = 0;
    for (; k + 4 <= count; k += 4) {
        for (int64_t i = 0; i < 4; i++) {
            sum[i] += a[(k + i) * a_step] * b[(k + i) * b_step];
        }
    }
    for (; k < count; k++) {
        sum[0] += a[k * a_step] * b[k * b_step];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void add_directly(rct_dense_view C, double s, rct_dense_view A, rct_dense_view B)
{
    for (int64_t j = 0; j < C.columns; j++) {
        const double *b = B.x + j * B.across;
        double *c = C.x + j * C.across;
        for (int64_t i = 0; i < C.rows && A.across == 1; i++) {
            c[i * C.down] += s * rct_dense_dot(A.columns, A.x + i * A.down, 1, b, B.down);
        }
        for (int64_t k = 0; k < A.columns && A.across != 1; k++) {
            const double *a = A.x + k * A.across, factor = s * b[k * B.down];
            for (int64_t i = 0; i < C.rows; i++) {
                c[i * C.down] += factor * a[i * A.down];
            }
        }
    }
}

/* Pack A in strips of `wide` rows, filled up with zeros; strips of columns for a transposed
 * matrix. */
static void pack(rct_dense_view A, int64_t wide, double *to)
{
    for (int64_t i = 0; i < A.rows; i += wide) {
        for (int64_t k = 0; k < A.columns; k++) {
            for (int64_t l = 0; l < wide; l++) {
                *to++ = i + l < A.rows ? A.x[(i + l) * A.down + k * A.across] : 0.0;
            }
        }
    }
}

/* C += s A B of packed slices. */
static void add_slice(rct_dense_view C, double s, int64_t depth, const double *a, const double *b)
{
    rct_product_kernel *const kernel = rct_lane_kernels_list()[0]->product;
    double sums[ROWS * COLUMNS];
    for (int64_t j = 0; j < C.columns; j += COLUMNS) {
        for (int64_t i = 0; i < C.rows; i += ROWS) {
            kernel(depth, a + i * depth, b + j * depth, sums);
            for (int64_t q = 0; q < COLUMNS && j + q < C.columns; q++) {
                double *c = C.x + (j + q) * C.across + i * C.down;
                for (int64_t p = 0; p < ROWS && i + p < C.rows; p++) {
                    c[p * C.down] += s * sums[ROWS * q + p];
                }
            }
        }
    }
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void rct_dense_add_product(rct_dense_view C, double s, rct_dense_view A, rct_dense_view B)
{
    double a[HIGH * DEPTH], b[DEPTH * WIDE];
    if (C.rows * C.columns * A.columns <= SMALL || C.rows == 1 || C.columns == 1) {
        add_directly(C, s, A, B);
        return;
    }
    for (int64_t k = 0; k < A.columns; k += DEPTH) {
        const int64_t depth = lesser(DEPTH, A.columns - k);
        for (int64_t j = 0; j < C.columns; j += WIDE) {
            const int64_t wide = lesser(WIDE, C.columns - j);
            pack(rct_dense_turned(rct_dense_part(B, k, j, depth, wide)), COLUMNS, b);
            for (int64_t i = 0; i < C.rows; i += HIGH) {
                const int64_t high = lesser(HIGH, C.rows - i);
                pack(rct_dense_part(A, i, k, high, depth), ROWS, a);
                add_slice(rct_dense_part(C, i, j, high, wide), s, depth, a, b);
            }
        }
    }
}

/* ---- triangular systems -------------------------------------------------------------------- */

void rct_dense_forward(rct_dense_view L, rct_dense_view X)
{
    const int64_t n = L.rows, half = n / 2;
    if (n <= TRIANGLE) {
        for (int64_t j = 0; j < X.columns; j++) {
            for (int64_t i = 0; i < n; i++) {
                double *x = X.x + j * X.across, sum = x[i * X.down];
                for (int64_t k = 0; k < i; k++) {
                    sum -= L.x[i * L.down + k * L.across] * x[k * X.down];
                }
                x[i * X.down] = sum / L.x[i * (L.down + L.across)];
            }
        }
        return;
    }
    const rct_dense_view first = rct_dense_part(X, 0, 0, half, X.columns);
    const rct_dense_view second = rct_dense_part(X, half, 0, n - half, X.columns);
    rct_dense_forward(rct_dense_part(L, 0, 0, half, half), first);
    rct_dense_add_product(second, -1.0, rct_dense_part(L, half, 0, n - half, half), first);
    rct_dense_forward(rct_dense_part(L, half, half, n - half, n - half), second);
}

/* With the last rows first it is a lower triangle. */
static rct_dense_view reversed(rct_dense_view a, int columns_too)
{
    a.x += (a.rows - 1) * a.down + (columns_too ? (a.columns - 1) * a.across : 0);
    a.down = -a.down;
    a.across = columns_too ? -a.across : a.across;
    return a;
}

void rct_dense_backward(rct_dense_view U, rct_dense_view X)
{
    if (U.rows > 0) {
        rct_dense_forward(reversed(U, 1), reversed(X, 0));
    }
}
