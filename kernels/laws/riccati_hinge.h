/* A hinge of any type as an element of the Riccati transfer matrix recursion (symbols:
 * kernels/laws/riccati_wide_step.h).
 *
 * Hinge (eq. 10), massless: T11 = 1, T12 = 0; z_b changes by H y and by what velocities add, v. The
 * n free coordinates of z_b at the input follow from as many closing rows G z_a = tau, all at once:
 *
 *     0 = G (S z_b + e + E lambda) - tau          C = G S H          z_b free = d - B z_b - X lambda
 *     B = C^-1 G S N       d = C^-1 (tau - G e)       X = C^-1 G E             P = N - H B        (eq. 24)
 *     S' = S P             e' = e + S H d + S' v      E' = E - S H X           (eqs. 29, 30)
 *     h' = h + (G E)^T d + D' v                       Psi' = Psi + (G E)^T X
 *
 * N removes the free coordinates. Because of the link axes these are single coordinates, and H has
 * columns of the unit matrix; helical and universal hinges first change their coordinates. G is H
 * for z_a: the rows of m, or of -q.
 *
 * With rotors (kernels/laws/rotor.h) G z_a = tau - D (z_b free - what reaches it): C has D besides,
 * B columns -C^-1 D of the free coordinates, and G S', G e', G E' are D B, tau - D d, D X, but -G S
 * H B in those columns.
 */
#ifndef RCT_KERNELS_LAWS_RICCATI_HINGE_H
#define RCT_KERNELS_LAWS_RICCATI_HINGE_H

#include "kernels/laws/riccati_wide_step.h"

LANE_INLINE real riccati_signed(int k, real x)
{
    return k < WX ? -x : x;
}

/* Coordinate k of z_b becomes b_k + p z_bj, as in a helical hinge r_z'' = b_z + p W_z'. The closing
 * row of j, m_z there, gains p times that of k, -q_z. */
LANE_INLINE void riccati_shear(riccati *z, wide_through *t, int k, int j, real p)
{
    const int to = riccati_row_of(j), from = riccati_row_of(k);
    const real by = (k < WX) == (j < WX) ? p : -p;
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        z->s.m[i][j] = z->s.m[i][j] + p * z->s.m[i][k];
    }
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        z->s.m[to][i] = z->s.m[to][i] + by * z->s.m[from][i];
        if (t != NULL) {
            t->e[to][i] = t->e[to][i] + by * t->e[from][i];
        }
    }
    z->e.v[to] = z->e.v[to] + by * z->e.v[from];
}

LANE_INLINE void riccati_turn_pair(real *x, real *y, real c, real s)
{
    const real a = *x, b = *y;
    *x = c * a + s * b;
    *y = c * b - s * a;
}

/* Turns coordinates k, k + 1 of z_b and their closing rows by the angle whose cosine and sine are
 * c, s: x and y of W' and m, or of r'' and q. */
LANE_INLINE void riccati_turn_about_z(riccati *z, wide_through *t, int k, real c, real s)
{
    const int row = riccati_row_of(k);
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        riccati_turn_pair(&z->s.m[i][k], &z->s.m[i][k + 1], c, s);
    }
    LANE_UNROLL
    for (int j = 0; j < 6; j++) {
        riccati_turn_pair(&z->s.m[row][j], &z->s.m[row + 1][j], c, s);
        if (t != NULL) {
            riccati_turn_pair(&t->e[row][j], &t->e[row + 1][j], c, s);
        }
    }
    riccati_turn_pair(&z->e.v[row], &z->e.v[row + 1], c, s);
}

/* To coordinates in which D is diagonal, or back. */
LANE_INLINE void riccati_to_rates(int kind, riccati *z, wide_through *t, const hinge_rotor *r,
                                  int way)
{
    const real p = way > 0 ? r->shear : -r->shear;
    if (kind == RCT_HINGE_UNIVERSAL) {
        riccati_shear(z, t, WZ, WX, p * r->c);
        riccati_shear(z, t, WZ, WY, -(p * r->s));
    }
    if (kind == RCT_HINGE_PLANAR) {
        riccati_turn_about_z(z, t, RX, r->c, way > 0 ? -r->s : r->s);
    }
}

