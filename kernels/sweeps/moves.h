/* States moved along the derivatives of rates in the results (kernels/records/coordinates.h), as closing loops asks for it, for
 * the LANE_WIDTH of the including translation unit; and the table of all that is done with coordinates.
 */
#ifndef RCT_KERNELS_SWEEPS_MOVES_H
#define RCT_KERNELS_SWEEPS_MOVES_H

#include "kernels/sweeps/coordinates.h"

#include <string.h>

/* exp(v) q, v a rotation vector in inertial axes. Of short ones the first terms of the series: the next are below 1e-17. */
LANE_INLINE quat quat_turned(quat q, vec3 v)
{
    const real square = vec3_dot(v, v), one = lane_set(1.0);
    const mask large = lane_not(lane_greater(lane_set(1e-5), square));
    real w = one - square / lane_set(8.0) * (one - square / lane_set(48.0));
    real along = lane_set(0.5) - square / lane_set(48.0) * (one - square / lane_set(80.0));
    if (!lane_all(lane_not(large))) {
        const real angle = lane_sqrt(square);
        const sine_cosine half = lane_sine_cosine(lane_set(0.5) * angle);
        w = lane_select(large, half.c, w);
        along = lane_select(large, half.s / angle, along);
    }
    const vec3 u = vec3_scale(along, v), p = {q.x, q.y, q.z};
    const vec3 out = vec3_add(vec3_add_scaled(vec3_scale(q.w, u), w, p), vec3_cross(u, p));
    return (quat){w * q.w - vec3_dot(u, p), out.x, out.y, out.z};
}

/* The derivatives of a part, of links on hinges of type `kind`: 0 of neutral ones. */
LANE_INLINE void part_derivatives(const row_part *p, int kind, const double *results,
                                  real du[MOST_FREEDOMS])
{
    int32_t known = 0;
    for (int l = 0; l < LANE_WIDTH; l++) {
        known |= p->label[l] >= 0 ? (int32_t)(1u << l) : 0;
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        du[i] = lane_select(lane_bits(known), lane_load(results + (int64_t)i * p->lanes),
                            lane_set(0.0));
    }
}

/* The share of each lane. */
LANE_INLINE real part_share(const row_part *p, const rct_move *by)
{
    double share[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++) {
        share[l] = p->label[l] < 0 ? 0.0 : by->share == NULL ? 1.0 : by->share[p->label[l]];
    }
    return lane_load(share);
}

LANE_INLINE mask move_type(const row_part *p, int kind, const rct_move *by, double *from,
                           const double *results, double *state)
{
    const int nq = hinge_coordinates(kind), nu = hinge_freedoms(kind);
    const int absolute = !hinge_has_axes(kind), turned = absolute ? 3 : 0;
    mask good = lane_greater(lane_set(1.0), lane_set(0.0));
    real q[MOST_COORDINATES], u[MOST_FREEDOMS], du[MOST_FREEDOMS];
    const real share = part_share(p, by);
    const real positions = share * lane_set(by->positions), rates = share * lane_set(by->rates);
    const mask rest = lane_not(lane_greater(lane_abs(share), lane_set(0.0)));
    part_derivatives(p, kind, results, du);
    LANE_UNROLL
    for (int i = 0; i < nq; i++) {
        q[i] = lane_load(part_field(p, from, i));
    }
    LANE_UNROLL
    for (int i = 0; i < nu; i++) {
        u[i] = lane_load(part_field(p, from, p->rates + i));
    }
    if (absolute) {
        turn_out(p, from, u);
        turn_out(p, from, du);
        const vec3 turned_by = vec3_scale(positions, (vec3){du[0], du[1], du[2]});
        const quat now = quat_turned((quat){q[0], q[1], q[2], q[3]}, turned_by);
        q[0] = now.w, q[1] = now.x, q[2] = now.y, q[3] = now.z;
        keep_unit(q);
    }
    LANE_UNROLL
    for (int i = turned; i < nu; i++) {
        q[i + nq - nu] = q[i + nq - nu] + positions * du[i];
    }
    LANE_UNROLL
    for (int i = 0; i < nu; i++) {
        u[i] = u[i] + rates * du[i];
    }
    if (absolute) {
        const mat3 m = attitude_rotation((quat){q[0], q[1], q[2], q[3]});
        const vec3 own = mat3_apply_transposed(m, (vec3){u[0], u[1], u[2]});
        u[0] = own.x, u[1] = own.y, u[2] = own.z;
    }
    LANE_UNROLL
    for (int i = 0; i < nq; i++) {
        const real now = lane_select(rest, lane_load(part_field(p, from, i)), q[i]);
        good = lane_and(good, rest | lane_finite(q[i]));
        part_store(p, state, i, now);
    }
    LANE_UNROLL
    for (int i = 0; i < nu; i++) {
        const real now = lane_select(rest, lane_load(part_field(p, from, p->rates + i)), u[i]);
        good = lane_and(good, rest | lane_finite(u[i]));
        part_store(p, state, p->rates + i, now);
    }
    return lane_not(
        lane_and(lane_bits(p->where), lane_not(good))); /* other lanes have other types */
}

