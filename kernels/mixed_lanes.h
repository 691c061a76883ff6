/* The lane kernels of mixed trees, abi method, for the LANE_WIDTH of the including translation unit: the frames of
 * a group outward, its links inward to what its paths add and to their open ends, and outward. Motions and gains
 * stay in the scratch of a thread; nothing else is kept of a link.
 */
#ifndef RCT_KERNELS_MIXED_LANES_H
#define RCT_KERNELS_MIXED_LANES_H

#include "kernels/mixed_rows.h"

/* A group while it is swept. */
typedef struct operator_sweep {
    const rct_mixed_sheaves *s;
    double *scratch;
    int64_t fields;
    int64_t first; /* row */
    rct_sweep_result fault;
} operator_sweep;

LANE_FUNCTION double *mixed_scratch_row(const operator_sweep *w, int64_t g)
{
    return w->scratch + (g - w->first) * w->fields * MW;
}

LANE_FUNCTION double *mixed_path(const rct_mixed_sheaves *s, int32_t sheaf)
{
    return s->paths + s->path_at[sheaf] * MW;
}

LANE_FUNCTION operator_sweep mixed_begin(const rct_mixed_sheaves *s, int32_t group, double *scratch)
{
    return (operator_sweep){s,
                         scratch,
                         rct_mixed_scratch_fields(s),
                         s->first_row[s->first_sheaf[group]],
                         {SWEEP_DONE, -1}};
}

/* Keep the smallest label among the lanes where `good` does not hold. */
LANE_FUNCTION void mixed_note(operator_sweep *w, int64_t g, rct_sweep_end end, mask good)
{
    double lane[LANE_WIDTH];
    lane_store(lane, lane_select(good, lane_set(1.0), lane_set(0.0)));
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int32_t label = w->s->label[g * MW + l];
        const int first = w->fault.end == SWEEP_DONE || label < w->fault.link;
        if (lane[l] == 0.0 && label >= 0 && first) { /* neutral links have no faults */
            w->fault = (rct_sweep_result){end, label};
        }
    }
}

/* Write `count` fields, MW apart in `from`, to field `field` of the records of the paths that hang on row g. */
LANE_FUNCTION void mixed_leave(const rct_mixed_sheaves *s, int64_t g, int field, const double *from,
                               int count)
{
    for (int64_t k = s->first_kid[g]; k < s->first_kid[g + 1]; k++) {
        for (int l = 0; l < LANE_WIDTH; l++) {
            const int32_t place = s->kid[k * MW + l];
            double *to = s->paths + place + (int64_t)field * MW;
            for (int f = 0; f < count && place != 0; f++) {
                to[(int64_t)f * MW] = from[(int64_t)f * MW + l];
            }
        }
    }
}

/* ---- frames ------------------------------------------------------------------------------- */

/* What the links of row g hang on: along the path, or where it begins, from its record or the ground. */
LANE_INLINE mixed_frame mixed_above(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g,
                                    mixed_frame along)
{
    if (s->starts[g] != 0) {
        const mixed_frame left = mixed_frame_load(mixed_path(s, sheaf) + (int64_t)PATH_FRAME * MW);
        along = mixed_frame_select(lane_bits(s->starts[g]), left, along);
        if (s->grounded[g] != 0) {
            along = mixed_frame_select(lane_bits(s->grounded[g]), mixed_ground_frame(s), along);
        }
    }
    return along;
}

/* Outward: motions to the scratch, frames to the paths that hang on the links. */
LANE_INLINE void mixed_outward_frames(const operator_sweep *w, int32_t sheaf)
{
    const rct_mixed_sheaves *s = w->s;
    mixed_frame frame = {mixed_identity(), vec3_zero()};
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        const mixed_link link = mixed_row_link(s, g);
        const mixed_frame parent = mixed_above(s, sheaf, g, frame);
        frame = parent;
        const mixed_motion m = mixed_move_row(s, g, &link, &parent, s->attitude, &frame);
        mixed_motion_store(mixed_scratch_row(w, g) + (int64_t)ROW_MOTION * MW, &m);
        if (s->first_kid[g] < s->first_kid[g + 1]) {
            double left[12 * MW];
            mat3_store(left, MW, frame.rotation);
            vec3_store(left + (int64_t)9 * MW, MW, frame.rate);
            mixed_leave(s, g, PATH_FRAME, left, 12);
        }
    }
}

