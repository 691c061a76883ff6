/* Narrow sheaves (sheaves.h): paths of ball hinges in a tree of any hinges, for the LANE_WIDTH of
 * the including translation unit. A ball hinge transmits a force, and a moment that is known, so S
 * is 3x3 there, in the steps of kernels/laws/narrow_method.h, and so is E of an open end, at a
 * point. What a path adds to the link it hangs on has six components: A11, A12, A22 and b1, b2 of
 * abi_step.h are the blocks of S and e.
 */
#ifndef RCT_KERNELS_SWEEPS_NARROW_H
#define RCT_KERNELS_SWEEPS_NARROW_H

#include "kernels/laws/narrow_method.h"
#include "kernels/sweeps/wide_inward.h"

/* At a ball hinge at `out` on the last link. */
LANE_INLINE narrow_through narrow_open(vec3 out)
{
    const real zero = lane_set(0.0);
    const sym3 none = {zero, zero, zero, zero, zero, zero};
    return (narrow_through){mat3_identity(), out, vec3_zero(), none};
}

/* From beyond a hinge at r on the link inboard, turned by `turn`, to that link; `bias`: of the
 * point there, its axes. */
LANE_INLINE void narrow_open_inboard(narrow_through *t, mat3 turn, vec3 r, vec3 bias) /* 87 */
{
    t->force = mat3_product(turn, t->force);
    t->at = r;
    t->free = vec3_add(t->free, mat3_apply_transposed(t->force, bias));
}

/* Store it in the records of paths, in the lanes in which they begin. */
LANE_INLINE void narrow_store_end(double *path, mask where, const narrow_through *t)
{
    const mat3 f = t->force;
    const sym3 p = t->compliance;
    const vec3 h = t->free;
    const real fields[9] = {f.xx, f.xy, f.xz, f.yx, f.yy, f.yz, f.zx, f.zy, f.zz};
    const real rest[9] = {h.x, h.y, h.z, p.xx, p.yy, p.zz, p.xy, p.xz, p.yz};
    for (int i = 0; i < 9; i++) {
        lane_store_where(where, path + (int64_t)(PATH_THROUGH + i) * ROW, fields[i]);
    }
    for (int i = 0; i < 9; i++) {
        const int64_t field = i < 3 ? PATH_FREE + i : PATH_COMPLIANCE + i - 3;
        lane_store_where(where, path + field * ROW, rest[i]);
    }
}

/* Three numbers of each lane, fields `stride` apart, at `place` behind `from`. */
LANE_INLINE vec3 narrow_gather(const double *from, int64_t stride, const int32_t *place)
{
    return (vec3){lane_gather(from, place), lane_gather(from + stride, place),
                  lane_gather(from + 2 * stride, place)};
}

/* What rows may have: anything, or what is known at compile time of this sweep. */
LANE_INLINE int narrow_what(const group_sweep *w)
{
    return LANE_MEMBERS > 1 ? w->what : ~0;
}

/* ---- frames ------------------------------------------------------------------------------- */

/* Whether a sheaf is narrow. Some kernels of threads have narrow sheaves only (NARROW_ALL). */
LANE_INLINE int narrow_sheaf(const rct_sheaves *s, int32_t sheaf)
{
#ifdef NARROW_ALL
    (void)s;
    (void)sheaf;
    return 1;
#else
    return s->narrow[sheaf];
#endif
}

/* Lanes of row g in which pieces of runs begin that continue others; on devices. */
LANE_INLINE int32_t narrow_behind(const rct_sheaves *s, int64_t g)
{
    return LANE_MEMBERS > 1 ? s->twigs.behind[g] : 0;
}

/* Orientation and rate of links on ball hinges; they do not depend on what the links hang on. */
typedef struct narrow_pose {
    quat orientation;
    vec3 rate;
} narrow_pose;

/* The poses of a row with states at `at`, and those of row g. */
LANE_INLINE narrow_pose narrow_pose_at(const rct_sheaves *s, int64_t at)
{
    const double *state = s->state + at;
    return (narrow_pose){quat_load(state, ROW), vec3_load(state + (int64_t)STATE_RATE * ROW, ROW)};
}

