/* A thread as a lane: one double a thread, the fields of a record 32 doubles apart. To be included
 * before any other header of kernels/. */
#ifndef RCT_KERNELS_CUDA_LANE32_H
#define RCT_KERNELS_CUDA_LANE32_H

#define LANE_STRIDE   32
#define LANE_MEMBERS  32
#define lane_member() ((int)(threadIdx.x % 32))
#define lane_meet()   __syncwarp(0xffffffffu)

#include "kernels/cuda/launch.h"

#include "kernels/bushes.h"
#include "kernels/cuda/system.h"

/* The tiles as one lane sees them. */
LANE_FUNCTION rct_tiles tiles_of_lane(const rct_tiles *tiles, int lane)
{
    rct_tiles own = *tiles;
    own.wide += lane;
    own.side += lane;
    own.stand_in += lane;
    own.state += lane;
    own.base += lane;
    own.sum += lane;
    own.results += lane;
    return own;
}

LANE_FUNCTION rct_bushes bushes_of_lane(const rct_bushes *bushes, int lane)
{
    rct_bushes own = *bushes;
    own.wide += lane;
    own.label += lane;
    own.up += lane;
    own.kid += lane;
    own.kid_at += lane;
    own.side_up += lane;
    own.side_at += lane;
    own.side_node += lane;
    own.state += lane;
    own.base += lane;
    own.sum += lane;
    own.results += lane;
    own.own_gravity += own.own_gravity != NULL ? lane : 0;
    return own;
}

/* Where span i lies in records of F fields. */
LANE_FUNCTION int64_t span_at(int32_t i, int fields)
{
    return (int64_t)(i / WARP) * fields * WARP + i % WARP;
}

#endif
