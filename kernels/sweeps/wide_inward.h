/* The links of a tree inward, to what their paths add to the links they hang on, and to their open
 * ends, for the LANE_WIDTH and the method of the including translation unit. */
#ifndef RCT_KERNELS_SWEEPS_WIDE_INWARD_H
#define RCT_KERNELS_SWEEPS_WIDE_INWARD_H

#include "kernels/sweeps/frames.h"

/* ---- forces at hinges ----------------------------------------------------------------------- */

/* Whether hinge forces are wanted. */
LANE_INLINE int row_asks_forces(const rct_sheaves *s)
{
    return LANE_MEMBERS == 1 && s->forces != NULL;
}

/* The accelerations of the links of row g, from earlier results. */
LANE_INLINE spatial row_result(const rct_sheaves *s, int64_t g)
{
    return spatial_load(s->results + s->result_at[g] * ROW, ROW);
}

/* Lanes in which the links of row g are on ball hinges. */
LANE_INLINE mask row_balls(const rct_sheaves *s, int64_t g)
{
    const int kind = s->kinds[g];
    const int32_t unlike =
        kind >= 0 ? 0 : s->kind_lanes[(int64_t)~kind * RCT_HINGE_TYPES + RCT_HINGE_BALL];
    return lane_bits(kind == RCT_HINGE_BALL ? -1 : unlike);
}

/* Forces on the links of row g, link axes, as they are stored: in inertial axes where the state has
 * the turn of the link. */
LANE_INLINE spatial row_force_shown(const rct_sheaves *s, int64_t g, spatial force)
{
    const mask balls = row_balls(s, g);
    if (lane_all(lane_not(balls))) {
        return force;
    }
    const mat3 turn = quat_rotation(quat_load(s->state + s->state_at[g] * ROW, ROW));
    const spatial turned = {mat3_apply(turn, force.l), mat3_apply(turn, force.a)};
    return spatial_select(balls, turned, force);
}

/* Stores the forces of row g among those of all links. */
LANE_INLINE void row_leave_force(const rct_sheaves *s, int64_t g, spatial force)
{
    double left[6 * LANE_WIDTH];
    spatial_store(left, LANE_WIDTH, row_force_shown(s, g, force));
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int64_t label = s->label[g * ROW + l];
        for (int i = 0; i < 6 && label >= 0; i++) {
            s->forces[6 * label + i] = left[i * LANE_WIDTH + l];
        }
    }
}

/* ---- links --------------------------------------------------------------------------------- */

/* A handle from each lane's own place. */
LANE_INLINE wide_handle wide_handle_gather(const double *from, const int32_t *place)
{
    real f[PATH_HANDLE_FIELDS];
    LANE_UNROLL_ALL
    for (int i = 0; i < PATH_HANDLE_FIELDS; i++) {
        f[i] = lane_gather(from + (int64_t)i * ROW, place);
    }
    return (wide_handle){{f[0], f[1], f[2], f[3], f[4], f[5]},
                         {f[6], f[7], f[8], f[9], f[10], f[11], f[12], f[13], f[14]},
                         {f[15], f[16], f[17], f[18], f[19], f[20]},
                         {{f[21], f[22], f[23]}, {f[24], f[25], f[26]}}};
}

/* What the paths of row k of kids add to the links they hang on. */
LANE_INLINE wide_handle path_kid_share(const rct_sheaves *s, int64_t k)
{
    const double *share = sheaf_records(s) + (int64_t)PATH_SHARE * ROW;
    return wide_handle_gather(share, s->kid + k * ROW);
}

/* Add what hangs on the links of row g. */
LANE_INLINE void wide_add_kids(const rct_sheaves *s, int64_t g, wide_law *law)
{
    for (int64_t k = s->first_kid[g]; k < s->first_kid[g + 1]; k++) {
        const wide_handle own = path_kid_share(s, k);
        wide_law_add(law, &own);
    }
}

/* Add what hangs on the links of row g besides the path, and what acts on them, which was computed
 * with their motions. Returns the efforts at the hinges. */
