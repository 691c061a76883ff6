/* Segments and subtrees beside them, as the serial sweep over a reduced tree meets them: closing and
 * opening spans (kernels/abi_span_step.h), one lane. */
#include "kernels/abi_span_step.h"
#include "kernels/serial.h"

/* The handle of node c in the axes it is turned to. */
static abi_handle outboard_handle(const double *work, int32_t c)
{
    const double *out = work + (int64_t)c * ABI_FIELDS;
    const abi_handle handle = {sym3_load(out + ABI_HANDLE, 1), vec3_load(out + ABI_HANDLE + 6, 1)};
    return abi_turn(mat3_load(out + ABI_TURN, 1), handle);
}

/* The node outboard of n, or -1. */
static int32_t outboard_node(const rct_links *links, int32_t n)
{
    const int32_t k = links->child_begin[n];
    return k < links->child_begin[n + 1] ? links->child[k] : -1;
}

void rct_serial_abi_close(const rct_links *links, double *work, int32_t n, const double *span,
                          int32_t stride)
{
    double *mine = work + (int64_t)n * ABI_FIELDS;
    const abi_span own = abi_span_load(span, stride);
    const int32_t c = outboard_node(links, n);
    abi_handle handle = own.handle;
    if (c >= 0) {
        double *turn = work + (int64_t)c * ABI_FIELDS + ABI_TURN;
        const mat3 last = mat3_load(span + SPAN_OUTBOARD * stride, stride);
        mat3_store(turn, 1, mat3_transposed_times(last, mat3_load(turn, 1)));
        handle = abi_span_close(&own, outboard_handle(work, c));
    }
    mat3_store(mine + ABI_TURN, 1, mat3_load(span + SPAN_INBOARD * stride, stride));
    sym3_store(mine + ABI_HANDLE, 1, handle.s);
    vec3_store(mine + ABI_HANDLE + 6, 1, handle.e);
}

void rct_serial_abi_open(const rct_links *links, double *work, int32_t n, const double *span,
                         int32_t stride, double *end)
{
    double *mine = work + (int64_t)n * ABI_FIELDS;
    const abi_span own = abi_span_load(span, stride);
    const int32_t c = outboard_node(links, n);
    const vec3 a =
        mat3_apply_transposed(mat3_load(mine + ABI_TURN, 1), vec3_load(mine + ABI_LINEAR, 1));
    abi_handle beyond = abi_span_open().handle;
    if (c >= 0) {
        beyond = outboard_handle(work, c);
        vec3_store(work + (int64_t)c * ABI_FIELDS + ABI_LINEAR, 1, abi_span_reach(&own, beyond, a));
    }
    vec3_store(mine + ABI_LINEAR, 1, a);
    vec3_store(end + END_LINEAR * stride, stride, a);
    sym3_store(end + END_HANDLE * stride, stride, beyond.s);
    vec3_store(end + (END_HANDLE + 6) * stride, stride, beyond.e);
}

/* Add b to what stands at `to`, or put it there. */
static void put(double *to, int32_t stride, int overwrite, const double *b, int count)
{
    for (int i = 0; i < count; i++) {
        to[i * stride] = overwrite ? b[i] : to[i * stride] + b[i];
    }
}

void rct_serial_abi_add_side(const rct_links *links, double *work, int32_t i, const double *state,
                             int32_t stride, int overwrite, double *side)
{
    double *out = work + (int64_t)i * ABI_FIELDS;
    const mat3 r = quat_rotation(quat_load(state + STATE_ORIENTATION * stride, stride));
    const mat3 turn = mat3_transposed_times(r, mat3_load(out + ABI_TURN, 1));
    const abi_handle handle = {sym3_load(out + ABI_HANDLE, 1), vec3_load(out + ABI_HANDLE + 6, 1)};
    const sym3 none = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    abi_body sum = {
        none, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, none, vec3_zero(), vec3_zero()};
    abi_add_outboard(&sum, abi_turn(turn, handle),
                     vec3_load(links->sweep + (int64_t)i * LINK_FIELDS + LINK_AT, 1),
                     vec3_load(state + STATE_RATE * stride, stride));
    double rows[27];
    mat3_store(out + ABI_TURN, 1, turn);
    sym3_store(rows + SIDE_A11, 1, sum.a11);
    mat3_store(rows + SIDE_A12, 1, sum.a12);
    sym3_store(rows + SIDE_A22, 1, sum.a22);
    vec3_store(rows + SIDE_B1, 1, sum.b1);
    vec3_store(rows + SIDE_B2, 1, sum.b2);
    put(side, stride, overwrite, rows, 27);
}

void rct_serial_abi_reach_side(const rct_links *links, double *work, int32_t i, const double *side,
                               int32_t stride)
{
    const vec3 above =
        point_acceleration(vec3_load(side + SIDE_LINEAR * stride, stride),
                           vec3_load(side + SIDE_ANGULAR * stride, stride),
                           vec3_load(side + SIDE_RATE * stride, stride),
                           vec3_load(links->sweep + (int64_t)i * LINK_FIELDS + LINK_AT, 1));
    vec3_store(work + (int64_t)i * ABI_FIELDS + ABI_LINEAR, 1, above);
}
