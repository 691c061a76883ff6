/* Coordinates and rates between the arrays of the caller and rows
 * (kernels/records/coordinates.h), for the LANE_WIDTH of the including translation unit, which
 * may be a part of the lanes of a row.
 */
#ifndef RCT_KERNELS_SWEEPS_COORDINATES_H
#define RCT_KERNELS_SWEEPS_COORDINATES_H

#include "kernels/lane/numbers.h"
#include "kernels/laws/coordinate_step.h"

/* Numbers of a neutral link. */
static const double nothing[MOST_COORDINATES] = {0.0}, upright[MOST_COORDINATES] = {1.0};

/* Where the lanes of a part have their `count` numbers in an array of the caller; lanes without a
 * link get `none`. */
LANE_INLINE void part_begins(const row_part *p, const int32_t *head,
                             const rct_number_places *numbers, int count, const double *array,
                             const double *none, double *begin[LANE_WIDTH])
{
    LANE_UNROLL
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int32_t label = p->label[l];
        if (p->alike) {
            const double *own = array + (int64_t)count * head[label < 0 ? 0 : label];
            begin[l] = (double *)(label < 0 ? none : own);
        } else {
            const int known = label >= 0 && (p->where >> l & 1) != 0;
            begin[l] = (double *)(known ? array + rct_hinge_place(head, numbers, label) : none);
        }
    }
}

/* Stores `count` numbers of each lane in an array of the caller. */
LANE_INLINE void part_spread(const row_part *p, const int32_t *head,
                             const rct_number_places *numbers, const real *x, int count, double *to)
{
    double none[MOST_COORDINATES], *begin[LANE_WIDTH];
    part_begins(p, head, numbers, count, to, none, begin);
    lane_spread_all(begin, 0, count, x);
}

/* The links of one type in a part, to `state`. Returns the lanes in which they are states. */
LANE_INLINE mask put_type(const row_part *p, int kind, const rct_hinge_places *places,
                          const double *coordinates, const double *rates, double *state)
{
    const int nq = hinge_coordinates(kind), nu = hinge_freedoms(kind);
    double *begin[LANE_WIDTH];
    real q[MOST_COORDINATES], u[MOST_FREEDOMS];
    part_begins(p, places->head, &places->coordinates, nq, coordinates,
                hinge_has_axes(kind) ? nothing : upright, begin);
    lane_collect_all((const double *const *)begin, 0, nq, q);
    part_begins(p, places->head, &places->rates, nu, rates, nothing, begin);
    lane_collect_all((const double *const *)begin, 0, nu, u);
    return put_numbers(p, kind, q, u, state);
}

LANE_INLINE void take_type(const row_part *p, int kind, const rct_hinge_places *places,
                           double *state, double *numbers, double *coordinates, double *rates)
{
    const int nq = hinge_coordinates(kind), nu = hinge_freedoms(kind);
    real q[MOST_COORDINATES], u[MOST_FREEDOMS];
    LANE_UNROLL
    for (int i = 0; i < nq; i++) {
        q[i] = lane_load(part_field(p, numbers, i));
    }
    if (coordinates != NULL) {
        part_spread(p, places->head, &places->coordinates, q, nq, coordinates);
    }
    if (rates != NULL) {
        take_rates(p, kind, state, part_field(p, numbers, p->rates), u);
        part_spread(p, places->head, &places->rates, u, nu, rates);
    }
}

/* `results`: the derivatives of the part. */
LANE_INLINE void take_derivatives_type(const row_part *p, int kind, const rct_hinge_places *places,
                                       double *state, const double *results, double *derivatives)
{
    real u[MOST_FREEDOMS];
    take_rates(p, kind, state, results, u);
    part_spread(p, places->head, &places->rates, u, hinge_freedoms(kind), derivatives);
}

LANE_INLINE void put_derivatives_type(const row_part *p, int kind, const rct_hinge_places *places,
                                      double *state, const double *derivatives, double *results)
{
    const int nu = hinge_freedoms(kind);
    double *begin[LANE_WIDTH];
    real u[MOST_FREEDOMS];
    part_begins(p, places->head, &places->rates, nu, derivatives, nothing, begin);
    lane_collect_all((const double *const *)begin, 0, nu, u);
    put_derivatives(p, kind, state, u, results);
}

