/* Narrow sheaves inward (narrow.h), for the LANE_WIDTH of the including translation unit. */
#ifndef RCT_KERNELS_SWEEPS_NARROW_INWARD_H
#define RCT_KERNELS_SWEEPS_NARROW_INWARD_H

#include "kernels/sweeps/narrow_moments.h"

/* A row of links on its way inward: S, e of the links with all that hangs on them; then what is
 * beyond their hinges. */
typedef struct narrow_row {
    quat orientation;
    vec3 at;
    narrow_body body;
    narrow_handle handle;
} narrow_row;

/* Add the twigs that hang on links of `rate`. Moments at their hinges are added wherever anything
 * acts at hinges, so that the signs of zeros do not depend on the lanes. */
LANE_INLINE void narrow_add_twigs(const group_sweep *w, int64_t g, vec3 rate, narrow_body *body)
{
    const rct_sheaves *s = w->s;
    const double *records = w->twigs;
    narrow_body sum = *body; /* in registers */
    for (int64_t k = s->twigs.first[g]; k < s->twigs.first[g + 1]; k++) {
        const int32_t *place = s->twigs.place + k * ROW;
        const narrow_handle twig = narrow_handle_gather(records + TWIG_HANDLE * ROW, place);
        narrow_hang(&sum, twig, vec3_load(s->twigs.at + 3 * k * ROW, ROW), rate);
        if (s->moments) {
            vec3 *moment = narrow_moment_of(&sum);
            *moment = vec3_add(*moment, narrow_gather(records + TWIG_MOMENT * ROW, ROW, place));
        }
    }
    *body = sum;
}

/* Add what hangs on links of `rate` besides their paths, and what acts on them besides their
 * hinges. */
LANE_INLINE void narrow_add_besides(const group_sweep *w, int64_t g, int what, vec3 rate,
                                    narrow_row *row)
{
    const rct_sheaves *s = w->s;
    if (row_has(s, g, HAS_TWIGS & what)) {
        narrow_add_twigs(w, g, rate, &row->body);
    }
    if (row_has(s, g, HAS_KIDS & what)) {
        for (int64_t k = s->first_kid[g]; k < s->first_kid[g + 1]; k++) {
            const wide_handle kid = path_kid_share(s, k);
            narrow_add_record(&row->body, &kid);
        }
    }
    if (row_has(s, g, HAS_LOAD & what)) {
        const double *load = s->loads + g * LOAD_FIELDS * ROW;
        narrow_push(&row->body, spatial_load(load + (int64_t)LOAD_FORCE * ROW, ROW));
    }
    if (row_has(s, g, HAS_WRENCH & what)) {
        narrow_push(&row->body, row_wrench_sum(s, g, quat_rotation(row->orientation)));
    }
}

/* The last row of a sheaf; `beyond`: what hangs on it there, in six components, or NULL. The body
 * is made in its final place: a choice between two bodies would be copied. */
LANE_INLINE void narrow_last(const group_sweep *w, int32_t sheaf, const wide_handle *beyond,
                             narrow_row *row)
{
    const rct_sheaves *s = w->s;
    const int64_t g = s->first_row[sheaf + 1] - 1;
    const narrow_pose own = narrow_pose_of(s, g);
    const link_lanes link = narrow_row_link(s, g);
    row->orientation = own.orientation;
    row->at = link.at;
    if (beyond != NULL) {
        row->body = narrow_with(beyond, &link, own.rate);
    } else {
        row->body = narrow_alone(&link, own.rate);
    }
    narrow_add_besides(w, g, narrow_what(w), own.rate, row);
}

/* Note the hinges of row g that are not `regular`; `pivot` tells which had finite numbers. */
LANE_APART void narrow_note(group_sweep *w, int64_t g, mask regular, real pivot)
{
    const mask number = lane_finite(pivot);
    sweep_note(w, g, regular, SWEEP_NOT_FINITE);
    sweep_note(w, g, regular | lane_not(number), SWEEP_SINGULAR);
}

