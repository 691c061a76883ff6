/* Two-handle subchains of ball hinges (design section 2): one body, closing, composition.
 *
 * A span is a run of links with an open outboard end. With A the acceleration (less gravity) of its
 * inboard hinge point, lambda the force it must supply at its outboard end, F the force it asks for
 * at its inboard end and A_out the acceleration of its outboard point:
 *
 *     F     = S A + e + E lambda
 *     A_out = E^T A + h - Psi lambda          S, Psi symmetric, positive semidefinite
 *
 * The end is not quite open: a point mass mu hangs on it instead of what follows (the stand-in),
 * and lambda is the force on the rest, less mu A_out. Without mu, the end might have nothing or
 * almost nothing to resist its rotation about some axis, where the whole system has. With a mu of
 * the size of what follows, Psi has that size too. The final result does not depend on mu.
 *
 * E is used transposed for A_out (reciprocity), so nothing is stored twice. lambda, A_out, h, Psi
 * and the columns of E are in the axes of the outermost link; F, A, S, e and the rows of E in those
 * of the innermost link reached. abi_step.h says why these are link axes and not inertial ones.
 */
#ifndef RCT_KERNELS_LAWS_ABI_SPAN_STEP_H
#define RCT_KERNELS_LAWS_ABI_SPAN_STEP_H

#include "kernels/laws/abi_step.h"
#include "kernels/records/spans.h"

typedef struct abi_span {
    abi_handle handle; /* S, e      */
    mat3 through;      /* E         */
    vec3 free;         /* h, m/s^2  */
    sym3 compliance;   /* Psi, 1/kg */
} abi_span;

/* What hangs on the end of a span, S A + e, less its stand-in. */
LANE_FUNCTION abi_handle abi_besides(abi_handle rest, real mu) /* 3 */
{
    rest.s.xx -= mu;
    rest.s.yy -= mu;
    rest.s.zz -= mu;
    return rest;
}

/* The outboard handle: S = mu, e = 0, E = 1, h = 0, Psi = 0. */
LANE_FUNCTION abi_span abi_span_open(real mu)
{
    const real zero = lane_set(0.0);
    const sym3 none = {zero, zero, zero, zero, zero, zero};
    const sym3 mass = {mu, mu, mu, zero, zero, zero};
    return (abi_span){{mass, vec3_zero()}, mat3_identity(), vec3_zero(), none};
}

/* a^T b for columns ax, ay, az of a, given as vectors: row k is (a_k . b_x, a_k . b_y, a_k .
 * b_z). */
LANE_FUNCTION sym3 gram(vec3 x, vec3 y, vec3 z, vec3 u, vec3 v, vec3 w) /* 30 */
{
    return (sym3){vec3_dot(x, u), vec3_dot(y, v), vec3_dot(z, w),
                  vec3_dot(x, v), vec3_dot(x, w), vec3_dot(y, w)};
}

LANE_FUNCTION vec3 ldl3_scale(ldl3 f, vec3 b) /* D^-1 b, 3 */
{
    return (vec3){f.ix * b.x, f.iy * b.y, f.iz * b.z};
}

/* Take a span inward over a body whose hinge is eliminated. On entry `span` is that outboard of the
 * body, in its axes, hung at r and added to `body`; on return it includes the body. With
 * A22 = L D L^T only forward substitution is needed, Z = L^-1 A12^T, Y = L^-1 r~ E, y = L^-1 b2:
 *
 *     S' = A11 - Z^T D^-1 Z     e' = b1 - Z^T D^-1 y     E' = E - Z^T D^-1 Y
 *     h' = h + E^T v - Y^T D^-1 y                        Psi' = Psi + Y^T D^-1 Y
 */
