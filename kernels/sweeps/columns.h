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
    return x->c->in + ((int64_t)(x->first + column) * x->c->fields + field) * ROW;
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
        const double *in = column_in(x, column, COLUMN_WRENCH);
        double *e = column_field(x, column, COLUMN_E);
        for (int i = 0; i < 6; i++, e += ROW, in += ROW) {
            const real before = fresh ? lane_set(0.0) : lane_load(e);
            lane_store(e, lane_select(where, lane_load(in), before));
        }
        x->alive = fresh ? column + 1 : x->alive;
    }
}

/* The factors by which column `column` takes rates of the hinges of row g, for planar hinges in link
 * axes. */
LANE_INLINE void column_factor(const column_sweep *x, int kind, int64_t g, int32_t column,
                               const link_motion *m, real factor[MOST_FREEDOMS])
{
    mask here = lane_bits(0);
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
}

/* The numbers of a column of a sheaf. A store of lanes may change anything for the compiler, so loops
 * over columns keep these places in locals. */
typedef struct column_numbers {
    double *h, *terms;
    double *ready;        /* NULL: not wanted */
    const double *square; /* NULL: all 1      */
} column_numbers;

LANE_INLINE column_numbers column_numbers_of(const column_sweep *x)
{
    const rct_columns *c = x->c;
    return (column_numbers){column_number(x, c->h, 0), column_number(x, c->terms, 0),
                            c->ready != NULL ? column_number(x, c->ready, 0) : NULL,
                            c->square != NULL ? column_number(x, c->square, 0) : NULL};
}

/* Whether all paths that reach row g of the sheaf begin there on the ground: columns end there. */
LANE_INLINE int columns_land(const column_sweep *x, int64_t g)
{
    const rct_sheaves *s = x->w->s;
    return g == s->first_row[x->sheaf] && s->starts[g] == s->grounded[g];
}

/* What the accelerations of the links of row g take from the ground, where columns land. */
LANE_INLINE spatial columns_ground(const column_sweep *x, int64_t g, const link_motion *m)
{
    const rct_sheaves *s = x->w->s;
    link_motion still = *m;
    still.bias = spatial_zero();
    return link_reach(&still, s->own_gravity == NULL ? ground_motion(s)
                                                     : path_reaching(s, x->sheaf, g, still.bias));
}

/* Passes all columns that have entered across the links of row g in the lanes `where`, whose hinges
 * are of one type; `alike`: these are all lanes, in which columns meet at once. */
