/* The articulated-body sweep, one lane, link after link: design section 2 with one handle a link.
 * 480 flops a link inward, 70 outward (docs/performance.md); 288 bytes of work written and read once each way. */
#ifndef RCT_KERNELS_SERIAL_ABI_H
#define RCT_KERNELS_SERIAL_ABI_H

#include "kernels/abi_span_step.h"
#include "kernels/serial.h"

LANE_FUNCTION vec3 gravity_of(const rct_links *links, int64_t i)
{
    return vec3_own(links->own_gravity, 3 * i, 1, links->gravity);
}

/* Condense link i and all outboard of it to its handle. */
LANE_FUNCTION mask condense(const rct_links *links, const double *state, double *work, int64_t i)
{
    const double *record = links->sweep + i * LINK_FIELDS;
    const double *own = state + i * STATE_FIELDS;
    const mat3 r = quat_rotation(quat_load(own + STATE_ORIENTATION, 1));
    const vec3 w = vec3_load(own + STATE_RATE, 1);
    abi_body body = abi_body_alone(lane_load(record + LINK_MASS), vec3_load(record + LINK_COM, 1),
                                   sym3_load(record + LINK_INERTIA, 1), w);
    for (int32_t k = links->child_begin[i]; k < links->child_begin[i + 1]; k++) {
        const int64_t c = links->child[k];
        double *out = work + c * ABI_FIELDS;
        const mat3 turn = mat3_transposed_times(r, mat3_load(out + ABI_TURN, 1));
        const abi_handle handle = {sym3_load(out + ABI_HANDLE, 1),
                                   vec3_load(out + ABI_HANDLE + 6, 1)};
        mat3_store(out + ABI_TURN, 1, turn);
        abi_add_outboard(&body, abi_turn(turn, handle),
                         vec3_load(links->sweep + c * LINK_FIELDS + LINK_AT, 1), w);
    }
    abi_handle handle;
    abi_gain gain;
    const mask regular = abi_eliminate(&body, &handle, &gain).regular;
    double *mine = work + i * ABI_FIELDS;
    mat3_store(mine + ABI_TURN, 1, r); /* the parent makes it relative; a root keeps it */
    sym3_store(mine + ABI_HANDLE, 1, handle.s);
    vec3_store(mine + ABI_HANDLE + 6, 1, handle.e);
    mat3_store(mine + ABI_GAIN, 1, gain.g);
    vec3_store(mine + ABI_GAIN + 9, 1, gain.h);
    return regular;
}

/* The acceleration of the point link i hangs on, in its parent's axes. */
LANE_FUNCTION vec3 reached(const rct_links *links, const double *state, const double *work,
                           int64_t i)
{
    const int64_t p = links->parent[i];
    const double *up = work + p * ABI_FIELDS;
    return point_acceleration(vec3_load(up + ABI_LINEAR, 1), vec3_load(up + ABI_ANGULAR, 1),
                              vec3_load(state + p * STATE_FIELDS + STATE_RATE, 1),
                              vec3_load(links->sweep + i * LINK_FIELDS + LINK_AT, 1));
}

/* Turn the acceleration reached into link axes; the angular one follows. */
LANE_FUNCTION mask accelerate(double *work, int64_t i, vec3 above)
{
    double *mine = work + i * ABI_FIELDS;
    const abi_gain gain = {mat3_load(mine + ABI_GAIN, 1), vec3_load(mine + ABI_GAIN + 9, 1)};
    const vec3 a = mat3_apply_transposed(mat3_load(mine + ABI_TURN, 1), above);
    const vec3 alpha = abi_angular(gain, a);
    vec3_store(mine + ABI_LINEAR, 1, a);
    vec3_store(mine + ABI_ANGULAR, 1, alpha);
    return lane_finite(alpha.x + alpha.y + alpha.z);
}

LANE_FUNCTION rct_sweep_result inward(const rct_links *links, const double *state, double *work,
                                      int32_t first, int32_t count)
{
    for (int32_t i = first + count - 1; i >= first; i--) {
        if (!lane_all(condense(links, state, work, i))) {
            return (rct_sweep_result){SWEEP_SINGULAR, i};
        }
    }
    return (rct_sweep_result){SWEEP_DONE, -1};
}

LANE_FUNCTION void reach(const rct_links *links, const double *state, double *work, int32_t i)
{
    const vec3 above = links->parent[i] >= 0 ? reached(links, state, work, i)
                                             : vec3_scale(lane_set(-1.0), gravity_of(links, i));
    vec3_store(work + (int64_t)i * ABI_FIELDS + ABI_LINEAR, 1, above);
}

LANE_FUNCTION rct_sweep_result outward(const rct_links *links, const double *state, double *work,
                                       int32_t first, int32_t count)
{
    rct_sweep_result result = {SWEEP_DONE, -1};
    for (int32_t i = first; i < first + count; i++) {
        const vec3 above = i > first ? reached(links, state, work, i)
                                     : vec3_load(work + (int64_t)i * ABI_FIELDS + ABI_LINEAR, 1);
        if (!lane_all(accelerate(work, i, above)) && result.link < 0) {
            result = (rct_sweep_result){SWEEP_NOT_FINITE, i};
        }
    }
    return result;
}

