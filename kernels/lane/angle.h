/* Sine and cosine on lanes: the argument less the nearest multiple of pi / 2, then two polynomials.
 * Within 1.5 ulp up to a thousand radians and 2.5 ulp up to a million, or within 2^-100 where one
 * of the two nearly vanishes. Larger angles do not have so many digits themselves, and from 2^50 on
 * hardly one: there both are NaN. */
#ifndef RCT_KERNELS_LANE_ANGLE_H
#define RCT_KERNELS_LANE_ANGLE_H

#include "kernels/lane/lane.h"

typedef struct sine_cosine {
    real s, c;
} sine_cosine;

/* Whether an angle has a sine: its size is below 2^50. */
LANE_FUNCTION mask lane_is_angle(real x)
{
    return lane_greater(lane_set(0x1p50), lane_abs(x));
}

/* The nearest whole number, for sizes below 2^51: adding 1.5 2^52 leaves no bit for fractions. */
LANE_FUNCTION real lane_round(real x)
{
    const real shift = lane_set(0x1.8p52);
    const real y = x + shift;
    return y - shift;
}

/* Taylor series on [-pi/4, pi/4]: the first term left out is below 2^-60. */
LANE_FUNCTION real sine_of_small(real x, real xx)
{
    real p = lane_set(-1.0 / 1307674368000.0);
    p = lane_set(1.0 / 6227020800.0) + xx * p;
    p = lane_set(-1.0 / 39916800.0) + xx * p;
    p = lane_set(1.0 / 362880.0) + xx * p;
    p = lane_set(-1.0 / 5040.0) + xx * p;
    p = lane_set(1.0 / 120.0) + xx * p;
    p = lane_set(-1.0 / 6.0) + xx * p;
    return x + x * (xx * p);
}

LANE_FUNCTION real cosine_of_small(real xx)
{
    real p = lane_set(1.0 / 20922789888000.0);
    p = lane_set(-1.0 / 87178291200.0) + xx * p;
    p = lane_set(1.0 / 479001600.0) + xx * p;
    p = lane_set(-1.0 / 3628800.0) + xx * p;
    p = lane_set(1.0 / 40320.0) + xx * p;
    p = lane_set(-1.0 / 720.0) + xx * p;
    p = lane_set(1.0 / 24.0) + xx * p;
    const real half = lane_set(0.5) * xx;
    const real w = lane_set(1.0) - half;
    return w + (((lane_set(1.0) - w) - half) + xx * (xx * p));
}

/* -x where bit 1 of k is set */
LANE_INLINE real turned_by_half(lane_word k, real x)
{
#ifdef LANE_COMPLEX
    return (k & 2) != 0 ? -x : x;
#else
    lane_word bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= (k & 2) << 62;
    memcpy(&x, &bits, sizeof x);
    return x;
#endif
}

LANE_INLINE sine_cosine lane_sine_cosine(real x) /* 48 */
{
    /* pi / 2 in three parts of 33 bits: their products with n < 2^20 are exact */
    const real turns = lane_round(x * lane_set(0x1.45f306dc9c883p-1));
    const real n = lane_select(lane_is_angle(x), turns, lane_set((double)NAN));
    const real y = ((x - n * lane_set(0x1.921fb544p+0)) - n * lane_set(0x1.0b4611a6p-34)) -
                   n * lane_set(0x1.3198a2e037073p-69);
    const real yy = y * y;
    const real s = sine_of_small(y, yy), c = cosine_of_small(yy);
    const lane_word k = lane_last_bits(turns);
    const mask odd = (k & 1) != 0;
    return (sine_cosine){turned_by_half(k, lane_select(odd, c, s)),
                         turned_by_half(k + 1, lane_select(odd, s, c))};
}

#endif
