/* Where a link is and how it moves, in lanes, from the pose of what it hangs on: the frame that the
 * sweeps use (wide_step.h), and points and their velocities besides. */
#ifndef RCT_KERNELS_LAWS_POSE_H
#define RCT_KERNELS_LAWS_POSE_H

#include "kernels/lane/numbers.h"
#include "kernels/laws/hinge.h"
#include "kernels/records/poses.h"

typedef struct link_pose {
    link_frame frame;
    vec3 position; /* m, of the origin, inertial axes               */
    vec3 velocity; /* m/s                                           */
    vec3 rest;     /* m, what rounding has left out of the position */
} link_pose;

/* At rest in inertial axes, at their origin. */
LANE_INLINE link_pose link_pose_none(void)
{
    const vec3 none = vec3_zero();
    return (link_pose){{mat3_identity(), none}, none, none, none};
}

/* The velocity of the parent's point at the hinge, plus what the hinge adds to it, parent's
 * axes. */
LANE_INLINE vec3 hinge_sliding(int kind, const link_lanes *link, const real *u, vec3 point)
{
    const mat3 f = link->frame;
    const vec3 axis = {f.xz, f.yz, f.zz};
    switch (kind) {
    case RCT_HINGE_PRISMATIC: return vec3_add_scaled(point, u[0], axis);
    case RCT_HINGE_CYLINDRICAL: return vec3_add_scaled(point, u[1], axis);
    case RCT_HINGE_HELICAL: return vec3_add_scaled(point, link->parameter[0] * u[0], axis);
    case RCT_HINGE_PLANAR: return vec3_add(point, mat3_apply(f, (vec3){u[0], u[1], lane_set(0.0)}));
    default: return point;
    }
}

/* The pose of a link that moves by `m`, given its frame. The hinge type is known at compile time:
 * unused parts are not computed. */
LANE_INLINE link_pose link_pose_after(int kind, const link_lanes *link, const link_motion *m,
                                      const real *q, const real *u, const link_pose *up,
                                      const link_frame *frame)
{
    const mat3 turn = up->frame.rotation;
    link_pose pose = {.frame = *frame};
    if (kind == RCT_HINGE_FREE) {
        pose.position = (vec3){q[4], q[5], q[6]};
        pose.velocity = (vec3){u[3], u[4], u[5]};
        pose.rest = vec3_zero();
    } else {
        const vec3 moving = hinge_sliding(kind, link, u, vec3_cross(up->frame.rate, m->r));
        const vec3 lever = mat3_apply(turn, m->r);
        pose.position = vec3_add(up->position, lever);
        pose.rest = vec3_add(up->rest, vec3_left_out(up->position, lever, pose.position));
        pose.velocity = vec3_add(up->velocity, mat3_apply(turn, moving));
    }
    return pose;
}

LANE_INLINE link_pose link_pose_on(int kind, const link_lanes *link, const real *q, const real *u,
                                   const link_pose *up)
{
    const link_motion m = link_move(kind, link, q, u, &up->frame);
    const link_frame frame = link_frame_carry(kind, &up->frame, &m, q);
    return link_pose_after(kind, link, &m, q, u, up, &frame);
}

/* A pose as it lies in memory: without `rest`; then with it. */
LANE_INLINE link_pose link_pose_load_open(const double *from, int stride)
{
    return (link_pose){.frame = {mat3_load(from, stride), vec3_load(from + 9 * stride, stride)},
                       .position = vec3_load(from + 12 * stride, stride),
                       .velocity = vec3_load(from + 15 * stride, stride),
                       .rest = vec3_zero()};
}

LANE_INLINE link_pose link_pose_load(const double *from, int stride)
{
    link_pose pose = link_pose_load_open(from, stride);
    pose.rest = vec3_load(from + 18 * stride, stride);
    return pose;
}

/* Store the first `fields` fields. */
LANE_INLINE void link_pose_store(double *to, int stride, int fields, const link_pose *pose)
{
    mat3_store(to, stride, pose->frame.rotation);
    vec3_store(to + 9 * stride, stride, pose->frame.rate);
    vec3_store(to + 12 * stride, stride, pose->position);
    vec3_store(to + 15 * stride, stride, pose->velocity);
    if (fields == POSE_FIELDS) {
        vec3_store(to + 18 * stride, stride, pose->rest);
    }
}

/* ---- from places of each lane -------------------------------------------------------------- */

/* Numbers i to i + 2 of each lane, `apart` from one another. */
LANE_INLINE vec3 vec3_collect(const double *const *from, int i, int apart)
{
    return (vec3){lane_collect(from, i * apart), lane_collect(from, (i + 1) * apart),
                  lane_collect(from, (i + 2) * apart)};
}

/* Numbers i to i + 2 of one place, for all lanes. */
LANE_INLINE vec3 vec3_of_one(const double *from, int i, int apart)
{
    return (vec3){lane_set(from[i * apart]), lane_set(from[(i + 1) * apart]),
                  lane_set(from[(i + 2) * apart])};
}

/* Whether the places of neighbouring lanes are `step` numbers apart. */
LANE_INLINE int lanes_step(const double *const *from, int step)
{
    int all = 1;
    for (int l = 1; l < LANE_WIDTH; l++) {
        all &= from[l] == from[0] + (int64_t)l * step;
    }
    return all;
}

/* The first `fields` of a pose (constant). */
LANE_INLINE link_pose link_pose_collect(const double *const *from, int apart, int fields)
{
    real v[POSE_FIELDS];
    v[POSE_FIELDS - 3] = v[POSE_FIELDS - 2] = v[POSE_FIELDS - 1] = lane_set(0.0);
    if (lanes_step(from, 1)) { /* places side by side */
        return fields < POSE_FIELDS ? link_pose_load_open(from[0], apart)
                                    : link_pose_load(from[0], apart);
    }
    if (lanes_step(from, 0)) { /* one for all, as the ground is */
        LANE_UNROLL_ALL
        for (int i = 0; i < fields; i++) {
            v[i] = lane_set(from[0][i * apart]);
        }
    } else if (apart == 1) {
        lane_collect_all(from, 0, fields, v);
    } else {
        LANE_UNROLL_ALL
        for (int i = 0; i < fields; i++) {
            v[i] = lane_collect(from, i * apart);
        }
    }
    return (link_pose){
        .frame = {{v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]}, {v[9], v[10], v[11]}},
        .position = {v[12], v[13], v[14]},
        .velocity = {v[15], v[16], v[17]},
        .rest = {v[18], v[19], v[20]}};
}

/* The first `fields` of a pose (constant) to places of each lane. */
LANE_INLINE void link_pose_spread(double *const *to, int fields, const link_pose *pose)
{
    const mat3 m = pose->frame.rotation;
    const vec3 w = pose->frame.rate, p = pose->position, v = pose->velocity, rest = pose->rest;
    const real x[POSE_FIELDS] = {m.xx, m.xy, m.xz, m.yx, m.yy,   m.yz,   m.zx,
                                 m.zy, m.zz, w.x,  w.y,  w.z,    p.x,    p.y,
                                 p.z,  v.x,  v.y,  v.z,  rest.x, rest.y, rest.z};
    lane_spread_all(to, 0, fields, x);
}

/* The same from offsets behind one place. */
LANE_INLINE link_pose link_pose_gather(const double *from, const int32_t *offset, int apart)
{
    const double *place[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++) {
        place[l] = from + offset[l];
    }
    return link_pose_collect(place, apart, POSE_FIELDS);
}

#endif
