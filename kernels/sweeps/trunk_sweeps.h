/* The trunk of a tree, node after node (trunk.h), for the method of the including translation unit. Links go
 * by the steps of the lane kernels in single lanes; segments are closed, wide ones as in trunk_ends.h, narrow ones as in
 * narrow_trunk.h.
 */
#ifndef RCT_KERNELS_SWEEPS_TRUNK_SWEEPS_H
#define RCT_KERNELS_SWEEPS_TRUNK_SWEEPS_H

#include "kernels/sweeps/trunk_ends.h"
#ifndef __cplusplus
#include "kernels/sweeps/trunk_places.h"
#endif
#include "kernels/sweeps/narrow_trunk.h"

#include <math.h>
#include <string.h>

/* Whether node n is a wide segment. Kernels of devices for trunks of balls (ONE_HINGE) have none. */
LANE_FUNCTION int is_wide_segment(const rct_trunk *t, int32_t n)
{
#ifdef ONE_HINGE
    (void)t;
    (void)n;
    return 0;
#else
    return t->kind[n] == NODE_OPEN;
#endif
}

/* ---- frames ------------------------------------------------------------------------------- */

LANE_CALL link_frame frame_above(const rct_sheaves *rows, const rct_trunk *t, int32_t n)
{
    return t->parent[n] < 0 ? ground_frame(rows)
                            : link_frame_load(work_of(t, t->parent[n]) + TRUNK_FRAME);
}

/* The frame of the last link of a narrow segment: a ball hinge forgets what it hangs on. */
LANE_CALL link_frame end_of_narrow(const rct_trunk *t, int32_t n, quat *turn)
{
    const double *state = t->states + t->last_state[n];
    *turn = quat_load(state, t->state_stride);
    return (link_frame){quat_rotation(*turn),
                        vec3_load(state + (int64_t)STATE_RATE * t->state_stride, t->state_stride)};
}

/* R P and P^T w + w_P, but P and w_P where an absolute hinge forgets what it hangs on. */
LANE_CALL link_frame end_of_segment(const rct_trunk *t, int32_t n, link_frame above)
{
    double product[12], absolute;
    take(t, n, PATH_PRODUCT, product, 12);
    take(t, n, PATH_ABSOLUTE, &absolute, 1);
    link_frame own = link_frame_load(product);
    if (absolute == 0.0) {
        own.rate = vec3_add(mat3_apply_transposed(own.rotation, above.rate), own.rate);
        own.rotation = mat3_product(above.rotation, own.rotation);
    }
    return own;
}

/* The moment at the ball hinge behind the narrow end of node n, in the axes of the last link, which moves as `last`. */
LANE_CALL void leave_moment(const rct_sheaves *rows, const rct_trunk *t, int32_t n,
                            const link_frame *last)
{
    const int in_lanes = t->follows[n] >= 0;
    const int64_t place = in_lanes ? t->follows[n] : ~t->follows[n];
    double left[3] = {0.0, 0.0, 0.0};
    if (t->follows[n] == FOLLOWS_IN_LANES) {
        return;
    }
    if (t->follows[n] != NOTHING_FOLLOWS) {
        vec3_store(left, 1,
                   in_lanes ? narrow_moment(t->lanes, place, t->stride, last)
                            : narrow_moment(rows, place, 1, last));
    }
    leave(t, n, PATH_END_MOMENT, left, 3);
}

/* The frame of node n to its work; `turn`: its rotation as a quaternion. */
LANE_CALL void leave_own(const rct_trunk *t, int32_t n, const link_frame *own, quat turn)
{
    double *work = work_of(t, n);
    mat3_store(work + TRUNK_FRAME, 1, own->rotation);
    vec3_store(work + TRUNK_FRAME + 9, 1, own->rate);
    work[TRUNK_TURN] = turn.w;
    vec3_store(work + TRUNK_TURN + 1, 1, (vec3){turn.x, turn.y, turn.z});
    vec3_store(work + TRUNK_TURN + STATE_RATE, 1, own->rate);
}

