/* What the lane kernels of all methods share, for the LANE_WIDTH of the including translation unit:
 * the constants of a link, the way outward, the Runge-Kutta stage on the way. */
#ifndef RCT_KERNELS_TILE_H
#define RCT_KERNELS_TILE_H

#include "kernels/abi_span_step.h"
#include "kernels/rk4_step.h"
#include "kernels/tiles.h"

enum { W = LANE_STRIDE };

/* Constants of a link. */
typedef struct tile_link {
    real mass;
    vec3 com;
    sym3 inertia;
    vec3
        out; /* of a tile: hinge point of the next link outboard; of a bush: where the link hangs */
} tile_link;

/* Record k of constants: shared by all lanes, or ~k of the wide ones. */
LANE_INLINE tile_link tile_record_load(int32_t k, const double *shared, const double *wide)
{
    if (k < 0) {
        const double *p = wide + (int64_t)(~k) * TILE_LINK_FIELDS * W;
        return (tile_link){lane_load(p + LINK_MASS * W), vec3_load(p + LINK_COM * W, W),
                           sym3_load(p + LINK_INERTIA * W, W), vec3_load(p + TILE_OUT * W, W)};
    }
    const double *p = shared + (int64_t)k * TILE_LINK_FIELDS;
    return (tile_link){lane_load(p + LINK_MASS), vec3_load(p + LINK_COM, 1),
                       sym3_load(p + LINK_INERTIA, 1), vec3_load(p + TILE_OUT, 1)};
}

LANE_INLINE tile_link tile_link_load(const rct_tiles *tiles, int64_t g)
{
    return tile_record_load(tiles->record[g], tiles->shared, tiles->wide);
}

/* On the way inward: which lanes have met a link that is not neutral, and its axes. */
typedef struct tile_way {
    mask met;
    int all;     /* all have                     */
    mat3 before; /* axes of the link just passed */
    mat3 outer;  /* axes of the outermost link   */
} tile_way;

LANE_INLINE tile_way tile_way_begin(void)
{
    const real zero = lane_set(0.0);
    return (tile_way){lane_greater(zero, zero), 0, mat3_identity(), mat3_identity()};
}

/* The rotation from the axes of the link just passed to those of this one. The outermost link takes
 * what hangs on it as it is: only steps before it pay for the difference. */
LANE_INLINE mat3 tile_turn(tile_way *way, mat3 r, real mass)
{
    mat3 turn = mat3_transposed_times(r, way->before); /* 45 */
    if (!way->all) {
        turn = mat3_select(way->met, turn, mat3_identity());
        way->outer = mat3_select(way->met, way->outer, r);
        way->met = lane_greater(mass, lane_set(0.0));
        way->all = lane_all(way->met);
    }
    way->before = r;
    return turn;
}

/* What hangs on the outboard ends. Not the force there: a light segment that carries a heavy rest would
 * answer to it without the mass that resists (docs/decisions.md). */
LANE_INLINE abi_handle tile_end_handle(const double *end)
{
    const double *handle = end + END_HANDLE * W;
    return (abi_handle){sym3_load(handle, W), vec3_load(handle + 6 * W, W)};
}

/* Results of a link with the handle (S, e). */
LANE_INLINE void tile_write_results(double *result, const double *handle, vec3 a, vec3 alpha)
{
    const vec3 f =
        vec3_add(sym3_apply(sym3_load(handle, W), a), vec3_load(handle + (int64_t)6 * W, W));
    vec3_store(result + RESULT_LINEAR * W, W, a);
    vec3_store(result + RESULT_ANGULAR * W, W, alpha);
    vec3_store(result + RESULT_FORCE * W, W, f);
}

/* Faults met on the way through a tile. */
typedef struct tile_faults {
    rct_sweep_end end;
    real step; /* the first of each lane, or -1 */
} tile_faults;

