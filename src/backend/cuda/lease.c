/* What a run has of a device (run.h). */
#include "backend/cuda/run.h"
#include "core/error.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

int rct_cuda_good(rct_lease *lease, cudaError_t result, const char *doing)
{
    if (result != cudaSuccess && lease->trouble[0] == '\0') {
        snprintf(lease->trouble, sizeof lease->trouble, "while %s: %s (%s)", doing,
                 cudaGetErrorString(result), cudaGetErrorName(result));
    }
    return lease->trouble[0] == '\0';
}

static rct_status no_room(const rct_lease *lease, int64_t bytes, rct_error *error)
{
    size_t free_bytes = 0, all = 0;
    cudaMemGetInfo(&free_bytes, &all);
    return rct_fail(error, RCT_ERROR_MEMORY,
                    "the device has no memory for this system: %" PRId64 " MB held, %" PRId64
                    " MB more asked for, %" PRId64 " MB free; use the cpu or a smaller system",
                    lease->device_bytes >> 20, (bytes >> 20) + 1, (int64_t)(free_bytes >> 20));
}

void rct_cuda_fail(const char *doing, cudaError_t failure, rct_error *error)
{
    rct_fail(error, RCT_ERROR_DEVICE, "backend cuda failed while %s: %s (%s)", doing,
             cudaGetErrorString(failure), cudaGetErrorName(failure));
}

void *rct_cuda_pinned(int64_t bytes, rct_error *error)
{
    void *room = NULL;
    const cudaError_t made = cudaMallocHost(&room, (size_t)(bytes > 0 ? bytes : 1));
    if (made == cudaSuccess) {
        return room;
    }
    cudaGetLastError(); /* said here, not by the next call */
    if (made == cudaErrorMemoryAllocation) {
        rct_fail_memory(error, bytes, "passing spans to the device");
    } else {
        rct_cuda_fail("asked for memory", made, error);
    }
    return NULL;
}

void *rct_cuda_room(rct_lease *lease, const void *from, int64_t bytes, rct_error *error)
{
    void *room = NULL;
    const size_t size = bytes > 0 ? (size_t)bytes : 1;
    const cudaError_t made = cudaMalloc(&room, size);
    if (made != cudaSuccess) {
        cudaGetLastError(); /* said here, not by the next call */
        if (made == cudaErrorMemoryAllocation) {
            no_room(lease, bytes, error);
        } else {
            rct_cuda_fail("asked for memory", made, error);
        }
        return NULL;
    }
    assert(lease->owned_count < OWNED_MOST);
    lease->owned[lease->owned_count++] = room;
    lease->device_bytes += bytes;
    const cudaError_t filled = from != NULL
                                   ? cudaMemcpy(room, from, (size_t)bytes, cudaMemcpyHostToDevice)
                                   : cudaMemset(room, 0, size);
    if (filled != cudaSuccess) {
        rct_cuda_fail("filling its memory", filled, error);
        return NULL;
    }
    return room;
}

void rct_cuda_lease_end(rct_lease *lease)
{
    for (int32_t i = 0; i < lease->owned_count; i++) {
        cudaFree(lease->owned[i]);
    }
    if (lease->stream != NULL) {
        cudaStreamDestroy(lease->stream);
    }
}

void rct_cuda_blank_if_lost(const rct_lease *lease, double *numbers, int64_t count)
{
    for (int64_t i = 0; lease->trouble[0] != '\0' && i < count; i++) {
        numbers[i] = NAN;
    }
}
