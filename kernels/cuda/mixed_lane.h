/* A lane of a mixed tree as a thread: what it sees of the sheaves, its scratch. */
#ifndef RCT_KERNELS_CUDA_MIXED_LANE_H
#define RCT_KERNELS_CUDA_MIXED_LANE_H

#include "kernels/cuda/lane32.h"

#include "kernels/cuda/mixed.h"
#include "kernels/mixed_sweeps.h"

static __device__ __forceinline__ int own_lane(void)
{
    return (int)threadIdx.x;
}

/* The sheaves as one lane sees them; places of records still count from its neighbours' first. */
static __device__ __forceinline__ rct_mixed_sheaves sheaves_of_lane(const rct_mixed_device *d)
{
    const int lane = own_lane();
    rct_mixed_sheaves own = d->lanes;
    own.label += lane;
    own.kinds += lane;
    own.wide += lane;
    own.kid += lane;
    own.state += lane;
    own.base += lane;
    own.sum += lane;
    own.results += lane;
    own.paths += lane;
    own.loads += own.loads != NULL ? lane : 0;
    own.effort.wide += own.effort.row != NULL ? lane : 0;
    own.wrench.wide += own.wrench.row != NULL ? lane : 0;
    own.own_gravity += own.own_gravity != NULL ? lane : 0;
    return own;
}

static __device__ __forceinline__ double *own_scratch(const rct_mixed_device *d, int32_t group)
{
    const rct_mixed_sheaves *s = &d->lanes;
    return d->scratch + s->first_row[s->first_sheaf[group]] * s->row_fields * WARP + own_lane();
}

static unsigned int size_of(rct_group_range groups)
{
    return (unsigned int)(groups.end - groups.first);
}

#endif
