/* Where the links of a tree are, outward, for the LANE_WIDTH of the including translation unit: how
 * far segments reach, and the poses of links, in label order or, beside columns, in rows. */
#ifndef RCT_KERNELS_SWEEPS_PLACES_H
#define RCT_KERNELS_SWEEPS_PLACES_H

#include "kernels/laws/pose.h"
#include "kernels/records/columns.h"
#include "kernels/sweeps/frames.h"

LANE_INLINE link_pose link_pose_select(mask where, const link_pose *a, const link_pose *b)
{
    return (link_pose){
        link_frame_select(where, a->frame, b->frame), vec3_choose(where, a->position, b->position),
        vec3_choose(where, a->velocity, b->velocity), vec3_choose(where, a->rest, b->rest)};
}

LANE_INLINE link_pose row_pose_alike(const rct_sheaves *s, int64_t g, int kind,
                                     const link_lanes *before, const link_pose *up)
{
    real q[MOST_COORDINATES], u[MOST_FREEDOMS];
    const link_lanes link = row_link_here(s, g, before);
    row_state_load(s, g, kind, q, u);
    return link_pose_on(kind, &link, q, u, up);
}

/* The poses of the links of row g from those of what they hang on; `narrow`: all on ball hinges. */
LANE_INLINE link_pose row_pose(const rct_sheaves *s, int64_t g, int narrow, const link_pose *up)
{
    if (narrow) {
        real q[MOST_COORDINATES], u[MOST_FREEDOMS];
        const link_lanes link = narrow_row_link(s, g);
        row_state_load(s, g, RCT_HINGE_BALL, q, u);
        return link_pose_on(RCT_HINGE_BALL, &link, q, u, up);
    }
    const link_lanes before = row_link_before(s, g);
    const int32_t kind = row_kind(s, g);
    link_pose pose = *up;
    if (!row_unlike(kind)) {
#define HINGE_CASE(TYPE) pose = row_pose_alike(s, g, TYPE, &before, up)
        HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
        return pose;
    }
    const int32_t *lanes = s->kind_lanes + (int64_t)(~kind) * RCT_HINGE_TYPES;
    for (int k = 1; k < RCT_HINGE_TYPES; k++) {
        if (lanes[k] != 0) {
            link_pose own;
#define HINGE_CASE(TYPE) own = row_pose_alike(s, g, TYPE, &before, up)
            HINGE_CASES(k, HINGE_CASE)
#undef HINGE_CASE
            pose = link_pose_select(lane_bits(lanes[k]), &own, &pose);
        }
    }
    return pose;
}

/* Lanes of row g with hinges of a type, by bits. */
LANE_INLINE int32_t row_lanes_of(const rct_sheaves *s, int64_t g, int kind)
{
    const int32_t k = row_kind(s, g);
    return row_unlike(k) ? s->kind_lanes[(int64_t)(~k) * RCT_HINGE_TYPES + kind] : -(k == kind);
}

/* ---- segments ----------------------------------------------------------------------------- */

/* A path while it is passed as if what it hangs on were inertial. */
typedef struct link_span {
    link_pose pose; /* from there; its points count from `reach`, once there is one */
    vec3 reach;     /* of the first absolute hinge, axes of what the path hangs on  */
    vec3 sliding;   /* and the velocity of this point                               */
    real absolute;  /* 1 from an absolute hinge on, 2 if that is free               */
} link_span;

/* At hinges of this type the orientation of what they hang on drops out. */
LANE_INLINE void row_span_forget(const rct_sheaves *s, int64_t g, int kind, link_span *x)
{
    const int32_t lanes = row_lanes_of(s, g, kind);
    if (lanes != 0) {
        const mask relative = lane_greater(lane_set(1.0), x->absolute);
        const mask first = lane_and(relative, lane_bits(lanes));
        x->reach = vec3_choose(first, x->pose.position, x->reach);
        x->sliding = vec3_choose(first, x->pose.velocity, x->sliding);
        x->pose.position = vec3_choose(first, vec3_zero(), x->pose.position);
        x->pose.velocity = vec3_choose(first, vec3_zero(), x->pose.velocity);
        x->absolute = lane_select(first, lane_set(kind == RCT_HINGE_FREE ? 2.0 : 1.0), x->absolute);
    }
}

/* The frame and the reach of a path, into its record. */
LANE_INLINE void path_leave_product(double *path, const link_span *x)
{
    mat3_store(path + (int64_t)PATH_PRODUCT * ROW, ROW, x->pose.frame.rotation);
    vec3_store(path + (int64_t)(PATH_PRODUCT + 9) * ROW, ROW, x->pose.frame.rate);
    lane_store(path + (int64_t)PATH_ABSOLUTE * ROW, x->absolute);
}