LANE_FUNCTION void mixed_guide(const rct_mixed_sheaves *s, int32_t group, double *scratch)
{
    const operator_sweep w = mixed_begin(s, group, scratch);
    for (int32_t sheaf = s->first_sheaf[group]; sheaf < s->first_sheaf[group + 1]; sheaf++) {
        mixed_outward_frames(&w, sheaf);
    }
}

/* The frame of the last link of segments if what they hang on were inertial: for any other, with its rotation R and
 * rate w, R P and P^T w + w_P; an absolute hinge on the way forgets both. */
LANE_FUNCTION void mixed_compose(const rct_mixed_sheaves *s, int32_t group)
{
    const int32_t sheaf = s->first_sheaf[group];
    double *path = mixed_path(s, sheaf);
    const mixed_frame none = {mixed_identity(), vec3_zero()};
    mixed_frame frame = none;
    real absolute = lane_set(0.0);
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        const mixed_link link = mixed_row_link(s, g);
        const mask starts = lane_bits(s->starts[g]);
        const mixed_frame parent = mixed_frame_select(starts, none, frame);
        absolute = lane_select(starts, lane_set(0.0), absolute);
        (void)mixed_move_row(s, g, &link, &parent, 1, &frame);
        for (int kind = RCT_HINGE_BALL; kind <= RCT_HINGE_FREE;
             kind += RCT_HINGE_FREE - RCT_HINGE_BALL) {
            const int32_t k = s->kinds[g];
            if (k == kind) {
                absolute = lane_set(1.0);
            } else if (k < 0) {
                const int32_t lanes = s->kind_lanes[(int64_t)(~k) * RCT_HINGE_TYPES + kind];
                absolute = lane_select(lane_bits(lanes), lane_set(1.0), absolute);
            }
        }
    }
    mat3_store(path + (int64_t)PATH_PRODUCT * MW, MW, frame.rotation);
    vec3_store(path + (int64_t)(PATH_PRODUCT + 9) * MW, MW, frame.rate);
    lane_store(path + (int64_t)PATH_ABSOLUTE * MW, absolute);
}

/* ---- inward ------------------------------------------------------------------------------- */

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

/* The links of row g with all that hangs on them but along the path, `out`. */
LANE_INLINE mixed_handle mixed_row_handle(const rct_mixed_sheaves *s, int64_t g,
                                          const mixed_link *link, vec3 rate, mixed_handle out,
                                          real hinge[3])
{
    mixed_add_body(&out, link, rate);
    mixed_add_kids(s, g, &out);
    hinge[0] = hinge[1] = hinge[2] = lane_set(0.0);
    if (s->loads != NULL) {
        const double *load = s->loads + g * LOAD_FIELDS * MW;
        mixed_add_load(&out, spatial_load(load, MW));
        for (int i = 0; i < 3; i++) {
            hinge[i] = lane_load(load + (int64_t)(LOAD_HINGE + i) * MW);
        }
    }
    return out;
}

/* Solve the hinges of row g; gains to the scratch if asked for. */
LANE_INLINE mask mixed_row_solve(const operator_sweep *w, int64_t g, const mixed_link *link,
                                 const mixed_motion *m, const real hinge[3], mixed_six *x,
                                 mixed_through *t, int gains)
{
    const rct_mixed_sheaves *s = w->s;
    const int32_t kind = s->kinds[g];
    double *to = mixed_scratch_row(w, g) + (int64_t)ROW_GAINS * MW;
    mixed_gain gain[MIXED_MOST_FREEDOMS];
    mask regular;
    if (kind < 0) {
        regular = mixed_eliminate_unlike(s->kind_lanes + (int64_t)(~kind) * RCT_HINGE_TYPES, link,
                                         m, hinge, x, t, gain);
        if (gains) {
            mixed_gains_store(to, gain, mixed_row_freedoms(s, g));
        }
        return regular;
    }
#define MIXED_STEP(TYPE)                                                                           \
    regular = mixed_eliminate(TYPE, link, m, hinge, x, t, gain);                                   \
    if (gains) {                                                                                   \
        mixed_gains_store(to, gain, mixed_freedoms(TYPE));                                         \
    }
    MIXED_CASES(kind, MIXED_STEP)
#undef MIXED_STEP
    return regular;
}

/* Where paths begin in row g: leave what they add, and go on with nothing. */
LANE_INLINE void mixed_leave_share(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g,
                                   mixed_handle *up)
{
    if (s->starts[g] != 0) {
        const mask starts = lane_bits(s->starts[g]);
        const mixed_handle none = mixed_none();
        double *share = mixed_path(s, sheaf) + (int64_t)PATH_SHARE * MW;
        const mixed_handle before = mixed_handle_load(share);
        const mixed_handle now = mixed_handle_select(starts, up, &before);
        mixed_handle_store(share, &now);
        *up = mixed_handle_select(starts, &none, up);
    }
}

