/* One row of a sheaf of a tree, for the LANE_WIDTH of the including translation unit: constants,
 * states and scratch in lanes, and the code of the hinge type, chosen by row. Where the lanes of a
 * row have hinges of several types, each type is computed for all lanes and taken in its own. A
 * thread that is a lane (LANE_MEMBERS) has a type of its own.
 */
#ifndef RCT_KERNELS_SWEEPS_ROWS_H
#define RCT_KERNELS_SWEEPS_ROWS_H

#include "kernels/laws/rk4_step.h"
#include "kernels/laws/wide_method.h"
#include "kernels/records/sheaves.h"
#include "kernels/records/sweep_end.h"

/* The hinge type of row g, or ~k where its lanes differ. */
LANE_FUNCTION int32_t row_kind(const rct_sheaves *s, int64_t g)
{
    return s->kinds[g * LANE_MEMBERS];
}

LANE_FUNCTION int row_unlike(int32_t kind)
{
    return LANE_WIDTH > 1 && kind < 0;
}

/* Where the rates of links of a type stand behind their coordinates in row g: neighbours may have
 * more coordinates. */
LANE_FUNCTION int32_t row_rates_at(const rct_sheaves *s, int64_t g, int32_t coordinates)
{
    return LANE_MEMBERS == 1 ? coordinates : s->coordinates[g];
}

LANE_INLINE real row_field(const double *from, int shared, int f)
{
    return shared ? lane_set(from[f]) : lane_load(from + (int64_t)f * ROW);
}

LANE_INLINE vec3 row_field3(const double *from, int shared, int f)
{
    return (vec3){row_field(from, shared, f), row_field(from, shared, f + 1),
                  row_field(from, shared, f + 2)};
}

