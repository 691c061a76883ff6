/* One stage of the classical fourth-order Runge-Kutta method for one link (seed 000, section 5.1).
 *
 * State y = (quaternion q, rate w in link axes): q' = (1/2) q (0, w), w' = alpha in link axes (the
 * term w x w vanishes). With the start of the step y and the state x that a stage evaluates:
 *
 *     stage 0:  y = x,  x = y + dt/2 f(x)
 *     stage 1:          z = y + dt/2 f(x),  s = (x - y) + 2 (z - y),  x = z
 *     stage 2:          x = y + dt f(x)
 *     stage 3:          x = normalized (y + (s + (x - y)) / 3 + dt/6 f(x))
 *
 * The states of the stages hold their slopes: x - y is dt/2 f of stage 0, and so on. A sum of
 * slopes would be read and written in every stage. s is small, and y is rounded once a step.
 *
 * y is kept until the next step begins, so a step that fails can be taken back.
 *
 * Normalizing once a step keeps the order: the length drifts by O(dt^5) a step, and no rotation
 * depends on it.
 */
#ifndef RCT_KERNELS_LAWS_RK4_STEP_H
#define RCT_KERNELS_LAWS_RK4_STEP_H

#include "kernels/lane/spatial.h"
#include "kernels/records/links.h"
#include "kernels/records/states.h"

/* The factor of f(x) in a stage, s. */
LANE_FUNCTION double rk4_stage_weight(int stage, double dt)
{
    return stage < 2 ? dt / 2.0 : stage == 2 ? dt : dt / 6.0;
}

/* s of stage 1, from y, x and z. */
LANE_FUNCTION real rk4_sum(real y, real x, real z)
{
    return (x - y) + lane_set(2.0) * (z - y);
}

/* The new state, before it is normalized; `more`: dt/6 f(x). */
LANE_FUNCTION real rk4_end(real y, real sum, real x, real more)
{
    return y + (lane_set(1.0 / 3.0) * (sum + (x - y)) + more);
}

/* Threads that are lanes load y before all else, because they wait long for it. */
enum { LOADS_FIRST = LANE_MEMBERS > 1 };

/* The states of a row: coordinates, then rates from number `rates_at` on, numbers `stride` apart. */
typedef struct rk4_row {
    double *y, *sum, *x;
    int32_t stride, coordinates, count, rates_at;
} rk4_row;

LANE_INLINE int64_t rk4_place(const rk4_row *r, int32_t i)
{
    return (int64_t)r->stride * (i < r->coordinates ? i : r->rates_at + i - r->coordinates);
}

LANE_INLINE void rk4_load(const rk4_row *r, const double *from, real *to)
{
    LANE_UNROLL
    for (int32_t i = 0; i < r->count; i++) {
        to[i] = lane_load(from + rk4_place(r, i));
    }
}

/* With LOADS_FIRST, y; not in stage 0, which begins it. */
LANE_INLINE void rk4_start(const rk4_row *r, int stage, real *start)
{
    if (LOADS_FIRST && stage > 0) {
        rk4_load(r, r->y, start);
    } else {
        LANE_UNROLL
        for (int32_t i = 0; i < r->count; i++) {
            start[i] = lane_set(0.0);
        }
    }
}

LANE_INLINE real rk4_start_of(const rk4_row *r, const real *start, int32_t i)
{
    return LOADS_FIRST ? start[i] : lane_load(r->y + rk4_place(r, i));
}

/* Stages 0 to 2, from x = `now` and its rates f. */
LANE_INLINE void rk4_stage(const rk4_row *r, int stage, const real *now, const real *f,
                           const real *start, double weight)
{
    real next[MOST_STATE];
    LANE_UNROLL
    for (int32_t i = 0; i < r->count; i++) {
        next[i] = (stage == 0 ? now[i] : rk4_start_of(r, start, i)) + lane_set(weight) * f[i];
        lane_store(r->x + rk4_place(r, i), next[i]);
    }
    if (stage == 0) {
        LANE_UNROLL
        for (int32_t i = 0; i < r->count; i++) {
            lane_store(r->y + rk4_place(r, i), now[i]);
        }
    } else if (stage == 1) {
        LANE_UNROLL
        for (int32_t i = 0; i < r->count; i++) {
            lane_store(r->sum + rk4_place(r, i),
                       rk4_sum(rk4_start_of(r, start, i), now[i], next[i]));
        }
    }
}

/* Stage 3: the new state, normalized where it begins with a quaternion (`any`: in some lane). False
 * where it is not finite. */
LANE_INLINE mask rk4_last_stage(const rk4_row *r, const real *now, const real *f, const real *start,
                                double weight, mask quaternion, int any)
{
    real fresh[MOST_STATE], all = lane_set(0.0);
    LANE_UNROLL
    for (int32_t i = 0; i < r->count; i++) {
        const real sum = lane_load(r->sum + rk4_place(r, i));
        fresh[i] = rk4_end(rk4_start_of(r, start, i), sum, now[i], lane_set(weight) * f[i]);
        all = all + fresh[i];
    }
    if (any) {
        const real square =
            fresh[0] * fresh[0] + fresh[1] * fresh[1] + fresh[2] * fresh[2] + fresh[3] * fresh[3];
        const real scale = lane_set(1.0) / lane_sqrt(square);
        all = all + lane_select(quaternion, square, lane_set(0.0));
        for (int i = 0; i < 4; i++) {
            fresh[i] = lane_select(quaternion, fresh[i] * scale, fresh[i]);
        }
    }
    LANE_UNROLL
    for (int32_t i = 0; i < r->count; i++) {
        lane_store(r->x + rk4_place(r, i), fresh[i]);
    }
    return lane_finite(all);
}

#endif
