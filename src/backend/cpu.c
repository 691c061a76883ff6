/* The CPU backend: making a run, and its table of operations. */
#include "backend/cpu_kernels.h"
#include "backend/cpu_run.h"
#include "backend/holding.h"
#include "core/error.h"
#include "core/memory.h"

#include <string.h>

/* Systems smaller than this give a second thread less work than waking it costs. Bushes enough for the
 * threads of a small machine (docs/decisions.md). */
enum { LINKS_PER_THREAD = 1000, BUSHES = 8 };

static const char *cpu_unavailable(void)
{
    return NULL;
}

static void cpu_destroy(rct_run *run)
{
    if (run != NULL) {
        rct_team_free(run->team);
        rct_packing_free(run->packing);
        rct_bush_packing_free(run->planted);
        rct_partition_free(run->partition);
        rct_release(run->state);
        rct_release(run->base);
        rct_release(run->sum);
        rct_release(run->work);
        rct_release(run->tile_begin);
        rct_release(run->hang_begin);
        rct_release(run->bush_begin);
        rct_release(run->side_begin);
        rct_release(run->side_task);
        rct_release(run->tile_scratch);
        rct_release(run->bush_scratch);
        rct_release(run->faults);
        rct_release(run->cursors);
        rct_release(run->gathered);
        rct_release(run->points);
        rct_release(run->reference);
        rct_release(run);
    }
}

/* ---- making a run ------------------------------------------------------------------------- */

static rct_status start_team(rct_run *run, int32_t asked, rct_error *error)
{
    const int serial = run->partition->segment_count + run->partition->task_count == 0;
    const int32_t most = serial ? 1 : run->plan->links.count / LINKS_PER_THREAD;
    int32_t threads = asked > 0 ? asked : rct_processors();
    if (asked == 0 && threads > most) {
        threads = most > 0 ? most : 1;
    }
    run->team = rct_team_create(threads, error);
    return run->team == NULL ? RCT_ERROR_MEMORY : RCT_OK;
}

