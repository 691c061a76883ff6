/* Mixed plans on a device: making a run, and the table of operations. */
#include "backend/cuda/mixed.h"

#include "core/error.h"
#include "core/memory.h"

#include <string.h>

static void mixed_destroy(rct_mixed_run *run)
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

static rct_status pack(rct_mixed_run *run, const rct_solver_options *options, int loads,
                       rct_error *error)
{
    const rct_cut cut = rct_cuda_cut(run->plan->links.count, options->segment);
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

static rct_status build(rct_mixed_run *run, const rct_solver_options *options, int loads,
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

static rct_mixed_run *mixed_create(const rct_plan *plan, const rct_solver_options *options,
                                   int loads, rct_error *error)
{
    rct_mixed_run *run = rct_allocate(1, sizeof *run, "a cuda run", error);
    if (run == NULL) {
        return NULL;
    }
    run->plan = plan;
    if (build(run, options, loads, error) != RCT_OK) {
        mixed_destroy(run);
        run = NULL;
    }
    return run;
}

static void mixed_describe(const rct_mixed_run *run, rct_run_info *info)
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

static const char *mixed_trouble(const rct_mixed_run *run)
{
    return run->lease.trouble;
}

const rct_mixed_backend rct_cuda_mixed_backend = {
    .create = mixed_create,
    .destroy = mixed_destroy,
    .describe = mixed_describe,
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
    .trouble = mixed_trouble,
};
