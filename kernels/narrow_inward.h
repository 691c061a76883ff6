/* Narrow sheaves inward (narrow.h), for the LANE_WIDTH of the including translation unit. */
#ifndef RCT_KERNELS_NARROW_INWARD_H
#define RCT_KERNELS_NARROW_INWARD_H

#include "kernels/narrow.h"

/* A row of links on its way inward: S, e of all that hangs on them and of themselves; then what is beyond their hinges. */
typedef struct narrow_row {
    mat3 axes; /* to inertial */
    vec3 at;
    abi_body body;
    abi_handle handle;
} narrow_row;

/* Links with what hangs on them but along their paths, and what acts on them but at their hinges. */
LANE_INLINE void narrow_add_besides(const rct_mixed_sheaves *s, int64_t g, int what,
                                    narrow_row *row)
{
    abi_body *body = &row->body;
    if (mixed_row_has(s, g, HAS_KIDS & what)) {
        mixed_handle sum = {body->a11, body->a12, body->a22, {body->b1, body->b2}};
        for (int64_t k = s->first_kid[g]; k < s->first_kid[g + 1]; k++) {
            const mixed_handle kid = mixed_kid_share(s, k);
            mixed_add(&sum, &kid);
        }
        *body = (abi_body){sum.ll, sum.la, sum.aa, sum.e.l, sum.e.a};
    }
    if (mixed_row_has(s, g, HAS_LOAD & what)) {
        const double *load = s->loads + g * LOAD_FIELDS * MW;
        body->b1 = vec3_sub(body->b1, vec3_load(load + LOAD_FORCE * MW, MW));
        body->b2 = vec3_sub(body->b2, vec3_load(load + LOAD_MOMENT * MW, MW));
    }
    if (mixed_row_has(s, g, HAS_WRENCH & what)) {
        const spatial push = mixed_wrench(s, g, row->axes);
        body->b1 = vec3_sub(body->b1, push.l);
        body->b2 = vec3_sub(body->b2, push.a);
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
    narrow_add_besides(s, g, ~0, &row);
    return row;
}

/* Note the hinges of row g that are not `regular`, of links with A22. */
LANE_APART void narrow_note(mixed_sweep *w, int64_t g, mask regular, sym3 a22)
{
    const mask number = lane_finite(a22.xx + a22.yy + a22.zz);
    mixed_note(&w->fault, w->s, g, regular);
    mixed_note(&w->cause, w->s, g, regular | lane_not(number));
}

/* The hinges of row g. */
LANE_INLINE void narrow_cross(mixed_sweep *w, int64_t g, narrow_row *row, narrow_through *t,
                              int gains)
{
    double *own = mixed_scratch_row(w, g) + (int64_t)ROW_GAINS * MW;
    abi_gain gain = {mat3_identity(), vec3_zero()};
    const abi_body *body = &row->body;
    const mask regular = t != NULL ? narrow_span(body, t, &row->handle)
                                   : abi_eliminate(body, &row->handle, &gain).regular;
    if (gains) {
        mat3_store(own, MW, gain.g);
        vec3_store(own + (int64_t)9 * MW, MW, gain.h);
    }
    if (!lane_all(regular)) {
        narrow_note(w, g, regular, body->a22);
        row->handle.s.xx = lane_select(regular, row->handle.s.xx, lane_set((double)NAN));
    }
}

/* The moments of dampers at the hinges of row g, of links that turn against what they hang on by `turn`, which has `rate`. */
LANE_INLINE vec3 narrow_damping(const rct_mixed_sheaves *s, int64_t g, mat3 turn, vec3 rate)
{
    const vec3 own = vec3_load(s->state + (s->state_at[g] + STATE_RATE) * MW, MW);
    return vec3_scale(mixed_row_effort(s, g, EFFORT_DAMPING).x,
                      vec3_sub(mat3_apply_transposed(turn, rate), own));
}

/* Which hinges of row g have dampers: the others must keep their bits, be they zeros of either sign. */
LANE_INLINE mask narrow_damped(const rct_mixed_sheaves *s, int64_t g)
{
    return lane_greater(mixed_row_effort(s, g, EFFORT_DAMPING).x, lane_set(0.0));
}

/* How links hang on others: turned by `turn` against those, which have `rate`, with moments at their hinges, own axes.
 * `what`: of all that rows may have (HAS_EFFORT), what these do. */
typedef struct narrow_hung {
    mat3 turn;
    vec3 rate;
    vec3 moment;
    int what;
} narrow_hung;

/* Add what is beyond the hinges of row g, `out` at `at`, to the bodies they hang on. */
LANE_INLINE void narrow_hang(const rct_mixed_sheaves *s, int64_t g, const narrow_hung *hung,
                             abi_handle out, vec3 at, abi_body *body)
{
    abi_add_outboard(body, out, at, hung->rate);
    if (mixed_row_has(s, g, HAS_EFFORT & hung->what)) {
        const vec3 turned = mat3_apply(hung->turn, hung->moment);
        body->b2 = vec3_choose(narrow_damped(s, g), vec3_add(body->b2, turned), body->b2);
    }
}

/* Where paths begin in row g: what they add to what they hang on, and their open ends, to the records; then nothing hangs
 * there. */
LANE_INLINE void narrow_leave(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g,
                              const narrow_hung *hung, const narrow_through *t, narrow_row *row)
{
    const mask starts = lane_bits(s->starts[g]);
    double *path = mixed_path(s, sheaf);
    if (s->starts[g] != s->grounded[g]) { /* the ground takes nothing */
        const mixed_handle none = mixed_none();
        abi_body body = {none.ll, none.la, none.aa, none.e.l, none.e.a};
        narrow_hang(s, g, hung, abi_turn(hung->turn, row->handle), row->at, &body);
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
}

/* From row g, crossed, to the one inboard of it, of frames `next`. What comes is turned before the next links are read, for
 * fewer numbers wait then. */
LANE_INLINE void narrow_next(const rct_mixed_sheaves *s, int64_t g, const narrow_hung *hung,
                             mixed_frame next, narrow_row *row)
{
    const abi_handle out = abi_turn(hung->turn, row->handle);
    const vec3 at = row->at;
    const mixed_link link = mixed_row_link(s, g - 1);
    row->body = abi_body_alone(link.mass, link.com, link.inertia, next.rate);
    narrow_hang(s, g, hung, out, at, &row->body);
    row->axes = next.rotation;
    row->at = link.at;
    narrow_add_besides(s, g - 1, hung->what, row);
}

/* The links of `row` hung on others of frames `up`. */
LANE_INLINE narrow_hung narrow_hung_on(mixed_frame up, int what, const narrow_row *row)
{
    return (narrow_hung){mat3_transposed_times(up.rotation, row->axes), up.rate, vec3_zero(), what};
}

/* The moments of dampers at the hinges of row g. */
LANE_INLINE void narrow_resist(const rct_mixed_sheaves *s, int64_t g, narrow_hung *hung,
                               narrow_row *row)
{
    vec3 *b2 = &row->body.b2;
    if (mixed_row_has(s, g, HAS_EFFORT & hung->what)) {
        hung->moment = narrow_damping(s, g, hung->turn, hung->rate);
        *b2 = vec3_choose(narrow_damped(s, g), vec3_sub(*b2, hung->moment), *b2);
    }
}

/* From row g, crossed, to what its links hang on: open ends, and with gains, how they are turned against that, left with
 * them. */
LANE_INLINE void narrow_go_inboard(mixed_sweep *w, int64_t g, const narrow_hung *hung,
                                   narrow_through *t, int gains, const narrow_row *row)
{
    if (gains) {
        double *turn = mixed_scratch_row(w, g) + (int64_t)(ROW_MOTION + KEEP_TURN) * MW;
        mat3_store(turn, MW, hung->turn);
    }
    if (t != NULL) {
        narrow_open_inboard(t, hung->turn, row->at, vec3_centripetal(hung->rate, row->at));
    }
}

/* Over row g, whatever it and the row inboard of it have. */
LANE_APART void narrow_any_row(mixed_sweep *w, int32_t sheaf, int64_t g, narrow_through *t,
                               int gains, narrow_row *row)
{
    const rct_mixed_sheaves *s = w->s;
    narrow_hung hung = narrow_hung_on(narrow_above(s, sheaf, g), ~0, row);
    narrow_resist(s, g, &hung, row);
    narrow_cross(w, g, row, t, gains);
    narrow_go_inboard(w, g, &hung, t, gains, row);
    if (mixed_row_has(s, g, HAS_START)) {
        narrow_leave(s, sheaf, g, &hung, t, row);
        hung.moment = vec3_choose(lane_bits(s->starts[g]), vec3_zero(), hung.moment);
    }
    if (g > s->first_row[sheaf]) {
        narrow_next(s, g, &hung, narrow_frame(s, g - 1), row);
    }
}

/* Whether row g, and the one inboard of it, have nothing but some of `what`. In the first row of a sheaf paths begin. */
LANE_INLINE int narrow_only(const rct_mixed_sheaves *s, int64_t g, int what)
{
    return (s->has[g] & ~what) == 0 && (s->has[g - 1] & ~what) == 0;
}

/* From row g over those that have nothing but some of `what`; the row it comes to. A loop of its own for each, for what may
 * happen in a loop takes registers from what does; and only moments ask for the turn before the hinge is crossed. */
LANE_INLINE int64_t narrow_rows(mixed_sweep *w, int64_t g, int what, narrow_through *t, int gains,
                                narrow_row *row)
{
    const rct_mixed_sheaves *s = w->s;
    narrow_row r = *row;
    narrow_through own = t != NULL ? *t : narrow_open(vec3_zero());
    narrow_through *through = t != NULL ? &own : NULL;
    for (; narrow_only(s, g, what); g--) {
        mixed_frame up;
        narrow_hung hung;
        if (what != 0) {
            up = narrow_frame(s, g - 1);
            hung = narrow_hung_on(up, what, &r);
            narrow_resist(s, g, &hung, &r);
        }
        narrow_cross(w, g, &r, through, gains);
        if (what == 0) {
            up = narrow_frame(s, g - 1);
            hung = narrow_hung_on(up, what, &r);
        }
        narrow_go_inboard(w, g, &hung, through, gains, &r);
        narrow_next(s, g, &hung, up, &r);
    }
    *row = r;
    if (t != NULL) {
        *t = own;
    }
    return g;
}

/* A sheaf inward, closed by what hangs on its outermost links, or with open ends `t`. */
LANE_INLINE void narrow_inward(mixed_sweep *w, int32_t sheaf, mixed_handle beyond,
                               narrow_through *t, int gains)
{
    const rct_mixed_sheaves *s = w->s;
    narrow_row row = narrow_last(s, sheaf, beyond);
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf];) {
        if (narrow_only(s, g, 0)) {
            g = narrow_rows(w, g, 0, t, gains, &row);
        } else if (narrow_only(s, g, HAS_ACTING)) {
            g = narrow_rows(w, g, HAS_ACTING, t, gains, &row);
        } else {
            narrow_any_row(w, sheaf, g, t, gains, &row);
            g--;
        }
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

#endif
