/* One hinge of the factors of M^-1 (factor.h): seed 001, eqs. 0.25 and 0.26. */
#include "operators/factor.h"

#include "operators/six.h"

#include <math.h>
#include <string.h>

/* Least pivot of D relative to its value if P were the same about all axes; smaller pivots are
 * rounding, as in the sweeps. */
static const double least_pivot = 0x1p-48;

void rct_operator_add_body(double mass, const double c[3], const double J[6], double P[36])
{
    static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int a = 0; a < 3; a++) {
            P[6 * i + a] +=
                J[place[i][a]] + mass * (i == a ? c[j] * c[j] + c[k] * c[k] : -c[i] * c[a]);
        }
        P[6 * (3 + i) + 3 + i] += mass;
        P[6 * i + 3 + j] -= mass * c[k]; /* m c~, and its transpose */
        P[6 * i + 3 + k] += mass * c[j];
        P[6 * (3 + j) + i] -= mass * c[k];
        P[6 * (3 + k) + i] += mass * c[j];
    }
}

/* The value of D for row h if P were the same about all axes. */
static double isotropic(const double *h, const double P[36])
{
    return (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]) * (P[0] + P[7] + P[14]) +
           (h[3] * h[3] + h[4] * h[4] + h[5] * h[5]) * (P[21] + P[28] + P[35]);
}

int rct_operator_root_row(int i, const double *d, double scale, double *root)
{
    double *row = root + 6 * i, rest = d[i];
    memset(row, 0, 6 * sizeof *row);
    for (int j = 0; j < i; j++) {
        const double *above = root + 6 * j;
        double l = 0.0;
        for (int k = 0; k <= j; k++) {
            l += above[k] * d[k];
        }
        for (int k = 0; k <= j; k++) {
            row[k] -= l * above[k];
        }
        rest -= l * l;
    }
    row[i] = 1.0;
    rct_scale6(1.0 / sqrt(rest), row);
    return rest > least_pivot * scale;
}

void rct_operator_forward(int freedoms, const double *root, double *x)
{
    double y[6] = {0.0};
    for (int i = 0; i < freedoms; i++) {
        for (int k = 0; k < freedoms; k++) {
            y[i] += root[6 * i + k] * x[k];
        }
    }
    memcpy(x, y, (size_t)freedoms * sizeof *x);
}

void rct_operator_back(int freedoms, const double *root, double *x)
{
    double y[6] = {0.0};
    for (int i = 0; i < freedoms; i++) {
        rct_add6(x[i], root + 6 * i, y);
    }
    memcpy(x, y, (size_t)freedoms * sizeof *x);
}

/* Rows of H P become those of root H P, and gain columns of G, D^-1 H P. */
static void gains(int freedoms, const double *root, double hp[6][6], double *gain)
{
    double y[6][6] = {{0.0}};
    memset(gain, 0, (size_t)freedoms * 6 * sizeof *gain);
    for (int i = 0; i < freedoms; i++) {
        for (int k = 0; k <= i; k++) {
            rct_add6(root[6 * i + k], hp[k], y[i]);
        }
        for (int k = 0; k <= i; k++) {
            rct_add6(root[6 * i + k], y[i], gain + 6 * k);
        }
    }
    memcpy(hp, y, (size_t)freedoms * sizeof *y);
}

int rct_operator_eliminate(int freedoms, const double *H, const double *armature, double P[36],
                           double *gain, double *root)
{
    double hp[6][6];
    for (int i = 0; i < freedoms; i++) {
        double d[6];
        memset(hp[i], 0, sizeof hp[i]);
        for (int r = 0; r < 6; r++) {
            if (H[6 * i + r] != 0.0) {
                rct_add6(H[6 * i + r], P + 6 * r, hp[i]);
            }
        }
        for (int j = 0; j <= i; j++) {
            d[j] = rct_dot6(hp[i], H + 6 * j);
        }
        d[i] += armature != NULL ? armature[i] : 0.0;
        if (!rct_operator_root_row(i, d, isotropic(H + 6 * i, P), root)) {
            return 0;
        }
    }
    gains(freedoms, root, hp, gain);
    for (int i = 0; i < freedoms;
         i++) { /* P - G H P = P - (L^-1 H P)* (L^-1 H P), symmetric to the bit */
        for (int r = 0; r < 6; r++) {
            rct_add6(-hp[i][r], hp[i], P + 6 * r);
        }
    }
    return 1;
}

