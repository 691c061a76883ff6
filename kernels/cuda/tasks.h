/* The kernels of tasks, for any method. */
#ifndef RCT_KERNELS_CUDA_TASKS_H
#define RCT_KERNELS_CUDA_TASKS_H

#include "kernels/cuda/junction.h"

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