LANE_FUNCTION mask abi_span_eliminate(const abi_body *body, vec3 r, vec3 w,
                                      abi_span *span) /* 350 */
{
    const ldl3 f = ldl3_factor(body->a22);
    const mat3 e = span->through;
    const mat3 b = body->a12;
    const mat3 re = tilde_times(r, e);
    const vec3 zx = ldl3_forward(f, (vec3){b.xx, b.xy, b.xz}); /* columns of A12^T */
    const vec3 zy = ldl3_forward(f, (vec3){b.yx, b.yy, b.yz});
    const vec3 zz = ldl3_forward(f, (vec3){b.zx, b.zy, b.zz});
    const vec3 yx = ldl3_forward(f, (vec3){re.xx, re.yx, re.zx});
    const vec3 yy = ldl3_forward(f, (vec3){re.xy, re.yy, re.zy});
    const vec3 yz = ldl3_forward(f, (vec3){re.xz, re.yz, re.zz});
    const vec3 y = ldl3_forward(f, body->b2);
    const vec3 dx = ldl3_scale(f, zx), dy = ldl3_scale(f, zy), dz = ldl3_scale(f, zz);
    const vec3 ux = ldl3_scale(f, yx), uy = ldl3_scale(f, yy), uz = ldl3_scale(f, yz);
    const sym3 s = gram(zx, zy, zz, dx, dy, dz);
    const sym3 psi = gram(yx, yy, yz, ux, uy, uz);
    const vec3 ev = mat3_apply_transposed(e, vec3_centripetal(w, r));
    span->handle.s = (sym3){body->a11.xx - s.xx, body->a11.yy - s.yy, body->a11.zz - s.zz,
                            body->a11.xy - s.xy, body->a11.xz - s.xz, body->a11.yz - s.yz};
    span->handle.e = (vec3){body->b1.x - vec3_dot(dx, y), body->b1.y - vec3_dot(dy, y),
                            body->b1.z - vec3_dot(dz, y)};
    span->through =
        (mat3){e.xx - vec3_dot(dx, yx), e.xy - vec3_dot(dx, yy), e.xz - vec3_dot(dx, yz),
               e.yx - vec3_dot(dy, yx), e.yy - vec3_dot(dy, yy), e.yz - vec3_dot(dy, yz),
               e.zx - vec3_dot(dz, yx), e.zy - vec3_dot(dz, yy), e.zz - vec3_dot(dz, yz)};
    span->free.x += ev.x - vec3_dot(ux, y);
    span->free.y += ev.y - vec3_dot(uy, y);
    span->free.z += ev.z - vec3_dot(uz, y);
    span->compliance.xx += psi.xx, span->compliance.yy += psi.yy, span->compliance.zz += psi.zz;
    span->compliance.xy += psi.xy, span->compliance.xz += psi.xz, span->compliance.yz += psi.yz;
    return f.regular;
}

/* Turn a span from the axes of its innermost link into others. */
LANE_FUNCTION void abi_span_turn(mat3 q, abi_span *span) /* 135 */
{
    span->handle = abi_turn(q, span->handle);
    span->through = mat3_product(q, span->through);
}

/* ---- composition ------------------------------------------------------------------------- *
 *
 * All in common axes. Two handles at one point pass on K = (1 + Psi_P S_C)^-1 and T = S_C K =
 * (S_C^-1 + Psi_P)^-1. Where a light end carries a heavy rest, Psi S = 10^k, digits are lost unless
 * K is applied by elimination (never as 1 - Psi T) and T keeps its small entries beside its large
 * ones (which the symmetric G (1 + G^T Psi G)^-1 G^T, S = G G^T, does not). */

/* Swap rows a and b where b has the larger entry k. */
LANE_FUNCTION void abi_order(real a[6], real b[6], int k)
{
    const mask swap = lane_greater(lane_abs(b[k]), lane_abs(a[k]));
    for (int j = 0; j < 6; j++) {
        const real upper = lane_select(swap, b[j], a[j]);
        b[j] = lane_select(swap, a[j], b[j]);
        a[j] = upper;
    }
}

/* b -= (b_k / a_k) a, from i = 1 / a_k */
LANE_FUNCTION void abi_reduce(const real a[6], real b[6], int k, real i)
{
    const real factor = b[k] * i;
    for (int j = k + 1; j < 6; j++) {
        b[j] = b[j] - factor * a[j];
    }
}

