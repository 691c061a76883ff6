/* Where the links of a mixed tree are, outward, for the LANE_WIDTH of the including translation unit: how far segments reach,
 * and the poses of links. */
#ifndef RCT_KERNELS_MIXED_PLACES_H
#define RCT_KERNELS_MIXED_PLACES_H

#include "kernels/mixed_frames.h"
#include "kernels/mixed_pose.h"

LANE_INLINE mixed_pose mixed_pose_select(mask where, const mixed_pose *a, const mixed_pose *b)
{
    return (mixed_pose){mixed_frame_select(where, a->frame, b->frame),
                        vec3_choose(where, a->position, b->position),
                        vec3_choose(where, a->velocity, b->velocity),
                        lane_select(where, a->c, b->c), lane_select(where, a->s, b->s)};
}

LANE_INLINE mixed_pose mixed_pose_alike(const rct_mixed_sheaves *s, int64_t g, int kind,
                                        const mixed_link *before, const mixed_pose *up)
{
    real q[MIXED_MOST_COORDINATES], u[MIXED_MOST_FREEDOMS];
    const mixed_link link = mixed_link_here(s, g, before);
    mixed_state_load(s, g, kind, q, u);
    return mixed_pose_on(kind, &link, q, u, up);
}

/* The poses of the links of row g from those of what they hang on; `narrow`: all on ball hinges. */
LANE_INLINE mixed_pose mixed_pose_row(const rct_mixed_sheaves *s, int64_t g, int narrow,
                                      const mixed_pose *up)
{
    if (narrow) {
        real q[MIXED_MOST_COORDINATES], u[MIXED_MOST_FREEDOMS];
        const mixed_link link = narrow_row_link(s, g);
        mixed_state_load(s, g, RCT_HINGE_BALL, q, u);
        return mixed_pose_on(RCT_HINGE_BALL, &link, q, u, up);
    }
    const mixed_link before = mixed_link_before(s, g);
    const int32_t kind = mixed_row_kind(s, g);
    mixed_pose pose = *up;
    if (!mixed_row_unlike(kind)) {
#define MIXED_STEP(TYPE) pose = mixed_pose_alike(s, g, TYPE, &before, up)
        MIXED_CASES(kind, MIXED_STEP)
#undef MIXED_STEP
        return pose;
    }
    const int32_t *lanes = s->kind_lanes + (int64_t)(~kind) * RCT_HINGE_TYPES;
    for (int k = 1; k < RCT_HINGE_TYPES; k++) {
        if (lanes[k] != 0) {
            mixed_pose own;
#define MIXED_STEP(TYPE) own = mixed_pose_alike(s, g, TYPE, &before, up)
            MIXED_CASES(k, MIXED_STEP)
#undef MIXED_STEP
            pose = mixed_pose_select(lane_bits(lanes[k]), &own, &pose);
        }
    }
    return pose;
}

/* Lanes of row g with hinges of a type, by bits. */
LANE_INLINE int32_t mixed_lanes_of(const rct_mixed_sheaves *s, int64_t g, int kind)
{
    const int32_t k = mixed_row_kind(s, g);
    return mixed_row_unlike(k) ? s->kind_lanes[(int64_t)(~k) * RCT_HINGE_TYPES + kind]
                               : -(k == kind);
}

/* ---- segments ----------------------------------------------------------------------------- */

/* A path while it is passed as if what it hangs on were inertial. */
typedef struct mixed_span {
    mixed_pose pose; /* from there; its points from `reach`, once there is one                  */
    vec3 reach;      /* of the first absolute hinge, axes of what the path hangs on             */
    vec3 sliding;    /* and its velocity                                                         */
    real absolute;   /* 1 from an absolute hinge on, 2 if that is free                          */
} mixed_span;

