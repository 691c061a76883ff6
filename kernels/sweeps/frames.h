/* Frames of the links of a tree, outward, for the LANE_WIDTH of the including translation unit; and
 * the state of a sweep of a group. */
#ifndef RCT_KERNELS_SWEEPS_FRAMES_H
#define RCT_KERNELS_SWEEPS_FRAMES_H

#include "kernels/laws/bending.h"
#include "kernels/sweeps/hinge_forces.h"
#include "kernels/sweeps/row_motion.h"

/* What is prefetched of rows to come. */
enum { AHEAD_OF_STATES = 1, AHEAD_OF_CONSTANTS };

/* A group while it is swept. */
typedef struct group_sweep {
    const rct_sheaves *s;
    double *scratch;
    /* records of the twigs on its links, of all lanes, whichever lane this thread is */
    double *twigs;
    int64_t fields;
    int64_t first; /* row in the scratch */
    int32_t first_sheaf;
    int32_t fault; /* the smallest label at fault, of singular links less 2^31; or INT32_MAX     */
    int what;      /* what narrow rows of a device may have, of all that rows may have           */
    int ahead;     /* what to prefetch of rows to come: caches do not hold it                    */
    int leaves;    /* whether condensing leaves gains of closed paths, which are then swept once */
} group_sweep;

LANE_FUNCTION double *scratch_row(const group_sweep *w, int64_t g)
{
    return w->scratch + (g - w->first) * w->fields * ROW;
}

/* The record of the twigs of a sheaf of a bush. */
LANE_FUNCTION double *sheaf_twigs(const group_sweep *w, int32_t sheaf)
{
    return w->twigs + (int64_t)(1 + sheaf - w->first_sheaf) * TWIG_FIELDS * ROW + lane_member();
}

LANE_FUNCTION double *sheaf_path(const rct_sheaves *s, int32_t sheaf)
{
    return s->paths + s->path_at[sheaf] * ROW;
}

/* Where places of records count from, whichever lane this thread is. */
LANE_FUNCTION double *sheaf_records(const rct_sheaves *s)
{
    return s->paths - lane_member();
}

LANE_FUNCTION group_sweep sweep_begin(const rct_sheaves *s, int32_t group, double *scratch)
{
    const int32_t first = s->first_sheaf[group];
    const int bush = group < s->bushes;
    const int64_t twigs = 1 + (bush ? s->first_sheaf[group + 1] - first : 0);
    return (group_sweep){s,
                         scratch + twigs * TWIG_FIELDS * ROW,
                         bush ? scratch - lane_member()
                              : sheaf_records(s) + (int64_t)PATH_ABOVE * ROW,
                         s->row_fields,
                         s->first_row[first],
                         first,
                         INT32_MAX,
                         ~0,
                         LANE_MEMBERS > 1 ? 0
                         : s->owned       ? AHEAD_OF_CONSTANTS
                                          : AHEAD_OF_STATES,
                         0};
}

/* Keep the smallest label among the lanes of row g where `good` does not hold. Singular links come
 * before those with numbers that are not finite, which may follow from them. */
LANE_FUNCTION void sweep_note(group_sweep *w, int64_t g, mask good, rct_sweep_end end)
{
    double lane[LANE_WIDTH];
    lane_store(lane, lane_select(good, lane_set(1.0), lane_set(0.0)));
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int32_t label = w->s->label[g * ROW + l];
        if (lane[l] == 0.0 && label >= 0) { /* neutral links have no faults */
            const int32_t fault = end == SWEEP_SINGULAR ? INT32_MIN + label : label;
            w->fault = fault < w->fault ? fault : w->fault;
        }
    }
}

LANE_FUNCTION rct_sweep_result sweep_end(const group_sweep *w)
{
    if (w->fault == INT32_MAX) {
        return (rct_sweep_result){SWEEP_DONE, -1};
    }
    return w->fault < 0 ? (rct_sweep_result){SWEEP_SINGULAR, w->fault - INT32_MIN}
                        : (rct_sweep_result){SWEEP_NOT_FINITE, w->fault};
}

