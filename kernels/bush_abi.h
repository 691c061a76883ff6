/* The kernels of bushes of the abi method, for the LANE_WIDTH of the including translation unit: the
 * operations of kernels/serial_abi.c in the same order, so that they give the same numbers.
 *
 * condense: 480 flops a link. accelerate: the same once more, its scratch in the cache, and outward: 550.
 */
#ifndef RCT_KERNELS_BUSH_ABI_H
#define RCT_KERNELS_BUSH_ABI_H

#include "kernels/bush.h"

/* What comes along the paths, in the axes r of the links of wave g. */
LANE_INLINE abi_handle bush_abi_along(const bush_sweep *s, int64_t g, mat3 r, const bush_way *way)
{
    const mat3 turn = mat3_transposed_times(r, way->before);
    mat3_store(bush_row(s, g + 1) + BUSH_TURN * W, W, turn);
    return abi_turn(turn, way->handle);
}

LANE_INLINE void bush_abi_add_kids(const bush_sweep *s, int64_t g, vec3 w, abi_body *body)
{
    const rct_bushes *b = s->bushes;
    for (int64_t k = b->first_kid[g]; k < b->first_kid[g + 1]; k++) {
        abi_add_outboard(body, bush_kid_handle(s, k), bush_kid_at(s, k), w);
    }
}

/* The links of wave g, axes r, with all that hangs on them; at the tips nothing comes along the paths. Vectors turn what
 * comes before they begin with the link: of the other order, more numbers wait than there are registers. */
LANE_INLINE abi_body bush_abi_body(const bush_sweep *s, int64_t g, int tips, mat3 r,
                                   const bush_way *way)
{
    if (LANE_WIDTH > 1 && !tips) {
        const abi_handle out = bush_abi_along(s, g, r, way);
        const tile_link link = bush_link_load(s, g);
        const vec3 w = bush_rate(s, g);
        abi_body body = abi_body_alone(link.mass, link.com, link.inertia, w);
        abi_add_outboard(&body, out, link.out, w);
        bush_abi_add_kids(s, g, w, &body);
        return body;
    }
    const tile_link link = bush_link_load(s, g);
    const vec3 w = bush_rate(s, g);
    abi_body body = abi_body_alone(link.mass, link.com, link.inertia, w);
    if (!tips) {
        abi_add_outboard(&body, bush_abi_along(s, g, r, way), link.out, w);
        bush_abi_add_kids(s, g, w, &body);
    }
    return body;
}

/* What roots of wave g, axes r, add to the side records of the links they hang on. */
LANE_INLINE void bush_abi_sides(const bush_sweep *s, int64_t g, mat3 r, abi_handle handle)
{
    const int32_t row = s->bushes->side_row[g];
    double numbers[ABI_FIELDS * LANE_WIDTH];
    vec3 w;
    const mat3 turn = mat3_transposed_times(bush_side_axes(s, row, &w), r);
    const real zero = lane_set(0.0);
    const sym3 none = {zero, zero, zero, zero, zero, zero};
    abi_body sum = {none,
                    {zero, zero, zero, zero, zero, zero, zero, zero, zero},
                    none,
                    vec3_zero(),
                    vec3_zero()};
    abi_add_outboard(&sum, abi_turn(turn, handle),
                     vec3_load(s->bushes->side_at + (int64_t)3 * row * W, W), w);
    double *side = numbers + (ABI_SIDE - SIDE_A11) * LANE_WIDTH;
    mat3_store(numbers + ABI_TURN * LANE_WIDTH, LANE_WIDTH, turn);
    sym3_store(side + SIDE_A11 * LANE_WIDTH, LANE_WIDTH, sum.a11);
    mat3_store(side + SIDE_A12 * LANE_WIDTH, LANE_WIDTH, sum.a12);
    sym3_store(side + SIDE_A22 * LANE_WIDTH, LANE_WIDTH, sum.a22);
    vec3_store(side + SIDE_B1 * LANE_WIDTH, LANE_WIDTH, sum.b1);
    vec3_store(side + SIDE_B2 * LANE_WIDTH, LANE_WIDTH, sum.b2);
    bush_write_sides(s, row, ABI_FIELDS, numbers, ABI_FIELDS);
}

/* One sheaf inward; what is kept is constant where it is called. */
LANE_INLINE void bush_abi_sheaf(const bush_sweep *s, int32_t sheaf, int gains, int handles,
                                bush_faults *faults)
{
    const rct_bushes *b = s->bushes;
    const int64_t last = b->first_wave[sheaf + 1] - 1;
    bush_way way = bush_way_begin();
    for (int64_t g = last; g >= b->first_wave[sheaf]; g--) {
        double *own = bush_row(s, g);
        const mat3 r = bush_rotation(s, g);
        const abi_body body = bush_abi_body(s, g, g == last, r, &way);
        abi_gain gain;
        const mask regular = abi_eliminate(&body, &way.handle, &gain).regular;
        bush_watch(faults, s, g, regular, body.a22.xx + body.a22.yy + body.a22.zz, &way.handle);
        way.before = r;
        if (gains) {
            mat3_store(own + BUSH_GAIN * W, W, gain.g);
            vec3_store(own + (BUSH_GAIN + 9) * W, W, gain.h);
        }
        if (handles || b->starts[g] != 0) {
            bush_store_handle(own + BUSH_HANDLE * W, way.handle);
        }
        if (b->starts[g] != 0) {
            bush_hang(s, g, r, way.handle);
        }
        if (!gains && b->side_row[g] >= 0) {
            bush_abi_sides(s, g, r, way.handle);
        }
        lane_meet();
    }
}

LANE_INLINE rct_sweep_result bush_abi_inward(const bush_sweep *s, int gains, int handles)
{
    bush_faults faults = {{SWEEP_DONE, -1}, {SWEEP_DONE, -1}};
    for (int32_t sheaf = s->end_sheaf - 1; sheaf >= s->first_sheaf; sheaf--) {
        bush_abi_sheaf(s, sheaf, gains, handles, &faults);
    }
    return bush_judge(s, &faults);
}

LANE_FUNCTION rct_sweep_result bush_abi_condense(const rct_bushes *bushes, int32_t bush,
                                                 double *scratch)
{
    const bush_sweep s = bush_begin(bushes, bush, scratch);
    const rct_sweep_result result = bush_abi_inward(&s, 0, 0);
    const int64_t end = bushes->first_root[bush + 1];
    for (int64_t k = bushes->first_root[bush] + lane_member(); k < end; k += LANE_MEMBERS) {
        if (!bushes->root[k].beside) {
            const double *own = scratch + bushes->root[k].place;
            double *work = bushes->work + (int64_t)bushes->root[k].node * ABI_FIELDS;
            bush_copy(work + ABI_TURN, 1, own + BUSH_START * W, W, 9);
            bush_copy(work + ABI_HANDLE, 1, own + BUSH_HANDLE * W, W, 9);
        }
    }
    return result;
}

LANE_FUNCTION rct_sweep_result bush_abi_accelerate(const rct_bushes *bushes, int32_t bush,
                                                   int stage, double dt, double *scratch)
{
    const bush_sweep s = bush_begin(bushes, bush, scratch);
    const rct_sweep_result inward = bush_abi_inward(&s, 1, stage == STAGE_NONE);
    bush_reach(&s, ABI_FIELDS, ABI_TURN, ABI_LINEAR);
    const rct_sweep_result outward = bush_outward(&s, stage, dt);
    return inward.end == SWEEP_DONE ? outward : inward;
}

#endif
