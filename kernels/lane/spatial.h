/* Vectors, symmetric and general 3x3 matrices on lanes. The number behind a function is its cost in
 * flops. */
#ifndef RCT_KERNELS_LANE_SPATIAL_H
#define RCT_KERNELS_LANE_SPATIAL_H

#include "kernels/lane/lane.h"

#include <stddef.h>

/* Pivots below LEAST, kg or kg m^2, count as zero: products of two (LEAST_2) or four of them
 * (LEAST_4) would hold fewer digits or none in a double, and nothing is left of such small motions.
 * Products of four above MOST_4 are near overflow and are rejected as well. */
#define PIVOT_LEAST   0x1p-225
#define PIVOT_LEAST_2 0x1p-450
#define PIVOT_LEAST_4 0x1p-900
#define PIVOT_MOST_4  0x1p1000

typedef struct vec3 {
    real x, y, z;
} vec3;

typedef struct sym3 {
    real xx, yy, zz, xy, xz, yz;
} sym3;

/* Rows: xx xy xz, yx yy yz, zx zy zz. */
typedef struct mat3 {
    real xx, xy, xz, yx, yy, yz, zx, zy, zz;
} mat3;

typedef struct quat {
    real w, x, y, z;
} quat;

/* ---- vectors ---------------------------------------------------------------------------- */

LANE_FUNCTION vec3 vec3_load(const double *from, int stride)
{
    return (vec3){lane_load(from), lane_load(from + stride), lane_load(from + 2 * stride)};
}

/* The vector at `own` + `at`, components `stride` apart; where `own` is NULL, `one` in all
 * lanes. */
LANE_FUNCTION vec3 vec3_own(const double *own, int64_t at, int stride, const double one[3])
{
    if (own != NULL) {
        return vec3_load(own + at, stride);
    }
    return (vec3){lane_set(one[0]), lane_set(one[1]), lane_set(one[2])};
}

LANE_FUNCTION void vec3_store(double *to, int stride, vec3 v)
{
    lane_store(to, v.x);
    lane_store(to + stride, v.y);
    lane_store(to + 2 * stride, v.z);
}

LANE_FUNCTION vec3 vec3_zero(void)
{
    return (vec3){lane_set(0.0), lane_set(0.0), lane_set(0.0)};
}

