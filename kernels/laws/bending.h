/* Springs at ball hinges. A link is turned against the hinge frame by the rotation vector theta,
 * |theta| <= pi, which has the same components in both. The energy of stiffness K, diagonal, is
 * theta . K theta / 2, and theta' = Jr^-1 w with the angular velocity w against that frame in the
 * axes of the link (Bullo and Murray 1995). The moment on the link, in its axes, is therefore
 *
 *     - Jr^-T K theta = - (m - theta x m / 2 + c theta x (theta x m))          m = K theta
 *     c = (1 - p cot p) / theta^2,  p = |theta| / 2
 *
 * Half a turn is equally far in both directions: there the moment jumps. */
#ifndef RCT_KERNELS_LAWS_BENDING_H
#define RCT_KERNELS_LAWS_BENDING_H

#include "kernels/lane/spatial.h"

/* The quaternion of a rotation times twice its largest component, which becomes positive; its
 * length is not 1. */
LANE_INLINE quat quat_along(mat3 m) /* 46 */
{
    const real one = lane_set(1.0);
    const real xy = m.xy + m.yx, xz = m.xz + m.zx, yz = m.yz + m.zy;
    const real wx = m.zy - m.yz, wy = m.xz - m.zx, wz = m.yx - m.xy;
    const quat w = {one + (m.xx + (m.yy + m.zz)), wx, wy, wz};
    const quat x = {wx, one + (m.xx - (m.yy + m.zz)), xy, xz};
    const quat y = {wy, xy, one + (m.yy - (m.xx + m.zz)), yz};
    const quat z = {wz, xz, yz, one + (m.zz - (m.xx + m.yy))};
    const mask second = lane_greater(x.x, w.w), fourth = lane_greater(z.z, y.y);
    const quat a = quat_select(second, x, w), b = quat_select(fourth, z, y);
    const real most = lane_select(second, x.x, w.w), other = lane_select(fourth, z.z, y.y);
    return quat_select(lane_greater(other, most), b, a);
}

/* atan(x) / x from xx = x^2, for |x| <= tan(pi / 8): interpolated at Chebyshev points, within
 * 2^-62. */
LANE_INLINE real arc_of_small(real xx) /* 25 */
{
    real p = lane_set(0x1.0acd9e91a5a35p-6);
    p = lane_set(-0x1.1b311bb48c215p-5) + xx * p;
    p = lane_set(0x1.74dccfb93fff0p-5) + xx * p;
    p = lane_set(-0x1.ac7a5a79b3f26p-5) + xx * p;
    p = lane_set(0x1.e19a0bfa3eef9p-5) + xx * p;
    p = lane_set(-0x1.110e87b4357d2p-4) + xx * p;
    p = lane_set(0x1.3b1392d519db1p-4) + xx * p;
    p = lane_set(-0x1.745d165dc9713p-4) + xx * p;
    p = lane_set(0x1.c71c71c303dbbp-4) + xx * p;
    p = lane_set(-0x1.249249248d7dcp-3) + xx * p;
    p = lane_set(0x1.9999999999953p-3) + xx * p;
    p = lane_set(-0x1.5555555555555p-2) + xx * p;
    return lane_set(1.0) + xx * p;
}

/* p / s for the angle p whose sine and cosine are proportional to s and w, both not negative. It
 * comes from half of p, or, where that is above pi / 8, from the rest to pi / 4. Regular at s = 0,
 * but not at w = s = 0. */
LANE_INLINE real arc_over_sine(real s, real w) /* 45 */
{
    const real sum = lane_sqrt(s * s + w * w) + w;
    const mask far = lane_greater(s, lane_set(0.41421356237309503) * sum);
    const real up = lane_select(far, s - sum, s), down = lane_select(far, s + sum, sum);
    const real x = up / down, arc = lane_set(2.0) * arc_of_small(x * x);
    const real quarter = lane_set(0x1.921fb54442d18p+0) + arc * x;
    return lane_select(far, quarter, arc) / lane_select(far, s, sum);
}

/* The moment on links turned by `turn` against the link they hang on, by their springs k about the
 * axes of hinge frames, which are turned by `frame`; link axes. */
LANE_INLINE vec3 bending_moment(mat3 turn, quat frame, vec3 k) /* 230 */
{
    const real zero = lane_set(0.0), half = lane_set(0.5);
    const quat q = quat_between(frame, quat_along(turn));
    const mask back = lane_greater(zero, q.w);
    const vec3 v = {lane_select(back, -q.x, q.x), lane_select(back, -q.y, q.y),
                    lane_select(back, -q.z, q.z)};
    const real w = lane_abs(q.w), vv = vec3_dot(v, v);
    const real arc = arc_over_sine(lane_sqrt(vv), w); /* p over the sine */
    const vec3 theta = vec3_scale(arc + arc, v);
    const vec3 m = {k.x * theta.x, k.y * theta.y, k.z * theta.z};
    const real c =
        (lane_set(1.0) - arc * w) / (lane_set(4.0) * (arc * arc) * vv + lane_set(1e-300));
    const vec3 across = vec3_cross(theta, m);
    const vec3 twice = vec3_cross(theta, across);
    return (vec3){(half * across.x - m.x) - c * twice.x, (half * across.y - m.y) - c * twice.y,
                  (half * across.z - m.z) - c * twice.z};
}

#endif
