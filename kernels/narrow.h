/* Narrow sheaves (mixed_sheaves.h): paths of ball hinges in a tree of any hinges, for the LANE_WIDTH of the including
 * translation unit. What crosses a ball hinge is a force and a moment that is known, so S is 3x3 there, in the steps of
 * kernels/abi_step.h, and E of an open end 3x3, at a point. What a path adds to the link it hangs on has six components
 * as ever: A11, A12, A22 and b1, b2 of abi_step.h are the blocks of S and e.
 */
#ifndef RCT_KERNELS_NARROW_H
#define RCT_KERNELS_NARROW_H

#include "kernels/abi_span_step.h"
#include "kernels/mixed_inward.h"
#include "kernels/mixed_outward.h"

/* A narrow open end seen from a link. */
typedef struct narrow_through {
    mat3 force;      /* E of the forces here, which act     */
    vec3 at;         /* at this point                       */
    vec3 free;       /* h, m/s^2                            */
    sym3 compliance; /* Psi, 1/kg                           */
} narrow_through;

/* At a ball hinge at `out` of the last link. */
LANE_INLINE narrow_through narrow_open(vec3 out)
{
    const real zero = lane_set(0.0);
    const sym3 none = {zero, zero, zero, zero, zero, zero};
    return (narrow_through){mat3_identity(), out, vec3_zero(), none};
}

/* Take an open end inward over a link whose hinge is eliminated, as abi_span_eliminate; before, `t` is seen from
 * the link, after, from its hinge point. */
LANE_INLINE mask narrow_span(const abi_body *body, narrow_through *t, abi_handle *handle) /* 320 */
{
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
    return f.regular;
}

/* From beyond a hinge at r of the link inboard, turned by `turn`, to that link; `bias`: of the point there, its axes. */
LANE_INLINE void narrow_open_inboard(narrow_through *t, mat3 turn, vec3 r, vec3 bias) /* 87 */
{
    t->force = mat3_product(turn, t->force);
    t->at = r;
    t->free = vec3_add(t->free, mat3_apply_transposed(t->force, bias));
}

/* To the record of a path, of the lanes in which it begins. */
LANE_INLINE void narrow_store_end(double *path, mask where, const narrow_through *t)
{
    const mat3 f = t->force;
    const sym3 p = t->compliance;
    const vec3 h = t->free;
    const real fields[12] = {f.xx, f.xy, f.xz, f.yx,    f.yy,    f.yz,
                             f.zx, f.zy, f.zz, t->at.x, t->at.y, t->at.z};
    const real rest[9] = {h.x, h.y, h.z, p.xx, p.yy, p.zz, p.xy, p.xz, p.yz};
    for (int i = 0; i < 12; i++) {
        mixed_store_where(where, path + (int64_t)(PATH_THROUGH + i) * MW, fields[i]);
    }
    for (int i = 0; i < 9; i++) {
        const int64_t field = i < 3 ? PATH_FREE + i : PATH_COMPLIANCE + i - 3;
        mixed_store_where(where, path + field * MW, rest[i]);
    }
}

/* ---- frames ------------------------------------------------------------------------------- */

/* Whether a sheaf is narrow: riccati, and threads that are lanes, have no such. */
LANE_INLINE int narrow_sheaf(const rct_mixed_sheaves *s, int32_t sheaf)
{
#if defined(MIXED_RICCATI) || LANE_STRIDE != LANE_WIDTH
    (void)s;
    (void)sheaf;
    return 0;
#else
    return s->narrow != NULL && s->narrow[sheaf];
#endif
}

/* The frames of the links of row g. */
LANE_INLINE mixed_frame narrow_frame(const rct_mixed_sheaves *s, int64_t g)
{
    const double *state = s->state + s->state_at[g] * MW;
    return (mixed_frame){quat_rotation(quat_load(state, MW)),
                         vec3_load(state + (int64_t)STATE_RATE * MW, MW)};
}

/* Of those they hang on. */
LANE_INLINE mixed_frame narrow_above(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g)
{
    mixed_frame up = {mat3_identity(), vec3_zero()};
    if (g > s->first_row[sheaf]) {
        up = narrow_frame(s, g - 1);
    }
    return s->starts[g] != 0 ? mixed_above(s, sheaf, g, up) : up;
}

/* Outward: frames to the paths that hang on the links. */
LANE_INLINE void narrow_outward_frames(const rct_mixed_sheaves *s, int32_t sheaf)
{
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        if (s->first_kid[g] < s->first_kid[g + 1]) {
            mixed_leave_frame(s, g, narrow_frame(s, g));
        }
    }
}

