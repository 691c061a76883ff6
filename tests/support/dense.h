/* Dense linear algebra in long double, written so that its correctness is evident: results of
 * kernels are compared with it. Matrices by rows. */
#ifndef RCT_TESTS_DENSE_H
#define RCT_TESTS_DENSE_H

#include <math.h>
#include <stdlib.h>

/* Solves a x = b by Gaussian elimination with partial pivoting. x replaces b; `a` [n][n] is
 * destroyed. A singular matrix gives infinities or NaN. */
static inline void dense_solve(int n, long double *a, long double *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabsl(a[i * n + k]) > fabsl(a[pivot * n + k]) ? i : pivot;
        }
        for (int j = 0; j < n; j++) {
            const long double swap = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = swap;
        }
        const long double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
        for (int i = k + 1; i < n; i++) {
            const long double factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++) {
                a[i * n + j] -= factor * a[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            b[k] -= a[k * n + j] * b[j];
        }
        b[k] /= a[k * n + k];
    }
}

static inline long double dense_norm(int n, const long double *x)
{
    long double square = 0.0L;
    for (int i = 0; i < n; i++) {
        square += x[i] * x[i];
    }
    return sqrtl(square);
}

static inline void dense_cross(const long double *a, const long double *b, long double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* r~, so that r~ v = r x v. */
static inline void dense_tilde(const long double *r, long double m[3][3])
{
    m[0][0] = m[1][1] = m[2][2] = 0.0L;
    m[0][1] = -r[2], m[0][2] = r[1], m[1][2] = -r[0];
    m[1][0] = r[2], m[2][0] = -r[1], m[2][1] = r[0];
}

/* Rotation matrix of the quaternion w x y z of any length > 0. */
static inline void dense_rotation(const double *q, long double m[3][3])
{
    const long double w = q[0], x = q[1], y = q[2], z = q[3];
    const long double square = w * w + x * x + y * y + z * z;
    const long double whole[3][3] = {
        {w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = whole[i / 3][i % 3] / square;
    }
}

/* c = a b, 3x3; `c` must not be a or b. */
static inline void dense_product(long double a[3][3], long double b[3][3], long double c[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        }
    }
}

static inline void dense_apply(long double m[3][3], const long double *v, long double *out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
}

#endif