/* C = L U, n x n, in one matrix, with the reciprocals of the diagonal of U. */
typedef struct riccati_lu {
    real c[6][6];
    real inverse[6];
} riccati_lu;

/* Without pivoting: C is a mass matrix. `noise`: at most this part of a pivot is rounding. */
LANE_INLINE mask riccati_factor(int n, riccati_lu *f, const real *noise)
{
    mask regular = lane_greater(lane_set(1.0), lane_set(0.0));
    LANE_UNROLL
    for (int k = 0; k < n; k++) {
        regular = lane_and(regular, lane_greater(f->c[k][k], noise[k]));
        f->inverse[k] = lane_reciprocal(f->c[k][k]);
        LANE_UNROLL
        for (int i = k + 1; i < n; i++) {
            f->c[i][k] = f->c[i][k] * f->inverse[k];
            LANE_UNROLL
            for (int j = k + 1; j < n; j++) {
                f->c[i][j] = f->c[i][j] - f->c[i][k] * f->c[k][j];
            }
        }
    }
    return regular;
}

/* x = C^-1 x */
LANE_INLINE void riccati_solve(int n, const riccati_lu *f, real *x)
{
    LANE_UNROLL
    for (int i = 1; i < n; i++) {
        LANE_UNROLL
        for (int j = 0; j < i; j++) {
            x[i] = x[i] - f->c[i][j] * x[j];
        }
    }
    LANE_UNROLL
    for (int i = n - 1; i >= 0; i--) {
        LANE_UNROLL
        for (int j = i + 1; j < n; j++) {
            x[i] = x[i] - f->c[i][j] * x[j];
        }
        x[i] = x[i] * f->inverse[i];
    }
}

/* Whether hinge type `kind` leaves coordinate k free. */
LANE_INLINE int riccati_is_free(int kind, int k)
{
    int is = 0;
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        is = is || hinge_solved(kind, i) == k;
    }
    return is;
}

/* C = G S H (+ D), factored. */
LANE_INLINE mask riccati_close(int kind, const hinge_rotor *rotor, const riccati *z, real linear,
                               real angular, riccati_lu *f)
{
    const int n = hinge_freedoms(kind);
    real noise[6];
    LANE_UNROLL
    for (int i = 0; i < n; i++) {
        const int k = hinge_solved(kind, i);
        noise[i] = k < WX ? linear : angular;
        LANE_UNROLL
        for (int j = 0; j < n; j++) {
            f->c[i][j] = riccati_signed(k, z->s.m[riccati_row_of(k)][hinge_solved(kind, j)]);
        }
        if (rotor != NULL) {
            f->c[i][i] = f->c[i][i] + rotor->d[i];
        }
    }
    return riccati_factor(n, f, noise);
}

/* B and d: rows of P and P q for the free coordinates. In the places of the free coordinates, rows
 * of B keep C^-1 (GAINS_KEEP). */
LANE_INLINE void riccati_gains(int kind, const hinge_rotor *rotor, const riccati_lu *f,
                               const riccati *z, const real *tau, six_gain *gain)
{
    const int n = hinge_freedoms(kind);
    real x[6];
    LANE_UNROLL
    for (int j = 0; j < 6; j++) {
        const int is_free = riccati_is_free(kind, j);
        LANE_UNROLL
        for (int i = 0; i < n; i++) {
            const int k = hinge_solved(kind, i);
            x[i] = !is_free                  ? riccati_signed(k, z->s.m[riccati_row_of(k)][j])
                   : GAINS_KEEP              ? lane_set(k == j ? 1.0 : 0.0)
                   : rotor != NULL && k == j ? -rotor->d[i]
                                             : lane_set(0.0);
        }
        riccati_solve(n, f, x);
        LANE_UNROLL
        for (int i = 0; i < n; i++) {
            gain[i].g[j] = is_free && rotor == NULL && !GAINS_KEEP ? lane_set(0.0) : x[i];
        }
    }
    LANE_UNROLL
    for (int i = 0; i < n; i++) {
        const int k = hinge_solved(kind, i);
        x[i] = tau[i] - riccati_signed(k, z->e.v[riccati_row_of(k)]);
    }
    riccati_solve(n, f, x);
    LANE_UNROLL
    for (int i = 0; i < n; i++) {
        gain[i].y = x[i];
    }
}