LANE_FUNCTION void accelerations(const rct_links *links, const double *state, const double *work,
                                 int32_t i, double row[6])
{
    const double *mine = work + (int64_t)i * ABI_FIELDS;
    const mat3 r =
        quat_rotation(quat_load(state + (int64_t)i * STATE_FIELDS + STATE_ORIENTATION, 1));
    const vec3 a = mat3_apply(r, vec3_load(mine + ABI_LINEAR, 1));
    vec3_store(row, 1, vec3_add(a, gravity_of(links, i)));
    vec3_store(row + 3, 1, mat3_apply(r, vec3_load(mine + ABI_ANGULAR, 1)));
}

LANE_FUNCTION void force(const double *state, const double *work, int32_t i, double row[6])
{
    const double *mine = work + (int64_t)i * ABI_FIELDS;
    const mat3 r =
        quat_rotation(quat_load(state + (int64_t)i * STATE_FIELDS + STATE_ORIENTATION, 1));
    const vec3 f =
        vec3_add(sym3_apply(sym3_load(mine + ABI_HANDLE, 1), vec3_load(mine + ABI_LINEAR, 1)),
                 vec3_load(mine + ABI_HANDLE + 6, 1));
    vec3_store(row, 1, mat3_apply(r, f));
    vec3_store(row + 3, 1, vec3_zero());
}

/* ---- segments and what hangs beside them (kernels/serial.h) ------------------------------- */

/* The handle of node c in the axes it is turned to. */
LANE_FUNCTION abi_handle outboard_handle(const double *work, int32_t c)
{
    const double *out = work + (int64_t)c * ABI_FIELDS;
    const abi_handle handle = {sym3_load(out + ABI_HANDLE, 1), vec3_load(out + ABI_HANDLE + 6, 1)};
    return abi_turn(mat3_load(out + ABI_TURN, 1), handle);
}

/* The node outboard of n, or -1. */
LANE_FUNCTION int32_t outboard_node(const rct_links *links, int32_t n)
{
    const int32_t k = links->child_begin[n];
    return k < links->child_begin[n + 1] ? links->child[k] : -1;
}

LANE_FUNCTION int close_segment(const rct_links *links, double *work, int32_t n, const double *span,
                                int32_t stride)
{
    double *mine = work + (int64_t)n * ABI_FIELDS;
    const abi_span own = abi_span_load(span, stride);
    const int32_t c = outboard_node(links, n);
    abi_handle handle = own.handle;
    mask regular = 1;
    if (c >= 0) {
        double *turn = work + (int64_t)c * ABI_FIELDS + ABI_TURN;
        const mat3 last = mat3_load(span + SPAN_OUTBOARD * stride, stride);
        mat3_store(turn, 1, mat3_transposed_times(last, mat3_load(turn, 1)));
        handle = abi_span_close(
            &own, abi_besides(outboard_handle(work, c), span[SPAN_STAND_IN * stride]), &regular);
    }
    mat3_store(mine + ABI_TURN, 1, mat3_load(span + SPAN_INBOARD * stride, stride));
    sym3_store(mine + ABI_HANDLE, 1, handle.s);
    vec3_store(mine + ABI_HANDLE + 6, 1, handle.e);
    return lane_all(regular);
}

LANE_FUNCTION void open_segment(const rct_links *links, double *work, int32_t n, const double *span,
                                int32_t stride, double *end)
{
    double *mine = work + (int64_t)n * ABI_FIELDS;
    const abi_span own = abi_span_load(span, stride);
    const int32_t c = outboard_node(links, n);
    const vec3 a =
        mat3_apply_transposed(mat3_load(mine + ABI_TURN, 1), vec3_load(mine + ABI_LINEAR, 1));
    abi_handle beyond = abi_span_open(lane_set(0.0)).handle;
    if (c >= 0) {
        beyond = outboard_handle(work, c);
        vec3_store(work + (int64_t)c * ABI_FIELDS + ABI_LINEAR, 1,
                   abi_span_reach(&own, abi_besides(beyond, span[SPAN_STAND_IN * stride]), a));
    }
    vec3_store(mine + ABI_LINEAR, 1, a);
    vec3_store(end + END_LINEAR * stride, stride, a);
    sym3_store(end + END_HANDLE * stride, stride, beyond.s);
    vec3_store(end + (END_HANDLE + 6) * stride, stride, beyond.e);
}

/* The table of these kernels; written where a function can be a constant. */
#define SERIAL_ABI_TABLE                                                                           \
    {                                                                                              \
        .work_fields = ABI_FIELDS, .linear = ABI_LINEAR, .angular = ABI_ANGULAR, .inward = inward, \
        .reach = reach, .outward = outward, .accelerations = accelerations, .force = force,        \
        .close_segment = close_segment, .open_segment = open_segment,                              \
        .side_fields = SIDE_ABI_FIELDS, .side = ABI_SIDE, .side_record = SIDE_A11,                 \
    }

#endif