/* As mixed_outward_product: a ball hinge forgets what it hangs on. */
LANE_INLINE void narrow_outward_product(const rct_mixed_sheaves *s, int32_t sheaf)
{
    mixed_leave_product(mixed_path(s, sheaf), narrow_frame(s, s->first_row[sheaf + 1] - 1),
                        lane_set(1.0));
}

/* ---- inward ------------------------------------------------------------------------------- */

/* A row of links on its way inward: S, e of all that hangs on them and of themselves, moments at their hinges; then what
 * is beyond these. */
typedef struct narrow_row {
    mat3 axes; /* to inertial */
    vec3 at;
    vec3 moment;
    abi_body body;
    abi_handle handle;
} narrow_row;

/* Whether any ball hinge may have a moment: loads at hinges are those of relations, which know no ball hinges. */
LANE_INLINE int narrow_has_moments(const rct_mixed_sheaves *s)
{
    return s->effort.row != NULL;
}

/* The moments of dampers at the hinges of row g. */
LANE_INLINE vec3 narrow_damping(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g, mat3 axes)
{
    const vec3 rate = vec3_load(s->state + (s->state_at[g] + STATE_RATE) * MW, MW);
    const mixed_frame up = narrow_above(s, sheaf, g);
    const vec3 turning = mat3_apply_transposed(axes, mat3_apply(up.rotation, up.rate));
    return vec3_scale(mixed_row_effort(s, g, EFFORT_DAMPING).x, vec3_sub(turning, rate));
}

/* Links with what hangs on them but along their paths, and what acts on them. */
LANE_INLINE void narrow_add_besides(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g,
                                    narrow_row *row)
{
    abi_body *body = &row->body;
    row->moment = vec3_zero();
    if (s->first_kid[g] < s->first_kid[g + 1]) {
        mixed_handle sum = {body->a11, body->a12, body->a22, {body->b1, body->b2}};
        for (int64_t k = s->first_kid[g]; k < s->first_kid[g + 1]; k++) {
            const mixed_handle kid = mixed_kid_share(s, k);
            mixed_add(&sum, &kid);
        }
        *body = (abi_body){sum.ll, sum.la, sum.aa, sum.e.l, sum.e.a};
    }
    if (mixed_row_has(s, g, ACTS_LOAD)) {
        const double *load = s->loads + g * LOAD_FIELDS * MW;
        body->b1 = vec3_sub(body->b1, vec3_load(load + LOAD_FORCE * MW, MW));
        body->b2 = vec3_sub(body->b2, vec3_load(load + LOAD_MOMENT * MW, MW));
    }
    if (mixed_row_has(s, g, ACTS_WRENCH)) {
        const spatial push = mixed_wrench(s, g, row->axes);
        body->b1 = vec3_sub(body->b1, push.l);
        body->b2 = vec3_sub(body->b2, push.a);
    }
    if (mixed_row_has(s, g, ACTS_EFFORT)) {
        row->moment = narrow_damping(s, sheaf, g, row->axes);
    }
    if (narrow_has_moments(s)) {
        body->b2 = vec3_sub(body->b2, row->moment);
    }
}

/* The last row of a sheaf, `beyond` what hangs on it there. */
LANE_INLINE narrow_row narrow_last(const rct_mixed_sheaves *s, int32_t sheaf, mixed_handle beyond)
{
    const int64_t g = s->first_row[sheaf + 1] - 1;
    const mixed_frame frame = narrow_frame(s, g);
    const mixed_link link = mixed_row_link(s, g);
    mixed_add_body(&beyond, &link, frame.rate);
    narrow_row row = {.axes = frame.rotation,
                      .at = link.at,
                      .body = {beyond.ll, beyond.la, beyond.aa, beyond.e.l, beyond.e.a}};
    narrow_add_besides(s, sheaf, g, &row);
    return row;
}

/* The hinges of row g. */
LANE_INLINE void narrow_cross(mixed_sweep *w, int64_t g, narrow_row *row, narrow_through *t,
                              int gains)
{
    double *own = mixed_scratch_row(w, g) + (int64_t)ROW_GAINS * MW;
    abi_gain gain;
    const abi_body *body = &row->body;
    const mask regular = t != NULL ? narrow_span(body, t, &row->handle)
                                   : abi_eliminate(body, &row->handle, &gain).regular;
    if (gains) {
        mat3_store(own, MW, gain.g);
        vec3_store(own + (int64_t)9 * MW, MW, gain.h);
    }
    if (!lane_all(regular)) {
        const mask number = lane_finite(body->a22.xx + body->a22.yy + body->a22.zz);
        mixed_note(&w->fault, w->s, g, regular);
        mixed_note(&w->cause, w->s, g, regular | lane_not(number));
        row->handle.s.xx = lane_select(regular, row->handle.s.xx, lane_set((double)NAN));
    }
}

