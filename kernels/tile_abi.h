/* The lane kernels of the abi method, for the LANE_WIDTH of the including translation unit.
 *
 * condense: one pass inward with both handles, 700 flops and 56 bytes a link (state); nothing
 * is stored but the handles. accelerate: the plain inward pass once more, with its scratch in the
 * cache, and outward: 570 flops. Moving what a stored first pass would keep, 240 bytes a link out
 * and back, costs more than computing it again (docs/decisions.md).
 */
#ifndef RCT_KERNELS_TILE_ABI_H
#define RCT_KERNELS_TILE_ABI_H

#include "kernels/tile.h"

/* Add what hangs beside the segment on this link. */
LANE_INLINE void tile_abi_add_side(const double *side, abi_body *body) /* 27 */
{
    const sym3 a11 = sym3_load(side + SIDE_A11 * W, W);
    const mat3 a12 = mat3_load(side + SIDE_A12 * W, W);
    const sym3 a22 = sym3_load(side + SIDE_A22 * W, W);
    body->a11.xx += a11.xx, body->a11.yy += a11.yy, body->a11.zz += a11.zz;
    body->a11.xy += a11.xy, body->a11.xz += a11.xz, body->a11.yz += a11.yz;
    body->a12.xx += a12.xx, body->a12.xy += a12.xy, body->a12.xz += a12.xz;
    body->a12.yx += a12.yx, body->a12.yy += a12.yy, body->a12.yz += a12.yz;
    body->a12.zx += a12.zx, body->a12.zy += a12.zy, body->a12.zz += a12.zz;
    body->a22.xx += a22.xx, body->a22.yy += a22.yy, body->a22.zz += a22.zz;
    body->a22.xy += a22.xy, body->a22.xz += a22.xz, body->a22.yz += a22.yz;
    body->b1 = vec3_add(body->b1, vec3_load(side + SIDE_B1 * W, W));
    body->b2 = vec3_add(body->b2, vec3_load(side + SIDE_B2 * W, W));
}

/* A link with all that hangs on it; `out` is the handle outboard of it in link axes. */
LANE_INLINE abi_body tile_abi_body(const rct_tiles *tiles, int64_t g, const tile_link *link, vec3 w,
                                   abi_handle out) /* 182 */
{
    abi_body body = abi_body_alone(link->mass, link->com, link->inertia, w);
    abi_add_outboard(&body, out, link->out, w);
    if (tiles->slot[g] >= 0) {
        tile_abi_add_side(tiles->side + (int64_t)tiles->slot[g] * SIDE_FIELDS * W, &body);
    }
    return body;
}

/* The span of a segment, and the axes it is in; not whole where a lane is at fault. */
LANE_INLINE rct_tile_result tile_abi_span(const rct_tiles *tiles, int32_t tile, abi_span *whole,
                                          tile_way *met)
{
    tile_faults faults = tile_no_faults();
    const int64_t first = tiles->first_step[tile];
    abi_span span = abi_span_open(lane_load(tiles->stand_in + (int64_t)tile * W));
    tile_way way = tile_way_begin();
    for (int64_t g = tiles->first_step[tile + 1] - 1; g >= first; g--) {
        const double *state = tiles->state + g * STATE_FIELDS * W;
        const tile_link link = tile_link_load(tiles, g);
        const mat3 r = quat_rotation(quat_load(state + STATE_ORIENTATION * W, W)); /* 32 */
        const vec3 w = vec3_load(state + STATE_RATE * W, W);
        abi_span_turn(tile_turn(&way, r, link.mass), &span); /* 45 + 135 */
        const abi_body body = tile_abi_body(tiles, g, &link, w, span.handle);
        const mask regular = abi_span_eliminate(&body, link.out, w, &span); /* 350 */
        if (!lane_all(regular)) {
            tile_note(&faults, SWEEP_SINGULAR, g - first, regular);
            return tile_result(&faults);
        }
    }
    *whole = span;
    *met = way;
    return tile_result(&faults);
}

/* Inward with what hangs on the end in place of the open end; fills the scratch, with handles if asked. */
LANE_INLINE rct_tile_result tile_abi_inward(const rct_tiles *tiles, int32_t tile, const double *end,
                                            int handles, double *scratch)
{
    tile_faults faults = tile_no_faults();
    const int64_t first = tiles->first_step[tile];
    tile_way way = tile_way_begin();
    abi_handle handle = tile_end_handle(end);
    for (int64_t g = tiles->first_step[tile + 1] - 1; g >= first; g--) {
        const double *state = tiles->state + g * STATE_FIELDS * W;
        double *own = scratch + (g - first) * SCRATCH_FIELDS * W;
        const tile_link link = tile_link_load(tiles, g);
        const mat3 r = quat_rotation(quat_load(state + STATE_ORIENTATION * W, W));
        const vec3 w = vec3_load(state + STATE_RATE * W, W);
        const mat3 turn = tile_turn(&way, r, link.mass);
        const abi_body body = tile_abi_body(tiles, g, &link, w, abi_turn(turn, handle));
        abi_gain gain;
        const mask regular = abi_eliminate(&body, &handle, &gain).regular;
        tile_note(&faults, SWEEP_SINGULAR, g - first, regular);
        if (g + 1 < tiles->first_step[tile + 1]) {
            mat3_store(own + (SCRATCH_FIELDS + SCRATCH_TURN) * W, W, turn);
        }
        mat3_store(own + SCRATCH_GAIN * W, W, gain.g);
        vec3_store(own + (SCRATCH_GAIN + 9) * W, W, gain.h);
        if (handles) {
            sym3_store(own + SCRATCH_HANDLE * W, W, handle.s);
            vec3_store(own + (SCRATCH_HANDLE + 6) * W, W, handle.e);
        }
    }
    return tile_result(&faults);
}

/* From the end of the tile; the scratch has the turn of the first step. */
LANE_INLINE rct_tile_result tile_abi_from_end(const rct_tiles *tiles, int32_t tile,
                                              const double *end, int stage, double dt,
                                              double *scratch)
{
    const rct_tile_result inward = tile_abi_inward(tiles, tile, end, stage == STAGE_NONE, scratch);
    const rct_tile_result outward = tile_outward(tiles, tile, end, stage, dt, scratch);
    return inward.end == SWEEP_DONE ? outward : inward;
}

#endif
