/* One column of an open end (kernels/records/columns.h) past one link. Before, E is what a row of J
 * takes from the acceleration of the link; it becomes what the row takes from the acceleration that
 * reaches the link. The row also takes rates of the hinge, by factors (wide_step.h):
 *
 *     A_k = y - g . A + E_k l / S_kk          u'_k = A_k - R_k, R what reaches the link
 *     E' = E - g E_k, at k -tau_k             h' = h + E_k y          E_k with tau_k, the factor along k
 *
 * Abi solves the coordinates of a hinge one after the other, each in what is left of E. Riccati
 * solves them at once, with rows of B for g and of C^-1 for 1 / S_kk (riccati_hinge.h). Gains are
 * in the order in which coordinates are solved. */
#ifndef RCT_KERNELS_LAWS_COLUMN_STEP_H
#define RCT_KERNELS_LAWS_COLUMN_STEP_H

#include "kernels/laws/wide_method.h"
#include "kernels/records/columns.h"
#include "kernels/records/sheaves.h"

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

/* The factor along the coordinate solved at place i; NULL: there is none. */
LANE_INLINE real column_own(int kind, int i, const link_lanes *link, const hinge_rotor *rotor,
                            const real *factor)
{
    return factor != NULL ? hinge_tau(kind, i, link, rotor, factor) : lane_set(0.0);
}

/* E becomes E', coordinate after coordinate. */
LANE_INLINE void column_solve_in_turn(int kind, const link_lanes *link, const link_motion *m,
                                      const hinge_rotor *rotor, const six_gain *gain,
                                      const real *factor, loop_column *c, real *solved)
{
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        const int k = hinge_solved(kind, i);
        if (kind == RCT_HINGE_UNIVERSAL && i == 1) {
            column_turn(c, AX, m->c, -m->s);
        }
        const real own = column_own(kind, i, link, rotor, factor);
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
}

/* E becomes E', all coordinates at once. */
LANE_INLINE void column_solve_at_once(int kind, const link_lanes *link, const link_motion *m,
                                      const hinge_rotor *rotor, const six_gain *gain,
                                      const real *factor, loop_column *c, real *solved)
{
    if (kind == RCT_HINGE_UNIVERSAL) {
        column_turn(c, AX, m->c, -m->s);
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        const int k = hinge_solved(kind, i);
        const real own = column_own(kind, i, link, rotor, factor);
        solved[i] = c->e[k] + own;
        c->e[k] = -own;
        c->h = c->h + solved[i] * gain[i].y;
        c->terms = c->terms + lane_abs(solved[i] * gain[i].y);
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        LANE_UNROLL
        for (int j = 0; j < 6; j++) {
            c->e[j] = c->e[j] - gain[i].g[j] * solved[i];
        }
    }
}

