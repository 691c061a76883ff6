/* A run on a device from the inside. */
#ifndef RCT_BACKEND_CUDA_RUN_H
#define RCT_BACKEND_CUDA_RUN_H

#include "backend/backend.h"
#include "backend/cuda/layout.h"
#include "kernels/cuda/measure.h"

enum { OWNED_MOST = 96, TROUBLE_SIZE = 256 };

/* What a run has of a device: a stream, memory, and why it has failed if it has. */
typedef struct rct_lease {
    cudaStream_t stream;
    void *owned[OWNED_MOST]; /* on the device */
    int32_t owned_count;
    int64_t device_bytes;
    char trouble[TROUBLE_SIZE]; /* why the device failed, "" if it did not; final */
} rct_lease;

/* States kept: copied from where measures gather them to pinned memory, on a stream of their own. */
typedef struct rct_keep {
    cudaStream_t stream;
    cudaEvent_t gathered, copied;
    double *numbers; /* [links][STATE_FIELDS], then points [links][6]; NULL until it is asked for */
    int busy;        /* whether a copy may be under way                                           */
} rct_keep;

struct rct_run {
    const rct_plan *plan;
    rct_method method;
    const rct_serial_kernels *serial;
    const rct_device_method *kernels;
    rct_cuda_layout *layout;
    rct_device device; /* device pointers */
    rct_lease lease;
    cudaGraphExec_t
        step; /* a whole step of length step_dt, NULL until it is asked for            */
    double step_dt;

    /* the trunk on the host: its arrays are those the device has, too; what passes between them is pinned */
    int junction_on_host;
    rct_trunk trunk;
    double *hung_rows;       /* pinned, [hung][work_fields]: work of the tasks on the trunk */
    rct_device_fault *fault; /* pinned, the device's last seen */

    rct_device_measure measure; /* device pointers */
    rct_keep keep;
    double *gathered; /* [links][STATE_FIELDS], label order, to look for a fault */
};

/* 1 if `result` is success; else keeps the first failure as the trouble. `doing` completes "while ...". */
int rct_cuda_good(rct_lease *lease, cudaError_t result, const char *doing);

/* On a lost device NaN in place of `count` numbers: none that is read of it could pass for a result. */
void rct_cuda_blank_if_lost(const rct_lease *lease, double *numbers, int64_t count);

/* Device memory, with `bytes` of `from` copied to it unless that is NULL; NULL and `error` if there is
 * none. */
void *rct_cuda_room(rct_lease *lease, const void *from, int64_t bytes, rct_error *error);

/* The same failure as an error. */
void rct_cuda_fail(const char *doing, cudaError_t failure, rct_error *error);

/* Give the memory and the stream back. */
void rct_cuda_lease_end(rct_lease *lease);

/* Memory of the host that the device copies to and from, for cudaFreeHost; NULL and `error` if there is
 * none. */
void *rct_cuda_pinned(int64_t bytes, rct_error *error);

/* All that the kernels need, on the device. */
rct_status rct_cuda_upload(rct_run *run, rct_error *error);

extern const rct_device_fault rct_cuda_no_fault;
rct_sweep_result rct_cuda_fault_of(const rct_device_labels *labels);
extern const rct_dense_operations rct_cuda_dense;

/* The operations of the table. */
rct_sweep_result rct_cuda_evaluate(rct_run *run);
rct_sweep_result rct_cuda_rk4_stage(rct_run *run, int stage, double dt);
rct_sweep_result rct_cuda_rk4_steps(rct_run *run, double dt, int64_t steps, int64_t *done);

/* Launch one evaluation with the junction on the device. 0: the device failed. */
int rct_cuda_launch(rct_run *run, int stage, double dt);

/* Tell the device to forget its faults; fetch those it has met since. 0: the device failed. */
int rct_cuda_forget_fault(rct_run *run);
int rct_cuda_see_fault(rct_run *run);

/* What the faults seen amount to. A step that had begun to advance states is taken back. */
rct_sweep_result rct_cuda_verdict(rct_run *run, int in_step);

/* States and results in label order. */
void rct_cuda_write_state(rct_run *run, const double *state);
void rct_cuda_read_state(const rct_run *run, double *state);
void rct_cuda_read_accelerations(const rct_run *run, double *accelerations);
void rct_cuda_read_forces(const rct_run *run, double *forces);
void rct_cuda_read_points(const rct_run *run, double *points);
void rct_cuda_set_reference(rct_run *run);
void rct_cuda_sums(rct_run *run, rct_sums *sums);
rct_status rct_cuda_keep(rct_run *run, rct_error *error);
int rct_cuda_read_kept(rct_run *run, double *state, double *points);

/* States and points of the present on the device, label order (run->measure). 0: the device failed. */
int rct_cuda_find_points(rct_run *run);

/* Before they are overwritten: what is kept of them must be copied. 0: the device failed. */
int rct_cuda_await_kept(rct_run *run);
void rct_cuda_keep_free(rct_run *run);

#endif