/* Whether gains stay in the scratch: if `gains`, or if the condensing sweep says so, for paths
 * without open ends; on devices for all. */
LANE_INLINE int narrow_leaves_gains(const group_sweep *w, const narrow_through *t, int gains)
{
    return gains || ((LANE_MEMBERS > 1 || t == NULL) && w->leaves);
}

/* Cross the hinges of row g. */
LANE_INLINE void narrow_cross(group_sweep *w, int64_t g, narrow_row *row, narrow_through *t,
                              int gains)
{
    double *own = scratch_row(w, g) + (int64_t)NARROW_GAIN * ROW;
    abi_gain gain = {mat3_identity(), vec3_zero()};
    const int leaves = narrow_leaves_gains(w, t, gains);
    const mask regular = narrow_solve(&row->body, t, &row->handle, &gain, leaves);
    if (leaves) {
        mat3_store(own, ROW, gain.g);
        vec3_store(own + (int64_t)9 * ROW, ROW, gain.h);
    }
    if (!lane_all(regular)) {
        narrow_note(w, g, regular, narrow_pivot(&row->body));
        narrow_spoil(&row->handle, regular);
    }
}

/* Leave the forces at the hinges of row g if they are wanted: from `handle` beyond them, and the
 * moments there. */
LANE_APART void narrow_leave_force(const rct_sheaves *s, int64_t g, narrow_handle handle,
                                   vec3 moment)
{
    const vec3 there = row_result(s, g).l;
    row_leave_force(s, g, (spatial){narrow_force(&handle, there), moment});
}

/* Where twigs begin in row g, in `lanes` (bits): `out`, what is beyond their hinges, to their
 * records. */
LANE_INLINE void narrow_leave_twigs(const rct_sheaves *s, int64_t g, int32_t lanes,
                                    const narrow_hung *hung, narrow_handle out, double *record)
{
    const mask twigs = lane_bits(lanes);
    narrow_handle_store(record + (int64_t)TWIG_HANDLE * ROW, twigs, out);
    if (s->moments) {
        narrow_store3(record + (int64_t)TWIG_MOMENT * ROW, twigs, narrow_moment_up(s, g, hung));
    }
}

LANE_APART void narrow_leave_beside(const rct_sheaves *s, int32_t sheaf, int64_t g,
                                    const narrow_hung *hung, const narrow_handle *out)
{
    narrow_leave_twigs(s, g, s->twigs.beside[g], hung, *out,
                       sheaf_path(s, sheaf) + (int64_t)PATH_ABOVE * ROW);
}

/* The same for paths that hang on the trunk, or continue others, at r. */
LANE_INLINE void narrow_leave_trunk(const rct_sheaves *s, int32_t sheaf, int64_t g,
                                    const narrow_hung *hung, narrow_handle out, vec3 r)
{
    const mask trunk = lane_bits(s->twigs.trunk[g] | narrow_behind(s, g));
    const abi_handle h = narrow_at_hinge(out, vec3_centripetal(hung->rate, r));
    double *path = sheaf_path(s, sheaf) + (int64_t)PATH_HINGE * ROW;
    narrow_store3(path, trunk, (vec3){h.s.xx, h.s.yy, h.s.zz});
    narrow_store3(path + (int64_t)3 * ROW, trunk, (vec3){h.s.xy, h.s.xz, h.s.yz});
    narrow_store3(path + (int64_t)6 * ROW, trunk, h.e);
    if (s->moments) {
        narrow_store3(path + (int64_t)9 * ROW, trunk, narrow_moment_up(s, g, hung));
    }
}

/* Where paths begin in row g, with `out` beyond their hinges: what they add to what they hang on,
 * and their open ends, to the records. With gains, only to links of their bush: all others got it
 * before. */