/* One sheaf inward, from what hangs on its outermost links. */
LANE_INLINE void mixed_inward(operator_sweep *w, int32_t sheaf, mixed_handle out, int gains)
{
    const rct_mixed_sheaves *s = w->s;
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        const mixed_link link = mixed_row_link(s, g);
        const mixed_motion m =
            mixed_motion_load(mixed_scratch_row(w, g) + (int64_t)ROW_MOTION * MW);
        real hinge[3];
        const mixed_handle whole = mixed_row_handle(s, g, &link, m.rate, out, hinge);
        mixed_six x = mixed_six_of(&whole);
        const mask regular = mixed_row_solve(w, g, &link, &m, hinge, &x, NULL, gains);
        if (!lane_all(regular)) {
            mixed_note(w, g, SWEEP_SINGULAR, regular);
        }
        const mixed_handle beyond = mixed_handle_of(&x);
        out = mixed_hand_over(&beyond, &m);
        mixed_leave_share(s, sheaf, g, &out);
    }
}

/* ---- open ends ---------------------------------------------------------------------------- */

/* E, h in the axes of the link inboard, about its origin. */
LANE_INLINE void mixed_through_hand_over(mixed_through *t, const mixed_motion *m) /* 340 */
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

/* Segments inward with both handles. */
LANE_INLINE void mixed_inward_open(operator_sweep *w, int32_t sheaf)
{
    const rct_mixed_sheaves *s = w->s;
    mixed_handle out = mixed_stand_in(mixed_path(s, sheaf));
    mixed_through t = mixed_open();
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        const mixed_link link = mixed_row_link(s, g);
        const mixed_motion m =
            mixed_motion_load(mixed_scratch_row(w, g) + (int64_t)ROW_MOTION * MW);
        real hinge[3];
        const mixed_handle whole = mixed_row_handle(s, g, &link, m.rate, out, hinge);
        mixed_six x = mixed_six_of(&whole);
        const mask regular = mixed_row_solve(w, g, &link, &m, hinge, &x, &t, 0);
        if (!lane_all(regular)) {
            mixed_note(w, g, SWEEP_SINGULAR, regular);
        }
        const mixed_handle beyond = mixed_handle_of(&x);
        out = mixed_hand_over(&beyond, &m);
        mixed_through_hand_over(&t, &m);
        mixed_leave_end(s, sheaf, g, &t);
        mixed_leave_share(s, sheaf, g, &out);
    }
}

LANE_FUNCTION rct_sweep_result mixed_condense(const rct_mixed_sheaves *s, int32_t group,
                                              double *scratch)
{
    operator_sweep w = mixed_begin(s, group, scratch);
    mixed_guide(s, group, scratch);
    for (int32_t sheaf = s->first_sheaf[group + 1] - 1; sheaf >= s->first_sheaf[group]; sheaf--) {
        if (group < s->bushes) {
            mixed_inward(&w, sheaf, mixed_none(), 0);
        } else {
            mixed_inward_open(&w, sheaf);
        }
    }
    return w.fault;
}

/* ---- outward ------------------------------------------------------------------------------ */

/* The state of row g, of one hinge type, advanced by its derivatives. `weights` as in kernels/rk4_step.h. */
LANE_INLINE mask mixed_advance(const rct_mixed_sheaves *s, int64_t g, int32_t coordinates,
                               int32_t freedoms, mask absolute, int any_absolute, const real *dq,
                               const real *du, int stage, rk4_weights weights)
{
    const int64_t at = s->state_at[g] * MW;
    const int32_t count = coordinates + freedoms;
    double *y = s->base + at, *sum = s->sum + at, *x = s->state + at;
    real fresh[MIXED_MOST_STATE];
    mask finite = lane_greater(lane_set(1.0), lane_set(0.0));
    LANE_UNROLL
    for (int i = 0; i < count; i++) {
        const real f = i < coordinates ? dq[i] : du[i - coordinates];
        const real more = lane_set(weights.sum) * f, next = lane_set(weights.next) * f;
        const int64_t k = (int64_t)i * MW;
        if (stage == 0) {
            const real base = lane_load(x + k);
            lane_store(y + k, base);
            lane_store(sum + k, base + more);
            lane_store(x + k, base + next);
        } else if (stage < 3) {
            lane_store(sum + k, lane_load(sum + k) + more);
            lane_store(x + k, lane_load(y + k) + next);
        } else {
            fresh[i] = lane_load(sum + k) + more;
            finite = lane_and(finite, lane_finite(fresh[i]));
        }
    }
    if (stage == 3 && any_absolute) {
        const real square =
            fresh[0] * fresh[0] + fresh[1] * fresh[1] + fresh[2] * fresh[2] + fresh[3] * fresh[3];
        const real scale = lane_set(1.0) / lane_sqrt(square);
        finite = lane_and(finite, lane_finite(lane_select(absolute, square, lane_set(0.0))));
        for (int i = 0; i < 4; i++) {
            fresh[i] = lane_select(absolute, fresh[i] * scale, fresh[i]);
        }
    }
    if (stage == 3) {
        LANE_UNROLL
        for (int i = 0; i < count; i++) {
            lane_store(x + (int64_t)i * MW, fresh[i]);
        }
    }
    return finite;
}

