/* Spatial vectors and 6x6 matrices in long double (dense_six.h). */
#include "tests/kernels/dense_six.h"

#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"

#include <math.h>
#include <string.h>

void draw_handle(uint64_t *random, wide_handle *h, matrix s, vector e)
{
    double a[6][6], w[6];
    six x;
    draw_numbers(random, a[0], 36, 1.0);
    draw_numbers(random, w, 6, 2.0);
    memset(&x, 0, sizeof x);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double sum = i == j ? 0.3 : 0.0;
            for (int k = 0; k < 6; k++) {
                sum += a[i < j ? i : j][k] * a[i < j ? j : i][k];
            }
            s[i][j] = sum;
            x.s[i < j ? i : j][i < j ? j : i] = sum;
        }
        x.e[i] = w[i];
        e[i] = w[i];
    }
    *h = six_handle(&x);
}

void list(spatial a, vector v)
{
    real x[6];
    six_list(a, x);
    for (int i = 0; i < 6; i++) {
        v[i] = x[i];
    }
}

void expect_near(double is, long double should, const char *what)
{
    const double off = (double)fabsl(is - should);
    if (!(off <= 1e-12 * (1.0 + (double)fabsl(should)))) {
        fail_msg("%s: %g off by %g", what, (double)should, off);
    }
}

void expect_spatial(spatial is, const vector should, const char *what)
{
    vector v;
    list(is, v);
    for (int i = 0; i < 6; i++) {
        expect_near((double)v[i], should[i], what);
    }
}

void expect_handle(const wide_handle *h, matrix s, const vector e, const char *what)
{
    const six x = six_of(h);
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            expect_near(x.s[i][j], s[i][j], what);
        }
        expect_near(x.e[i], e[i], what);
    }
}

void gauss(int n, int columns, long double a[GAUSS_MOST][2 * GAUSS_MOST])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabsl(a[i][k]) > fabsl(a[best][k]) ? i : best;
        }
        for (int j = 0; j < n + columns; j++) {
            const long double x = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = x;
        }
        for (int i = 0; i < n; i++) {
            const long double f = i == k ? 0.0L : a[i][k] / a[k][k];
            for (int j = k; j < n + columns && i != k; j++) {
                a[i][j] -= f * a[k][j];
            }
        }
        for (int j = n + columns - 1; j >= k; j--) {
            a[k][j] /= a[k][k];
        }
    }
}