LANE_INLINE void narrow_leave(const group_sweep *w, int32_t sheaf, int64_t g,
                              const narrow_hung *hung, const narrow_through *t, int gains, vec3 at,
                              narrow_handle out)
{
    const rct_sheaves *s = w->s;
    const int32_t twigs = s->twigs.begin[g], inner = twigs & ~s->twigs.beside[g];
    const int32_t asked = gains ? s->inside[g] : s->starts[g] & ~s->grounded[g];
    const int32_t trunk = asked & (s->twigs.trunk[g] | narrow_behind(s, g));
    const int32_t others = hung->what & HAS_OTHERS ? asked & ~(twigs | trunk) : 0;
    if (inner != 0) {
        narrow_leave_twigs(s, g, inner, hung, out, sheaf_twigs(w, sheaf));
    }
    if (!gains && (hung->what & HAS_OTHERS) != 0 && s->twigs.beside[g] != 0) {
        narrow_leave_beside(s, sheaf, g, hung, &out);
    }
    if (trunk != 0) {
        narrow_leave_trunk(s, sheaf, g, hung, out, at);
    }
    if (others != 0) { /* the ground takes nothing */
        narrow_body body = narrow_none();
        double *to = sheaf_path(s, sheaf) + (int64_t)PATH_SHARE * ROW;
        narrow_hang_on(s, g, hung, out, at, &body);
        const wide_handle share = narrow_record(&body), before = wide_handle_load(to);
        const wide_handle now = wide_handle_select(lane_bits(others), &share, &before);
        wide_handle_store(to, &now);
    }
    if (t != NULL) {
        narrow_store_end(sheaf_path(s, sheaf), lane_bits(s->starts[g]), t);
    }
    lane_meet(); /* paths of one sheaf may hang on one another */
}

/* From row g, crossed and turned to `out`, to the row inboard of it, with that row's pose. */
LANE_INLINE void narrow_next(const group_sweep *w, int64_t g, const narrow_hung *hung,
                             narrow_pose next, narrow_handle out, narrow_row *row)
{
    const rct_sheaves *s = w->s;
    const vec3 at = row->at;
    const link_lanes link = narrow_row_link(s, g - 1);
    row->body = narrow_alone(&link, next.rate);
    narrow_hang_on(s, g, hung, out, at, &row->body);
    row->orientation = next.orientation;
    row->at = link.at;
    narrow_add_besides(w, g - 1, hung->what, next.rate, row);
}

/* The moments at the hinges of row g on its links. */
LANE_INLINE void narrow_act(const rct_sheaves *s, int64_t g, narrow_hung *hung, narrow_row *row)
{
    if (row_has(s, g, HAS_MOMENT & hung->what)) {
        vec3 *moment = narrow_moment_of(&row->body);
        hung->moment = narrow_moment_at(s, g, hung->what, row->orientation, hung->turn, hung->rate);
        *moment = vec3_choose(narrow_acts(hung->moment), vec3_sub(*moment, hung->moment), *moment);
    }
}

/* Whether the scratch of row g keeps how its links are turned. Threads that are lanes compute it
 * again, except where paths begin, because memory traffic costs them more. */
LANE_INLINE int narrow_keeps_turn(const rct_sheaves *s, int64_t g)
{
    return LANE_MEMBERS == 1 || row_has(s, g, HAS_START);
}

/* From row g, crossed, to what its links hang on: open ends, and, with gains, how they are turned
 * against what they hang on. */
LANE_INLINE void narrow_go_inboard(group_sweep *w, int64_t g, const narrow_hung *hung,
                                   narrow_through *t, int gains, const narrow_row *row)
{
    if (narrow_leaves_gains(w, t, gains) && narrow_keeps_turn(w->s, g)) {
        mat3_store(scratch_row(w, g) + (int64_t)NARROW_TURN * ROW, ROW, hung->turn);
    }
    if (t != NULL) {
        narrow_open_inboard(t, hung->turn, row->at, vec3_centripetal(hung->rate, row->at));
    }
}