/* Hinges of one type forget how what they hang on stands. */
LANE_INLINE void mixed_span_forget(const rct_mixed_sheaves *s, int64_t g, int kind, mixed_span *x)
{
    const int32_t lanes = mixed_lanes_of(s, g, kind);
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

LANE_INLINE void mixed_leave_span(double *path, const mixed_span *x)
{
    const mask relative = lane_greater(lane_set(1.0), x->absolute);
    const vec3 zero = vec3_zero(), at = x->pose.position, moving = x->pose.velocity;
    double *reach = path + (int64_t)PATH_REACH * MW;
    vec3_store(reach, MW, vec3_choose(relative, at, x->reach));
    vec3_store(reach + (int64_t)3 * MW, MW, vec3_choose(relative, moving, x->sliding));
    vec3_store(reach + (int64_t)6 * MW, MW, vec3_choose(relative, zero, at));
    vec3_store(reach + (int64_t)9 * MW, MW, vec3_choose(relative, zero, moving));
    lane_store(path + (int64_t)PATH_ANGLE * MW, x->pose.c);
    lane_store(path + (int64_t)(PATH_ANGLE + 1) * MW, x->pose.s);
}

LANE_INLINE void mixed_span_row(const rct_mixed_sheaves *s, int64_t g, int narrow, mixed_span *x)
{
    if (s->starts[g] != 0) {
        const mask starts = lane_bits(s->starts[g]);
        const mixed_pose none = mixed_pose_none();
        x->pose = mixed_pose_select(starts, &none, &x->pose);
        x->absolute = lane_select(starts, lane_set(0.0), x->absolute);
    }
    x->pose = mixed_pose_row(s, g, narrow, &x->pose);
    if (!narrow || s->starts[g] != 0) {
        mixed_span_forget(s, g, RCT_HINGE_BALL, x);
    }
    if (!narrow) {
        mixed_span_forget(s, g, RCT_HINGE_FREE, x);
    }
}

/* The frame of the last link of segments if what they hang on were inertial: for any other, with its rotation R and
 * rate w, R P and P^T w + w_P; an absolute hinge on the way forgets both. With `places`, how far it is. */
LANE_INLINE void mixed_outward_product(const rct_mixed_sheaves *s, int32_t sheaf, int narrow,
                                       int places)
{
    double *path = mixed_path(s, sheaf);
    mixed_span x = {mixed_pose_none(), vec3_zero(), vec3_zero(), lane_set(0.0)};
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        mixed_span_row(s, g, narrow, &x);
    }
    mat3_store(path + (int64_t)PATH_PRODUCT * MW, MW, x.pose.frame.rotation);
    vec3_store(path + (int64_t)(PATH_PRODUCT + 9) * MW, MW, x.pose.frame.rate);
    lane_store(path + (int64_t)PATH_ABSOLUTE * MW, x.absolute);
    if (places) {
        mixed_leave_span(path, &x);
    }
}

/* ---- poses -------------------------------------------------------------------------------- */

/* What the links of row g hang on: along the path, or where it begins, from the pose that is known there. */
LANE_INLINE mixed_pose mixed_pose_above(const rct_mixed_sheaves *s, int64_t g,
                                        const rct_mixed_places *where, const mixed_pose *along)
{
    double left[POSE_FIELDS * LANE_WIDTH] = {0.0};
    if (s->starts[g] == 0) {
        return *along;
    }
    for (int l = 0; l < LANE_WIDTH; l++) {
        if ((s->starts[g] >> l & 1) != 0) {
            const double *from = rct_pose_above(where, s->label[g * MW + l]);
            for (int f = 0; f < POSE_CARRIED; f++) {
                left[f * LANE_WIDTH + l] = from[f];
            }
        }
    }
    const mixed_pose up = mixed_pose_load(left, LANE_WIDTH);
    return mixed_pose_select(lane_bits(s->starts[g]), &up, along);
}

LANE_INLINE void mixed_leave_poses(const rct_mixed_sheaves *s, int64_t g,
                                   const rct_mixed_places *where, const mixed_pose *pose)
{
    double left[POSE_FIELDS * LANE_WIDTH];
    mixed_pose_store(left, LANE_WIDTH, pose);
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int32_t label = s->label[g * MW + l];
        if (label >= 0) {
            double *to = (double *)&where->poses[label];
            LANE_UNROLL
            for (int f = 0; f < POSE_FIELDS; f++) {
                to[f] = left[f * LANE_WIDTH + l];
            }
        }
    }
}

/* The poses of the links of a sheaf, up to row `end`. */
LANE_INLINE void mixed_outward_poses(const rct_mixed_sheaves *s, int32_t sheaf, int narrow,
                                     int64_t end, const rct_mixed_places *where)
{
    mixed_pose pose = mixed_pose_none();
    for (int64_t g = s->first_row[sheaf]; g < end; g++) {
        const mixed_pose up = mixed_pose_above(s, g, where, &pose);
        pose = mixed_pose_row(s, g, narrow, &up);
        mixed_leave_poses(s, g, where, &pose);
    }
}

#endif