/* A quaternion of a rotation, by its largest component. */
LANE_CALL quat quat_of(mat3 r)
{
    const double trace = r.xx + r.yy + r.zz, most = fmax(r.xx, fmax(r.yy, r.zz));
    if (trace >= most) {
        return (quat){1.0 + trace, r.zy - r.yz, r.xz - r.zx, r.yx - r.xy};
    }
    if (r.xx == most) {
        return (quat){r.zy - r.yz, 1.0 + 2.0 * r.xx - trace, r.xy + r.yx, r.xz + r.zx};
    }
    if (r.yy == most) {
        return (quat){r.xz - r.zx, r.xy + r.yx, 1.0 + 2.0 * r.yy - trace, r.yz + r.zy};
    }
    return (quat){r.yx - r.xy, r.xz + r.zx, r.yz + r.zy, 1.0 + 2.0 * r.zz - trace};
}

/* The orientation of node n, of a link or a wide segment: of balls their states. */
LANE_CALL quat turn_of(const rct_sheaves *rows, const rct_trunk *t, int32_t n, mat3 rotation)
{
    const int64_t row = t->row[n];
    return row >= 0 && rows->kinds[row] == RCT_HINGE_BALL
               ? quat_load(rows->state + rows->state_at[row], 1)
               : quat_of(rotation);
}

/* Narrow paths read how the trunk turns by themselves: nothing is left with them. */
LANE_CALL void guide_narrow(const rct_sheaves *rows, const rct_trunk *t, int32_t n)
{
    if (t->kind[n] == NODE_NARROW) {
        quat turn;
        const link_frame own = end_of_narrow(t, n, &turn);
        leave_own(t, n, &own, turn);
        leave_moment(rows, t, n, &own);
    }
}

LANE_CALL void trunk_guide(const rct_sheaves *rows, const rct_trunk *t)
{
    for (int32_t n = 0; n < t->count; n++) {
        if (t->kind[n] >= NODE_NARROW) {
            guide_narrow(rows, t, n);
            continue;
        }
        const link_frame above = frame_above(rows, t, n);
        link_frame own;
        if (t->row[n] >= 0) {
            own = row_move(rows, t->row[n], above, rows->attitude,
                           work_of(t, n) + TRUNK_ROW + ROW_MOTION);
        } else {
            double left[12];
            mat3_store(left, 1, above.rotation);
            vec3_store(left + 9, 1, above.rate);
            leave(t, n, PATH_FRAME, left, 12);
            if (!is_wide_segment(t, n)) {
                continue;
            }
            own = end_of_segment(t, n, above);
        }
        leave_own(t, n, &own, turn_of(rows, t, n, own.rotation));
    }
}

/* ---- inward ------------------------------------------------------------------------------- */

/* What hangs on a narrow end, of the point there. */
LANE_CALL abi_handle hanging_on(const rct_trunk *t, int32_t n)
{
    const wide_handle share = wide_handle_load(work_of(t, n) + TRUNK_SHARE);
    return (abi_handle){share.ll, share.e.l};
}

/* What node n, a narrow path, asks for at its hinge. */
LANE_CALL rct_sweep_end narrow_node_share(const rct_trunk *t, int32_t n, narrow_share *share)
{
    *share = narrow_share_load(t, n);
    if (t->kind[n] == NODE_TWIG) {
        return SWEEP_DONE;
    }
    double left[9];
    abi_handle rest = hanging_on(t, n);
    sym3_store(left, 1, rest.s);
    vec3_store(left + 6, 1, rest.e);
    leave(t, n, PATH_BEYOND, left, 9);
    const narrow_through end = narrow_end_load(t->paths + t->path[n], t->stride, &rest);
    return narrow_close(&end, rest, &share->h);
}

/* Add that to `sum`, all that hangs on the node that the path hangs on. */
LANE_CALL void hang_narrow(const rct_trunk *t, int32_t n, const narrow_share *share,
                           wide_handle *sum)
{
    if (t->kind[t->parent[n]] ==
        NODE_NARROW) { /* at the hinge of its end, where the moment is known already */
        sum->ll = sym3_add(sum->ll, share->h.s);
        sum->e.l = vec3_add(sum->e.l, share->h.e);
    } else {
        narrow_share_add(sum, share, vec3_load(t->at + (int64_t)3 * n, 1));
    }
}

