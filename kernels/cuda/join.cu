/* The upper levels of runs, for a trunk on the host, or without a trunk. */
#include "kernels/cuda/runs.h"

template <bool SHARED>
static __device__ __forceinline__ void join_in(const rct_device *d, double *room)
{
    join_upper<SHARED>(d, room);
    if (SHARED) {
        copy_out(d->runs.upper_spans, room, d->runs.upper_count * SPAN_CORE);
    }
}

template <bool SHARED>
static __device__ __forceinline__ void part_in(const rct_device *d, double *room)
{
    const rct_forest forest = upper_forest<SHARED>(&d->runs, room);
    fetch_upper<SHARED>(&d->runs, room, d->runs.upper_count);
    part_upper<SHARED>(d, &forest);
}

template <bool SHARED>
static __device__ __forceinline__ void alone_in(const rct_device *d, int stage, double *room)
{
    const rct_runs *r = &d->runs;
    const rct_forest forest = upper_forest<SHARED>(r, room);
    fetch_upper<SHARED>(r, room, r->root_count);
    if (join_alone(d, &forest)) {
        open_levels(&forest, 0, r->root_count, &d->fault->outward);
        if (SHARED) {
            copy_out(r->upper_ends, forest.ends, end_numbers(r));
        }
    } else if (threadIdx.x == 0) {
        stop_at(d->fault, stage);
    }
}

extern "C" {

__global__ void __launch_bounds__(JOINERS) rct_join(rct_device d)
{
    RCT_SHARED_DYNAMIC(double, room);
    if (d.runs.upper_shared > 0) {
        join_in<true>(&d, room);
    } else {
        join_in<false>(&d, room);
    }
}

__global__ void __launch_bounds__(JOINERS) rct_part(rct_device d)
{
    RCT_SHARED_DYNAMIC(double, room);
    if (d.runs.upper_shared > 0) {
        part_in<true>(&d, room);
    } else {
        part_in<false>(&d, room);
    }
}

__global__ void __launch_bounds__(LONERS) rct_alone(rct_device d, int stage)
{
    RCT_SHARED_DYNAMIC(double, room);
    if (d.fault->stop) {
        return; /* same for all threads: it is set between launches */
    }
    if (d.runs.upper_shared > 0) {
        alone_in<true>(&d, stage, room);
    } else {
        alone_in<false>(&d, stage, room);
    }
}

cudaError_t rct_prepare_join(void)
{
    static const void *const kernels[] = {(const void *)rct_join, (const void *)rct_part,
                                          (const void *)rct_alone};
    return rct_make_ready(kernels, 3);
}

cudaError_t rct_launch_join(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_join, 1, JOINERS, (size_t)d->runs.upper_shared, stream, *d);
}

cudaError_t rct_launch_part(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_part, 1, JOINERS, (size_t)d->runs.upper_shared, stream, *d);
}

cudaError_t rct_launch_alone(const rct_device *d, int stage, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_alone, 1, LONERS, (size_t)d->runs.upper_shared, stream, *d, stage);
}
}