/* B of the free coordinate solved at place m, with rotors. */
LANE_INLINE real riccati_free_gain(int kind, const hinge_rotor *rotor, const six_gain *gain, int m)
{
    const real kept = gain->g[hinge_solved(kind, m)];
    return GAINS_KEEP ? -(rotor->d[m] * kept) : kept;
}

/* Column c of E with h and Psi, its closing rows unchanged; S is that before the hinge. */
LANE_INLINE void riccati_open_column(int kind, const riccati_lu *f, const riccati *z,
                                     const six_gain *gain, int c, wide_through *t)
{
    const int n = hinge_freedoms(kind);
    real x[6];
    LANE_UNROLL
    for (int i = 0; i < n; i++) {
        const int k = hinge_solved(kind, i);
        x[i] = riccati_signed(k, t->e[riccati_row_of(k)][c]);
        t->h[c] = t->h[c] + x[i] * gain[i].y;
    }
    riccati_solve(n, f, x);
    LANE_UNROLL
    for (int i = 0; i < n; i++) {
        const int k = hinge_solved(kind, i);
        LANE_UNROLL
        for (int d = 0; d <= c; d++) {
            t->psi[d][c] = t->psi[d][c] + riccati_signed(k, t->e[riccati_row_of(k)][d]) * x[i];
        }
        LANE_UNROLL
        for (int a = 0; a < 6; a++) {
            if (!riccati_is_free(kind, riccati_row_of(a))) {
                t->e[a][c] = t->e[a][c] - z->s.m[a][k] * x[i];
            }
        }
    }
}

/* S' = S P and e + S H d, with the closing rows set to their exact values. Rounding left in them
 * would turn a small body inboard about its axis of least inertia. */
LANE_INLINE void riccati_pass(int kind, const hinge_rotor *rotor, const six_gain *gain,
                              const real *tau, riccati *z)
{
    const int n = hinge_freedoms(kind);
    LANE_UNROLL
    for (int a = 0; a < 6; a++) {
        real free[6];
        LANE_UNROLL
        for (int i = 0; i < n; i++) {
            free[i] = lane_set(0.0);
        }
        LANE_UNROLL
        for (int i = 0; i < n; i++) {
            const real s = z->s.m[a][hinge_solved(kind, i)];
            LANE_UNROLL
            for (int j = 0; j < 6; j++) {
                if (!riccati_is_free(kind, j)) {
                    z->s.m[a][j] = z->s.m[a][j] - s * gain[i].g[j];
                }
            }
            LANE_UNROLL
            for (int l = 0; l < n && rotor != NULL; l++) {
                free[l] = free[l] - s * riccati_free_gain(kind, rotor, &gain[i], l);
            }
            z->e.v[a] = z->e.v[a] + s * gain[i].y;
        }
        LANE_UNROLL
        for (int i = 0; i < n; i++) {
            z->s.m[a][hinge_solved(kind, i)] = free[i];
        }
    }
    LANE_UNROLL
    for (int i = 0; i < n; i++) {
        const int k = hinge_solved(kind, i), row = riccati_row_of(k);
        LANE_UNROLL
        for (int j = 0; j < 6; j++) {
            if (rotor == NULL) {
                z->s.m[row][j] = lane_set(0.0);
            } else if (!riccati_is_free(kind, j)) {
                z->s.m[row][j] = riccati_signed(k, rotor->d[i] * gain[i].g[j]);
            }
        }
        z->e.v[row] = riccati_signed(k, rotor != NULL ? tau[i] - rotor->d[i] * gain[i].y : tau[i]);
    }
}

