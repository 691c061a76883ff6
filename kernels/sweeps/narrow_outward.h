/* Narrow sheaves outward (narrow.h), for the LANE_WIDTH of the including translation unit. */
#ifndef RCT_KERNELS_SWEEPS_NARROW_OUTWARD_H
#define RCT_KERNELS_SWEEPS_NARROW_OUTWARD_H

#include "kernels/sweeps/narrow_inward.h"
#include "kernels/sweeps/wide_outward.h"

LANE_INLINE rk4_row narrow_states(const rct_sheaves *s, int64_t at)
{
    return (rk4_row){s->base + at, s->sum + at,  s->state + at, ROW,
                     STATE_RATE,   STATE_FIELDS, STATE_RATE};
}

LANE_INLINE void narrow_leave_results(const rct_sheaves *s, int64_t g, spatial a)
{
    spatial_store(s->results + s->result_at[g] * ROW, ROW, a);
}

/* Results of row g, or its states advanced from `pose`; `start` as in rk4_start. */
LANE_INLINE mask narrow_finish(const rct_sheaves *s, int64_t g, const rk4_row *states, spatial a,
                               narrow_pose pose, const real *start, int stage, double weight)
{
    const mask all = lane_greater(lane_set(1.0), lane_set(0.0));
    const quat q = pose.orientation, dq = quat_rate(q, pose.rate);
    const real now[] = {q.w, q.x, q.y, q.z, pose.rate.x, pose.rate.y, pose.rate.z};
    const real f[] = {dq.w, dq.x, dq.y, dq.z, a.a.x, a.a.y, a.a.z};
    if (stage == STAGE_NONE) {
        narrow_leave_results(s, g, a);
        return all;
    }
    if (stage < 3) {
        rk4_stage(states, stage, now, f, start, weight);
        return all;
    }
    return rk4_last_stage(states, now, f, start, weight, all, 1);
}

/* The accelerations of the hinge points of row g, in the axes of what they hang on, for paths on
 * the trunk and for other paths. */
LANE_APART vec3 narrow_reaching_trunk(const rct_sheaves *s, int32_t sheaf, int64_t g)
{
    const double *path = sheaf_path(s, sheaf);
    const vec3 there = vec3_load(path + (int64_t)PATH_ABOVE * ROW, ROW);
    const int32_t *turn = s->twigs.turn + (int64_t)sheaf * ROW;
    vec3 rate = narrow_gather(s->twigs.work + STATE_RATE, 1, turn);
    if (narrow_behind(s, g) != 0) {
        rate = vec3_choose(lane_bits(narrow_behind(s, g)),
                           vec3_load(path + (int64_t)(PATH_FRAME + 9) * ROW, ROW), rate);
    }
    return vec3_add(there, vec3_centripetal(rate, narrow_row_link(s, g).at));
}

LANE_APART vec3 narrow_reaching_others(const rct_sheaves *s, int32_t sheaf, int64_t g, vec3 there)
{
    const int32_t others = narrow_others(s, g) | s->grounded[g];
    const double *left = sheaf_path(s, sheaf) + (int64_t)PATH_ABOVE * ROW;
    if (others != 0) {
        const link_frame none = {mat3_identity(), vec3_zero()};
        const spatial above = path_reaching(s, sheaf, g, spatial_zero());
        const vec3 rate = path_above(s, sheaf, g, none).rate, at = narrow_row_link(s, g).at;
        there =
            vec3_choose(lane_bits(others), point_acceleration(above.l, above.a, rate, at), there);
    }
    return vec3_choose(lane_bits(s->twigs.beside[g]), vec3_load(left, ROW), there);
}

/* The same for all lanes of row g, in which paths begin; `along` where none begins. */
LANE_INLINE vec3 narrow_reaching(const group_sweep *w, int32_t sheaf, int64_t g, vec3 along)
{
    const rct_sheaves *s = w->s;
    const int32_t twigs = s->twigs.begin[g] & ~s->twigs.beside[g];
    const int32_t trunk = s->twigs.trunk[g] | narrow_behind(s, g);
    vec3 there = along;
    if (ROW_ALONE && row_grounded(s, g) && s->own_gravity == NULL) {
        const spatial ground = ground_motion(s);
        return point_acceleration(ground.l, ground.a, ground_frame(s).rate,
                                  narrow_row_link(s, g).at);
    }
    if (twigs != 0) {
        const vec3 left = vec3_load(sheaf_twigs(w, sheaf) + (int64_t)TWIG_POINT * ROW, ROW);
        there = vec3_choose(lane_bits(twigs), left, there);
    }
    if (trunk != 0) {
        there = vec3_choose(lane_bits(trunk), narrow_reaching_trunk(s, sheaf, g), there);
    }
    if (row_has(s, g, HAS_OTHERS) || s->grounded[g] != 0) {
        there = narrow_reaching_others(s, sheaf, g, there);
    }
    return there;
}

