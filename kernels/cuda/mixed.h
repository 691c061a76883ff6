/* A mixed tree on the device: what the host lays out and the kernels of one evaluation work on. Pointers are device
 * pointers.
 *
 * A thread is a lane of a sheaf, a warp sweeps a group: a sheaf of segments or a bush. Hinge types are those of each
 * thread (`kinds` of the sheaves are [rows][WARP]), so that a row of unlike hinges is as many branches as it has types.
 *
 *     compose      frames of segments as products                             a warp each sheaf
 *     pack         records that the trunk asks for, to the host               a thread each number
 *                  trunk: frames                                              the host
 *     unpack       what the trunk has left in them, back
 *     guide        frames of segments, left with side trees                   a warp each sheaf
 *     condense     hanging bushes to their handles, segments to their two     a warp each
 *     pack
 *                  trunk inward and outward                                   the host
 *     unpack
 *     accelerate   segments inward again and outward, then bushes; states     a warp each
 *                  advance
 *
 * Systems whose trees are all bushes on the ground are accelerate alone.
 */
#ifndef RCT_KERNELS_CUDA_MIXED_H
#define RCT_KERNELS_CUDA_MIXED_H

#include "kernels/cuda/system.h"
#include "kernels/mixed_sheaves.h"

typedef struct rct_mixed_device {
    rct_mixed_sheaves lanes;
    double *scratch; /* [rows][fields of a row][WARP] */

    int32_t hung_count;
    int32_t hung_open; /* the first, segments; records of the others end at PATH_CLOSED_FIELDS    */
    const int64_t *hung; /* [hung_count] places of the records of paths on the trunk              */
    double *hung_records; /* [PATH_OPEN_FIELDS][hung_count]                                       */

    rct_device_fault *fault; /* its steps are whole ones                                          */
    int32_t *finished;       /* warps of the last accelerate of a stage that have                 */
} rct_mixed_device;

/* Groups [first, end) of the lanes. */
typedef struct rct_group_range {
    int32_t first;
    int32_t end;
} rct_group_range;

enum { MIXED_PACKERS = 128 }; /* threads of a block that packs */

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t rct_mixed_launch_compose(const rct_mixed_device *device, cudaStream_t stream);
cudaError_t rct_mixed_launch_guide(const rct_mixed_device *device, cudaStream_t stream);

/* Fields [field, field + count) of the records on the trunk, gathered or, if `back`, scattered. */
cudaError_t rct_mixed_launch_pack(const rct_mixed_device *device, int field, int count, int back,
                                  cudaStream_t stream);

/* `guided`: their frames are known. */
cudaError_t rct_mixed_launch_condense(const rct_mixed_device *device, rct_group_range groups,
                                      int guided, cudaStream_t stream);

/* Groups that have been condensed are not guided again. `last`: of this evaluation; whether the sweeps go on is
 * decided behind it. */
cudaError_t rct_mixed_launch_accelerate(const rct_mixed_device *device, rct_group_range groups,
                                        int last, int stage, double dt, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
