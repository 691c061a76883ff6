/* The kernels of mixed trees but those that sweep groups inward and outward (mixed_groups.h): frames, and the records that
 * the trunk asks for; a lane a thread. */
#define MIXED_ARMED 0

#include "kernels/cuda/mixed_lane.h"

extern "C" {

__global__ void __launch_bounds__(WARP) rct_mixed_compose(rct_mixed_device d)
{
    const rct_mixed_sheaves own = sheaves_of_lane(&d);
    mixed_compose(&own, own.bushes + (int32_t)blockIdx.x);
}

__global__ void __launch_bounds__(WARP) rct_mixed_guide(rct_mixed_device d, int32_t first)
{
    const rct_mixed_sheaves own = sheaves_of_lane(&d);
    const int32_t group = first + (int32_t)blockIdx.x;
    mixed_guide(&own, group, own_scratch(&d, group));
}

__global__ void __launch_bounds__(MIXED_PACKERS)
    rct_mixed_pack(rct_mixed_device d, int field, int count, int back)
{
    const int64_t k = (int64_t)blockIdx.x * MIXED_PACKERS + threadIdx.x;
    const int64_t f = field + k / d.hung_count;
    if (f >= field + count) {
        return;
    }
    const int32_t i = (int32_t)(k % d.hung_count);
    if (f >= PATH_CLOSED_FIELDS && i >= d.hung_open) {
        return;
    }
    double *record = d.lanes.paths + d.hung[i] + f * WARP;
    double *packed = d.hung_records + f * d.hung_count + i;
    if (back) {
        *record = *packed;
    } else {
        *packed = *record;
    }
}
}

/* ---- launches ----------------------------------------------------------------------------- */

static unsigned int segments_of(const rct_mixed_device *d)
{
    return (unsigned int)(d->lanes.groups - d->lanes.bushes);
}

cudaError_t rct_mixed_prepare_groups(void)
{
    static const void *const kernels[] = {(const void *)rct_mixed_compose,
                                          (const void *)rct_mixed_guide,
                                          (const void *)rct_mixed_pack};
    return rct_make_ready(kernels, 3);
}

cudaError_t rct_mixed_launch_compose(const rct_mixed_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_mixed_compose, segments_of(d), WARP, 0, stream, *d);
}

cudaError_t rct_mixed_launch_guide(const rct_mixed_device *d, rct_group_range groups,
                                   cudaStream_t stream)
{
    return RCT_LAUNCH(rct_mixed_guide, size_of(groups), WARP, 0, stream, *d, groups.first);
}

cudaError_t rct_mixed_launch_pack(const rct_mixed_device *d, int field, int count, int back,
                                  cudaStream_t stream)
{
    const int64_t numbers = (int64_t)count * d->hung_count;
    const unsigned int blocks = (unsigned int)((numbers + MIXED_PACKERS - 1) / MIXED_PACKERS);
    return RCT_LAUNCH(rct_mixed_pack, blocks, MIXED_PACKERS, 0, stream, *d, field, count, back);
}
