/* Poses of links (poses.h), by the same step as the sweeps. */
#include "kernels/records/poses.h"

#include "kernels/laws/pose.h"

#include <string.h>

static link_lanes link_of(const rct_links *links, int64_t i)
{
    const double *p = rct_link_record(links, i);
    link_lanes link = {
        .mass = p[LINK_MASS], .at = vec3_load(p + LINK_AT, 1), .frame = mat3_identity()};
    if (links->fields > LINK_FIELDS) {
        link.frame = mat3_load(p + LINK_FRAME, 1);
        link.parameter[0] = p[LINK_PARAMETER];
        link.parameter[1] = p[LINK_PARAMETER + 1];
    }
    return link;
}

/* A pose of `fields` numbers, also that of the ground. */
static void pose_of(const link_lanes *link, int32_t kind, const double *q,
                    const rct_pose_of_link *up, int fields, rct_pose_of_link *pose)
{
    const double *from = (const double *)up;
    const link_pose above =
        fields < POSE_FIELDS ? link_pose_load_open(from, 1) : link_pose_load(from, 1);
    link_pose own;
#define HINGE_CASE(TYPE) own = link_pose_on(TYPE, link, q, q + hinge_coordinates(TYPE), &above)
    HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
    link_pose_store((double *)pose, 1, fields, &own);
}

void rct_link_poses(const rct_links *links, const int32_t *some, int32_t count, const double *state,
                    const rct_pose_of_link *ground, rct_poses poses)
{
    for (int32_t k = 0; k < count; k++) {
        const int64_t i = some != NULL ? some[k] : k, p = links->parent[i];
        const link_lanes link = link_of(links, i);
        pose_of(&link, links->kind[i], state + rct_link_state(links, i),
                p >= 0 ? rct_pose_at(poses, p) : ground, poses.fields, rct_pose_at(poses, i));
    }
}

void rct_hinge_displacement(const rct_links *links, int64_t i, const double *state,
                            const rct_pose_of_link *up, double displacement[3])
{
    rct_pose_of_link from = {.rest = {0.0}}, pose;
    link_lanes link = link_of(links, i);
    memcpy(from.rotation, up->rotation, sizeof from.rotation);
    memcpy(from.rate, up->rate, sizeof from.rate);
    memcpy(from.velocity, up->velocity, sizeof from.velocity);
    link.at = vec3_zero();
    pose_of(&link, links->kind[i], state + rct_link_state(links, i), &from, POSE_FIELDS, &pose);
    memcpy(displacement, pose.position, sizeof pose.position);
}

void rct_rates_turn(const double orientation[4], double rotation[9])
{
    mat3_store(rotation, 1, quat_rotation(quat_load(orientation, 1)));
}
