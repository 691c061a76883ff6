/* The links of a mixed tree inward: to what their paths add to the links they hang on, and to their open ends. Abi
 * method, for the LANE_WIDTH of the including translation unit. */
#ifndef RCT_KERNELS_MIXED_INWARD_H
#define RCT_KERNELS_MIXED_INWARD_H

#include "kernels/mixed_frames.h"

/* Add what hangs on the links of row g. */
LANE_INLINE void mixed_add_kids(const rct_mixed_sheaves *s, int64_t g, mixed_handle *h)
{
    for (int64_t k = s->first_kid[g]; k < s->first_kid[g + 1]; k++) {
        const int32_t *place = s->kid + k * MW;
        double share[PATH_HANDLE_FIELDS * MW];
        for (int f = 0; f < PATH_HANDLE_FIELDS; f++) {
            lane_store(share + (int64_t)f * MW,
                       lane_gather(s->paths + (int64_t)(PATH_SHARE + f) * MW, place));
        }
        const mixed_handle own = mixed_handle_load(share);
        mixed_add(h, &own);
    }
}

/* Add what hangs on the links of row g but along the path, and the loads; those at the hinges are given back. */
LANE_INLINE void mixed_add_besides(const rct_mixed_sheaves *s, int64_t g, mixed_handle *out,
                                   real hinge[3])
{
    mixed_add_kids(s, g, out);
    hinge[0] = hinge[1] = hinge[2] = lane_set(0.0);
    if (s->loads != NULL) {
        const double *load = s->loads + g * LOAD_FIELDS * MW;
        mixed_add_load(out, spatial_load(load, MW));
        for (int i = 0; i < 3; i++) {
            hinge[i] = lane_load(load + (int64_t)(LOAD_HINGE + i) * MW);
        }
    }
}

/* Where paths begin in row g: leave what they add, and go on with nothing. */
LANE_INLINE void mixed_leave_share(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g,
                                   mixed_handle *up)
{
    if (s->starts[g] != 0) {
        const mask starts = lane_bits(s->starts[g]);
        const mixed_handle none = mixed_none();
        if (s->starts[g] != s->grounded[g]) { /* the ground takes nothing */
            double *share = mixed_path(s, sheaf) + (int64_t)PATH_SHARE * MW;
            const mixed_handle before = mixed_handle_load(share);
            const mixed_handle now = mixed_handle_select(starts, up, &before);
            mixed_handle_store(share, &now);
        }
        *up = mixed_handle_select(starts, &none, up);
    }
}

/* Links whose hinges are all of one type, with `out` on them, to what they ask of the links they hang on. */
LANE_INLINE mixed_handle mixed_pass_alike(const rct_mixed_sheaves *s, int64_t g, int kind,
                                          const mixed_link *link, double *own, const real hinge[3],
                                          mixed_handle out, int gains, mask *regular)
{
    mixed_gain gain[MIXED_MOST_FREEDOMS];
    const mixed_motion m = mixed_recall(s, g, kind, link, own + (int64_t)ROW_MOTION * MW);
    mixed_add_body(&out, link, m.rate);
    mixed_six x = mixed_six_of(&out);
    *regular = mixed_eliminate(kind, link, &m, hinge, &x, NULL, gain);
    if (gains) {
        mixed_gains_store(own + (int64_t)ROW_GAINS * MW, gain, mixed_freedoms(kind));
    }
    const mixed_handle beyond = mixed_handle_of(&x);
    return mixed_hand_over_but(&beyond, &m, mixed_vanishing(kind));
}

