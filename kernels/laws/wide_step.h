/* One link of the sweeps of trees: hinges of every type, six components of force and acceleration
 * (seeds 001, 002; design section 2).
 *
 * All quantities in the axes of the link, about its origin, spatial vectors linear part first. With
 * A the acceleration of the link less gravity, F the wrench it asks for at its hinge, lambda the
 * wrench it must supply at an open outboard end and A_out the acceleration there:
 *
 *     F     = S A + e + E lambda
 *     A_out = E^T A + h - Psi lambda
 *
 * The axes of links are chosen so that a hinge leaves single coordinates k of A free. There F_k =
 * tau_k is known, and is solved for A_k, one coordinate after the other:
 *
 *     A_k = y - g . A - E_k lambda / S_kk     g_j = S_jk / S_kk, j other than k     y = (tau_k - e_k) / S_kk
 *     S' = S - S_k S_k^T / S_kk               e' = e + S_k y, but tau_k at k
 *     E' = E - g E_k                          h' = h + E_k^T y      Psi' = Psi + E_k^T E_k / S_kk
 *
 * Rows k vanish. Two hinges turn their coordinates first: helical, whose turn takes the
 * displacement along (A_z = B_z + pitch alpha_z), and universal, whose first axis turns with angle
 * 2 about z.
 */
#ifndef RCT_KERNELS_LAWS_WIDE_STEP_H
#define RCT_KERNELS_LAWS_WIDE_STEP_H

#include "kernels/lane/angle.h"
#include "kernels/laws/abi_step.h"
#include "kernels/records/states.h"

/* A spatial vector: of motion, linear and angular; of force, force and moment. */
typedef struct spatial {
    vec3 l, a;
} spatial;

/* S and e of F = S A + e. */
typedef struct wide_handle {
    sym3 ll;
    mat3 la;
    sym3 aa;
    spatial e;
} wide_handle;

/* The constants of a link, one lane each. */
typedef struct link_lanes {
    real mass;
    vec3 com;
    sym3 inertia;
    vec3 at;
    mat3 frame;
    real parameter[2];
} link_lanes;

/* How a link moves against its parent. */
typedef struct link_motion {
    mat3 turn; /* link axes to the parent's               */
    vec3 r;    /* origin from the parent's, parent's axes */
    vec3 rate; /* angular velocity, link axes             */
    /* acceleration less the parts of the parent's acceleration and of the rates' derivatives, link
     * axes */
    spatial bias;
    real c, s; /* of the angle about z */
} link_motion;

/* A frame that moves: its axes to inertial, its angular velocity in them. */
typedef struct link_frame {
    mat3 rotation;
    vec3 rate;
} link_frame;

LANE_FUNCTION spatial spatial_load(const double *from, int stride)
{
    return (spatial){vec3_load(from, stride), vec3_load(from + 3 * stride, stride)};
}

LANE_FUNCTION void spatial_store(double *to, int stride, spatial x)
{
    vec3_store(to, stride, x.l);
    vec3_store(to + 3 * stride, stride, x.a);
}

LANE_FUNCTION spatial spatial_add(spatial a, spatial b)
{
    return (spatial){vec3_add(a.l, b.l), vec3_add(a.a, b.a)};
}

LANE_FUNCTION spatial spatial_sub(spatial a, spatial b)
{
    return (spatial){vec3_sub(a.l, b.l), vec3_sub(a.a, b.a)};
}

LANE_FUNCTION spatial spatial_zero(void)
{
    return (spatial){vec3_zero(), vec3_zero()};
}

LANE_INLINE vec3 vec3_choose(mask where, vec3 a, vec3 b)
{
    return (vec3){lane_select(where, a.x, b.x), lane_select(where, a.y, b.y),
                  lane_select(where, a.z, b.z)};
}

LANE_FUNCTION spatial spatial_select(mask where, spatial a, spatial b)
{
    return (spatial){{lane_select(where, a.l.x, b.l.x), lane_select(where, a.l.y, b.l.y),
                      lane_select(where, a.l.z, b.l.z)},
                     {lane_select(where, a.a.x, b.a.x), lane_select(where, a.a.y, b.a.y),
                      lane_select(where, a.a.z, b.a.z)}};
}

/* ---- motion ------------------------------------------------------------------------------- */

/* m Rz(angle): link axes turned by the angle about their z */
LANE_FUNCTION mat3 mat3_turned_about_z(mat3 m, sine_cosine t) /* 18 */
{
    return (mat3){t.c * m.xx + t.s * m.xy, t.c * m.xy - t.s * m.xx, m.xz,
                  t.c * m.yx + t.s * m.yy, t.c * m.yy - t.s * m.yx, m.yz,
                  t.c * m.zx + t.s * m.zy, t.c * m.zy - t.s * m.zx, m.zz};
}

