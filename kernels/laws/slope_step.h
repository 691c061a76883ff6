/* Slopes of links of one hinge type in lanes: the derivatives of their states, the weighed sums
 * that integrators with error control need, and the size of an error
 * (kernels/records/coordinates.h). The derivative of a quaternion q at the rate w, link axes, is
 * (1/2) q (0, w); that of a coordinate along an axis is its rate.
 */
#ifndef RCT_KERNELS_LAWS_SLOPE_STEP_H
#define RCT_KERNELS_LAWS_SLOPE_STEP_H

#include "kernels/laws/coordinate_step.h"

/* Field of number i of a state or a slope. */
LANE_INLINE int64_t number_at(const row_part *p, int kind, int i)
{
    const int nq = hinge_coordinates(kind);
    return i < nq ? i : p->rates + i - nq;
}

LANE_INLINE real number_load(const row_part *p, int kind, double *numbers, int i)
{
    return lane_load(part_field(p, numbers, number_at(p, kind, i)));
}

/* Store the slope of the state in its slot; in an implicit stage that at v + delta a. */
LANE_INLINE void slope_leave(const row_part *p, int kind, const rct_sheaves *s,
                             const rct_weighing *by, const double *results)
{
    const int nq = hinge_coordinates(kind), nu = hinge_freedoms(kind);
    const int turned = hinge_has_axes(kind) ? 0 : 3, implicit = by->delta != 0.0;
    double *rates = implicit ? s->slots + RCT_SLOT_OTHER * s->slot : s->state;
    double *slope = s->slots + by->slot[by->count - 1] * s->slot;
    real u[MOST_FREEDOMS], f[MOST_STATE];
    part_derivatives(p, kind, results, f + nq);
    LANE_UNROLL
    for (int i = 0; i < nu; i++) {
        u[i] = number_load(p, kind, rates, nq + i);
        u[i] = implicit ? u[i] + lane_set(by->delta) * f[nq + i] : u[i];
    }
    LANE_UNROLL
    for (int i = turned; i < nu; i++) {
        f[i + nq - nu] = u[i];
    }
    if (turned) {
        const quat q = quat_load(part_field(p, s->state, 0), (int)p->lanes);
        const quat dq = quat_rate(q, (vec3){u[0], u[1], u[2]});
        f[0] = dq.w, f[1] = dq.x, f[2] = dq.y, f[3] = dq.z;
    }
    LANE_UNROLL
    for (int i = 0; i < nq + nu; i++) {
        part_store(p, slope, number_at(p, kind, i), f[i]);
    }
}

/* A sum of slopes. The last slope is read back from its slot, so that the bits of a sum do not
 * depend on when it was stored. */
LANE_INLINE void slopes_sum(const row_part *p, int kind, const rct_sheaves *s,
                            const rct_weighing *by, const double *weights, real sum[MOST_STATE])
{
    const int count = hinge_coordinates(kind) + hinge_freedoms(kind);
    LANE_UNROLL
    for (int i = 0; i < count; i++) {
        sum[i] = lane_set(0.0);
    }
    for (int k = 0; k < by->count; k++) {
        const real weight = lane_set(weights[k]);
        double *slope = s->slots + by->slot[k] * s->slot;
        if (weights[k] == 0.0) {
            continue;
        }
        LANE_UNROLL
        for (int i = 0; i < count; i++) {
            sum[i] = sum[i] + weight * number_load(p, kind, slope, i);
        }
    }
}

/* The state where the step starts plus a sum of slopes. */
LANE_INLINE void slopes_reach(const row_part *p, int kind, const rct_sheaves *s,
                              const rct_weighing *by, const double *weights, real x[MOST_STATE])
{
    double *start = s->slots + RCT_SLOT_START * s->slot;
    slopes_sum(p, kind, s, by, weights, x);
    LANE_UNROLL
    for (int i = 0; i < hinge_coordinates(kind) + hinge_freedoms(kind); i++) {
        x[i] = number_load(p, kind, start, i) + x[i];
    }
}

/* Store p and v in their slot. */
LANE_INLINE void stage_aim(const row_part *p, int kind, const rct_sheaves *s,
                           const rct_weighing *by)
{
    double *other = s->slots + RCT_SLOT_OTHER * s->slot;
    real y[MOST_STATE];
    slopes_reach(p, kind, s, by, by->other, y);
    LANE_UNROLL
    for (int i = 0; i < hinge_coordinates(kind) + hinge_freedoms(kind); i++) {
        part_store(p, other, number_at(p, kind, i), y[i]);
    }
}

/* Efforts of the user, and in implicit stages K (q - p - delta v) + C (u - v) at hinges with axes,
 * x being q and u. */
