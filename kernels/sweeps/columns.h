/* The columns of the sheaves of whole trees (kernels/records/columns.h): inward after their
 * links, whose motions and gains stay in the scratch of the group; outward under the
 * multipliers; and what rows of J take from results. For the LANE_WIDTH of the including
 * translation unit and its method. */
#ifndef RCT_KERNELS_SWEEPS_COLUMNS_H
#define RCT_KERNELS_SWEEPS_COLUMNS_H

#define KEEP_PIVOTS

#include "kernels/laws/column_step.h"
#include "kernels/records/columns.h"
#include "kernels/sweeps/sweeps.h"

/* The columns of a sheaf on their way. */
typedef struct column_sweep {
    const group_sweep *w;
    const rct_columns *c;
    int32_t sheaf;
    int32_t first; /* the first column of the sheaf */
    int32_t alive; /* how many have entered         */
    int32_t entry; /* the next one                  */
    double *room;  /* [columns][COLUMN_SCRATCH][W]  */
    double *pivot; /* [COLUMN_PIVOTS][W]            */
} column_sweep;

LANE_INLINE double *column_field(const column_sweep *x, int32_t column, int field)
{
    return x->room + ((int64_t)column * COLUMN_SCRATCH + field) * ROW;
}

LANE_INLINE double *column_in(const column_sweep *x, int32_t column, int field)
{
    return x->c->in + ((int64_t)(x->first + column) * COLUMN_FIELDS + field) * ROW;
}

LANE_INLINE double *column_number(const column_sweep *x, double *numbers, int32_t column)
{
    return numbers + (int64_t)(x->first + column) * ROW;
}

/* Takes in what enters at row g. */
LANE_INLINE void columns_enter(column_sweep *x, int64_t g)
{
    const rct_column_entry *entry = x->c->entry;
    for (; x->entry < x->c->first_entry[x->sheaf + 1] && entry[x->entry].row == g; x->entry++) {
        const int32_t column = entry[x->entry].column - x->first;
        const mask where = lane_bits(entry[x->entry].lanes);
        const int fresh = column >= x->alive;
        for (int i = 0; i < 6; i++) {
            double *e = column_field(x, column, COLUMN_E + i);
            const real before = fresh ? lane_set(0.0) : lane_load(e);
            lane_store(
                e, lane_select(where, lane_load(column_in(x, column, COLUMN_WRENCH + i)), before));
        }
        x->alive = fresh ? column + 1 : x->alive;
    }
}

/* Whether column `column` takes rates of the hinges of row g; and its factors of these rates, for
 * planar hinges in link axes. */
LANE_INLINE int column_factor(const column_sweep *x, int kind, int64_t g, int32_t column,
                              const link_motion *m, real factor[MOST_FREEDOMS])
{
    mask here = lane_bits(0);
    if (!x->c->efforts[x->first + column]) {
        return 0;
    }
    for (int32_t k = x->entry - 1; k >= x->c->first_entry[x->sheaf]; k--) {
        const rct_column_entry *entry = &x->c->entry[k];
        if (entry->row != g) {
            break;
        }
        here = entry->column == x->first + column ? lane_bits(entry->lanes) : here;
    }
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        factor[i] =
            lane_select(here, lane_load(column_in(x, column, COLUMN_EFFORT + i)), lane_set(0.0));
    }
    if (kind == RCT_HINGE_PLANAR) {
        const real along = factor[0], across = factor[1];
        factor[0] = m->c * along + m->s * across;
        factor[1] = m->c * across - m->s * along;
    }
    return 1;
}

/* Passes all columns that have entered across the links of row g in the lanes `where`, whose hinges
 * are of one type. */