/* Over row g; `inner`: how many rows of the sheaf are inboard of it. */
LANE_INLINE void narrow_over(group_sweep *w, int32_t sheaf, int64_t g, int32_t inner, int what,
                             narrow_through *t, int gains, narrow_row *row)
{
    const rct_sheaves *s = w->s;
    narrow_pose next = {quat_identity(), vec3_zero()};
    narrow_prefetch(w, g);
    if (inner > 0) {
        next = narrow_pose_of(s, g - 1);
    }
    narrow_hung hung = narrow_hung_on(s, sheaf, g, what, gains, next, row->orientation);
    narrow_act(s, g, &hung, row);
    narrow_cross(w, g, row, t, gains);
    if (gains && row_asks_forces(s)) {
        narrow_leave_force(s, g, row->handle, hung.moment);
    }
    narrow_go_inboard(w, g, &hung, t, gains, row);
    if (ROW_ALONE && row_grounded(s, g) && inner == 0 && t == NULL) {
        return;
    }
    narrow_handle out = narrow_turn(hung.turn, row->handle);
    if (row_has(s, g, HAS_START & what)) {
        narrow_leave(w, sheaf, g, &hung, t, gains, row->at, out);
    }
    if (inner > 0) {
        if (row_has(s, g, HAS_START & what)) {
            const mask starts = lane_bits(s->starts[g]);
            narrow_clear(&out, starts);
            hung.moment = vec3_choose(starts, vec3_zero(), hung.moment);
        }
        hung.rate = next.rate;
        narrow_next(w, g, &hung, next, out, row);
    }
}

/* The same whatever row g and the row inboard of it have. */
LANE_APART void narrow_any_row(group_sweep *w, int32_t sheaf, int64_t g, int32_t inner,
                               narrow_through *t, int gains, narrow_row *row)
{
    narrow_over(w, sheaf, g, inner, ~0, t, gains, row);
}

/* Whether row g, and the one inboard of it, have nothing besides some of `what`. In the first row
 * of a sheaf paths begin. */
LANE_INLINE int narrow_only(const rct_sheaves *s, int64_t g, int what)
{
    return (s->has[g] & ~what) == 0 && (s->has[g - 1] & ~what) == 0;
}

/* From row g over the rows that have nothing besides some of `what`; returns the row it stops at.
 * Each `what` has its own loop, because rare cases in a loop would take registers from the usual
 * one. Only moments need the turn before the hinge is crossed. */
LANE_INLINE int64_t narrow_rows(group_sweep *w, int64_t g, int what, narrow_through *t, int gains,
                                narrow_row *row)
{
    const rct_sheaves *s = w->s;
    narrow_row r = *row;
    narrow_through own = t != NULL ? *t : narrow_open(vec3_zero());
    narrow_through *through = t != NULL ? &own : NULL;
    for (; narrow_only(s, g, what); g--) {
        narrow_pose up;
        narrow_hung hung;
        narrow_prefetch(w, g);
        if (what != 0) {
            up = narrow_pose_of(s, g - 1);
            hung = narrow_hung_on(s, 0, g, what & HAS_ACTING, gains, up, r.orientation);
            narrow_act(s, g, &hung, &r);
        }
        narrow_cross(w, g, &r, through, gains);
        if (what == 0) {
            up = narrow_pose_of(s, g - 1);
            hung = narrow_hung_on(s, 0, g, 0, gains, up, r.orientation);
        }
        if (gains && row_asks_forces(s)) {
            narrow_leave_force(s, g, r.handle, hung.moment);
        }
        narrow_go_inboard(w, g, &hung, through, gains, &r);
        narrow_next(w, g, &hung, up, narrow_turn(hung.turn, r.handle), &r);
    }
    *row = r;
    if (t != NULL) {
        *t = own;
    }
    return g;
}

/* Whether row g, and the one inboard of it in the sheaf, have nothing but branches. */
LANE_INLINE int narrow_branches(const rct_sheaves *s, int64_t g, int32_t inner)
{
    return (s->has[g] & ~HAS_BRANCHES) == 0 && (inner == 0 || (s->has[g - 1] & ~HAS_BRANCHES) == 0);
}

