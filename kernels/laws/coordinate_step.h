/* Coordinates and rates of links of one hinge type in lanes, where they lie in the state: units,
 * axes, the way to the caller and back, and moves along the derivatives of rates
 * (kernels/records/coordinates.h).
 */
#ifndef RCT_KERNELS_LAWS_COORDINATE_STEP_H
#define RCT_KERNELS_LAWS_COORDINATE_STEP_H

#include "kernels/laws/hinge.h"
#include "kernels/records/coordinates.h"

/* LANE_WIDTH lanes of a row, some of whose links are of type `kind`: `where` by bits. */
typedef struct row_part {
    const int32_t *label; /* [LANE_WIDTH] */
    int64_t lanes;
    int64_t at;    /* of the first lane in the state */
    int64_t rates; /* fields before the rates        */
    int kind;
    int32_t where;
    int alike; /* whether all hinges of the tree are of this type */
} row_part;

enum { ALL_LANES = -1 };

/* Field `i` of a part in the state. */
LANE_INLINE double *part_field(const row_part *p, double *state, int64_t i)
{
    return state + p->at + i * p->lanes;
}

/* Store to the lanes of a part. */
LANE_INLINE void part_leave(const row_part *p, double *to, real x)
{
    if (p->where == ALL_LANES) {
        lane_store(to, x);
    } else {
        lane_store_where(lane_bits(p->where), to, x);
    }
}

LANE_INLINE void part_store(const row_part *p, double *state, int64_t i, real x)
{
    part_leave(p, part_field(p, state, i), x);
}

/* The rotation of a quaternion, in the operations of rct_rotation (core/rotation.h): what is set
 * and read has the same bits on either way. */
LANE_INLINE mat3 attitude_rotation(quat q)
{
    const real s = lane_set(2.0) / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    const real xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
    const real xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
    const real wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
    const real one = lane_set(1.0);
    return (mat3){one - (yy + zz), xy - wz, xz + wy, xy + wz,        one - (xx + zz),
                  yz - wx,         xz - wy, yz + wx, one - (xx + yy)};
}

/* Normalize a quaternion of any length. Scaling by its largest component keeps the length from
 * overflow and underflow. NaN if it is zero or not finite. */
LANE_APART void make_unit(real q[4])
{
    real largest = lane_abs(q[0]), square = lane_set(0.0);
    for (int i = 1; i < 4; i++) {
        largest = lane_select(lane_greater(lane_abs(q[i]), largest), lane_abs(q[i]), largest);
    }
    for (int i = 0; i < 4; i++) {
        square = square + (q[i] / largest) * (q[i] / largest);
    }
    for (int i = 0; i < 4; i++) {
        q[i] = q[i] / largest / lane_sqrt(square);
    }
}

/* A quaternion whose length is 1 to the last digits keeps its bits (docs/decisions.md). */
LANE_INLINE void keep_unit(real q[4])
{
    const real slack = lane_set(2e-15);
    const real square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const mask is_unit = lane_greater(slack, lane_abs(square - lane_set(1.0)));
    if (!lane_all(is_unit)) {
        real unit[4] = {q[0], q[1], q[2], q[3]};
        make_unit(unit);
        for (int i = 0; i < 4; i++) {
            q[i] = lane_select(is_unit, q[i], unit[i]);
        }
    }
}

/* Whether rate i of a hinge turns what it carries. */
LANE_INLINE int rate_turns(int kind, int i)
{
    switch (kind) {
    case RCT_HINGE_BALL:
    case RCT_HINGE_FREE: return i < 3;
    case RCT_HINGE_PRISMATIC: return 0;
    case RCT_HINGE_CYLINDRICAL: return i == 0;
    case RCT_HINGE_PLANAR: return i == 2;
    default: return 1;
    }
}

/* Turn a vector of a link on an absolute hinge from its axes to inertial ones. */
LANE_INLINE void turn_out(const row_part *p, double *state, real v[3])
{
    const mat3 m = attitude_rotation(quat_load(part_field(p, state, 0), (int)p->lanes));
    const vec3 out = mat3_apply(m, (vec3){v[0], v[1], v[2]});
    v[0] = out.x, v[1] = out.y, v[2] = out.z;
}

/* Turn it back. */
LANE_INLINE void turn_in(mat3 axes, real v[3])
{
    const vec3 own = mat3_apply_transposed(axes, (vec3){v[0], v[1], v[2]});
    v[0] = own.x, v[1] = own.y, v[2] = own.z;
}

/* ---- in and out --------------------------------------------------------------------------- */