LANE_INLINE void path_leave_span(double *path, const link_span *x)
{
    const mask relative = lane_greater(lane_set(1.0), x->absolute);
    const vec3 zero = vec3_zero(), at = x->pose.position, moving = x->pose.velocity;
    double *reach = path + (int64_t)PATH_REACH * ROW;
    vec3_store(reach, ROW, vec3_choose(relative, at, x->reach));
    vec3_store(reach + (int64_t)3 * ROW, ROW, vec3_choose(relative, moving, x->sliding));
    vec3_store(reach + (int64_t)6 * ROW, ROW, vec3_choose(relative, zero, at));
    vec3_store(reach + (int64_t)9 * ROW, ROW, vec3_choose(relative, zero, moving));
}

LANE_INLINE void row_span(const rct_sheaves *s, int64_t g, int narrow, link_span *x)
{
    if (s->starts[g] != 0) {
        const mask starts = lane_bits(s->starts[g]);
        const link_pose none = link_pose_none();
        x->pose = link_pose_select(starts, &none, &x->pose);
        x->absolute = lane_select(starts, lane_set(0.0), x->absolute);
    }
    x->pose = row_pose(s, g, narrow, &x->pose);
    if (!narrow || s->starts[g] != 0) {
        row_span_forget(s, g, RCT_HINGE_BALL, x);
    }
    if (!narrow) {
        row_span_forget(s, g, RCT_HINGE_FREE, x);
    }
}

/* The frame of the last link of segments as if what they hang on were inertial. On anything else,
 * with rotation R and rate w, it is R P and P^T w + w_P; an absolute hinge on the way removes R and
 * w. With `places`, the reach as well. */
LANE_INLINE void sweep_product(const rct_sheaves *s, int32_t sheaf, int narrow, int places)
{
    double *path = sheaf_path(s, sheaf);
    link_span x = {link_pose_none(), vec3_zero(), vec3_zero(), lane_set(0.0)};
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        row_span(s, g, narrow, &x);
    }
    path_leave_product(path, &x);
    if (places) {
        path_leave_span(path, &x);
    }
}

/* For one path in a single lane: the pose of its last link on `up`. With P, w_P its frame, r, v its
 * reach and r', v' what is beyond: R P and P^T w + w_P, at p + R r + r', with v_p + R (w x r + v) +
 * v'. An absolute hinge removes R and w from the frame, a free one removes all of `up`. */
LANE_INLINE link_pose path_end_pose(const double *path, int stride, const link_pose *up)
{
    const double *product = path + (int64_t)PATH_PRODUCT * stride;
    const double *reach = path + (int64_t)PATH_REACH * stride;
    const double *onward = path + (int64_t)PATH_ONWARD * stride;
    const double absolute = path[(int64_t)PATH_ABSOLUTE * stride];
    const vec3 r = vec3_load(reach, stride), v = vec3_load(reach + (int64_t)3 * stride, stride);
    const mat3 turn = up->frame.rotation;
    link_pose end = {
        .frame = {mat3_load(product, stride), vec3_load(product + (int64_t)9 * stride, stride)},
        .position = vec3_load(onward, stride),
        .velocity = vec3_load(onward + (int64_t)3 * stride, stride),
        .rest = absolute == 2.0 ? vec3_zero() : up->rest};
    if (absolute == 2.0) {
        end.position = vec3_add(r, end.position);
        end.velocity = vec3_add(v, end.velocity);
        return end;
    }
    const vec3 moving = vec3_add(vec3_cross(up->frame.rate, r), v);
    end.position = vec3_add(vec3_add(up->position, mat3_apply(turn, r)), end.position);
    end.velocity = vec3_add(vec3_add(up->velocity, mat3_apply(turn, moving)), end.velocity);
    if (absolute == 0.0) {
        const mat3 p = end.frame.rotation;
        end.frame.rate = vec3_add(mat3_apply_transposed(p, up->frame.rate), end.frame.rate);
        end.frame.rotation = mat3_product(turn, p);
    }
    return end;
}

/* ---- poses -------------------------------------------------------------------------------- */

/* The poses of what the links of row g hang on: along the path, or, where it begins, the known pose
 * there. */
LANE_INLINE link_pose row_pose_above(const rct_sheaves *s, int64_t g, const rct_places *where,
                                     const link_pose *along)
{
    double left[POSE_FIELDS * LANE_WIDTH] = {0.0};
    if (s->starts[g] == 0) {
        return *along;
    }
    for (int l = 0; l < LANE_WIDTH; l++) {
        if ((s->starts[g] >> l & 1) != 0) {
            const double *from = rct_pose_above(where, s->label[g * ROW + l]);
            for (int f = 0; f < where->poses.fields; f++) {
                left[f * LANE_WIDTH + l] = from[f];
            }
        }
    }
    const link_pose up = link_pose_load(left, LANE_WIDTH);
    return link_pose_select(lane_bits(s->starts[g]), &up, along);
}

/* The poses of the links of row g to where they lie. */
LANE_INLINE void row_leave_poses(const rct_sheaves *s, int64_t g, const rct_places *where,
                                 const link_pose *pose)
{
    double nowhere[POSE_FIELDS], *to[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int32_t label = s->label[g * ROW + l];
        to[l] = label >= 0 ? (double *)rct_pose_at(where->poses, label) : nowhere;
    }
    if (where->poses.fields == POSE_FIELDS) {
        link_pose_spread(to, POSE_FIELDS, pose);
    } else {
        link_pose_spread(to, POSE_OPEN_FIELDS, pose);
    }
}

