/* What one link adds to energies and momenta, and sums that carry their rounding along. One double at a
 * time, on the host and in a thread of a device. */
#ifndef RCT_KERNELS_MEASURE_H
#define RCT_KERNELS_MEASURE_H

#include "kernels/serial.h"
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

LANE_FUNCTION void exact_add(exact_sum *s, double x)
{
    const double t = s->sum + x;
    s->rest += fabs(s->sum) >= fabs(x) ? (s->sum - t) + x : (x - t) + s->sum;
    s->sum = t;
}

/* The step from the hinge point of a link's parent to its own, position and velocity; from the origin for
 * a root. */
LANE_FUNCTION void measure_step(const rct_links *links, const double *state, int64_t i,
                                vec3 *position, vec3 *velocity)
{
    const int64_t p = links->parent[i];
    *position = vec3_load(links->sweep + i * LINK_FIELDS + LINK_AT, 1);
    *velocity = vec3_zero();
    if (p >= 0) {
        const double *up = state + p * STATE_FIELDS;
        const mat3 r = quat_rotation(quat_load(up + STATE_ORIENTATION, 1));
        const vec3 turning = vec3_cross(vec3_load(up + STATE_RATE, 1), *position);
        *velocity = mat3_apply(r, turning);
        *position = mat3_apply(r, *position);
    }
}

/* sum m r_C = sum over links of R (mass moment) + constants, so V = -sum g . R (mass moment). `own`: links->own_gravity;
 * a constant NULL where it is known that there is none. */
LANE_FUNCTION double measure_potential(const rct_links *links, const double *own,
                                       const double *state, int64_t i)
{
    const mat3 r = quat_rotation(quat_load(state + i * STATE_FIELDS + STATE_ORIENTATION, 1));
    const vec3 g = vec3_own(own, 3 * i, 1, links->gravity);
    const vec3 moment = vec3_load(links->inertia + i * LINK_INERTIA_FIELDS + LINK_MASS_MOMENT, 1);
    return -vec3_dot(g, mat3_apply(r, moment));
}

/* What link i adds; `point` [6] is its hinge point and velocity, `reference` its potential then. */
LANE_FUNCTION void measure_link(const rct_links *links, const double *own, const double *state,
                                const double *point, double reference, int64_t i,
                                double parts[MEASURES])
{
    const double *record = links->sweep + i * LINK_FIELDS;
    const mat3 r = quat_rotation(quat_load(state + i * STATE_FIELDS + STATE_ORIENTATION, 1));
    const vec3 w = vec3_load(state + i * STATE_FIELDS + STATE_RATE, 1);
    const vec3 c = vec3_load(record + LINK_COM, 1);
    const sym3 j = sym3_load(links->inertia + i * LINK_INERTIA_FIELDS + LINK_COM_INERTIA, 1);
    const vec3 spin = sym3_apply(j, w);
    const vec3 velocity = vec3_add(vec3_load(point + 3, 1), mat3_apply(r, vec3_cross(w, c)));
    const vec3 position = vec3_add(vec3_load(point, 1), mat3_apply(r, c));
    const vec3 p = vec3_scale(record[LINK_MASS], velocity);
    parts[MEASURE_KINETIC] = 0.5 * (vec3_dot(p, velocity) + vec3_dot(w, spin));
    parts[MEASURE_POTENTIAL] = measure_potential(links, own, state, i) - reference;
    vec3_store(parts + MEASURE_MOMENTUM, 1, p);
    vec3_store(parts + MEASURE_ANGULAR, 1, vec3_add(vec3_cross(position, p), mat3_apply(r, spin)));
}

#endif