/* Add what is beyond the hinges of `row`, turned by `turn`, to the bodies they hang on, of rate w. */
LANE_INLINE void narrow_hang(const rct_mixed_sheaves *s, const narrow_row *row, mat3 turn, vec3 w,
                             abi_body *body)
{
    abi_add_outboard(body, abi_turn(turn, row->handle), row->at, w);
    if (narrow_has_moments(s)) {
        body->b2 = vec3_add(body->b2, mat3_apply(turn, row->moment));
    }
}

/* Where paths begin in row g: what they add to what they hang on, and their open ends, to the records; then nothing hangs
 * there. */
LANE_INLINE void narrow_leave(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g, mat3 turn,
                              vec3 w, const narrow_through *t, narrow_row *row)
{
    const mask starts = lane_bits(s->starts[g]);
    double *path = mixed_path(s, sheaf);
    if (s->starts[g] != s->grounded[g]) { /* the ground takes nothing */
        const mixed_handle none = mixed_none();
        abi_body body = {none.ll, none.la, none.aa, none.e.l, none.e.a};
        narrow_hang(s, row, turn, w, &body);
        const mixed_handle share = {body.a11, body.a12, body.a22, {body.b1, body.b2}};
        const mixed_handle before = mixed_handle_load(path + (int64_t)PATH_SHARE * MW);
        const mixed_handle now = mixed_handle_select(starts, &share, &before);
        mixed_handle_store(path + (int64_t)PATH_SHARE * MW, &now);
    }
    if (t != NULL) {
        narrow_store_end(path, starts, t);
    }
    row->handle.s = sym3_choose(starts, mixed_none().ll, row->handle.s);
    row->handle.e = vec3_choose(starts, vec3_zero(), row->handle.e);
    row->moment = vec3_choose(starts, vec3_zero(), row->moment);
}

/* From row g, crossed, to the one inboard of it, of frames `next`; `turn`, `rate`: against what the links of row g hang
 * on, and of that. What comes is turned before the next links are read, for fewer numbers wait then. */
LANE_INLINE void narrow_next(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g, mat3 turn,
                             vec3 rate, mixed_frame next, narrow_row *row)
{
    const abi_handle out = abi_turn(turn, row->handle);
    const vec3 at = row->at;
    const mixed_link link = mixed_row_link(s, g - 1);
    row->body = abi_body_alone(link.mass, link.com, link.inertia, next.rate);
    abi_add_outboard(&row->body, out, at, rate);
    if (narrow_has_moments(s)) {
        row->body.b2 = vec3_add(row->body.b2, mat3_apply(turn, row->moment));
    }
    row->axes = next.rotation;
    row->at = link.at;
    narrow_add_besides(s, sheaf, g - 1, row);
}

/* With gains, how the links of row g are turned against what they hang on is left with them. */
LANE_INLINE mat3 narrow_turn(mixed_sweep *w, int64_t g, mixed_frame up, narrow_through *t,
                             int gains, const narrow_row *row)
{
    const mat3 turn = mat3_transposed_times(up.rotation, row->axes);
    if (gains) {
        mat3_store(mixed_scratch_row(w, g) + (int64_t)(ROW_MOTION + KEEP_TURN) * MW, MW, turn);
    }
    if (t != NULL) {
        narrow_open_inboard(t, turn, row->at, vec3_centripetal(up.rate, row->at));
    }
    return turn;
}

/* From row g, crossed, to the one inboard of it; along the paths where none begins in row g. */
LANE_INLINE void narrow_go_on(mixed_sweep *w, int32_t sheaf, int64_t g, narrow_through *t,
                              int gains, narrow_row *row)
{
    const rct_mixed_sheaves *s = w->s;
    if (s->starts[g] == 0) {
        const mixed_frame up = narrow_frame(s, g - 1);
        const mat3 turn = narrow_turn(w, g, up, t, gains, row);
        narrow_next(s, sheaf, g, turn, up.rate, up, row);
        return;
    }
    const mixed_frame up = narrow_above(s, sheaf, g);
    const mat3 turn = narrow_turn(w, g, up, t, gains, row);
    narrow_leave(s, sheaf, g, turn, up.rate, t, row);
    if (g > s->first_row[sheaf]) {
        narrow_next(s, sheaf, g, turn, up.rate, narrow_frame(s, g - 1), row);
    }
}