int rct_operator_eliminate_ball(double P[36], double *gain, double *root)
{
    double hp[6][6];
    for (int i = 0; i < 3; i++) {
        if (!rct_operator_root_row(i, P + 6 * i, P[0] + P[7] + P[14], root)) {
            return 0;
        }
        memcpy(hp[i], P + 6 * i, sizeof hp[i]);
    }
    gains(3, root, hp, gain);
    for (int r = 3; r < 6; r++) {
        for (int c = 3; c < 6; c++) {
            P[6 * r + c] -= hp[0][r] * hp[0][c] + hp[1][r] * hp[1][c] + hp[2][r] * hp[2][c];
        }
    }
    return 1;
}

/* With a of the body, a_p and v of its parent, P = (J B; B* M) and D = J + rotors,
 *
 *     D a = e + rotors a_p - B v        gain = D^-1 (-rotors, B)        beyond: (rotors D^-1 J, rotors D^-1 B; ., M - B* D^-1
 * B) */
int rct_operator_eliminate_held(const double *rotors, double P[36], double *gain, double *root)
{
    double hp[6][6], whole[6][6], D[36]; /* whole: D^-1 (J, B) */
    memcpy(D, P, sizeof D);
    for (int i = 0; i < 3; i++) {
        D[7 * i] += rotors[i];
        memcpy(hp[i], P + 6 * i, sizeof hp[i]);
    }
    for (int i = 0; i < 3; i++) {
        if (!rct_operator_root_row(i, D + 6 * i, D[0] + D[7] + D[14], root)) {
            return 0;
        }
    }
    gains(3, root, hp, whole[0]);
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++) {
            P[6 * i + c] = 0.5 * (rotors[i] * whole[i][c] + rotors[c] * whole[c][i]);
            P[6 * i + 3 + c] = P[6 * (3 + c) + i] = rotors[i] * whole[i][3 + c];
            P[6 * (3 + i) + 3 + c] -= hp[0][3 + i] * hp[0][3 + c] + hp[1][3 + i] * hp[1][3 + c] +
                                      hp[2][3 + i] * hp[2][3 + c];
        }
    }
    for (int i = 0; i < 3; i++) {
        memcpy(gain + 6 * i, whole[i], 6 * sizeof *gain);
        for (int c = 0; c < 3; c++) { /* -D^-1 rotors */
            double sum = 0.0;
            for (int k = 0; k < 3; k++) {
                sum += root[6 * k + i] * root[6 * k + c];
            }
            gain[6 * i + c] = -sum * rotors[c];
        }
    }
    return 1;
}

void rct_operator_turn(const double Q[9], int symmetric, const double *A, double *out)
{
    double half[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            half[3 * i + j] = Q[3 * i] * A[j] + Q[3 * i + 1] * A[6 + j] + Q[3 * i + 2] * A[12 + j];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = symmetric ? i : 0; j < 3; j++) {
            out[6 * i + j] = half[3 * i] * Q[3 * j] + half[3 * i + 1] * Q[3 * j + 1] +
                             half[3 * i + 2] * Q[3 * j + 2];
        }
        for (int j = i + 1; symmetric && j < 3; j++) {
            out[6 * j + i] = out[6 * i + j];
        }
    }
}

/* Add l~ A to `out`; columns lie in rows of six: row i of A at A + 6 i. */
static void add_crossed(const double l[3], const double *A, double *out)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int c = 0; c < 3; c++) {
            out[6 * i + c] += l[j] * A[6 * k + c] - l[k] * A[6 * j + c];
        }
    }
}

/* With P = (J B; B* M): M' = M, B' = B + l~ M, J' = J + l~ B* + (l~ B'*)*. */
void rct_operator_pass(int ball, const double l[3], const double P[36], double up[36])
{
    double B[18], turned[18] = {0.0}; /* B', and l~ B'*; rows of six, the first three used */
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++) {
            B[6 * i + c] = ball ? 0.0 : P[6 * i + 3 + c];
        }
    }
    add_crossed(l, P + 21, B);
    double transposed[18];
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++) {
            transposed[6 * i + c] = B[6 * c + i];
        }
    }
    add_crossed(l, transposed, turned);
    if (!ball) {
        add_crossed(l, P + 18, up);
    }
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++) {
            up[6 * i + c] += (ball ? 0.0 : P[6 * i + c]) + turned[6 * c + i];
            up[6 * i + 3 + c] += B[6 * i + c];
            up[6 * (3 + i) + c] += B[6 * c + i];
            up[6 * (3 + i) + 3 + c] += P[6 * (3 + i) + 3 + c];
        }
    }
}
