/* The links of a tree outward: their accelerations, and the states advanced, for the LANE_WIDTH of
 * the including translation unit. */
#ifndef RCT_KERNELS_SWEEPS_WIDE_OUTWARD_H
#define RCT_KERNELS_SWEEPS_WIDE_OUTWARD_H

#include "kernels/sweeps/frames.h"

/* Advances the state of row g, rates from number `rates_at` on, by its derivatives. `weight` as in
 * kernels/laws/rk4_step.h. */
LANE_INLINE mask row_advance(const rct_sheaves *s, int64_t g, int32_t coordinates, int32_t freedoms,
                             int32_t rates_at, mask absolute, int any_absolute, const real *dq,
                             const real *du, int stage, double weight)
{
    const int64_t at = s->state_at[g] * ROW;
    const rk4_row row = {s->base + at,           s->sum + at, s->state + at, ROW, coordinates,
                         coordinates + freedoms, rates_at};
    real now[MOST_STATE], start[MOST_STATE], f[MOST_STATE];
    rk4_load(&row, row.x, now);
    rk4_start(&row, stage, start);
    LANE_UNROLL
    for (int32_t i = 0; i < row.count; i++) {
        f[i] = i < coordinates ? dq[i] : du[i - coordinates];
    }
    if (stage < 3) {
        rk4_stage(&row, stage, now, f, start, weight);
        return lane_greater(lane_set(1.0), lane_set(0.0));
    }
    return rk4_last_stage(&row, now, f, start, weight, absolute, any_absolute);
}

/* The derivatives of the states of links of acceleration `a` whose hinges are of one type. */
LANE_INLINE void wide_derive(const rct_sheaves *s, int64_t g, int kind, const link_lanes *link,
                             const link_motion *m, spatial a, spatial reached, real *dq, real *du)
{
    const vec3 gravity = vec3_own(s->own_gravity, 3 * g * ROW, ROW, s->gravity);
    real q[MOST_COORDINATES], u[MOST_FREEDOMS];
    row_state_load(s, g, kind, q, u);
    hinge_derivatives(kind, link, m, a, reached, q, u, gravity, dq, du);
}

/* Accelerations of links whose hinges are of one type, and the derivatives of their states. */
LANE_INLINE spatial wide_finish(const rct_sheaves *s, int64_t g, int kind, int alike, int armed,
                                const link_lanes *link, const double *own, spatial above, real *dq,
                                real *du)
{
    const double *kept = own + (int64_t)ROW_MOTION * ROW;
    const link_motion m = alike ? row_recall(s, g, kind, link, kept) : row_recall_all(kept);
    six_gain gain[MOST_FREEDOMS];
    hinge_rotor rotor;
    if (armed) {
        rotor = row_rotor(s, g, kind, link, &m);
    }
    row_gains_load(own + (int64_t)ROW_GAINS * ROW, kind, armed ? &rotor : NULL, gain,
                   hinge_freedoms(kind));
    const spatial reached = link_reach(&m, above);
    const spatial a = wide_outboard(kind, link, &m, armed ? &rotor : NULL, gain, reached);
    wide_derive(s, g, kind, link, &m, a, reached, dq, du);
    return a;
}

LANE_FUNCTION spatial wide_finish_alike(const rct_sheaves *s, int64_t g, int kind,
                                        const link_lanes *link, const double *own, spatial above,
                                        real *dq, real *du)
{
    spatial a;
    if (row_has_rotors(s, g, kind)) {
#define HINGE_CASE(TYPE) a = wide_finish(s, g, TYPE, 0, 1, link, own, above, dq, du)
        HINGE_ROTOR_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
        return a;
    }
#define HINGE_CASE(TYPE) a = wide_finish(s, g, TYPE, 0, 0, link, own, above, dq, du)
    HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
    return a;
}

LANE_INLINE void row_write_results(const rct_sheaves *s, int64_t g, spatial a, const real *du,
                                   int freedoms)
{
    double *to = s->results + s->result_at[g] * ROW;
    spatial_store(to, ROW, a);
    LANE_UNROLL
    for (int i = 0; i < freedoms; i++) {
        lane_store(to + (int64_t)(WIDE_RESULT_RATES + i) * ROW, du[i]);
    }
}

/* Row g, whose lanes have hinges of several types. */
LANE_FUNCTION spatial wide_finish_unlike(const rct_sheaves *s, int64_t g, const link_lanes *link,
                                         const double *own, spatial above, int stage, double weight,
                                         mask *good)
{
    const int32_t *lanes = s->kind_lanes + (int64_t)(~s->kinds[g]) * RCT_HINGE_TYPES;
    const int32_t absolute = lanes[RCT_HINGE_BALL] | lanes[RCT_HINGE_FREE];
    real dq[MOST_COORDINATES], du[MOST_FREEDOMS];
    spatial a = spatial_zero();
    for (int i = 0; i < MOST_COORDINATES; i++) {
        dq[i] = lane_set(0.0);
        du[i < MOST_FREEDOMS ? i : 0] = lane_set(0.0);
    }
    for (int kind = 1; kind < RCT_HINGE_TYPES; kind++) {
        if (lanes[kind] != 0) {
            const mask where = lane_bits(lanes[kind]);
            real own_dq[MOST_COORDINATES], own_du[MOST_FREEDOMS];
            const spatial b = wide_finish_alike(s, g, kind, link, own, above, own_dq, own_du);
            a = spatial_select(where, b, a);
            for (int i = 0; i < hinge_coordinates(kind); i++) {
                dq[i] = lane_select(where, own_dq[i], dq[i]);
            }
            for (int i = 0; i < hinge_freedoms(kind); i++) {
                du[i] = lane_select(where, own_du[i], du[i]);
            }
        }
    }
    if (stage == STAGE_NONE) {
        row_write_results(s, g, a, du, row_freedoms(s, g));
    } else {
        *good = row_advance(s, g, s->coordinates[g], row_freedoms(s, g), s->coordinates[g],
                            lane_bits(absolute), absolute != 0, dq, du, stage, weight);
    }
    return a;
}