/* Leave with twigs the accelerations of their points on the links of row g, whose rate is
 * `rate`. */
LANE_INLINE void narrow_leave_points(const group_sweep *w, int64_t g, spatial a, vec3 rate)
{
    const rct_sheaves *s = w->s;
    for (int64_t k = s->twigs.first[g]; k < s->twigs.first[g + 1]; k++) {
        double left[3 * LANE_WIDTH];
        const vec3 at = vec3_load(s->twigs.at + 3 * k * ROW, ROW);
        vec3_store(left, LANE_WIDTH, point_acceleration(a.l, a.a, rate, at));
        path_leave_at(w->twigs, s->twigs.place + k * ROW, TWIG_POINT, left, 3);
    }
}

/* Leave the accelerations of the links of row g with the paths that hang on them. */
LANE_APART void narrow_leave_motion(const rct_sheaves *s, int64_t g, spatial a)
{
    path_leave_motion(s, g, a);
}

/* Note the links of row g that are not `good`. */
LANE_APART void narrow_note_outward(group_sweep *w, int64_t g, mask good)
{
    sweep_note(w, g, good, SWEEP_NOT_FINITE);
}

/* How the links of row g, with scratch `own`, are turned against what they hang on; `before`: the
 * orientation of the row before. */
LANE_INLINE mat3 narrow_turned(const rct_sheaves *s, int64_t g, const double *own, quat before,
                               quat orientation)
{
    return narrow_keeps_turn(s, g) ? mat3_load(own + (int64_t)NARROW_TURN * ROW, ROW)
                                   : quat_rotation(quat_between(before, orientation));
}

/* Prefetch the numbers of a row to come that a stage advances. */
LANE_INLINE void narrow_prefetch_outward(const group_sweep *w, int64_t at, int64_t g, int64_t end,
                                         int stage)
{
    enum { AHEAD = 2 };
    if (LANE_MEMBERS > 1 && w->ahead && stage > 0 && g + AHEAD < end) {
        const rct_sheaves *s = w->s;
        at += AHEAD * STATE_FIELDS * ROW;
        for (int i = 0; i < STATE_FIELDS; i++) {
            lane_prefetch(s->base + at + i * ROW);
            if (stage == 3) {
                lane_prefetch(s->sum + at + i * ROW);
            }
        }
    }
}

LANE_INLINE void narrow_outward(group_sweep *w, int32_t sheaf, int stage, double weight)
{
    const rct_sheaves *s = w->s;
    const int what = narrow_what(w);
    const int64_t first = s->first_row[sheaf], end = s->first_row[sheaf + 1];
    int64_t at = s->state_at[first] * ROW; /* rows of balls have STATE_FIELDS numbers each */
    vec3 there = vec3_zero();
    quat before = quat_identity();
    for (int64_t g = first; g < end; g++, at += STATE_FIELDS * ROW) {
        const double *own = scratch_row(w, g), *gains = own + (int64_t)NARROW_GAIN * ROW;
        const narrow_pose pose = narrow_pose_at(s, at);
        const rk4_row states = narrow_states(s, at);
        real start[STATE_FIELDS];
        narrow_prefetch_outward(w, at, g, end, stage);
        rk4_start(&states, stage, start);
        const abi_gain gain = {mat3_load(gains, ROW), vec3_load(gains + (int64_t)9 * ROW, ROW)};
        const mat3 turn = narrow_turned(s, g, own, before, pose.orientation);
        spatial a;
        if (row_has(s, g, HAS_START)) {
            there = narrow_reaching(w, sheaf, g, there);
        }
        a.l = mat3_apply_transposed(turn, there);
        a.a = abi_angular(gain, a.l);
        const vec3 rate = pose.rate;
        before = pose.orientation;
        if (g + 1 < end) {
            there = point_acceleration(a.l, a.a, rate, narrow_row_link(s, g + 1).at);
        }
        if (row_has(s, g, HAS_TWIGS & what)) {
            narrow_leave_points(w, g, a, rate);
        }
        if (row_has(s, g, HAS_KIDS & what)) {
            narrow_leave_motion(s, g, a);
        }
        if (row_has(s, g, (HAS_TWIGS | HAS_KIDS) & what)) {
            lane_meet(); /* paths of one sheaf may hang on one another */
        }
        const real sum = a.l.x + a.l.y + a.l.z + a.a.x + a.a.y + a.a.z;
        const mask good =
            lane_and(narrow_finish(s, g, &states, a, pose, start, stage, weight), lane_finite(sum));
        if (!lane_all(good)) {
            narrow_note_outward(w, g, good);
        }
    }
}

#endif