static rct_status allocate_nodes(rct_run *run, rct_error *error)
{
    const int64_t one = sizeof(double);
    const int64_t nodes = run->partition->reduced.count;
    const int64_t links = run->plan->links.count;
    run->state = rct_allocate(nodes, STATE_FIELDS * one, "the state", error);
    run->base = rct_allocate(nodes, STATE_FIELDS * one, "the state", error);
    run->sum = rct_allocate(nodes, STATE_FIELDS * one, "the state", error);
    run->work = rct_allocate(nodes, run->serial->work_fields * one, "the work of a sweep", error);
    run->gathered = rct_allocate(links, STATE_FIELDS * one, "the state", error);
    run->points = rct_allocate(links, 6 * one, "the hinge points", error);
    run->reference = rct_allocate(links, one, "the reference energies", error);
    const int whole = run->state != NULL && run->base != NULL && run->sum != NULL &&
                      run->work != NULL && run->gathered != NULL && run->points != NULL &&
                      run->reference != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

static rct_status pack(rct_run *run, int64_t segment, rct_error *error)
{
    const int about_com = run->method == RCT_METHOD_RICCATI;
    const int32_t lanes = run->kernels->lanes;
    run->partition = rct_partition_create(run->plan, segment, 0, error);
    if (run->partition != NULL) {
        run->packing = rct_packing_create(run->plan, run->partition, lanes, about_com, error);
    }
    if (run->packing != NULL) {
        run->planted = rct_bush_packing_create(run->packing, run->partition, BUSHES, error);
    }
    return run->planted != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

static rct_status build(rct_run *run, const rct_solver_options *options, rct_error *error)
{
    const int abi = run->method == RCT_METHOD_ABI;
    run->kernels = rct_cpu_kernels(options->lanes, error);
    if (run->kernels == NULL) {
        return RCT_ERROR_UNSUPPORTED;
    }
    run->serial = abi ? &rct_serial_abi : &rct_serial_riccati;
    run->lanes = abi ? &run->kernels->abi : &run->kernels->riccati;
    run->bushes = abi ? &run->kernels->bush_abi : &run->kernels->bush_riccati;
    rct_status status = pack(run, options->segment, error);
    if (status == RCT_OK) {
        status = start_team(run, options->threads, error);
    }
    if (status == RCT_OK) {
        status = allocate_nodes(run, error);
    }
    if (status == RCT_OK) {
        run->planted->bushes.work = run->work;
        status = rct_cpu_share(run, error);
    }
    return status;
}

static rct_run *cpu_create(const rct_plan *plan, const rct_solver_options *options,
                           rct_error *error)
{
    rct_run *run = rct_allocate(1, sizeof *run, "a cpu run", error);
    if (run == NULL) {
        return NULL;
    }
    run->plan = plan;
    run->method = options->method;
    if (build(run, options, error) != RCT_OK) {
        cpu_destroy(run);
        run = NULL;
    }
    return run;
}

static rct_status cpu_renew(rct_run *run, rct_error *error)
{
    rct_tiles *none = &run->packing->tiles;
    memcpy(none->gravity, run->plan->gravity, sizeof none->gravity);
    rct_partition_renew(run->partition, run->plan);
    return rct_bush_packing_renew(run->planted, error);
}

static void cpu_describe(const rct_run *run, rct_run_info *info)
{
    const int64_t one = sizeof(double);
    const int64_t nodes = run->partition->reduced.count;
    const int32_t members = rct_team_members(run->team);
    const rct_bushes *bushes = &run->planted->bushes;
    const int64_t scratch = members * (rct_cpu_tile_scratch(run) + rct_cpu_bush_scratch(run));
    *info = (rct_run_info){
        .threads = members,
        .lanes = run->kernels->lanes,
        .segment_length = run->partition->length,
        .segments = run->partition->segment_count,
        .tiles = run->packing->tiles.count,
        .tasks = run->partition->task_count,
        .bushes = bushes->count,
        .waves = bushes->waves,
        .trunk = run->partition->trunk_nodes,
        .padding = run->packing->padding + run->planted->padding,
        .imbalance = rct_cpu_imbalance(run),
        .bytes = (int64_t)sizeof *run + rct_partition_bytes(run->partition) +
                 rct_packing_bytes(run->packing) + rct_bush_packing_bytes(run->planted) +
                 nodes * (3 * STATE_FIELDS + run->serial->work_fields) * one +
                 run->plan->links.count * (STATE_FIELDS + 6 + 1) * one + scratch * one,
    };
}

/* ---- operations --------------------------------------------------------------------------- */

/* A pivot fails on a state that is no longer finite: then that is the fault, at its first link. */
static rct_sweep_result judge(rct_run *run, rct_sweep_result result)
{
    if (result.end == SWEEP_SINGULAR) {
        rct_cpu_gather(run, run->gathered);
        const int32_t first = rct_holding_not_finite(run->gathered, run->plan->links.count);
        result = first >= 0 ? (rct_sweep_result){SWEEP_NOT_FINITE, first} : result;
    }
    return result;
}

static rct_sweep_result cpu_evaluate(rct_run *run)
{
    return judge(run, rct_cpu_sweep(run, STAGE_NONE, 0.0));
}

static void take_back(rct_run *run)
{
    const size_t row = STATE_FIELDS * sizeof(double);
    rct_tiles *tiles = &run->packing->tiles;
    rct_bushes *bushes = &run->planted->bushes;
    memcpy(run->state, run->base, (size_t)run->partition->reduced.count * row);
    memcpy(tiles->state, tiles->base, (size_t)(tiles->steps * run->packing->lanes) * row);
    memcpy(bushes->state, bushes->base, (size_t)(bushes->waves * run->planted->lanes) * row);
}

/* Once states have advanced, only those of the first stage can still be judged: they are the base. Of the
 * others a bush has judged its own (kernels/bush.h), all other pivots had held before. */
static rct_sweep_result cpu_rk4_stage(rct_run *run, int stage, double dt)
{
    rct_sweep_result result = rct_cpu_sweep(run, stage, dt);
    if (stage > 0 && !run->advanced) {
        result = judge(run, result);
    }
    if (result.end != SWEEP_DONE && (stage > 0 || run->advanced)) {
        take_back(run);
    }
    return stage == 0 ? judge(run, result) : result;
}

static void cpu_read_points(const rct_run *run, double *points)
{
    rct_cpu_gather(run, run->gathered);
    rct_serial_points(&run->plan->links, run->gathered, points);
}

static void cpu_set_reference(rct_run *run)
{
    rct_cpu_gather(run, run->gathered);
    rct_serial_potentials(&run->plan->links, run->gathered, run->reference);
}

static void cpu_sums(rct_run *run, rct_sums *sums)
{
    cpu_read_points(run, run->points);
    rct_serial_sums(&run->plan->links, run->gathered, run->points, run->reference, sums);
}

const rct_backend rct_backend_cpu = {
    .name = "cpu",
    .mixed = &rct_mixed_backend_cpu,
    .unavailable = cpu_unavailable,
    .create = cpu_create,
    .destroy = cpu_destroy,
    .describe = cpu_describe,
    .write_state = rct_cpu_scatter,
    .read_state = rct_cpu_gather,
    .evaluate = cpu_evaluate,
    .rk4_stage = cpu_rk4_stage,
    .read_accelerations = rct_cpu_read_accelerations,
    .read_forces = rct_cpu_read_forces,
    .read_points = cpu_read_points,
    .set_reference = cpu_set_reference,
    .sums = cpu_sums,
    .renew = cpu_renew,
};
