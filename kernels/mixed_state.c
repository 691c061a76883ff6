/* Poses of links (mixed_state.h), by the same step as the sweeps, with what they do not need: velocities. */
#include "kernels/mixed_state.h"

#include "kernels/mixed_hinge.h"

static mat3 matrix(const double m[9])
{
    return (mat3){m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]};
}

static mixed_link link_of(const double *p)
{
    return (mixed_link){.mass = p[MIXED_MASS],
                        .at = vec3_load(p + MIXED_AT, 1),
                        .frame = matrix(p + MIXED_FRAME),
                        .parameter = {p[MIXED_PARAMETER], p[MIXED_PARAMETER + 1]}};
}

/* Velocity of the hinge point in the parent, in the axes of the hinge frame. */
LANE_INLINE vec3 slide_of(int kind, const mixed_link *link, const double *u)
{
    switch (kind) {
    case RCT_HINGE_PRISMATIC: return (vec3){0.0, 0.0, u[0]};
    case RCT_HINGE_CYLINDRICAL: return (vec3){0.0, 0.0, u[1]};
    case RCT_HINGE_PLANAR: return (vec3){u[0], u[1], 0.0};
    case RCT_HINGE_HELICAL: return (vec3){0.0, 0.0, link->parameter[0] * u[0]};
    default: return vec3_zero();
    }
}

/* The pose of link i on a hinge of one type, which is known when this is compiled: so nothing is found that is not asked for. */
LANE_INLINE void pose_on(int kind, const rct_mixed_links *links, int64_t i, const double *state,
                         const rct_pose_of_link *up, rct_pose_of_link *pose)
{
    const mixed_link link = link_of(links->record + i * MIXED_FIELDS);
    const double *q = state + links->state_at[i], *u = q + mixed_coordinates(kind);
    const mixed_frame parent = {matrix(up->rotation), vec3_load(up->rate, 1)};
    const mixed_motion m = mixed_move(kind, &link, q, u, &parent);
    const mixed_frame own = mixed_carry(kind, &parent, &m, q);
    const vec3 turning = vec3_cross(parent.rate, m.r);
    const vec3 slide = mat3_apply(link.frame, slide_of(kind, &link, u));
    vec3 position = vec3_add(vec3_load(up->position, 1), mat3_apply(parent.rotation, m.r));
    vec3 velocity =
        vec3_add(vec3_load(up->velocity, 1), mat3_apply(parent.rotation, vec3_add(turning, slide)));
    if (kind == RCT_HINGE_FREE) {
        position = vec3_load(q + 4, 1);
        velocity = vec3_load(u + 3, 1);
    }
    mat3_store(pose->rotation, 1, own.rotation);
    vec3_store(pose->rate, 1, m.rate);
    vec3_store(pose->position, 1, position);
    vec3_store(pose->velocity, 1, velocity);
    pose->turn[0] = m.c, pose->turn[1] = m.s;
}

static void pose_of(const rct_mixed_links *links, int64_t i, const double *state,
                    const rct_pose_of_link *up, rct_pose_of_link *pose)
{
#define MIXED_STEP(TYPE) pose_on(TYPE, links, i, state, up, pose)
    MIXED_CASES(links->kind[i], MIXED_STEP)
#undef MIXED_STEP
}

void rct_mixed_poses(const rct_mixed_links *links, const int32_t *some, int32_t count,
                     const double *state, const rct_pose_of_link *ground, rct_pose_of_link *poses)
{
    for (int32_t k = 0; k < count; k++) {
        const int64_t i = some != NULL ? some[k] : k, p = links->parent[i];
        pose_of(links, i, state, p >= 0 ? &poses[p] : ground, &poses[i]);
    }
}