LANE_INLINE tile_faults tile_no_faults(void)
{
    return (tile_faults){SWEEP_DONE, lane_set(-1.0)};
}

/* Note the lanes that are not good at this step, unless they were at fault before. */
LANE_INLINE void tile_note(tile_faults *faults, rct_sweep_end end, int64_t step, mask good)
{
    if (!lane_all(good)) {
        const mask later = lane_greater(faults->step, lane_set(-0.5));
        const real now = lane_select(later, faults->step, lane_set((double)step));
        faults->step = lane_select(good, faults->step, now);
        faults->end = end;
    }
}

LANE_INLINE rct_tile_result tile_result(const tile_faults *faults)
{
    rct_tile_result result = {faults->end, {-1, -1, -1, -1, -1, -1, -1, -1}};
    if (faults->end != SWEEP_DONE) {
        double step[LANE_WIDTH];
        lane_store(step, faults->step);
        for (int lane = 0; lane < LANE_WIDTH; lane++) {
            result.step[lane] = (int32_t)step[lane];
        }
    }
    return result;
}

/* One link of the Runge-Kutta step, base y, sum s, state x; false where its new state is not finite. */
LANE_INLINE mask tile_advance(double *y, double *s, double *x, int stage, rk4_weights weights,
                              vec3 alpha)
{
    if (stage == 0) {
        rk4_first_stage(y, s, x, W, alpha, weights);
    } else if (stage < 3) {
        rk4_inner_stage(y, s, x, W, alpha, weights);
    } else {
        return rk4_last_stage(s, x, W, alpha, weights);
    }
    return lane_greater(lane_set(1.0), lane_set(0.0));
}

/* Outward over a tile whose scratch is filled, from the acceleration at its end, and what the stage asks. */
LANE_INLINE rct_tile_result tile_outward(const rct_tiles *tiles, int32_t tile, const double *end,
                                         int stage, double dt, const double *scratch)
{
    const int64_t first = tiles->first_step[tile];
    const rk4_weights weights = rk4_stage_weights(stage, dt);
    tile_faults faults = tile_no_faults();
    vec3 above = vec3_load(end + END_LINEAR * W, W);
    for (int64_t g = first; g < tiles->first_step[tile + 1]; g++) {
        const double *own = scratch + (g - first) * SCRATCH_FIELDS * W;
        const vec3 out = tile_link_load(tiles, g).out;
        const vec3 w = vec3_load(tiles->state + (g * STATE_FIELDS + STATE_RATE) * W, W);
        const vec3 a = mat3_apply_transposed(mat3_load(own + SCRATCH_TURN * W, W), above);
        const abi_gain gain = {mat3_load(own + SCRATCH_GAIN * W, W),
                               vec3_load(own + (SCRATCH_GAIN + 9) * W, W)};
        const vec3 alpha = abi_angular(gain, a);
        mask good = lane_finite(alpha.x + alpha.y + alpha.z);
        above = point_acceleration(a, alpha, w, out);
        if (tiles->slot[g] >= 0) {
            double *side = tiles->side + (int64_t)tiles->slot[g] * SIDE_FIELDS * W;
            vec3_store(side + SIDE_LINEAR * W, W, a);
            vec3_store(side + SIDE_ANGULAR * W, W, alpha);
            vec3_store(side + SIDE_RATE * W, W, w); /* the stage may advance it */
        }
        if (stage == STAGE_NONE) {
            tile_write_results(tiles->results + g * RESULT_FIELDS * W, own + SCRATCH_HANDLE * W, a,
                               alpha);
        } else {
            const int64_t at = g * STATE_FIELDS * W;
            good = lane_and(good, tile_advance(tiles->base + at, tiles->sum + at, tiles->state + at,
                                               stage, weights, alpha));
        }
        tile_note(&faults, SWEEP_NOT_FINITE, g - first, good); /* the base must be whole */
    }
    return tile_result(&faults);
}

#endif