/* Coordinates and rates of the caller to `state`. Returns the lanes in which they are a state. */
LANE_INLINE mask put_numbers(const row_part *p, int kind, real q[MOST_COORDINATES],
                             real u[MOST_FREEDOMS], double *state)
{
    const int absolute = !hinge_has_axes(kind);
    const real zero = lane_set(0.0);
    real lost = zero;
    mask good = lane_greater(lane_set(1.0), zero);
    if (absolute) {
        keep_unit(q);
        turn_in(attitude_rotation((quat){q[0], q[1], q[2], q[3]}), u);
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_coordinates(kind); i++) {
        if (!absolute && rate_turns(kind, i)) {
            good = lane_and(good, lane_is_angle(q[i]));
        } else {
            lost = lost + zero * q[i]; /* 0, or NaN if any is not finite */
        }
        part_store(p, state, i, q[i]);
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        lost = lost + zero * u[i];
        part_store(p, state, p->rates + i, u[i]);
    }
    return lane_and(good, lane_finite(lost));
}

/* Rates, or derivatives of rates, from the state or results to the caller; and derivatives back. */
LANE_INLINE void take_rates(const row_part *p, int kind, double *state, const double *from,
                            real u[MOST_FREEDOMS])
{
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        u[i] = lane_load(from + (int64_t)i * p->lanes);
    }
    if (!hinge_has_axes(kind)) {
        turn_out(p, state, u);
    }
}

LANE_INLINE void put_derivatives(const row_part *p, int kind, double *state, real u[MOST_FREEDOMS],
                                 double *results)
{
    if (!hinge_has_axes(kind)) {
        const quat q = quat_load(part_field(p, state, 0), (int)p->lanes);
        turn_in(attitude_rotation(q), u);
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        part_leave(p, results + (int64_t)i * p->lanes, u[i]);
    }
}

/* ---- moves -------------------------------------------------------------------------------- */

/* exp(v) q, v a rotation vector in inertial axes. For short vectors the first terms of the series
 * are used: the next are below 1e-17. */
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

/* Lanes with a link, by bits; a thread that is a lane has all of them or none. */
LANE_INLINE int32_t part_known(const row_part *p)
{
    int32_t known = LANE_WIDTH == 1 && p->label[0] >= 0 ? ALL_LANES : 0;
    for (int l = 0; l < LANE_WIDTH && LANE_WIDTH > 1; l++) {
        known |= p->label[l] >= 0 ? (int32_t)(1u << l) : 0;
    }
    return known;
}

/* The derivatives of a part, of links on hinges of type `kind`; 0 for neutral links. */
LANE_INLINE void part_derivatives(const row_part *p, int kind, const double *results,
                                  real du[MOST_FREEDOMS])
{
    const mask known = lane_bits(part_known(p));
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        du[i] = lane_select(known, lane_load(results + (int64_t)i * p->lanes), lane_set(0.0));
    }
}

/* The share of each lane. */
LANE_INLINE real part_share(const row_part *p, const rct_move *by)
{
    double share[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++) {
        share[l] = p->label[l] < 0 ? 0.0 : by->share[p->label[l]];
    }
    return lane_load(share);
}

/* Store number i of a moved state, which lanes at `rest` keep (NULL: none rests). `lost` becomes
 * NaN in other lanes where it is not finite. */
LANE_INLINE void part_move(const row_part *p, double *from, const mask *rest, int64_t i, real now,
                           real *lost, double *state)
{
    if (rest != NULL) {
        now = lane_select(*rest, lane_load(part_field(p, from, i)), now);
    }
    *lost = *lost + (now - now);
    part_store(p, state, i, now);
}

LANE_INLINE mask move_type(const row_part *p, int kind, const rct_move *by, double *from,
                           const double *results, double *state)
{
    const int nq = hinge_coordinates(kind), nu = hinge_freedoms(kind);
    const int absolute = !hinge_has_axes(kind), turned = absolute ? 3 : 0;
    const int turns = absolute && by->positions != 0.0;
    const int shared = by->share != NULL;
    const real share = shared ? part_share(p, by) : lane_set(1.0);
    const real positions = share * lane_set(by->positions), rates = share * lane_set(by->rates);
    const mask rest = lane_not(lane_greater(lane_abs(share), lane_set(0.0)));
    real q[MOST_COORDINATES], u[MOST_FREEDOMS], du[MOST_FREEDOMS], lost = lane_set(0.0);
    part_derivatives(p, kind, results, du);
    LANE_UNROLL
    for (int i = 0; i < nq; i++) {
        q[i] = lane_load(part_field(p, from, i));
    }
    LANE_UNROLL
    for (int i = 0; i < nu; i++) {
        u[i] = lane_load(part_field(p, from, p->rates + i));
    }
    if (turns) {
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
    if (turns) {
        turn_in(attitude_rotation((quat){q[0], q[1], q[2], q[3]}), u);
    }
    LANE_UNROLL
    for (int i = 0; i < nq; i++) {
        part_move(p, from, shared ? &rest : NULL, i, q[i], &lost, state);
    }
    LANE_UNROLL
    for (int i = 0; i < nu; i++) {
        part_move(p, from, shared ? &rest : NULL, p->rates + i, u[i], &lost, state);
    }
    return lane_not(lane_and(lane_bits(p->where), /* other lanes have other types */
                             lane_not(lane_finite(lost))));
}

/* The larger of `most` and the part's derivatives: of rates that turn, and of others. */
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

#endif
