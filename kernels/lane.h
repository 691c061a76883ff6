/* The lane: what one number of a step function is. This file alone knows the machine.
 *
 * A step function (*_step.h) is written once on `real` and `mask`, with + - * / and the functions
 * below, no branches on data and no lane crossing. Here a lane is one double; wider lanes and other
 * machines define the same names.
 */
#ifndef RCT_KERNELS_LANE_H
#define RCT_KERNELS_LANE_H

#include <math.h>

typedef double real; /* one number a lane */
typedef int mask;    /* one truth value a lane */

static inline real lane_set(double x)
{
    return x;
}

static inline real lane_load(const double *from)
{
    return *from;
}

static inline void lane_store(double *to, real x)
{
    *to = x;
}

static inline real lane_sqrt(real x)
{
    return sqrt(x);
}

/* where the mask holds a, else b */
static inline real lane_select(mask where, real a, real b)
{
    return where ? a : b;
}

static inline mask lane_greater(real a, real b)
{
    return a > b; /* false where either is NaN */
}

/* neither infinite nor NaN: only then does x - x vanish */
static inline mask lane_finite(real x)
{
    return x - x == 0.0;
}

static inline mask lane_and(mask a, mask b)
{
    return a & b;
}

/* 1 if the mask holds in every lane */
static inline int lane_all(mask where)
{
    return where;
}

#endif