LANE_INLINE void stage_efforts(const row_part *p, int kind, const rct_sheaves *s,
                               const rct_weighing *by, const real x[MOST_STATE], double *load)
{
    const int nq = hinge_coordinates(kind);
    const int resists = by->stage == RCT_STAGE_IMPLICIT && hinge_has_axes(kind);
    double *other = s->slots + RCT_SLOT_OTHER * s->slot;
    double *given = s->slots + RCT_SLOT_GIVEN * s->slot;
    double *resistances = s->slots + RCT_SLOT_RESISTANCES * s->slot;
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        real effort = number_load(p, kind, given, nq + i);
        if (resists) {
            const real v = number_load(p, kind, other, nq + i);
            const real stretch = x[i] - number_load(p, kind, other, i) - lane_set(by->delta) * v;
            effort = effort + (lane_load(part_field(p, resistances, i)) * stretch +
                               number_load(p, kind, resistances, nq + i) * (x[nq + i] - v));
        }
        part_leave(p, load + (LOAD_EFFORT + i) * p->lanes, effort);
    }
}

/* `load`: the loads of the part, where the stage writes efforts. */
LANE_INLINE void weigh_type(const row_part *p, int kind, const rct_sheaves *s,
                            const rct_weighing *by, const double *results, double *load)
{
    real x[MOST_STATE];
    if (by->fresh) {
        slope_leave(p, kind, s, by, results);
    }
    if (by->stage == RCT_STAGE_IMPLICIT) {
        stage_aim(p, kind, s, by);
    }
    slopes_reach(p, kind, s, by, by->weight, x);
    if (by->stage != RCT_STAGE_EXPLICIT) {
        stage_efforts(p, kind, s, by, x, load);
    }
    if (!hinge_has_axes(kind)) {
        keep_unit(x);
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_coordinates(kind) + hinge_freedoms(kind); i++) {
        part_store(p, s->state, number_at(p, kind, i), x[i]);
    }
}

/* ---- errors ------------------------------------------------------------------------------- */

typedef struct error_size {
    real most, lost; /* 0; `lost` is NaN once any was not finite */
} error_size;

LANE_INLINE real error_size_of(error_size size)
{
    return lane_select(lane_finite(size.lost), size.most, lane_set((double)INFINITY));
}

/* Count `x`, not negative, in the lanes of the part. */
LANE_INLINE void error_size_add(error_size *size, const row_part *p, real x)
{
    const real own = lane_select(lane_bits(p->where), x, lane_set(0.0));
    size->most = lane_select(lane_greater(own, size->most), own, size->most);
    size->lost = size->lost + (own - own);
}

LANE_INLINE real larger_of(real a, real b)
{
    return lane_select(lane_greater(a, b), a, b);
}

/* The largest of the sums of `by`: for quaternions twice their length, the angle of the turn; for
 * rates of a ball the length of all three. */
LANE_INLINE void size_type(const row_part *p, int kind, const rct_sheaves *s,
                           const rct_weighing *by, const double *results, double length,
                           error_size *most)
{
    const int nq = hinge_coordinates(kind), nu = hinge_freedoms(kind);
    const int turned = hinge_has_axes(kind) ? 0 : 3;
    double *start = s->slots + RCT_SLOT_START * s->slot;
    real e[MOST_STATE], u[MOST_FREEDOMS], v[MOST_FREEDOMS];
    if (by->fresh) {
        slope_leave(p, kind, s, by, results);
    }
    slopes_sum(p, kind, s, by, by->weight, e);
    LANE_UNROLL
    for (int i = 0; i < nu; i++) {
        u[i] = number_load(p, kind, start, nq + i);
        v[i] = number_load(p, kind, s->state, nq + i);
    }
    if (turned) {
        const vec3 rate = {e[nq], e[nq + 1], e[nq + 2]};
        const vec3 own = {u[0], u[1], u[2]}, now = {v[0], v[1], v[2]};
        const real square = larger_of(vec3_dot(own, own), vec3_dot(now, now));
        const real unit = larger_of(square, lane_set(1.0));
        error_size_add(most, p,
                       lane_set(2.0) *
                           lane_sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]));
        error_size_add(most, p, lane_sqrt(vec3_dot(rate, rate) / unit));
    }
    LANE_UNROLL
    for (int i = turned; i < nu; i++) {
        const real unit = lane_set(rate_turns(kind, i) ? 1.0 : length);
        const real rates = larger_of(unit, larger_of(lane_abs(u[i]), lane_abs(v[i])));
        error_size_add(most, p, lane_abs(e[nq + i]) / rates);
        error_size_add(most, p, lane_abs(e[i + nq - nu]) / unit);
    }
}

/* ---- parts -------------------------------------------------------------------------------- */

LANE_INLINE void weigh_part(const row_part *p, const rct_sheaves *s, const rct_weighing *by,
                            const double *results, double *load){
#define WEIGH(TYPE) weigh_type(p, TYPE, s, by, results, load)
    HINGE_CASES(p->kind, WEIGH)
#undef WEIGH
}

LANE_INLINE void size_part(const row_part *p, const rct_sheaves *s, const rct_weighing *by,
                           const double *results, double length, error_size *most)
{
#define SIZE(TYPE) size_type(p, TYPE, s, by, results, length, most)
    HINGE_CASES(p->kind, SIZE)
#undef SIZE
}

#endif
