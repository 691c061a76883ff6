/* Poses of links (mixed_state.h), by the same step as the sweeps. */
#include "kernels/mixed_state.h"

#include "kernels/mixed_pose.h"

#include <string.h>

static mixed_link link_of(const rct_links *links, int64_t i)
{
    const double *p = rct_link_record(links, i);
    mixed_link link = {
        .mass = p[LINK_MASS], .at = vec3_load(p + LINK_AT, 1), .frame = mat3_identity()};
    if (links->fields > LINK_FIELDS) {
        link.frame = mat3_load(p + LINK_FRAME, 1);
        link.parameter[0] = p[LINK_PARAMETER];
        link.parameter[1] = p[LINK_PARAMETER + 1];
    }
    return link;
}

static void pose_of(const mixed_link *link, int32_t kind, const double *q,
                    const rct_pose_of_link *up, rct_pose_of_link *pose)
{
    const mixed_pose above = mixed_pose_load((const double *)up, 1);
    mixed_pose own;
#define MIXED_STEP(TYPE) own = mixed_pose_on(TYPE, link, q, q + mixed_coordinates(TYPE), &above)
    MIXED_CASES(kind, MIXED_STEP)
#undef MIXED_STEP
    mixed_pose_store((double *)pose, 1, &own);
}

void rct_mixed_poses(const rct_links *links, const int32_t *some, int32_t count,
                     const double *state, const rct_pose_of_link *ground, rct_pose_of_link *poses)
{
    for (int32_t k = 0; k < count; k++) {
        const int64_t i = some != NULL ? some[k] : k, p = links->parent[i];
        const mixed_link link = link_of(links, i);
        pose_of(&link, links->kind[i], state + links->state_at[i], p >= 0 ? &poses[p] : ground,
                &poses[i]);
    }
}

void rct_mixed_displacement(const rct_links *links, int64_t i, const double *state,
                            const rct_pose_of_link *up, double displacement[3])
{
    rct_pose_of_link from = *up, pose;
    mixed_link link = link_of(links, i);
    memset(from.position, 0, sizeof from.position);
    link.at = vec3_zero();
    pose_of(&link, links->kind[i], state + links->state_at[i], &from, &pose);
    memcpy(displacement, pose.position, sizeof pose.position);
}

void rct_mixed_turn(const double orientation[4], double rotation[9])
{
    mat3_store(rotation, 1, quat_rotation(quat_load(orientation, 1)));
}