LANE_INLINE void columns_pass(const column_sweep *x, int64_t g, int kind, int armed, int alike,
                              mask where)
{
    const rct_sheaves *s = x->w->s;
    const double *own = scratch_row(x->w, g), *kept = own + (int64_t)ROW_MOTION * ROW;
    const link_lanes link = row_link(s, g);
    const link_motion m = alike ? row_recall(s, g, kind, &link, kept) : row_recall_all(kept);
    const column_numbers of = column_numbers_of(x);
    const int32_t alive = x->alive, *efforts = x->c->efforts + x->first;
    const int lands = columns_land(x, g);
    const spatial ground = lands ? columns_ground(x, g, &m) : spatial_zero();
    double *e = column_field(x, 0, COLUMN_E), *pivot = x->pivot;
    double *psi = x->c->psi + x->c->pair[x->sheaf] * ROW;
    double *given = x->c->gains + x->c->gain_at[g] * ROW;
    const double *solved = e + (int64_t)COLUMN_SOLVED * ROW;
    six_gain gain[MOST_FREEDOMS];
    hinge_rotor rotor;
    if (armed) {
        rotor = row_rotor(s, g, kind, &link, &m);
    }
    row_gains_load(own + (int64_t)ROW_GAINS * ROW, kind, armed ? &rotor : NULL, gain,
                   hinge_freedoms(kind));
    real most[2];
    column_keep_pivots(kind, own + (int64_t)ROW_GAINS * ROW, alike, where, pivot, most);
    for (int64_t k = 0, at = 0; k < alive; k++, at += ROW, e += (int64_t)COLUMN_SCRATCH * ROW) {
        real factor[MOST_FREEDOMS], taken[MOST_FREEDOMS];
        loop_column c = {.h = lane_load(of.h + at), .terms = lane_load(of.terms + at)};
        for (int i = 0; i < 6; i++) {
            c.e[i] = lane_load(e + (int64_t)i * ROW);
        }
        const int any = efforts[k];
        if (any) {
            column_factor(x, kind, g, (int32_t)k, &m, factor);
        }
        if (of.ready != NULL) {
            const real square = of.square != NULL ? lane_load(of.square + at) : lane_set(1.0);
            const real give = column_ready(kind, c.e, any ? factor : NULL, most, square);
            const real before = lane_load(of.ready + at);
            column_store(alike, where, of.ready + at,
                         lane_select(lane_greater(give, before), give, before));
        }
        column_cross(kind, &link, &m, armed ? &rotor : NULL, gain, any ? factor : NULL, &c, taken);
        column_gather(m.bias, &c);
        if (lands) {
            column_gather(ground, &c);
        } else {
            column_inboard(&m, &c);
            for (int i = 0; i < 6; i++) {
                column_store(alike, where, e + (int64_t)i * ROW, c.e[i]);
            }
        }
        column_store(alike, where, of.h + at, c.h);
        column_store(alike, where, of.terms + at, c.terms);
        for (int i = 0; i < hinge_freedoms(kind); i++) {
            column_store(alike, where, e + (int64_t)(COLUMN_SOLVED + i) * ROW, taken[i]);
        }
        if (alike) {
            column_meet(hinge_freedoms(kind), pivot, solved, k, given, psi);
            given += (int64_t)hinge_freedoms(kind) * ROW;
            psi += (k + 1) * ROW;
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

/* The same for any row. */
LANE_INLINE void columns_cross(const column_sweep *x, int64_t g)
{
    const rct_sheaves *s = x->w->s;
    const int32_t kind = row_kind(s, g), alive = x->alive;
    const int freedoms = row_freedoms(s, g);
    double *psi = x->c->psi + x->c->pair[x->sheaf] * ROW;
    double *gains = x->c->gains + x->c->gain_at[g] * ROW, *pivot = x->pivot;
    double *solved = column_field(x, 0, COLUMN_SOLVED);
    if (!row_unlike(kind)) {
        columns_pass_type(x, g, kind, 1, lane_bits(-1));
        return;
    }
    for (int i = 0; i < freedoms; i++) {
        for (int m = column_pivots_begin(i); m < column_pivots_end(i, freedoms); m++) {
            lane_store(column_pivot(pivot, i, m), lane_set(0.0));
        }
        for (int64_t k = 0; k < alive; k++) {
            lane_store(solved + (k * COLUMN_SCRATCH + i) * ROW, lane_set(0.0));
        }
    }
    for (int type = 1; type < RCT_HINGE_TYPES; type++) {
        const int32_t lanes = row_lanes_of(s, g, type);
        if (lanes != 0) {
            columns_pass_type(x, g, type, 0, lane_bits(lanes));
        }
    }
    for (int64_t k = 0; k < alive; k++, gains += (int64_t)freedoms * ROW, psi += k * ROW) {
        column_meet(freedoms, pivot, solved, k, gains, psi);
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
    const column_numbers of = column_numbers_of(x);
    const int32_t *onward = x->c->onward + (int64_t)x->first * LANE_WIDTH, alive = x->alive;
    const int32_t inside = s->starts[g] != s->grounded[g] ? s->inside[g] : 0;
    const int last = g == s->first_row[x->sheaf]; /* nobody asks for the columns any more */
    double *e = column_field(x, 0, COLUMN_E), *in = x->c->in;
    for (int64_t k = 0, at = 0; k < alive; k++, at += ROW, e += (int64_t)COLUMN_SCRATCH * ROW) {
        const spatial own = spatial_load(e, ROW);
        const real given = vec3_dot(own.l, ground.l) + vec3_dot(own.a, ground.a);
        lane_store(of.h + at, lane_load(of.h + at) + lane_select(grounded, given, zero));
        lane_store(of.terms + at,
                   lane_load(of.terms + at) + lane_select(grounded, lane_abs(given), zero));
        for (int l = 0; l < LANE_WIDTH && inside != 0; l++) {
            const int32_t to = onward[k * LANE_WIDTH + l];
            for (int i = 0; i < 6 && (inside >> l & 1) != 0 && to >= 0; i++) {
                in[to + (int64_t)i * ROW] = e[(int64_t)i * ROW + l];
            }
        }
        for (int i = 0; i < 6 && !last; i++) {
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
    const column_numbers of = column_numbers_of(&x);
    const int64_t numbers = (int64_t)(c->first[sheaf + 1] - x.first) * ROW;
    const int64_t pairs = (c->pair[sheaf + 1] - c->pair[sheaf]) * ROW;
    double *psi = c->psi + c->pair[sheaf] * ROW;
    for (int64_t at = 0; at < numbers; at += ROW) {
        lane_store(of.h + at, lane_set(0.0));
        lane_store(of.terms + at, lane_set(0.0));
        if (of.ready != NULL) {
            lane_store(of.ready + at, lane_set(0.0));
        }
    }
    for (int64_t at = 0; at < pairs; at += ROW) {
        lane_store(psi + at, lane_set(0.0));
    }
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        columns_enter(&x, g);
        if (x.alive > 0) {
            columns_cross(&x, g);
            if (s->starts[g] != 0 && !columns_land(&x, g)) {
                columns_leave(&x, g);
            }
        }
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
    return sweep_end(&w);
}

/* ---- outward ------------------------------------------------------------------------------ */

/* Solves the coordinates of the hinges of a sheaf under the multipliers: on top of the old
 * solution, or alone. */
LANE_INLINE void columns_answer(const group_sweep *w, int32_t sheaf, const rct_columns *c,
                                int alone)
{
    const rct_sheaves *s = w->s;
    const int32_t *row_of = c->row_of + (int64_t)c->first[sheaf] * LANE_WIDTH;
    real multiplier[MOST_COLUMNS];
    for (int32_t k = 0; k < c->first[sheaf + 1] - c->first[sheaf]; k++) {
        multiplier[k] = lane_gather(c->multipliers, row_of + (int64_t)k * LANE_WIDTH);
    }
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1] && c->alive[g] > 0; g++) {
        const double *gains = c->gains + c->gain_at[g] * ROW;
        double *y = scratch_row(w, g) + (int64_t)(ROW_GAINS + ROW_GAIN_FIELDS - 1) * ROW;
        const int64_t freedoms = row_freedoms(s, g), alive = c->alive[g];
        for (int i = 0; i < freedoms; i++, y += (int64_t)ROW_GAIN_FIELDS * ROW, gains += ROW) {
            real sum = alone ? lane_set(0.0) : lane_load(y);
            for (int64_t k = 0; k < alive; k++) {
                sum = sum + multiplier[k] * lane_load(gains + k * freedoms * ROW);
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
    const double weight = rk4_stage_weight(stage, dt);
    for (int32_t sheaf = s->first_sheaf[group]; sheaf < s->first_sheaf[group + 1]; sheaf++) {
        columns_answer(&w, sheaf, columns, alone);
        sweep_outward(&w, sheaf, stage, weight);
    }
    return sweep_end(&w);
}

/* ---- results ------------------------------------------------------------------------------ */

/* What rows of J take from the results of the rows of a sheaf, at the entries from loops. */
LANE_INLINE void columns_take(const rct_sheaves *s, int32_t sheaf, const rct_columns *c)
{
    for (int32_t k = c->first[sheaf]; k < c->first[sheaf + 1]; k++) {
        lane_store(c->taken + (int64_t)k * ROW, lane_set(0.0));
    }
    for (int32_t n = c->first_entry[sheaf]; n < c->first_entry[sheaf + 1]; n++) {
        const rct_column_entry *entry = &c->entry[n];
        const double *result = s->results + s->result_at[entry->row] * ROW;
        const double *in = c->in + (int64_t)entry->column * c->fields * ROW;
        double *to = c->taken + (int64_t)entry->column * ROW;
        const int freedoms = c->efforts[entry->column] ? row_freedoms(s, entry->row) : 0;
        real sum = lane_set(0.0);
        for (int i = 0; i < 6 + freedoms; i++) {
            sum = sum + lane_load(in + (int64_t)i * ROW) * lane_load(result + (int64_t)i * ROW);
        }
        lane_store_where(lane_bits(entry->lanes), to, sum);
    }
}

LANE_FUNCTION void group_take(const rct_sheaves *s, int32_t group, const rct_columns *columns)
{
    for (int32_t sheaf = s->first_sheaf[group]; sheaf < s->first_sheaf[group + 1]; sheaf++) {
        columns_take(s, sheaf, columns);
    }
}

/* ---- poses -------------------------------------------------------------------------------- */

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