LANE_INLINE void wide_add_besides(const rct_sheaves *s, int64_t g, const double *own, wide_law *law,
                                  real hinge[3])
{
    wide_add_kids(s, g, law);
    hinge[0] = hinge[1] = hinge[2] = lane_set(0.0);
    if (row_has(s, g, HAS_ACTING)) {
        const double *kept = own + (int64_t)ROW_MOTION * ROW;
        wide_law_add_load(law, spatial_load(kept + (int64_t)KEEP_LOAD * ROW, ROW));
        for (int i = 0; i < 3; i++) {
            hinge[i] = lane_load(kept + (int64_t)(KEEP_EFFORT + i) * ROW);
        }
    }
}

/* Where paths begin in row g: leave what they add, and go on empty. `again`: only to links of their
 * bush; all others got it before. */
LANE_INLINE void path_leave_share(const rct_sheaves *s, int32_t sheaf, int64_t g, wide_law *up,
                                  int again)
{
    if (s->starts[g] != 0) {
        const mask starts = lane_bits(s->starts[g]);
        const wide_law none = wide_law_none();
        const int kept = again && LANE_MEMBERS == 1;
        if (LANE_MEMBERS > 1 && !lane_all(starts)) {
            return; /* as row_begins, for fewer registers */
        }
        if (kept ? s->inside[g] != 0
                 : s->starts[g] != s->grounded[g]) { /* the ground takes nothing */
            double *share = sheaf_path(s, sheaf) + (int64_t)PATH_SHARE * ROW;
            const mask those = kept ? lane_bits(s->inside[g]) : starts;
            const wide_handle record = wide_law_record(up), before = wide_handle_load(share);
            const wide_handle now = wide_handle_select(those, &record, &before);
            wide_handle_store(share, &now);
        }
        if (LANE_MEMBERS > 1 || g > s->first_row[sheaf]) {
            *up = LANE_WIDTH == 1 ? none : wide_law_select(starts, &none, up);
        }
    }
}

/* The forces at the hinges of row g, F = S A + e; `law`: of its links with all that hangs on
 * them. */
LANE_APART void wide_leave_force(const rct_sheaves *s, int64_t g, const wide_law *law)
{
    const wide_handle h = wide_law_record(law);
    row_leave_force(s, g, wide_handle_apply(&h, row_result(s, g)));
}

/* From links whose hinges are all of one type, with all that hangs on them, to what they ask of the
 * links they hang on; with the open end `t` unless NULL. `armed`: with rotors (constant). */
LANE_INLINE mask wide_pass_alike(const rct_sheaves *s, int64_t g, int kind, int armed,
                                 const link_lanes *before, double *own, const real hinge[3],
                                 wide_law *law, wide_through *t, int gains, int leaves)
{
    six_gain gain[MOST_FREEDOMS];
    const link_lanes link = row_link_here(s, g, before);
    const link_motion m = row_recall(s, g, kind, &link, own + (int64_t)ROW_MOTION * ROW);
    hinge_rotor rotor;
    wide_law here, *up = ROW_ALONE ? &here : law; /* a single link fits into registers */
    if (armed) {
        rotor = row_rotor(s, g, kind, &link, &m);
    }
    if (ROW_ALONE) {
        here = *law;
    }
    wide_law_add_body(up, &link, m.rate);
    if (gains && row_asks_forces(s)) {
        *law = *up;
        wide_leave_force(s, g, law);
    }
    const mask regular = wide_cross(kind, &link, &m, armed ? &rotor : NULL, hinge, up, t, gain);
    if (leaves) {
        row_gains_store(own + (int64_t)ROW_GAINS * ROW, kind, 0, gain, hinge_freedoms(kind));
    }
    if (t != NULL) {
        wide_open_inboard(t, &m, hinge_vanishing(kind, armed));
    }
    if (!row_grounded(s, g)) {
        wide_inboard(up, &m, hinge_vanishing(kind, armed));
        if (ROW_ALONE) {
            *law = here;
        }
    }
    return regular;
}

/* The same with rotors. */
LANE_APART mask wide_pass_rotors(const rct_sheaves *s, int64_t g, int kind, double *own,
                                 const real hinge[3], wide_law *law, wide_through *t, int gains,
                                 int leaves)
{
    const link_lanes before = row_link_before(s, g);
    mask regular;
#define HINGE_CASE(TYPE)                                                                           \
    regular = wide_pass_alike(s, g, TYPE, 1, &before, own, hinge, law, t, gains, leaves)
    HINGE_ROTOR_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
    return regular;
}

