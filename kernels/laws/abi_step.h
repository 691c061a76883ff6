/* One body of the articulated-body sweep, ball hinges, 3x3 form (seeds 001 eqs. .39-.40 and 002;
 * design: a smooth ball hinge transmits only a force).
 *
 * All quantities in the axes of the link itself; Q turns outboard axes into link axes. Gravity is
 * an acceleration of the ground: A = (acceleration of the hinge point O) - g. With r = O ->
 * outboard hinge, c = O -> centre of mass, J about O, d = w x (w x c), v = w x (w x r), and for
 * each outboard link the force it asks for at its hinge, F = S A + e:
 *
 *     A11 = m 1 + sum S          A12 = -m c~ - sum S r~        A22 = J - sum r~ S r~
 *     b1  = m d + sum (S v + e)  b2  = w x J w + sum r x (S v + e)
 *
 *     F   = A11 A + A12 alpha + b1          force at the hinge
 *     0   = A12^T A + A22 alpha + b2        no moment at the hinge
 *
 *     inward:   G = A22^-1 A12^T,  h = A22^-1 b2,  S = A11 - A12 G,  e = b1 - A12 h
 *     outward:  alpha = -(G A + h),  A_outboard = Q^T (A + alpha x r + v)
 *
 * Link axes, not inertial ones: r and J are then exact constants. A rod under tension T feels a
 * torque r x F about its own axis that is zero in exact arithmetic; with r rotated it is eps T,
 * over a tiny axial inertia (docs/decisions.md).
 */
#ifndef RCT_KERNELS_LAWS_ABI_STEP_H
#define RCT_KERNELS_LAWS_ABI_STEP_H

#include "kernels/lane/spatial.h"

/* What an outboard link asks for at its hinge: F = S A + e. */
typedef struct abi_handle {
    sym3 s; /* kg */
    vec3 e; /* N  */
} abi_handle;

/* A body with what hangs on it, before its own hinge is eliminated. */
typedef struct abi_body {
    sym3 a11;
    mat3 a12;
    sym3 a22;
    vec3 b1;
    vec3 b2;
} abi_body;

/* What the outward step needs: alpha = -(g A + h). */
typedef struct abi_gain {
    mat3 g; /* 1/m     */
    vec3 h; /* rad/s^2 */
} abi_gain;

/* The body alone: mass m, centre of mass c, inertia J about the hinge point, rate w. */
LANE_INLINE abi_body abi_body_alone(real m, vec3 c, sym3 j, vec3 w) /* 58 */
{
    const vec3 mc = vec3_scale(m, c);
    const real zero = lane_set(0.0);
    return (abi_body){
        .a11 = {m, m, m, zero, zero, zero},
        .a12 = {zero, mc.z, -mc.y, -mc.z, zero, mc.x, mc.y, -mc.x, zero}, /* -m c~ */
        .a22 = j,
        .b1 = vec3_centripetal(w, mc),
        .b2 = sym3_gyroscopic(j, w),
    };
}

/* Hang an outboard link, given in link axes, on the point r. */
LANE_INLINE void abi_add_outboard(abi_body *body, abi_handle out, vec3 r, vec3 w) /* 126 */
{
    const mat3 sr = sym3_times_tilde(out.s, r);
    const sym3 rsr = tilde_times_symmetric(r, sr);
    const vec3 f = vec3_add(sym3_apply(out.s, vec3_centripetal(w, r)), out.e);
    body->a11.xx += out.s.xx, body->a11.yy += out.s.yy, body->a11.zz += out.s.zz;
    body->a11.xy += out.s.xy, body->a11.xz += out.s.xz, body->a11.yz += out.s.yz;
    body->a12.xx -= sr.xx, body->a12.xy -= sr.xy, body->a12.xz -= sr.xz;
    body->a12.yx -= sr.yx, body->a12.yy -= sr.yy, body->a12.yz -= sr.yz;
    body->a12.zx -= sr.zx, body->a12.zy -= sr.zy, body->a12.zz -= sr.zz;
    body->a22.xx -= rsr.xx, body->a22.yy -= rsr.yy, body->a22.zz -= rsr.zz;
    body->a22.xy -= rsr.xy, body->a22.xz -= rsr.xz, body->a22.yz -= rsr.yz;
    body->b1 = vec3_add(body->b1, f);
    body->b2 = vec3_add(body->b2, vec3_cross(r, f));
}

/* L D L^T of a symmetric 3x3 matrix: the reciprocals of D and the three entries of L. */
typedef struct ldl3 {
    real ix, iy, iz;    /* 1 / D                                                        */
    real lyx, lzx, lzy; /* L                                                            */
    mask regular;       /* every pivot is positive, and more than rounding of the trace */
} ldl3;

/* By minors (Bareiss): p = a_xx, m = minor of (x, y), d = p det; then D = (p, m / p, d / (p m)).
 * The rounding is that of elimination, but the divisions do not wait for one another. All bodies of
 * a path wait for them in turn. */
