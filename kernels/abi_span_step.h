/* Two-handle subchains of ball hinges (design section 2): one body, closing, composition.
 *
 * A span is a run of links with an open outboard end. With A the acceleration (less gravity) of its
 * inboard hinge point, lambda the force it must supply at its outboard end, F the force it asks for
 * at its inboard end and A_out the acceleration of its outboard point:
 *
 *     F     = S A + e + E lambda
 *     A_out = E^T A + h - Psi lambda          S, Psi symmetric, positive semidefinite
 *
 * E is used transposed for A_out (reciprocity), so nothing is stored twice. lambda, A_out, h and Psi
 * are in inertial axes; F, A, S, e and the rows of E in those of the innermost link reached, at the
 * handles of a finished span in inertial axes too.
 */
#ifndef RCT_KERNELS_ABI_SPAN_STEP_H
#define RCT_KERNELS_ABI_SPAN_STEP_H

#include "kernels/abi_step.h"
#include "kernels/tiles.h"

typedef struct abi_span {
    abi_handle handle; /* S, e       */
    mat3 through;      /* E          */
    vec3 free;         /* h, m/s^2   */
    sym3 compliance;   /* Psi, 1/kg  */
} abi_span;

/* a b */
static inline mat3 mat3_product(mat3 a, mat3 b) /* 45 */
{
    return mat3_transposed_times((mat3){a.xx, a.yx, a.zx, a.xy, a.yy, a.zy, a.xz, a.yz, a.zz}, b);
}

static inline mat3 mat3_identity(void)
{
    const real one = lane_set(1.0);
    const real zero = lane_set(0.0);
    return (mat3){one, zero, zero, zero, one, zero, zero, zero, one};
}

/* At the outboard handle: S = 0, e = 0, E = 1, h = 0, Psi = 0. */
static inline abi_span abi_span_open(void)
{
    const real zero = lane_set(0.0);
    const sym3 none = {zero, zero, zero, zero, zero, zero};
    return (abi_span){{none, vec3_zero()}, mat3_identity(), vec3_zero(), none};
}

/* r~ b, whose columns are r x (column of b) */
static inline mat3 tilde_times(vec3 r, mat3 b) /* 27 */
{
    return (mat3){r.y * b.zx - r.z * b.yx, r.y * b.zy - r.z * b.yy, r.y * b.zz - r.z * b.yz,
                  r.z * b.xx - r.x * b.zx, r.z * b.xy - r.x * b.zy, r.z * b.xz - r.x * b.zz,
                  r.x * b.yx - r.y * b.xx, r.x * b.yy - r.y * b.xy, r.x * b.yz - r.y * b.xz};
}

/* a^T b for columns ax, ay, az of a, given as vectors: row k is (a_k . b_x, a_k . b_y, a_k . b_z). */
static inline sym3 gram(vec3 x, vec3 y, vec3 z, vec3 u, vec3 v, vec3 w) /* 30 */
{
    return (sym3){vec3_dot(x, u), vec3_dot(y, v), vec3_dot(z, w),
                  vec3_dot(x, v), vec3_dot(x, w), vec3_dot(y, w)};
}

