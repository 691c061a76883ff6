/* A run of a mixed plan on a device from the inside. */
#ifndef RCT_BACKEND_CUDA_MIXED_H
#define RCT_BACKEND_CUDA_MIXED_H

#include "backend/cuda/run.h"
#include "kernels/cuda/mixed.h"
#include "topology/mixed_packing.h"

struct rct_mixed_run {
    const rct_plan *plan;
    rct_partition *partition;
    rct_mixed_packing
        *packing;            /* its states, results and loads: the host's copies of the device's  */
    rct_mixed_device device; /* device pointers */
    rct_lease lease;
    rct_device_fault *fault; /* pinned, the device's last seen */
    double *loads;    /* [links][LOAD_FIELDS] as last written, to look for a fault, or NULL     */
    double *gathered; /* the state in label order, to look for a fault                          */

    /* the trunk, on the host; its records are those of device.hung, pinned */
    rct_mixed_trunk trunk;
    int32_t
        *node_label; /* [trunk.count]                                                          */
    int64_t *hung;   /* places of the records                                                  */
    int32_t *trunk_parent, *trunk_row, *trunk_open;
    int64_t *trunk_path;

    /* a whole step as a graph, NULL until it is asked for */
    cudaGraphExec_t step;
    double step_dt;
    rct_ground step_ground;
};

rct_status rct_cuda_mixed_upload(rct_mixed_run *run, rct_error *error);

/* The trunk over records of its own; what a failure leaves, the run's destroy releases. */
rct_status rct_cuda_mixed_trunk(rct_mixed_run *run, rct_error *error);

/* As the backend table has them. */
void rct_cuda_mixed_write_state(rct_mixed_run *run, const double *state);
void rct_cuda_mixed_read_state(const rct_mixed_run *run, double *state);
void rct_cuda_mixed_set_ground(rct_mixed_run *run, const rct_ground *ground);
void rct_cuda_mixed_write_loads(rct_mixed_run *run, const double *loads);
void rct_cuda_mixed_read_accelerations(const rct_mixed_run *run, double *accelerations);
void rct_cuda_mixed_read_rates(const rct_mixed_run *run, double *rates);
rct_sweep_result rct_cuda_mixed_evaluate(rct_mixed_run *run);
rct_sweep_result rct_cuda_mixed_rk4_stage(rct_mixed_run *run, int stage, double dt);
rct_sweep_result rct_cuda_mixed_rk4_steps(rct_mixed_run *run, double dt, int64_t steps,
                                          int64_t *done);

/* `numbers` from `from` to `to`, in the order of the stream. 0: the device failed. */
int rct_cuda_mixed_send(rct_mixed_run *run, void *to, const void *from, int64_t numbers,
                        enum cudaMemcpyKind kind);

extern const rct_mixed_backend rct_cuda_mixed_backend;

#endif