/* Rz(angle)^T v */
LANE_FUNCTION vec3 vec3_back_about_z(vec3 v, sine_cosine t) /* 6 */
{
    return (vec3){t.c * v.x + t.s * v.y, t.c * v.y - t.s * v.x, v.z};
}

/* The turn by the angle about (x, 0, z), of length 1. */
LANE_FUNCTION mat3 mat3_about_xz(real x, real z, sine_cosine t) /* 15 */
{
    const real v = lane_set(1.0) - t.c;
    return (mat3){t.c + v * (x * x), -(t.s * z),  v * (x * z), t.s * z,          t.c,
                  -(t.s * x),        v * (x * z), t.s * x,     t.c + v * (z * z)};
}

/* Linear bias of a hinge whose point moves by `slide` (m/s, link axes) in the parent, which turns
 * with `up` (parent's axes) and `turning` (the same in link axes): w x (w x r) + 2 w x slide. */
LANE_FUNCTION vec3 point_bias(mat3 turn, vec3 r, vec3 up, vec3 turning, vec3 slide) /* 55 */
{
    const vec3 coriolis = vec3_cross(turning, slide);
    return vec3_add_scaled(mat3_apply_transposed(turn, vec3_centripetal(up, r)), lane_set(2.0),
                           coriolis);
}

/* How a link of kind `kind` with coordinates q and rates u moves; `parent` is the frame of its
 * parent, whose rotation only ball hinges read. `kind` is constant where this is called. */
LANE_INLINE link_motion link_move(int kind, const link_lanes *link, const real *q, const real *u,
                                  const link_frame *parent)
{
    const real zero = lane_set(0.0);
    link_motion m = {.turn = link->frame, .r = link->at, .c = lane_set(1.0), .s = zero};
    vec3 slide = vec3_zero(); /* of the hinge point, link axes */
    if (kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE) {
        const mat3 own = quat_rotation((quat){q[0], q[1], q[2], q[3]});
        m.turn = mat3_transposed_times(parent->rotation, own);
        m.rate = (vec3){u[0], u[1], u[2]};
        m.bias.a = vec3_zero();
        m.bias.l = kind == RCT_HINGE_FREE
                       ? vec3_zero()
                       : mat3_apply_transposed(m.turn, vec3_centripetal(parent->rate, m.r));
        return m;
    }
    vec3 turning, spin; /* angular velocity of the parent in link axes; relative to it */
    if (kind == RCT_HINGE_PRISMATIC) {
        slide.z = u[0];
        m.r = vec3_add_scaled(m.r, q[0], (vec3){m.turn.xz, m.turn.yz, m.turn.zz});
        turning = mat3_apply_transposed(m.turn, parent->rate);
        m.rate = turning;
        m.bias.a = vec3_zero();
    } else if (kind == RCT_HINGE_UNIVERSAL) {
        const real x = link->parameter[0], z = link->parameter[1];
        const sine_cosine second = lane_sine_cosine(q[1]);
        const mat3 first = mat3_product(m.turn, mat3_about_xz(x, z, lane_sine_cosine(q[0])));
        m.turn = mat3_turned_about_z(first, second);
        turning = mat3_apply_transposed(m.turn, parent->rate);
        spin = vec3_scale(u[0], vec3_back_about_z((vec3){x, zero, z}, second));
        const vec3 between = vec3_add(turning, spin);
        m.bias.a = vec3_add(vec3_cross(turning, spin),
                            (vec3){between.y * u[1], -(between.x * u[1]), zero});
        m.rate = vec3_add(between, (vec3){zero, zero, u[1]});
        m.c = second.c, m.s = second.s;
    } else {
        const int angle = kind == RCT_HINGE_PLANAR ? 2 : 0;
        const sine_cosine t = lane_sine_cosine(q[angle]);
        const vec3 axis = {m.turn.xz, m.turn.yz, m.turn.zz};
        if (kind == RCT_HINGE_CYLINDRICAL) {
            m.r = vec3_add_scaled(m.r, q[1], axis);
            slide.z = u[1];
        } else if (kind == RCT_HINGE_HELICAL) {
            m.r = vec3_add_scaled(m.r, link->parameter[0] * q[0], axis);
            slide.z = link->parameter[0] * u[0];
        } else if (kind == RCT_HINGE_PLANAR) {
            m.r = vec3_add(m.r, mat3_apply(m.turn, (vec3){q[0], q[1], zero}));
            slide = vec3_back_about_z((vec3){u[0], u[1], zero}, t);
        }
        m.turn = mat3_turned_about_z(m.turn, t);
        turning = mat3_apply_transposed(m.turn, parent->rate);
        m.rate = (vec3){turning.x, turning.y, turning.z + u[angle]};
        m.bias.a = (vec3){turning.y * u[angle], -(turning.x * u[angle]), zero};
        m.c = t.c, m.s = t.s;
    }
    m.bias.l = point_bias(m.turn, m.r, parent->rate, turning, slide);
    return m;
}