static inline vec3 ldl3_scale(ldl3 f, vec3 b) /* D^-1 b, 3 */
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
static inline mask abi_span_eliminate(const abi_body *body, vec3 r, vec3 w,
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
static inline void abi_span_turn(mat3 q, abi_span *span) /* 135 */
{
    span->handle = abi_turn(q, span->handle);
    span->through = mat3_product(q, span->through);
}

/* ---- composition ------------------------------------------------------------------------- *
 *
 * All in inertial axes. What two handles at one point pass on is T = S_C K = (S_C^-1 + Psi_P)^-1,
 * K = (1 + Psi_P S_C)^-1 = 1 - Psi_P T. With S_C = G G^T (Cholesky) T = G (1 + G^T Psi_P G)^-1 G^T:
 * symmetric, and the matrix inverted has no eigenvalue below 1, however singular S_C is. */

/* T = (S^-1 + Psi)^-1 for S, Psi symmetric positive semidefinite. */
static inline sym3 abi_pass(sym3 s, sym3 psi) /* 165 */
{
    const real zero = lane_set(0.0);
    const real one = lane_set(1.0);
    /* S = G G^T; a pivot that is not positive is rounding of zero: its column vanishes */
    const real gx = lane_sqrt(lane_select(lane_greater(s.xx, zero), s.xx, zero));
    const real ix = lane_select(lane_greater(gx, zero), one / gx, zero);
    const real yx = s.xy * ix, zx = s.xz * ix;
    const real dy = s.yy - yx * yx;
    const real gy = lane_sqrt(lane_select(lane_greater(dy, zero), dy, zero));
    const real iy = lane_select(lane_greater(gy, zero), one / gy, zero);
    const real zy = (s.yz - zx * yx) * iy;
    const real dz = (s.zz - zx * zx) - zy * zy;
    const real gz = lane_sqrt(lane_select(lane_greater(dz, zero), dz, zero));
    const vec3 cx = {gx, yx, zx}, cy = {zero, gy, zy}, cz = {zero, zero, gz}; /* columns of G */
    const vec3 px = sym3_apply(psi, cx), py = sym3_apply(psi, cy), pz = sym3_apply(psi, cz);
    const ldl3 f =
        ldl3_factor((sym3){one + vec3_dot(cx, px), one + vec3_dot(cy, py), one + vec3_dot(cz, pz),
                           vec3_dot(cx, py), vec3_dot(cx, pz), vec3_dot(cy, pz)});
    const vec3 tx = ldl3_solve(f, (vec3){gx, zero, zero}); /* (1 + G^T Psi G)^-1 G^T */
    const vec3 ty = ldl3_solve(f, (vec3){yx, gy, zero});
    const vec3 tz = ldl3_solve(f, (vec3){zx, zy, gz});
    return (sym3){gx * tx.x, yx * ty.x + gy * ty.y, zx * tz.x + zy * tz.y + gz * tz.z, gx * ty.x,
                  gx * tz.x, yx * tz.x + gy * tz.y};
}

static inline vec3 vec3_minus_applied(vec3 a, sym3 s, vec3 b) /* a - s b, 18 */
{
    return vec3_sub(a, sym3_apply(s, b));
}

/* Close a span by what hangs on its outboard end:
 *     S = S_P + E T E^T        e = e_P + E (e_C + T (h - Psi e_C)) */
static inline abi_handle abi_span_close(const abi_span *p, abi_handle c) /* 330 */
{
    const sym3 t = abi_pass(c.s, p->compliance);
    const vec3 u = vec3_minus_applied(p->free, p->compliance, c.e);
    const sym3 s = sym3_rotate(p->through, t);
    const vec3 e = mat3_apply(p->through, vec3_add(c.e, sym3_apply(t, u)));
    return (abi_handle){{p->handle.s.xx + s.xx, p->handle.s.yy + s.yy, p->handle.s.zz + s.zz,
                         p->handle.s.xy + s.xy, p->handle.s.xz + s.xz, p->handle.s.yz + s.yz},
                        vec3_add(p->handle.e, e)};
}

/* The force at the outboard end and the acceleration there, from the acceleration A at the inboard
 * end:  u = E^T A + h - Psi e_C,  lambda = e_C + T u,  A_C = K u = u - Psi T u */
static inline void abi_span_open_end(const abi_span *p, abi_handle c, vec3 a, vec3 *lambda,
                                     vec3 *a_out) /* 250 */
{
    const sym3 t = abi_pass(c.s, p->compliance);
    const vec3 u = vec3_add(mat3_apply_transposed(p->through, a),
                            vec3_minus_applied(p->free, p->compliance, c.e));
    const vec3 tu = sym3_apply(t, u);
    *lambda = vec3_add(c.e, tu);
    *a_out = vec3_minus_applied(u, p->compliance, tu);
}

/* Two spans end to end are a span (the associative law):
 *     E = E_P (1 - T Psi_P) E_C      h = h_C + E_C^T K (h_P - Psi_P e_C)
 *     Psi = Psi_C + E_C^T (Psi_P - Psi_P T Psi_P) E_C */
static inline abi_span abi_span_compose(const abi_span *p, const abi_span *c) /* 700 */
{
    const sym3 psi = p->compliance;
    const sym3 t = abi_pass(c->handle.s, psi);
    const vec3 u = vec3_minus_applied(p->free, psi, c->handle.e);
    const mat3 pe = {psi.xx, psi.xy, psi.xz, psi.xy, psi.yy, psi.yz, psi.xz, psi.yz, psi.zz};
    /* Psi T Psi, and T Psi by columns */
    const sym3 ptp = sym3_rotate(pe, t);
    const vec3 tx = sym3_apply(t, (vec3){psi.xx, psi.xy, psi.xz});
    const vec3 ty = sym3_apply(t, (vec3){psi.xy, psi.yy, psi.yz});
    const vec3 tz = sym3_apply(t, (vec3){psi.xz, psi.yz, psi.zz});
    const real one = lane_set(1.0);
    const mat3 k = {one - tx.x, -ty.x, -tz.x, -tx.y, one - ty.y, -tz.y, -tx.z, -ty.z, one - tz.z};
    const mat3 ct = {c->through.xx, c->through.yx, c->through.zx, c->through.xy, c->through.yy,
                     c->through.zy, c->through.xz, c->through.yz, c->through.zz};
    const sym3 rest = {psi.xx - ptp.xx, psi.yy - ptp.yy, psi.zz - ptp.zz,
                       psi.xy - ptp.xy, psi.xz - ptp.xz, psi.yz - ptp.yz};
    const sym3 add = sym3_rotate(ct, rest);
    abi_span out;
    out.handle = abi_span_close(p, c->handle);
    out.through = mat3_product(p->through, mat3_product(k, c->through));
    out.free = vec3_add(c->free, mat3_apply(ct, vec3_minus_applied(u, psi, sym3_apply(t, u))));
    out.compliance =
        (sym3){c->compliance.xx + add.xx, c->compliance.yy + add.yy, c->compliance.zz + add.zz,
               c->compliance.xy + add.xy, c->compliance.xz + add.xz, c->compliance.yz + add.yz};
    return out;
}

/* ---- records ----------------------------------------------------------------------------- */

static inline abi_span abi_span_load(const double *from, int stride)
{
    return (abi_span){
        {sym3_load(from + SPAN_S * stride, stride), vec3_load(from + SPAN_E * stride, stride)},
        mat3_load(from + SPAN_THROUGH * stride, stride),
        vec3_load(from + SPAN_FREE * stride, stride),
        sym3_load(from + SPAN_COMPLIANCE * stride, stride)};
}

static inline void abi_span_store(double *to, int stride, const abi_span *span)
{
    sym3_store(to + SPAN_S * stride, stride, span->handle.s);
    vec3_store(to + SPAN_E * stride, stride, span->handle.e);
    mat3_store(to + SPAN_THROUGH * stride, stride, span->through);
    vec3_store(to + SPAN_FREE * stride, stride, span->free);
    sym3_store(to + SPAN_COMPLIANCE * stride, stride, span->compliance);
}

#endif