/* A sheaf inward, closed by what hangs on its outermost links, or with open ends `t`. */
LANE_INLINE void narrow_inward(mixed_sweep *w, int32_t sheaf, mixed_handle beyond,
                               narrow_through *t, int gains)
{
    const rct_mixed_sheaves *s = w->s;
    narrow_row row = narrow_last(s, sheaf, beyond);
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        narrow_cross(w, g, &row, t, gains);
        narrow_go_on(w, sheaf, g, t, gains, &row);
    }
}

/* What stands in at the ends is a mass at the hinge, besides the moment there. */
LANE_INLINE void narrow_inward_open(mixed_sweep *w, int32_t sheaf)
{
    const double *path = mixed_path(w->s, sheaf);
    const real zero = lane_set(0.0), m = lane_load(path + (int64_t)PATH_STAND_IN * MW);
    const vec3 out = vec3_load(path + (int64_t)PATH_OUT * MW, MW);
    const abi_handle mass = {{m, m, m, zero, zero, zero}, vec3_zero()};
    const mixed_handle none = mixed_none();
    abi_body body = {none.ll, none.la, none.aa, none.e.l, none.e.a};
    narrow_through t = narrow_open(out);
    abi_add_outboard(&body, mass, out, vec3_zero());
    body.b2 = vec3_load(path + (int64_t)PATH_END_MOMENT * MW, MW);
    narrow_inward(w, sheaf, (mixed_handle){body.a11, body.a12, body.a22, {body.b1, body.b2}}, &t,
                  0);
}

/* ---- outward ------------------------------------------------------------------------------ */

/* Results of row g, or its states advanced. */
LANE_INLINE mask narrow_finish(const rct_mixed_sheaves *s, int64_t g, spatial a, int stage,
                               rk4_weights weights)
{
    const int64_t at = s->state_at[g] * MW;
    if (stage == STAGE_NONE) {
        const real du[3] = {a.a.x, a.a.y, a.a.z};
        mixed_write_results(s, g, a, du, 3);
    } else if (stage == 0) {
        rk4_first_stage(s->base + at, s->sum + at, s->state + at, MW, a.a, weights);
    } else if (stage < 3) {
        rk4_inner_stage(s->base + at, s->sum + at, s->state + at, MW, a.a, weights);
    } else {
        return rk4_last_stage(s->sum + at, s->state + at, MW, a.a, weights);
    }
    return lane_greater(lane_set(1.0), lane_set(0.0));
}

/* The accelerations of the hinge points of row g, in the axes of what they hang on, where paths begin there; `along`
 * elsewhere. */
LANE_INLINE vec3 narrow_reaching(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g, vec3 along)
{
    if (s->starts[g] != 0) {
        const mixed_frame none = {mat3_identity(), vec3_zero()};
        const spatial above = mixed_reaching(s, sheaf, g, spatial_zero());
        const vec3 rate = mixed_above(s, sheaf, g, none).rate;
        along =
            vec3_choose(lane_bits(s->starts[g]),
                        point_acceleration(above.l, above.a, rate, mixed_row_link(s, g).at), along);
    }
    return along;
}

LANE_INLINE void narrow_outward(mixed_sweep *w, int32_t sheaf, int stage, rk4_weights weights)
{
    const rct_mixed_sheaves *s = w->s;
    vec3 there = vec3_zero();
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        const double *own = mixed_scratch_row(w, g), *gains = own + (int64_t)ROW_GAINS * MW;
        const mat3 turn = mat3_load(own + (int64_t)(ROW_MOTION + KEEP_TURN) * MW, MW);
        const abi_gain gain = {mat3_load(gains, MW), vec3_load(gains + (int64_t)9 * MW, MW)};
        spatial a;
        a.l = mat3_apply_transposed(turn, narrow_reaching(s, sheaf, g, there));
        a.a = abi_angular(gain, a.l);
        if (g + 1 < s->first_row[sheaf + 1]) { /* before the state advances */
            const vec3 rate = vec3_load(s->state + (s->state_at[g] + STATE_RATE) * MW, MW);
            there = point_acceleration(a.l, a.a, rate, mixed_row_link(s, g + 1).at);
        }
        mixed_leave_motion(s, g, a);
        mixed_note_outward(w, g, a, narrow_finish(s, g, a, stage, weights));
    }
}

#endif
