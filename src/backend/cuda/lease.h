/* What a run holds of a device: a stream, memory, steps recorded as graphs; and why the device
 * failed if it did. */
#ifndef RCT_BACKEND_CUDA_LEASE_H
#define RCT_BACKEND_CUDA_LEASE_H

#include <riccatree/solver.h>

#include <cuda_runtime_api.h>

#include <stdint.h>

enum { TROUBLE_SIZE = 256 };

/* All work is on streams that do not block: the default stream cannot be used while another thread
 * captures. */
typedef struct rct_lease {
    int device, block_shared; /* its number; bytes of shared memory that a block may have there */
    cudaStream_t stream;
    void **owned; /* on the device */
    int32_t owned_count, owned_room;
    int64_t device_bytes;
    char trouble[TROUBLE_SIZE]; /* why the device failed, "" if it did not; final */
} rct_lease;

/* A whole step of length dt, recorded; NULL until it is needed. */
typedef struct rct_step {
    cudaGraphExec_t graph;
    double dt;
} rct_step;

/* rct_cuda_devices: as in the backend table. rct_cuda_device_named: among `count` devices that of
 * the name, or, for "cuda", "auto" or NULL, that of this process: the ranks of a machine take the
 * devices in turn. */
int32_t rct_cuda_devices(const char *const **names);
int rct_cuda_device_named(const char *name, int32_t count);

/* Chooses the device for a run, with a stream there; `backend` as in rct_solver_options. */
rct_status rct_cuda_lease_begin(rct_lease *lease, const char *backend, rct_error *error);

/* Directs the next launches of this thread to the device of the lease. 0: the device failed. */
int rct_cuda_here(rct_lease *lease);

/* 1 if `result` is success; else keeps the first failure as the trouble. `doing` completes "while
 * ...". */
int rct_cuda_good(rct_lease *lease, cudaError_t result, const char *doing);

/* rct_cuda_send: `numbers` from `from` to `to`, in the order of the stream. rct_cuda_wait: waits
 * for all work. 0: the device failed. */
int rct_cuda_send(rct_lease *lease, void *to, const void *from, int64_t numbers,
                  enum cudaMemcpyKind kind);
int rct_cuda_wait(rct_lease *lease, const char *doing);

/* On a lost device fills `count` numbers with NaN, so that nothing read from it can pass for a
 * result. */
void rct_cuda_blank_if_lost(const rct_lease *lease, double *numbers, int64_t count);

/* Device memory, filled with `bytes` of `from`, or with zeros if `from` is NULL. NULL and `error`
 * if there is none. `from` must stay as it is until rct_cuda_filled has waited for the copies. */
void *rct_cuda_room(rct_lease *lease, const void *from, int64_t bytes, rct_error *error);
int rct_cuda_filled(rct_lease *lease, rct_error *error);

/* Pinned memory of the host, to copy to and from the device; for cudaFreeHost. NULL and `error` if
 * there is none. */
void *rct_cuda_pinned(int64_t bytes, rct_error *error);

/* Reports such a failure as an error. */
void rct_cuda_fail(const char *doing, cudaError_t failure, rct_error *error);

/* Gives the memory and the stream back; the last call. */
void rct_cuda_lease_end(rct_lease *lease);

/* Records the launches of four stages as a step of length dt, which replaces the present one;
 * `launch` gives 0 if the device failed. 0: the device failed, and there is no recorded step. */
int rct_cuda_record_step(rct_step *step, rct_lease *lease,
                         int (*launch)(void *run, int stage, double dt), void *run, double dt);
void rct_cuda_step_free(rct_step *step);

#endif