/* The frame of the link. An absolute frame is not made by a product: that would double the rounding
 * of each one before. */
LANE_INLINE link_frame link_frame_carry(int kind, const link_frame *parent, const link_motion *m,
                                        const real *q)
{
    if (kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE) {
        return (link_frame){quat_rotation((quat){q[0], q[1], q[2], q[3]}), m->rate};
    }
    return (link_frame){mat3_product(parent->rotation, m->turn), m->rate};
}

/* ---- handles ------------------------------------------------------------------------------ */

LANE_FUNCTION wide_handle wide_none(void)
{
    const real zero = lane_set(0.0);
    const sym3 s = {zero, zero, zero, zero, zero, zero};
    return (wide_handle){
        s, {zero, zero, zero, zero, zero, zero, zero, zero, zero}, s, spatial_zero()};
}

LANE_FUNCTION sym3 sym3_add(sym3 a, sym3 b)
{
    return (sym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}

LANE_INLINE sym3 sym3_choose(mask where, sym3 a, sym3 b)
{
    return (sym3){lane_select(where, a.xx, b.xx), lane_select(where, a.yy, b.yy),
                  lane_select(where, a.zz, b.zz), lane_select(where, a.xy, b.xy),
                  lane_select(where, a.xz, b.xz), lane_select(where, a.yz, b.yz)};
}

LANE_INLINE wide_handle wide_handle_select(mask where, const wide_handle *a, const wide_handle *b)
{
    return (wide_handle){sym3_choose(where, a->ll, b->ll), mat3_select(where, a->la, b->la),
                         sym3_choose(where, a->aa, b->aa), spatial_select(where, a->e, b->e)};
}

LANE_INLINE void wide_add(wide_handle *to, const wide_handle *more) /* 27 */
{
    to->ll = sym3_add(to->ll, more->ll);
    to->la = mat3_add(to->la, more->la);
    to->aa = sym3_add(to->aa, more->aa);
    to->e = spatial_add(to->e, more->e);
}

/* S A + e */
LANE_INLINE spatial wide_handle_apply(const wide_handle *h, spatial a) /* 42 */
{
    return (spatial){
        vec3_add(vec3_add(sym3_apply(h->ll, a.l), mat3_apply(h->la, a.a)), h->e.l),
        vec3_add(vec3_add(mat3_apply_transposed(h->la, a.l), sym3_apply(h->aa, a.a)), h->e.a)};
}

/* The link itself: m, m c~, J, and what its motion and the load on it ask for. `load` may be
 * NULL. */
LANE_INLINE void wide_add_body(wide_handle *h, const link_lanes *link, vec3 w) /* 85 */
{
    const vec3 mc = vec3_scale(link->mass, link->com);
    h->ll.xx += link->mass, h->ll.yy += link->mass, h->ll.zz += link->mass;
    h->la.xy += mc.z, h->la.xz -= mc.y, h->la.yx -= mc.z;
    h->la.yz += mc.x, h->la.zx += mc.y, h->la.zy -= mc.x;
    h->aa = sym3_add(h->aa, link->inertia);
    h->e.l = vec3_add(h->e.l, vec3_centripetal(w, mc));
    h->e.a = vec3_add(h->e.a, sym3_gyroscopic(link->inertia, w));
}

LANE_INLINE void wide_add_load(wide_handle *h, spatial load) /* 6 */
{
    h->e.l = vec3_sub(h->e.l, load.l);
    h->e.a = vec3_sub(h->e.a, load.a);
}

/* Products after a hinge is solved: components in `but` (bits 1, 2, 4 for x, y, z; constant) are
 * known to be zero. */
LANE_INLINE real dot_but(vec3 a, vec3 b, int but)
{
    real sum = lane_set(0.0);
    int any = 0;
    if ((but & 1) == 0) {
        sum = a.x * b.x;
        any = 1;
    }
    if ((but & 2) == 0) {
        sum = any ? sum + a.y * b.y : a.y * b.y;
        any = 1;
    }
    if ((but & 4) == 0) {
        sum = any ? sum + a.z * b.z : a.z * b.z;
    }
    return sum;
}

LANE_INLINE vec3 sym3_apply_but(sym3 s, vec3 v, int but)
{
    const real zero = lane_set(0.0);
    return (vec3){(but & 1) != 0 ? zero : dot_but((vec3){s.xx, s.xy, s.xz}, v, but),
                  (but & 2) != 0 ? zero : dot_but((vec3){s.xy, s.yy, s.yz}, v, but),
                  (but & 4) != 0 ? zero : dot_but((vec3){s.xz, s.yz, s.zz}, v, but)};
}

/* m s m^T */
LANE_INLINE sym3 sym3_rotate_but(mat3 m, sym3 s, int but)
{
    const vec3 a = {m.xx, m.xy, m.xz}, b = {m.yx, m.yy, m.yz}, c = {m.zx, m.zy, m.zz};
    const vec3 x = sym3_apply_but(s, a, but), y = sym3_apply_but(s, b, but);
    const vec3 z = sym3_apply_but(s, c, but);
    return (sym3){dot_but(a, x, but), dot_but(b, y, but), dot_but(c, z, but),
                  dot_but(a, y, but), dot_but(a, z, but), dot_but(b, z, but)};
}

/* b v, rows in `rows` and columns in `columns` zero */
LANE_INLINE vec3 mat3_apply_but(mat3 b, vec3 v, int rows, int columns)
{
    const real zero = lane_set(0.0);
    return (vec3){(rows & 1) != 0 ? zero : dot_but((vec3){b.xx, b.xy, b.xz}, v, columns),
                  (rows & 2) != 0 ? zero : dot_but((vec3){b.yx, b.yy, b.yz}, v, columns),
                  (rows & 4) != 0 ? zero : dot_but((vec3){b.zx, b.zy, b.zz}, v, columns)};
}

/* q b q^T */
LANE_INLINE mat3 mat3_rotate_but(mat3 q, mat3 b, int rows, int columns)
{
    const vec3 i = {q.xx, q.xy, q.xz}, j = {q.yx, q.yy, q.yz}, k = {q.zx, q.zy, q.zz};
    const vec3 x = mat3_apply_but(b, i, rows, columns); /* columns of b q^T */
    const vec3 y = mat3_apply_but(b, j, rows, columns);
    const vec3 z = mat3_apply_but(b, k, rows, columns);
    return (mat3){dot_but(i, x, rows), dot_but(i, y, rows), dot_but(i, z, rows),
                  dot_but(j, x, rows), dot_but(j, y, rows), dot_but(j, z, rows),
                  dot_but(k, x, rows), dot_but(k, y, rows), dot_but(k, z, rows)};
}

/* What a handle asks of the parent: with the bias, turned into the parent's axes, moved to its
 * origin. Coordinates in `solved` (bits 0 to 5; constant) have been solved: their rows and columns
 * of S are zero. */
LANE_INLINE wide_handle wide_hand_over_but(const wide_handle *h, const link_motion *m,
                                           int solved) /* 450 */
{
    const int l = solved & 7, a = solved >> 3;
    const mat3 b = h->la, bt = {b.xx, b.yx, b.zx, b.xy, b.yy, b.zy, b.xz, b.yz, b.zz};
    const spatial v = {
        vec3_add(sym3_apply_but(h->ll, m->bias.l, l), mat3_apply_but(b, m->bias.a, l, a)),
        vec3_add(mat3_apply_but(bt, m->bias.l, a, l), sym3_apply_but(h->aa, m->bias.a, a))};
    const mat3 q = m->turn;
    const vec3 r = m->r;
    wide_handle up;
    up.ll = sym3_rotate_but(q, h->ll, l);
    const mat3 la = mat3_rotate_but(q, b, l, a);
    const mat3 lr = sym3_times_tilde(up.ll, r);
    const sym3 rlr = tilde_times_symmetric(r, lr);
    const mat3 ra = tilde_times(r, la);
    up.la = (mat3){la.xx - lr.xx, la.xy - lr.xy, la.xz - lr.xz, la.yx - lr.yx, la.yy - lr.yy,
                   la.yz - lr.yz, la.zx - lr.zx, la.zy - lr.zy, la.zz - lr.zz};
    up.aa = sym3_rotate_but(q, h->aa, a);
    up.aa.xx += (ra.xx + ra.xx) - rlr.xx, up.aa.yy += (ra.yy + ra.yy) - rlr.yy;
    up.aa.zz += (ra.zz + ra.zz) - rlr.zz, up.aa.xy += (ra.xy + ra.yx) - rlr.xy;
    up.aa.xz += (ra.xz + ra.zx) - rlr.xz, up.aa.yz += (ra.yz + ra.zy) - rlr.yz;
    up.e.l = mat3_apply(q, vec3_add(h->e.l, v.l));
    up.e.a = vec3_add(mat3_apply(q, vec3_add(h->e.a, v.a)), vec3_cross(r, up.e.l));
    return up;
}

/* The acceleration of the link as if its hinge were fixed: what reaches it from its parent. */
LANE_INLINE spatial link_reach(const link_motion *m, spatial parent) /* 51 */
{
    const vec3 there = vec3_add(parent.l, vec3_cross(parent.a, m->r));
    return (spatial){vec3_add(mat3_apply_transposed(m->turn, there), m->bias.l),
                     vec3_add(mat3_apply_transposed(m->turn, parent.a), m->bias.a)};
}

#endif