/* The closing rows of E beyond the hinge. */
LANE_INLINE void riccati_open_closed(int kind, const hinge_rotor *rotor, const riccati_lu *f,
                                     wide_through *t)
{
    const int n = hinge_freedoms(kind);
    LANE_UNROLL
    for (int c = 0; c < 6; c++) {
        real x[6];
        LANE_UNROLL
        for (int i = 0; i < n && rotor != NULL; i++) {
            const int k = hinge_solved(kind, i);
            x[i] = riccati_signed(k, t->e[riccati_row_of(k)][c]);
        }
        if (rotor != NULL) {
            riccati_solve(n, f, x);
        }
        LANE_UNROLL
        for (int i = 0; i < n; i++) {
            const int k = hinge_solved(kind, i);
            t->e[riccati_row_of(k)][c] =
                rotor != NULL ? riccati_signed(k, rotor->d[i] * x[i]) : lane_set(0.0);
        }
    }
}

/* Take (S, e), and the open end `t` unless NULL, across a hinge of type `kind`; riccati_inboard
 * adds S' v. False where C is singular. */
LANE_INLINE mask riccati_cross(int kind, const link_lanes *link, const link_motion *m,
                               const hinge_rotor *rotor, const real load[3], riccati *z,
                               wide_through *t, six_gain *gain)
{
    const real ulps = lane_set(0x1p-48), least = lane_set(PIVOT_LEAST);
    const real linear = least - ulps * (z->s.m[3][0] + z->s.m[4][1] + z->s.m[5][2]);
    real angular = least + ulps * (z->s.m[0][3] + z->s.m[1][4] + z->s.m[2][5]);
    real tau[6];
    riccati_lu f;
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        tau[i] = hinge_tau(kind, i, link, rotor, load);
    }
    if (kind == RCT_HINGE_HELICAL) {
        angular = angular + link->parameter[0] * link->parameter[0] * linear;
        riccati_shear(z, t, RZ, WZ, link->parameter[0]);
    }
    if (rotor != NULL) {
        riccati_to_rates(kind, z, t, rotor, 1);
    }
    if (kind == RCT_HINGE_UNIVERSAL) {
        riccati_turn_about_z(z, t, WX, m->c, -m->s);
    }
    const mask regular = riccati_close(kind, rotor, z, linear, angular, &f);
    riccati_gains(kind, rotor, &f, z, tau, gain);
    if (t != NULL) {
        LANE_UNROLL
        for (int c = 0; c < 6; c++) {
            riccati_open_column(kind, &f, z, gain, c, t);
        }
        riccati_open_closed(kind, rotor, &f, t);
    }
    riccati_pass(kind, rotor, gain, tau, z);
    if (kind == RCT_HINGE_HELICAL) {
        riccati_shear(z, t, RZ, WZ, -link->parameter[0]);
    }
    if (kind == RCT_HINGE_UNIVERSAL) {
        riccati_turn_about_z(z, t, WX, m->c, m->s);
    }
    if (rotor != NULL) {
        riccati_to_rates(kind, z, t, rotor, -1);
    }
    return regular;
}

/* Outward: z_b at the input, from what reaches the output plus what velocities add (eq. 24). */
LANE_INLINE spatial riccati_back(int kind, const link_lanes *link, const link_motion *m,
                                 const hinge_rotor *rotor, const six_gain *gain, spatial reached)
{
    real b[6], next[6];
    six_list(reached, b);
    if (kind == RCT_HINGE_HELICAL) {
        b[RZ] = b[RZ] - link->parameter[0] * b[WZ];
    }
    if (rotor != NULL) {
        list_to_rates(kind, b, rotor, 1);
    }
    if (kind == RCT_HINGE_UNIVERSAL) {
        riccati_turn_pair(&b[WX], &b[WY], m->c, -m->s);
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        next[i] = six_answer(&gain[i], b);
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        b[hinge_solved(kind, i)] = next[i];
    }
    if (kind == RCT_HINGE_HELICAL) {
        b[RZ] = b[RZ] + link->parameter[0] * b[WZ];
    }
    if (kind == RCT_HINGE_UNIVERSAL) {
        riccati_turn_pair(&b[WX], &b[WY], m->c, m->s);
    }
    if (rotor != NULL) {
        list_to_rates(kind, b, rotor, -1);
    }
    return six_unlist(b);
}

#endif
