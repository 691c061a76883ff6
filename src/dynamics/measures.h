/* What is summed over links for energies and momenta, and sums that carry their rounding along. */
#ifndef RCT_DYNAMICS_MEASURES_H
#define RCT_DYNAMICS_MEASURES_H

#include <math.h>
#include <stdint.h>

/* The eight numbers that are summed. */
enum {
    MEASURE_KINETIC = 0,   /* J                              */
    MEASURE_POTENTIAL = 1, /* J, from the reference          */
    MEASURE_MOMENTUM = 2,  /* 3: kg m/s, inertial axes       */
    MEASURE_ANGULAR = 5,   /* 3: kg m^2/s, about the origin  */
    MEASURES = 8
};

/* Of so many links at once, by threads. */
static inline int64_t rct_measured_at_once(int64_t links)
{
    const int64_t most = 16384;
    return links < most ? links : most;
}

/* A sum with the rounding of every addition carried along (Neumaier). */
typedef struct exact_sum {
    double sum, rest;
} exact_sum;

static inline void exact_add(exact_sum *s, double x)
{
    const double t = s->sum + x;
    s->rest += fabs(s->sum) >= fabs(x) ? (s->sum - t) + x : (x - t) + s->sum;
    s->sum = t;
}

static inline double exact_total(const exact_sum *s)
{
    return s->sum + s->rest;
}

#endif
