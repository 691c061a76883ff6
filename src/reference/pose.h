/* Where every body stands and how it turns, in quadruple precision, from a state in double. */
#ifndef RCT_REFERENCE_POSE_H
#define RCT_REFERENCE_POSE_H

#include "reference/quad.h"

#include <riccatree/model.h>

typedef struct rct_pose {
    quad33 R;    /* body axes to inertial axes                                                   */
    quad3 omega; /* rad/s, angular velocity, inertial axes                                       */
} rct_pose;

/* Fill pose[n]. `orientation` [n][4] need not be normalized; it and `angular_velocity` [n][3] may
 * each be NULL: the model's initial state. Rows of bodies with a fixed hinge are not read: these
 * bodies follow their parent, and those welded to the ground rest. RCT_ERROR_ARGUMENT names the
 * body whose quaternion is zero or whose numbers are not finite. The model must have passed
 * rct_model_check. */
rct_status rct_pose_all(const rct_model *model, const double *orientation,
                        const double *angular_velocity, rct_pose *pose, rct_error *error);

/* R I R^T: inertia of the body about its centre of mass, inertial axes (seed 004, after eq. 10). */
quad33 rct_pose_inertia(const rct_pose *pose, const rct_body *body);

#endif
