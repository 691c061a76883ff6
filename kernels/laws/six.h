/* The six components of a handle as numbers: solving one coordinate of the acceleration, and the
 * two changes of coordinates that some hinges need first (kernels/laws/wide_step.h has the
 * formulas). */
#ifndef RCT_KERNELS_LAWS_SIX_H
#define RCT_KERNELS_LAWS_SIX_H

#include "kernels/laws/wide_step.h"

enum { LX = 0, LY = 1, LZ = 2, AX = 3, AY = 4, AZ = 5 }; /* of a spatial vector */

/* S, e as numbers, the upper half of S in use. */
typedef struct six {
    real s[6][6];
    real e[6];
} six;

LANE_INLINE six six_of(const wide_handle *h)
{
    const sym3 l = h->ll, a = h->aa;
    const mat3 b = h->la;
    const real o = lane_set(0.0);
    return (six){{{l.xx, l.xy, l.xz, b.xx, b.xy, b.xz},
                  {o, l.yy, l.yz, b.yx, b.yy, b.yz},
                  {o, o, l.zz, b.zx, b.zy, b.zz},
                  {o, o, o, a.xx, a.xy, a.xz},
                  {o, o, o, o, a.yy, a.yz},
                  {o, o, o, o, o, a.zz}},
                 {h->e.l.x, h->e.l.y, h->e.l.z, h->e.a.x, h->e.a.y, h->e.a.z}};
}

LANE_INLINE wide_handle six_handle(const six *x)
{
    return (wide_handle){{x->s[0][0], x->s[1][1], x->s[2][2], x->s[0][1], x->s[0][2], x->s[1][2]},
                         {x->s[0][3], x->s[0][4], x->s[0][5], x->s[1][3], x->s[1][4], x->s[1][5],
                          x->s[2][3], x->s[2][4], x->s[2][5]},
                         {x->s[3][3], x->s[4][4], x->s[5][5], x->s[3][4], x->s[3][5], x->s[4][5]},
                         {{x->e[0], x->e[1], x->e[2]}, {x->e[3], x->e[4], x->e[5]}}};
}

/* S_ij for any order of i, j */
LANE_INLINE real *six_at(six *x, int i, int j)
{
    return i <= j ? &x->s[i][j] : &x->s[j][i];
}

/* Whether rows of gains keep what solves their hinges, for columns of loops
 * (kernels/sweeps/columns.h). */
#ifdef KEEP_PIVOTS
enum { GAINS_KEEP = 1 };
#else
enum { GAINS_KEEP = 0 };
#endif

/* A_k = y - g . A, once A inboard is known. */
typedef struct six_gain {
    real g[6]; /* zero at k, or -D / (S_kk + D) */
    real y;
    real inverse; /* 1 / (S_kk + D) */
} six_gain;

/* Solve coordinate k, with the rotor inertia `d` along it, or NULL. Coordinates in `done` (bits)
 * have been solved and are zero. `noise`: at most this much of a pivot is rounding. */
LANE_INLINE six_gain six_solve(six *x, int k, int done, real tau, const real *d, real noise,
                               mask *regular)
{
    six_gain gain;
    const real pivot = d != NULL ? x->s[k][k] + *d : x->s[k][k];
    const real i = lane_reciprocal(pivot);
    *regular = lane_and(*regular, lane_greater(pivot, noise));
    gain.inverse = i;
    gain.y = (tau - x->e[k]) * i;
    LANE_UNROLL
    for (int j = 0; j < 6; j++) {
        const int in = j != k && (done >> j & 1) == 0;
        gain.g[j] = in ? *six_at(x, j, k) * i : lane_set(0.0);
    }
    LANE_UNROLL
    for (int a = 0; a < 6; a++) {
        if (a == k || (done >> a & 1) != 0) {
            continue;
        }
        const real s = *six_at(x, a, k);
        LANE_UNROLL
        for (int b = a; b < 6; b++) {
            if (b != k && (done >> b & 1) == 0) {
                x->s[a][b] = x->s[a][b] - s * gain.g[b];
            }
        }
        x->e[a] = x->e[a] + s * gain.y;
    }
    if (d != NULL) {
        gain.g[k] = -(*d * i);
    }
    LANE_UNROLL
    for (int j = 0; j < 6; j++) {
        *six_at(x, j, k) = d != NULL ? -(gain.g[k] * *six_at(x, j, k)) : lane_set(0.0);
    }
    x->e[k] = d != NULL ? tau - *d * gain.y : tau;
    return gain;
}

/* Replaces coordinate k of A by its solution. */
LANE_INLINE real six_answer(const six_gain *gain, const real a[6])
{
    real sum = gain->y;
    LANE_UNROLL
    for (int j = 0; j < 6; j++) {
        sum = sum - gain->g[j] * a[j];
    }
    return sum;
}

/* ---- changes of coordinates --------------------------------------------------------------- *
 *
 * Shear: A_k = B_k + p A_j adds p times the column of A_k to that of A_j (and likewise the rows of
 * F), as a helical hinge needs. Turn: two coordinates by the angle whose cosine and sine are c, s,
 * as those of alpha at a universal hinge. */

LANE_INLINE void six_shear(six *x, int k, int j, real p)
{
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        if (i != j) {
            *six_at(x, i, j) = *six_at(x, i, j) + p * *six_at(x, i, k);
        }
    }
    /* S_jj + 2 p S_jk + p^2 S_kk, with S_jk already sheared once */
    const real jk = *six_at(x, j, k);
    x->s[j][j] = x->s[j][j] + p * (jk + (jk - p * x->s[k][k]));
    x->e[j] = x->e[j] + p * x->e[k];
}

/* Rows and columns i, i + 1 become c, s and -s, c times them. */
LANE_INLINE void six_turn(six *x, int i, real c, real s)
{
    const int k = i + 1;
    LANE_UNROLL
    for (int j = 0; j < 6; j++) {
        if (j != i && j != k) {
            const real a = *six_at(x, j, i), b = *six_at(x, j, k);
            *six_at(x, j, i) = c * a + s * b;
            *six_at(x, j, k) = c * b - s * a;
        }
    }
    const real xx = x->s[i][i], xy = x->s[i][k], yy = x->s[k][k];
    const real cs = c * s, cc = c * c, ss = s * s;
    x->s[i][i] = (cc * xx + ss * yy) + (cs * xy + cs * xy);
    x->s[i][k] = (cc - ss) * xy + cs * (yy - xx);
    x->s[k][k] = (ss * xx + cc * yy) - (cs * xy + cs * xy);
    const real a = x->e[i], b = x->e[k];
    x->e[i] = c * a + s * b;
    x->e[k] = c * b - s * a;
}

LANE_FUNCTION void six_list(spatial x, real a[6])
{
    a[0] = x.l.x, a[1] = x.l.y, a[2] = x.l.z, a[3] = x.a.x, a[4] = x.a.y, a[5] = x.a.z;
}

LANE_FUNCTION spatial six_unlist(const real a[6])
{
    return (spatial){{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
}

#endif
