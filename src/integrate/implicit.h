/* Parts of implicit stages. */
#ifndef RCT_INTEGRATE_IMPLICIT_H
#define RCT_INTEGRATE_IMPLICIT_H

#include "core/rotation.h"
#include "integrate/stages.h"

/* The turn of a body from the quaternion q of its state to p, which need not have length 1: slopes
 * are (1/2) w q, so p + d slope is d w further. */
static inline void rct_implicit_turn(const double q[4], const double p[4], double turn[3])
{
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    const double size = rct_dot(q + 1, q + 1) + q[0] * q[0];
    double both[4];
    rct_quaternion_product(p, back, both);
    for (int i = 0; i < 3; i++) {
        turn[i] = 2.0 * both[1 + i] / size;
    }
}

/* Read the state of the stage to the row `next`, p and v to the row `other`. */
void rct_implicit_read(const rct_steps *steps);

/* Add to the efforts of a stage at `time` the moments of springs and dampers at ball hinges beyond
 * those of the state, where links are wide. */
void rct_implicit_balls(const rct_steps *steps, double time, double delta);

#endif