/* The same where they are not. */
LANE_FUNCTION mixed_handle mixed_pass_unlike(const rct_mixed_sheaves *s, int64_t g,
                                             const mixed_link *link, double *own,
                                             const real hinge[3], mixed_handle out, int gains,
                                             mask *regular)
{
    mixed_gain gain[MIXED_MOST_FREEDOMS];
    const mixed_motion m = mixed_recall_all(own + (int64_t)ROW_MOTION * MW);
    mixed_add_body(&out, link, m.rate);
    mixed_six x = mixed_six_of(&out);
    *regular = mixed_eliminate_unlike(s->kind_lanes + (int64_t)(~s->kinds[g]) * RCT_HINGE_TYPES,
                                      link, &m, hinge, &x, NULL, gain);
    if (gains) {
        mixed_gains_store(own + (int64_t)ROW_GAINS * MW, gain, mixed_row_freedoms(s, g));
    }
    const mixed_handle beyond = mixed_handle_of(&x);
    return mixed_hand_over(&beyond, &m);
}

LANE_FUNCTION real mixed_trace(const mixed_handle *h)
{
    return (h->ll.xx + h->ll.yy + h->ll.zz) + (h->aa.xx + h->aa.yy + h->aa.zz);
}

/* Row g, with `out` on its links along the path, to what they ask of the links they hang on. `trace`: of all that hangs on
 * them. */
LANE_INLINE mixed_handle mixed_pass(const rct_mixed_sheaves *s, int64_t g, double *own,
                                    mixed_handle out, int gains, mask *regular, real *trace)
{
    const mixed_link link = mixed_row_link(s, g);
    real hinge[3];
    mixed_add_besides(s, g, &out, hinge);
    *trace = mixed_trace(&out);
    if (s->kinds[g] < 0) {
        return mixed_pass_unlike(s, g, &link, own, hinge, out, gains, regular);
    }
#define MIXED_STEP(TYPE) out = mixed_pass_alike(s, g, TYPE, &link, own, hinge, out, gains, regular)
    MIXED_CASES(s->kinds[g], MIXED_STEP)
#undef MIXED_STEP
    return out;
}

/* Note the links of row g whose pivots are not `regular`. One is a cause if what it carried was a number, `trace`, until
 * then; what it hangs on gets `up` that is no number. */
LANE_FUNCTION void mixed_note_singular(operator_sweep *w, int64_t g, mask regular, real trace,
                                       mixed_handle *up)
{
    const mask number = lane_finite(trace);
    mixed_note(&w->fault, w->s, g, SWEEP_SINGULAR, regular);
    mixed_note(&w->cause, w->s, g, SWEEP_SINGULAR, regular | lane_not(number));
    up->ll.xx = lane_select(regular, up->ll.xx, lane_set((double)NAN));
}

/* One sheaf inward, from what hangs on its outermost links. */
LANE_INLINE void mixed_inward(operator_sweep *w, int32_t sheaf, mixed_handle out, int gains)
{
    const rct_mixed_sheaves *s = w->s;
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        mask regular;
        real trace;
        out = mixed_pass(s, g, mixed_scratch_row(w, g), out, gains, &regular, &trace);
        if (!lane_all(regular)) {
            mixed_note_singular(w, g, regular, trace, &out);
        }
        mixed_leave_share(s, sheaf, g, &out);
    }
}

/* ---- open ends ---------------------------------------------------------------------------- */

/* E, h in the axes of the link inboard, about its origin; rows of E in `solved` (bits; constant) are zero. */
LANE_INLINE void mixed_through_hand_over(mixed_through *t, const mixed_motion *m,
                                         int solved) /* 340 */
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

/* Where segments begin in row g: their open ends to the records. */
LANE_INLINE void mixed_leave_end(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g,
                                 const mixed_through *t)
{
    if (s->starts[g] != 0) {
        const mask starts = lane_bits(s->starts[g]);
        double *path = mixed_path(s, sheaf);
        double *psi = path + (int64_t)PATH_COMPLIANCE * MW;
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                mixed_store_where(starts, path + (int64_t)(PATH_THROUGH + 6 * i + j) * MW,
                                  t->e[i][j]);
            }
            mixed_store_where(starts, path + (int64_t)(PATH_FREE + i) * MW, t->h[i]);
            for (int j = i; j < 6; j++, psi += MW) {
                mixed_store_where(starts, psi, t->psi[i][j]);
            }
        }
    }
}

