/* Poses of links (mixed_state.h), by the same step as the sweeps. */
#include "kernels/mixed_state.h"

#include "kernels/links.h"
#include "kernels/mixed_pose.h"

static mixed_link link_of(const rct_mixed_links *links, int64_t i)
{
    const double *p = links->sweep + i * LINK_FIELDS;
    mixed_link link = {
        .mass = p[MIXED_MASS], .at = vec3_load(p + MIXED_AT, 1), .frame = mat3_identity()};
    if (links->turn != NULL) {
        p = links->turn + i * MIXED_TURN_FIELDS;
        link.frame = mat3_load(p, 1);
        link.parameter[0] = p[MIXED_PARAMETER - MIXED_FRAME];
        link.parameter[1] = p[MIXED_PARAMETER - MIXED_FRAME + 1];
    }
    return link;
}

static void pose_of(const rct_mixed_links *links, int64_t i, const double *state,
                    const rct_pose_of_link *up, rct_pose_of_link *pose)
{
    const mixed_link link = link_of(links, i);
    const mixed_pose above = mixed_pose_load((const double *)up, 1);
    const double *q = state + links->state_at[i];
    mixed_pose own;
#define MIXED_STEP(TYPE) own = mixed_pose_on(TYPE, &link, q, q + mixed_coordinates(TYPE), &above)
    MIXED_CASES(links->kind[i], MIXED_STEP)
#undef MIXED_STEP
    mixed_pose_store((double *)pose, 1, &own);
}

void rct_mixed_poses(const rct_mixed_links *links, const int32_t *some, int32_t count,
                     const double *state, const rct_pose_of_link *ground, rct_pose_of_link *poses)
{
    for (int32_t k = 0; k < count; k++) {
        const int64_t i = some != NULL ? some[k] : k, p = links->parent[i];
        pose_of(links, i, state, p >= 0 ? &poses[p] : ground, &poses[i]);
    }
}

void rct_mixed_turn(const double orientation[4], double rotation[9])
{
    mat3_store(rotation, 1, quat_rotation(quat_load(orientation, 1)));
}