/* All of a record, or only the fields for ball hinges: narrow rows have no more. */
LANE_INLINE link_lanes link_load(const double *p, int shared, int all)
{
    const vec3 i = row_field3(p, shared, LINK_INERTIA);
    const vec3 o = row_field3(p, shared, LINK_INERTIA + 3);
    link_lanes link = {.mass = row_field(p, shared, LINK_MASS),
                       .com = row_field3(p, shared, LINK_COM),
                       .inertia = {i.x, i.y, i.z, o.x, o.y, o.z},
                       .at = row_field3(p, shared, LINK_AT)};
    if (all) {
        const vec3 x = row_field3(p, shared, LINK_FRAME);
        const vec3 y = row_field3(p, shared, LINK_FRAME + 3);
        const vec3 z = row_field3(p, shared, LINK_FRAME + 6);
        link.frame = (mat3){x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
        link.parameter[0] = row_field(p, shared, LINK_PARAMETER);
        link.parameter[1] = row_field(p, shared, LINK_PARAMETER + 1);
    }
    return link;
}

LANE_INLINE link_lanes row_link_of(const rct_sheaves *s, int64_t g, int all)
{
    const int32_t k = s->record[g];
    const int64_t fields = s->link_fields;
    if (ROW == 1) {
        return link_load(k >= 0 ? s->shared + k * fields : s->wide + ~k * fields, 0, all);
    }
    if (LANE_WIDTH > 1) {
        return link_load(k >= 0 ? s->spread + k * fields * ROW : s->wide + ~k * fields * ROW, 0,
                         all);
    }
    return k >= 0 ? link_load(s->shared + k * fields, 1, all)
                  : link_load(s->wide + ~k * fields * ROW, 0, all);
}

LANE_INLINE link_lanes row_link(const rct_sheaves *s, int64_t g)
{
    return row_link_of(s, g, 1);
}

/* The link of a narrow row. */
LANE_INLINE link_lanes narrow_row_link(const rct_sheaves *s, int64_t g)
{
    return row_link_of(s, g, 0);
}

/* The link of row g, before its hinge type is known and after. Single numbers are read before.
 * Vectors, of which few are needed at a time, are read in the case of their type: read before, they
 * would pass through memory. */
LANE_INLINE link_lanes row_link_before(const rct_sheaves *s, int64_t g)
{
#if LANE_WIDTH > 1 || defined(LANE_ROWS)
    (void)s;
    (void)g;
    return (link_lanes){.mass = lane_set(0.0)};
#else
    return row_link(s, g);
#endif
}

LANE_INLINE link_lanes row_link_here(const rct_sheaves *s, int64_t g, const link_lanes *before)
{
#if LANE_WIDTH > 1 || defined(LANE_ROWS)
    (void)before;
    return row_link(s, g);
#else
    (void)s;
    (void)g;
    return *before;
#endif
}

/* Whether row g has any of `what`. */
LANE_INLINE int row_has(const rct_sheaves *s, int64_t g, int what)
{
    return (s->has[g] & what) != 0;
}

/* Whether hinges of type `kind` in row g may have rotors, or are balls that count as rotors in an
 * implicit stage. Kernels of threads come without rotors and with them; the latter include those of
 * balls, which are 0 outside such a stage. */
LANE_INLINE int row_has_rotors(const rct_sheaves *s, int64_t g, int kind)
{
#ifdef WITH_ROTORS
    (void)s;
    (void)g;
    return WITH_ROTORS && kind != RCT_HINGE_FREE;
#else
    return row_has(s, g, HAS_ARMATURE) &&
           (hinge_has_axes(kind) || (kind == RCT_HINGE_BALL && s->delta != 0.0));
#endif
}

/* Three numbers of row g, of a record of `fields` fields. */
LANE_INLINE vec3 row_vector(const rct_row_constants *c, int64_t g, int fields, int field)
{
    const int32_t k = c->row[g];
    if (k < 0) {
        return row_field3(c->wide + (int64_t)(~k) * fields * ROW, 0, field);
    }
    return LANE_WIDTH > 1 ? row_field3(c->spread + (int64_t)k * fields * ROW, 0, field)
                          : row_field3(c->shared + (int64_t)k * fields, 1, field);
}

LANE_INLINE vec3 row_effort(const rct_sheaves *s, int64_t g, int field)
{
    return row_vector(&s->effort, g, EFFORT_FIELDS, field);
}

LANE_INLINE vec3 row_wrench(const rct_sheaves *s, int64_t g, int field)
{
    return row_vector(&s->wrench, g, WRENCH_FIELDS, field);
}

/* The rotors at the hinges of row g, by rates, with dampers and springs in an implicit stage. */
LANE_INLINE vec3 row_armature(const rct_sheaves *s, int64_t g)
{
    const vec3 rotor = row_effort(s, g, EFFORT_ARMATURE);
    if (s->delta == 0.0) {
        return rotor;
    }
    const real delta = lane_set(s->delta);
    const vec3 c = row_effort(s, g, EFFORT_DAMPING), k = row_effort(s, g, EFFORT_STIFFNESS);
    const vec3 all = {rotor.x + delta * (c.x + delta * k.x), rotor.y + delta * (c.y + delta * k.y),
                      rotor.z + delta * (c.z + delta * k.z)};
    return s->rotors != NULL ? vec3_add(all, row_field3(s->rotors + g * 3 * ROW, 0, 0)) : all;
}

/* The same as a hinge_rotor. */
LANE_INLINE hinge_rotor row_rotor(const rct_sheaves *s, int64_t g, int kind, const link_lanes *link,
                                  const link_motion *m)
{
    return hinge_rotor_of(kind, link, m, row_armature(s, g));
}

/* The constant wrenches on the links of row g; m: their rotation to inertial axes. */
LANE_INLINE spatial row_wrench_sum(const rct_sheaves *s, int64_t g, mat3 m)
{
    spatial w = {row_wrench(s, g, WRENCH_FORCE), row_wrench(s, g, WRENCH_MOMENT)};
    if (row_has(s, g, HAS_INERTIAL)) {
        const vec3 force = mat3_apply_transposed(m, row_wrench(s, g, WRENCH_INERTIAL_FORCE));
        w.l = vec3_add(w.l, force);
        w.a = vec3_add(w.a, vec3_cross(row_wrench(s, g, WRENCH_INERTIAL_AT), force));
    }
    if (row_has(s, g, HAS_COUPLE)) {
        const vec3 x = row_wrench(s, g, WRENCH_ARMS), y = row_wrench(s, g, WRENCH_ARMS + 3);
        const vec3 z = row_wrench(s, g, WRENCH_ARMS + 6);
        const mat3 arms = mat3_product((mat3){x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z}, m);
        w.a = vec3_add(w.a, (vec3){arms.yz - arms.zy, arms.zx - arms.xz, arms.xy - arms.yx});
        w.a = vec3_add(w.a, mat3_apply_transposed(m, row_wrench(s, g, WRENCH_INERTIAL_MOMENT)));
    }
    return w;
}

/* Coordinates and rates of a hinge type in row g. */
LANE_INLINE void row_state_load(const rct_sheaves *s, int64_t g, int kind, real *q, real *u)
{
    const double *at = s->state + s->state_at[g] * ROW;
    LANE_UNROLL
    for (int i = 0; i < hinge_coordinates(kind); i++) {
        q[i] = lane_load(at + (int64_t)i * ROW);
    }
    at += (int64_t)s->coordinates[g] * ROW;
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        u[i] = lane_load(at + (int64_t)i * ROW);
    }
}

