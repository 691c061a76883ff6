/* The kernels of bushes of the abi method, for the LANE_WIDTH of the including translation unit: the
 * operations of kernels/serial_abi.c in the same order, so that they give the same numbers.
 *
 * condense: 480 flops a link. accelerate: the same once more, its scratch in the cache, and outward: 550.
 */
#ifndef RCT_KERNELS_BUSH_ABI_H
#define RCT_KERNELS_BUSH_ABI_H

#include "kernels/bush.h"

/* The links of wave g with all that hangs on them. */
LANE_INLINE abi_body bush_abi_body(const bush_sweep *s, int64_t g, const tile_link *link)
{
    const rct_bushes *b = s->bushes;
    const vec3 w = vec3_load(b->state + (g * STATE_FIELDS + STATE_RATE) * W, W);
    abi_body body = abi_body_alone(link->mass, link->com, link->inertia, w);
    for (int64_t k = b->first_kid[g]; k < b->first_kid[g + 1]; k++) {
        const int32_t *kid = b->kid + k * W;
        abi_add_outboard(&body, bush_handle_gather(s, kid), bush_at_gather(s, kid), w);
    }
    return body;
}

/* Inward over a bush whose rotations are in the scratch; what is kept is constant where it is called. */
LANE_INLINE rct_sweep_result bush_abi_inward(const bush_sweep *s, int gains, int handles)
{
    bush_faults faults = {{SWEEP_DONE, -1}, {SWEEP_DONE, -1}};
    for (int64_t g = s->end - 1; g >= s->first; g--) {
        const tile_link link = bush_link_load(s->bushes, g);
        const mat3 r = mat3_load(bush_row(s, g) + BUSH_TURN * W, W);
        const abi_body body = bush_abi_body(s, g, &link);
        abi_handle handle;
        abi_gain gain;
        const mask regular = abi_eliminate(&body, &handle, &gain).regular;
        bush_watch(&faults, s, g, regular, body.a22.xx + body.a22.yy + body.a22.zz, &handle);
        bush_pass_inward(s, g, r, link.out, handle);
        if (gains) {
            bush_keep_gain(s, g, gain);
        }
        if (handles) {
            bush_keep_handle(s, g, handle);
        }
        lane_meet();
    }
    return bush_judge(s, &faults);
}

LANE_FUNCTION rct_sweep_result bush_abi_condense(const rct_bushes *bushes, int32_t bush,
                                                 double *scratch)
{
    const bush_sweep s = bush_begin(bushes, bush, scratch);
    bush_rotations(&s);
    bush_write_turns(&s, ABI_FIELDS, ABI_TURN);
    const rct_sweep_result result = bush_abi_inward(&s, 0, 1);
    const int64_t end = bushes->first_root[bush + 1];
    for (int64_t k = bushes->first_root[bush] + lane_member(); k < end; k += LANE_MEMBERS) {
        bush_copy(bushes->work + (int64_t)bushes->root[k].node * ABI_FIELDS + ABI_HANDLE, 1,
                  scratch + bushes->root[k].place + BUSH_HANDLE * W, W, 9);
    }
    return result;
}

LANE_FUNCTION rct_sweep_result bush_abi_accelerate(const rct_bushes *bushes, int32_t bush,
                                                   int stage, double dt, double *scratch)
{
    const bush_sweep s = bush_begin(bushes, bush, scratch);
    bush_rotations(&s);
    if (bush >= bushes->hanging) {
        bush_write_turns(&s, ABI_FIELDS, ABI_TURN);
    }
    const rct_sweep_result inward = bush_abi_inward(&s, 1, stage == STAGE_NONE);
    bush_reach(&s, ABI_FIELDS, ABI_TURN, ABI_LINEAR);
    const rct_sweep_result outward = bush_outward(&s, stage, dt);
    return inward.end == SWEEP_DONE ? outward : inward;
}

#endif