/* `most`, or what is more of the part: of rates that turn, and of others. */
LANE_INLINE void largest_type(const row_part *p, int kind, double *from, const double *results,
                              real most[2])
{
    real du[MOST_FREEDOMS];
    part_derivatives(p, kind, results, du);
    if (!hinge_has_axes(kind)) {
        turn_out(p, from, du);
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        const real size = lane_abs(du[i]);
        real *of = &most[rate_turns(kind, i) ? 0 : 1];
        *of = lane_select(lane_and(lane_bits(p->where), lane_greater(size, *of)), size, *of);
    }
}

/* ---- sheaf after sheaf -------------------------------------------------------------------- */

LANE_INLINE mask move_part(const row_part *p, const rct_move *by, double *from,
                           const double *results, double *state)
{
    mask good;
#define MOVE(TYPE) good = move_type(p, TYPE, by, from, results, state)
    HINGE_CASES(p->kind, MOVE)
#undef MOVE
    return good;
}

LANE_INLINE void largest_part(const row_part *p, double *from, const double *results, real most[2]){
#define LARGEST(TYPE) largest_type(p, TYPE, from, results, most)
    HINGE_CASES(p->kind, LARGEST)
#undef LARGEST
}

/* Where the derivatives of row g of a sheaf begin. */
LANE_INLINE const
    double *row_derivatives(const rct_sheaves *s, int32_t sheaf, int64_t g, int32_t lanes)
{
    const int64_t before = s->narrow[sheaf] ? NARROW_RESULT_RATES : WIDE_RESULT_RATES;
    return s->results + (s->result_at[g] + before) * lanes;
}

static int coordinates_move(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                            const rct_move *by, double *state)
{
    mask good = lane_greater(lane_set(1.0), lane_set(0.0));
    for (int32_t sheaf = first; sheaf < end; sheaf++) {
        for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
            const double *results = row_derivatives(s, sheaf, g, lanes);
            if (s->kinds[g] < 0) { /* lanes of no link have no type */
                const int64_t at = s->state_at[g] * lanes, next = s->state_at[g + 1] * lanes;
                memcpy(state + at, s->state + at, (size_t)(next - at) * sizeof *state);
            }
            for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
                row_part p = part_of(s, lanes, g, lane);
                do {
                    good = lane_and(good, move_part(&p, by, s->state, results + lane, state));
                } while (part_next(s, g, lane, &p));
            }
        }
    }
    return lane_all(good);
}

static void coordinates_largest(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                                double largest[2])
{
    real most[2] = {lane_set(0.0), lane_set(0.0)};
    double sizes[LANE_WIDTH];
    for (int32_t sheaf = first; sheaf < end; sheaf++) {
        for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
            const double *results = row_derivatives(s, sheaf, g, lanes);
            for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
                row_part p = part_of(s, lanes, g, lane);
                do {
                    largest_part(&p, s->state, results + lane, most);
                } while (part_next(s, g, lane, &p));
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        lane_store(sizes, most[i]);
        for (int l = 0; l < LANE_WIDTH; l++) {
            largest[i] = sizes[l] > largest[i] ? sizes[l] : largest[i];
        }
    }
}

#define COORDINATE_TABLE                                                                           \
    {                                                                                              \
        .put = coordinates_put, .put_efforts = coordinates_put_efforts, .take = coordinates_take,  \
        .take_derivatives = coordinates_take_derivatives, .move = coordinates_move,                \
        .largest = coordinates_largest                                                             \
    }

#endif
