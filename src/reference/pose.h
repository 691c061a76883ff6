/* The place, the motion and the loads of every body, in quadruple precision, from coordinates
 * and rates in double. */
#ifndef RCT_REFERENCE_POSE_H
#define RCT_REFERENCE_POSE_H

#include "reference/quad.h"

#include <riccatree/loop.h>

/* The motion and the forces of a relative hinge: fixed, revolute, prismatic, universal,
 * cylindrical, planar, helical. Ball and free hinges have absolute coordinates and no such
 * joint. With coordinates q and rates u, and w_p the angular velocity of the parent, in inertial
 * axes:
 *
 *     w - w_p                  = sum of p_k u_k       (seed 004, eq. 43: Omega = P gamma.)
 *     v - v_p'                 = sum of t_k u_k       v_p' of the point of the parent at the hinge point
 *     w. - w_p.                = sum of p_k u_k. + p_rest
 *     a - a_p'                 = sum of t_k u_k. + t_rest
 *     p_k . moment + t_k . force = tau_k - armature_k u_k.        of the hinge's force and moment on the body */
typedef struct rct_joint {
    int freedoms;         /* 0 for fixed, ball and free hinges                               */
    quad33 turn;          /* from body axes to the hinge frame                               */
    quad3 along;          /* m, from the hinge's point in the parent to that of the body     */
    quad3 p[3], t[3];     /* columns of P, and of T for translations                         */
    quad3 p_rest, t_rest; /* rad/s^2, m/s^2: terms of the velocities                         */
    quad tau[3];          /* N or N m: applied - stiffness (q - rest) - damping u, and `more` */
    quad more[3];         /* N or N m: of forces at hinges (effort.c)                        */
    quad armature[3];     /* kg or kg m^2                                                    */
} rct_joint;

/* The joint of a relative hinge whose frame has the axes `frame` (to inertial) and whose parent
 * turns at `parent_omega`. `q` and `u` have as many numbers as the hinge has freedoms. */
void rct_joint_place(const rct_body *body, const quad33 *frame, quad3 parent_omega, const double *q,
                     const double *u, rct_joint *joint);

/* Add the forces at the hinge of a body to its joint, with as many coordinates and rates as it
 * has freedoms; RCT_ERROR_MEMORY. */
rct_status rct_joint_exert(const rct_model *model, double time, int32_t body, const double *q,
                           const double *u, rct_joint *joint, rct_error *error);

/* The second derivative of the prescribed sum of a relation; NaN if memory is short. */
quad rct_relation_second(const rct_loop *loop, double time);

typedef struct rct_pose {
    quad33 R;       /* body axes to inertial axes                                                */
    quad3 omega;    /* rad/s, angular velocity, inertial axes                                    */
    quad3 position; /* m, of the hinge point, inertial axes                                      */
    quad3 velocity; /* m/s, of the hinge point, inertial axes                                    */
    quad3 torque; /* N m, of a ball hinge on the body, inertial axes: springs, dampers, friction */
    rct_joint joint; /* of its hinge if that is relative                                         */
} rct_pose;

/* effort.c, ball.c: that torque: of friction, by the rate against the parent; and of the others. */
quad3 rct_pose_ball_friction(const rct_model *model, int32_t body, quad3 slip);
quad3 rct_pose_ball_torque(const rct_body *body, const rct_pose *parent, const rct_pose *own);

/* The ground, which moves as the model prescribes. */
typedef struct rct_ground {
    rct_pose pose;
    quad3 omega_dot;    /* rad/s^2 */
    quad3 acceleration; /* m/s^2   */
    double time;        /* s       */
} rct_ground;

rct_ground rct_pose_ground(const rct_model *model, double time);

/* The pose of a body, or of the ground. */
static inline const rct_pose *rct_pose_of(const rct_ground *ground, const rct_pose *pose,
                                          int32_t body)
{
    return body == RCT_GROUND ? &ground->pose : &pose[body];
}

/* Whether the coordinates of its hinge are absolute. */
static inline int rct_pose_is_absolute(const rct_body *body)
{
    return body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE;
}

/* Bodies may come before their parents: order [n] has parents before their children, place [n]
 * the position of each body in it. */
void rct_pose_order(const rct_model *model, int32_t *order, int32_t *place);

/* The two sides of the hinge of body j: the body and its parent, or the ground. */
typedef struct rct_hinge_end {
    int32_t body;
    /* m, from its centre of mass (the ground: its origin) to the hinge point of body j, inertial
     * axes */
    quad3 l;
} rct_hinge_end;

void rct_pose_ends(const rct_model *model, const rct_ground *ground, const rct_pose *pose,
                   int32_t j, rct_hinge_end end[2]);

/* Fill pose[n]. `coordinates` and `rates` are those of all hinges, body after body (model.h), and may each be
 * NULL: the model's initial state. Quaternions need not be normalized. RCT_ERROR_ARGUMENT names the body whose
 * quaternion is zero or whose numbers are not finite. The model must have passed rct_model_check. */
rct_status rct_pose_all(const rct_model *model, double time, const double *coordinates,
                        const double *rates, rct_pose *pose, rct_error *error);

/* R I R^T: inertia of the body about its centre of mass, in the axes to which R leads (seed 004,
 * after eq. 10). */
quad33 rct_pose_inertia(const quad33 *R, const rct_body *body);

/* The external load on a body (load.c): F and G of seed 004, eq. 10. */
typedef struct rct_load {
    quad3 F; /* N, at the centre of mass   */
    quad3 G; /* N m, about it              */
} rct_load;

/* Fill load[n]: gravity, and the forces of the model that act on bodies. */
void rct_load_all(const rct_model *model, const rct_pose *pose, rct_load *load);

#endif
