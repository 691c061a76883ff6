/* Spatial vectors and 6x6 matrices in long double, handles drawn in this form, and comparison with
 * results of kernels. */
#ifndef RCT_TESTS_DENSE_SIX_H
#define RCT_TESTS_DENSE_SIX_H

#include "kernels/sweeps/wide_inward.h"

#include <stdint.h>

typedef long double matrix[6][6];
typedef long double vector[6];

/* Symmetric and positive, of size 1. */
void draw_handle(uint64_t *random, wide_handle *h, matrix s, vector e);

/* Linear part first. */
void list(spatial a, vector v);

/* Compares to 1e-12 of 1 and of the expected number; a failure prints `what`. */
void expect_near(double is, long double should, const char *what);
void expect_spatial(spatial is, const vector should, const char *what);
void expect_handle(const wide_handle *h, matrix s, const vector e, const char *what);

enum { GAUSS_MOST = 12 };

/* Solves n equations with `columns` right-hand sides, which are stored after the matrix, with row
 * exchanges. */
void gauss(int n, int columns, long double a[GAUSS_MOST][2 * GAUSS_MOST]);

#endif