LANE_FUNCTION real mat3_size(mat3 m) /* sum of sizes, 17 */
{
    return lane_abs(m.xx) + lane_abs(m.xy) + lane_abs(m.xz) + lane_abs(m.yx) + lane_abs(m.yy) +
           lane_abs(m.yz) + lane_abs(m.zx) + lane_abs(m.zy) + lane_abs(m.zz);
}

/* (1 + a b)^-1 v by elimination with rows in order of size, one division a pivot; `size` is that of
 * 1 + a b. */
LANE_FUNCTION mat3 abi_meet_all(sym3 a, sym3 b, mat3 v, real *size) /* 150, three divisions */
{
    const real one = lane_set(1.0);
    const vec3 x = sym3_apply(a, (vec3){b.xx, b.xy, b.xz}); /* columns of a b */
    const vec3 y = sym3_apply(a, (vec3){b.xy, b.yy, b.yz});
    const vec3 z = sym3_apply(a, (vec3){b.xz, b.yz, b.zz});
    real p[6] = {one + x.x, y.x, z.x, v.xx, v.xy, v.xz};
    real q[6] = {x.y, one + y.y, z.y, v.yx, v.yy, v.yz};
    real r[6] = {x.z, y.z, one + z.z, v.zx, v.zy, v.zz};
    *size = mat3_size((mat3){p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2]});
    abi_order(p, q, 0);
    abi_order(p, r, 0);
    const real ip = lane_reciprocal(p[0]);
    abi_reduce(p, q, 0, ip);
    abi_reduce(p, r, 0, ip);
    abi_order(q, r, 1);
    const real iq = lane_reciprocal(q[1]);
    abi_reduce(q, r, 1, iq);
    const real ir = lane_reciprocal(r[2]);
    for (int j = 3; j < 6; j++) {
        r[j] = r[j] * ir;
        q[j] = (q[j] - q[2] * r[j]) * iq;
        p[j] = ((p[j] - p[2] * r[j]) - p[1] * q[j]) * ip;
    }
    return (mat3){p[3], p[4], p[5], q[3], q[4], q[5], r[3], r[4], r[5]};
}

LANE_FUNCTION vec3 abi_meet(sym3 a, sym3 b, vec3 v)
{
    const real zero = lane_set(0.0);
    real size;
    const mat3 x =
        abi_meet_all(a, b, (mat3){v.x, zero, zero, v.y, zero, zero, v.z, zero, zero}, &size);
    return (vec3){x.xx, x.yx, x.zx};
}

typedef struct abi_joint {
    mat3 k;
    sym3 t;
    mask regular; /* the two resist every acceleration of the joint more than rounding does */
} abi_joint;

/* K and T = S K for S, Psi symmetric. An entry of T beside the diagonal is taken from the smaller
 * column of K, whose rounding is smaller. */
LANE_FUNCTION abi_joint abi_join(sym3 s, sym3 psi) /* 240 */
{
    abi_joint joint;
    real size;
    const mat3 k = abi_meet_all(psi, s, mat3_identity(), &size);
    const vec3 kx = {k.xx, k.yx, k.zx}, ky = {k.xy, k.yy, k.zy}, kz = {k.xz, k.yz, k.zz};
    const vec3 x = sym3_apply(s, kx), y = sym3_apply(s, ky), z = sym3_apply(s, kz);
    const real nx = vec3_dot(kx, kx), ny = vec3_dot(ky, ky), nz = vec3_dot(kz, kz);
    joint.regular =
        lane_greater(lane_set(0x1p46), size * mat3_size(k)); /* condition below 1 / (64 ulp) */
    joint.k = k;
    joint.t = (sym3){x.x,
                     y.y,
                     z.z,
                     lane_select(lane_greater(nx, ny), y.x, x.y),
                     lane_select(lane_greater(nx, nz), z.x, x.z),
                     lane_select(lane_greater(ny, nz), z.y, y.z)};
    return joint;
}

