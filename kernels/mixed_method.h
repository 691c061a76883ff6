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
                             const mixed_rotor *rotor, const real load[3], mixed_law *law,
                             mixed_through *t, mixed_gain *gain)
{
    return riccati_cross(kind, link, m, rotor, load, law, t, gain);
}

/* From beyond the hinge to the link inboard, its axes, about its origin. Of coordinates in `solved` (bits; constant),
 * abi knows that rows and columns are zero. */
LANE_INLINE void mixed_inboard(mixed_law *law, const mixed_motion *m, int solved)
{
    (void)solved;
    riccati_inboard(law, m);
}

LANE_INLINE void mixed_open_inboard(mixed_through *t, const mixed_motion *m, int solved)
{
    (void)solved;
    riccati_open_inboard(t, m);
}

/* A number if all of S is; and S made no number where a lane is not good. */
LANE_INLINE real mixed_law_trace(const mixed_law *law)
{
    const mat6 *s = &law->s;
    return (s->m[0][3] + s->m[1][4] + s->m[2][5]) - (s->m[3][0] + s->m[4][1] + s->m[5][2]);
}

LANE_INLINE void mixed_law_spoil(mixed_law *law, mask good)
{
    law->s.m[3][0] = lane_select(good, law->s.m[3][0], lane_set((double)NAN));
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
                                   const mixed_rotor *rotor, const mixed_gain *gain,
                                   spatial reached)
{
    return riccati_back(kind, link, m, rotor, gain, reached);
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
                             const mixed_rotor *rotor, const real load[3], mixed_law *law,
                             mixed_through *t, mixed_gain *gain)
{
    mixed_six x = mixed_six_of(law);
    const mask regular = mixed_eliminate(kind, link, m, rotor, load, &x, gain);
    if (t != NULL) {
        mixed_eliminate_through(kind, link, m, rotor, gain, t);
    }
    *law = mixed_handle_of(&x);
    return regular;
}

LANE_INLINE void mixed_inboard(mixed_law *law, const mixed_motion *m, int solved)
{
    *law = mixed_hand_over_but(law, m, solved);
}

LANE_INLINE real mixed_law_trace(const mixed_law *law)
{
    return (law->ll.xx + law->ll.yy + law->ll.zz) + (law->aa.xx + law->aa.yy + law->aa.zz);
}

LANE_INLINE void mixed_law_spoil(mixed_law *law, mask good)
{
    law->ll.xx = lane_select(good, law->ll.xx, lane_set((double)NAN));
}

/* E, h in the axes of the link inboard, about its origin. */
LANE_INLINE void mixed_open_inboard(mixed_through *t, const mixed_motion *m, int solved) /* 340 */
{
    const int l = solved & 7, a = solved >> 3;
    const mat3 q = m->turn;
    LANE_UNROLL
    for (int c = 0; c < 6; c++) {
        const vec3 el = {t->e[0][c], t->e[1][c], t->e[2][c]};
        const vec3 ea = {t->e[3][c], t->e[4][c], t->e[5][c]};
        const vec3 up = mat3_apply_but(q, el, 0, l);
        const vec3 turned = vec3_add(mat3_apply_but(q, ea, 0, a), vec3_cross(m->r, up));
        t->h[c] = t->h[c] + (dot_but(el, m->bias.l, l) + dot_but(ea, m->bias.a, a));
        t->e[0][c] = up.x, t->e[1][c] = up.y, t->e[2][c] = up.z;
        t->e[3][c] = turned.x, t->e[4][c] = turned.y, t->e[5][c] = turned.z;
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
                                   const mixed_rotor *rotor, const mixed_gain *gain,
                                   spatial reached)
{
    return mixed_accelerate(kind, link, m, rotor, gain, reached);
}

#endif

#endif