/* Write `count` fields, LANE_WIDTH apart in `from`, from `field` on to records at `places` [W]. */
LANE_INLINE void path_leave_at(double *records, const int32_t *places, int field,
                               const double *from, int count)
{
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int32_t place = places[l];
        double *to = records + place + (int64_t)field * ROW;
        if (place != 0) {
            LANE_UNROLL
            for (int f = 0; f < count; f++) {
                to[(int64_t)f * ROW] = from[f * LANE_WIDTH + l];
            }
        }
    }
}

/* The same for the paths that hang on row g, without twigs. */
LANE_FUNCTION void path_leave(const rct_sheaves *s, int64_t g, int field, const double *from,
                              int count)
{
    for (int64_t k = s->first_kid[g]; k < s->first_kid[g + 1]; k++) {
        path_leave_at(sheaf_records(s), s->kid + k * ROW, field, from, count);
    }
}

/* ---- frames ------------------------------------------------------------------------------- */

/* Whether a path begins in row g, in any lane of this thread. */
LANE_FUNCTION int row_begins(const rct_sheaves *s, int64_t g)
{
    return LANE_MEMBERS == 1 ? s->starts[g] != 0 : lane_all(lane_bits(s->starts[g]));
}

/* Whether a row is a single link, in the only lane of its thread; there, not on devices, whose
 * registers are scarce, what nobody reads is left out. */
#ifdef __CUDACC__
enum { ROW_ALONE = 0 };
#else
enum { ROW_ALONE = LANE_WIDTH == 1 && LANE_MEMBERS == 1 };
#endif

/* Whether the links of row g are on the ground, which takes nothing. Only for single links: in a row
 * of several lanes some may be on the ground, and where compilers contract a b + c, two code paths
 * give two roundings. */
LANE_INLINE int row_grounded(const rct_sheaves *s, int64_t g)
{
    return LANE_WIDTH == 1 && LANE_MEMBERS == 1 && s->grounded[g] != 0;
}

/* What the links of row g hang on: along the path, or its record or the ground where it begins. */
LANE_INLINE link_frame path_above(const rct_sheaves *s, int32_t sheaf, int64_t g, link_frame along)
{
    if (ROW_ALONE && row_grounded(s, g)) {
        return ground_frame(s);
    }
    if (row_begins(s, g)) {
        const link_frame left = link_frame_load(sheaf_path(s, sheaf) + (int64_t)PATH_FRAME * ROW);
        along = link_frame_select(lane_bits(s->starts[g]), left, along);
        if (s->grounded[g] != 0) {
            along = link_frame_select(lane_bits(s->grounded[g]), ground_frame(s), along);
        }
    }
    return along;
}

/* The moments of springs at ball hinges on the links of row g, turned by `turn` at these hinges. */
LANE_APART vec3 row_bending(const rct_sheaves *s, int64_t g, mat3 turn)
{
    const vec3 frame = row_effort(s, g, EFFORT_FRAME + 1);
    return bending_moment(turn, (quat){row_effort(s, g, EFFORT_FRAME).x, frame.x, frame.y, frame.z},
                          row_effort(s, g, EFFORT_STIFFNESS));
}

/* The efforts at hinges by their own motion, for coordinates q and rates u, `rate` being that of
 * the parents: along their freedoms; of balls in link axes. */
LANE_INLINE void hinge_resistance(const rct_sheaves *s, int64_t g, int kind, const link_motion *m,
                                  const real *q, const real *u, vec3 rate, real effort[3])
{
    const vec3 d = row_effort(s, g, EFFORT_DAMPING);
    if (kind == RCT_HINGE_BALL) {
        const vec3 slip = vec3_sub(mat3_apply_transposed(m->turn, rate), m->rate);
        effort[0] = d.x * slip.x, effort[1] = d.y * slip.y, effort[2] = d.z * slip.z;
        if (s->bends) {
            const vec3 bending = row_bending(s, g, m->turn);
            effort[0] = effort[0] + bending.x;
            effort[1] = effort[1] + bending.y;
            effort[2] = effort[2] + bending.z;
        }
        return;
    }
    const vec3 applied = row_effort(s, g, EFFORT_APPLIED);
    const vec3 k = row_effort(s, g, EFFORT_STIFFNESS);
    const vec3 rest = row_effort(s, g, EFFORT_REST);
    const real all[3][4] = {{applied.x, k.x, rest.x, d.x},
                            {applied.y, k.y, rest.y, d.y},
                            {applied.z, k.z, rest.z, d.z}};
    LANE_UNROLL
    for (int i = 0; i < 3; i++) {
        if (kind != RCT_HINGE_FREE && i < hinge_freedoms(kind)) {
            effort[i] = (all[i][0] - all[i][1] * (q[i] - all[i][2])) - all[i][3] * u[i];
        }
    }
}

