/* Moves of states (kernels/records/coordinates.h), for the LANE_WIDTH of the including translation
 * unit: along the derivatives of rates in the results, for closing loops, and by slopes, for
 * integrators; and the table of all kernels of coordinates.
 */
#ifndef RCT_KERNELS_SWEEPS_MOVES_H
#define RCT_KERNELS_SWEEPS_MOVES_H

#include "kernels/laws/hold_step.h"
#include "kernels/laws/slope_step.h"
#include "kernels/sweeps/coordinates.h"

#include <string.h>

static int coordinates_move(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                            const rct_move *by, double *state)
{
    mask good = lane_greater(lane_set(1.0), lane_set(0.0));
    for (int32_t sheaf = first; sheaf < end; sheaf++) {
        for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
            const double *results = row_derivatives(s, sheaf, g, lanes);
            if (s->kinds[g] < 0) { /* lanes without a link have no type */
                const int64_t at = s->state_at[g] * lanes, next = s->state_at[g + 1] * lanes;
                memcpy(state + at, s->state + at, (size_t)(next - at) * sizeof *state);
            }
            for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
                row_part p = part_of(s, lanes, g, lane);
                do {
                    good = lane_and(good, move_part(&p, by, s->state, results + lane, state));
                } while (part_next(s, g, lane, &p));
            }
        }
    }
    return lane_all(good);
}

static void coordinates_largest(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                                double largest[2])
{
    real most[2] = {lane_set(0.0), lane_set(0.0)};
    double sizes[LANE_WIDTH];
    for (int32_t sheaf = first; sheaf < end; sheaf++) {
        for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
            const double *results = row_derivatives(s, sheaf, g, lanes);
            for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
                row_part p = part_of(s, lanes, g, lane);
                do {
                    largest_part(&p, s->state, results + lane, most);
                } while (part_next(s, g, lane, &p));
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        lane_store(sizes, most[i]);
        for (int l = 0; l < LANE_WIDTH; l++) {
            largest[i] = sizes[l] > largest[i] ? sizes[l] : largest[i];
        }
    }
}

/* ---- slopes ------------------------------------------------------------------------------- */

static void coordinates_weigh(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                              const rct_weighing *by)
{
    for (int32_t sheaf = first; sheaf < end; sheaf++) {
        for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
            const double *results = row_derivatives(s, sheaf, g, lanes);
            for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
                double *load = by->stage != RCT_STAGE_EXPLICIT
                                   ? s->loads + g * LOAD_FIELDS * lanes + lane
                                   : NULL;
                row_part p = part_of(s, lanes, g, lane);
                do {
                    weigh_part(&p, s, by, results + lane, load);
                } while (part_next(s, g, lane, &p));
            }
        }
    }
}

static double coordinates_size(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                               const rct_weighing *by, double length)
{
    error_size most = {lane_set(0.0), lane_set(0.0)};
    double sizes[LANE_WIDTH], size = 0.0;
    for (int32_t sheaf = first; sheaf < end; sheaf++) {
        for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
            const double *results = row_derivatives(s, sheaf, g, lanes);
            for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
                row_part p = part_of(s, lanes, g, lane);
                do {
                    size_part(&p, s, by, results + lane, length, &most);
                } while (part_next(s, g, lane, &p));
            }
        }
    }
    lane_store(sizes, error_size_of(most));
    for (int l = 0; l < LANE_WIDTH; l++) {
        size = sizes[l] > size ? sizes[l] : size;
    }
    return size;
}

/* ---- ball hinges in implicit stages ------------------------------------------------------- */

/* The turning of what the lanes of a row hang on. It is looked up where paths begin; elsewhere it
 * is the row before. */
LANE_INLINE hold_turning above_of(const int32_t *label, int32_t begins, const rct_holding *by,
                                  hold_turning before)
{
    double x[HOLD_NUMBERS][LANE_WIDTH] = {{0.0}}, y[HOLD_NUMBERS][LANE_WIDTH] = {{0.0}};
    real state[HOLD_NUMBERS], other[HOLD_NUMBERS];
    int32_t grounded = 0;
    mat3 axes;
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int32_t up = (begins >> l & 1) != 0 ? by->parent[label[l]] : RCT_GROUND;
        const int64_t at = up >= 0 ? by->at[up] : 0;
        const rct_sheaves *of = at < 0 ? by->links : by->lanes;
        const int64_t stride = at < 0 ? 1 : by->width, row = (at < 0 ? ~at : at) / stride;
        for (int i = 0; i < HOLD_NUMBERS && up >= 0; i++) {
            const int64_t in = (at < 0 ? ~at : at) % stride;
            x[i][l] = hold_number(of, row, of->state, i, stride)[in];
            y[i][l] = hold_number(of, row, of->slots + RCT_SLOT_OTHER * of->slot, i, stride)[in];
        }
        x[0][l] = up >= 0 ? x[0][l] : 1.0;
        grounded |= up >= 0 ? 0 : 1 << l;
    }
    for (int i = 0; i < HOLD_NUMBERS; i++) {
        state[i] = lane_load(x[i]);
        other[i] = lane_load(y[i]);
    }
    const hold_turning links = hold_turning_of(state, other, &axes);
    const hold_turning found = hold_turning_select(lane_bits(grounded), hold_ground(by), links);
    return hold_turning_select(lane_bits(begins), found, before);
}

static void coordinates_hold(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                             const rct_holding *by)
{
    for (int32_t sheaf = first; sheaf < end; sheaf++) {
        for (int32_t lane = 0; lane < lanes; lane += LANE_WIDTH) {
            hold_turning above = hold_ground(by);
            for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
                const int32_t begins =
                    (int32_t)((uint32_t)s->starts[g] >> lane & ((1u << LANE_WIDTH) - 1u));
                mat3 axes;
                if (begins != 0) {
                    above = above_of(s->label + g * lanes + lane, begins, by, above);
                }
                const hold_turning own = hold_turning_at(s, g, lanes, lane, &axes);
                hold_row(s, g, lanes, lane, &own, &above, axes, by->delta);
                above = own;
            }
        }
    }
}

#define COORDINATE_TABLE                                                                           \
    {                                                                                              \
        .put = coordinates_put, .put_efforts = coordinates_put_efforts, .take = coordinates_take,  \
        .take_derivatives = coordinates_take_derivatives, .move = coordinates_move,                \
        .largest = coordinates_largest, .weigh = coordinates_weigh, .size = coordinates_size,      \
        .put_derivatives = coordinates_put_derivatives, .put_rates = coordinates_put_rates,        \
        .hold = coordinates_hold                                                                   \
    }

#endif