LANE_FUNCTION vec3 vec3_add(vec3 a, vec3 b) /* 3 */
{
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

LANE_FUNCTION vec3 vec3_sub(vec3 a, vec3 b) /* 3 */
{
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* What rounding has left out of `sum`, which is a + b. */
LANE_FUNCTION vec3 vec3_left_out(vec3 a, vec3 b, vec3 sum) /* 18 */
{
    return (vec3){lane_left_out(a.x, b.x, sum.x), lane_left_out(a.y, b.y, sum.y),
                  lane_left_out(a.z, b.z, sum.z)};
}

LANE_FUNCTION vec3 vec3_scale(real s, vec3 a) /* 3 */
{
    return (vec3){s * a.x, s * a.y, s * a.z};
}

LANE_FUNCTION vec3 vec3_add_scaled(vec3 a, real s, vec3 b) /* 6 */
{
    return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/* a.x b.x, a.y b.y, a.z b.z */
LANE_FUNCTION vec3 vec3_times(vec3 a, vec3 b) /* 3 */
{
    return (vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

LANE_FUNCTION real vec3_dot(vec3 a, vec3 b) /* 5 */
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

LANE_FUNCTION vec3 vec3_cross(vec3 a, vec3 b) /* 9 */
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* w x (w x r) = w (w.r) - r (w.w) */
LANE_FUNCTION vec3 vec3_centripetal(vec3 w, vec3 r) /* 19 */
{
    const real wr = vec3_dot(w, r);
    const real ww = vec3_dot(w, w);
    return (vec3){w.x * wr - r.x * ww, w.y * wr - r.y * ww, w.z * wr - r.z * ww};
}

/* ---- matrices --------------------------------------------------------------------------- */

LANE_FUNCTION sym3 sym3_load(const double *from, int stride)
{
    return (sym3){lane_load(from),
                  lane_load(from + stride),
                  lane_load(from + 2 * stride),
                  lane_load(from + 3 * stride),
                  lane_load(from + 4 * stride),
                  lane_load(from + 5 * stride)};
}

LANE_FUNCTION void sym3_store(double *to, int stride, sym3 s)
{
    lane_store(to, s.xx);
    lane_store(to + stride, s.yy);
    lane_store(to + 2 * stride, s.zz);
    lane_store(to + 3 * stride, s.xy);
    lane_store(to + 4 * stride, s.xz);
    lane_store(to + 5 * stride, s.yz);
}

LANE_FUNCTION mat3 mat3_load(const double *from, int stride)
{
    return (mat3){lane_load(from),
                  lane_load(from + stride),
                  lane_load(from + 2 * stride),
                  lane_load(from + 3 * stride),
                  lane_load(from + 4 * stride),
                  lane_load(from + 5 * stride),
                  lane_load(from + 6 * stride),
                  lane_load(from + 7 * stride),
                  lane_load(from + 8 * stride)};
}

LANE_FUNCTION void mat3_store(double *to, int stride, mat3 m)
{
    lane_store(to, m.xx);
    lane_store(to + stride, m.xy);
    lane_store(to + 2 * stride, m.xz);
    lane_store(to + 3 * stride, m.yx);
    lane_store(to + 4 * stride, m.yy);
    lane_store(to + 5 * stride, m.yz);
    lane_store(to + 6 * stride, m.zx);
    lane_store(to + 7 * stride, m.zy);
    lane_store(to + 8 * stride, m.zz);
}

LANE_FUNCTION vec3 sym3_apply(sym3 s, vec3 v) /* 15 */
{
    return (vec3){s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
                  s.xz * v.x + s.yz * v.y + s.zz * v.z};
}

LANE_FUNCTION vec3 mat3_apply(mat3 m, vec3 v) /* 15 */
{
    return (vec3){m.xx * v.x + m.xy * v.y + m.xz * v.z, m.yx * v.x + m.yy * v.y + m.yz * v.z,
                  m.zx * v.x + m.zy * v.y + m.zz * v.z};
}

/* m^T v */
LANE_FUNCTION vec3 mat3_apply_transposed(mat3 m, vec3 v) /* 15 */
{
    return (vec3){m.xx * v.x + m.yx * v.y + m.zx * v.z, m.xy * v.x + m.yy * v.y + m.zy * v.z,
                  m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

/* a^T b */
LANE_INLINE mat3 mat3_transposed_times(mat3 a, mat3 b) /* 45 */
{
    return (mat3){a.xx * b.xx + a.yx * b.yx + a.zx * b.zx, a.xx * b.xy + a.yx * b.yy + a.zx * b.zy,
                  a.xx * b.xz + a.yx * b.yz + a.zx * b.zz, a.xy * b.xx + a.yy * b.yx + a.zy * b.zx,
                  a.xy * b.xy + a.yy * b.yy + a.zy * b.zy, a.xy * b.xz + a.yy * b.yz + a.zy * b.zz,
                  a.xz * b.xx + a.yz * b.yx + a.zz * b.zx, a.xz * b.xy + a.yz * b.yy + a.zz * b.zy,
                  a.xz * b.xz + a.yz * b.yz + a.zz * b.zz};
}

/* a b */
LANE_INLINE mat3 mat3_product(mat3 a, mat3 b) /* 45 */
{
    return mat3_transposed_times((mat3){a.xx, a.yx, a.zx, a.xy, a.yy, a.zy, a.xz, a.yz, a.zz}, b);
}

LANE_FUNCTION mat3 mat3_identity(void)
{
    const real one = lane_set(1.0);
    const real zero = lane_set(0.0);
    return (mat3){one, zero, zero, zero, one, zero, zero, zero, one};
}

LANE_FUNCTION mat3 mat3_add(mat3 a, mat3 b)
{
    return (mat3){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yx + b.yx, a.yy + b.yy,
                  a.yz + b.yz, a.zx + b.zx, a.zy + b.zy, a.zz + b.zz};
}

/* where the mask holds a, else b */
LANE_FUNCTION mat3 mat3_select(mask where, mat3 a, mat3 b)
{
    return (mat3){lane_select(where, a.xx, b.xx), lane_select(where, a.xy, b.xy),
                  lane_select(where, a.xz, b.xz), lane_select(where, a.yx, b.yx),
                  lane_select(where, a.yy, b.yy), lane_select(where, a.yz, b.yz),
                  lane_select(where, a.zx, b.zx), lane_select(where, a.zy, b.zy),
                  lane_select(where, a.zz, b.zz)};
}

/* m s m^T */
LANE_INLINE sym3 sym3_rotate(mat3 m, sym3 s) /* 75 */
{
    const vec3 x = sym3_apply(s, (vec3){m.xx, m.xy, m.xz});
    const vec3 y = sym3_apply(s, (vec3){m.yx, m.yy, m.yz});
    const vec3 z = sym3_apply(s, (vec3){m.zx, m.zy, m.zz});
    return (sym3){m.xx * x.x + m.xy * x.y + m.xz * x.z, m.yx * y.x + m.yy * y.y + m.yz * y.z,
                  m.zx * z.x + m.zy * z.y + m.zz * z.z, m.xx * y.x + m.xy * y.y + m.xz * y.z,
                  m.xx * z.x + m.xy * z.y + m.xz * z.z, m.yx * z.x + m.yy * z.y + m.yz * z.z};
}

/* s r~, whose columns are s (column of r~): (s r~) v = s (r x v) */
LANE_FUNCTION mat3 sym3_times_tilde(sym3 s, vec3 r) /* 27 */
{
    return (mat3){s.xy * r.z - s.xz * r.y, s.xz * r.x - s.xx * r.z, s.xx * r.y - s.xy * r.x,
                  s.yy * r.z - s.yz * r.y, s.yz * r.x - s.xy * r.z, s.xy * r.y - s.yy * r.x,
                  s.yz * r.z - s.zz * r.y, s.zz * r.x - s.xz * r.z, s.xz * r.y - s.yz * r.x};
}

/* r~ b, whose columns are r x (column of b) */
LANE_FUNCTION mat3 tilde_times(vec3 r, mat3 b) /* 27 */
{
    return (mat3){r.y * b.zx - r.z * b.yx, r.y * b.zy - r.z * b.yy, r.y * b.zz - r.z * b.yz,
                  r.z * b.xx - r.x * b.zx, r.z * b.xy - r.x * b.zy, r.z * b.xz - r.x * b.zz,
                  r.x * b.yx - r.y * b.xx, r.x * b.yy - r.y * b.xy, r.x * b.yz - r.y * b.xz};
}

/* r~ b for a b that makes the product symmetric */
LANE_FUNCTION sym3 tilde_times_symmetric(vec3 r, mat3 b) /* 18 */
{
    return (sym3){r.y * b.zx - r.z * b.yx, r.z * b.xy - r.x * b.zy, r.x * b.yz - r.y * b.xz,
                  r.y * b.zy - r.z * b.yy, r.y * b.zz - r.z * b.yz, r.z * b.xz - r.x * b.zz};
}

/* w x J w, written so that terms cancel before they are rounded: a body of revolution (J_xx = J_yy)
 * gets exactly no moment about its axis, where a thin rod has hardly any inertia. */
LANE_FUNCTION vec3 sym3_gyroscopic(sym3 j, vec3 w) /* 36 */
{
    const real xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
    return (vec3){
        (j.zz - j.yy) * (w.y * w.z) + j.yz * (yy - zz) + w.x * (j.xz * w.y - j.xy * w.z),
        (j.xx - j.zz) * (w.x * w.z) + j.xz * (zz - xx) + w.y * (j.xy * w.z - j.yz * w.x),
        (j.yy - j.xx) * (w.x * w.y) + j.xy * (xx - yy) + w.z * (j.yz * w.x - j.xz * w.y),
    };
}

/* ---- attitude --------------------------------------------------------------------------- */

LANE_FUNCTION quat quat_load(const double *from, int stride)
{
    return (quat){lane_load(from), lane_load(from + stride), lane_load(from + 2 * stride),
                  lane_load(from + 3 * stride)};
}

/* Rotation matrix of a quaternion of any length: body axes to the axes it is given in. */
LANE_INLINE mat3 quat_rotation(quat q) /* 32, one division */
{
    const real s = lane_set(2.0) / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    const real sx = s * q.x, sy = s * q.y, sz = s * q.z;
    const real xx = sx * q.x, yy = sy * q.y, zz = sz * q.z;
    const real xy = sx * q.y, xz = sx * q.z, yz = sy * q.z;
    const real wx = sx * q.w, wy = sy * q.w, wz = sz * q.w;
    const real one = lane_set(1.0);
    return (mat3){one - (yy + zz), xy - wz, xz + wy, xy + wz,        one - (xx + zz),
                  yz - wx,         xz - wy, yz + wx, one - (xx + yy)};
}

LANE_FUNCTION quat quat_identity(void)
{
    const real zero = lane_set(0.0);
    return (quat){lane_set(1.0), zero, zero, zero};
}

/* conj(a) b: the orientation b seen from a. It is computed from the difference, which vanishes
 * where both are equal. Contracted products of the numbers themselves would leave a rounding, which
 * moves a straight chain of 2,000 rods by 1e-9. */
LANE_FUNCTION quat quat_between(quat a, quat b) /* 32 */
{
    const quat d = {b.w - a.w, b.x - a.x, b.y - a.y, b.z - a.z};
    return (quat){a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z,
                  a.w * d.x - a.x * d.w - a.y * d.z + a.z * d.y,
                  a.w * d.y - a.y * d.w - a.z * d.x + a.x * d.z,
                  a.w * d.z - a.z * d.w - a.x * d.y + a.y * d.x};
}

LANE_FUNCTION quat quat_select(mask m, quat a, quat b)
{
    return (quat){lane_select(m, a.w, b.w), lane_select(m, a.x, b.x), lane_select(m, a.y, b.y),
                  lane_select(m, a.z, b.z)};
}

/* q' = (1/2) q (0, w), w in body axes */
LANE_FUNCTION quat quat_rate(quat q, vec3 w) /* 31 */
{
    const real half = lane_set(0.5);
    const vec3 h = vec3_scale(half, w);
    return (quat){-q.x * h.x - q.y * h.y - q.z * h.z, q.w * h.x + q.y * h.z - q.z * h.y,
                  q.w * h.y + q.z * h.x - q.x * h.z, q.w * h.z + q.x * h.y - q.y * h.x};
}

#endif
