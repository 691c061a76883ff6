/* The lane kernels of the riccati method, for the LANE_WIDTH of the including translation unit: the
 * elements of kernels/riccati_step.h, with extra columns for the open end.
 *
 * A segment's input is open: its first link meets q = -lambda, with lambda the force the segment must
 * supply. So z_a = S z_b + e + E lambda with E = (0, -1) at first (columns in the axes of the last
 * link, rows in those of the link at hand),
 * and for the outboard point r'' = (-E_q)^T r'' + E_m^T W' + h - Psi lambda (reciprocity). Then
 *
 *     body:   E' = T11 E                  h' = h + E_q^T e2,      e2 = W~ W~ r_IO
 *     hinge:  D = -S_mW^-1 E_m            W' = b r'' + d + D lambda
 *             E_q' = E_q + S_qW D         h' = h + E_m^T d        Psi' = Psi - E_m^T D
 *
 * Beyond a hinge m = 0, and with F = -q the handles are those of kernels/abi_span_step.h: S = -S_qr,
 * e = -e_q, E = -E_q. 2,850 flops a link in condense, 2,640 in accelerate.
 */
#ifndef RCT_KERNELS_TILE_RICCATI_H
#define RCT_KERNELS_TILE_RICCATI_H

#include "kernels/riccati_handle.h"
#include "kernels/tile.h"

/* The open end's columns. */
typedef struct riccati_open {
    mat3 m, q;       /* E       */
    vec3 free;       /* h       */
    sym3 compliance; /* Psi */
} riccati_open;

/* Link g as a body element (eq. 5), link axes; its input is the outboard point. */
LANE_INLINE riccati_body tile_riccati_body(const rct_tiles *tiles, const tile_link *link, mat3 r,
                                           vec3 w)
{
    const vec3 g = {lane_set(tiles->gravity[0]), lane_set(tiles->gravity[1]),
                    lane_set(tiles->gravity[2])};
    riccati_body body;
    body.mass = link->mass;
    body.ic = vec3_sub(link->com, link->out);
    body.io = vec3_scale(lane_set(-1.0), link->out);
    body.inertia = inertia_shifted(link->inertia, link->mass, body.ic);
    body.rate = w;
    body.force = vec3_scale(link->mass, mat3_apply_transposed(r, g));
    return body;
}

/* Add what hangs beside the segment on this link: it has been brought to the first input. */
LANE_INLINE void tile_riccati_add_side(const double *side, riccati *z)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            z->s.m[i][j] += lane_load(side + (SIDE_RICCATI + 6 * i + j) * W);
        }
        z->e.v[i] += lane_load(side + (SIDE_RICCATI + 36 + i) * W);
    }
}

/* Turn (S, e) beyond the last hinge into the axes of link g and take it across the body. */
LANE_INLINE void tile_riccati_cross(const rct_tiles *tiles, int64_t g, const riccati_body *body,
                                    mat3 turn, riccati *z)
{
    *z = riccati_turn(turn, z);
    if (tiles->slot[g] >= 0) {
        tile_riccati_add_side(tiles->side + (int64_t)tiles->slot[g] * SIDE_FIELDS * W, z);
    }
    riccati_cross_body(body, z);
}

/* Take the open end across a hinge: `body` is (S, e) before it, `hinge` what crossing gave. */
LANE_FUNCTION void riccati_open_hinge(const riccati *before, const riccati_hinge *hinge,
                                      riccati_open *open)
{
    const mat3 d = lu3_solve_negative(hinge->factor, open->m);
    const mat3 psi = mat3_transposed_times(open->m, d);
    open->q = mat3_add(open->q, mat3_product(mat6_block(&before->s, 3, 3), d));
    open->free = vec3_add(open->free, mat3_apply_transposed(open->m, hinge->d));
    open->compliance.xx -= psi.xx, open->compliance.yy -= psi.yy, open->compliance.zz -= psi.zz;
    open->compliance.xy -= psi.xy, open->compliance.xz -= psi.xz, open->compliance.yz -= psi.yz;
    open->m = mat3_diagonal(lane_set(0.0));
}

