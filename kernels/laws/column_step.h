/* One column of an open end (kernels/records/columns.h) past one link: a row of J as it takes from the acceleration of the link,
 * E, becomes what it takes from what reaches the link, and of a hinge it takes rates besides, by factors (wide_step.h):
 *
 *     A_k = y - g . A + E_k l / S_kk          u'_k = A_k - R_k, R what reaches the link
 *     E' = E - g E_k, at k -tau_k             h' = h + E_k y          E_k with tau_k, the factor along k
 *
 * It asks for the gains of abi; those of a hinge are in the order in which its coordinates are solved. */
#ifndef RCT_KERNELS_LAWS_COLUMN_STEP_H
#define RCT_KERNELS_LAWS_COLUMN_STEP_H

#include "kernels/laws/hinge.h"

typedef struct loop_column {
    real e[6];
    real h, terms; /* and the sum of its absolute terms */
} loop_column;

LANE_INLINE void column_shear(loop_column *c, int k, int j, real p)
{
    c->e[j] = c->e[j] + p * c->e[k];
}

LANE_INLINE void column_turn(loop_column *c, int i, real cosine, real sine)
{
    const real a = c->e[i], b = c->e[i + 1];
    c->e[i] = cosine * a + sine * b;
    c->e[i + 1] = cosine * b - sine * a;
}

LANE_INLINE void column_to_rates(int kind, loop_column *c, const hinge_rotor *r, int way)
{
    const real p = way > 0 ? r->shear : -r->shear;
    if (kind == RCT_HINGE_UNIVERSAL) {
        column_shear(c, AZ, AX, p * r->c);
        column_shear(c, AZ, AY, -(p * r->s));
    }
    if (kind == RCT_HINGE_PLANAR) {
        column_turn(c, LX, r->c, way > 0 ? -r->s : r->s);
    }
}

/* Past the hinge; what its coordinates take of it goes to `solved`. `factor` of its rates, those of planar hinges in link axes, or
 * NULL. */
LANE_INLINE void column_cross(int kind, const link_lanes *link, const link_motion *m,
                              const hinge_rotor *rotor, const six_gain *gain, const real *factor,
                              loop_column *c, real *solved)
{
    if (kind == RCT_HINGE_HELICAL) {
        column_shear(c, LZ, AZ, link->parameter[0]);
    }
    if (rotor != NULL) {
        column_to_rates(kind, c, rotor, 1);
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        const int k = hinge_solved(kind, i);
        if (kind == RCT_HINGE_UNIVERSAL && i == 1) {
            column_turn(c, AX, m->c, -m->s);
        }
        const real own = factor != NULL ? hinge_tau(kind, i, link, rotor, factor) : lane_set(0.0);
        const real row = c->e[k] + own;
        solved[i] = row;
        c->h = c->h + row * gain[i].y;
        c->terms = c->terms + lane_abs(row * gain[i].y);
        LANE_UNROLL
        for (int j = 0; j < 6; j++) {
            c->e[j] = j == k ? (rotor != NULL ? -(gain[i].g[j] * row) - own : -own)
                             : c->e[j] - gain[i].g[j] * row;
        }
    }
    if (kind == RCT_HINGE_HELICAL) {
        column_shear(c, LZ, AZ, -link->parameter[0]);
    }
    if (kind == RCT_HINGE_UNIVERSAL) {
        column_turn(c, AX, m->c, m->s);
    }
    if (rotor != NULL) {
        column_to_rates(kind, c, rotor, -1);
    }
}

/* From what reaches the link to the acceleration of the link it hangs on, in the axes of that, about its origin. */
LANE_INLINE void column_inboard(const link_motion *m, loop_column *c)
{
    const spatial e = six_unlist(c->e);
    const real given = vec3_dot(e.l, m->bias.l) + vec3_dot(e.a, m->bias.a);
    c->h = c->h + given;
    c->terms = c->terms + lane_abs(given);
    const vec3 l = mat3_apply(m->turn, e.l);
    six_list((spatial){l, vec3_add(mat3_apply(m->turn, e.a), vec3_cross(m->r, l))}, c->e);
}

#endif
