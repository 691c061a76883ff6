/* The upper levels and the trunk, for any method. */
#ifndef RCT_KERNELS_CUDA_JUNCTION_H
#define RCT_KERNELS_CUDA_JUNCTION_H

#include "kernels/cuda/pieces.h"

/* ---- the upper levels --------------------------------------------------------------------- */

static __device__ __forceinline__ int32_t upper_numbers(const rct_device *d)
{
    return (d->upper_count * SPAN_CORE + 1) / 2 * 2;
}

/* Of the ends of all roots. */
static __device__ __forceinline__ int32_t end_numbers(const rct_device *d)
{
    return (d->root_count + WARP - 1) / WARP * WARP * END_FIELDS;
}

/* In shared memory, with its pairs, or where they are. */
template <bool SHARED>
static __device__ __forceinline__ rct_forest upper_forest(const rct_device *d, double *room)
{
    if (!SHARED) {
        return (rct_forest){d->upper_spans, d->upper_ends, d->upper_pairs, d->upper,
                            d->upper_levels};
    }
    double *ends = room + upper_numbers(d);
    rct_pair *pairs = (rct_pair *)(ends + end_numbers(d));
    int32_t *first = (int32_t *)(pairs + d->upper_count - d->root_count);
    fetch(pairs, d->upper_pairs, (d->upper_count - d->root_count) * (int64_t)sizeof *pairs);
    fetch(first, d->upper, UPPER_MARKS * (int)sizeof *first);
    return (rct_forest){room, ends, pairs, first, d->upper_levels};
}

/* Compose, and whole segments to rows. */
template <bool SHARED>
static __device__ __forceinline__ rct_forest join_upper(const rct_device *d, double *room)
{
    const rct_forest forest = upper_forest<SHARED>(d, room);
    if (SHARED) {
        fetch(room, d->upper_spans, d->root_count * (int64_t)(SPAN_CORE * sizeof *room));
        rct_fetched();
        __syncthreads();
    }
    compose_levels(&forest, &d->fault->inward.singular);
    for (int32_t k = (int32_t)threadIdx.x; k < d->segment_count * SPAN_CORE; k += JOINERS) {
        const int32_t segment = k / SPAN_CORE, field = k % SPAN_CORE;
        d->trunk.spans[(int64_t)segment * SPAN_FIELDS + field] =
            forest.spans[(int64_t)d->top[segment].span * SPAN_CORE + field];
    }
    __syncthreads();
    return forest;
}

/* Rows to whole segments, and open. */
template <bool SHARED>
static __device__ __forceinline__ void part_upper(const rct_device *d, const rct_forest *forest)
{
    for (int32_t k = (int32_t)threadIdx.x; k < d->segment_count * END_FIELDS; k += JOINERS) {
        const int32_t segment = k / END_FIELDS, field = k % END_FIELDS;
        const double *span = d->trunk.spans + (int64_t)segment * SPAN_FIELDS;
        const int32_t leaf = field < END_HANDLE ? d->top[segment].first : d->top[segment].last;
        const bool less = field >= END_HANDLE && field < END_HANDLE + 3;
        forest->ends[span_at(leaf, END_FIELDS) + field * WARP] =
            d->trunk.ends[k] - (less ? span[SPAN_STAND_IN] : 0.0);
    }
    open_levels(forest, &d->fault->outward.singular);
    if (SHARED) {
        copy_out(d->upper_ends, forest->ends, end_numbers(d));
    }
}

/* ---- the junction ------------------------------------------------------------------------- */

static __device__ __forceinline__ int any_fault(const rct_device_labels *labels)
{
    return labels->singular != NO_LABEL || labels->not_finite != NO_LABEL;
}

/* One thread: whether the sweep goes on. What is met outward was met by a stage before. */
static __device__ void decide(const rct_device *d, int stage)
{
    rct_device_fault *fault = d->fault;
    if (fault->stop) {
        return;
    }
    if (any_fault(&fault->inward) || any_fault(&fault->outward)) {
        fault->stop = 1;
        fault->stage = stage;
    } else if (stage == 0) {
        fault->steps++;
    }
}

static __device__ __forceinline__ void note_node(const rct_device *d, rct_device_labels *labels,
                                                 rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        note_label(labels, result.end, d->node_label[result.link]);
    }
}