LANE_INLINE link_frame link_frame_load(const double *from)
{
    return (link_frame){mat3_load(from, ROW), vec3_load(from + (int64_t)9 * ROW, ROW)};
}

LANE_INLINE link_frame link_frame_select(mask where, link_frame a, link_frame b)
{
    return (link_frame){mat3_select(where, a.rotation, b.rotation),
                        vec3_choose(where, a.rate, b.rate)};
}

LANE_INLINE link_frame ground_frame(const rct_sheaves *s)
{
    const double *m = s->ground.rotation, *w = s->ground.rate;
    return (link_frame){{lane_set(m[0]), lane_set(m[1]), lane_set(m[2]), lane_set(m[3]),
                         lane_set(m[4]), lane_set(m[5]), lane_set(m[6]), lane_set(m[7]),
                         lane_set(m[8])},
                        {lane_set(w[0]), lane_set(w[1]), lane_set(w[2])}};
}

LANE_INLINE spatial ground_motion(const rct_sheaves *s)
{
    const double *l = s->ground.linear, *a = s->ground.angular;
    return (spatial){{lane_set(l[0]), lane_set(l[1]), lane_set(l[2])},
                     {lane_set(a[0]), lane_set(a[1]), lane_set(a[2])}};
}

/* ---- scratch ------------------------------------------------------------------------------ */

/* The place of g_k, where abi keeps 1 / (S_kk + D) instead for threads and columns; -1: g_k itself.
 * g_k is zero or, with a rotor, follows from that. */
LANE_FUNCTION int row_gain_own(int kind, int i)
{
#if !defined(METHOD_RICCATI) && (LANE_MEMBERS > 1 || defined(KEEP_PIVOTS))
    return hinge_solved(kind, i);
#else
    (void)kind;
    (void)i;
    return -1;
#endif
}

/* Stores gains. For hinges of several types (`unlike`) 1 / (S_kk + D) is in its place already. */
LANE_INLINE void row_gains_store(double *to, int kind, int unlike, const six_gain *gain, int count)
{
    LANE_UNROLL
    for (int i = 0; i < count; i++) {
        const int own = unlike ? -1 : row_gain_own(kind, i);
        LANE_UNROLL
        for (int j = 0; j < 6; j++) {
            lane_store(to + (int64_t)(ROW_GAIN_FIELDS * i + j) * ROW,
                       j == own ? gain[i].inverse : gain[i].g[j]);
        }
        lane_store(to + (int64_t)(ROW_GAIN_FIELDS * i + 6) * ROW, gain[i].y);
    }
}

LANE_INLINE void row_gains_load(const double *from, int kind, const hinge_rotor *rotor,
                                six_gain *gain, int count)
{
    LANE_UNROLL
    for (int i = 0; i < count; i++) {
        const int own = row_gain_own(kind, i);
        LANE_UNROLL
        for (int j = 0; j < 6; j++) {
            gain[i].g[j] = lane_load(from + (int64_t)(ROW_GAIN_FIELDS * i + j) * ROW);
        }
        if (own >= 0) {
            gain[i].inverse = gain[i].g[own];
            gain[i].g[own] = rotor != NULL ? -(rotor->d[i] * gain[i].inverse) : lane_set(0.0);
        }
        LANE_UNROLL
        for (int m = 0; m < count && GAINS_KEEP && WIDE_AT_ONCE; m++) { /* riccati: C^-1 */
            real *free = &gain[i].g[hinge_solved(kind, m)];
            *free = rotor != NULL ? -(rotor->d[m] * *free) : lane_set(0.0);
        }
        gain[i].y = lane_load(from + (int64_t)(ROW_GAIN_FIELDS * i + 6) * ROW);
    }
}