/* Past the hinge; what its coordinates take of the column goes to `solved`. `factor`: of its rates,
 * those of planar hinges in link axes, or NULL. */
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
    if (WIDE_AT_ONCE) {
        column_solve_at_once(kind, link, m, rotor, gain, factor, c, solved);
    } else {
        column_solve_in_turn(kind, link, m, rotor, gain, factor, c, solved);
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

/* ---- what solves a hinge ------------------------------------------------------------------ *
 *
 * Rows of C^-1, or on its diagonal 1 / S_kk of coordinates that are solved one after the other
 * (COLUMN_PIVOTS). */

LANE_INLINE double *column_pivot(double *pivots, int i, int m)
{
    return pivots + (int64_t)(MOST_FREEDOMS * i + m) * ROW;
}

LANE_INLINE int column_pivots_begin(int i)
{
    return WIDE_AT_ONCE ? 0 : i;
}

LANE_INLINE int column_pivots_end(int i, int freedoms)
{
    return WIDE_AT_ONCE ? freedoms : i + 1;
}

/* Stores in the lanes `where`, or in all if these are `alike`. */
LANE_INLINE void column_store(int alike, mask where, double *to, real x)
{
    lane_store(to, alike ? x : lane_select(where, x, lane_load(to)));
}

/* Keeps the pivots from the gains of a row, for the lanes `where`. `most`: the most that a single
 * coordinate gives, among those that slide and those that turn. */
LANE_INLINE void column_keep_pivots(int kind, const double *gains, int alike, mask where,
                                    double *pivots, real most[2])
{
    const int freedoms = hinge_freedoms(kind);
    most[0] = most[1] = lane_set(0.0);
    for (int i = 0; i < freedoms; i++) {
        for (int m = column_pivots_begin(i); m < column_pivots_end(i, freedoms); m++) {
            const real pivot =
                lane_load(gains + (int64_t)(ROW_GAIN_FIELDS * i + hinge_solved(kind, m)) * ROW);
            column_store(alike, where, column_pivot(pivots, i, m), pivot);
            real *own = &most[hinge_solved(kind, i) >= AX];
            *own = m == i ? lane_select(lane_greater(pivot, *own), pivot, *own) : *own;
        }
    }
}

/* The most that these coordinates could give to a wrench and to factors of rates right at the
 * hinge, with arms whose squared length is `square`. */
LANE_INLINE real column_ready(int kind, const real e[6], const real *factor, const real most[2],
                              real square)
{
    real size = lane_set(0.0), give = most[1];
    for (int i = 0; i < 6; i++) {
        size = size + (i < AX ? square * (e[i] * e[i]) : e[i] * e[i]);
    }
    for (int i = 0; i < hinge_freedoms(kind) && factor != NULL; i++) {
        const int slides = kind == RCT_HINGE_PLANAR ? i < 2 : hinge_solved(kind, i) < AX;
        size = size + (slides ? square * (factor[i] * factor[i]) : factor[i] * factor[i]);
    }
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        if (hinge_solved(kind, i) < AX) {
            const real slide = lane_quotient(most[0], square);
            give = lane_select(lane_greater(slide, give), slide, give);
        }
    }
    return size * give;
}

/* What a multiplier of 1 on a column gives to coordinate i, where coordinates take `solved` of the
 * column. */
LANE_INLINE real column_given(int freedoms, double *pivots, const double *solved, int i)
{
    const int first = column_pivots_begin(i);
    real sum = lane_load(solved + (int64_t)first * ROW) * lane_load(column_pivot(pivots, i, first));
    for (int m = first + 1; m < column_pivots_end(i, freedoms); m++) {
        sum = sum + lane_load(solved + (int64_t)m * ROW) * lane_load(column_pivot(pivots, i, m));
    }
    return sum;
}

/* What `freedoms` coordinates give to column b for a multiplier of 1, to `gains`; and what they add to
 * its psi with the columns up to it. `solved`: of the first column. */
LANE_INLINE void column_meet(int freedoms, double *pivot, const double *solved, int64_t b,
                             double *gains, double *psi)
{
    const int64_t next = (int64_t)COLUMN_SCRATCH * ROW;
    for (int i = 0; i < freedoms; i++) {
        const double *other = solved + (int64_t)i * ROW;
        const real given = column_given(freedoms, pivot, solved + b * next, i);
        lane_store(gains + (int64_t)i * ROW, given);
        for (int64_t a = 0; a <= b; a++, other += next) {
            double *to = psi + a * ROW;
            lane_store(to, lane_load(to) + lane_load(other) * given);
        }
    }
}

/* h takes what the row takes of the acceleration a. */
LANE_INLINE void column_gather(spatial a, loop_column *c)
{
    const spatial e = six_unlist(c->e);
    const real given = vec3_dot(e.l, a.l) + vec3_dot(e.a, a.a);
    c->h = c->h + given;
    c->terms = c->terms + lane_abs(given);
}

/* From what reaches the link to the acceleration of the link it hangs on, in that link's axes,
 * about its origin. */
LANE_INLINE void column_inboard(const link_motion *m, loop_column *c)
{
    const spatial e = six_unlist(c->e);
    const vec3 l = mat3_apply(m->turn, e.l);
    six_list((spatial){l, vec3_add(mat3_apply(m->turn, e.a), vec3_cross(m->r, l))}, c->e);
}

#endif