/* What stands in on the outboard ends of segments. */
LANE_INLINE mixed_handle mixed_stand_in(const double *path)
{
    const real m = lane_load(path + (int64_t)PATH_STAND_IN * MW);
    const real j = lane_load(path + (int64_t)(PATH_STAND_IN + 1) * MW);
    mixed_handle out = mixed_none();
    out.ll.xx = out.ll.yy = out.ll.zz = m;
    out.aa.xx = out.aa.yy = out.aa.zz = j;
    return out;
}

/* Links whose hinges are all of one type, with `out` on them and the open end beyond: as mixed_pass_alike. */
LANE_INLINE mixed_handle mixed_pass_open(const rct_mixed_sheaves *s, int64_t g, int kind,
                                         const mixed_link *link, const double *own,
                                         const real hinge[3], mixed_handle out, mixed_through *t,
                                         mask *regular)
{
    mixed_gain gain[MIXED_MOST_FREEDOMS];
    const mixed_motion m = mixed_recall(s, g, kind, link, own + (int64_t)ROW_MOTION * MW);
    mixed_add_body(&out, link, m.rate);
    mixed_six x = mixed_six_of(&out);
    *regular = mixed_eliminate(kind, link, &m, hinge, &x, t, gain);
    const mixed_handle beyond = mixed_handle_of(&x);
    mixed_through_hand_over(t, &m, mixed_vanishing(kind));
    return mixed_hand_over_but(&beyond, &m, mixed_vanishing(kind));
}

/* The same where they are not. */
LANE_FUNCTION mixed_handle mixed_pass_open_unlike(const rct_mixed_sheaves *s, int64_t g,
                                                  const mixed_link *link, const double *own,
                                                  const real hinge[3], mixed_handle out,
                                                  mixed_through *t, mask *regular)
{
    mixed_gain gain[MIXED_MOST_FREEDOMS];
    const mixed_motion m = mixed_recall_all(own + (int64_t)ROW_MOTION * MW);
    mixed_add_body(&out, link, m.rate);
    mixed_six x = mixed_six_of(&out);
    *regular = mixed_eliminate_unlike(s->kind_lanes + (int64_t)(~s->kinds[g]) * RCT_HINGE_TYPES,
                                      link, &m, hinge, &x, t, gain);
    const mixed_handle beyond = mixed_handle_of(&x);
    mixed_through_hand_over(t, &m, 0);
    return mixed_hand_over(&beyond, &m);
}

/* Segments inward with both handles. */
LANE_INLINE void mixed_inward_open(operator_sweep *w, int32_t sheaf)
{
    const rct_mixed_sheaves *s = w->s;
    mixed_handle out = mixed_stand_in(mixed_path(s, sheaf));
    mixed_through t = mixed_open();
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        const mixed_link link = mixed_row_link(s, g);
        const double *own = mixed_scratch_row(w, g);
        real hinge[3];
        mask regular;
        mixed_add_besides(s, g, &out, hinge);
        const real trace = mixed_trace(&out);
        if (s->kinds[g] < 0) {
            out = mixed_pass_open_unlike(s, g, &link, own, hinge, out, &t, &regular);
        } else {
#define MIXED_STEP(TYPE) out = mixed_pass_open(s, g, TYPE, &link, own, hinge, out, &t, &regular)
            MIXED_CASES(s->kinds[g], MIXED_STEP)
#undef MIXED_STEP
        }
        if (!lane_all(regular)) {
            mixed_note_singular(w, g, regular, trace, &out);
        }
        mixed_leave_end(s, sheaf, g, &t);
        mixed_leave_share(s, sheaf, g, &out);
    }
}

#endif
