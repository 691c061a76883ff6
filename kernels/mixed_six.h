/* The six components of a handle as numbers: solving one coordinate of the acceleration, and the two changes of
 * coordinates that hinges need before (kernels/mixed_step.h has the formulas). */
#ifndef RCT_KERNELS_MIXED_SIX_H
#define RCT_KERNELS_MIXED_SIX_H

#include "kernels/mixed_step.h"

enum { LX = 0, LY = 1, LZ = 2, AX = 3, AY = 4, AZ = 5 }; /* of a spatial vector */

/* S, e as numbers, the upper half of S in use. */
typedef struct mixed_six {
    real s[6][6];
    real e[6];
} mixed_six;

LANE_INLINE mixed_six mixed_six_of(const mixed_handle *h)
{
    const sym3 l = h->ll, a = h->aa;
    const mat3 b = h->la;
    const real o = lane_set(0.0);
    return (mixed_six){{{l.xx, l.xy, l.xz, b.xx, b.xy, b.xz},
                        {o, l.yy, l.yz, b.yx, b.yy, b.yz},
                        {o, o, l.zz, b.zx, b.zy, b.zz},
                        {o, o, o, a.xx, a.xy, a.xz},
                        {o, o, o, o, a.yy, a.yz},
                        {o, o, o, o, o, a.zz}},
                       {h->e.l.x, h->e.l.y, h->e.l.z, h->e.a.x, h->e.a.y, h->e.a.z}};
}

LANE_INLINE mixed_handle mixed_handle_of(const mixed_six *x)
{
    return (mixed_handle){{x->s[0][0], x->s[1][1], x->s[2][2], x->s[0][1], x->s[0][2], x->s[1][2]},
                          {x->s[0][3], x->s[0][4], x->s[0][5], x->s[1][3], x->s[1][4], x->s[1][5],
                           x->s[2][3], x->s[2][4], x->s[2][5]},
                          {x->s[3][3], x->s[4][4], x->s[5][5], x->s[3][4], x->s[3][5], x->s[4][5]},
                          {{x->e[0], x->e[1], x->e[2]}, {x->e[3], x->e[4], x->e[5]}}};
}

/* S_ij for any order of i, j */
LANE_INLINE real *six_at(mixed_six *x, int i, int j)
{
    return i <= j ? &x->s[i][j] : &x->s[j][i];
}

/* A_k = y - g . A once what is inboard is known. */
typedef struct mixed_gain {
    real g[6]; /* zero at k */
    real y;
    real inverse; /* 1 / S_kk */
} mixed_gain;

/* Solve coordinate k. Coordinates in `done` (bits) have been solved and are zero. `noise`: at most this much
 * of a pivot is rounding. */
LANE_INLINE mixed_gain mixed_solve(mixed_six *x, int k, int done, real tau, real noise,
                                   mask *regular)
{
    mixed_gain gain;
    const real pivot = x->s[k][k];
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
    LANE_UNROLL
    for (int j = 0; j < 6; j++) {
        *six_at(x, j, k) = lane_set(0.0);
    }
    x->e[k] = tau;
    return gain;
}

/* A becomes A with coordinate k solved. */
LANE_INLINE real mixed_answer(const mixed_gain *gain, const real a[6])
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
 * Helical: A_z = B_z + p alpha_z makes the column of alpha_z (and F's row) take p times that of A_z along.
 * Universal: coordinates x, y of alpha turned by the angle whose cosine and sine are c, s. */

LANE_INLINE void six_shear(mixed_six *x, real p)
{
    LANE_UNROLL
    for (int j = 0; j < 6; j++) {
        if (j != AZ) {
            *six_at(x, j, AZ) = *six_at(x, j, AZ) + p * *six_at(x, j, LZ);
        }
    }
    /* S_55 + 2 p S_25 + p^2 S_22, with S_25 already sheared once */
    x->s[AZ][AZ] = x->s[AZ][AZ] + p * (x->s[LZ][AZ] + (x->s[LZ][AZ] - p * x->s[LZ][LZ]));
    x->e[AZ] = x->e[AZ] + p * x->e[LZ];
}

/* Rows and columns AX, AY become c AX + s AY, c AY - s AX. */
LANE_INLINE void six_turn(mixed_six *x, real c, real s)
{
    LANE_UNROLL
    for (int j = 0; j < 6; j++) {
        if (j != AX && j != AY) {
            const real a = *six_at(x, j, AX), b = *six_at(x, j, AY);
            *six_at(x, j, AX) = c * a + s * b;
            *six_at(x, j, AY) = c * b - s * a;
        }
    }
    const real xx = x->s[AX][AX], xy = x->s[AX][AY], yy = x->s[AY][AY];
    const real cs = c * s, cc = c * c, ss = s * s;
    x->s[AX][AX] = (cc * xx + ss * yy) + (cs * xy + cs * xy);
    x->s[AX][AY] = (cc - ss) * xy + cs * (yy - xx);
    x->s[AY][AY] = (ss * xx + cc * yy) - (cs * xy + cs * xy);
    const real a = x->e[AX], b = x->e[AY];
    x->e[AX] = c * a + s * b;
    x->e[AY] = c * b - s * a;
}

LANE_FUNCTION void mixed_list(spatial x, real a[6])
{
    a[0] = x.l.x, a[1] = x.l.y, a[2] = x.l.z, a[3] = x.a.x, a[4] = x.a.y, a[5] = x.a.z;
}

LANE_FUNCTION spatial mixed_unlist(const real a[6])
{
    return (spatial){{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
}

#endif
