/* The kernels that sweep pieces, and the junction, for any method. */
#ifndef RCT_KERNELS_CUDA_SEGMENTS_H
#define RCT_KERNELS_CUDA_SEGMENTS_H

#include "kernels/cuda/compose.h"

/* The tile of this thread's warp. */
static __device__ __forceinline__ int32_t own_tile(void)
{
    return (int32_t)((blockIdx.x * blockDim.x + threadIdx.x) / WARP);
}

static __device__ __forceinline__ int own_lane(void)
{
    return (int)(threadIdx.x % WARP);
}

static __device__ __forceinline__ void note_label(rct_device_labels *labels, rct_sweep_end end,
                                                  int32_t label)
{
    atomicMin(end == SWEEP_SINGULAR ? &labels->singular : &labels->not_finite, label);
}

/* Neutral links have no faults. */
static __device__ __forceinline__ void note_piece(const rct_device *d, rct_device_labels *labels,
                                                  int32_t tile, rct_tile_result result)
{
    if (result.end != SWEEP_DONE) {
        const int32_t first = d->label[tile * WARP + own_lane()];
        if (first >= 0) {
            note_label(labels, result.end, first + result.step[0]);
        }
    }
}

template <rct_tile_result (*condense)(const rct_tiles *, int32_t)>
static __device__ __forceinline__ void condense_block(const rct_device *d)
{
    const int32_t tile = own_tile();
    if (tile < d->tiles.count) {
        const rct_tiles own = tiles_of_lane(&d->tiles, own_lane());
        note_piece(d, &d->fault->inward, tile, condense(&own, tile));
    }
    compose_levels(d, d->lower + (int64_t)blockIdx.x * (LOWER_LEVELS + 1), LOWER_LEVELS);
}

template <rct_tile_result (*accelerate)(const rct_tiles *, int32_t, int, double, double *)>
static __device__ __forceinline__ void accelerate_block(const rct_device *d, int stage, double dt)
{
    if (d->fault->stop) {
        return; /* the same for all: set between launches */
    }
    open_levels(d, d->lower + (int64_t)blockIdx.x * (LOWER_LEVELS + 1), LOWER_LEVELS);
    const int32_t tile = own_tile();
    if (tile < d->tiles.count) {
        const rct_tiles own = tiles_of_lane(&d->tiles, own_lane());
        double *scratch =
            d->scratch + d->tiles.first_step[tile] * SCRATCH_FIELDS * WARP + own_lane();
        note_piece(d, &d->fault->outward, tile, accelerate(&own, tile, stage, dt, scratch));
    }
}

/* ---- the junction ------------------------------------------------------------------------- */

/* Spans of whole segments as rows. */
static __device__ void gather_tops(const rct_device *d)
{
    __syncthreads();
    for (int32_t k = (int32_t)threadIdx.x; k < d->segment_count * SPAN_FIELDS;
         k += (int32_t)blockDim.x) {
        d->trunk.spans[k] = span_of(d, d->top[k / SPAN_FIELDS])[k % SPAN_FIELDS * WARP];
    }
    __syncthreads();
}

static __device__ void scatter_tops(const rct_device *d)
{
    __syncthreads();
    for (int32_t k = (int32_t)threadIdx.x; k < d->segment_count * END_FIELDS;
         k += (int32_t)blockDim.x) {
        d->ends[span_at(d->top[k / END_FIELDS], END_FIELDS) + k % END_FIELDS * WARP] =
            d->trunk.ends[k];
    }
    __syncthreads();
}

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

static __device__ void join_block(const rct_device *d)
{
    compose_levels(d, d->upper, d->upper_levels);
    gather_tops(d);
}

static __device__ void part_block(const rct_device *d)
{
    scatter_tops(d);
    open_levels(d, d->upper, d->upper_levels);
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

static __device__ __forceinline__ void
junction_block(const rct_device *d, const rct_serial_kernels *serial, int stage, double dt)
{
    join_block(d);
    if (threadIdx.x == 0) {
        note_node(d, &d->fault->inward, trunk_sweep_inward(&d->trunk, serial));
        decide(d, stage);
        if (!d->fault->stop) {
            note_node(d, &d->fault->outward, trunk_sweep_outward(&d->trunk, serial));
        }
    }
    __syncthreads();
    if (d->fault->stop) {
        return;
    }
    part_block(d);
    reach_hung(d, serial);
    if (stage != STAGE_NONE) {
        advance_trunk(d, serial, stage, dt);
    }
}

/* ---- bushes ------------------------------------------------------------------------------- */

static __device__ __forceinline__ double *own_scratch(const rct_device *d)
{
    return d->bush_scratch + (int64_t)blockIdx.x * d->bushes.most_rows * BUSH_FIELDS * WARP;
}

static __device__ __forceinline__ void note_bush(rct_device_labels *labels, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        note_label(labels, result.end, result.link);
    }
}

template <rct_sweep_result (*condense)(const rct_bushes *, int32_t, double *)>
static __device__ __forceinline__ void plant_bush(const rct_device *d)
{
    const rct_bushes own = bushes_of_lane(&d->bushes, own_lane());
    note_bush(&d->fault->inward, condense(&own, (int32_t)blockIdx.x, own_scratch(d)));
}

/* Tasks beside one link, in their order. */
static __device__ __forceinline__ void add_side_record(const rct_device *d,
                                                       const rct_serial_kernels *serial)
{
    const int32_t record = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (record >= d->side_records) {
        return;
    }
    for (int32_t k = d->side_first[record]; k < d->side_first[record + 1]; k++) {
        trunk_add_side(serial, d->trunk.work, d->sides[k].node, d->tiles.side + d->sides[k].side,
                       WARP, k == d->side_first[record]);
    }
}

template <rct_sweep_result (*accelerate)(const rct_bushes *, int32_t, int, double, double *)>
static __device__ __forceinline__ void
harvest_bush(const rct_device *d, const rct_serial_kernels *serial, int stage, double dt)
{
    const int32_t bush = (int32_t)blockIdx.x;
    if (d->fault->stop) {
        return; /* the same for all: set between launches */
    }
    for (int64_t k = d->bushes.first_root[bush] + own_lane(); k < d->bushes.first_root[bush + 1];
         k += WARP) {
        if (d->root_side[k] >= 0) {
            const rct_side *side = &d->sides[d->root_side[k]];
            trunk_reach_side(serial, &d->trunk.links, d->trunk.work, side->node,
                             d->tiles.side + side->side, WARP);
        }
    }
    __syncwarp(0xffffffffu);
    const rct_bushes own = bushes_of_lane(&d->bushes, own_lane());
    note_bush(&d->fault->outward, accelerate(&own, bush, stage, dt, own_scratch(d)));
}

#endif