LANE_INLINE narrow_pose narrow_pose_of(const rct_sheaves *s, int64_t g)
{
    return narrow_pose_at(s, s->state_at[g] * ROW);
}

/* The pose of each lane at `place` behind `from`, fields `stride` apart; its rate if wanted. */
LANE_INLINE narrow_pose narrow_pose_gather(const double *from, int64_t stride, const int32_t *place,
                                           int rates)
{
    narrow_pose pose = {{lane_gather(from, place), lane_gather(from + stride, place),
                         lane_gather(from + 2 * stride, place),
                         lane_gather(from + 3 * stride, place)},
                        vec3_zero()};
    if (rates) {
        pose.rate = narrow_gather(from + STATE_RATE * stride, stride, place);
    }
    return pose;
}

LANE_INLINE narrow_pose narrow_pose_select(mask where, narrow_pose there, narrow_pose elsewhere)
{
    return (narrow_pose){quat_select(where, there.orientation, elsewhere.orientation),
                         vec3_choose(where, there.rate, elsewhere.rate)};
}

/* How links hang on others: turned by `turn` against the others, whose rate is `rate`, with moments
 * at their hinges, own axes. `what`: which of HAS_EFFORT and so on act there. */
typedef struct narrow_hung {
    mat3 turn;
    vec3 rate;
    vec3 moment;
    int what;
} narrow_hung;

/* How the trunk and the ground turn, where paths that begin in row g hang on them. */
LANE_APART void narrow_on_trunk(const rct_sheaves *s, int32_t sheaf, int64_t g, narrow_pose *up)
{
    if (s->twigs.trunk[g] != 0) {
        const int32_t *turn = s->twigs.turn + (int64_t)sheaf * ROW;
        const narrow_pose there = narrow_pose_gather(s->twigs.work, 1, turn, 1);
        *up = narrow_pose_select(lane_bits(s->twigs.trunk[g]), there, *up);
    }
    if (s->grounded[g] != 0) {
        const double *q = s->ground.orientation, *w = s->ground.rate;
        const narrow_pose ground = {
            {lane_set(q[0]), lane_set(q[1]), lane_set(q[2]), lane_set(q[3])},
            {lane_set(w[0]), lane_set(w[1]), lane_set(w[2])}};
        *up = narrow_pose_select(lane_bits(s->grounded[g]), ground, *up);
    }
}

/* Lanes of row g in which paths begin that hang on wide links in lanes. */
LANE_INLINE int32_t narrow_others(const rct_sheaves *s, int64_t g)
{
    return s->starts[g] &
           ~(s->twigs.begin[g] | s->twigs.trunk[g] | s->grounded[g] | narrow_behind(s, g));
}

/* Where paths begin in row g beside segments, or continue them. Condensing keeps how their links
 * are turned; accelerating reads that, because the segments have advanced by then. */
LANE_APART void narrow_hang_beside(const rct_sheaves *s, int32_t sheaf, int64_t g, int gains,
                                   narrow_hung *hung)
{
    const mask where = lane_bits(s->twigs.beside[g] | narrow_behind(s, g));
    double *frame = sheaf_path(s, sheaf) + (int64_t)PATH_FRAME * ROW;
    if (gains) {
        hung->turn = mat3_select(where, mat3_load(frame, ROW), hung->turn);
        hung->rate = vec3_choose(where, vec3_load(frame + (int64_t)9 * ROW, ROW), hung->rate);
    } else { /* paths on wide links have their frames there */
        const mat3 turn = mat3_select(where, hung->turn, mat3_load(frame, ROW));
        const vec3 rate = vec3_choose(where, hung->rate, vec3_load(frame + (int64_t)9 * ROW, ROW));
        mat3_store(frame, ROW, turn);
        vec3_store(frame + (int64_t)9 * ROW, ROW, rate);
    }
}