/* Accelerations of links whose hinges are of one type, and the derivatives of their states. */
LANE_INLINE spatial mixed_finish(const rct_mixed_sheaves *s, int64_t g, int kind,
                                 const mixed_link *link, const double *own, spatial above, real *dq,
                                 real *du)
{
    const mixed_motion m = mixed_motion_load(own + (int64_t)ROW_MOTION * MW);
    const vec3 gravity = {lane_set(s->gravity[0]), lane_set(s->gravity[1]),
                          lane_set(s->gravity[2])};
    mixed_gain gain[MIXED_MOST_FREEDOMS];
    real q[MIXED_MOST_COORDINATES], u[MIXED_MOST_FREEDOMS];
    mixed_gains_load(own + (int64_t)ROW_GAINS * MW, gain, mixed_freedoms(kind));
    mixed_state_load(s, g, kind, q, u);
    const spatial reached = mixed_reach(&m, above);
    const spatial a = mixed_accelerate(kind, link, &m, gain, reached);
    mixed_derivatives(kind, link, &m, a, reached, q, u, gravity, dq, du);
    return a;
}

LANE_FUNCTION spatial mixed_finish_alike(const rct_mixed_sheaves *s, int64_t g, int kind,
                                         const mixed_link *link, const double *own, spatial above,
                                         real *dq, real *du)
{
    spatial a;
#define MIXED_STEP(TYPE) a = mixed_finish(s, g, TYPE, link, own, above, dq, du)
    MIXED_CASES(kind, MIXED_STEP)
#undef MIXED_STEP
    return a;
}

LANE_INLINE void mixed_write_results(const rct_mixed_sheaves *s, int64_t g, spatial a,
                                     const real *du, int freedoms)
{
    double *to = s->results + s->result_at[g] * MW;
    spatial_store(to, MW, a);
    LANE_UNROLL
    for (int i = 0; i < freedoms; i++) {
        lane_store(to + (int64_t)(MIXED_RESULT_RATES + i) * MW, du[i]);
    }
}

/* Row g, whose lanes have hinges of several types. */
LANE_FUNCTION spatial mixed_finish_unlike(const rct_mixed_sheaves *s, int64_t g,
                                          const mixed_link *link, const double *own, spatial above,
                                          int stage, rk4_weights weights, mask *good)
{
    const int32_t *lanes = s->kind_lanes + (int64_t)(~s->kinds[g]) * RCT_HINGE_TYPES;
    const int32_t absolute = lanes[RCT_HINGE_BALL] | lanes[RCT_HINGE_FREE];
    real dq[MIXED_MOST_COORDINATES], du[MIXED_MOST_FREEDOMS];
    spatial a = spatial_zero();
    for (int i = 0; i < MIXED_MOST_COORDINATES; i++) {
        dq[i] = lane_set(0.0);
        du[i < MIXED_MOST_FREEDOMS ? i : 0] = lane_set(0.0);
    }
    for (int kind = 1; kind < RCT_HINGE_TYPES; kind++) {
        if (lanes[kind] != 0) {
            const mask where = lane_bits(lanes[kind]);
            real own_dq[MIXED_MOST_COORDINATES], own_du[MIXED_MOST_FREEDOMS];
            const spatial b = mixed_finish_alike(s, g, kind, link, own, above, own_dq, own_du);
            a = spatial_select(where, b, a);
            for (int i = 0; i < mixed_coordinates(kind); i++) {
                dq[i] = lane_select(where, own_dq[i], dq[i]);
            }
            for (int i = 0; i < mixed_freedoms(kind); i++) {
                du[i] = lane_select(where, own_du[i], du[i]);
            }
        }
    }
    if (stage == STAGE_NONE) {
        mixed_write_results(s, g, a, du, mixed_row_freedoms(s, g));
    } else {
        *good = mixed_advance(s, g, s->coordinates[g], mixed_row_freedoms(s, g),
                              lane_bits(absolute), absolute != 0, dq, du, stage, weights);
    }
    return a;
}