/* Numbers of rates, unchanged, to fields from `to` on. Returns the lanes in which they are not
 * 0. */
LANE_INLINE mask put_rates_type(const row_part *p, int kind, const rct_hinge_places *places,
                                const double *numbers, double *to)
{
    const real zero = lane_set(0.0);
    const int nu = hinge_freedoms(kind);
    double *begin[LANE_WIDTH];
    real x[MOST_FREEDOMS], most = zero;
    part_begins(p, places->head, &places->rates, nu, numbers, nothing, begin);
    lane_collect_all((const double *const *)begin, 0, nu, x);
    LANE_UNROLL
    for (int i = 0; i < nu; i++) {
        part_leave(p, to + i * p->lanes, x[i]);
        most = most + lane_abs(x[i]);
    }
    return lane_greater(most, zero);
}

/* ---- sheaf after sheaf -------------------------------------------------------------------- */

/* Goes on to the next type in a part of row g from lane `lane` on whose lanes have several types;
 * 0: there is none. */
LANE_INLINE int part_next(const rct_sheaves *s, int64_t g, int32_t lane, row_part *p)
{
    if (LANE_WIDTH == 1 || s->kinds[g] >= 0) {
        return 0;
    }
    const int32_t *bits = s->kind_lanes + (int64_t)(~s->kinds[g]) * RCT_HINGE_TYPES;
    do {
        p->kind++;
        p->where = p->kind < RCT_HINGE_TYPES
                       ? (int32_t)((uint32_t)bits[p->kind] >> lane & ((1u << LANE_WIDTH) - 1u))
                       : ALL_LANES;
    } while (p->where == 0);
    return p->kind < RCT_HINGE_TYPES;
}

/* The first type there. */
LANE_INLINE row_part part_of(const rct_sheaves *s, int32_t lanes, int64_t g, int32_t lane)
{
    row_part p = {.label = s->label + g * lanes + lane,
                  .lanes = LANE_WIDTH == 1 ? 1 : lanes,
                  .at = s->state_at[g] * lanes + lane,
                  .rates = s->coordinates[g],
                  .kind = LANE_WIDTH == 1 || s->kinds[g] >= 0 ? s->kinds[g] : 0,
                  .where = ALL_LANES};
    (void)part_next(s, g, lane, &p);
    return p;
}

/* The same where numbers go to or from arrays of the caller. */
LANE_INLINE row_part part_across(const rct_sheaves *s, const rct_hinge_places *places,
                                 int32_t lanes, int64_t g, int32_t lane)
{
    row_part p = part_of(s, lanes, g, lane);
    p.alike = places->rates.each > 0;
    return p;
}

LANE_INLINE mask put_part(const row_part *p, const rct_hinge_places *places,
                          const double *coordinates, const double *rates, double *state)
{
    mask good;
#define PUT(TYPE) good = put_type(p, TYPE, places, coordinates, rates, state)
    HINGE_CASES(p->kind, PUT)
#undef PUT
    return good;
}

LANE_INLINE void take_part(const row_part *p, const rct_hinge_places *places, double *state,
                           double *numbers, double *coordinates, double *rates){
#define TAKE(TYPE) take_type(p, TYPE, places, state, numbers, coordinates, rates)
    HINGE_CASES(p->kind, TAKE)
#undef TAKE
}

LANE_INLINE void take_derivatives_part(const row_part *p, const rct_hinge_places *places,
                                       double *state, const double *results, double *derivatives){
#define TAKE(TYPE) take_derivatives_type(p, TYPE, places, state, results, derivatives)
    HINGE_CASES(p->kind, TAKE)
#undef TAKE
}

/* The lanes of rows: known where a row has one. */
LANE_INLINE int32_t part_lanes(int32_t lanes)
{
    return LANE_WIDTH == 1 ? 1 : lanes;
}

static int coordinates_put(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                           const rct_hinge_places *places, const double *coordinates,
                           const double *rates, double *state)
{
    lanes = part_lanes(lanes);
    mask good = lane_greater(lane_set(1.0), lane_set(0.0));
    for (int64_t g = s->first_row[first]; g < s->first_row[end]; g++) {
        for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
            row_part p = part_across(s, places, lanes, g, lane);
            do {
                good = lane_and(good, put_part(&p, places, coordinates, rates, state));
            } while (part_next(s, g, lane, &p));
        }
    }
    return lane_all(good);
}