/* The caller's effort at absolute hinges, from field `i` on, turned by `turn` into link axes. */
LANE_INLINE vec3 row_effort_given(const rct_sheaves *s, int64_t g, int i, mat3 turn)
{
    const double *load = s->loads + g * LOAD_FIELDS * ROW;
    return mat3_apply_transposed(turn, vec3_load(load + (int64_t)(LOAD_EFFORT + i) * ROW, ROW));
}

/* What acts on a link (not constant wrenches) and along the freedoms of its hinge; link axes. */
typedef struct row_action {
    spatial push;
    vec3 effort;
} row_action;

/* The action on the links of row g, all of one type. */
LANE_INLINE row_action row_act(const rct_sheaves *s, int64_t g, int kind, const link_motion *m,
                               const real *q, const real *u, vec3 rate)
{
    const real zero = lane_set(0.0);
    real effort[3] = {zero, zero, zero};
    row_action act = {spatial_zero(), vec3_zero()};
    if (row_has(s, g, HAS_EFFORT)) {
        hinge_resistance(s, g, kind, m, q, u, rate, effort);
    }
    if (row_has(s, g, HAS_HINGE_FORCE) && kind != RCT_HINGE_FREE) {
        const vec3 exerted = hinge_exertion(s, g, kind, m, q, u, rate);
        effort[0] = effort[0] + exerted.x;
        effort[1] = effort[1] + exerted.y;
        effort[2] = effort[2] + exerted.z;
    }
    if (row_has(s, g, HAS_LOAD)) {
        const double *load = s->loads + g * LOAD_FIELDS * ROW;
        act.push = spatial_load(load, ROW);
        if (hinge_has_axes(kind)) {
            LANE_UNROLL
            for (int i = 0; i < hinge_freedoms(kind); i++) {
                effort[i] = effort[i] + lane_load(load + (int64_t)(LOAD_EFFORT + i) * ROW);
            }
        } else {
            const mat3 turn = quat_rotation((quat){q[0], q[1], q[2], q[3]});
            const vec3 moment = row_effort_given(s, g, 0, turn);
            if (kind == RCT_HINGE_BALL) {
                effort[0] = effort[0] + moment.x;
                effort[1] = effort[1] + moment.y;
                effort[2] = effort[2] + moment.z;
            } else {
                const spatial given = {row_effort_given(s, g, 3, turn), moment};
                act.push = spatial_add(act.push, given);
            }
        }
    }
    if (kind == RCT_HINGE_PLANAR) { /* from the hinge frame to link axes */
        const real along = effort[0], across = effort[1];
        effort[0] = m->c * along + m->s * across;
        effort[1] = m->c * across - m->s * along;
    }
    act.effort = (vec3){effort[0], effort[1], effort[2]};
    return act;
}

/* The same where the hinges are of several types. */
LANE_FUNCTION row_action row_act_unlike(const rct_sheaves *s, int64_t g, const link_motion *m,
                                        vec3 rate)
{
    const int32_t *lanes = s->kind_lanes + (int64_t)(~s->kinds[g]) * RCT_HINGE_TYPES;
    row_action all = {spatial_zero(), vec3_zero()};
    for (int kind = 1; kind < RCT_HINGE_TYPES; kind++) {
        real q[MOST_COORDINATES], u[MOST_FREEDOMS];
        if (lanes[kind] != 0) {
            row_action own;
#define HINGE_CASE(TYPE)                                                                           \
    row_state_load(s, g, TYPE, q, u);                                                              \
    own = row_act(s, g, TYPE, m, q, u, rate)
            HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
            all.push = spatial_select(lane_bits(lanes[kind]), own.push, all.push);
            all.effort = vec3_choose(lane_bits(lanes[kind]), own.effort, all.effort);
        }
    }
    return all;
}

