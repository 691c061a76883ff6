/* The links of a mixed tree inward: to what their paths add to the links they hang on, and to their open ends. Abi
 * method, for the LANE_WIDTH of the including translation unit. */
#ifndef RCT_KERNELS_MIXED_INWARD_H
#define RCT_KERNELS_MIXED_INWARD_H

#include "kernels/mixed_frames.h"

/* A handle from where each lane has it. */
LANE_INLINE mixed_handle mixed_handle_gather(const double *from, const int32_t *place)
{
    real f[PATH_HANDLE_FIELDS];
    LANE_UNROLL_ALL
    for (int i = 0; i < PATH_HANDLE_FIELDS; i++) {
        f[i] = lane_gather(from + (int64_t)i * MW, place);
    }
    return (mixed_handle){{f[0], f[1], f[2], f[3], f[4], f[5]},
                          {f[6], f[7], f[8], f[9], f[10], f[11], f[12], f[13], f[14]},
                          {f[15], f[16], f[17], f[18], f[19], f[20]},
                          {{f[21], f[22], f[23]}, {f[24], f[25], f[26]}}};
}

/* Add what hangs on the links of row g. */
LANE_INLINE void mixed_add_kids(const rct_mixed_sheaves *s, int64_t g, mixed_handle *h)
{
    for (int64_t k = s->first_kid[g]; k < s->first_kid[g + 1]; k++) {
        const int32_t *place = s->kid + k * MW;
        const double *share = mixed_records(s) + (int64_t)PATH_SHARE * MW;
        const mixed_handle own = mixed_handle_gather(share, place);
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
    if (mixed_begins(s, g)) {
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
    *regular = mixed_eliminate(kind, link, &m, hinge, &x, gain);
    if (gains) {
        mixed_gains_store(own + (int64_t)ROW_GAINS * MW, kind, gain, mixed_freedoms(kind));
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
        mixed_gains_store(own + (int64_t)ROW_GAINS * MW, 0, gain, mixed_row_freedoms(s, g));
    }
    const mixed_handle beyond = mixed_handle_of(&x);
    return mixed_hand_over(&beyond, &m);
}

/* Row g, with `out` on its links along the path, to what they ask of the links they hang on. */
LANE_INLINE mixed_handle mixed_pass(const rct_mixed_sheaves *s, int64_t g, double *own,
                                    mixed_handle out, int gains, mask *regular)
{
    const mixed_link link = mixed_row_link(s, g);
    real hinge[3];
    mixed_add_besides(s, g, &out, hinge);
    if (mixed_row_unlike(mixed_row_kind(s, g))) {
        return mixed_pass_unlike(s, g, &link, own, hinge, out, gains, regular);
    }
#define MIXED_STEP(TYPE) out = mixed_pass_alike(s, g, TYPE, &link, own, hinge, out, gains, regular)
    MIXED_CASES(mixed_row_kind(s, g), MIXED_STEP)
#undef MIXED_STEP
    return out;
}

/* One sheaf inward, from what hangs on its outermost links. */
LANE_INLINE void mixed_inward(operator_sweep *w, int32_t sheaf, mixed_handle out, int gains)
{
    const rct_mixed_sheaves *s = w->s;
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        mask regular;
        out = mixed_pass(s, g, mixed_scratch_row(w, g), out, gains, &regular);
        if (!lane_all(regular)) {
            mixed_note(w, g, SWEEP_SINGULAR, regular);
        }
        mixed_leave_share(s, sheaf, g, &out);
        lane_meet(); /* paths of one sheaf may hang on one another */
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
    if (mixed_begins(s, g)) {
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
    *regular = mixed_eliminate(kind, link, &m, hinge, &x, gain);
    mixed_eliminate_through(kind, link, &m, gain, t);
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
        if (s->kinds[g] < 0) {
            out = mixed_pass_open_unlike(s, g, &link, own, hinge, out, &t, &regular);
        } else {
#define MIXED_STEP(TYPE) out = mixed_pass_open(s, g, TYPE, &link, own, hinge, out, &t, &regular)
            MIXED_CASES(s->kinds[g], MIXED_STEP)
#undef MIXED_STEP
        }
        if (!lane_all(regular)) {
            mixed_note(w, g, SWEEP_SINGULAR, regular);
        }
        mixed_leave_end(s, sheaf, g, &t);
        mixed_leave_share(s, sheaf, g, &out);
    }
}

#endif
