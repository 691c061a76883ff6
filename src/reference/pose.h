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

/* The pose of a body, or of the ground. */
static inline const rct_pose *rct_pose_of(const rct_ground *ground, const rct_pose *pose,
                                          int32_t body)
{
    return body == RCT_GROUND ? &ground->pose : &pose[body];
}

/* Bodies may come before their parents: order [n] has parents before what hangs on them, place [n] where each body is
 * in it. */
void rct_pose_order(const rct_model *model, int32_t *order, int32_t *place);

/* What the hinge of body j joins: the body and its parent, or the ground. */
typedef struct rct_hinge_end {
    int32_t body;
    quad3
        l; /* m, from its centre of mass (the ground: its origin) to the hinge point of body j, inertial axes */
} rct_hinge_end;

void rct_pose_ends(const rct_model *model, const rct_ground *ground, const rct_pose *pose,
                   int32_t j, rct_hinge_end end[2]);

/* Fill pose[n]. `coordinates` and `rates` are those of all hinges, body after body (model.h), and may each be
 * NULL: the model's initial state. Quaternions need not be normalized. RCT_ERROR_ARGUMENT names the body whose
 * quaternion is zero or whose numbers are not finite. The model must have passed rct_model_check. */
rct_status rct_pose_all(const rct_model *model, double time, const double *coordinates,
                        const double *rates, rct_pose *pose, rct_error *error);

/* R I R^T: inertia of the body about its centre of mass, in the axes that R leads to (seed 004, after eq. 10). */
quad33 rct_pose_inertia(const quad33 *R, const rct_body *body);

#endif