LANE_INLINE void columns_pass(const column_sweep *x, int64_t g, int kind, int armed, int alike,
                              mask where)
{
    const rct_sheaves *s = x->w->s;
    const double *own = scratch_row(x->w, g), *kept = own + (int64_t)ROW_MOTION * ROW;
    const link_lanes link = row_link(s, g);
    const link_motion m = alike ? row_recall(s, g, kind, &link, kept) : row_recall_all(kept);
    six_gain gain[MOST_FREEDOMS];
    hinge_rotor rotor;
    if (armed) {
        rotor = row_rotor(s, g, kind, &link, &m);
    }
    row_gains_load(own + (int64_t)ROW_GAINS * ROW, kind, armed ? &rotor : NULL, gain,
                   hinge_freedoms(kind));
    real most[2];
    column_keep_pivots(kind, own + (int64_t)ROW_GAINS * ROW, where, x->pivot, most);
    for (int32_t k = 0; k < x->alive; k++) {
        double *e = column_field(x, k, COLUMN_E), *solved = column_field(x, k, COLUMN_SOLVED);
        double *h = column_number(x, x->c->h, k), *ready = column_number(x, x->c->ready, k);
        double *terms = column_number(x, x->c->terms, k);
        real factor[MOST_FREEDOMS], taken[MOST_FREEDOMS];
        loop_column c = {.h = lane_load(h), .terms = lane_load(terms)};
        for (int i = 0; i < 6; i++) {
            c.e[i] = lane_load(e + (int64_t)i * ROW);
        }
        const int any = column_factor(x, kind, g, k, &m, factor);
        const real square =
            x->c->square != NULL ? lane_load(column_number(x, x->c->square, k)) : lane_set(1.0);
        const real size = column_ready(kind, c.e, any ? factor : NULL, most, square);
        column_cross(kind, &link, &m, armed ? &rotor : NULL, gain, any ? factor : NULL, &c, taken);
        column_inboard(&m, &c);
        const mask more = lane_and(where, lane_greater(size, lane_load(ready)));
        lane_store_where(more, ready, size);
        lane_store_where(where, h, c.h);
        lane_store_where(where, terms, c.terms);
        for (int i = 0; i < 6; i++) {
            lane_store_where(where, e + (int64_t)i * ROW, c.e[i]);
        }
        for (int i = 0; i < hinge_freedoms(kind); i++) {
            lane_store_where(where, solved + (int64_t)i * ROW, taken[i]);
        }
    }
}

LANE_FUNCTION void columns_pass_type(const column_sweep *x, int64_t g, int kind, int alike,
                                     mask where)
{
    if (row_has_rotors(x->w->s, g, kind)) {
#define HINGE_CASE(TYPE) columns_pass(x, g, TYPE, 1, alike, where)
        HINGE_ROTOR_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
        return;
    }
#define HINGE_CASE(TYPE) columns_pass(x, g, TYPE, 0, alike, where)
    HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
}

/* The same for any row; then its gains, and what its hinges add to psi of the columns. */
LANE_INLINE void columns_cross(const column_sweep *x, int64_t g)
{
    const rct_sheaves *s = x->w->s;
    const int32_t kind = row_kind(s, g);
    const int freedoms = row_freedoms(s, g);
    double *psi = x->c->psi + x->c->pair[x->sheaf] * ROW;
    if (row_unlike(kind)) {
        const int32_t *lanes = s->kind_lanes + (int64_t)(~kind) * RCT_HINGE_TYPES;
        for (int i = 0; i < freedoms; i++) {
            for (int m = column_pivots_begin(i); m < column_pivots_end(i, freedoms); m++) {
                lane_store(column_pivot(x->pivot, i, m), lane_set(0.0));
            }
            for (int32_t k = 0; k < x->alive; k++) {
                lane_store(column_field(x, k, COLUMN_SOLVED + i), lane_set(0.0));
            }
        }
        for (int type = 1; type < RCT_HINGE_TYPES; type++) {
            if (lanes[type] != 0) {
                columns_pass_type(x, g, type, 0, lane_bits(lanes[type]));
            }
        }
    } else {
        columns_pass_type(x, g, kind, 1, lane_bits(-1));
    }
    double *gains = x->c->gains + x->c->gain_at[g] * ROW;
    for (int32_t b = 0; b < x->alive; b++) {
        for (int i = 0; i < freedoms; i++, gains += ROW) {
            const real given =
                column_given(freedoms, x->pivot, column_field(x, b, COLUMN_SOLVED), i);
            lane_store(gains, given);
            for (int32_t a = 0; a <= b; a++) {
                double *to = psi + ((int64_t)b * (b + 1) / 2 + a) * ROW;
                const real solved = lane_load(column_field(x, a, COLUMN_SOLVED + i));
                lane_store(to, lane_load(to) + solved * given);
            }
        }
    }
}

/* Where paths begin in row g: a column goes on to what its path hangs on, or takes the acceleration
 * of the ground; then the column is empty. */
