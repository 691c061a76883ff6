/* What the narrow sweeps (narrow.h) ask of a method: a link with all that hangs on it, the solution
 * of its ball hinge, and what is left beyond the hinge. The method is abi, or riccati where
 * METHOD_RICCATI is defined (wide_method.h). Gains of both mean alpha = -(g A + h).
 */
#ifndef RCT_KERNELS_LAWS_NARROW_METHOD_H
#define RCT_KERNELS_LAWS_NARROW_METHOD_H

#include "kernels/laws/abi_span_step.h"
#include "kernels/laws/wide_method.h"

/* A narrow open end seen from a link. */
typedef struct narrow_through {
    mat3 force;      /* E of the forces here, which act */
    vec3 at;         /* at this point                   */
    vec3 free;       /* h, m/s^2                        */
    sym3 compliance; /* Psi, 1/kg                       */
} narrow_through;

/* Three fields of records, of the lanes where the mask holds. */
LANE_INLINE void narrow_store3(double *to, mask where, vec3 v)
{
    if (lane_all(where)) {
        vec3_store(to, ROW, v);
        return;
    }
    if (LANE_MEMBERS > 1) {
        return;
    }
    lane_store_where(where, to, v.x);
    lane_store_where(where, to + ROW, v.y);
    lane_store_where(where, to + (int64_t)2 * ROW, v.z);
}

#ifdef METHOD_RICCATI

/* z_a = S z_b + e of a link with all that hangs on it, about its origin, S by blocks
 * (riccati_step.h). Symmetry is not used. */
typedef struct narrow_body {
    mat3 mr, mw, qr, qw;
    vec3 m, q;
} narrow_body;

/* Beyond a smooth hinge m = 0 and W' is free: only these parts of S and e are left. */
typedef struct narrow_handle {
    mat3 qr;
    vec3 q;
} narrow_handle;

LANE_INLINE narrow_body narrow_none(void)
{
    const mat3 none = mat3_diagonal(lane_set(0.0));
    return (narrow_body){none, none, none, none, vec3_zero(), vec3_zero()};
}

/* T12 and f_a of the mass at the output (eq. 5). */
LANE_INLINE narrow_body narrow_alone(const link_lanes *link, vec3 rate) /* 58 */
{
    const vec3 mc = vec3_scale(link->mass, link->com);
    const mat3 lever = mat3_tilde(lane_set(1.0), mc);
    const vec3 c = vec3_centripetal(rate, mc);
    return (narrow_body){lever, mat3_of_sym3(link->inertia),          mat3_diagonal(-link->mass),
                         lever, sym3_gyroscopic(link->inertia, rate), {-c.x, -c.y, -c.z}};
}

LANE_INLINE mat3 mat3_less(mat3 a, mat3 b)
{
    return (mat3){a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yx - b.yx, a.yy - b.yy,
                  a.yz - b.yz, a.zx - b.zx, a.zy - b.zy, a.zz - b.zz};
}

/* One more input at r, brought to the output: eqs. 7-17 and T11, P of eq. 5, where m = 0 beyond the
 * hinge. */
LANE_INLINE void narrow_hang(narrow_body *body, narrow_handle out, vec3 r, vec3 rate) /* 153 */
{
    const mat3 p = riccati_times_tilde(out.qr, r);
    const vec3 q = vec3_add(mat3_apply(out.qr, vec3_centripetal(rate, r)), out.q);
    body->mr = mat3_less(body->mr, tilde_times(r, out.qr));
    body->mw = mat3_add(body->mw, tilde_times(r, p));
    body->qr = mat3_add(body->qr, out.qr);
    body->qw = mat3_less(body->qw, p);
    body->m = vec3_sub(body->m, vec3_cross(r, q));
    body->q = vec3_add(body->q, q);
}

LANE_INLINE void narrow_add_record(narrow_body *body, const wide_handle *record)
{
    body->mr = mat3_add(body->mr, riccati_transposed(record->la));
    body->mw = mat3_add(body->mw, mat3_of_sym3(record->aa));
    body->qr = mat3_less(body->qr, mat3_of_sym3(record->ll));
    body->qw = mat3_less(body->qw, record->la);
    body->m = vec3_add(body->m, record->e.a);
    body->q = vec3_sub(body->q, record->e.l);
}

