/* One row of a sheaf of a mixed tree, for the LANE_WIDTH of the including translation unit: constants, states and
 * scratch in lanes, and what depends on the hinge chosen by row. Where the lanes of a row have hinges of several types,
 * each type is done for all lanes and taken where it is theirs. A thread that is a lane of its own (LANE_MEMBERS)
 * has a type of its own.
 */
#ifndef RCT_KERNELS_MIXED_ROWS_H
#define RCT_KERNELS_MIXED_ROWS_H

#include "kernels/mixed_method.h"
#include "kernels/mixed_sheaves.h"
#include "kernels/rk4_step.h"
#include "kernels/sweep_end.h"

enum { MW = LANE_STRIDE };

/* The hinge type of row g, or ~k where its lanes differ. */
LANE_FUNCTION int32_t mixed_row_kind(const rct_mixed_sheaves *s, int64_t g)
{
    return s->kinds[g * LANE_MEMBERS];
}

LANE_FUNCTION int mixed_row_unlike(int32_t kind)
{
    return LANE_WIDTH > 1 && kind < 0;
}

/* Where the rates of links of a type stand behind their coordinates in row g: neighbours may have more of those. */
LANE_FUNCTION int32_t mixed_rates_at(const rct_mixed_sheaves *s, int64_t g, int32_t coordinates)
{
    return LANE_MEMBERS == 1 ? coordinates : s->coordinates[g];
}

LANE_INLINE real mixed_field(const double *from, int shared, int f)
{
    return shared ? lane_set(from[f]) : lane_load(from + (int64_t)f * MW);
}

LANE_INLINE vec3 mixed_field3(const double *from, int shared, int f)
{
    return (vec3){mixed_field(from, shared, f), mixed_field(from, shared, f + 1),
                  mixed_field(from, shared, f + 2)};
}