static void coordinates_take(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                             const rct_hinge_places *places, double *numbers, double *coordinates,
                             double *rates)
{
    lanes = part_lanes(lanes);
    for (int64_t g = s->first_row[first]; g < s->first_row[end]; g++) {
        for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
            row_part p = part_across(s, places, lanes, g, lane);
            do {
                take_part(&p, places, s->state, numbers, coordinates, rates);
            } while (part_next(s, g, lane, &p));
        }
    }
}

static void coordinates_take_derivatives(const rct_sheaves *s, int32_t lanes, int32_t first,
                                         int32_t end, const rct_hinge_places *places,
                                         double *derivatives)
{
    lanes = part_lanes(lanes);
    for (int32_t sheaf = first; sheaf < end; sheaf++) {
        const int64_t before = s->narrow[sheaf] ? NARROW_RESULT_RATES : WIDE_RESULT_RATES;
        for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
            for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
                const double *results = s->results + (s->result_at[g] + before) * lanes + lane;
                row_part p = part_across(s, places, lanes, g, lane);
                do {
                    take_derivatives_part(&p, places, s->state, results, derivatives);
                } while (part_next(s, g, lane, &p));
            }
        }
    }
}

LANE_INLINE void put_derivatives_part(const row_part *p, const rct_hinge_places *places,
                                      double *state, const double *derivatives, double *results)
{
#define PUT(TYPE) put_derivatives_type(p, TYPE, places, state, derivatives, results)
    HINGE_CASES(p->kind, PUT)
#undef PUT
}

static void coordinates_put_derivatives(const rct_sheaves *s, int32_t lanes, int32_t first,
                                        int32_t end, const rct_hinge_places *places,
                                        const double *derivatives)
{
    lanes = part_lanes(lanes);
    for (int32_t sheaf = first; sheaf < end; sheaf++) {
        const int64_t before = s->narrow[sheaf] ? NARROW_RESULT_RATES : WIDE_RESULT_RATES;
        for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
            for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
                double *results = s->results + (s->result_at[g] + before) * lanes + lane;
                row_part p = part_across(s, places, lanes, g, lane);
                do {
                    put_derivatives_part(&p, places, s->state, derivatives, results);
                } while (part_next(s, g, lane, &p));
            }
        }
    }
}

/* Returns HAS_LOAD if any is not 0. */
LANE_INLINE uint16_t put_rates_part(const row_part *p, const rct_hinge_places *places,
                                    const double *numbers, double *to)
{
    mask any;
#define PUT(TYPE) any = put_rates_type(p, TYPE, places, numbers, to)
    HINGE_CASES(p->kind, PUT)
#undef PUT
    return lane_all(lane_not(any)) ? 0 : HAS_LOAD;
}

static void coordinates_put_rates(const rct_sheaves *s, uint16_t *has, int32_t lanes, int32_t first,
                                  int32_t end, const rct_hinge_places *places,
                                  const double *of_coordinates, const double *of_rates,
                                  double *slot)
{
    lanes = part_lanes(lanes);
    const double *const numbers[2] = {of_coordinates, of_rates};
    for (int64_t g = s->first_row[first]; g < s->first_row[end]; g++) {
        for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
            row_part p = part_across(s, places, lanes, g, lane);
            do {
                for (int i = of_coordinates == NULL; i < 2; i++) {
                    double *to = part_field(&p, slot, i == 0 ? 0 : p.rates);
                    has[g] |= put_rates_part(&p, places, numbers[i], to);
                }
            } while (part_next(s, g, lane, &p));
        }
    }
}

static void coordinates_put_efforts(const rct_sheaves *s, uint16_t *has, int32_t lanes,
                                    int32_t first, int32_t end, const rct_hinge_places *places,
                                    const double *efforts)
{
    lanes = part_lanes(lanes);
    for (int64_t g = s->first_row[first]; g < s->first_row[end]; g++) {
        for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
            double *effort = s->loads + (g * LOAD_FIELDS + LOAD_EFFORT) * lanes + lane;
            row_part p = part_across(s, places, lanes, g, lane);
            do {
                has[g] |= put_rates_part(&p, places, efforts, effort);
            } while (part_next(s, g, lane, &p));
        }
    }
}

#endif