LANE_INLINE narrow_body narrow_with(const wide_handle *record, const link_lanes *link, vec3 rate)
{
    narrow_body body = narrow_alone(link, rate);
    narrow_add_record(&body, record);
    return body;
}

LANE_INLINE wide_handle narrow_record(const narrow_body *body)
{
    riccati z;
    mat6_set_block(&z.s, 0, 0, body->mr);
    mat6_set_block(&z.s, 0, 3, body->mw);
    mat6_set_block(&z.s, 3, 0, body->qr);
    mat6_set_block(&z.s, 3, 3, body->qw);
    z.e = vec6_of(body->m, body->q);
    return riccati_record(&z);
}

/* f and m of eq. 5, acting at the output. */
LANE_INLINE void narrow_push(narrow_body *body, spatial push)
{
    body->m = vec3_sub(body->m, push.a);
    body->q = vec3_add(body->q, push.l);
}

/* The moment that is asked of the hinge. */
LANE_INLINE vec3 *narrow_moment_of(narrow_body *body)
{
    return &body->m;
}

/* A finite number if everything that solves the hinge is finite. */
LANE_INLINE real narrow_pivot(const narrow_body *body)
{
    return body->mw.xx + body->mw.yy + body->mw.zz;
}

/* C^-1 B */
LANE_INLINE mat3 lu3_solve_columns(lu3 f, mat3 b) /* 45 */
{
    const vec3 x = lu3_solve(f, (vec3){b.xx, b.yx, b.zx});
    const vec3 y = lu3_solve(f, (vec3){b.xy, b.yy, b.zy});
    const vec3 z = lu3_solve(f, (vec3){b.xz, b.yz, b.zz});
    return (mat3){x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}

/* The open end over a hinge that is closed by `f`, with h there. */
LANE_INLINE void narrow_go_through(const narrow_body *body, lu3 f, vec3 h, narrow_through *t)
{
    const mat3 m = tilde_times(t->at, t->force), x = lu3_solve_columns(f, m);
    const mat3 psi = mat3_transposed_times(m, x);
    t->force = mat3_add(t->force, mat3_product(body->qw, x));
    t->free = vec3_sub(t->free, mat3_apply_transposed(m, h));
    t->compliance = sym3_add(t->compliance, (sym3){psi.xx, psi.yy, psi.zz, psi.xy, psi.xz, psi.yz});
}

/* Close the hinge by its own moment, m = 0 (eqs. 24, 29, 30): W' = -(g r'' + h), with the open end
 * `t` unless NULL, which is seen from the link before and from its hinge point after. False where
 * C = S_mW is singular. On devices `t` goes first, because registers do not suffice for it and the
 * columns of g at once; on processors it goes last, which is faster. */
LANE_INLINE mask narrow_solve(const narrow_body *body, narrow_through *t, narrow_handle *handle,
                              abi_gain *gain, int leaves) /* 202; 247 more */
{
    (void)leaves; /* always leaves gains */
    const lu3 f = lu3_factor(body->mw);
    if (LANE_MEMBERS > 1 && t != NULL) {
        narrow_go_through(body, f, lu3_solve(f, body->m), t);
    }
    gain->g = lu3_solve_columns(f, body->mr);
    gain->h = lu3_solve(f, body->m);
    handle->qr = mat3_less(body->qr, mat3_product(body->qw, gain->g));
    handle->q = vec3_sub(body->q, mat3_apply(body->qw, gain->h));
    if (LANE_MEMBERS == 1 && t != NULL) {
        narrow_go_through(body, f, gain->h, t);
    }
    return f.regular;
}

LANE_INLINE narrow_handle narrow_turn(mat3 q, narrow_handle out) /* 105 */
{
    return (narrow_handle){mat3_product(q, mat3_product(out.qr, riccati_transposed(q))),
                           mat3_apply(q, out.q)};
}

/* A handle from each lane's own place; and to records where the mask holds. */
LANE_INLINE narrow_handle narrow_handle_gather(const double *from, const int32_t *place)
{
    real f[12];
    LANE_UNROLL_ALL
    for (int i = 0; i < 12; i++) {
        f[i] = lane_gather(from + (int64_t)i * ROW, place);
    }
    return (narrow_handle){{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]},
                           {f[9], f[10], f[11]}};
}

