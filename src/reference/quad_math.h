/* Square root, sine and cosine in quadruple precision, by + - * / alone: Newton's iteration, and Taylor's
 * series after taking away quarter turns. */
#ifndef RCT_REFERENCE_QUAD_MATH_H
#define RCT_REFERENCE_QUAD_MATH_H

#include "reference/quad.h"

#include <math.h>

/* Newton's x = (x + a / x) / 2 from the root in double doubles the digits: 16, 32, all. For 0 <= a within the
 * range of double. */
static inline quad quad_root(quad a)
{
    if (!(a > 0)) {
        return 0;
    }
    quad x = sqrt((double)a);
    for (int k = 0; k < 3; k++) {
        x = (x + a / x) / 2;
    }
    return x;
}

/* sin x or cos x for |x| <= pi / 4: the terms x^k / k! of odd or even k with alternating signs. */
static inline quad quad_series(quad x, int first)
{
    quad term = first == 1 ? x : 1;
    quad sum = term;
    for (int k = first + 1; k < 40; k += 2) {
        term *= -x * x / (k * (k + 1));
        sum += term;
    }
    return sum;
}

/* Any angle up to 2^50 rad: n quarter turns are taken away by the leading 212 bits of pi / 2, as doubles, whose
 * products by n are exact. */
static inline void quad_sine_cosine(quad angle, quad *sine, quad *cosine)
{
    static const double quarter[4] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                      -0x1.f1976b7ed8fbcp-110, 0x1.4cf98e804177dp-162};
    const double turns = nearbyint((double)angle / quarter[0]);
    quad rest = angle;
    for (int k = 0; k < 4; k++) {
        rest -= (quad)turns * quarter[k];
    }
    const quad s = quad_series(rest, 1), c = quad_series(rest, 0);
    switch ((int)(turns - 4.0 * floor(turns / 4.0))) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = -s; break;
    case 2: *sine = -s, *cosine = -c; break;
    default: *sine = -c, *cosine = s; break;
    }
}

/* v / |v|, |v| > 0 */
static inline quad3 quad3_unit(quad3 v)
{
    return quad3_scale(1 / quad_root(quad3_dot(v, v)), v);
}

/* A unit vector across v, the same for the same v: square to the axis that v is least along. */
static inline quad3 quad3_across(quad3 v)
{
    quad3 axis = {{0, 0, 0}};
    int least = 0;
    for (int k = 1; k < 3; k++) {
        least = quad_abs(v.x[k]) < quad_abs(v.x[least]) ? k : least;
    }
    axis.x[least] = 1;
    return quad3_unit(quad3_cross(v, axis));
}

/* The turn by `angle` about the unit vector a: cos E + sin a~ + (1 - cos) a a^T. */
static inline quad33 quad33_turn(quad3 a, quad angle)
{
    quad s, c;
    quad_sine_cosine(angle, &s, &c);
    quad33 r = quad33_tilde(quad3_scale(s, a));
    for (int i = 0; i < 3; i++) {
        r.a[i][i] += c;
        for (int j = 0; j < 3; j++) {
            r.a[i][j] += (1 - c) * a.x[i] * a.x[j];
        }
    }
    return r;
}

/* The rotation matrix of w x y z over |q|^2, so that q need not have length 1. */
static inline quad33 quad33_rotation(const double q[4])
{
    const quad w = q[0], x = q[1], y = q[2], z = q[3];
    const quad s = w * w + x * x + y * y + z * z;
    return (quad33){{
        {(w * w + x * x - y * y - z * z) / s, 2 * (x * y - w * z) / s, 2 * (x * z + w * y) / s},
        {2 * (x * y + w * z) / s, (w * w - x * x + y * y - z * z) / s, 2 * (y * z - w * x) / s},
        {2 * (x * z - w * y) / s, 2 * (y * z + w * x) / s, (w * w - x * x - y * y + z * z) / s},
    }};
}

#endif