LANE_INLINE spatial mixed_finish_row(const rct_mixed_sheaves *s, int64_t g, const mixed_link *link,
                                     const double *own, spatial above, int stage,
                                     rk4_weights weights, mask *good)
{
    const int32_t kind = s->kinds[g];
    const mask yes = lane_greater(lane_set(1.0), lane_set(0.0));
    real dq[MIXED_MOST_COORDINATES], du[MIXED_MOST_FREEDOMS];
    spatial a;
    *good = yes;
    if (kind < 0) {
        return mixed_finish_unlike(s, g, link, own, above, stage, weights, good);
    }
#define MIXED_STEP(TYPE)                                                                           \
    a = mixed_finish(s, g, TYPE, link, own, above, dq, du);                                        \
    if (stage == STAGE_NONE) {                                                                     \
        mixed_write_results(s, g, a, du, mixed_freedoms(TYPE));                                    \
    } else {                                                                                       \
        *good = mixed_advance(s, g, mixed_coordinates(TYPE), mixed_freedoms(TYPE), yes,            \
                              (TYPE) == RCT_HINGE_BALL || (TYPE) == RCT_HINGE_FREE, dq, du, stage, \
                              weights);                                                            \
    }
    MIXED_CASES(kind, MIXED_STEP)
#undef MIXED_STEP
    return a;
}

/* One sheaf outward, its links swept inward and reached. */
LANE_INLINE void mixed_outward(operator_sweep *w, int32_t sheaf, int stage, rk4_weights weights)
{
    const rct_mixed_sheaves *s = w->s;
    spatial above = spatial_zero();
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        const mixed_link link = mixed_row_link(s, g);
        if (s->starts[g] != 0) {
            const spatial left = spatial_load(mixed_path(s, sheaf) + (int64_t)PATH_ABOVE * MW, MW);
            above = spatial_select(lane_bits(s->starts[g]), left, above);
            above = spatial_select(lane_bits(s->grounded[g]), mixed_ground_motion(s), above);
        }
        mask good;
        above =
            mixed_finish_row(s, g, &link, mixed_scratch_row(w, g), above, stage, weights, &good);
        if (s->first_kid[g] < s->first_kid[g + 1]) {
            double left[6 * MW];
            spatial_store(left, MW, above);
            mixed_leave(s, g, PATH_ABOVE, left, 6);
        }
        const real sum = above.l.x + above.l.y + above.l.z + above.a.x + above.a.y + above.a.z;
        good = lane_and(good, lane_finite(sum));
        if (!lane_all(good)) { /* go on: the base must be whole */
            mixed_note(w, g, SWEEP_NOT_FINITE, good);
        }
    }
}

LANE_FUNCTION rct_sweep_result mixed_accelerate_group(const rct_mixed_sheaves *s, int32_t group,
                                                      int stage, double dt, double *scratch)
{
    operator_sweep w = mixed_begin(s, group, scratch);
    const rk4_weights weights = rk4_stage_weights(stage, dt);
    const int32_t first = s->first_sheaf[group], end = s->first_sheaf[group + 1];
    mixed_guide(s, group, scratch);
    for (int32_t sheaf = end - 1; sheaf >= first; sheaf--) {
        const double *beyond = mixed_path(s, sheaf) + (int64_t)PATH_BEYOND * MW;
        mixed_inward(&w, sheaf, group < s->bushes ? mixed_none() : mixed_handle_load(beyond), 1);
    }
    operator_sweep out = mixed_begin(s, group, scratch);
    for (int32_t sheaf = first; sheaf < end; sheaf++) {
        mixed_outward(&out, sheaf, stage, weights);
    }
    return w.fault.end == SWEEP_DONE ? out.fault : w.fault;
}

#define MIXED_ABI_TABLE                                                                            \
    {                                                                                              \
        .lanes = LANE_WIDTH, .compose = mixed_compose, .guide = mixed_guide,                       \
        .condense = mixed_condense, .accelerate = mixed_accelerate_group                           \
    }

#endif