LANE_INLINE void narrow_handle_store(double *to, mask where, narrow_handle h)
{
    narrow_store3(to, where, (vec3){h.qr.xx, h.qr.xy, h.qr.xz});
    narrow_store3(to + (int64_t)3 * ROW, where, (vec3){h.qr.yx, h.qr.yy, h.qr.yz});
    narrow_store3(to + (int64_t)6 * ROW, where, (vec3){h.qr.zx, h.qr.zy, h.qr.zz});
    narrow_store3(to + (int64_t)9 * ROW, where, h.q);
}

/* The force at a hinge point with the acceleration `a` less gravity. */
LANE_INLINE vec3 narrow_force(const narrow_handle *h, vec3 a)
{
    const vec3 q = vec3_add(mat3_apply(h->qr, a), h->q);
    return (vec3){-q.x, -q.y, -q.z};
}

/* S and e at the hinge, e with S v. */
LANE_INLINE abi_handle narrow_at_hinge(narrow_handle h, vec3 v)
{
    const vec3 q = vec3_add(mat3_apply(h.qr, v), h.q);
    return (abi_handle){riccati_symmetric(h.qr, lane_set(-1.0)), {-q.x, -q.y, -q.z}};
}

LANE_INLINE void narrow_spoil(narrow_handle *handle, mask good)
{
    handle->qr.xx = lane_select(good, handle->qr.xx, lane_set((double)NAN));
}

LANE_INLINE void narrow_clear(narrow_handle *handle, mask where)
{
    handle->qr = mat3_select(where, mat3_diagonal(lane_set(0.0)), handle->qr);
    handle->q = vec3_choose(where, vec3_zero(), handle->q);
}

#else

typedef abi_body narrow_body;
typedef abi_handle narrow_handle;

LANE_INLINE narrow_body narrow_none(void)
{
    const wide_handle none = wide_none();
    return (narrow_body){none.ll, none.la, none.aa, none.e.l, none.e.a};
}

LANE_INLINE narrow_body narrow_alone(const link_lanes *link, vec3 rate)
{
    return abi_body_alone(link->mass, link->com, link->inertia, rate);
}

LANE_INLINE void narrow_hang(narrow_body *body, narrow_handle out, vec3 r, vec3 rate)
{
    abi_add_outboard(body, out, r, rate);
}

LANE_INLINE wide_handle narrow_record(const narrow_body *body)
{
    return (wide_handle){body->a11, body->a12, body->a22, {body->b1, body->b2}};
}

LANE_INLINE void narrow_add_record(narrow_body *body, const wide_handle *record)
{
    wide_handle sum = narrow_record(body);
    wide_add(&sum, record);
    *body = (narrow_body){sum.ll, sum.la, sum.aa, sum.e.l, sum.e.a};
}

LANE_INLINE narrow_body narrow_with(const wide_handle *record, const link_lanes *link, vec3 rate)
{
    wide_handle sum = *record;
    wide_add_body(&sum, link, rate);
    return (narrow_body){sum.ll, sum.la, sum.aa, sum.e.l, sum.e.a};
}

LANE_INLINE void narrow_push(narrow_body *body, spatial push)
{
    body->b1 = vec3_sub(body->b1, push.l);
    body->b2 = vec3_sub(body->b2, push.a);
}

LANE_INLINE vec3 *narrow_moment_of(narrow_body *body)
{
    return &body->b2;
}

LANE_INLINE real narrow_pivot(const narrow_body *body)
{
    return body->a22.xx + body->a22.yy + body->a22.zz;
}

/* Eliminate the hinge. With an open end `t` this is abi_span_eliminate; then there are gains only
 * if it `leaves` some. `t` is seen from the link before, and from its hinge point after. */