LANE_INLINE void wide_handle_store(double *to, const wide_handle *h)
{
    sym3_store(to, ROW, h->ll);
    mat3_store(to + (int64_t)6 * ROW, ROW, h->la);
    sym3_store(to + (int64_t)15 * ROW, ROW, h->aa);
    spatial_store(to + (int64_t)21 * ROW, ROW, h->e);
}

LANE_INLINE wide_handle wide_handle_load(const double *from)
{
    return (wide_handle){sym3_load(from, ROW), mat3_load(from + (int64_t)6 * ROW, ROW),
                         sym3_load(from + (int64_t)15 * ROW, ROW),
                         spatial_load(from + (int64_t)21 * ROW, ROW)};
}

/* ---- by hinge ----------------------------------------------------------------------------- */

/* Solve the hinges of links that are all of one type. */
LANE_FUNCTION mask row_cross_alike(int kind, const link_lanes *link, const link_motion *m,
                                   const real hinge[3], wide_law *law, wide_through *t,
                                   six_gain *gain)
{
    mask regular;
#define HINGE_CASE(TYPE) regular = wide_cross(TYPE, link, m, NULL, hinge, law, t, gain)
    HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
    return regular;
}

/* The same with rotors. */
LANE_FUNCTION mask row_cross_rotors(int kind, const link_lanes *link, const link_motion *m,
                                    vec3 armature, const real hinge[3], wide_law *law,
                                    wide_through *t, six_gain *gain)
{
    mask regular;
#define HINGE_CASE(TYPE)                                                                           \
    const hinge_rotor rotor = hinge_rotor_of(TYPE, link, m, armature);                             \
    regular = wide_cross(TYPE, link, m, &rotor, hinge, law, t, gain)
    HINGE_ROTOR_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
    return regular;
}

LANE_FUNCTION void row_through_choose(mask where, const wide_through *a, wide_through *to)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            to->e[i][j] = lane_select(where, a->e[i][j], to->e[i][j]);
        }
        for (int j = i; j < 6; j++) {
            to->psi[i][j] = lane_select(where, a->psi[i][j], to->psi[i][j]);
        }
        to->h[i] = lane_select(where, a->h[i], to->h[i]);
    }
}

/* For hinges of one type, as rows keep their gains. */
LANE_FUNCTION void row_gains_choose(mask where, int kind, const six_gain *a, six_gain *to)
{
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        const int own = row_gain_own(kind, i);
        for (int j = 0; j < 6; j++) {
            to[i].g[j] = lane_select(where, j == own ? a[i].inverse : a[i].g[j], to[i].g[j]);
        }
        to[i].y = lane_select(where, a[i].y, to[i].y);
    }
}

LANE_FUNCTION mask row_cross_unlike(const rct_sheaves *s, int64_t g, const link_lanes *link,
                                    const link_motion *m, const real hinge[3], wide_law *law,
                                    wide_through *t, six_gain *gain)
{
    const int32_t *lanes = s->kind_lanes + (int64_t)(~s->kinds[g]) * RCT_HINGE_TYPES;
    const real zero = lane_set(0.0);
    const wide_law before = *law;
    const wide_through before_t = t != NULL ? *t : (wide_through){0};
    mask regular = lane_greater(lane_set(1.0), zero);
    for (int i = 0; i < MOST_FREEDOMS; i++) {
        gain[i] = (six_gain){{zero, zero, zero, zero, zero, zero}, zero, zero};
    }
    for (int kind = 1; kind < RCT_HINGE_TYPES; kind++) {
        if (lanes[kind] != 0) {
            const mask where = lane_bits(lanes[kind]);
            wide_law own = before;
            wide_through own_t = before_t;
            six_gain own_gain[MOST_FREEDOMS];
            wide_through *open = t != NULL ? &own_t : NULL;
            const mask good = row_has_rotors(s, g, kind)
                                  ? row_cross_rotors(kind, link, m, row_armature(s, g), hinge, &own,
                                                     open, own_gain)
                                  : row_cross_alike(kind, link, m, hinge, &own, open, own_gain);
            *law = wide_law_select(where, &own, law);
            if (t != NULL) {
                row_through_choose(where, &own_t, t);
            }
            row_gains_choose(where, kind, own_gain, gain);
            regular = lane_and(regular, good | lane_not(where));
        }
    }
    return regular;
}

/* Freedoms of the type of row g that has most. */
LANE_FUNCTION int row_freedoms(const rct_sheaves *s, int64_t g)
{
    return (int)(s->state_at[g + 1] - s->state_at[g]) - s->coordinates[g];
}

#endif
