/* Where every body stands and how it moves, in quadruple precision, from coordinates and rates in double. */
#ifndef RCT_REFERENCE_POSE_H
#define RCT_REFERENCE_POSE_H

#include "reference/joint.h"
#include "reference/quad.h"

#include <riccatree/model.h>

typedef struct rct_pose {
    quad33 R;        /* body axes to inertial axes                                                */
    quad3 omega;     /* rad/s, angular velocity, inertial axes                                    */
    quad3 position;  /* m, of the hinge point, inertial axes                                      */
    quad3 velocity;  /* m/s, of the hinge point, inertial axes                                    */
    rct_joint joint; /* of its hinge if that is relative                                         */
} rct_pose;

/* The ground, which moves as the model says. */
typedef struct rct_ground {
    rct_pose pose;
    quad3 omega_dot;    /* rad/s^2 */
    quad3 acceleration; /* m/s^2   */
} rct_ground;

rct_ground rct_pose_ground(const rct_model *model, double time);

/* Fill pose[n]. `coordinates` and `rates` are those of all hinges, body after body (model.h), and may each be
 * NULL: the model's initial state. Quaternions need not be normalized. RCT_ERROR_ARGUMENT names the body whose
 * quaternion is zero or whose numbers are not finite. The model must have passed rct_model_check. */
rct_status rct_pose_all(const rct_model *model, double time, const double *coordinates,
                        const double *rates, rct_pose *pose, rct_error *error);

/* R I R^T: inertia of the body about its centre of mass, inertial axes (seed 004, after eq. 10). */
quad33 rct_pose_inertia(const rct_pose *pose, const rct_body *body);

#endif
