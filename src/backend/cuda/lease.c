/* What a run holds of a device (lease.h). */
#include "backend/cuda/lease.h"
#include "core/error.h"
#include "core/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

rct_status rct_cuda_lease_begin(rct_lease *lease, const char *backend, rct_error *error)
{
    int count = 0;
    if (rct_cuda_good(lease, cudaGetDeviceCount(&count), "starting")) {
        lease->device = rct_cuda_device_named(backend, count);
        rct_cuda_here(lease);
        rct_cuda_good(lease,
                      cudaDeviceGetAttribute(&lease->block_shared,
                                             cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                             lease->device),
                      "starting");
        rct_cuda_good(lease, cudaStreamCreateWithFlags(&lease->stream, cudaStreamNonBlocking),
                      "starting");
    }
    if (lease->trouble[0] == '\0') {
        return RCT_OK;
    }
    return rct_fail(error, RCT_ERROR_DEVICE, "backend cuda failed %s", lease->trouble);
}

int rct_cuda_here(rct_lease *lease)
{
    return rct_cuda_good(lease, cudaSetDevice(lease->device), "choosing it");
}

/* A failure that is reported here is cleared, so that the next call does not find it. */
int rct_cuda_good(rct_lease *lease, cudaError_t result, const char *doing)
{
    if (result != cudaSuccess) {
        cudaGetLastError();
    }
    if (result != cudaSuccess && lease->trouble[0] == '\0') {
        snprintf(lease->trouble, sizeof lease->trouble, "while %s: %s (%s)", doing,
                 cudaGetErrorString(result), cudaGetErrorName(result));
    }
    return lease->trouble[0] == '\0';
}

int rct_cuda_send(rct_lease *lease, void *to, const void *from, int64_t numbers,
                  enum cudaMemcpyKind kind)
{
    return numbers == 0 || rct_cuda_good(lease,
                                         cudaMemcpyAsync(to, from, (size_t)numbers * sizeof(double),
                                                         kind, lease->stream),
                                         "copying to or from it");
}

int rct_cuda_wait(rct_lease *lease, const char *doing)
{
    return rct_cuda_good(lease, cudaStreamSynchronize(lease->stream), doing);
}

static rct_status no_room(const rct_lease *lease, int64_t bytes, rct_error *error)
{
    size_t free_bytes = 0, all = 0;
    cudaMemGetInfo(&free_bytes, &all);
    return rct_fail(error, RCT_ERROR_MEMORY,
                    "the device has too little memory for this system: %" PRId64
                    " MB held, %" PRId64 " MB more needed, %" PRId64
                    " MB free; use the cpu or a smaller system",
                    lease->device_bytes >> 20, (bytes >> 20) + 1, (int64_t)(free_bytes >> 20));
}

void rct_cuda_fail(const char *doing, cudaError_t failure, rct_error *error)
{
    cudaGetLastError();
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
    if (made == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        rct_fail_memory(error, bytes, "passing spans to the device");
    } else {
        rct_cuda_fail("asking for memory", made, error);
    }
    return NULL;
}

/* Makes a place to note one more allocation. */
static int make_place(rct_lease *lease, rct_error *error)
{
    if (lease->owned_count < lease->owned_room) {
        return 1;
    }
    const int32_t room = lease->owned_room == 0 ? 64 : 2 * lease->owned_room;
    void **owned = rct_allocate(room, sizeof *owned, "a cuda run", error);
    if (owned == NULL) {
        return 0;
    }
    for (int32_t i = 0; i < lease->owned_count; i++) {
        owned[i] = lease->owned[i];
    }
    rct_release(lease->owned);
    lease->owned = owned;
    lease->owned_room = room;
    return 1;
}

void *rct_cuda_room(rct_lease *lease, const void *from, int64_t bytes, rct_error *error)
{
    void *room = NULL;
    const size_t size = bytes > 0 ? (size_t)bytes : 1;
    if (!make_place(lease, error)) {
        return NULL;
    }
    const cudaError_t made = cudaMalloc(&room, size);
    if (made == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        no_room(lease, bytes, error);
        return NULL;
    }
    if (made != cudaSuccess) {
        rct_cuda_fail("asking for memory", made, error);
        return NULL;
    }
    lease->owned[lease->owned_count++] = room;
    lease->device_bytes += bytes;
    const cudaError_t filled = from != NULL ? cudaMemcpyAsync(room, from, (size_t)bytes,
                                                              cudaMemcpyHostToDevice, lease->stream)
                                            : cudaMemsetAsync(room, 0, size, lease->stream);
    if (filled != cudaSuccess) {
        rct_cuda_fail("filling its memory", filled, error);
        return NULL;
    }
    return room;
}

int rct_cuda_filled(rct_lease *lease, rct_error *error)
{
    const cudaError_t filled = cudaStreamSynchronize(lease->stream);
    if (filled != cudaSuccess) {
        rct_cuda_fail("filling its memory", filled, error);
    }
    return filled == cudaSuccess;
}

void rct_cuda_lease_end(rct_lease *lease)
{
    for (int32_t i = 0; i < lease->owned_count; i++) {
        cudaFree(lease->owned[i]);
    }
    rct_release(lease->owned);
    if (lease->stream != NULL) {
        cudaStreamDestroy(lease->stream);
    }
    cudaGetLastError(); /* a failure to free is not reported */
}

void rct_cuda_blank_if_lost(const rct_lease *lease, double *numbers, int64_t count)
{
    for (int64_t i = 0; lease->trouble[0] != '\0' && i < count; i++) {
        numbers[i] = NAN;
    }
}
