/* A run on a device from the inside. */
#ifndef RCT_BACKEND_CUDA_MIXED_H
#define RCT_BACKEND_CUDA_MIXED_H

#include "backend/cuda/run.h"
#include "kernels/cuda/mixed.h"
#include "topology/mixed_packing.h"

enum { CHAIN_MOST = 8, SPAN_LEVELS = 12 };

/* Chains of spans, level by level (kernels/cuda/mixed.h). */
typedef struct rct_mixed_spans {
    int32_t chain_count, member_count;
    rct_mixed_chain *chains;
    rct_mixed_member *members;
    int32_t levels;
    int32_t first[SPAN_LEVELS + 1]; /* where those of a level begin */
    int64_t numbers;                /* of their records             */
} rct_mixed_spans;

/* Paths on the ground, if trees have gravities of their own: what reaches them from there is in their records. */
typedef struct rct_mixed_roots {
    int32_t count;
    int stale;       /* whether the device has that of another ground                            */
    int64_t *places; /* [count] of their records                                                 */
    double *packed;  /* pinned, [PATH_SHARE][count] fields of records; only PATH_ABOVE on is sent */
    int64_t *device_places; /* the same on the device                                            */
    double *device_packed;
} rct_mixed_roots;

struct rct_run {
    const rct_plan *plan;
    rct_partition *partition;
    rct_mixed_packing
        *packing;            /* its states, results and loads: the host's copies of the device's  */
    rct_mixed_device device; /* device pointers */
    const rct_mixed_launches *launches;
    rct_lease lease;
    rct_device_fault *fault; /* pinned, the device's last seen */
    double *loads;    /* [links][LOAD_FIELDS] as last written, to look for a fault, or NULL     */
    double *gathered; /* the state in label order, to look for a fault                          */

    rct_mixed_spans spans;
    rct_mixed_roots roots;

    /* the trunk, on the host, a node for each chain that is left; its records are those of device.hung, pinned */
    rct_mixed_trunk trunk;
    int32_t
        *node_label; /* [trunk.count]                                                          */
    int64_t *hung;   /* places of the records                                                  */
    int32_t *trunk_parent, *trunk_row, *trunk_kind;
    int64_t *trunk_path;
    int32_t *trunk_slot;

    rct_step step;
    rct_ground step_ground; /* on which the step was recorded */
};

rct_status rct_cuda_mixed_upload(rct_run *run, rct_error *error);

/* Chains, and the trunk of what is left over records of its own; what a failure leaves, the run's destroy releases. */
rct_status rct_cuda_mixed_trunk(rct_run *run, rct_error *error);

/* What stands in on the ends of spans on the trunk, from the records of all paths. */
void rct_cuda_mixed_stand_ins(rct_run *run, const double *records);

/* As the backend table has them. */
void rct_cuda_mixed_write_state(rct_run *run, const double *state);
void rct_cuda_mixed_read_state(const rct_run *run, double *state);
void rct_cuda_mixed_read_links(const rct_run *run, const int32_t *links, int32_t count,
                               double *state);
void rct_cuda_mixed_set_ground(rct_run *run, const rct_ground *ground);
void rct_cuda_mixed_write_loads(rct_run *run, const int32_t *links, int32_t count,
                                const double *loads);
void rct_cuda_mixed_read_accelerations(const rct_run *run, double *accelerations);
void rct_cuda_mixed_read_rates(const rct_run *run, double *rates);
rct_sweep_result rct_cuda_mixed_evaluate(rct_run *run);
rct_sweep_result rct_cuda_mixed_rk4_stage(rct_run *run, int stage, double dt);
rct_sweep_result rct_cuda_mixed_rk4_steps(rct_run *run, double dt, int64_t steps, int64_t *done);

/* What the ground set last leaves in the records of roots, to the device before it sweeps. 0: the device failed. */
int rct_cuda_mixed_leave_ground(rct_run *run);

/* `numbers` from `from` to `to`, in the order of the stream. 0: the device failed. */
int rct_cuda_mixed_send(rct_run *run, void *to, const void *from, int64_t numbers,
                        enum cudaMemcpyKind kind);

#endif
