/* What is summed over links for energies and momenta, and sums that carry their rounding along. */
#ifndef RCT_DYNAMICS_MEASURES_H
#define RCT_DYNAMICS_MEASURES_H

#include "kernels/links.h"
#include "kernels/spatial.h"

/* The eight numbers that are summed. */
enum {
    MEASURE_KINETIC = 0,   /* J                              */
    MEASURE_POTENTIAL = 1, /* J, from the reference          */
    MEASURE_MOMENTUM = 2,  /* 3: kg m/s, inertial axes       */
    MEASURE_ANGULAR = 5,   /* 3: kg m^2/s, about the origin  */
    MEASURES = 8
};

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

/* sum m r_C = sum over links of R (mass moment) + constants, so V = -sum g . R (mass moment): J, that of link i of a plain
 * tree. */
static inline double measure_potential(const rct_links *links, const double *state, int64_t i)
{
    const mat3 r = quat_rotation(quat_load(state + i * STATE_FIELDS + STATE_ORIENTATION, 1));
    const vec3 g = vec3_own(links->own_gravity, 3 * i, 1, links->gravity);
    const vec3 moment = vec3_load(links->inertia + i * LINK_INERTIA_FIELDS + LINK_MASS_MOMENT, 1);
    return -vec3_dot(g, mat3_apply(r, moment));
}

#endif
