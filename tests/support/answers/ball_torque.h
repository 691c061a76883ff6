/* The moment of a ball hinge on its body, in quadruple precision, from the energy of its springs
 * alone: the change of the energy with small rotations of the body, by differences. */
#ifndef RCT_TESTS_BALL_TORQUE_H
#define RCT_TESTS_BALL_TORQUE_H

#include "reference/quad.h"

#include <riccatree/model.h>

/* The energy, in J, of the springs of a body with orientation `own` on a body with orientation
 * `up`. */
quad ball_energy(const rct_body *body, const quad33 *up, const quad33 *own);

/* The moment on the body, N m, inertial axes; `slip`: its angular velocity relative to the body on
 * which it hangs, rad/s. */
quad3 ball_torque(const rct_body *body, const quad33 *up, const quad33 *own, quad3 slip);

#endif