/* The poses of the links of a sheaf, up to row `end`. */
LANE_INLINE void sweep_poses(const rct_sheaves *s, int32_t sheaf, int narrow, int64_t end,
                             const rct_places *where)
{
    link_pose pose = link_pose_none();
    for (int64_t g = s->first_row[sheaf]; g < end; g++) {
        const link_pose up = row_pose_above(s, g, where, &pose);
        pose = row_pose(s, g, narrow, &up);
        row_leave_poses(s, g, where, &pose);
    }
}

/* ---- poses in rows ------------------------------------------------------------------------ */

/* The poses of what the links of row g hang on: those of the row before, the ground's, or, in `room`,
 * each lane's own. */
LANE_INLINE const double *column_above(const rct_sheaves *s, int32_t sheaf, int64_t g,
                                       const rct_columns *c, double *room)
{
    const int32_t *hung = c->hung + (int64_t)sheaf * LANE_WIDTH, starts = s->starts[g];
    const double *before = g > s->first_row[sheaf] ? c->poses + (g - 1) * POSE_FIELDS * ROW : NULL;
    if (starts == 0) {
        return before;
    }
    if (s->grounded[g] == (int32_t)((1u << LANE_WIDTH) - 1u)) {
        return c->poses + hung[0];
    }
    const link_pose own = link_pose_gather(c->poses, hung, ROW);
    const link_pose along = before != NULL ? link_pose_load(before, ROW) : link_pose_none();
    const link_pose up = link_pose_select(lane_bits(starts), &own, &along);
    link_pose_store(room, ROW, POSE_FIELDS, &up);
    return room;
}

/* The poses of the links of row g, whose hinges are all of one type, to `pose`, from those of what
 * they hang on. Stores their motions in the scratch `own`. */
LANE_INLINE link_frame column_pose_type(const rct_sheaves *s, int64_t g, int kind,
                                        const link_lanes *before, const double *above, double *own,
                                        double *pose)
{
    const link_lanes link = row_link_here(s, g, before);
    const link_pose up = link_pose_load(above, ROW);
    link_frame frame;
    real q[MOST_COORDINATES], u[MOST_FREEDOMS];
    const link_motion m = row_move_type(s, g, kind, before, &up.frame, 1, own, &frame);
    row_state_load(s, g, kind, q, u);
    const link_pose of = link_pose_after(kind, &link, &m, q, u, &up, &frame);
    link_pose_store(pose, ROW, POSE_FIELDS, &of);
    return frame;
}

/* The same for hinges of several types. */
LANE_FUNCTION link_frame column_pose_unlike(const rct_sheaves *s, int64_t g, const double *above,
                                            double *own, double *pose)
{
    const link_pose up = link_pose_load(above, ROW);
    const link_frame frame = row_move(s, g, up.frame, 1, own);
    const link_lanes link = row_link(s, g);
    const link_motion m = row_recall_all(own);
    link_pose all = up, of;
    for (int type = 1; type < RCT_HINGE_TYPES; type++) {
        const int32_t lanes = row_lanes_of(s, g, type);
        real q[MOST_COORDINATES], u[MOST_FREEDOMS];
        if (lanes != 0) {
#define HINGE_CASE(TYPE)                                                                           \
    row_state_load(s, g, TYPE, q, u);                                                              \
    of = link_pose_after(TYPE, &link, &m, q, u, &up, &frame)
            HINGE_CASES(type, HINGE_CASE)
#undef HINGE_CASE
            all = link_pose_select(lane_bits(lanes), &of, &all);
        }
    }
    link_pose_store(pose, ROW, POSE_FIELDS, &all);
    return frame;
}

/* The motions of a wide sheaf to the scratch, its poses to the columns. */
LANE_INLINE void columns_pose(const group_sweep *w, int32_t sheaf, const rct_columns *c)
{
    const rct_sheaves *s = w->s;
    double room[POSE_FIELDS * LANE_WIDTH];
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        const link_lanes before = row_link_before(s, g);
        const double *above = column_above(s, sheaf, g, c, room);
        double *own = scratch_row(w, g) + (int64_t)ROW_MOTION * ROW;
        double *pose = c->poses + g * POSE_FIELDS * ROW;
        const int32_t kind = row_kind(s, g);
        link_frame frame;
        if (row_unlike(kind)) {
            frame = column_pose_unlike(s, g, above, own, pose);
        } else {
#define HINGE_CASE(TYPE) frame = column_pose_type(s, g, TYPE, &before, above, own, pose)
            HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
            row_keep_wrench(s, g, frame.rotation, own);
        }
        if (s->first_kid[g] < s->first_kid[g + 1]) {
            path_leave_frame(s, g, frame);
        }
    }
}

#endif
