/* The parts of the Riccati transfer matrix recursion, in the symbols and signs of seed 000.
 *
 * State at a connection point: z_a = (m, q) moment and force, z_b = (r'', W') linear and angular
 * acceleration. The components are those in the axes of the link at hand, not in inertial axes as
 * in the seed, and are turned at each hinge (docs/decisions.md has the digits this saves). Transfer
 * runs from tip to root, and below each element z_a = S z_b + e holds (eq. 21). Bodies and hinges
 * as the seed has them are in tests/kernels/riccati_elements.h; the sweeps cross both in the steps
 * of narrow_method.h and riccati_wide_step.h. They close each hinge by its own m = 0. The seed
 * takes that of the body it leads to: then the moment equations of the first body would be missing,
 * and the overall equation would be singular (docs/seed-notes.md).
 */
#ifndef RCT_KERNELS_LAWS_RICCATI_STEP_H
#define RCT_KERNELS_LAWS_RICCATI_STEP_H

#include "kernels/laws/abi_step.h"

typedef struct mat6 {
    real m[6][6];
} mat6;

typedef struct vec6 {
    real v[6];
} vec6;

/* z_a = S z_b + e */
typedef struct riccati {
    mat6 s;
    vec6 e;
} riccati;

/* L U of a general 3x3 matrix without pivoting: C is a moment of inertia when a hinge is closed by
 * its own moment. `regular`: every pivot is more than rounding of the diagonal. */
typedef struct lu3 {
    real yx, zx, zy; /* L, unit diagonal  */
    real xy, xz, yz; /* U                 */
    real ix, iy, iz; /* 1 / diagonal of U */
    mask regular;
} lu3;

LANE_FUNCTION lu3 lu3_factor(mat3 c) /* 30, three divisions */
{
    const real noise = /* (16 ulp)^2 */
        lane_set(0x1p-96) * (c.xx * c.xx + c.yy * c.yy + c.zz * c.zz) + lane_set(PIVOT_LEAST_2);
    lu3 f;
    f.xy = c.xy, f.xz = c.xz;
    f.ix = lane_reciprocal(c.xx);
    f.yx = c.yx * f.ix;
    f.zx = c.zx * f.ix;
    const real y = c.yy - f.yx * c.xy;
    f.iy = lane_reciprocal(y);
    f.yz = c.yz - f.yx * c.xz;
    f.zy = (c.zy - f.zx * c.xy) * f.iy;
    const real z = (c.zz - f.zx * c.xz) - f.zy * f.yz;
    f.iz = lane_reciprocal(z);
    f.regular = lane_and(lane_greater(c.xx * c.xx, noise),
                         lane_and(lane_greater(y * y, noise), lane_greater(z * z, noise)));
    return f;
}

LANE_FUNCTION vec3 lu3_solve(lu3 f, vec3 b) /* 15 */
{
    const real y = b.y - f.yx * b.x;
    const real z = (b.z - f.zx * b.x) - f.zy * y;
    vec3 x;
    x.z = z * f.iz;
    x.y = (y - f.yz * x.z) * f.iy;
    x.x = ((b.x - f.xy * x.y) - f.xz * x.z) * f.ix;
    return x;
}

/* ---- small dense algebra ----------------------------------------------------------------- */

LANE_FUNCTION void mat6_set_block(mat6 *a, int row, int column, mat3 b)
{
    a->m[row][column] = b.xx, a->m[row][column + 1] = b.xy, a->m[row][column + 2] = b.xz;
    a->m[row + 1][column] = b.yx, a->m[row + 1][column + 1] = b.yy;
    a->m[row + 1][column + 2] = b.yz, a->m[row + 2][column] = b.zx;
    a->m[row + 2][column + 1] = b.zy, a->m[row + 2][column + 2] = b.zz;
}

LANE_FUNCTION mat3 mat6_block(const mat6 *a, int row, int column)
{
    return (mat3){a->m[row][column],     a->m[row][column + 1],     a->m[row][column + 2],
                  a->m[row + 1][column], a->m[row + 1][column + 1], a->m[row + 1][column + 2],
                  a->m[row + 2][column], a->m[row + 2][column + 1], a->m[row + 2][column + 2]};
}

LANE_FUNCTION vec6 vec6_of(vec3 upper, vec3 lower)
{
    return (vec6){{upper.x, upper.y, upper.z, lower.x, lower.y, lower.z}};
}

LANE_FUNCTION vec3 vec6_upper(const vec6 *a)
{
    return (vec3){a->v[0], a->v[1], a->v[2]};
}

LANE_FUNCTION vec3 vec6_lower(const vec6 *a)
{
    return (vec3){a->v[3], a->v[4], a->v[5]};
}

LANE_FUNCTION mat3 mat3_diagonal(real d)
{
    const real zero = lane_set(0.0);
    return (mat3){d, zero, zero, zero, d, zero, zero, zero, d};
}

LANE_FUNCTION mat3 mat3_tilde(real s, vec3 r) /* s r~ */
{
    const real zero = lane_set(0.0);
    return (mat3){zero, -s * r.z, s * r.y, s * r.z, zero, -s * r.x, -s * r.y, s * r.x, zero};
}

LANE_FUNCTION mat3 mat3_of_sym3(sym3 s)
{
    return (mat3){s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz};
}

#endif