/* What any other node n adds to the one it hangs on. */
LANE_CALL rct_sweep_end node_share(const rct_sheaves *rows, const rct_trunk *t, int32_t n,
                                   wide_handle *share)
{
    if (t->row[n] < 0) {
        double numbers[PATH_HANDLE_FIELDS];
        take(t, n, PATH_SHARE, numbers, PATH_HANDLE_FIELDS);
        *share = wide_handle_load(numbers);
        if (!is_wide_segment(t, n)) {
            return SWEEP_DONE;
        }
        leave(t, n, PATH_BEYOND, work_of(t, n) + TRUNK_SHARE, PATH_HANDLE_FIELDS);
        open_end end;
        open_end_of(t, n, &end);
        *share = closed_share(&end, share, work_of(t, n));
        return end.how;
    }
    double *work = work_of(t, n);
    const wide_handle hanging = wide_handle_load(work + TRUNK_SHARE);
    wide_law law = wide_law_of(&hanging);
    mask number;
    const mask regular = wide_pass(rows, t->row[n], work + TRUNK_ROW, &law, NULL, 1, 1, &number);
    *share = wide_law_record(&law);
    return regular ? SWEEP_DONE : number ? SWEEP_SINGULAR : SWEEP_NOT_FINITE;
}

/* The narrow paths from node n inward that hang on one node, or on the ground. */
LANE_CALL rct_sweep_result pass_narrow(const rct_trunk *t, int32_t n)
{
    const int32_t m = t->parent[n];
    double *up = m >= 0 ? work_of(t, m) + TRUNK_SHARE : NULL;
    wide_handle sum = m >= 0 ? wide_handle_load(up) : wide_none();
    rct_sweep_result last;
    do {
        narrow_share share;
        last = (rct_sweep_result){narrow_node_share(t, n, &share), n};
        if (m >= 0) {
            hang_narrow(t, n, &share, &sum);
        }
        n--;
    } while (last.end == SWEEP_DONE && n >= 0 && t->kind[n] >= NODE_NARROW && t->parent[n] == m);
    if (m >= 0) {
        wide_handle_store(up, &sum);
    }
    return last;
}

LANE_CALL rct_sweep_end pass_node(const rct_sheaves *rows, const rct_trunk *t, int32_t n)
{
    wide_handle share;
    const rct_sweep_end end = node_share(rows, t, n, &share);
    if (t->parent[n] >= 0) {
        double *up = work_of(t, t->parent[n]) + TRUNK_SHARE;
        wide_handle sum = wide_handle_load(up);
        wide_add(&sum, &share);
        wide_handle_store(up, &sum);
    }
    return end;
}

LANE_CALL rct_sweep_result trunk_inward(const rct_sheaves *rows, const rct_trunk *t)
{
    for (int32_t k = 0; k < t->slots; k++) {
        memset(t->work + (int64_t)k * TRUNK_FIELDS + TRUNK_SHARE, 0,
               PATH_HANDLE_FIELDS * sizeof(double));
    }
    for (int32_t n = t->count; n > 0;) {
        const rct_sweep_result last = t->kind[n - 1] >= NODE_NARROW
                                          ? pass_narrow(t, n - 1)
                                          : (rct_sweep_result){pass_node(rows, t, n - 1), n - 1};
        if (last.end != SWEEP_DONE) {
            return last;
        }
        n = last.link;
    }
    return (rct_sweep_result){SWEEP_DONE, -1};
}

/* ---- outward ------------------------------------------------------------------------------ */

LANE_CALL spatial motion_above(const rct_sheaves *rows, const rct_trunk *t, int32_t n)
{
    return t->parent[n] < 0 ? ground_motion(rows)
                            : spatial_load(work_of(t, t->parent[n]) + TRUNK_MOTION, 1);
}

/* The acceleration of a narrow end; that of the hinge of its path, on a link that moves as `above`, is left with it. */
LANE_CALL void reach_narrow(const rct_trunk *t, int32_t n, spatial above, int settled)
{
    const vec3 at = vec3_load(t->at + (int64_t)3 * n, 1);
    const vec3 there = vec3_add(above.l, vec3_cross(above.a, at));
    double left[3];
    vec3_store(left, 1, there);
    leave(t, n, PATH_ABOVE, left, 3);
    if (t->kind[n] == NODE_NARROW && !settled) {
        abi_handle rest = hanging_on(t, n);
        const narrow_through narrow = narrow_end_load(t->paths + t->path[n], t->stride, &rest);
        spatial_store(work_of(t, n) + TRUNK_MOTION, 1, narrow_reach(&narrow, rest, there));
    }
}

