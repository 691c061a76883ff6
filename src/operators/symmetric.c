/* Jacobi's method: rotations in the plane of two rows until everything off the diagonal is
 * rounding. */
#include "operators/symmetric.h"

#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 30 };

/* Columns p and q of n rows become c p - s q and s p + c q. */
static void rotate_columns(int n, double M[6][6], int p, int q, const double cs[2])
{
    for (int i = 0; i < n; i++) {
        const double a = M[i][p], b = M[i][q];
        M[i][p] = cs[0] * a - cs[1] * b;
        M[i][q] = cs[1] * a + cs[0] * b;
    }
}

static void rotate_rows(int n, double M[6][6], int p, int q, const double cs[2])
{
    for (int i = 0; i < n; i++) {
        const double a = M[p][i], b = M[q][i];
        M[p][i] = cs[0] * a - cs[1] * b;
        M[q][i] = cs[1] * a + cs[0] * b;
    }
}

/* Make A[p][q] zero, by the smaller of the two angles; returns 0 if it is zero already. */
static int annihilate(int n, double A[6][6], double Q[6][6], int p, int q)
{
    const double off = A[p][q];
    if (fabs(off) <= 0x1p-60 * (fabs(A[p][p]) + fabs(A[q][q])) || off == 0.0) {
        A[p][q] = A[q][p] = 0.0;
        return 0;
    }
    const double theta = 0.5 * (A[q][q] - A[p][p]) / off;
    const double t = copysign(1.0 / (fabs(theta) + hypot(1.0, theta)), theta);
    const double cs[2] = {1.0 / hypot(1.0, t), t / hypot(1.0, t)};
    rotate_columns(n, A, p, q, cs);
    rotate_rows(n, A, p, q, cs);
    rotate_columns(n, Q, p, q, cs);
    A[p][q] = A[q][p] = 0.0;
    return 1;
}

void rct_symmetric_eigen(int n, double A[6][6], double Q[6][6])
{
    int turned = 1;
    memset(Q, 0, 6 * sizeof *Q);
    for (int i = 0; i < n; i++) {
        Q[i][i] = 1.0;
    }
    for (int sweep = 0; sweep < MOST_SWEEPS && turned; sweep++) {
        turned = 0;
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                turned |= annihilate(n, A, Q, p, q);
            }
        }
    }
}
