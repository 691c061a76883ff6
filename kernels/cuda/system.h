/* What the host and the kernels of a device have in common: warps, and what has gone wrong. */
#ifndef RCT_KERNELS_CUDA_SYSTEM_H
#define RCT_KERNELS_CUDA_SYSTEM_H

#include <cuda_runtime_api.h>
#include <stdint.h>

enum { WARP = 32 };

/* The smallest labels at fault, NO_LABEL if there is none. A singular one is where the device met it; the
 * host finds the true one. */
typedef struct rct_device_labels {
    int32_t singular;
    int32_t not_finite;
} rct_device_labels;

/* What went wrong since the host looked last. From a stop on no state advances. */
typedef struct rct_device_fault {
    rct_device_labels inward;  /* met before the states of a stage advance                        */
    rct_device_labels outward; /* met while they do                                               */
    int32_t stop;              /* 1: a fault was seen; set between launches                       */
    int32_t stage;             /* at which it was                                                 */
    int64_t steps;             /* Runge-Kutta steps begun                                         */
} rct_device_fault;

enum { NO_LABEL = INT32_MAX };

#endif
