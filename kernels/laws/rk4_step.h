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

/* The weights of one stage: for the sum, and for the next stage state. */
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

/* Threads that are lanes load all numbers of a stage before they store any. The compiler does not
 * know that the arrays do not overlap, and each load would wait for the store before it. */
enum { LOADS_FIRST = LANE_MEMBERS > 1 };

/* Store one number of the sum and of the state of the next stage. */
LANE_FUNCTION void rk4_leave(double *sum, double *x, real total, real next)
{
    lane_store(sum, total);
    lane_store(x, next);
}

/* Stage 0: keep the base, start the sum. */
LANE_FUNCTION void rk4_first_stage(double *y, double *sum, double *x, int stride, vec3 alpha,
                                   rk4_weights weights)
{
    real f[STATE_FIELDS], base[STATE_FIELDS];
    rk4_rates(x, stride, alpha, f);
    for (int i = 0; i < STATE_FIELDS && LOADS_FIRST; i++) {
        base[i] = lane_load(x + i * stride);
    }
    for (int i = 0; i < STATE_FIELDS; i++) {
        const int at = i * stride;
        const real own = LOADS_FIRST ? base[i] : lane_load(x + at);
        lane_store(y + at, own);
        rk4_leave(sum + at, x + at, own + lane_set(weights.sum) * f[i],
                  own + lane_set(weights.next) * f[i]);
    }
}

/* Stages 1 and 2. */
LANE_FUNCTION void rk4_inner_stage(const double *y, double *sum, double *x, int stride, vec3 alpha,
                                   rk4_weights weights)
{
    real f[STATE_FIELDS], total[STATE_FIELDS], next[STATE_FIELDS];
    rk4_rates(x, stride, alpha, f);
    for (int i = 0; i < STATE_FIELDS; i++) {
        const int at = i * stride;
        total[i] = lane_load(sum + at) + lane_set(weights.sum) * f[i];
        next[i] = lane_load(y + at) + lane_set(weights.next) * f[i];
        if (!LOADS_FIRST) {
            rk4_leave(sum + at, x + at, total[i], next[i]);
        }
    }
    for (int i = 0; i < STATE_FIELDS && LOADS_FIRST; i++) {
        rk4_leave(sum + i * stride, x + i * stride, total[i], next[i]);
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