/* Results of row g, or its states advanced; its lanes have hinges of one type. `good`: from true. */
LANE_INLINE void wide_leave(const rct_sheaves *s, int64_t g, int kind, spatial a, const real *dq,
                            const real *du, int stage, double weight, mask *good)
{
    if (stage == STAGE_NONE) {
        row_write_results(s, g, a, du, hinge_freedoms(kind));
    } else {
        *good = row_advance(s, g, hinge_coordinates(kind), hinge_freedoms(kind),
                            row_rates_at(s, g, hinge_coordinates(kind)), *good,
                            !hinge_has_axes(kind), dq, du, stage, weight);
    }
}

/* Row g, whose lanes have hinges of one type. */
LANE_INLINE spatial wide_finish_type(const rct_sheaves *s, int64_t g, int kind, int armed,
                                     const link_lanes *before, const double *own, spatial above,
                                     int stage, double weight, mask *good)
{
    real dq[MOST_COORDINATES], du[MOST_FREEDOMS];
    const link_lanes link = row_link_here(s, g, before);
    const spatial a = wide_finish(s, g, kind, 1, armed, &link, own, above, dq, du);
    wide_leave(s, g, kind, a, dq, du, stage, weight, good);
    return a;
}

/* The same with rotors. */
LANE_APART spatial wide_finish_rotors(const rct_sheaves *s, int64_t g, int kind, const double *own,
                                      spatial above, int stage, double weight, mask *good)
{
    const link_lanes before = row_link_before(s, g);
    spatial a;
#define HINGE_CASE(TYPE)                                                                           \
    a = wide_finish_type(s, g, TYPE, 1, &before, own, above, stage, weight, good)
    HINGE_ROTOR_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
    return a;
}

LANE_INLINE spatial wide_finish_row(const rct_sheaves *s, int64_t g, const link_lanes *before,
                                    const double *own, spatial above, int stage, double weight,
                                    mask *good)
{
    const int32_t kind = row_kind(s, g);
    spatial a;
    *good = lane_greater(lane_set(1.0), lane_set(0.0));
    if (row_unlike(kind)) {
        const link_lanes link = row_link_here(s, g, before);
        return wide_finish_unlike(s, g, &link, own, above, stage, weight, good);
    }
    if (row_has_rotors(s, g, kind)) {
#define HINGE_CASE(TYPE) wide_finish_type(s, g, TYPE, 1, before, own, above, stage, weight, good)
        HINGE_ROTOR_IN_PLACE(kind, HINGE_CASE)
#undef HINGE_CASE
        return wide_finish_rotors(s, g, kind, own, above, stage, weight, good);
    }
#define HINGE_CASE(TYPE)                                                                           \
    a = wide_finish_type(s, g, TYPE, 0, before, own, above, stage, weight, good)
    HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
    return a;
}

/* What reaches the links of row g: along the paths, or, where they begin, from their records or the
 * ground. */
LANE_INLINE spatial path_reaching(const rct_sheaves *s, int32_t sheaf, int64_t g, spatial along)
{
    if (ROW_ALONE && row_grounded(s, g) && s->own_gravity == NULL) {
        return ground_motion(s);
    }
    if (row_begins(s, g)) {
        const spatial left = spatial_load(sheaf_path(s, sheaf) + (int64_t)PATH_ABOVE * ROW, ROW);
        along = spatial_select(lane_bits(s->starts[g]), left, along);
        if (s->own_gravity == NULL) {
            along = spatial_select(lane_bits(s->grounded[g]), ground_motion(s), along);
        }
    }
    return along;
}

/* Leave the accelerations of the links of row g with the paths that hang on them. */
LANE_INLINE void path_leave_motion(const rct_sheaves *s, int64_t g, spatial a)
{
    if (s->first_kid[g] < s->first_kid[g + 1]) {
        double left[6 * LANE_WIDTH];
        spatial_store(left, LANE_WIDTH, a);
        path_leave(s, g, PATH_ABOVE, left, 6);
    }
}

/* Note the links of row g whose states or accelerations are not finite. The sweep goes on, because
 * the base of a step must be whole. */
LANE_INLINE void wide_note_outward(group_sweep *w, int64_t g, spatial a, mask good)
{
    const real sum = a.l.x + a.l.y + a.l.z + a.a.x + a.a.y + a.a.z;
    good = lane_and(good, lane_finite(sum));
    if (!lane_all(good)) {
        sweep_note(w, g, good, SWEEP_NOT_FINITE);
    }
}

#endif
