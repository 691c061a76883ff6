/* Vectors of the plane, turns and square roots in quadruple precision, with + - * / alone. */
#ifndef RCT_REFERENCE_PLANAR_ALGEBRA_H
#define RCT_REFERENCE_PLANAR_ALGEBRA_H

#include "reference/quad.h"

#include <math.h>

typedef struct quad2 {
    quad x[2];
} quad2;

static inline quad2 quad2_add(quad2 a, quad2 b)
{
    return (quad2){{a.x[0] + b.x[0], a.x[1] + b.x[1]}};
}

static inline quad2 quad2_scale(quad s, quad2 a)
{
    return (quad2){{s * a.x[0], s * a.x[1]}};
}

static inline quad2 quad2_less(quad2 a, quad2 b)
{
    return (quad2){{a.x[0] - b.x[0], a.x[1] - b.x[1]}};
}

static inline quad quad2_dot(quad2 a, quad2 b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1];
}

/* I~ a, eq. 3. */
static inline quad2 quad2_tilde(quad2 a)
{
    return (quad2){{-a.x[1], a.x[0]}};
}

/* A a, with A given by (cos, sin). As complex numbers: the product. */
static inline quad2 quad2_turned(quad2 A, quad2 a)
{
    return (quad2){{A.x[0] * a.x[0] - A.x[1] * a.x[1], A.x[1] * a.x[0] + A.x[0] * a.x[1]}};
}

/* (cos, sin) of an angle: the series of an angle halved until it is small, then squared as often. */
static inline quad2 quad2_of_angle(quad angle)
{
    int halved = 0;
    while (quad_abs(angle) > (quad)0.125 && halved < 1000) {
        angle /= 2;
        halved++;
    }
    quad2 A = {{1, 0}};
    quad term = 1;
    for (int k = 1; k <= 24; k++) {
        term *= angle / k;
        A.x[k % 2] += k % 4 < 2 ? term : -term;
    }
    for (; halved > 0; halved--) {
        A = quad2_turned(A, A);
    }
    return A;
}

/* Three steps of Newton from the root in double. */
static inline quad quad_root(quad square)
{
    quad root = sqrt((double)square);
    for (int k = 0; k < 3 && root > 0; k++) {
        root = (root + square / root) / 2;
    }
    return root;
}

#endif