/* Over the rows of a sheaf from the last one, `row`, on; with open ends `t` unless NULL. Threads
 * that are lanes have one loop. */
LANE_INLINE void narrow_inward(group_sweep *w, int32_t sheaf, narrow_row *row, narrow_through *t,
                               int gains)
{
    const rct_sheaves *s = w->s;
    const int64_t first = s->first_row[sheaf];
    int64_t g = s->first_row[sheaf + 1] - 1;
    int32_t inner = (int32_t)(g - first);
    for (; LANE_MEMBERS > 1 && inner >= 0; inner--) {
        narrow_over(w, sheaf, g--, inner, w->what, t, gains, row);
    }
    if (LANE_MEMBERS == 1 && narrow_branches(s, g, inner)) { /* many paths have only one row */
        narrow_over(w, sheaf, g--, inner, HAS_BRANCHES, t, gains, row);
    }
    while (LANE_MEMBERS == 1 && g >= first) {
        inner = (int32_t)(g - first);
        if (narrow_only(s, g, 0)) {
            g = narrow_rows(w, g, 0, t, gains, row);
        } else if (narrow_branches(s, g, inner)) {
            narrow_over(w, sheaf, g--, inner, HAS_BRANCHES, t, gains, row);
        } else if (narrow_only(s, g, HAS_ACTING)) {
            g = narrow_rows(w, g, HAS_ACTING, t, gains, row);
        } else { /* through memory: others stay in registers */
            narrow_row any = *row;
            narrow_through end = t != NULL ? *t : narrow_open(vec3_zero());
            narrow_any_row(w, sheaf, g--, inner, t != NULL ? &end : NULL, gains, &any);
            *row = any;
            if (t != NULL) {
                *t = end;
            }
        }
    }
}

/* The last row of segments that end at a hinge with `end` beyond it, e with S w x (w x r), and the
 * moment there. */
LANE_INLINE void narrow_last_of_segments(const group_sweep *w, int32_t sheaf, abi_handle end,
                                         narrow_row *row)
{
    const double *path = sheaf_path(w->s, sheaf);
    const wide_handle none = wide_none();
    abi_body body = {none.ll, none.la, none.aa, none.e.l, none.e.a};
    abi_add_outboard(&body, end, vec3_load(path + (int64_t)PATH_OUT * ROW, ROW), vec3_zero());
    body.b2 = vec3_add(body.b2, vec3_load(path + (int64_t)PATH_END_MOMENT * ROW, ROW));
    const wide_handle whole = {body.a11, body.a12, body.a22, {body.b1, body.b2}};
    narrow_last(w, sheaf, &whole, row);
}

/* A sheaf of segments closed by what hangs on them; other sheaves are closed anyway. */
LANE_INLINE void narrow_inward_closed(group_sweep *w, int32_t sheaf, const double *beyond,
                                      int gains)
{
    narrow_row row;
    if (beyond != NULL) {
        const abi_handle end = {sym3_load(beyond, ROW), vec3_load(beyond + (int64_t)6 * ROW, ROW)};
        narrow_last_of_segments(w, sheaf, end, &row);
    } else {
        narrow_last(w, sheaf, NULL, &row);
    }
    narrow_inward(w, sheaf, &row, NULL, gains);
}

/* The stand-in at the ends is a mass at the hinge, besides the moment there. */
LANE_INLINE void narrow_inward_open(group_sweep *w, int32_t sheaf)
{
    const double *path = sheaf_path(w->s, sheaf);
    const real zero = lane_set(0.0), m = lane_load(path + (int64_t)PATH_STAND_IN * ROW);
    const abi_handle mass = {{m, m, m, zero, zero, zero}, vec3_zero()};
    narrow_through t = narrow_open(vec3_load(path + (int64_t)PATH_OUT * ROW, ROW));
    narrow_row row;
    narrow_last_of_segments(w, sheaf, mass, &row);
    narrow_inward(w, sheaf, &row, &t, 0);
}

#endif
