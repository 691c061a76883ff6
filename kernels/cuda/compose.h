/* Spans composed two by two, and opened again (kernels/abi_span_step.h). A composed span is kept beside
 * its parts, which are needed when it is opened. */
#ifndef RCT_KERNELS_CUDA_COMPOSE_H
#define RCT_KERNELS_CUDA_COMPOSE_H

#include "kernels/cuda/lane32.h"

#include "kernels/abi_span_step.h"

static __device__ __forceinline__ const double *span_of(const rct_device *d, int32_t i)
{
    return d->spans + span_at(i, SPAN_FIELDS);
}

/* From the axes of the first link of the outboard span to those of the last of the inboard one. */
static __device__ __forceinline__ mat3 turn_at_joint(const double *inboard, const double *outboard)
{
    return mat3_transposed_times(mat3_load(inboard + SPAN_OUTBOARD * WARP, WARP),
                                 mat3_load(outboard + SPAN_INBOARD * WARP, WARP));
}

static __device__ void compose_pair(const rct_device *d, const rct_pair *pair)
{
    const double *inboard = span_of(d, pair->inboard);
    const double *outboard = span_of(d, pair->outboard);
    double *whole = d->spans + span_at(pair->whole, SPAN_FIELDS);
    const abi_span p = abi_span_load(inboard, WARP);
    abi_span c = abi_span_load(outboard, WARP);
    abi_span_turn(turn_at_joint(inboard, outboard), &c);
    c.handle = abi_besides(c.handle, inboard[SPAN_STAND_IN * WARP]);
    mask regular;
    const abi_span both = abi_span_compose(&p, &c, &regular);
    abi_span_store(whole, WARP, &both);
    mat3_store(whole + SPAN_INBOARD * WARP, WARP, mat3_load(inboard + SPAN_INBOARD * WARP, WARP));
    mat3_store(whole + SPAN_OUTBOARD * WARP, WARP,
               mat3_load(outboard + SPAN_OUTBOARD * WARP, WARP));
    whole[SPAN_STAND_IN * WARP] = outboard[SPAN_STAND_IN * WARP];
    if (!regular) {
        atomicMin(&d->fault->inward.singular, pair->label);
    }
}

/* What reaches the whole, A at its inboard end and S, e of all beyond its outboard end, reaches its
 * parts: the outboard one closed is what hangs on the inboard one. */
static __device__ void open_pair(const rct_device *d, const rct_pair *pair)
{
    const double *inboard = span_of(d, pair->inboard);
    const double *outboard = span_of(d, pair->outboard);
    const double *end = d->ends + span_at(pair->whole, END_FIELDS);
    double *near = d->ends + span_at(pair->inboard, END_FIELDS);
    double *far = d->ends + span_at(pair->outboard, END_FIELDS);
    const vec3 a = vec3_load(end + END_LINEAR * WARP, WARP);
    const abi_handle beyond = {sym3_load(end + END_HANDLE * WARP, WARP),
                               vec3_load(end + (END_HANDLE + 6) * WARP, WARP)};
    const abi_span p = abi_span_load(inboard, WARP), c = abi_span_load(outboard, WARP);
    const mat3 turn = turn_at_joint(inboard, outboard);
    mask regular;
    const abi_handle closed =
        abi_span_close(&c, abi_besides(beyond, outboard[SPAN_STAND_IN * WARP]), &regular);
    const abi_handle rest = abi_turn(turn, closed);
    const vec3 reached = abi_span_reach(&p, abi_besides(rest, inboard[SPAN_STAND_IN * WARP]), a);
    vec3_store(near + END_LINEAR * WARP, WARP, a);
    sym3_store(near + END_HANDLE * WARP, WARP, rest.s);
    vec3_store(near + (END_HANDLE + 6) * WARP, WARP, rest.e);
    vec3_store(far + END_LINEAR * WARP, WARP, mat3_apply_transposed(turn, reached));
    sym3_store(far + END_HANDLE * WARP, WARP, beyond.s);
    vec3_store(far + (END_HANDLE + 6) * WARP, WARP, beyond.e);
    if (!regular) {
        atomicMin(&d->fault->outward.singular, pair->label);
    }
}

/* A block composes the pairs of `levels` levels, lowest first, `first` the first pair of each. */
static __device__ void compose_levels(const rct_device *d, const int32_t *first, int32_t levels)
{
    for (int32_t level = 0; level < levels; level++) {
        __syncthreads();
        for (int32_t k = first[level] + (int32_t)threadIdx.x; k < first[level + 1];
             k += (int32_t)blockDim.x) {
            compose_pair(d, &d->pairs[k]);
        }
    }
}

/* And opens them, highest first. */
static __device__ void open_levels(const rct_device *d, const int32_t *first, int32_t levels)
{
    for (int32_t level = levels - 1; level >= 0; level--) {
        for (int32_t k = first[level] + (int32_t)threadIdx.x; k < first[level + 1];
             k += (int32_t)blockDim.x) {
            open_pair(d, &d->pairs[k]);
        }
        __syncthreads();
    }
}

#endif
