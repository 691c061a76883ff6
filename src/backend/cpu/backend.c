/* The CPU backend: runs, made of bushes, segments and the trunk of a packing, and a team of threads
 * that sweeps them (sweep.c). */
#include "backend/cpu/kernels.h"
#include "backend/cpu/run.h"
#include "backend/gather.h"
#include "core/error.h"
#include "core/memory.h"

#include <stddef.h>

/* In smaller systems the work of a second thread is less than the cost of waking it. Enough bushes
 * for the threads of a small machine (docs/decisions.md). Rows of lanes are worth it from this many
 * links a row on. */
enum { LINKS_PER_THREAD = 500, BUSHES = 8, WORTH_LANES = 3 };

/* Bushes that hang on something are swept inward once instead of twice if their way inward is kept.
 * This is done up to this many bytes, which caches hold; where all hinges are balls, for all bushes
 * or none (docs/decisions.md). */
enum { NARROW_KEPT = 9 << 20, WIDE_KEPT = 32 << 20 };

/* ---- making a run ------------------------------------------------------------------------- */

static rct_status choose_kernels(rct_run *run, int32_t lanes, rct_method method, rct_error *error)
{
    const rct_lane_kernels *kernels = rct_cpu_kernels(lanes, error);
    if (kernels == NULL) {
        return RCT_ERROR_UNSUPPORTED;
    }
    const int riccati = method == RCT_METHOD_RICCATI;
    run->kernels = riccati ? kernels->riccati : kernels->abi;
    run->serial = riccati ? kernels->riccati_trunk : kernels->abi_trunk;
    run->column_kernels = riccati ? kernels->riccati_columns : kernels->abi_columns;
    return RCT_OK;
}

static rct_status start_team(rct_run *run, int32_t asked, rct_error *error)
{
    const int32_t most = run->is_serial ? 1 : run->plan->links.count / LINKS_PER_THREAD;
    int32_t threads = asked > 0 ? asked : rct_processors();
    if (asked == 0 && threads > most) {
        threads = most > 0 ? most : 1;
    }
    run->team = rct_team_create(threads, error);
    return run->team == NULL ? RCT_ERROR_MEMORY : RCT_OK;
}

/* Numbers of the scratch of the first bushes, if each has its own. */
static int64_t scratch_of(const rct_run *run, int32_t bushes)
{
    const rct_rows *rows = &run->packing->lanes;
    return rct_sheaves_scratch_at(&rows->sheaves, bushes) * rows->lanes;
}

static rct_status keep_bushes(rct_run *run, rct_error *error)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    const int narrow = s->row_fields == NARROW_FIELDS;
    const int64_t most = (narrow ? NARROW_KEPT : WIDE_KEPT) / (int64_t)sizeof(double);
    run->kept = s->hanging;
    while (run->kept > 0 && scratch_of(run, run->kept) > most) {
        run->kept = narrow ? 0 : run->kept - 1;
    }
    if (run->kept == 0) {
        return RCT_OK;
    }
    run->group_scratch_size = scratch_of(run, run->kept);
    run->group_scratch =
        rct_allocate(run->group_scratch_size, sizeof(double), "the scratch", error);
    return run->group_scratch == NULL ? RCT_ERROR_MEMORY : RCT_OK;
}

static rct_status allocate(rct_run *run, rct_error *error)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    const int64_t members = rct_team_members(run->team);
    run->scratch_size = rct_sheaves_scratch(s) * run->packing->lanes.lanes;
    run->scratch = rct_allocate(members * run->scratch_size, sizeof(double), "the scratch", error);
    run->faults = rct_allocate(members, sizeof *run->faults, "the scratch", error);
    run->cursors = rct_allocate(members, sizeof *run->cursors, "the scratch", error);
    run->most = rct_allocate(members, 2 * sizeof *run->most, "the scratch", error);
    const int whole =
        run->scratch != NULL && run->faults != NULL && run->cursors != NULL && run->most != NULL;
    return whole ? keep_bushes(run, error) : RCT_ERROR_MEMORY;
}

static void cpu_destroy(rct_run *run)
{
    if (run != NULL) {
        rct_team_free(run->team);
        rct_packing_free(run->packing);
        rct_partition_free(run->partition);
        rct_release(run->scratch);
        rct_release(run->group_scratch);
        rct_release(run->faults);
        rct_release(run->cursors);
        rct_release(run->most);
        rct_cpu_free_wanted(run);
        rct_row_columns_free(run->columns);
        rct_held_free(&run->held);
        rct_release(run);
    }
}

static rct_status pack(rct_run *run, rct_error *error)
{
    rct_packing_free(run->packing);
    run->packing =
        rct_packing_create(run->plan, run->partition, run->kernels->lanes, BUSHES, 0, error);
    if (run->packing == NULL) {
        return RCT_ERROR_MEMORY;
    }
    rct_choose_coordinate_kernels(run->packing);
    return RCT_OK;
}

/* Whether lanes are worth it: a row of eight takes as long as two to three links in single lanes,
 * and longer where hinge types differ. */
static int fills_lanes(const rct_packing *packing)
{
    const rct_rows *r = &packing->lanes;
    return r->unlike == 0 && packing->plan->links.count >= WORTH_LANES * r->rows;
}

