/* Where a model starts: the place and the motion of a body, found along the hinges from the
 * ground. */
#ifndef RCT_MODEL_POSE_H
#define RCT_MODEL_POSE_H

#include "model/model.h"

/* The hinge point of the body, in inertial axes. */
typedef struct rct_model_pose {
    double orientation[4], angular_velocity[3];
    double position[3], velocity[3]; /* m, m/s */
} rct_model_pose;

/* Of a body of a checked model; RCT_GROUND: the ground at time 0. RCT_ERROR_MEMORY. */
rct_status rct_model_find_pose(const rct_model *model, int32_t body, rct_model_pose *pose,
                               rct_error *error);

#endif
