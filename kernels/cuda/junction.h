/* The junction on the device: one thread sweeps the trunk as the host does, between the upper
 * levels of runs. For the method of the including translation unit; with ONE_HINGE for ball hinges
 * and narrow paths, else for any. JUNCTION_NAME(x): the name of kernel x. */
#ifndef RCT_KERNELS_CUDA_JUNCTION_H
#define RCT_KERNELS_CUDA_JUNCTION_H

#include "kernels/cuda/launch.h"

#include "kernels/cuda/runs.h"
#include "kernels/sweeps/trunk_sweeps.h"

static __device__ __forceinline__ rct_trunk trunk_of(const rct_device *d)
{
    rct_trunk t = d->trunk;
    t.lanes = &d->lanes;
    return t;
}

/* A fault of the trunk, by node. */
static __device__ __forceinline__ void note_node(const rct_device *d, rct_device_labels *labels,
                                                 rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        result.link = d->node_label[result.link];
        note(labels, result);
    }
}

/* One thread: inward and, unless there is a fault, outward. */
static __device__ __forceinline__ void sweep_trunk(const rct_device *d, int stage, double dt)
{
    const rct_trunk t = trunk_of(d);
    if (!any_fault(&d->fault->inward)) {
        note_node(d, &d->fault->inward, trunk_inward(&d->rows, &t));
    }
    if (any_fault(&d->fault->inward)) {
        stop_at(d->fault, stage);
    } else {
        note_node(d, &d->fault->outward, trunk_outward(&d->rows, &t, 0, stage, dt));
    }
}

template <bool SHARED>
static __device__ __forceinline__ void junction_in(const rct_device *d, int stage, double dt,
                                                   double *room)
{
    const rct_forest forest = join_upper<SHARED>(d, room);
    if (threadIdx.x == 0) {
        sweep_trunk(d, stage, dt);
    }
    __syncthreads();
    if (!d->fault->stop) {
        part_upper<SHARED>(d, &forest);
    }
}

extern "C" {

__global__ void __launch_bounds__(1) JUNCTION_NAME(guide_junction)(rct_device d)
{
    const rct_trunk t = trunk_of(&d);
    trunk_guide(&d.rows, &t);
}

__global__ void __launch_bounds__(JOINERS)
    JUNCTION_NAME(solve_junction)(rct_device d, int last, int stage, double dt)
{
    RCT_SHARED_DYNAMIC(double, room);
    if (d.fault->stop) {
        return; /* same for all threads: set between launches, or before a barrier */
    }
    if (d.runs.upper_shared > 0) {
        junction_in<true>(&d, stage, dt, room);
    } else {
        junction_in<false>(&d, stage, dt, room);
    }
    if (last && stage != STAGE_NONE && !d.fault->stop) {
        decide(&d, last, stage);
    }
}
}

static cudaError_t prepare(void)
{
    static const void *const kernels[] = {(const void *)JUNCTION_NAME(guide_junction),
                                          (const void *)JUNCTION_NAME(solve_junction)};
    return rct_make_ready(kernels, 2);
}

static cudaError_t launch_guide(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(JUNCTION_NAME(guide_junction), 1, 1, 0, stream, *d);
}

static cudaError_t launch_junction(const rct_device *d, int last, int stage, double dt,
                                   cudaStream_t stream)
{
    return RCT_LAUNCH(JUNCTION_NAME(solve_junction), 1, JOINERS, (size_t)d->runs.upper_shared,
                      stream, *d, last, stage, dt);
}

#define JUNCTION_LAUNCHES                                                                          \
    {                                                                                              \
        prepare, launch_guide, launch_junction                                                     \
    }

#endif
