/* A mixed tree on the device: what the host lays out and the kernels of one evaluation work on. Pointers are device
 * pointers.
 *
 * A thread is a lane of a sheaf, a warp sweeps a group: a sheaf of segments or a bush. Hinge types are those of each
 * thread (`kinds` of the sheaves are [rows][WARP]), so that a row of unlike hinges is as many branches as it has types.
 *
 *     compose         frames of segments as products                          a warp each sheaf
 *     compose_frames  and of chains of spans, level by level                  a thread each chain
 *     pack            records that the trunk asks for, to the host            a thread each number
 *                     trunk: frames                                           the host
 *     unpack          what the trunk has left in them, back
 *     open_frames     of chains
 *     guide           frames of segments, then of bushes that hang on them    a warp each
 *     condense, open  hanging bushes to their handles, segments to their two  a warp each
 *     compose_spans   chains to their two                                     eight lanes each chain
 *     pack
 *                     trunk inward and outward                                the host
 *     unpack
 *     open_spans      what reaches the members of chains
 *     accelerate      segments inward again and outward, then bushes; states  a warp each
 *                     advance
 *
 * A chain is a few spans end to end, segments or chains of the level before; it has a record as a segment has, and for
 * the trunk is one. What a level asks of its members lies in their records.
 *
 * Systems whose trees are all bushes on the ground are accelerate alone.
 */
#ifndef RCT_KERNELS_CUDA_MIXED_H
#define RCT_KERNELS_CUDA_MIXED_H

#include "kernels/cuda/system.h"
#include "kernels/mixed_sheaves.h"

/* A span of a chain. */
typedef struct rct_mixed_member {
    int64_t place; /* of its record */
    int32_t label; /* of its first link */
    int32_t unused;
} rct_mixed_member;

typedef struct rct_mixed_chain {
    int64_t place; /* of its record          */
    int32_t first; /* member, innermost      */
    int32_t count;
} rct_mixed_chain;

typedef struct rct_mixed_device {
    rct_mixed_sheaves lanes; /* behind the records of paths those of chains                       */
    double *scratch;         /* [rows][fields of a row][WARP] */

    const rct_mixed_chain *chains; /* level after level                                           */
    const rct_mixed_member *members;

    int32_t hung_count;
    int32_t hung_open; /* the first, segments; records of the others end at PATH_CLOSED_FIELDS    */
    const int64_t *hung; /* [hung_count] places of the records of paths on the trunk              */
    double *hung_records; /* [PATH_OPEN_FIELDS][hung_count]                                       */

    rct_device_fault *fault; /* its steps are whole ones                                          */
    int32_t *finished;       /* warps of the last accelerate of a stage that have                 */
} rct_mixed_device;

/* Chains [first, end), of one level. */
typedef struct rct_chain_range {
    int32_t first;
    int32_t end;
} rct_chain_range;

typedef enum rct_span_work { COMPOSE_FRAMES, OPEN_FRAMES, COMPOSE_SPANS, OPEN_SPANS } rct_span_work;

/* Groups [first, end) of the lanes. */
typedef struct rct_group_range {
    int32_t first;
    int32_t end;
} rct_group_range;

enum { MIXED_PACKERS = 128 }; /* threads of a block that packs */

#ifdef __cplusplus
extern "C" {
#endif

/* On the thread's device, before the others there. */
cudaError_t rct_mixed_prepare_groups(void);
cudaError_t rct_mixed_prepare_spans(void);

cudaError_t rct_mixed_launch_compose(const rct_mixed_device *device, cudaStream_t stream);
cudaError_t rct_mixed_launch_guide(const rct_mixed_device *device, rct_group_range groups,
                                   cudaStream_t stream);

/* Fields [field, field + count) of the records on the trunk, gathered or, if `back`, scattered. */
cudaError_t rct_mixed_launch_pack(const rct_mixed_device *device, int field, int count, int back,
                                  cudaStream_t stream);

cudaError_t rct_mixed_launch_spans(const rct_mixed_device *device, rct_span_work work,
                                   rct_chain_range chains, cudaStream_t stream);

/* The sweeps of groups, without rotors at hinges and with them. */
typedef struct rct_mixed_launches {
    cudaError_t (*prepare)(void); /* as above */

    /* Groups that have been guided. */
    cudaError_t (*condense)(const rct_mixed_device *device, rct_group_range groups,
                            cudaStream_t stream);

    /* Groups that have been condensed are not guided again. `last`: of this evaluation; whether the sweeps go on is
     * decided behind it. */
    cudaError_t (*accelerate)(const rct_mixed_device *device, rct_group_range groups, int last,
                              int stage, double dt, cudaStream_t stream);
} rct_mixed_launches;

extern const rct_mixed_launches rct_mixed_plain;
extern const rct_mixed_launches rct_mixed_armed;

#ifdef __cplusplus
}
#endif

#endif
