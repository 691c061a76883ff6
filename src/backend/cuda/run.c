/* The CUDA backend: whether it can run here, making a run, and its table of operations. */
#include "backend/cuda/mixed.h"
#include "backend/plugin.h"
#include "core/error.h"
#include "core/memory.h"

#include <string.h>

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

/* ---- making a run ------------------------------------------------------------------------- */

enum { BUSHES = 528 }; /* warps that fill the device */

/* Links a piece: short ones wait for one another less, long ones are composed less. From THREADS pieces
 * on, those of 132 multiprocessors of 256, the device is full, and pieces grow instead. Side trees, and trees on
 * the ground, of RAKE links and more are worth segments of their own; in small systems those of a 32nd of the
 * whole, for one lane takes long for a long path. Tasks have up to TASK links. Predicted in docs/gpu.md, to be measured. */
enum { SHORT = 5, LONG = 64, THREADS = 33792, RAKE_LEAST = 16, RAKE = 256, TASK = 256 };

static int32_t clamp(int64_t least, int64_t links, int64_t most)
{
    return (int32_t)(links < least ? least : links < most ? links : most);
}

/* How a plan of so many links is cut, as asked for or chosen: links a piece, SEGMENT_AUTO, SEGMENT_WHOLE. */
static rct_cut choose_cut(int32_t links, int64_t asked)
{
    if (asked == SEGMENT_WHOLE) {
        return rct_cut_whole_trees();
    }
    if (asked != SEGMENT_AUTO) {
        const int32_t length = clamp(0, asked, links);
        return (rct_cut){.length = length, .rake = length, .task = TASK};
    }
    return (rct_cut){.length = clamp(SHORT, ((int64_t)links + THREADS - 1) / THREADS, LONG),
                     .rake = clamp(RAKE_LEAST, links / WARP, RAKE),
                     .task = TASK};
}

static void cuda_destroy(rct_run *run)
{
    if (run == NULL) {
        return;
    }
    rct_cuda_step_free(&run->step);
    cudaFreeHost(run->fault);
    cudaFreeHost(run->trunk.paths);
    cudaFreeHost(run->roots.packed);
    rct_release(run->roots.places);
    rct_release(run->loads);
    rct_release(run->gathered);
    rct_release(run->node_label);
    rct_release(run->hung);
    rct_release(run->trunk_parent);
    rct_release(run->trunk_row);
    rct_release(run->trunk_kind);
    rct_release(run->trunk_path);
    rct_release(run->trunk_slot);
    rct_release(run->spans.chains);
    rct_release(run->spans.members);
    rct_release(run->trunk.work);
    rct_mixed_packing_free(run->packing);
    rct_partition_free(run->partition);
    rct_cuda_lease_end(&run->lease);
    rct_release(run);
}

static rct_status pack(rct_run *run, const rct_solver_options *options, int loads, rct_error *error)
{
    const rct_cut cut = choose_cut(run->plan->links.count, options->segment);
    const int64_t number = sizeof(double), links = run->plan->links.count;
    run->partition = rct_partition_create_cut(run->plan, &cut, error);
    if (run->partition == NULL) {
        return RCT_ERROR_MEMORY;
    }
    run->packing = rct_mixed_packing_create(run->plan, run->partition, WARP, BUSHES, 0, error);
    run->gathered = rct_allocate(run->plan->state_at[links], number, "the state", error);
    if (run->packing == NULL || run->gathered == NULL) {
        return RCT_ERROR_MEMORY;
    }
    if (loads) {
        run->loads = rct_allocate(links, LOAD_FIELDS * number, "the loads", error);
        return run->loads == NULL ? RCT_ERROR_MEMORY
                                  : rct_mixed_packing_add_loads(run->packing, error);
    }
    return RCT_OK;
}

static rct_status build(rct_run *run, const rct_solver_options *options, int loads,
                        rct_error *error)
{
    rct_status status = pack(run, options, loads, error);
    if (status == RCT_OK) {
        status = rct_cuda_mixed_trunk(run, error);
    }
    if (status == RCT_OK) {
        status = rct_cuda_lease_begin(&run->lease, options->backend, error);
    }
    if (status == RCT_OK) {
        run->fault = rct_cuda_pinned(sizeof *run->fault, error);
        status = run->fault == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    }
    if (status == RCT_OK) {
        *run->fault = rct_cuda_no_fault;
        status = rct_cuda_mixed_upload(run, error);
    }
    return status;
}

static rct_run *cuda_create(const rct_plan *plan, const rct_solver_options *options, int loads,
                            rct_error *error)
{
    rct_run *run = rct_allocate(1, sizeof *run, "a cuda run", error);
    if (run == NULL) {
        return NULL;
    }
    run->plan = plan;
    if (options->method != RCT_METHOD_ABI) {
        rct_fail(error, RCT_ERROR_UNSUPPORTED,
                 "backend cuda does not know method %s; use abi or backend cpu",
                 rct_method_name(options->method));
        rct_release(run);
        return NULL;
    }
    if (build(run, options, loads, error) != RCT_OK) {
        cuda_destroy(run);
        run = NULL;
    }
    return run;
}

static void cuda_describe(const rct_run *run, rct_run_info *info)
{
    const rct_mixed_sheaves *s = &run->packing->lanes.sheaves;
    const rct_partition *p = run->partition;
    *info = (rct_run_info){
        .threads = 1,
        .lanes = WARP,
        .segment_length = p->length,
        .segments = p->segment_count,
        .tiles = s->groups - s->bushes,
        .tasks = p->task_count,
        .bushes = s->bushes,
        .waves = s->first_row[s->first_sheaf[s->bushes]],
        .trunk = p->trunk_nodes,
        .wide = rct_mixed_packing_wide(run->packing),
        .padding = run->packing->lanes.padding,
        .bytes = (int64_t)sizeof *run + run->lease.device_bytes + rct_partition_bytes(p) +
                 rct_mixed_packing_bytes(run->packing) +
                 run->trunk.stride * (int64_t)(PATH_OPEN_FIELDS * sizeof(double)) +
                 run->roots.count * (int64_t)(PATH_SHARE * sizeof(double) + sizeof(int64_t)) +
                 run->plan->state_at[run->plan->links.count] * (int64_t)sizeof(double),
    };
}

static const char *cuda_trouble(const rct_run *run)
{
    return run->lease.trouble;
}

static const rct_backend backend = {
    .name = "cuda",
    .devices = rct_cuda_devices,
    .unavailable = cuda_unavailable,
    .create = cuda_create,
    .destroy = cuda_destroy,
    .describe = cuda_describe,
    .write_state = rct_cuda_mixed_write_state,
    .read_state = rct_cuda_mixed_read_state,
    .read_links = rct_cuda_mixed_read_links,
    .set_ground = rct_cuda_mixed_set_ground,
    .write_loads = rct_cuda_mixed_write_loads,
    .evaluate = rct_cuda_mixed_evaluate,
    .rk4_stage = rct_cuda_mixed_rk4_stage,
    .rk4_steps = rct_cuda_mixed_rk4_steps,
    .read_accelerations = rct_cuda_mixed_read_accelerations,
    .read_rates = rct_cuda_mixed_read_rates,
    .trouble = cuda_trouble,
    .dense = &rct_cuda_dense,
};

__attribute__((visibility("default"))) extern const rct_plugin rct_plugin_exported;
const rct_plugin rct_plugin_exported = {
    .identity = RCT_BACKEND_IDENTITY, .build = rct_build, .table = &backend};
