/* What the sweeps of trees ask of a method: the law of what is below a point, S and e, and how it
 * passes from row to row, across links and hinges, with the open end of a segment. The method is
 * abi, or riccati where METHOD_RICCATI is defined, as LANE_WIDTH is, before the includes of a
 * translation unit. Gains of both mean z_k = y - g . z for the coordinates k that a hinge leaves
 * free; records of paths (sheaves.h) are the same.
 */
#ifndef RCT_KERNELS_LAWS_WIDE_METHOD_H
#define RCT_KERNELS_LAWS_WIDE_METHOD_H

#ifdef METHOD_RICCATI
#include "kernels/laws/riccati_hinge.h"

/* The coordinates of a hinge are solved at once. */
enum { WIDE_AT_ONCE = 1 };

typedef riccati wide_law;

LANE_INLINE wide_law wide_law_of(const wide_handle *record)
{
    return riccati_of_record(record);
}

LANE_INLINE wide_handle wide_law_record(const wide_law *law)
{
    return riccati_record(law);
}

LANE_INLINE wide_law wide_law_select(mask where, const wide_law *a, const wide_law *b)
{
    wide_law out;
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

LANE_INLINE void wide_law_add(wide_law *law, const wide_handle *record)
{
    const riccati more = riccati_of_record(record);
    riccati_add(law, &more);
}

LANE_INLINE void wide_law_add_body(wide_law *law, const link_lanes *link, vec3 w)
{
    riccati_cross_mass(law, link, w);
}

LANE_INLINE void wide_law_add_load(wide_law *law, spatial load)
{
    riccati_add_load(law, load);
}

/* Solve a hinge: the law, and `t` unless NULL, become those beyond it. */
LANE_INLINE mask wide_cross(int kind, const link_lanes *link, const link_motion *m,
                            const hinge_rotor *rotor, const real load[3], wide_law *law,
                            wide_through *t, six_gain *gain)
{
    return riccati_cross(kind, link, m, rotor, load, law, t, gain);
}

/* From beyond the hinge to the link inboard, its axes, about its origin. Coordinates in `solved`
 * (bits; constant) have known zeros. */
LANE_INLINE void wide_inboard(wide_law *law, const link_motion *m, int solved)
{
    riccati_inboard(law, m, solved);
}

LANE_INLINE void wide_open_inboard(wide_through *t, const link_motion *m, int solved)
{
    riccati_open_inboard(t, m, solved);
}

/* A finite number only if all of S is finite; and S spoilt by NaN in lanes that are not good. */
LANE_INLINE real wide_law_trace(const wide_law *law)
{
    const mat6 *s = &law->s;
    return (s->m[0][3] + s->m[1][4] + s->m[2][5]) - (s->m[3][0] + s->m[4][1] + s->m[5][2]);
}

LANE_INLINE void wide_law_spoil(wide_law *law, mask good)
{
    law->s.m[3][0] = lane_select(good, law->s.m[3][0], lane_set((double)NAN));
}

LANE_INLINE wide_through wide_open(void)
{
    return riccati_open_end();
}

/* E_ij as records have it */
LANE_INLINE real wide_open_record(const wide_through *t, int i, int j)
{
    return riccati_through(t, i, j);
}

LANE_INLINE spatial wide_outboard(int kind, const link_lanes *link, const link_motion *m,
                                  const hinge_rotor *rotor, const six_gain *gain, spatial reached)
{
    return riccati_back(kind, link, m, rotor, gain, reached);
}

#else

/* The coordinates of a hinge are solved one after the other. */
enum { WIDE_AT_ONCE = 0 };

#ifdef LANE_ROWS
#include "kernels/laws/wide_rows.h"
#else
#include "kernels/laws/hinge.h"

typedef wide_handle wide_law;

LANE_INLINE wide_law wide_law_of(const wide_handle *record)
{
    return *record;
}

LANE_INLINE wide_handle wide_law_record(const wide_law *law)
{
    return *law;
}

LANE_INLINE wide_law wide_law_select(mask where, const wide_law *a, const wide_law *b)
{
    return wide_handle_select(where, a, b);
}

LANE_INLINE void wide_law_add(wide_law *law, const wide_handle *record)
{
    wide_add(law, record);
}

LANE_INLINE void wide_law_add_body(wide_law *law, const link_lanes *link, vec3 w)
{
    wide_add_body(law, link, w);
}

LANE_INLINE void wide_law_add_load(wide_law *law, spatial load)
{
    wide_add_load(law, load);
}

LANE_INLINE mask wide_cross(int kind, const link_lanes *link, const link_motion *m,
                            const hinge_rotor *rotor, const real load[3], wide_law *law,
                            wide_through *t, six_gain *gain)
{
    six x = six_of(law);
    const mask regular = hinge_eliminate(kind, link, m, rotor, load, &x, gain);
    if (t != NULL) {
        hinge_eliminate_through(kind, link, m, rotor, gain, t);
    }
    *law = six_handle(&x);
    return regular;
}

LANE_INLINE void wide_inboard(wide_law *law, const link_motion *m, int solved)
{
    *law = wide_hand_over_but(law, m, solved);
}

LANE_INLINE real wide_law_trace(const wide_law *law)
{
    return (law->ll.xx + law->ll.yy + law->ll.zz) + (law->aa.xx + law->aa.yy + law->aa.zz);
}

LANE_INLINE void wide_law_spoil(wide_law *law, mask good)
{
    law->ll.xx = lane_select(good, law->ll.xx, lane_set((double)NAN));
}

#endif

/* E, h in the axes of the link inboard, about its origin. */
LANE_INLINE void wide_open_inboard(wide_through *t, const link_motion *m, int solved) /* 340 */
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

LANE_FUNCTION wide_through wide_open(void)
{
    const real zero = lane_set(0.0);
    wide_through t;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            t.e[i][j] = lane_set(i == j ? 1.0 : 0.0);
            t.psi[i][j] = zero;
        }
        t.h[i] = zero;
    }
    return t;
}

LANE_INLINE real wide_open_record(const wide_through *t, int i, int j)
{
    return t->e[i][j];
}

LANE_INLINE spatial wide_outboard(int kind, const link_lanes *link, const link_motion *m,
                                  const hinge_rotor *rotor, const six_gain *gain, spatial reached)
{
    return hinge_accelerate(kind, link, m, rotor, gain, reached);
}

#endif

LANE_INLINE wide_law wide_law_none(void)
{
    const wide_handle none = wide_none();
    return wide_law_of(&none);
}

#endif
