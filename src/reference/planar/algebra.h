/* Vectors of the plane and turns in quadruple precision. */
#ifndef RCT_REFERENCE_PLANAR_ALGEBRA_H
#define RCT_REFERENCE_PLANAR_ALGEBRA_H

#include "reference/quad_math.h"

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

/* (cos, sin) of an angle. */
static inline quad2 quad2_of_angle(quad angle)
{
    quad2 A;
    quad_sine_cosine(angle, &A.x[1], &A.x[0]);
    return A;
}

#endif
