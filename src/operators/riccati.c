/* The factor of M^-1 by the Riccati transfer matrix recursion, symbols and signs of seed 000:
 * outboard of a point z_a = S z_b, with z_a = (m, q), z_b = (r'', W') and S any 6x6 matrix (eq.
 * 21).
 *
 * Body (eqs. 4, 5): the mass at the output, S + T12, T12 = [m c~  J; -m 1  m c~]; the arm from
 * input to output, T11 S P with T11 = P = [1 E6; 0 1], E6 = r_IO~. Hinge (eq. 10), all its freedoms
 * at once: z_b at the input is that at the output plus H u, where u are its rates, closed by G z_a
 * = -D u, with D of rotors. So with C = G S H + D
 *
 *     u = -B z_b        B = C^-1 G S        S' = S P        P = 1 - H B        (eqs. 24, 29)
 *
 * B are the gains of the operators. C is their D of seed 001, symmetric except for rounding; the
 * root is that of its symmetric part. */
#include "operators/factor.h"
#include "operators/law.h"
#include "operators/six.h"

#include <math.h>
#include <string.h>

/* T12 is the inertia of the body, with z_b in the other order and q = -f. */
static void add_body(double mass, const double c[3], const double J[6], double S[36])
{
    double own[36] = {0.0};
    rct_operator_add_body(mass, c, J, own);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            S[6 * i + j] += i < 3 ? own[6 * i + (j + 3) % 6] : -own[6 * i + (j + 3) % 6];
        }
    }
}

/* x = C^-1 x of n rows, with pivots; C becomes the identity. */
static void solve(int n, double C[6][6], double x[6][6])
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabs(C[i][k]) > fabs(C[pivot][k]) ? i : pivot;
        }
        for (int j = 0; j < 6; j++) {
            const double c = C[k][j], right = x[k][j];
            C[k][j] = C[pivot][j], C[pivot][j] = c;
            x[k][j] = x[pivot][j], x[pivot][j] = right;
        }
        rct_scale6(1.0 / C[k][k], x[k]);
        rct_scale6(1.0 / C[k][k], C[k]);
        for (int i = 0; i < n; i++) {
            const double by = i != k ? -C[i][k] : 0.0;
            rct_add6(by, x[k], x[i]);
            rct_add6(by, C[k], C[i]);
        }
    }
}

/* The value of C along a freedom, (linear, angular), if S were the same about all axes. */
static double isotropic(const double h[6], const double S[36])
{
    return (h[3] * h[3] + h[4] * h[4] + h[5] * h[5]) * (S[3] + S[10] + S[17]) -
           (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]) * (S[18] + S[25] + S[32]);
}

/* Columns of H and of S H, rows of G S. */
typedef struct closing {
    double h[6][6], sh[6][6], gs[6][6];
} closing;

static void close_hinge(const rct_operator_hinge *hinge, const double S[36], closing *at)
{
    memset(at, 0, sizeof *at);
    for (int i = 0; i < hinge->freedoms; i++) {
        for (int r = 0; r < 6; r++) {
            at->h[i][r] = hinge->H[i][(r + 3) % 6];
        }
        for (int r = 0; r < 6; r++) {
            at->sh[i][r] = rct_dot6(S + 6 * r, at->h[i]);
            rct_add6(r < 3 ? hinge->H[i][r] : -hinge->H[i][r], S + 6 * r, at->gs[i]);
        }
    }
}

static int cross(const rct_operator_hinge *hinge, double S[36], double gain[6][6],
                 double root[6][6])
{
    const int n = hinge->freedoms;
    double C[6][6] = {{0.0}}, even[6];
    closing at;
    close_hinge(hinge, S, &at);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            C[i][j] = rct_dot6(at.gs[i], at.h[j]);
        }
        C[i][i] += hinge->armature != NULL ? hinge->armature[i] : 0.0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            even[j] = 0.5 * (C[i][j] + C[j][i]);
        }
        if (!rct_operator_root_row(i, even, isotropic(at.h[i], S), root[0])) {
            return 0;
        }
    }
    solve(n, C, at.gs); /* B */
    for (int i = 0; i < n; i++) {
        memcpy(gain[i], at.gs[i] + 3, 3 * sizeof(double));
        memcpy(gain[i] + 3, at.gs[i], 3 * sizeof(double));
        for (int r = 0; r < 6; r++) {
            rct_add6(-at.sh[i][r], at.gs[i], S + 6 * r);
        }
    }
    return 1;
}

/* The arm goes from the input against l, to the hinge point of the parent. For a ball hinge only q
 * is left, on which W' has no effect. */
static void pass(int ball, const double Q[9], const double l[3], const double S[36], double up[36])
{
    double z[36] = {0.0};
    rct_operator_turn(Q, 0, S + 18, z + 18);
    if (!ball) {
        rct_operator_turn(Q, 0, S, z);
        rct_operator_turn(Q, 0, S + 3, z + 3);
        rct_operator_turn(Q, 0, S + 21, z + 21);
    }
    for (int r = 0; r < 6; r++) { /* S P */
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            z[6 * r + 3 + i] -= z[6 * r + j] * l[k] - z[6 * r + k] * l[j];
        }
    }
    for (int i = 0; i < 3; i++) { /* T11 S P */
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        rct_add6(-l[j], z + 18 + 6 * k, z + 6 * i);
        rct_add6(l[k], z + 18 + 6 * j, z + 6 * i);
    }
    for (int i = 0; i < 36; i++) {
        up[i] += z[i];
    }
}

const rct_operator_law rct_operator_riccati = {.add_body = add_body, .cross = cross, .pass = pass};
