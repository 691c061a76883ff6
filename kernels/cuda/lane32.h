/* A thread as a lane: one double a thread, the fields of a record 32 doubles apart. To be included
 * before any other header of kernels/. */
#ifndef RCT_KERNELS_CUDA_LANE32_H
#define RCT_KERNELS_CUDA_LANE32_H

#define LANE_STRIDE   32
#define LANE_MEMBERS  32
#define lane_member() ((int)(threadIdx.x % 32))
#define lane_meet()   __syncwarp(0xffffffffu)

#include "kernels/cuda/launch.h"

#include "kernels/cuda/system.h"

#endif
