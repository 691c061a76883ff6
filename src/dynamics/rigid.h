/* One rigid body on the host, in plain numbers. */
#ifndef RCT_DYNAMICS_RIGID_H
#define RCT_DYNAMICS_RIGID_H

#include <riccatree/model.h>

/* a + alpha x r + w x (w x r): the acceleration (m/s^2) of the point r (m) of a body whose origin
 * has the acceleration a. */
void rct_carry(const double *a, const double *alpha, const double *w, const double *r,
               double out[3]);

/* J v, with J as xx yy zz xy xz yz. */
void rct_inertia_times(const double j[6], const double v[3], double out[3]);

/* m (a_C - g), and J_C alpha + w x J_C w + c x m (a_C - g): the force (N) and the moment about the
 * hinge point (N m) that the motion of a body needs, inertial axes. `m` turns body axes into
 * inertial ones; rate, a and alpha are in inertial axes, a is that of the hinge point. */
void rct_newton_euler(const rct_body *body, const double gravity[3], double m[3][3],
                      const double rate[3], const double a[3], const double alpha[3],
                      double load[6]);

/* Makes an orientation of any length > 0 a unit quaternion, and turns an angular velocity from
 * inertial axes into body axes. An orientation whose length is 1 to the last digits keeps its bits
 * (docs/decisions.md). Returns 0 if the two are no state: no length, or a number that is not
 * finite. */
int rct_attitude(const double orientation[4], const double rate[3], double quaternion[4],
                 double own_rate[3]);

#endif