/* The serial sweep: every tree is one task, whose scratch stays in the cache where trees are small.
 * It has single lanes where its paths do not fill more, whatever is wanted, so that a run that is
 * made again with the lanes it had gives the same bits. */
static rct_status pack_whole(rct_run *run, const rct_solver_options *options, rct_error *error)
{
    rct_partition_free(run->partition);
    run->partition = rct_partition_create(run->plan, SEGMENT_WHOLE, 1, 0, error);
    run->is_serial = 1;
    const rct_status status = run->partition == NULL ? RCT_ERROR_MEMORY : pack(run, error);
    if (status != RCT_OK || run->kernels->lanes == 1 || fills_lanes(run->packing)) {
        return status;
    }
    return choose_kernels(run, 1, options->method, error) == RCT_OK ? pack(run, error)
                                                                    : RCT_ERROR_MEMORY;
}

static rct_status build(rct_run *run, const rct_solver_options *options, int loads,
                        rct_error *error)
{
    rct_status status = choose_kernels(run, options->lanes, options->method, error);
    if (status != RCT_OK) {
        return status;
    }
    run->partition =
        rct_partition_create(run->plan, options->segment, 1, rct_run_may_hold(options), error);
    if (run->partition == NULL) {
        return RCT_ERROR_MEMORY;
    }
    const rct_partition *p = run->partition;
    const int whole = p->segment_count + p->task_count + p->stations == 0;
    status = whole ? pack_whole(run, options, error) : pack(run, error);
    RCT_THEN(status, rct_packing_add_hinge_forces(run->packing, error));
    if (status == RCT_OK && loads) {
        status = rct_packing_add_loads(run->packing, error);
        if (status == RCT_OK) {
            status = rct_cpu_create_wanted(run, error);
        }
    }
    RCT_THEN(status, rct_rows_add_slots(&run->packing->lanes, rct_run_slots(options), error));
    RCT_THEN(status, rct_rows_add_slots(&run->packing->links, rct_run_slots(options), error));
    if (status == RCT_OK) {
        status = start_team(run, options->threads, error);
    }
    RCT_THEN(status, allocate(run, error));
    RCT_THEN(status, rct_cpu_create_held(run, error));
    return status;
}

static rct_run *cpu_create(const rct_plan *plan, const rct_solver_options *options, int loads,
                           rct_error *error)
{
    rct_run *run = rct_allocate(1, sizeof *run, "a cpu run", error);
    if (run == NULL) {
        return NULL;
    }
    run->plan = plan;
    if (build(run, options, loads, error) != RCT_OK) {
        cpu_destroy(run);
        run = NULL;
    }
    return run;
}

static void cpu_describe(const rct_run *run, rct_run_info *info)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    const rct_partition *p = run->partition;
    const int64_t bushes_end = s->first_row[s->first_sheaf[s->bushes]];
    *info = (rct_run_info){
        .threads = rct_team_members(run->team),
        .lanes = run->kernels->lanes,
        .segment_length = run->is_serial ? 0 : p->length,
        .segments = p->segment_count,
        .tiles = s->groups - s->bushes,
        .tasks = p->task_count,
        .bushes = s->bushes,
        .waves = bushes_end,
        .trunk = p->trunk_nodes,
        .wide = rct_packing_wide(run->packing),
        .padding = run->packing->lanes.padding,
        .imbalance = rct_cpu_imbalance(run),
        .bytes = (int64_t)sizeof *run + rct_partition_bytes(p) + rct_packing_bytes(run->packing) +
                 rct_cpu_wanted_bytes(run) + rct_held_bytes(&run->held) +
                 rct_row_columns_bytes(run->columns) +
                 (rct_team_members(run->team) * run->scratch_size + run->group_scratch_size) *
                     (int64_t)sizeof(double),
    };
}

/* ---- the whole ---------------------------------------------------------------------------- */

static const char *unavailable(void)
{
    return NULL;
}

static int cpu_exerts(const rct_plan *plan)
{
    (void)plan;
    return 1;
}

const rct_backend rct_backend_cpu = {
    .name = "cpu",
    .unavailable = unavailable,
    .predict = rct_cpu_predict,
    .create = cpu_create,
    .destroy = cpu_destroy,
    .describe = cpu_describe,
    .share = rct_cpu_share,
    .write_state = rct_cpu_write_state,
    .read_state = rct_cpu_read_state,
    .write_coordinates = rct_cpu_write_coordinates,
    .read_coordinates = rct_cpu_read_coordinates,
    .read_links = rct_cpu_read_links,
    .want_poses = rct_cpu_want_poses,
    .read_poses = rct_cpu_read_poses,
    .set_ground = rct_cpu_set_ground,
    .write_loads = rct_cpu_write_loads,
    .write_efforts = rct_cpu_write_efforts,
    .set_delta = rct_cpu_set_delta,
    .exerts = cpu_exerts,
    .set_time = rct_cpu_set_time,
    .evaluate = rct_cpu_evaluate,
    .rk4_stage = rct_cpu_rk4_stage,
    .read_accelerations = rct_cpu_read_accelerations,
    .read_derivatives = rct_cpu_read_derivatives,
    .read_forces = rct_cpu_read_forces,
    .renew = rct_cpu_renew,
    .junction = &rct_cpu_junction,
    .columns = &rct_cpu_columns,
    .moves = &rct_cpu_moves,
    .slopes = &rct_cpu_slopes,
};
