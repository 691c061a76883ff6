/* Forces at the hinges of rows, for the LANE_WIDTH of the including translation unit. Threads that
 * are lanes compute them before the sweeps (kernels/cuda/frames.cu); there, friction at ball hinges
 * is a load. */
#ifndef RCT_KERNELS_SWEEPS_HINGE_FORCES_H
#define RCT_KERNELS_SWEEPS_HINGE_FORCES_H

#include "kernels/laws/hinge_force.h"
#include "kernels/laws/spline.h"
#include "kernels/sweeps/rows.h"

/* Whether friction may act at the ball hinges of row g, by `what`. */
LANE_INLINE int row_rubs(const rct_sheaves *s, int64_t g, int what)
{
    return LANE_MEMBERS == 1 && row_has(s, g, HAS_HINGE_FORCE & what);
}

/* The numbers of entry k, from `lane` on, of rows of `lanes` lanes. */
LANE_INLINE void hinge_numbers(const rct_hinge_forces *f, int64_t k, int32_t lanes, int64_t lane,
                               real n[HINGE_FORCE_FIELDS])
{
    const int32_t record = f->number.row[k];
    const int shared = LANE_WIDTH == 1 && record >= 0;
    const int64_t at = (int64_t)(record >= 0 ? record : ~record) * HINGE_FORCE_FIELDS;
    const double *from = shared       ? f->number.shared + at
                         : record < 0 ? f->number.wide + at * lanes + lane
                                      : f->number.spread + at * lanes + lane;
    const int64_t apart = shared ? 1 : lanes;
    LANE_UNROLL
    for (int i = 0; i < HINGE_FORCE_FIELDS; i++) {
        n[i] = lane_load(from + i * apart);
    }
}

/* The values of the tables of entry k at x, and their slopes; 0 where lanes have none. */
LANE_FUNCTION real hinge_tables(const rct_hinge_forces *f, int64_t k, real x, real *slope)
{
    const rct_hinge_table *table[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++) {
        table[l] = &f->table[1 + f->force[k * ROW + l]];
    }
    return spline_at(table, x, slope);
}

/* The effort of entry k. */
LANE_FUNCTION real hinge_exert(const rct_hinge_forces *f, int64_t k, real q, real u)
{
    const int kind = f->entry[k].kind;
    real n[HINGE_FORCE_FIELDS], goal, rate;
    hinge_numbers(f, k, ROW, 0, n);
    switch (kind) {
    case HINGE_COULOMB: return -hinge_friction(HINGE_COULOMB, n, u);
    case HINGE_STRIBECK: return -hinge_friction(HINGE_STRIBECK, n, u);
    case HINGE_LIMIT: return hinge_limit(n, q, u);
    case HINGE_SERVO: hinge_target(HINGE_SERVO, n, f->time, &goal, &rate); break;
    case HINGE_SERVO_SINE: hinge_target(HINGE_SERVO_SINE, n, f->time, &goal, &rate); break;
    case HINGE_SERVO_TABLE: goal = hinge_tables(f, k, lane_set(f->time), &rate); break;
    case HINGE_CURVE_COORDINATE: return hinge_tables(f, k, q, &rate);
    case HINGE_CURVE_RATE: return hinge_tables(f, k, u, &rate);
    default: return hinge_tables(f, k, lane_set(f->time), &rate);
    }
    return hinge_servo(n, goal, rate, q, u);
}

/* The efforts of forces at the hinges of row g, all of one type with axes, for these coordinates
 * and rates. */
LANE_APART vec3 row_exert(const rct_sheaves *s, int64_t g, int freedoms, vec3 coordinates,
                          vec3 rates)
{
    const rct_hinge_forces *f = &s->hinge_forces;
    const real q[3] = {coordinates.x, coordinates.y, coordinates.z};
    const real u[3] = {rates.x, rates.y, rates.z};
    real effort[3] = {lane_set(0.0), lane_set(0.0), lane_set(0.0)};
    for (int64_t k = f->begin[g]; k < f->begin[g + 1]; k++) {
        const int32_t i = f->entry[k].coordinate;
        if (i >= 0 && i < freedoms) { /* else it is for other lanes */
            effort[i] = effort[i] + hinge_exert(f, k, q[i], u[i]);
        }
    }
    return (vec3){effort[0], effort[1], effort[2]};
}

/* The moments of friction at the ball hinges of row g, from `lane` on of `lanes`, on links that
 * turn by `rate` against what they hang on; in the axes of the rates. */
LANE_APART vec3 row_ball_friction(const rct_sheaves *s, int64_t g, int32_t lanes, int64_t lane,
                                  vec3 rate)
{
    const rct_hinge_forces *f = &s->hinge_forces;
    vec3 sum = vec3_zero();
    for (int64_t k = f->begin[g]; k < f->begin[g + 1]; k++) {
        if (f->entry[k].coordinate == HINGE_WHOLE) {
            real n[HINGE_FORCE_FIELDS];
            hinge_numbers(f, k, lanes, lane, n);
            sum = vec3_add(sum, hinge_ball_friction(f->entry[k].kind, n, rate));
        }
    }
    return sum;
}

/* The efforts of forces at the hinges of row g, all of one type, not free ones, for coordinates q
 * and rates u, `rate` being that of the parents: along their freedoms; of balls in link axes. */
LANE_INLINE vec3 hinge_exertion(const rct_sheaves *s, int64_t g, int kind, const link_motion *m,
                                const real *q, const real *u, vec3 rate)
{
    const real zero = lane_set(0.0);
    const int n = hinge_freedoms(kind);
    if (LANE_MEMBERS > 1) {
        return vec3_load(s->exerted + g * 3 * ROW, ROW);
    }
    if (kind == RCT_HINGE_BALL) {
        const vec3 slip = vec3_sub(m->rate, mat3_apply_transposed(m->turn, rate));
        return row_ball_friction(s, g, ROW, 0, slip);
    }
    return row_exert(s, g, n, (vec3){q[0], n > 1 ? q[1] : zero, n > 2 ? q[2] : zero},
                     (vec3){u[0], n > 1 ? u[1] : zero, n > 2 ? u[2] : zero});
}

#endif
