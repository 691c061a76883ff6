/* What the sweeps of mixed trees ask of a method: the law of what is below a point, S and e, as it passes from row to
 * row, with the open end of a segment, and how they cross links and hinges. Abi, or riccati where MIXED_RICCATI is
 * defined before the includes of a translation unit, as LANE_WIDTH is. Gains of both say z_k = y - g . z of the
 * coordinates k that a hinge leaves free; records of paths (mixed_sheaves.h) are the same.
 */
#ifndef RCT_KERNELS_MIXED_METHOD_H
#define RCT_KERNELS_MIXED_METHOD_H

#ifdef MIXED_RICCATI
#include "kernels/mixed_riccati_hinge.h"

typedef riccati mixed_law;

LANE_INLINE mixed_law mixed_law_of(const mixed_handle *record)
{
    return riccati_of_record(record);
}

LANE_INLINE mixed_handle mixed_law_record(const mixed_law *law)
{
    return riccati_record(law);
}

LANE_INLINE mixed_law mixed_law_select(mask where, const mixed_law *a, const mixed_law *b)
{
    mixed_law out;
    LANE_UNROLL
    for (int i = 0; i < 6; i++) {
        LANE_UNROLL
        for (int j = 0; j < 6; j++) {
            out.s.m[i][j] = lane_select(where, a->s.m[i][j], b->s.m[i][j]);
        }
        out.e.v[i] = lane_select(where, a->e.v[i], b->e.v[i]);
    }
    return out;
}

LANE_INLINE void mixed_law_add(mixed_law *law, const mixed_handle *record)
{
    const riccati more = riccati_of_record(record);
    riccati_add(law, &more);
}

LANE_INLINE void mixed_law_add_body(mixed_law *law, const mixed_link *link, vec3 w)
{
    riccati_cross_mass(law, link, w);
}

LANE_INLINE void mixed_law_add_load(mixed_law *law, spatial load)
{
    riccati_add_load(law, load);
}

/* Solve a hinge: the law, and `t` unless NULL, become those beyond it. */
LANE_INLINE mask mixed_cross(int kind, const mixed_link *link, const mixed_motion *m,
                             const real load[3], mixed_law *law, mixed_through *t, mixed_gain *gain)
{
    return riccati_cross(kind, link, m, load, law, t, gain);
}

/* From beyond the hinge to the link inboard, its axes, about its origin. */
LANE_INLINE void mixed_inboard(mixed_law *law, const mixed_motion *m)
{
    riccati_inboard(law, m);
}

LANE_INLINE void mixed_open_inboard(mixed_through *t, const mixed_motion *m)
{
    riccati_open_inboard(t, m);
}

LANE_INLINE mixed_through mixed_open(void)
{
    return riccati_open_end();
}

/* E_ij as records have it */
LANE_INLINE real mixed_open_record(const mixed_through *t, int i, int j)
{
    return riccati_through(t, i, j);
}

LANE_INLINE spatial mixed_outboard(int kind, const mixed_link *link, const mixed_motion *m,
                                   const mixed_gain *gain, spatial reached)
{
    return riccati_back(kind, link, m, gain, reached);
}

#else
#include "kernels/mixed_hinge.h"

typedef mixed_handle mixed_law;

LANE_INLINE mixed_law mixed_law_of(const mixed_handle *record)
{
    return *record;
}

LANE_INLINE mixed_handle mixed_law_record(const mixed_law *law)
{
    return *law;
}

LANE_INLINE mixed_law mixed_law_select(mask where, const mixed_law *a, const mixed_law *b)
{
    return mixed_handle_select(where, a, b);
}

LANE_INLINE void mixed_law_add(mixed_law *law, const mixed_handle *record)
{
    mixed_add(law, record);
}

LANE_INLINE void mixed_law_add_body(mixed_law *law, const mixed_link *link, vec3 w)
{
    mixed_add_body(law, link, w);
}

LANE_INLINE void mixed_law_add_load(mixed_law *law, spatial load)
{
    mixed_add_load(law, load);
}

LANE_INLINE mask mixed_cross(int kind, const mixed_link *link, const mixed_motion *m,
                             const real load[3], mixed_law *law, mixed_through *t, mixed_gain *gain)
{
    mixed_six x = mixed_six_of(law);
    const mask regular = mixed_eliminate(kind, link, m, load, &x, t, gain);
    *law = mixed_handle_of(&x);
    return regular;
}

LANE_INLINE void mixed_inboard(mixed_law *law, const mixed_motion *m)
{
    *law = mixed_hand_over(law, m);
}

/* E, h in the axes of the link inboard, about its origin. */
LANE_INLINE void mixed_open_inboard(mixed_through *t, const mixed_motion *m) /* 340 */
{
    const real bias[6] = {m->bias.l.x, m->bias.l.y, m->bias.l.z,
                          m->bias.a.x, m->bias.a.y, m->bias.a.z};
    LANE_UNROLL
    for (int c = 0; c < 6; c++) {
        LANE_UNROLL
        for (int j = 0; j < 6; j++) {
            t->h[c] = t->h[c] + t->e[j][c] * bias[j];
        }
        const vec3 l = mat3_apply(m->turn, (vec3){t->e[0][c], t->e[1][c], t->e[2][c]});
        const vec3 a = vec3_add(mat3_apply(m->turn, (vec3){t->e[3][c], t->e[4][c], t->e[5][c]}),
                                vec3_cross(m->r, l));
        t->e[0][c] = l.x, t->e[1][c] = l.y, t->e[2][c] = l.z;
        t->e[3][c] = a.x, t->e[4][c] = a.y, t->e[5][c] = a.z;
    }
}

LANE_FUNCTION mixed_through mixed_open(void)
{
    const real zero = lane_set(0.0);
    mixed_through t;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            t.e[i][j] = lane_set(i == j ? 1.0 : 0.0);
            t.psi[i][j] = zero;
        }
        t.h[i] = zero;
    }
    return t;
}

LANE_INLINE real mixed_open_record(const mixed_through *t, int i, int j)
{
    return t->e[i][j];
}

LANE_INLINE spatial mixed_outboard(int kind, const mixed_link *link, const mixed_motion *m,
                                   const mixed_gain *gain, spatial reached)
{
    return mixed_accelerate(kind, link, m, gain, reached);
}

#endif

#endif