/* For a trunk on the host. */
template <bool SHARED>
static __device__ __forceinline__ void join_in(const rct_device *d, double *room)
{
    join_upper<SHARED>(d, room);
    if (SHARED) {
        copy_out(d->upper_spans, room, d->upper_count * SPAN_CORE);
    }
}

static __device__ __forceinline__ void join_block(const rct_device *d)
{
    RCT_SHARED_DYNAMIC(double, room);
    if (d->upper_shared > 0) {
        join_in<true>(d, room);
    } else {
        join_in<false>(d, room);
    }
}

template <bool SHARED>
static __device__ __forceinline__ void part_in(const rct_device *d, double *room)
{
    const rct_forest forest = upper_forest<SHARED>(d, room);
    if (SHARED) {
        fetch(room, d->upper_spans, d->upper_count * (int64_t)(SPAN_CORE * sizeof *room));
        rct_fetched();
        __syncthreads();
    }
    part_upper<SHARED>(d, &forest);
}

static __device__ __forceinline__ void part_block(const rct_device *d)
{
    RCT_SHARED_DYNAMIC(double, room);
    if (d->upper_shared > 0) {
        part_in<true>(d, room);
    } else {
        part_in<false>(d, room);
    }
}

/* Work records of the tasks on the trunk, for a trunk on the host: to rows (`out`) or back. */
static __device__ void copy_hung(const rct_device *d, int fields, int out)
{
    for (int32_t k = (int32_t)threadIdx.x; k < d->hung_count * fields; k += (int32_t)blockDim.x) {
        double *work = d->trunk.work + (int64_t)d->hung[k / fields] * fields + k % fields;
        if (out) {
            d->hung_rows[k] = *work;
        } else {
            *work = d->hung_rows[k];
        }
    }
}

/* What the tasks on the trunk and on the ground hang on. */
static __device__ __forceinline__ void reach_hung(const rct_device *d,
                                                  const rct_serial_kernels *serial)
{
    for (int32_t k = (int32_t)threadIdx.x; k < d->hung_count; k += (int32_t)blockDim.x) {
        trunk_reach(&d->trunk, serial, d->hung[k]);
    }
    __syncthreads();
}

/* States of the trunk's links; nothing after them reads the old ones. */
static __device__ __forceinline__ void
advance_trunk(const rct_device *d, const rct_serial_kernels *serial, int stage, double dt)
{
    for (int32_t k = (int32_t)threadIdx.x; k < d->trunk.count; k += (int32_t)blockDim.x) {
        const rct_stretch *stretch = &d->trunk.stretches[k];
        const int32_t end =
            stretch->first + (d->trunk.segment[stretch->first] < 0 ? stretch->count : 0);
        for (int32_t n = stretch->first; n < end; n++) {
            if (!trunk_advance(&d->trunk, serial, n, stage, dt)) {
                atomicMin(&d->fault->outward.not_finite, d->node_label[n]);
            }
        }
    }
}

template <bool SHARED>
static __device__ __forceinline__ void
junction_in(const rct_device *d, const rct_serial_kernels *serial, int stage, double *room)
{
    const rct_forest forest = join_upper<SHARED>(d, room);
    if (threadIdx.x == 0) {
        note_node(d, &d->fault->inward, trunk_sweep_inward(&d->trunk, serial));
        decide(d, stage);
        if (!d->fault->stop) {
            note_node(d, &d->fault->outward, trunk_sweep_outward(&d->trunk, serial));
        }
    }
    __syncthreads();
    if (!d->fault->stop) {
        part_upper<SHARED>(d, &forest);
    }
}

static __device__ __forceinline__ void
junction_block(const rct_device *d, const rct_serial_kernels *serial, int stage, double dt)
{
    RCT_SHARED_DYNAMIC(double, room);
    if (d->upper_shared > 0) {
        junction_in<true>(d, serial, stage, room);
    } else {
        junction_in<false>(d, serial, stage, room);
    }
    if (d->fault->stop) {
        return;
    }
    reach_hung(d, serial);
    if (stage != STAGE_NONE) {
        advance_trunk(d, serial, stage, dt);
    }
}

#endif
