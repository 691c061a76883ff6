/* The links of a mixed tree inward: to what their paths add to the links they hang on, and to their open ends, for
 * the LANE_WIDTH and the method of the including translation unit. */
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

/* What the paths of row k of kids add to the links they hang on. */
LANE_INLINE mixed_handle mixed_kid_share(const rct_mixed_sheaves *s, int64_t k)
{
    const double *share = mixed_records(s) + (int64_t)PATH_SHARE * MW;
    return mixed_handle_gather(share, s->kid + k * MW);
}

/* Add what hangs on the links of row g. */
LANE_INLINE void mixed_add_kids(const rct_mixed_sheaves *s, int64_t g, mixed_law *law)
{
    for (int64_t k = s->first_kid[g]; k < s->first_kid[g + 1]; k++) {
        const mixed_handle own = mixed_kid_share(s, k);
        mixed_law_add(law, &own);
    }
}

/* Add what hangs on the links of row g but along the path, and what acts on them, found with their motions; what acts at
 * the hinges is given back. */
LANE_INLINE void mixed_add_besides(const rct_mixed_sheaves *s, int64_t g, const double *own,
                                   mixed_law *law, real hinge[3])
{
    mixed_add_kids(s, g, law);
    hinge[0] = hinge[1] = hinge[2] = lane_set(0.0);
    if (mixed_row_has(s, g, HAS_ACTING)) {
        const double *load = own + (int64_t)(ROW_MOTION + KEEP_LOAD) * MW;
        mixed_law_add_load(law, spatial_load(load, MW));
        for (int i = 0; i < 3; i++) {
            hinge[i] = lane_load(load + (int64_t)(LOAD_HINGE + i) * MW);
        }
    }
}

/* Where paths begin in row g: leave what they add, and go on with nothing. */
LANE_INLINE void mixed_leave_share(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g,
                                   mixed_law *up)
{
    if (s->starts[g] != 0) {
        const mask starts = lane_bits(s->starts[g]);
        const mixed_handle none = mixed_none();
        const mixed_law nothing = mixed_law_of(&none);
        if (LANE_MEMBERS > 1 && !lane_all(starts)) {
            return; /* as mixed_begins, for fewer registers */
        }
        if (s->starts[g] != s->grounded[g]) { /* the ground takes nothing */
            double *share = mixed_path(s, sheaf) + (int64_t)PATH_SHARE * MW;
            const mixed_handle record = mixed_law_record(up), before = mixed_handle_load(share);
            const mixed_handle now = mixed_handle_select(starts, &record, &before);
            mixed_handle_store(share, &now);
        }
        *up = mixed_law_select(starts, &nothing, up);
    }
}

/* Links whose hinges are all of one type, with all that hangs on them, to what they ask of the links they hang on; with the
 * open end `t` unless NULL. `armed`: with rotors (constant). */
LANE_INLINE mask mixed_pass_alike(const rct_mixed_sheaves *s, int64_t g, int kind, int armed,
                                  const mixed_link *before, double *own, const real hinge[3],
                                  mixed_law *law, mixed_through *t, int gains)
{
    mixed_gain gain[MIXED_MOST_FREEDOMS];
    const mixed_link link = mixed_link_here(s, g, before);
    const mixed_motion m = mixed_recall(s, g, kind, &link, own + (int64_t)ROW_MOTION * MW);
    mixed_rotor rotor;
    if (armed) {
        rotor = mixed_row_rotor(s, g, kind, &link, &m);
    }
    mixed_law_add_body(law, &link, m.rate);
    const mask regular = mixed_cross(kind, &link, &m, armed ? &rotor : NULL, hinge, law, t, gain);
    if (gains) {
        mixed_gains_store(own + (int64_t)ROW_GAINS * MW, kind, gain, mixed_freedoms(kind));
    }
    if (t != NULL) {
        mixed_open_inboard(t, &m, mixed_vanishing(kind, armed));
    }
    mixed_inboard(law, &m, mixed_vanishing(kind, armed));
    return regular;
}

/* The same with rotors. */
LANE_APART mask mixed_pass_armed(const rct_mixed_sheaves *s, int64_t g, int kind, double *own,
                                 const real hinge[3], mixed_law *law, mixed_through *t, int gains)
{
    const mixed_link before = mixed_link_before(s, g);
    mask regular;
#define MIXED_STEP(TYPE)                                                                           \
    regular = mixed_pass_alike(s, g, TYPE, 1, &before, own, hinge, law, t, gains)
    MIXED_ROTOR_CASES(kind, MIXED_STEP)
#undef MIXED_STEP
    return regular;
}

/* The same where they are not. */
LANE_FUNCTION mask mixed_pass_unlike(const rct_mixed_sheaves *s, int64_t g, const mixed_link *link,
                                     double *own, const real hinge[3], mixed_law *law,
                                     mixed_through *t, int gains)
{
    mixed_gain gain[MIXED_MOST_FREEDOMS];
    const mixed_motion m = mixed_recall_all(own + (int64_t)ROW_MOTION * MW);
    mixed_law_add_body(law, link, m.rate);
    const mask regular = mixed_cross_unlike(s, g, link, &m, hinge, law, t, gain);
    if (gains) {
        mixed_gains_store(own + (int64_t)ROW_GAINS * MW, 0, gain, mixed_row_freedoms(s, g));
    }
    if (t != NULL) {
        mixed_open_inboard(t, &m, 0);
    }
    mixed_inboard(law, &m, 0);
    return regular;
}

/* Row g, with `law` on its links along the path, to what they ask of the links they hang on. `number`: where all that hangs
 * on them is one. */
LANE_INLINE mask mixed_pass(const rct_mixed_sheaves *s, int64_t g, double *own, mixed_law *law,
                            mixed_through *t, int gains, mask *number)
{
    const mixed_link before = mixed_link_before(s, g);
    real hinge[3];
    mask regular;
    mixed_add_besides(s, g, own, law, hinge);
    *number = lane_finite(mixed_law_trace(law));
    const int32_t kind = mixed_row_kind(s, g);
    if (mixed_row_unlike(kind)) {
        const mixed_link link = mixed_link_here(s, g, &before);
        return mixed_pass_unlike(s, g, &link, own, hinge, law, t, gains);
    }
    if (mixed_row_armed(s, g, kind)) {
        return mixed_pass_armed(s, g, kind, own, hinge, law, t, gains);
    }
#define MIXED_STEP(TYPE)                                                                           \
    regular = mixed_pass_alike(s, g, TYPE, 0, &before, own, hinge, law, t, gains)
    MIXED_CASES(kind, MIXED_STEP)
#undef MIXED_STEP
    return regular;
}

/* Note the links of row g whose pivots are not `regular`. One is a cause if what it carried was a `number` until
 * then; what it hangs on gets a law that is no number. */
LANE_FUNCTION void mixed_note_singular(mixed_sweep *w, int64_t g, mask regular, mask number,
                                       mixed_law *up)
{
    mixed_note(&w->fault, w->s, g, regular);
    mixed_note(&w->cause, w->s, g, regular | lane_not(number));
    mixed_law_spoil(up, regular);
}

/* ---- open ends ---------------------------------------------------------------------------- */

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
                                  mixed_open_record(t, i, j));
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

#endif
