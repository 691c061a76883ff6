/* States moved (kernels/records/coordinates.h), for the LANE_WIDTH of the including translation unit: along the derivatives of rates
 * in the results, as closing loops asks for it, and by slopes, as integrators do; and the table of all that is done with coordinates.
 */
#ifndef RCT_KERNELS_SWEEPS_MOVES_H
#define RCT_KERNELS_SWEEPS_MOVES_H

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
            if (s->kinds[g] < 0) { /* lanes of no link have no type */
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
                row_part p = part_of(s, lanes, g, lane);
                do {
                    weigh_part(&p, s, by, results + lane);
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

#define COORDINATE_TABLE                                                                           \
    {                                                                                              \
        .put = coordinates_put, .put_efforts = coordinates_put_efforts, .take = coordinates_take,  \
        .take_derivatives = coordinates_take_derivatives, .move = coordinates_move,                \
        .largest = coordinates_largest, .weigh = coordinates_weigh, .size = coordinates_size       \
    }

#endif
