/* A thread as a lane: one double a thread, the fields of a record 32 doubles apart; and the view
 * that a thread has of a system. To be included before any other header of kernels/. */
#ifndef RCT_KERNELS_CUDA_LANE32_H
#define RCT_KERNELS_CUDA_LANE32_H

#define LANE_STRIDE   32
#define LANE_MEMBERS  32
#define lane_member() ((int)(threadIdx.x % 32))
#define lane_meet()   __syncwarp(0xffffffffu)

#include "kernels/cuda/launch.h"

#include "kernels/cuda/system.h"
#include "kernels/sweeps/sweeps.h"

static __device__ __forceinline__ void show_constants(rct_row_constants *c, int lane)
{
    c->wide += c->row != NULL ? lane : 0;
}

/* The sheaves as one lane sees them; places of records and states still count from the first
 * lane's. */
static __device__ __forceinline__ rct_sheaves sheaves_of_lane(const rct_device *d)
{
    const int lane = lane_member();
    rct_sheaves own = d->lanes;
    own.label += lane;
    own.kinds += lane;
    own.wide += lane;
    own.kid += lane;
    own.twigs.up += lane;
    own.twigs.place += lane;
    own.twigs.at += lane;
    own.twigs.turn += lane;
    own.state += lane;
    own.base += lane;
    own.sum += lane;
    own.slots += lane;
    own.results += lane;
    own.paths += lane;
    own.loads += own.loads != NULL ? lane : 0;
    own.own_gravity += own.own_gravity != NULL ? lane : 0;
    own.rotors += own.rotors != NULL ? lane : 0;
    own.hinge_forces.force += own.exerted != NULL ? lane : 0;
    own.exerted += own.exerted != NULL ? lane : 0;
    show_constants(&own.hinge_forces.number, lane);
    show_constants(&own.effort, lane);
    show_constants(&own.wrench, lane);
    return own;
}

/* The sweep of a group. Its rows of the scratch stand where they stand in the sheaves, its records of
 * twigs behind those of all groups before. */
static __device__ __forceinline__ group_sweep sweep_of_group(const rct_device *d,
                                                             const rct_sheaves *own, int32_t group)
{
    const int32_t bushes = group < own->bushes ? group : own->bushes;
    const int64_t twigs = group + own->first_sheaf[bushes];
    group_sweep w = sweep_begin(own, group, d->twigs + twigs * TWIG_FIELDS * WARP + lane_member());
    w.scratch = d->scratch + lane_member();
    w.first = 0;
    return w;
}

#endif
