/* Faults on the device, and whether work goes on after them. */
#ifndef RCT_KERNELS_CUDA_FAULTS_H
#define RCT_KERNELS_CUDA_FAULTS_H

#include "kernels/cuda/system.h"

static __device__ __forceinline__ void note(rct_device_labels *labels, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        atomicMin(result.end == SWEEP_SINGULAR ? &labels->singular : &labels->not_finite,
                  result.link);
    }
}

static __device__ __forceinline__ void note_singular(rct_device_labels *labels, int32_t label)
{
    if (label != NO_LABEL) {
        atomicMin(&labels->singular, label);
    }
}

/* Reads a number that other blocks may have written. */
static __device__ __forceinline__ int32_t seen(int32_t *number)
{
    return atomicAdd(number, 0);
}

static __device__ __forceinline__ bool any_fault(rct_device_labels *labels)
{
    const int32_t singular = seen(&labels->singular); /* the two reads do not wait for each other */
    const int32_t not_finite = seen(&labels->not_finite);
    return singular != NO_LABEL || not_finite != NO_LABEL;
}

static __device__ __forceinline__ void stop_at(rct_device_fault *fault, int stage)
{
    fault->stop = 1;
    fault->stage = stage;
}

/* For all threads of all blocks of a launch: the last block looks whether any has met a fault.
 * Faults outward count only in the last launch of a stage, because the base of a step must be
 * whole. */
static __device__ __forceinline__ void decide(const rct_device *d, int last, int stage)
{
    rct_device_fault *fault = d->fault;
    __syncthreads();
    if (threadIdx.x != 0) {
        return;
    }
    __threadfence();
    if (atomicAdd(d->finished, 1) < (int32_t)gridDim.x - 1) {
        return;
    }
    __threadfence();
    *d->finished = 0;
    const bool outward = any_fault(&fault->outward), inward = any_fault(&fault->inward);
    if (inward || (last && outward)) {
        stop_at(fault, stage);
    } else if (last && stage == 3) {
        fault->steps++;
    }
}

#endif
