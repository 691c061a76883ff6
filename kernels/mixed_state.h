/* Where the links of a mixed tree are and how they move, one after the other: for what looks at the whole. */
#ifndef RCT_KERNELS_MIXED_STATE_H
#define RCT_KERNELS_MIXED_STATE_H

#include "kernels/mixed.h"

/* Pose and velocity of a link. */
typedef struct rct_pose_of_link {
    double rotation[9]; /* link axes to inertial, by rows                */
    double rate[3];     /* rad/s, link axes                              */
    double position[3]; /* m, of the origin, inertial axes               */
    double velocity[3]; /* m/s, inertial axes                            */
    double turn[2];     /* cosine and sine of the angle about z, if any  */
} rct_pose_of_link;

/* Poses of `count` links, to [links->count], from the state in label order; of all if `some` is NULL, else of these,
 * ascending, among which is what each hangs on. `ground`: its pose. */
void rct_mixed_poses(const rct_mixed_links *links, const int32_t *some, int32_t count,
                     const double *state, const rct_pose_of_link *ground, rct_pose_of_link *poses);

#endif