LANE_INLINE mask narrow_solve(const narrow_body *body, narrow_through *t, narrow_handle *handle,
                              abi_gain *gain, int leaves) /* 133, or 320 */
{
    if (t == NULL) {
        return abi_eliminate(body, handle, gain).regular;
    }
    const ldl3 f = ldl3_factor(body->a22);
    const mat3 e = t->force, m = tilde_times(t->at, e), b = body->a12;
    const vec3 zx = ldl3_forward(f, (vec3){b.xx, b.xy, b.xz});
    const vec3 zy = ldl3_forward(f, (vec3){b.yx, b.yy, b.yz});
    const vec3 zz = ldl3_forward(f, (vec3){b.zx, b.zy, b.zz});
    const vec3 yx = ldl3_forward(f, (vec3){m.xx, m.yx, m.zx});
    const vec3 yy = ldl3_forward(f, (vec3){m.xy, m.yy, m.zy});
    const vec3 yz = ldl3_forward(f, (vec3){m.xz, m.yz, m.zz});
    const vec3 y = ldl3_forward(f, body->b2);
    const vec3 dx = ldl3_scale(f, zx), dy = ldl3_scale(f, zy), dz = ldl3_scale(f, zz);
    const vec3 ux = ldl3_scale(f, yx), uy = ldl3_scale(f, yy), uz = ldl3_scale(f, yz);
    const sym3 s = gram(zx, zy, zz, dx, dy, dz), psi = gram(yx, yy, yz, ux, uy, uz);
    handle->s = (sym3){body->a11.xx - s.xx, body->a11.yy - s.yy, body->a11.zz - s.zz,
                       body->a11.xy - s.xy, body->a11.xz - s.xz, body->a11.yz - s.yz};
    handle->e = (vec3){body->b1.x - vec3_dot(dx, y), body->b1.y - vec3_dot(dy, y),
                       body->b1.z - vec3_dot(dz, y)};
    t->force = (mat3){e.xx - vec3_dot(dx, yx), e.xy - vec3_dot(dx, yy), e.xz - vec3_dot(dx, yz),
                      e.yx - vec3_dot(dy, yx), e.yy - vec3_dot(dy, yy), e.yz - vec3_dot(dy, yz),
                      e.zx - vec3_dot(dz, yx), e.zy - vec3_dot(dz, yy), e.zz - vec3_dot(dz, yz)};
    t->free = vec3_sub(t->free, (vec3){vec3_dot(ux, y), vec3_dot(uy, y), vec3_dot(uz, y)});
    t->compliance = sym3_add(t->compliance, psi);
    if (leaves) {
        *gain = abi_gain_of(body, f);
    }
    return f.regular;
}

LANE_INLINE narrow_handle narrow_turn(mat3 q, narrow_handle out)
{
    return abi_turn(q, out);
}

LANE_INLINE narrow_handle narrow_handle_gather(const double *from, const int32_t *place)
{
    real f[9];
    LANE_UNROLL_ALL
    for (int i = 0; i < 9; i++) {
        f[i] = lane_gather(from + (int64_t)i * ROW, place);
    }
    return (narrow_handle){{f[0], f[1], f[2], f[3], f[4], f[5]}, {f[6], f[7], f[8]}};
}

LANE_INLINE void narrow_handle_store(double *to, mask where, narrow_handle h)
{
    narrow_store3(to, where, (vec3){h.s.xx, h.s.yy, h.s.zz});
    narrow_store3(to + (int64_t)3 * ROW, where, (vec3){h.s.xy, h.s.xz, h.s.yz});
    narrow_store3(to + (int64_t)6 * ROW, where, h.e);
}

LANE_INLINE vec3 narrow_force(const narrow_handle *h, vec3 a)
{
    return vec3_add(sym3_apply(h->s, a), h->e);
}

LANE_INLINE abi_handle narrow_at_hinge(narrow_handle h, vec3 v)
{
    return (abi_handle){h.s, vec3_add(h.e, sym3_apply(h.s, v))};
}

LANE_INLINE void narrow_spoil(narrow_handle *handle, mask good)
{
    handle->s.xx = lane_select(good, handle->s.xx, lane_set((double)NAN));
}

LANE_INLINE void narrow_clear(narrow_handle *handle, mask where)
{
    handle->s = sym3_choose(where, wide_none().ll, handle->s);
    handle->e = vec3_choose(where, vec3_zero(), handle->e);
}

#endif

#endif