/* All of a record, or what links on ball hinges are asked for: narrow rows have no more. */
LANE_INLINE mixed_link mixed_link_load(const double *p, int shared, int all)
{
    const vec3 i = mixed_field3(p, shared, LINK_INERTIA);
    const vec3 o = mixed_field3(p, shared, LINK_INERTIA + 3);
    mixed_link link = {.mass = mixed_field(p, shared, LINK_MASS),
                       .com = mixed_field3(p, shared, LINK_COM),
                       .inertia = {i.x, i.y, i.z, o.x, o.y, o.z},
                       .at = mixed_field3(p, shared, LINK_AT)};
    if (all) {
        const vec3 x = mixed_field3(p, shared, LINK_FRAME);
        const vec3 y = mixed_field3(p, shared, LINK_FRAME + 3);
        const vec3 z = mixed_field3(p, shared, LINK_FRAME + 6);
        link.frame = (mat3){x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
        link.parameter[0] = mixed_field(p, shared, LINK_PARAMETER);
        link.parameter[1] = mixed_field(p, shared, LINK_PARAMETER + 1);
    }
    return link;
}

LANE_INLINE mixed_link mixed_link_of_row(const rct_mixed_sheaves *s, int64_t g, int all)
{
    const int32_t k = s->record[g];
    const int64_t fields = s->link_fields;
    if (LANE_WIDTH > 1) { /* as tile_record_load */
        return mixed_link_load(k >= 0 ? s->spread + k * fields * MW : s->wide + ~k * fields * MW, 0,
                               all);
    }
    return k >= 0 ? mixed_link_load(s->shared + k * fields, 1, all)
                  : mixed_link_load(s->wide + ~k * fields * MW, 0, all);
}

LANE_INLINE mixed_link mixed_row_link(const rct_mixed_sheaves *s, int64_t g)
{
    return mixed_link_of_row(s, g, 1);
}

/* Of a narrow row. */
LANE_INLINE mixed_link narrow_row_link(const rct_mixed_sheaves *s, int64_t g)
{
    return mixed_link_of_row(s, g, 0);
}

/* The link of row g before and once its hinge type is known. Single numbers are read before; vectors, of which few are needed
 * at a time, in the case of their type: those that wait for the choice pass through memory. */
LANE_INLINE mixed_link mixed_link_before(const rct_mixed_sheaves *s, int64_t g)
{
#if LANE_WIDTH > 1
    (void)s;
    (void)g;
    return (mixed_link){.mass = lane_set(0.0)};
#else
    return mixed_row_link(s, g);
#endif
}

LANE_INLINE mixed_link mixed_link_here(const rct_mixed_sheaves *s, int64_t g,
                                       const mixed_link *before)
{
    return LANE_WIDTH > 1 ? mixed_row_link(s, g) : *before;
}

/* Whether row g has any of `what`. */
LANE_INLINE int mixed_row_has(const rct_mixed_sheaves *s, int64_t g, int what)
{
    return (s->has[g] & what) != 0;
}

/* Whether hinges of type `kind` in row g may have rotors. Kernels of threads are made without and with them. */
LANE_INLINE int mixed_row_armed(const rct_mixed_sheaves *s, int64_t g, int kind)
{
#ifdef MIXED_ARMED
    (void)s;
    (void)g;
    return MIXED_ARMED && mixed_has_axes(kind);
#else
    return mixed_row_has(s, g, HAS_ARMATURE) && mixed_has_axes(kind);
#endif
}

/* Three numbers of row g, of a record of so many fields. */
LANE_INLINE vec3 mixed_row_vector(const rct_row_constants *c, int64_t g, int fields, int field)
{
    const int32_t k = c->row[g];
    if (k < 0) {
        return mixed_field3(c->wide + (int64_t)(~k) * fields * MW, 0, field);
    }
    return LANE_WIDTH > 1 ? mixed_field3(c->spread + (int64_t)k * fields * MW, 0, field)
                          : mixed_field3(c->shared + (int64_t)k * fields, 1, field);
}

LANE_INLINE vec3 mixed_row_effort(const rct_mixed_sheaves *s, int64_t g, int field)
{
    return mixed_row_vector(&s->effort, g, EFFORT_FIELDS, field);
}

LANE_INLINE vec3 mixed_row_wrench(const rct_mixed_sheaves *s, int64_t g, int field)
{
    return mixed_row_vector(&s->wrench, g, WRENCH_FIELDS, field);
}

/* The rotors at the hinges of row g. */
LANE_INLINE mixed_rotor mixed_row_rotor(const rct_mixed_sheaves *s, int64_t g, int kind,
                                        const mixed_link *link, const mixed_motion *m)
{
    return mixed_rotor_of(kind, link, m, mixed_row_effort(s, g, EFFORT_ARMATURE));
}

/* The constant wrenches on the links of row g, of rotation m to inertial axes where any is inertial. */
LANE_INLINE spatial mixed_wrench(const rct_mixed_sheaves *s, int64_t g, mat3 m)
{
    spatial w = {mixed_row_wrench(s, g, WRENCH_FORCE), mixed_row_wrench(s, g, WRENCH_MOMENT)};
    if (s->attitude) {
        const vec3 x = mixed_row_wrench(s, g, WRENCH_ARMS);
        const vec3 y = mixed_row_wrench(s, g, WRENCH_ARMS + 3);
        const vec3 z = mixed_row_wrench(s, g, WRENCH_ARMS + 6);
        const vec3 ex = {m.xx, m.yx, m.zx}, ey = {m.xy, m.yy, m.zy}, ez = {m.xz, m.yz, m.zz};
        const vec3 turning = {vec3_dot(y, ez) - vec3_dot(z, ey), vec3_dot(z, ex) - vec3_dot(x, ez),
                              vec3_dot(x, ey) - vec3_dot(y, ex)};
        w.l =
            vec3_add(w.l, mat3_apply_transposed(m, mixed_row_wrench(s, g, WRENCH_INERTIAL_FORCE)));
        w.a = vec3_add(vec3_add(w.a, turning),
                       mat3_apply_transposed(m, mixed_row_wrench(s, g, WRENCH_INERTIAL_MOMENT)));
    }
    return w;
}

/* Coordinates and rates of a hinge type in row g. */
LANE_INLINE void mixed_state_load(const rct_mixed_sheaves *s, int64_t g, int kind, real *q, real *u)
{
    const double *at = s->state + s->state_at[g] * MW;
    LANE_UNROLL
    for (int i = 0; i < mixed_coordinates(kind); i++) {
        q[i] = lane_load(at + (int64_t)i * MW);
    }
    at += (int64_t)s->coordinates[g] * MW;
    LANE_UNROLL
    for (int i = 0; i < mixed_freedoms(kind); i++) {
        u[i] = lane_load(at + (int64_t)i * MW);
    }
}

LANE_INLINE mixed_frame mixed_frame_load(const double *from)
{
    return (mixed_frame){mat3_load(from, MW), vec3_load(from + (int64_t)9 * MW, MW)};
}

LANE_INLINE mixed_frame mixed_frame_select(mask where, mixed_frame a, mixed_frame b)
{
    return (mixed_frame){mat3_select(where, a.rotation, b.rotation),
                         vec3_choose(where, a.rate, b.rate)};
}

LANE_INLINE mixed_frame mixed_ground_frame(const rct_mixed_sheaves *s)
{
    const double *m = s->ground.rotation, *w = s->ground.rate;
    return (mixed_frame){{lane_set(m[0]), lane_set(m[1]), lane_set(m[2]), lane_set(m[3]),
                          lane_set(m[4]), lane_set(m[5]), lane_set(m[6]), lane_set(m[7]),
                          lane_set(m[8])},
                         {lane_set(w[0]), lane_set(w[1]), lane_set(w[2])}};
}

LANE_INLINE spatial mixed_ground_motion(const rct_mixed_sheaves *s)
{
    const double *l = s->ground.linear, *a = s->ground.angular;
    return (spatial){{lane_set(l[0]), lane_set(l[1]), lane_set(l[2])},
                     {lane_set(a[0]), lane_set(a[1]), lane_set(a[2])}};
}

/* ---- scratch ------------------------------------------------------------------------------ */

/* The place of g_k, which is zero or, with a rotor, follows: a thread keeps 1 / (S_kk + D) there. */
LANE_FUNCTION int mixed_gain_own(int kind, int i)
{
#ifdef MIXED_RICCATI
    (void)kind;
    (void)i;
    return -1;
#else
    return LANE_MEMBERS == 1 ? -1 : mixed_solved(kind, i);
#endif
}

LANE_INLINE void mixed_gains_store(double *to, int kind, const mixed_gain *gain, int count)
{
    LANE_UNROLL
    for (int i = 0; i < count; i++) {
        const int own = mixed_gain_own(kind, i);
        LANE_UNROLL
        for (int j = 0; j < 6; j++) {
            lane_store(to + (int64_t)(ROW_GAIN_FIELDS * i + j) * MW,
                       j == own ? gain[i].inverse : gain[i].g[j]);
        }
        lane_store(to + (int64_t)(ROW_GAIN_FIELDS * i + 6) * MW, gain[i].y);
    }
}

LANE_INLINE void mixed_gains_load(const double *from, int kind, const mixed_rotor *rotor,
                                  mixed_gain *gain, int count)
{
    LANE_UNROLL
    for (int i = 0; i < count; i++) {
        const int own = mixed_gain_own(kind, i);
        LANE_UNROLL
        for (int j = 0; j < 6; j++) {
            gain[i].g[j] = lane_load(from + (int64_t)(ROW_GAIN_FIELDS * i + j) * MW);
        }
        if (own >= 0) {
            gain[i].inverse = gain[i].g[own];
            gain[i].g[own] = rotor != NULL ? -(rotor->d[i] * gain[i].inverse) : lane_set(0.0);
        }
        gain[i].y = lane_load(from + (int64_t)(ROW_GAIN_FIELDS * i + 6) * MW);
    }
}

LANE_INLINE void mixed_handle_store(double *to, const mixed_handle *h)
{
    sym3_store(to, MW, h->ll);
    mat3_store(to + (int64_t)6 * MW, MW, h->la);
    sym3_store(to + (int64_t)15 * MW, MW, h->aa);
    spatial_store(to + (int64_t)21 * MW, MW, h->e);
}

LANE_INLINE mixed_handle mixed_handle_load(const double *from)
{
    return (mixed_handle){sym3_load(from, MW), mat3_load(from + (int64_t)6 * MW, MW),
                          sym3_load(from + (int64_t)15 * MW, MW),
                          spatial_load(from + (int64_t)21 * MW, MW)};
}

/* Write field by field where the mask holds. */
LANE_INLINE void mixed_store_where(mask where, double *to, real x)
{
    lane_store(to, lane_select(where, x, lane_load(to)));
}

/* ---- by hinge ----------------------------------------------------------------------------- */

/* Solve the hinges of links that are all of one type. */
LANE_FUNCTION mask mixed_cross_alike(int kind, const mixed_link *link, const mixed_motion *m,
                                     const real hinge[3], mixed_law *law, mixed_through *t,
                                     mixed_gain *gain)
{
    mask regular;
#define MIXED_STEP(TYPE) regular = mixed_cross(TYPE, link, m, NULL, hinge, law, t, gain)
    MIXED_CASES(kind, MIXED_STEP)
#undef MIXED_STEP
    return regular;
}

/* The same with rotors. */
LANE_FUNCTION mask mixed_cross_armed(int kind, const mixed_link *link, const mixed_motion *m,
                                     vec3 armature, const real hinge[3], mixed_law *law,
                                     mixed_through *t, mixed_gain *gain)
{
    mask regular;
#define MIXED_STEP(TYPE)                                                                           \
    const mixed_rotor rotor = mixed_rotor_of(TYPE, link, m, armature);                             \
    regular = mixed_cross(TYPE, link, m, &rotor, hinge, law, t, gain)
    MIXED_ROTOR_CASES(kind, MIXED_STEP)
#undef MIXED_STEP
    return regular;
}

LANE_FUNCTION void mixed_through_choose(mask where, const mixed_through *a, mixed_through *to)
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

LANE_FUNCTION void mixed_gains_choose(mask where, const mixed_gain *a, int count, mixed_gain *to)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < 6; j++) {
            to[i].g[j] = lane_select(where, a[i].g[j], to[i].g[j]);
        }
        to[i].y = lane_select(where, a[i].y, to[i].y);
    }
}

