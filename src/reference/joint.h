/* What a relative hinge allows and does, in quadruple precision: fixed, revolute, prismatic, universal,
 * cylindrical, planar, helical. Ball and free hinges have absolute coordinates and none of this. */
#ifndef RCT_REFERENCE_JOINT_H
#define RCT_REFERENCE_JOINT_H

#include "reference/quad.h"

#include <riccatree/model.h>

/* With coordinates q and rates u, and w_p the angular velocity of the parent, in inertial axes:
 *
 *     w - w_p                  = sum of p_k u_k       (seed 004, eq. 43: Omega = P gamma.)
 *     v - v_p'                 = sum of t_k u_k       v_p' of the point of the parent at the hinge point
 *     w. - w_p.                = sum of p_k u_k. + p_rest
 *     a - a_p'                 = sum of t_k u_k. + t_rest
 *     p_k . moment + t_k . force = tau_k - armature_k u_k.        of what the hinge exerts on the body */
typedef struct rct_joint {
    int freedoms;         /* 0: fixed, and ball and free hinges                              */
    quad33 turn;          /* from body axes to the hinge frame                               */
    quad3 along;          /* m, from the hinge's point in the parent to that of the body     */
    quad3 p[3], t[3];     /* columns of P and of its like for translations                   */
    quad3 p_rest, t_rest; /* rad/s^2, m/s^2: what the velocities make                        */
    quad tau[3];          /* N or N m: applied - stiffness (q - rest) - damping u            */
    quad armature[3];     /* kg or kg m^2                                                    */
} rct_joint;

/* The joint of a relative hinge whose frame has the axes `frame` (to inertial) and whose parent turns at
 * `parent_omega`. `q` and `u` have as many numbers as the hinge has freedoms. */
void rct_joint_place(const rct_body *body, const quad33 *frame, quad3 parent_omega, const double *q,
                     const double *u, rct_joint *joint);

#endif