/* Stores an action in the scratch `own`. */
LANE_INLINE void row_keep_action(const row_action *act, double *own)
{
    spatial_store(own + (int64_t)KEEP_LOAD * ROW, ROW, act->push);
    vec3_store(own + (int64_t)KEEP_EFFORT * ROW, ROW, act->effort);
}

/* Adds constant wrenches to the stored action; `rotation`: of the links to inertial axes. */
LANE_INLINE void row_keep_wrench(const rct_sheaves *s, int64_t g, mat3 rotation, double *own)
{
    if (row_has(s, g, HAS_WRENCH)) {
        double *kept = own + (int64_t)KEEP_LOAD * ROW;
        const spatial wrench = row_wrench_sum(s, g, rotation);
        spatial_store(kept, ROW, spatial_add(wrench, spatial_load(kept, ROW)));
    }
}

/* The motions of the links of row g, whose hinges are all of one type, and their frames from those of
 * what they hang on; with rotations if `attitude`. Stores the motions in the scratch `own`. */
LANE_INLINE link_motion row_move_type(const rct_sheaves *s, int64_t g, int kind,
                                      const link_lanes *before, const link_frame *parent,
                                      int attitude, double *own, link_frame *frame)
{
    real q[MOST_COORDINATES], u[MOST_FREEDOMS];
    const link_lanes link = row_link_here(s, g, before);
    row_state_load(s, g, kind, q, u);
    const link_motion m = link_move(kind, &link, q, u, parent);
    row_keep(kind, own, &m);
    if (row_has(s, g, HAS_ACTING)) {
        const row_action act = row_act(s, g, kind, &m, q, u, parent->rate);
        row_keep_action(&act, own);
    }
    *frame =
        attitude ? link_frame_carry(kind, parent, &m, q) : (link_frame){parent->rotation, m.rate};
    return m;
}

/* The same for any row, with all that acts on its links. */
LANE_INLINE link_frame row_move(const rct_sheaves *s, int64_t g, link_frame parent, int attitude,
                                double *own)
{
    const link_lanes before = row_link_before(s, g);
    const int32_t kind = row_kind(s, g);
    link_frame frame = parent;
    if (row_unlike(kind)) {
        const link_lanes link = row_link_here(s, g, &before);
        const link_motion m = row_move_unlike(s, g, &link, &parent, attitude, &frame);
        row_keep_all(own, &m);
        if (row_has(s, g, HAS_ACTING)) {
            const row_action act = row_act_unlike(s, g, &m, parent.rate);
            row_keep_action(&act, own);
        }
    } else {
#define HINGE_CASE(TYPE) row_move_type(s, g, TYPE, &before, &parent, attitude, own, &frame)
        HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
    }
    row_keep_wrench(s, g, frame.rotation, own);
    return frame;
}

/* Leaves a frame with the paths that hang on the links of row g. */
LANE_INLINE void path_leave_frame(const rct_sheaves *s, int64_t g, link_frame frame)
{
    double left[12 * LANE_WIDTH];
    mat3_store(left, LANE_WIDTH, frame.rotation);
    vec3_store(left + (int64_t)9 * LANE_WIDTH, LANE_WIDTH, frame.rate);
    path_leave(s, g, PATH_FRAME, left, 12);
}

/* Outward: motions to the scratch, frames to the paths that hang on the links. */
LANE_INLINE void wide_outward_frames(const group_sweep *w, int32_t sheaf)
{
    const rct_sheaves *s = w->s;
    link_frame frame = {mat3_identity(), vec3_zero()};
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        frame = row_move(s, g, path_above(s, sheaf, g, frame), s->attitude,
                         scratch_row(w, g) + (int64_t)ROW_MOTION * ROW);
        if (s->first_kid[g] < s->first_kid[g + 1]) {
            path_leave_frame(s, g, frame);
        }
        lane_meet(); /* paths of one sheaf may hang on one another */
    }
}

#endif