LANE_FUNCTION mask mixed_cross_unlike(const rct_mixed_sheaves *s, int64_t g, const mixed_link *link,
                                      const mixed_motion *m, const real hinge[3], mixed_law *law,
                                      mixed_through *t, mixed_gain *gain)
{
    const int32_t *lanes = s->kind_lanes + (int64_t)(~s->kinds[g]) * RCT_HINGE_TYPES;
    const real zero = lane_set(0.0);
    const mixed_law before = *law;
    const mixed_through before_t = t != NULL ? *t : (mixed_through){0};
    mask regular = lane_greater(lane_set(1.0), zero);
    for (int i = 0; i < MIXED_MOST_FREEDOMS; i++) {
        gain[i] = (mixed_gain){{zero, zero, zero, zero, zero, zero}, zero, zero};
    }
    for (int kind = 1; kind < RCT_HINGE_TYPES; kind++) {
        if (lanes[kind] != 0) {
            const mask where = lane_bits(lanes[kind]);
            mixed_law own = before;
            mixed_through own_t = before_t;
            mixed_gain own_gain[MIXED_MOST_FREEDOMS];
            mixed_through *open = t != NULL ? &own_t : NULL;
            const mask good =
                mixed_row_armed(s, g, kind)
                    ? mixed_cross_armed(kind, link, m, mixed_row_effort(s, g, EFFORT_ARMATURE),
                                        hinge, &own, open, own_gain)
                    : mixed_cross_alike(kind, link, m, hinge, &own, open, own_gain);
            *law = mixed_law_select(where, &own, law);
            if (t != NULL) {
                mixed_through_choose(where, &own_t, t);
            }
            mixed_gains_choose(where, own_gain, mixed_freedoms(kind), gain);
            regular = lane_and(regular, good | lane_not(where));
        }
    }
    return regular;
}

/* Freedoms of the type of row g that has most. */
LANE_FUNCTION int mixed_row_freedoms(const rct_mixed_sheaves *s, int64_t g)
{
    return (int)(s->state_at[g + 1] - s->state_at[g]) - s->coordinates[g];
}

#endif