/* Where paths begin in row g that hang on wide links. */
LANE_APART void narrow_hang_others(const rct_sheaves *s, int32_t sheaf, int64_t g, quat orientation,
                                   narrow_hung *hung)
{
    const link_frame none = {mat3_identity(), vec3_zero()};
    const link_frame up = path_above(s, sheaf, g, none);
    const mask where = lane_bits(narrow_others(s, g));
    const mat3 turn = mat3_transposed_times(up.rotation, quat_rotation(orientation));
    hung->turn = mat3_select(where, turn, hung->turn);
    hung->rate = vec3_choose(where, up.rate, hung->rate);
}

/* How the links of row g hang: on those `along` their paths, or where paths begin. The rates of
 * links with twigs are read only where something acts at the hinges. What segments have kept is not
 * read from states, because other threads advance these meanwhile. */
LANE_INLINE narrow_hung narrow_hung_on(const rct_sheaves *s, int32_t sheaf, int64_t g, int what,
                                       int gains, narrow_pose along, quat orientation)
{
    const int begins = row_has(s, g, HAS_START & what);
    const int32_t behind = begins ? narrow_behind(s, g) : 0;
    const int32_t kept = begins && gains ? s->twigs.beside[g] | behind : 0;
    const int32_t twigs = begins ? (s->twigs.begin[g] | behind) & ~kept : 0;
    narrow_pose up = along;
    if (twigs != 0) {
        const narrow_pose below =
            narrow_pose_gather(s->state - lane_member(), ROW, s->twigs.up + (int64_t)sheaf * ROW,
                               row_has(s, g, (HAS_EFFORT | HAS_HINGE_FORCE) & what) || behind != 0);
        up = narrow_pose_select(lane_bits(twigs), below, up);
    }
    if (begins && (s->twigs.trunk[g] | s->grounded[g]) != 0) {
        narrow_on_trunk(s, sheaf, g, &up);
    }
    narrow_hung hung = {quat_rotation(quat_between(up.orientation, orientation)), up.rate,
                        vec3_zero(), what};
    if (begins && row_has(s, g, HAS_OTHERS & what)) {
        if (narrow_others(s, g) != 0) {
            narrow_hang_others(s, sheaf, g, orientation, &hung);
        }
        if ((s->twigs.beside[g] | behind) != 0) {
            narrow_hang_beside(s, sheaf, g, gains, &hung);
        }
    }
    return hung;
}

/* Prefetch the states of a row to come, and its own constants, which would be waited for where
 * caches do not hold them. */
LANE_INLINE void narrow_prefetch(const group_sweep *w, int64_t g)
{
    enum { AHEAD = 3, LINE = LANE_MEMBERS > 1 ? ROW : 8 };
    if (g >= AHEAD && w->ahead) {
        const double *state = w->s->state + w->s->state_at[g - AHEAD] * ROW;
        for (int i = 0; i < STATE_FIELDS * ROW; i += LINE) {
            lane_prefetch(state + i);
        }
        const int own = LANE_MEMBERS == 1 && w->ahead == AHEAD_OF_CONSTANTS;
        const int32_t k = own ? w->s->record[g - AHEAD] : 0;
        if (k < 0) {
            const double *constants = w->s->wide + (int64_t)~k * w->s->link_fields * ROW;
            for (int i = 0; i < LINK_FIELDS * ROW; i += LINE) {
                lane_prefetch(constants + i);
            }
        }
    }
}

/* Outward: frames to the paths that hang on the links, without twigs. */
LANE_INLINE void narrow_outward_frames(const rct_sheaves *s, int32_t sheaf)
{
    const int64_t first = s->first_row[sheaf], end = s->first_row[sheaf + 1];
    if (s->first_kid[first] == s->first_kid[end]) {
        return;
    }
    for (int64_t g = first; g < end; g++) {
        if (row_has(s, g, HAS_KIDS)) {
            const narrow_pose own = narrow_pose_of(s, g);
            path_leave_frame(s, g, (link_frame){quat_rotation(own.orientation), own.rate});
        }
    }
}

#endif
