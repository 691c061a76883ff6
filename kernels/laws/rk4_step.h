/* One stage of the classical fourth-order Runge-Kutta method for one link (seed 000, section 5.1).
 *
 * State y = (quaternion q, rate w in link axes): q' = (1/2) q (0, w), w' = alpha in link axes (the
 * term w x w vanishes). With the base y, the sum s and the stage state x that is evaluated:
 *
 *     stage 0:  y = x,  s = y + dt/6 f(x)    x = y + dt/2 f(x)
 *     stage 1:          s += dt/3 f(x)       x = y + dt/2 f(x)
 *     stage 2:          s += dt/3 f(x)       x = y + dt f(x)
 *     stage 3:          x = normalized (s + dt/6 f(x))
 *
 * The base is kept until the next step begins, so a step that fails can be taken back.
 *
 * Normalizing once a step keeps the order: the length drifts by O(dt^5) a step, and no rotation
 * depends on it.
 */
#ifndef RCT_KERNELS_LAWS_RK4_STEP_H
#define RCT_KERNELS_LAWS_RK4_STEP_H

#include "kernels/lane/spatial.h"
#include "kernels/records/links.h"

/* The weights of one stage: the increment of the sum, and of the next stage state. */
typedef struct rk4_weights {
    double sum;  /* s, dt/6 or dt/3 */
    double next; /* s, dt/2, dt/2, dt; the last stage has none */
} rk4_weights;

LANE_FUNCTION rk4_weights rk4_stage_weights(int stage, double dt)
{
    return (rk4_weights){stage == 0 || stage == 3 ? dt / 6.0 : dt / 3.0, stage < 2 ? dt / 2.0 : dt};
}

/* f(x): the rates of the seven numbers of a state. */
LANE_FUNCTION void rk4_rates(const double *x, int stride, vec3 alpha, real f[STATE_FIELDS])
{
    const quat q = quat_load(x + STATE_ORIENTATION * stride, stride);
    const quat dq = quat_rate(q, vec3_load(x + STATE_RATE * stride, stride));
    f[0] = dq.w, f[1] = dq.x, f[2] = dq.y, f[3] = dq.z;
    f[4] = alpha.x, f[5] = alpha.y, f[6] = alpha.z;
}

/* Stage 0: keep the base, start the sum. */
LANE_FUNCTION void rk4_first_stage(double *y, double *sum, double *x, int stride, vec3 alpha,
                                   rk4_weights weights)
{
    real f[STATE_FIELDS], base[STATE_FIELDS];
    rk4_rates(x, stride, alpha, f);
    for (int i = 0; i < STATE_FIELDS;
         i++) { /* all loads before a store, which they would wait for */
        base[i] = lane_load(x + i * stride);
    }
    for (int i = 0; i < STATE_FIELDS; i++) {
        const int at = i * stride;
        lane_store(y + at, base[i]);
        lane_store(sum + at, base[i] + lane_set(weights.sum) * f[i]);
        lane_store(x + at, base[i] + lane_set(weights.next) * f[i]);
    }
}

/* Stages 1 and 2. */
LANE_FUNCTION void rk4_inner_stage(const double *y, double *sum, double *x, int stride, vec3 alpha,
                                   rk4_weights weights)
{
    real f[STATE_FIELDS], total[STATE_FIELDS], next[STATE_FIELDS];
    rk4_rates(x, stride, alpha, f);
    for (int i = 0; i < STATE_FIELDS; i++) {
        total[i] = lane_load(sum + i * stride) + lane_set(weights.sum) * f[i];
        next[i] = lane_load(y + i * stride) + lane_set(weights.next) * f[i];
    }
    for (int i = 0; i < STATE_FIELDS; i++) {
        lane_store(sum + i * stride, total[i]);
        lane_store(x + i * stride, next[i]);
    }
}

/* Stage 3: the new state, its quaternion normalized. False where it is not finite. */
LANE_FUNCTION mask rk4_last_stage(const double *sum, double *x, int stride, vec3 alpha,
                                  rk4_weights weights)
{
    real f[STATE_FIELDS];
    real fresh[STATE_FIELDS];
    rk4_rates(x, stride, alpha, f);
    for (int i = 0; i < STATE_FIELDS; i++) {
        fresh[i] = lane_load(sum + i * stride) + lane_set(weights.sum) * f[i];
    }
    const real square =
        fresh[0] * fresh[0] + fresh[1] * fresh[1] + fresh[2] * fresh[2] + fresh[3] * fresh[3];
    const real scale = lane_set(1.0) / lane_sqrt(square);
    for (int i = 0; i < STATE_FIELDS; i++) {
        lane_store(x + i * stride, i < STATE_RATE ? fresh[i] * scale : fresh[i]);
    }
    return lane_finite(square + fresh[4] + fresh[5] + fresh[6]);
}

#endif