/* The acceleration of the last link of a segment. */
LANE_CALL spatial reach_end(const rct_trunk *t, int32_t n, spatial above)
{
    const double *closed = work_of(t, n) + TRUNK_CLOSED;
    double a[6], x[6];
    six_list(above, a);
    for (int i = 0; i < 6; i++) {
        x[i] = closed[36 + i];
        for (int j = 0; j < 6; j++) {
            x[i] += closed[6 * i + j] * a[j];
        }
    }
    return six_unlist(x);
}

/* Force and moment of what node n hangs on, a link of acceleration `a`: all that hangs on it and itself ask for them. */
LANE_CALL void leave_force(const rct_sheaves *rows, const rct_trunk *t, int32_t n,
                           const link_lanes *link, spatial a)
{
    double *work = work_of(t, n);
    wide_handle all = wide_handle_load(work + TRUNK_SHARE);
    wide_add_body(&all, link, vec3_load(work + TRUNK_FRAME + 9, 1));
    if (row_has(rows, t->row[n], HAS_ACTING)) {
        all.e = spatial_sub(all.e, spatial_load(work + TRUNK_ROW + ROW_MOTION + KEEP_LOAD, 1));
    }
    spatial_store(work + TRUNK_FORCE, 1,
                  row_force_shown(rows, t->row[n], wide_handle_apply(&all, a)));
}

/* The link of row g, of acceleration `a`, below one of acceleration `above`. */
LANE_INLINE void settle_type(const rct_sheaves *s, int64_t g, int kind, const link_lanes *link,
                             const double *own, spatial above, spatial a, int stage, double weight,
                             mask *good)
{
    real dq[MOST_COORDINATES], du[MOST_FREEDOMS];
    const link_motion m = row_recall(s, g, kind, link, own + (int64_t)ROW_MOTION * ROW);
    wide_derive(s, g, kind, link, &m, a, link_reach(&m, above), dq, du);
    wide_leave(s, g, kind, a, dq, du, stage, weight, good);
}

LANE_CALL void settle_row(const rct_sheaves *s, int64_t g, const link_lanes *link,
                          const double *own, spatial above, spatial a, int stage, double weight,
                          mask *good)
{
    const int32_t kind = row_kind(s, g);
    *good = lane_greater(lane_set(1.0), lane_set(0.0));
#define HINGE_CASE(TYPE) settle_type(s, g, TYPE, link, own, above, a, stage, weight, good)
    HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
}

LANE_CALL rct_sweep_result trunk_outward(const rct_sheaves *rows, const rct_trunk *t, int settled,
                                         int stage, double dt)
{
    const double weight = rk4_stage_weight(stage, dt);
    rct_sweep_result result = {SWEEP_DONE, -1};
    for (int32_t n = 0; n < t->count; n++) {
        spatial a = motion_above(rows, t, n);
        if (t->kind[n] >= NODE_NARROW) {
            reach_narrow(t, n, a, settled);
            continue;
        }
        if (t->row[n] >= 0) {
            const link_lanes link = row_link(rows, t->row[n]);
            const double *row = work_of(t, n) + TRUNK_ROW;
            mask good;
            if (settled) {
                const spatial own = spatial_load(work_of(t, n) + TRUNK_MOTION, 1);
                settle_row(rows, t->row[n], &link, row, a, own, stage, weight, &good);
                a = own;
            } else {
                a = wide_finish_row(rows, t->row[n], &link, row, a, stage, weight, &good);
                if (stage == STAGE_NONE) {
                    leave_force(rows, t, n, &link, a);
                }
            }
            const int finite = good && isfinite(a.l.x + a.l.y + a.l.z + a.a.x + a.a.y + a.a.z);
            if (!finite && result.end == SWEEP_DONE) { /* go on: the base must be whole */
                result = (rct_sweep_result){SWEEP_NOT_FINITE, n};
            }
        } else {
            double above[6];
            six_list(a, above);
            leave(t, n, PATH_ABOVE, above, 6);
            if (!is_wide_segment(t, n) || settled) {
                continue;
            }
            a = reach_end(t, n, a);
        }
        spatial_store(work_of(t, n) + TRUNK_MOTION, 1, a);
    }
    return result;
}

#ifndef __cplusplus
#include "kernels/sweeps/trunk_through.h"
#endif

#define TRUNK_TABLE                                                                                \
    {                                                                                              \
        .guide = trunk_guide, .pose = trunk_pose, .inward = trunk_inward,                          \
        .outward = trunk_outward, .through = trunk_through, .walk = trunk_walk,                    \
        .respond = trunk_respond, .settle = trunk_settle                                           \
    }

#endif
