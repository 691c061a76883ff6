/* Exponential and hyperbolic tangent on lanes: exp(x) = 2^k (1 + p), p a polynomial of x - k log 2.
 * The exponential is within 1.5 ulp, the tangent within 2.5. */
#ifndef RCT_KERNELS_LANE_EXPONENTIAL_H
#define RCT_KERNELS_LANE_EXPONENTIAL_H

#include "kernels/lane/angle.h"

/* exp(x) = power (1 + rest), rest between 1 / sqrt(2) - 1 and sqrt(2) - 1. */
typedef struct exponential {
    real power, rest;
} exponential;

/* For sizes up to 708. Taylor series on [-log(2) / 2, log(2) / 2]: the first term left out is below
 * 2^-57. */
LANE_INLINE exponential exponential_of(real x)
{
    /* log 2 in two parts, the first of 37 bits: its products with k are exact */
    const real k = lane_round(x * lane_set(0x1.71547652b82fep+0));
    const real r = (x - k * lane_set(0x1.62e42fefap-1)) - k * lane_set(0x1.cf79abc9e3b3ap-40);
    real p = lane_set(1.0 / 87178291200.0);
    p = lane_set(1.0 / 6227020800.0) + r * p;
    p = lane_set(1.0 / 479001600.0) + r * p;
    p = lane_set(1.0 / 39916800.0) + r * p;
    p = lane_set(1.0 / 3628800.0) + r * p;
    p = lane_set(1.0 / 362880.0) + r * p;
    p = lane_set(1.0 / 40320.0) + r * p;
    p = lane_set(1.0 / 5040.0) + r * p;
    p = lane_set(1.0 / 720.0) + r * p;
    p = lane_set(1.0 / 120.0) + r * p;
    p = lane_set(1.0 / 24.0) + r * p;
    p = lane_set(1.0 / 6.0) + r * p;
    p = lane_set(0.5) + r * p;
    return (exponential){lane_power_of_2(k), r + r * (r * p)};
}

/* Limits sizes to `most`; NaN stays. */
LANE_INLINE real lane_at_most(real x, double most)
{
    const real end = lane_set(most);
    return lane_select(lane_greater(x, end), end, lane_select(lane_greater(-end, x), -end, x));
}

/* Beyond 708 it is the value at 708. */
LANE_INLINE real lane_exp(real x)
{
    const exponential e = exponential_of(lane_at_most(x, 708.0));
    return e.power + e.power * e.rest;
}

/* From |x| = 20 on it is 1. */
LANE_INLINE real lane_tanh(real x)
{
    const exponential e = exponential_of(lane_at_most(x + x, 40.0));
    const real less = e.power * e.rest + (e.power - lane_set(1.0)); /* exp(2 x) - 1 */
    return less / (less + lane_set(2.0));
}

#endif
