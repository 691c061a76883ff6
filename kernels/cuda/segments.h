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

/* Keep the smallest label at fault; neutral links have no faults. */
static __device__ __forceinline__ void note_piece(const rct_device *d, int32_t tile,
                                                  rct_tile_result result)
{
    if (result.end != SWEEP_DONE) {
        const int32_t first = d->label[tile * WARP + own_lane()];
        if (first >= 0) {
            atomicMin(result.end == SWEEP_SINGULAR ? &d->fault->singular : &d->fault->not_finite,
                      first + result.step);
        }
    }
}

template <rct_tile_result (*condense)(const rct_tiles *, int32_t)>
static __device__ __forceinline__ void condense_block(const rct_device *d)
{
    const int32_t tile = own_tile();
    if (tile < d->tiles.count) {
        const rct_tiles own = tiles_of_lane(&d->tiles, own_lane());
        note_piece(d, tile, condense(&own, tile));
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
        note_piece(d, tile, accelerate(&own, tile, stage, dt, scratch));
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

/* One thread: whether the sweep goes on. */
static __device__ void decide(const rct_device *d, int stage)
{
    rct_device_fault *fault = d->fault;
    if (fault->singular != NO_LABEL || fault->not_finite != NO_LABEL) {
        fault->stop = 1;
    } else if (stage == 0) {
        fault->steps++;
    }
}

static __device__ __forceinline__ void note_node(const rct_device *d, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        atomicMin(result.end == SWEEP_SINGULAR ? &d->fault->singular : &d->fault->not_finite,
                  d->node_label[result.link]);
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

/* States of the trunk's links; nothing after them reads the old ones. */
static __device__ void advance_trunk(const rct_device *d, const rct_serial_kernels *serial,
                                     int stage, double dt)
{
    for (int32_t n = (int32_t)threadIdx.x; n < d->trunk.links.count; n += (int32_t)blockDim.x) {
        if (d->trunk.segment[n] < 0 && !trunk_advance(&d->trunk, serial, n, stage, dt)) {
            atomicMin(&d->fault->not_finite, d->node_label[n]);
        }
    }
}

static __device__ __forceinline__ void
junction_block(const rct_device *d, const rct_serial_kernels *serial, int stage, double dt)
{
    join_block(d);
    if (threadIdx.x == 0) {
        note_node(d, trunk_sweep_inward(&d->trunk, serial));
        decide(d, stage);
        if (!d->fault->stop) {
            note_node(d, trunk_sweep_outward(&d->trunk, serial));
        }
    }
    __syncthreads();
    if (d->fault->stop) {
        return;
    }
    part_block(d);
    if (stage != STAGE_NONE) {
        advance_trunk(d, serial, stage, dt);
    }
}

/* Launch shapes. */
static inline unsigned int blocks_of(const rct_device *d)
{
    return (unsigned int)d->blocks;
}

#endif
