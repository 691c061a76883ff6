/* The CUDA backend: whether it can run here, making a run, and its table of operations. */
#include "backend/cuda/mixed.h"
#include "backend/plugin.h"
#include "core/error.h"
#include "core/memory.h"

#include <string.h>

/* Nodes of the trunk up to which one thread of the device is faster than the way to the host and back. */
enum { DEVICE_TRUNK_MOST = 16 };

static const char *cuda_unavailable(void)
{
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result == cudaSuccess && count > 0) {
        return NULL;
    }
    cudaGetLastError();
    switch (result) {
    case cudaSuccess:
    case cudaErrorNoDevice: return "no NVIDIA GPU";
    case cudaErrorStubLibrary:
    case cudaErrorInsufficientDriver: return "no NVIDIA driver, or one too old for this build";
    default: return "the NVIDIA driver does not answer; nvidia-smi may say why";
    }
}

static void cuda_destroy(rct_run *run)
{
    if (run == NULL) {
        return;
    }
    rct_cuda_keep_free(run);
    rct_cuda_step_free(&run->step);
    cudaFreeHost(run->trunk.spans);
    cudaFreeHost(run->trunk.ends);
    cudaFreeHost(run->hung_rows);
    cudaFreeHost(run->fault);
    rct_release(run->trunk.state);
    rct_release(run->trunk.base);
    rct_release(run->trunk.sum);
    rct_release(run->trunk.work);
    rct_release(run->gathered);
    rct_cuda_layout_free(run->layout);
    rct_cuda_lease_end(&run->lease);
    rct_release(run);
}

/* ---- making a run ------------------------------------------------------------------------- */

static rct_status allocate_trunk(rct_run *run, rct_error *error)
{
    const rct_partition *p = run->layout->whole;
    const int64_t one = sizeof(double), nodes = p->reduced.count;
    rct_trunk *t = &run->trunk;
    t->links = p->reduced;
    t->segment = p->segment;
    t->count = p->trunk_count;
    t->stretches = p->trunk;
    t->state = rct_allocate(nodes, STATE_FIELDS * one, "the state", error);
    t->base = rct_allocate(nodes, STATE_FIELDS * one, "the state", error);
    t->sum = rct_allocate(nodes, STATE_FIELDS * one, "the state", error);
    t->work = rct_allocate(nodes, run->serial->work_fields * one, "the work of a sweep", error);
    t->spans = rct_cuda_pinned(p->segment_count * SPAN_FIELDS * one, error);
    t->ends = rct_cuda_pinned(p->segment_count * END_FIELDS * one, error);
    run->hung_rows =
        rct_cuda_pinned(run->layout->hung_count * run->serial->work_fields * one, error);
    run->fault = rct_cuda_pinned(sizeof *run->fault, error);
    const int whole = t->state != NULL && t->base != NULL && t->sum != NULL && t->work != NULL &&
                      t->spans != NULL && t->ends != NULL && run->hung_rows != NULL &&
                      run->fault != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

static rct_status build(rct_run *run, const rct_solver_options *options, rct_error *error)
{
    const int abi = run->method == RCT_METHOD_ABI;
    run->serial = abi ? &rct_serial_abi : &rct_serial_riccati;
    run->kernels = abi ? &rct_device_abi : &rct_device_riccati;
    run->layout = rct_cuda_layout_create(run->plan, options->segment, !abi, error);
    if (run->layout == NULL) {
        return RCT_ERROR_MEMORY;
    }
    run->junction_on_host = options->junction == RCT_JUNCTION_AUTO
                                ? run->layout->whole->trunk_nodes > DEVICE_TRUNK_MOST
                                : options->junction == RCT_JUNCTION_HOST;
    rct_status status = rct_cuda_lease_begin(&run->lease, options->backend, error);
    if (status == RCT_OK) {
        status = allocate_trunk(run, error);
    }
    if (status == RCT_OK) {
        run->gathered = rct_allocate(run->plan->links.count, STATE_FIELDS * (int64_t)sizeof(double),
                                     "the state", error);
        status = run->gathered != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    }
    if (status == RCT_OK) {
        *run->fault = rct_cuda_no_fault;
        status = rct_cuda_upload(run, error);
    }
    return status;
}

static rct_run *cuda_create(const rct_plan *plan, const rct_solver_options *options,
                            rct_error *error)
{
    rct_run *run = rct_allocate(1, sizeof *run, "a cuda run", error);
    if (run == NULL) {
        return NULL;
    }
    run->plan = plan;
    run->method = options->method;
    if (build(run, options, error) != RCT_OK) {
        cuda_destroy(run);
        run = NULL;
    }
    return run;
}

static void cuda_describe(const rct_run *run, rct_run_info *info)
{
    const rct_partition *whole = run->layout->whole, *pieces = run->layout->pieces;
    const rct_packing *packing = run->layout->packing;
    *info = (rct_run_info){
        .threads = 1,
        .lanes = WARP,
        .segment_length = pieces->length,
        .segments = pieces->segment_count,
        .tiles = packing->tiles.count,
        .tasks = whole->task_count,
        .trunk = whole->trunk_nodes,
        .bushes = run->layout->planted->bushes.count,
        .waves = run->layout->planted->bushes.waves,
        .padding = packing->padding + run->layout->planted->padding,
        .bytes = (int64_t)sizeof *run + run->lease.device_bytes + rct_partition_bytes(whole) +
                 rct_partition_bytes(pieces) + rct_packing_bytes(packing) +
                 rct_bush_packing_bytes(run->layout->planted),
    };
}

static const char *cuda_trouble(const rct_run *run)
{
    return run->lease.trouble;
}

static const rct_backend backend = {
    .name = "cuda",
    .mixed = &rct_cuda_mixed_backend,
    .devices = rct_cuda_devices,
    .unavailable = cuda_unavailable,
    .create = cuda_create,
    .destroy = cuda_destroy,
    .describe = cuda_describe,
    .write_state = rct_cuda_write_state,
    .read_state = rct_cuda_read_state,
    .evaluate = rct_cuda_evaluate,
    .rk4_stage = rct_cuda_rk4_stage,
    .rk4_steps = rct_cuda_rk4_steps,
    .read_accelerations = rct_cuda_read_accelerations,
    .read_forces = rct_cuda_read_forces,
    .read_points = rct_cuda_read_points,
    .set_reference = rct_cuda_set_reference,
    .sums = rct_cuda_sums,
    .keep = rct_cuda_keep,
    .read_kept = rct_cuda_read_kept,
    .trouble = cuda_trouble,
    .dense = &rct_cuda_dense,
};

__attribute__((visibility("default"))) extern const rct_plugin rct_plugin_exported;
const rct_plugin rct_plugin_exported = {
    .identity = RCT_BACKEND_IDENTITY, .build = rct_build, .table = &backend};
