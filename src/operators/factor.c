/* One hinge of the factors of M^-1 (factor.h): seed 001, eqs. 0.25 and 0.26. */
#include "operators/factor.h"

#include "core/rotation.h"

#include <math.h>
#include <string.h>

/* Least pivot of D relative to what it would be if P were the same about all axes: below, it is rounding. */
static const double least_pivot = 1e-14;

void rct_operator_add_body(double mass, const double c[3], const double J[6], double P[36])
{
    static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int a = 0; a < 3; a++) {
            P[6 * i + a] += J[place[i][a]] + mass * ((i == a ? square : 0.0) - c[i] * c[a]);
        }
        P[6 * (3 + i) + 3 + i] += mass;
        P[6 * i + 3 + j] -= mass * c[k]; /* m c~, and its transpose */
        P[6 * i + 3 + k] += mass * c[j];
        P[6 * (3 + j) + i] -= mass * c[k];
        P[6 * (3 + k) + i] += mass * c[j];
    }
}

/* Of row h: what D would be if P were the same about all axes. */
static double isotropic(const double *h, const double P[36])
{
    return (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]) * (P[0] + P[7] + P[14]) +
           (h[3] * h[3] + h[4] * h[4] + h[5] * h[5]) * (P[21] + P[28] + P[35]);
}

static double dot6(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

/* Row i of L of D, whose row is d. */
static int factor_row(int i, const double *d, double scale, double *cholesky)
{
    double *row = cholesky + 6 * i, rest = d[i];
    for (int j = 0; j < i; j++) {
        double sum = d[j];
        for (int k = 0; k < j; k++) {
            sum -= row[k] * cholesky[6 * j + k];
        }
        row[j] = sum * cholesky[6 * j + j];
        rest -= row[j] * row[j];
    }
    row[i] = 1.0 / sqrt(rest);
    return rest > least_pivot * scale;
}

void rct_operator_forward(int freedoms, const double *cholesky, double *x)
{
    for (int i = 0; i < freedoms; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= cholesky[6 * i + k] * x[k];
        }
        x[i] *= cholesky[6 * i + i];
    }
}

void rct_operator_back(int freedoms, const double *cholesky, double *x)
{
    for (int i = freedoms - 1; i >= 0; i--) {
        for (int k = i + 1; k < freedoms; k++) {
            x[i] -= cholesky[6 * k + i] * x[k];
        }
        x[i] *= cholesky[6 * i + i];
    }
}

int rct_operator_eliminate(int freedoms, const double *H, double P[36], double *gain,
                           double *cholesky)
{
    double hp[6][6]; /* H P */
    for (int i = 0; i < freedoms; i++) {
        double d[6];
        for (int c = 0; c < 6; c++) {
            hp[i][c] = dot6(P + 6 * c, H + 6 * i);
        }
        for (int j = 0; j <= i; j++) {
            d[j] = dot6(hp[i], H + 6 * j);
        }
        if (!factor_row(i, d, isotropic(H + 6 * i, P), cholesky)) {
            return 0;
        }
    }
    for (int c = 0; c < 6 && freedoms > 0; c++) {
        double column[6];
        for (int i = 0; i < freedoms; i++) {
            column[i] = hp[i][c];
        }
        rct_operator_forward(freedoms, cholesky, column);
        rct_operator_back(freedoms, cholesky, column);
        for (int i = 0; i < freedoms; i++) {
            gain[6 * i + c] = column[i];
        }
    }
    for (int c = 0; c < 36; c++) { /* the upper half, and the same again below */
        for (int i = 0; i < freedoms && c % 6 >= c / 6; i++) {
            P[c] -= gain[6 * i + c / 6] * hp[i][c % 6];
        }
        if (c % 6 < c / 6) {
            P[c] = P[6 * (c % 6) + c / 6];
        }
    }
    return 1;
}

void rct_operator_pass(int ball, const double l[3], const double P[36], double up[36])
{
    double half[6][6], swept[3]; /* rows: columns of phi P */
    for (int c = 0; c < 6; c++) {
        memcpy(half[c], P + 6 * c, sizeof half[c]);
        if (ball) {
            memset(half[c], 0, 3 * sizeof half[c][0]);
            memset(half[c], 0, c < 3 ? sizeof half[c] : 0);
        }
        rct_cross(l, half[c] + 3, swept);
        for (int i = 0; i < 3; i++) {
            half[c][i] += swept[i];
        }
    }
    for (int r = 0; r < 6; r++) {
        const double force[3] = {half[3][r], half[4][r], half[5][r]};
        rct_cross(l, force, swept);
        for (int i = 0; i < 3; i++) {
            up[6 * r + i] += half[i][r] + swept[i];
            up[6 * r + 3 + i] += force[i];
        }
    }
}