LANE_FUNCTION ldl3 ldl3_factor(sym3 a) /* 26, three divisions */
{
    const real noise = lane_set(0x1p-48) * (a.xx + a.yy + a.zz); /* 16 ulp */
    const real m = a.xx * a.yy - a.xy * a.xy;
    const real mz = a.xx * a.zz - a.xz * a.xz;
    const real my = a.xx * a.yz - a.xy * a.xz;
    const real d = m * mz - my * my;
    const real pm = a.xx * m;
    const real im = lane_reciprocal(m);
    ldl3 f;
    f.ix = lane_reciprocal(a.xx);
    f.iy = a.xx * im;
    f.iz = lane_quotient(pm, d);
    f.lyx = a.xy * f.ix;
    f.lzx = a.xz * f.ix;
    f.lzy = my * im;
    f.regular = lane_and(lane_and(lane_greater(a.xx, noise), lane_greater(m, noise * a.xx)),
                         lane_and(lane_greater(d, noise * (m * a.xx) + lane_set(PIVOT_LEAST_4)),
                                  lane_greater(lane_set(PIVOT_MOST_4), d)));
    return f;
}

/* L^-1 b */
LANE_FUNCTION vec3 ldl3_forward(ldl3 f, vec3 b) /* 6 */
{
    const real y = b.y - f.lyx * b.x;
    return (vec3){b.x, y, (b.z - f.lzx * b.x) - f.lzy * y};
}

LANE_FUNCTION vec3 ldl3_solve(ldl3 f, vec3 b) /* 15 */
{
    const real y = b.y - f.lyx * b.x;
    const real z = (b.z - f.lzx * b.x) - f.lzy * y;
    vec3 x;
    x.z = z * f.iz;
    x.y = y * f.iy - f.lzy * x.z;
    x.x = (b.x * f.ix - f.lyx * x.y) - f.lzx * x.z;
    return x;
}

/* G and h of a body from the factor of its A22. */
LANE_INLINE abi_gain abi_gain_of(const abi_body *body, ldl3 f) /* 60 */
{
    const mat3 b = body->a12;
    const vec3 gx = ldl3_solve(f, (vec3){b.xx, b.xy, b.xz}); /* columns of G: rows of A12 */
    const vec3 gy = ldl3_solve(f, (vec3){b.yx, b.yy, b.yz});
    const vec3 gz = ldl3_solve(f, (vec3){b.zx, b.zy, b.zz});
    return (abi_gain){{gx.x, gy.x, gz.x, gx.y, gy.y, gz.y, gx.z, gy.z, gz.z},
                      ldl3_solve(f, body->b2)};
}

/* Eliminate the body's own hinge: the handle for the parent and the gain for the way outward.
 * Returns the factor of A22; it is not regular where the body's spin is undetermined. */
LANE_INLINE ldl3 abi_eliminate(const abi_body *body, abi_handle *handle, abi_gain *gain) /* 133 */
{
    const mat3 b = body->a12;
    const ldl3 f = ldl3_factor(body->a22);
    *gain = abi_gain_of(body, f);
    const mat3 g = gain->g;
    const vec3 gx = {g.xx, g.yx, g.zx}, gy = {g.xy, g.yy, g.zy}, gz = {g.xz, g.yz, g.zz};
    handle->s.xx = body->a11.xx - (b.xx * gx.x + b.xy * gx.y + b.xz * gx.z);
    handle->s.yy = body->a11.yy - (b.yx * gy.x + b.yy * gy.y + b.yz * gy.z);
    handle->s.zz = body->a11.zz - (b.zx * gz.x + b.zy * gz.y + b.zz * gz.z);
    handle->s.xy = body->a11.xy - (b.xx * gy.x + b.xy * gy.y + b.xz * gy.z);
    handle->s.xz = body->a11.xz - (b.xx * gz.x + b.xy * gz.y + b.xz * gz.z);
    handle->s.yz = body->a11.yz - (b.yx * gz.x + b.yy * gz.y + b.yz * gz.z);
    handle->e = vec3_sub(body->b1, mat3_apply(b, gain->h));
    return f;
}

/* A handle given in outboard axes, turned by Q into link axes. */
LANE_INLINE abi_handle abi_turn(mat3 q, abi_handle out) /* 90 */
{
    return (abi_handle){sym3_rotate(q, out.s), mat3_apply(q, out.e)};
}

/* alpha = -(G A + h) */
LANE_FUNCTION vec3 abi_angular(abi_gain gain, vec3 a) /* 18 */
{
    const vec3 ga = mat3_apply(gain.g, a);
    return (vec3){-(ga.x + gain.h.x), -(ga.y + gain.h.y), -(ga.z + gain.h.z)};
}

/* A + alpha x r + w x (w x r): acceleration of the point r of the body, body axes */
LANE_INLINE vec3 point_acceleration(vec3 a, vec3 alpha, vec3 w, vec3 r) /* 34 */
{
    return vec3_add(vec3_add(a, vec3_cross(alpha, r)), vec3_centripetal(w, r));
}

#endif
