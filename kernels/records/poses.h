/* Where the links of a tree are and how they move, one after the other. */
#ifndef RCT_KERNELS_RECORDS_POSES_H
#define RCT_KERNELS_RECORDS_POSES_H

#include "kernels/records/states.h"

/* Pose and velocity of a link. */
typedef struct rct_pose_of_link {
    double rotation[9]; /* link axes to inertial, by rows                */
    double rate[3];     /* rad/s, link axes                              */
    double position[3]; /* m, of the origin, inertial axes               */
    double velocity[3]; /* m/s, inertial axes                            */
    double rest[3];     /* m, what rounding has left out of the position */
} rct_pose_of_link;

/* Numbers of a pose in a list of poses: all, or those before `rest`, which only loops need. */
enum {
    POSE_FIELDS = sizeof(rct_pose_of_link) / sizeof(double),
    POSE_OPEN_FIELDS = POSE_FIELDS - 3
};
typedef struct rct_poses {
    double *numbers;
    int32_t fields;
} rct_poses;

static inline rct_pose_of_link *rct_pose_at(rct_poses poses, int64_t label)
{
    return (rct_pose_of_link *)(poses.numbers + poses.fields * label);
}

/* Where poses of links are read and written while all or some of them are made. */
typedef struct rct_places {
    const int32_t *parent; /* [links] label, or -1: the ground */
    const rct_pose_of_link *ground;
    rct_poses poses; /* [links] */
} rct_places;

/* The numbers of the pose of the link (or ground) that a link hangs on. */
static inline const double *rct_pose_above(const rct_places *places, int32_t label)
{
    const int32_t up = places->parent[label];
    return (const double *)(up < 0 ? places->ground : rct_pose_at(places->poses, up));
}

/* Poses of `count` links, to [links->count], from the state in label order. `some` NULL: of all
 * links; else of these, ascending, which include the link that each hangs on. `ground`: its
 * pose. */
void rct_link_poses(const rct_links *links, const int32_t *some, int32_t count, const double *state,
                    const rct_pose_of_link *ground, rct_poses poses);

/* How far the hinge of link i has moved the origin of the link from the hinge's point on the link
 * it hangs on, whose pose is `up`; inertial axes. */
void rct_hinge_displacement(const rct_links *links, int64_t i, const double *state,
                            const rct_pose_of_link *up, double displacement[3]);

/* The rotation, by rows, that sweeps compute from the orientation of a link on a ball or free
 * hinge. */
void rct_rates_turn(const double orientation[4], double rotation[9]);

#endif