LANE_INLINE void columns_leave(const column_sweep *x, int64_t g)
{
    const rct_sheaves *s = x->w->s;
    const mask starts = lane_bits(s->starts[g]), grounded = lane_bits(s->grounded[g]);
    const spatial ground = path_reaching(s, x->sheaf, g, spatial_zero());
    const real zero = lane_set(0.0);
    for (int32_t k = 0; k < x->alive; k++) {
        double *e = column_field(x, k, COLUMN_E), *h = column_number(x, x->c->h, k);
        const int32_t *onward = x->c->onward + (int64_t)(x->first + k) * LANE_WIDTH;
        const spatial own = spatial_load(e, ROW);
        const real given = vec3_dot(own.l, ground.l) + vec3_dot(own.a, ground.a);
        double *terms = column_number(x, x->c->terms, k);
        lane_store(h, lane_load(h) + lane_select(grounded, given, zero));
        lane_store(terms, lane_load(terms) + lane_select(grounded, lane_abs(given), zero));
        for (int l = 0; l < LANE_WIDTH && s->starts[g] != s->grounded[g]; l++) {
            for (int i = 0; i < 6 && (s->inside[g] >> l & 1) != 0 && onward[l] >= 0; i++) {
                x->c->in[onward[l] + (int64_t)i * ROW] = e[(int64_t)i * ROW + l];
            }
        }
        for (int i = 0; i < 6; i++) {
            lane_store_where(starts, e + (int64_t)i * ROW, zero);
        }
    }
}

/* All columns of a sheaf, which has been swept inward. `room`: scratch of columns. */
LANE_APART void columns_inward(const group_sweep *w, int32_t sheaf, const rct_columns *c,
                               double *room)
{
    const rct_sheaves *s = w->s;
    column_sweep x = {.w = w,
                      .c = c,
                      .sheaf = sheaf,
                      .first = c->first[sheaf],
                      .entry = c->first_entry[sheaf],
                      .room = room,
                      .pivot = room + (int64_t)c->most * COLUMN_SCRATCH * ROW};
    for (int32_t k = 0; k < c->first[sheaf + 1] - x.first; k++) {
        lane_store(column_number(&x, c->h, k), lane_set(0.0));
        lane_store(column_number(&x, c->terms, k), lane_set(0.0));
        lane_store(column_number(&x, c->ready, k), lane_set(0.0));
    }
    for (int64_t p = c->pair[sheaf]; p < c->pair[sheaf + 1]; p++) {
        lane_store(c->psi + p * ROW, lane_set(0.0));
    }
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        columns_enter(&x, g);
        if (x.alive > 0) {
            columns_cross(&x, g);
            if (s->starts[g] != 0) {
                columns_leave(&x, g);
            }
        }
    }
}

/* What rows of J take from the results of the rows of a sheaf, at the entries from loops. */
LANE_INLINE void columns_take(const rct_sheaves *s, int32_t sheaf, const rct_columns *c)
{
    for (int32_t k = c->first[sheaf]; k < c->first[sheaf + 1]; k++) {
        lane_store(c->taken + (int64_t)k * ROW, lane_set(0.0));
    }
    for (int32_t n = c->first_entry[sheaf]; n < c->first_entry[sheaf + 1]; n++) {
        const rct_column_entry *entry = &c->entry[n];
        const double *result = s->results + s->result_at[entry->row] * ROW;
        const double *in = c->in + (int64_t)entry->column * COLUMN_FIELDS * ROW;
        double *to = c->taken + (int64_t)entry->column * ROW;
        const int freedoms = c->efforts[entry->column] ? row_freedoms(s, entry->row) : 0;
        real sum = lane_set(0.0);
        for (int i = 0; i < 6 + freedoms; i++) {
            sum = sum + lane_load(in + (int64_t)i * ROW) * lane_load(result + (int64_t)i * ROW);
        }
        lane_store_where(lane_bits(entry->lanes), to, sum);
    }
}

LANE_FUNCTION rct_sweep_result group_columns(const rct_sheaves *s, int32_t group,
                                             const rct_columns *columns, int posed, double *scratch,
                                             double *room)
{
    group_sweep w = sweep_begin(s, group, scratch);
    if (!posed) {
        group_frames(&w, group);
    }
    for (int32_t sheaf = s->first_sheaf[group + 1] - 1; sheaf >= s->first_sheaf[group]; sheaf--) {
        sweep_inward_closed(&w, sheaf, NULL, 1);
        columns_inward(&w, sheaf, columns, room);
    }
    return sweep_end_inward(&w);
}

LANE_FUNCTION void group_take(const rct_sheaves *s, int32_t group, const rct_columns *columns)
{
    for (int32_t sheaf = s->first_sheaf[group]; sheaf < s->first_sheaf[group + 1]; sheaf++) {
        columns_take(s, sheaf, columns);
    }
}

/* ---- outward ------------------------------------------------------------------------------ */

/* Solves the coordinates of the hinges of a sheaf under the multipliers: on top of the old
 * solution, or alone. */