/* The span of a segment, and the axes it is in; not whole where a lane is at fault. */
LANE_INLINE rct_tile_result tile_riccati_span(const rct_tiles *tiles, int32_t tile, abi_span *whole,
                                              tile_way *met)
{
    tile_faults faults = tile_no_faults();
    const int64_t first = tiles->first_step[tile];
    const riccati_row row = riccati_smooth_row();
    const real zero = lane_set(0.0);
    const abi_span end = abi_span_open(lane_load(tiles->stand_in + (int64_t)tile * W));
    riccati z = riccati_of_handle(end.handle);
    riccati_open open = {mat3_diagonal(zero),
                         mat3_diagonal(lane_set(-1.0)),
                         vec3_zero(),
                         {zero, zero, zero, zero, zero, zero}};
    tile_way way = tile_way_begin();
    for (int64_t g = tiles->first_step[tile + 1] - 1; g >= first; g--) {
        const double *state = tiles->state + g * STATE_FIELDS * W;
        const tile_link link = tile_link_load(tiles, g);
        const mat3 r = quat_rotation(quat_load(state + STATE_ORIENTATION * W, W));
        const vec3 w = vec3_load(state + STATE_RATE * W, W);
        const riccati_body body = tile_riccati_body(tiles, &link, r, w);
        const mat3 turn = tile_turn(&way, r, link.mass);
        tile_riccati_cross(tiles, g, &body, turn, &z);
        open.q = mat3_product(turn, open.q);
        open.m = mat3_product(mat3_tilde(lane_set(1.0), body.io), open.q);
        open.free =
            vec3_add(open.free, mat3_apply_transposed(open.q, vec3_centripetal(w, body.io)));
        const riccati crossed = z;
        const riccati_hinge hinge = riccati_cross_hinge(&row, &z);
        riccati_clear_moment(&z);
        riccati_open_hinge(&crossed, &hinge, &open);
        if (!lane_all(hinge.regular)) {
            tile_note(&faults, SWEEP_SINGULAR, g - first, hinge.regular);
            return tile_result(&faults);
        }
    }
    const abi_span span = {riccati_handle(&z), mat3_minus(open.q), open.free, open.compliance};
    *whole = span;
    *met = way;
    return tile_result(&faults);
}

/* Inward with what hangs on the end in place of the open end; fills the scratch, with handles if asked. */
LANE_INLINE rct_tile_result tile_riccati_inward(const rct_tiles *tiles, int32_t tile,
                                                const double *end, int handles, double *scratch)
{
    tile_faults faults = tile_no_faults();
    const int64_t first = tiles->first_step[tile];
    const riccati_row row = riccati_smooth_row();
    riccati z = riccati_of_handle(tile_end_handle(end));
    tile_way way = tile_way_begin();
    for (int64_t g = tiles->first_step[tile + 1] - 1; g >= first; g--) {
        const double *state = tiles->state + g * STATE_FIELDS * W;
        double *own = scratch + (g - first) * SCRATCH_FIELDS * W;
        const tile_link link = tile_link_load(tiles, g);
        const mat3 r = quat_rotation(quat_load(state + STATE_ORIENTATION * W, W));
        const vec3 w = vec3_load(state + STATE_RATE * W, W);
        const riccati_body body = tile_riccati_body(tiles, &link, r, w);
        const mat3 turn = tile_turn(&way, r, link.mass);
        tile_riccati_cross(tiles, g, &body, turn, &z);
        const riccati_hinge hinge = riccati_cross_hinge(&row, &z);
        riccati_clear_moment(&z);
        tile_note(&faults, SWEEP_SINGULAR, g - first, hinge.regular);
        if (g + 1 < tiles->first_step[tile + 1]) {
            mat3_store(own + (SCRATCH_FIELDS + SCRATCH_TURN) * W, W, turn);
        }
        mat3_store(own + SCRATCH_GAIN * W, W, mat3_minus(hinge.b));
        vec3_store(own + (SCRATCH_GAIN + 9) * W, W, vec3_scale(lane_set(-1.0), hinge.d));
        if (handles) {
            const abi_handle handle = riccati_handle(&z);
            sym3_store(own + SCRATCH_HANDLE * W, W, handle.s);
            vec3_store(own + (SCRATCH_HANDLE + 6) * W, W, handle.e);
        }
    }
    return tile_result(&faults);
}

/* From the end of the tile; the scratch has the turn of the first step. */
LANE_INLINE rct_tile_result tile_riccati_from_end(const rct_tiles *tiles, int32_t tile,
                                                  const double *end, int stage, double dt,
                                                  double *scratch)
{
    const rct_tile_result inward =
        tile_riccati_inward(tiles, tile, end, stage == STAGE_NONE, scratch);
    const rct_tile_result outward = tile_outward(tiles, tile, end, stage, dt, scratch);
    return inward.end == SWEEP_DONE ? outward : inward;
}

#endif