/* The same for hinges of several types. */
LANE_FUNCTION mask wide_pass_unlike(const rct_sheaves *s, int64_t g, const link_lanes *link,
                                    double *own, const real hinge[3], wide_law *law,
                                    wide_through *t, int gains, int leaves)
{
    six_gain gain[MOST_FREEDOMS];
    const link_motion m = row_recall_all(own + (int64_t)ROW_MOTION * ROW);
    wide_law_add_body(law, link, m.rate);
    if (gains && row_asks_forces(s)) {
        wide_leave_force(s, g, law);
    }
    const mask regular = row_cross_unlike(s, g, link, &m, hinge, law, t, gain);
    if (leaves) {
        row_gains_store(own + (int64_t)ROW_GAINS * ROW, 0, 1, gain, row_freedoms(s, g));
    }
    if (t != NULL) {
        wide_open_inboard(t, &m, 0);
    }
    wide_inboard(law, &m, 0);
    return regular;
}

/* Row g, with `law` on its links along the path, to what they ask of the links they hang on.
 * `number`: lanes in which all that hangs on them is finite. */
LANE_INLINE mask wide_pass(const rct_sheaves *s, int64_t g, double *own, wide_law *law,
                           wide_through *t, int gains, int leaves, mask *number)
{
    const link_lanes before = row_link_before(s, g);
    real hinge[3];
    mask regular;
    wide_add_besides(s, g, own, law, hinge);
    *number = lane_finite(wide_law_trace(law));
    const int32_t kind = row_kind(s, g);
    if (row_unlike(kind)) {
        const link_lanes link = row_link_here(s, g, &before);
        return wide_pass_unlike(s, g, &link, own, hinge, law, t, gains, leaves);
    }
    if (row_has_rotors(s, g, kind)) {
#define HINGE_CASE(TYPE) wide_pass_alike(s, g, TYPE, 1, &before, own, hinge, law, t, gains, leaves)
        HINGE_ROTOR_IN_PLACE(kind, HINGE_CASE)
#undef HINGE_CASE
        return wide_pass_rotors(s, g, kind, own, hinge, law, t, gains, leaves);
    }
#define HINGE_CASE(TYPE)                                                                           \
    regular = wide_pass_alike(s, g, TYPE, 0, &before, own, hinge, law, t, gains, leaves)
    HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
    return regular;
}

/* Note the links of row g whose pivots are not `regular`. A link is a cause if what it carries was
 * finite (`number`); the link it hangs on gets a law of NaN. */
LANE_FUNCTION void wide_note_singular(group_sweep *w, int64_t g, mask regular, mask number,
                                      wide_law *up)
{
    sweep_note(w, g, regular, SWEEP_NOT_FINITE);
    sweep_note(w, g, regular | lane_not(number), SWEEP_SINGULAR);
    wide_law_spoil(up, regular);
}

/* ---- open ends ---------------------------------------------------------------------------- */

/* Where segments begin in row g: their open ends to the records. */
LANE_INLINE void path_leave_end(const rct_sheaves *s, int32_t sheaf, int64_t g,
                                const wide_through *t)
{
    if (row_begins(s, g)) {
        const mask starts = lane_bits(s->starts[g]);
        double *path = sheaf_path(s, sheaf);
        double *psi = path + (int64_t)PATH_COMPLIANCE * ROW;
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                lane_store_where(starts, path + (int64_t)(PATH_THROUGH + 6 * i + j) * ROW,
                                 wide_open_record(t, i, j));
            }
            lane_store_where(starts, path + (int64_t)(PATH_FREE + i) * ROW, t->h[i]);
            for (int j = i; j < 6; j++, psi += ROW) {
                lane_store_where(starts, psi, t->psi[i][j]);
            }
        }
    }
}

/* The stand-ins on the outboard ends of segments. */
LANE_INLINE wide_handle path_stand_in(const double *path)
{
    const real m = lane_load(path + (int64_t)PATH_STAND_IN * ROW);
    const real j = lane_load(path + (int64_t)(PATH_STAND_IN + 1) * ROW);
    wide_handle out = wide_none();
    out.ll.xx = out.ll.yy = out.ll.zz = m;
    out.aa.xx = out.aa.yy = out.aa.zz = j;
    return out;
}

#endif