LANE_INLINE void columns_answer(const group_sweep *w, int32_t sheaf, const rct_columns *c,
                                int alone)
{
    const rct_sheaves *s = w->s;
    const int32_t *row_of = c->row_of + (int64_t)c->first[sheaf] * ROW;
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1] && c->alive[g] > 0; g++) {
        const double *gains = c->gains + c->gain_at[g] * ROW;
        double *y = scratch_row(w, g) + (int64_t)(ROW_GAINS + ROW_GAIN_FIELDS - 1) * ROW;
        const int freedoms = row_freedoms(s, g);
        for (int i = 0; i < freedoms; i++, y += (int64_t)ROW_GAIN_FIELDS * ROW, gains += ROW) {
            real sum = alone ? lane_set(0.0) : lane_load(y);
            for (int32_t k = 0; k < c->alive[g]; k++) {
                sum = sum + lane_gather(c->multipliers, row_of + (int64_t)k * ROW) *
                                lane_load(gains + (int64_t)k * freedoms * ROW);
            }
            lane_store(y, sum);
        }
    }
}

LANE_FUNCTION rct_sweep_result group_answer(const rct_sheaves *s, int32_t group,
                                            const rct_columns *columns, int alone, int stage,
                                            double dt, double *scratch)
{
    group_sweep w = sweep_begin(s, group, scratch);
    const rk4_weights weights = rk4_stage_weights(stage, dt);
    for (int32_t sheaf = s->first_sheaf[group]; sheaf < s->first_sheaf[group + 1]; sheaf++) {
        columns_answer(&w, sheaf, columns, alone);
        sweep_outward(&w, sheaf, stage, weights);
    }
    return sweep_end_outward(&w);
}

/* ---- poses -------------------------------------------------------------------------------- */

/* Poses of links whose hinges are all of one type; their motions go to `own`. */
LANE_INLINE link_pose column_pose_type(const rct_sheaves *s, int64_t g, int kind, int alike,
                                       const double *own, const link_pose *up,
                                       const link_frame *frame)
{
    const link_lanes link = row_link(s, g);
    const link_motion m = alike ? row_recall(s, g, kind, &link, own) : row_recall_all(own);
    real q[MOST_COORDINATES], u[MOST_FREEDOMS];
    row_state_load(s, g, kind, q, u);
    return link_pose_after(kind, &link, &m, q, u, up, frame);
}

LANE_INLINE link_pose column_pose(const rct_sheaves *s, int64_t g, const double *own,
                                  const link_pose *up, const link_frame *frame)
{
    const int32_t kind = row_kind(s, g);
    link_pose of, pose = *up;
    if (!row_unlike(kind)) {
#define HINGE_CASE(TYPE) pose = column_pose_type(s, g, TYPE, 1, own, up, frame)
        HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
        return pose;
    }
    for (int type = 1; type < RCT_HINGE_TYPES; type++) {
        const int32_t lanes = row_lanes_of(s, g, type);
        if (lanes != 0) {
#define HINGE_CASE(TYPE) of = column_pose_type(s, g, TYPE, 0, own, up, frame)
            HINGE_CASES(type, HINGE_CASE)
#undef HINGE_CASE
            pose = link_pose_select(lane_bits(lanes), &of, &pose);
        }
    }
    return pose;
}

/* The motions of a wide sheaf to the scratch, its poses to the columns. */
LANE_INLINE void columns_pose(const group_sweep *w, int32_t sheaf, const rct_columns *c)
{
    const rct_sheaves *s = w->s;
    link_pose pose = link_pose_none();
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        double *own = scratch_row(w, g) + (int64_t)ROW_MOTION * ROW;
        if (s->starts[g] != 0) {
            const link_pose up = link_pose_gather(c->poses, c->hung + sheaf * LANE_WIDTH, ROW);
            pose = link_pose_select(lane_bits(s->starts[g]), &up, &pose);
        }
        const link_frame frame = row_move(s, g, pose.frame, 1, own);
        pose = column_pose(s, g, own, &pose, &frame);
        link_pose_store(c->poses + g * POSE_FIELDS * ROW, ROW, POSE_FIELDS, &pose);
        if (s->first_kid[g] < s->first_kid[g + 1]) {
            path_leave_frame(s, g, frame);
        }
    }
}

LANE_FUNCTION void group_pose(const rct_sheaves *s, int32_t group, const rct_columns *columns,
                              double *scratch)
{
    const group_sweep w = sweep_begin(s, group, scratch);
    for (int32_t sheaf = s->first_sheaf[group]; sheaf < s->first_sheaf[group + 1]; sheaf++) {
        if (narrow_sheaf(s, sheaf)) {
            narrow_outward_frames(s, sheaf);
        } else {
            columns_pose(&w, sheaf, columns);
        }
    }
}

#define COLUMN_TABLE                                                                               \
    {                                                                                              \
        .pose = group_pose, .inward = group_columns, .answer = group_answer, .take = group_take    \
    }

#endif
