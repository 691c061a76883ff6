/* The forces at hinges with coordinates q and rates u (riccatree/force.h), from their numbers
 * (kernels/records/hinge_forces.h). */
#ifndef RCT_KERNELS_LAWS_HINGE_FORCE_H
#define RCT_KERNELS_LAWS_HINGE_FORCE_H

#include "kernels/lane/exponential.h"
#include "kernels/lane/spatial.h"
#include "kernels/records/hinge_forces.h"

/* Friction against a rate u. */
LANE_INLINE real hinge_friction(int kind, const real *n, real u)
{
    real size = n[FRICTION_COULOMB];
    if (kind == HINGE_STRIBECK) {
        const real way = u / n[FRICTION_STRIBECK];
        size = size + n[FRICTION_MORE] * lane_exp(-(way * way));
    }
    return size * lane_tanh(u / n[FRICTION_SLIP]);
}

/* At a ball hinge: friction against the rate, of the size that friction has at the length of the
 * rate. */
LANE_INLINE vec3 hinge_ball_friction(int kind, const real *n, vec3 rate)
{
    const real speed = lane_sqrt(vec3_dot(rate, rate)), tiny = lane_set(0x1p-1000);
    const real size = hinge_friction(kind, n, speed);
    return vec3_scale(-(size / lane_select(lane_greater(speed, tiny), speed, tiny)), rate);
}

LANE_INLINE real hinge_limit(const real *n, real q, real u)
{
    const real zero = lane_set(0.0), above = q - n[LIMIT_UPPER], below = q - n[LIMIT_LOWER];
    const real beyond = lane_select(lane_greater(above, zero), above,
                                    lane_select(lane_greater(zero, below), below, zero));
    const real effort = -(n[LIMIT_STIFFNESS] * beyond + n[LIMIT_DAMPING] * u);
    return lane_select(lane_greater(zero, effort * beyond), effort, zero);
}

/* The target of a servo and its rate; where a table has the target, both are known already. */
LANE_INLINE void hinge_target(int kind, const real *n, double time, real *goal, real *rate)
{
    const real t = lane_set(time);
    *goal = n[SERVO_TARGET] + n[SERVO_RATE] * t;
    *rate = n[SERVO_RATE];
    if (kind == HINGE_SERVO_SINE) {
        const sine_cosine on = lane_sine_cosine(n[SERVO_FREQUENCY] * t + n[SERVO_PHASE]);
        *goal = *goal + n[SERVO_AMPLITUDE] * on.s;
        *rate = *rate + n[SERVO_AMPLITUDE] * n[SERVO_FREQUENCY] * on.c;
    }
}

LANE_INLINE real hinge_servo(const real *n, real goal, real rate, real q, real u)
{
    const real most = n[SERVO_MOST];
    const real effort = n[SERVO_STIFFNESS] * (goal - q) + n[SERVO_DAMPING] * (rate - u);
    const real cut = lane_select(lane_greater(effort, most), most, effort);
    return lane_select(lane_greater(-most, cut), -most, cut);
}

#endif