LANE_FUNCTION vec3 vec3_minus_applied(vec3 a, sym3 s, vec3 b) /* a - s b, 18 */
{
    return vec3_sub(a, sym3_apply(s, b));
}

/* Close a span by what hangs on its outboard end, less the stand-in; `regular` as in abi_joint:
 *     S = S_P + E T E^T        e = e_P + E K^T (e_C + S_C h) */
LANE_FUNCTION abi_handle abi_span_close(const abi_span *p, abi_handle c, mask *regular) /* 375 */
{
    const abi_joint joint = abi_join(c.s, p->compliance);
    const sym3 s = sym3_rotate(p->through, joint.t);
    const vec3 whole = vec3_add(c.e, sym3_apply(c.s, p->free));
    const vec3 e = mat3_apply(p->through, mat3_apply_transposed(joint.k, whole));
    *regular = joint.regular;
    return (abi_handle){{p->handle.s.xx + s.xx, p->handle.s.yy + s.yy, p->handle.s.zz + s.zz,
                         p->handle.s.xy + s.xy, p->handle.s.xz + s.xz, p->handle.s.yz + s.yz},
                        vec3_add(p->handle.e, e)};
}

/* The acceleration of the outboard end from A at the inboard end: K (E^T A + h - Psi e_C) */
LANE_FUNCTION vec3 abi_span_reach(const abi_span *p, abi_handle c, vec3 a) /* 130 */
{
    return abi_meet(p->compliance, c.s,
                    vec3_add(mat3_apply_transposed(p->through, a),
                             vec3_minus_applied(p->free, p->compliance, c.e)));
}

/* Two spans end to end are a span (the associative law), S_C less the stand-in of P; `regular` as
 * in abi_joint:
 *     E = E_P K^T E_C      h = h_C + E_C^T K (h_P - Psi_P e_C)
 *     Psi = Psi_C + E_C^T (Psi_P^-1 + S_C)^-1 E_C */
LANE_FUNCTION abi_span abi_span_compose(const abi_span *p, const abi_span *c,
                                        mask *regular) /* 950 */
{
    const sym3 psi = p->compliance;
    const mat3 e = c->through;
    const mat3 et = {e.xx, e.yx, e.zx, e.xy, e.yy, e.zy, e.xz, e.yz, e.zz};
    const abi_joint joint = abi_join(c->handle.s, psi);
    const sym3 add = sym3_rotate(et, abi_join(psi, c->handle.s).t);
    const vec3 u = mat3_apply(joint.k, vec3_minus_applied(p->free, psi, c->handle.e));
    abi_span out;
    out.handle = abi_span_close(p, c->handle, regular);
    out.through = mat3_product(p->through, mat3_transposed_times(joint.k, e));
    out.free = vec3_add(c->free, mat3_apply(et, u));
    out.compliance =
        (sym3){c->compliance.xx + add.xx, c->compliance.yy + add.yy, c->compliance.zz + add.zz,
               c->compliance.xy + add.xy, c->compliance.xz + add.xz, c->compliance.yz + add.yz};
    return out;
}

/* ---- records ----------------------------------------------------------------------------- */

LANE_FUNCTION abi_span abi_span_load(const double *from, int stride)
{
    return (abi_span){
        {sym3_load(from + SPAN_S * stride, stride), vec3_load(from + SPAN_E * stride, stride)},
        mat3_load(from + SPAN_THROUGH * stride, stride),
        vec3_load(from + SPAN_FREE * stride, stride),
        sym3_load(from + SPAN_COMPLIANCE * stride, stride)};
}

LANE_FUNCTION void abi_span_store(double *to, int stride, const abi_span *span)
{
    sym3_store(to + SPAN_S * stride, stride, span->handle.s);
    vec3_store(to + SPAN_E * stride, stride, span->handle.e);
    mat3_store(to + SPAN_THROUGH * stride, stride, span->through);
    vec3_store(to + SPAN_FREE * stride, stride, span->free);
    sym3_store(to + SPAN_COMPLIANCE * stride, stride, span->compliance);
}

#endif
