/* The CPU backend: making a run, and its table of operations. */
#include "backend/cpu_run.h"
#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

/* Systems smaller than this give a second thread less work than waking it costs. */
enum { LINKS_PER_THREAD = 1000, BATCH_LINKS = 128 };

static const char *cpu_unavailable(void)
{
    return NULL;
}

static void cpu_destroy(rct_run *run)
{
    if (run != NULL) {
        rct_team_free(run->team);
        rct_packing_free(run->packing);
        rct_partition_free(run->partition);
        rct_release(run->state);
        rct_release(run->base);
        rct_release(run->sum);
        rct_release(run->work);
        rct_release(run->batch_begin);
        rct_release(run->share_begin);
        rct_release(run->tile_begin);
        rct_release(run->side_begin);
        rct_release(run->side_task);
        rct_release(run->scratch);
        rct_release(run->faults);
        rct_release(run->cursors);
        rct_release(run->gathered);
        rct_release(run->points);
        rct_release(run->reference);
        rct_release(run);
    }
}

/* ---- division of labour ------------------------------------------------------------------- */

/* Split `items` of the given weights among members, each share contiguous and nearly equal. */
static void divide(int32_t items, int64_t (*weight)(const rct_run *, int32_t), const rct_run *run,
                   int32_t members, int32_t *begin)
{
    int64_t total = 0;
    for (int32_t i = 0; i < items; i++) {
        total += weight(run, i);
    }
    int64_t passed = 0;
    int32_t m = 0;
    for (int32_t i = 0; i < items; i++) {
        const int64_t middle = 2 * passed + weight(run, i);
        while (m < members && middle * members >= 2 * total * m) {
            begin[m++] = i;
        }
        passed += weight(run, i);
    }
    while (m <= members) {
        begin[m++] = items;
    }
    begin[0] = 0;
}

/* Tasks may be single links: gather them to batches worth claiming. */
static void batch_tasks(rct_run *run)
{
    const rct_partition *p = run->partition;
    int32_t links = BATCH_LINKS;
    for (int32_t k = 0; k < p->task_count; k++) {
        if (links >= BATCH_LINKS) {
            run->batch_begin[run->batch_count++] = k;
            links = 0;
        }
        links += p->tasks[k].count;
    }
    run->batch_begin[run->batch_count] = p->task_count;
}

static int64_t batch_weight(const rct_run *run, int32_t b)
{
    int64_t links = 0;
    for (int32_t k = run->batch_begin[b]; k < run->batch_begin[b + 1]; k++) {
        links += run->partition->tasks[k].count;
    }
    return links;
}

static int64_t tile_weight(const rct_run *run, int32_t t)
{
    return run->packing->first_step[t + 1] - run->packing->first_step[t];
}

/* The largest share in one phase; `total` grows by all shares. */
static int64_t largest_share(const rct_run *run, const int32_t *begin,
                             int64_t (*weight)(const rct_run *, int32_t), int64_t *total)
{
    int64_t largest = 0;
    for (int32_t m = 0; m < rct_team_members(run->team); m++) {
        int64_t share = 0;
        for (int32_t i = begin[m]; i < begin[m + 1]; i++) {
            share += weight(run, i);
        }
        largest = share > largest ? share : largest;
        *total += share;
    }
    return largest;
}

/* Threads wait for each other after the tasks and after the tiles: the largest shares add up. */
static double imbalance(const rct_run *run)
{
    const int32_t members = rct_team_members(run->team);
    int64_t total = 0;
    int64_t largest = largest_share(run, run->share_begin, batch_weight, &total);
    largest += largest_share(run, run->tile_begin, tile_weight, &total);
    return total > 0 ? (double)(largest * members) / (double)total : 1.0;
}

/* Tasks beside segments, by tile; within a tile by slot and lane as tasks come by node. */
static void list_side_tasks(rct_run *run)
{
    const rct_partition *p = run->partition;
    const rct_packing *packing = run->packing;
    for (int32_t k = 0; k < p->task_count; k++) {
        if (packing->task_segment[k] >= 0) {
            run->side_begin[packing->tile_of[packing->task_segment[k]] + 1]++;
        }
    }
    for (int32_t t = 0; t < packing->tiles.count; t++) {
        run->side_begin[t + 1] += run->side_begin[t];
    }
    for (int32_t k = p->task_count - 1; k >= 0; k--) {
        if (packing->task_segment[k] >= 0) {
            /* filled from the back, which turns begin into begin again */
            run->side_task[--run->side_begin[packing->tile_of[packing->task_segment[k]] + 1]] = k;
        }
    }
    for (int32_t t = 0; t < packing->tiles.count; t++) {
        run->side_begin[t] = run->side_begin[t + 1];
    }
    int32_t sides = 0;
    for (int32_t k = 0; k < p->task_count; k++) {
        sides += packing->task_segment[k] >= 0;
    }
    run->side_begin[packing->tiles.count] = sides;
}

/* ---- making a run ------------------------------------------------------------------------- */

static const rct_tile_kernels *choose_kernels(int32_t lanes, rct_error *error)
{
    const rct_tile_kernels *const *list = rct_tile_kernels_list();
    for (int i = 0; list[i] != NULL; i++) {
        if (lanes == 0 || list[i]->lanes == lanes) {
            return list[i];
        }
    }
    rct_fail(error, RCT_ERROR_UNSUPPORTED,
             "no lanes of %d on this machine; it has up to %d, 0 chooses", lanes, list[0]->lanes);
    return NULL;
}

static rct_status start_team(rct_run *run, int32_t asked, rct_error *error)
{
    const int32_t links = run->plan->links.count;
    const int32_t most = links / LINKS_PER_THREAD;
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

static rct_status allocate_shares(rct_run *run, rct_error *error)
{
    const int64_t members = rct_team_members(run->team);
    const int64_t tiles = run->packing->tiles.count;
    const int64_t scratch =
        (int64_t)run->packing->tiles.most_steps * SCRATCH_FIELDS * run->packing->lanes;
    const int64_t tasks = run->partition->task_count;
    run->batch_begin = rct_allocate(tasks + 1, sizeof(int32_t), "the threads' shares", error);
    run->share_begin = rct_allocate(members + 1, sizeof(int32_t), "the threads' shares", error);
    run->tile_begin = rct_allocate(members + 1, sizeof(int32_t), "the threads' shares", error);
    run->side_begin = rct_allocate(tiles + 1, sizeof(int32_t), "the threads' shares", error);
    run->side_task =
        rct_allocate(run->partition->task_count, sizeof(int32_t), "the threads' shares", error);
    run->faults = rct_allocate(members, sizeof *run->faults, "the threads' shares", error);
    run->cursors = rct_allocate(members, sizeof *run->cursors, "the threads' shares", error);
    run->scratch = rct_allocate(members * scratch, sizeof(double), "the threads' scratch", error);
    const int whole = run->batch_begin != NULL && run->share_begin != NULL &&
                      run->tile_begin != NULL && run->side_begin != NULL &&
                      run->side_task != NULL && run->faults != NULL && run->cursors != NULL &&
                      run->scratch != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

static rct_status build(rct_run *run, const rct_solver_options *options, rct_error *error)
{
    const int abi = run->method == RCT_METHOD_ABI;
    run->kernels = choose_kernels(options->lanes, error);
    if (run->kernels == NULL) {
        return RCT_ERROR_UNSUPPORTED;
    }
    run->serial = abi ? &rct_serial_abi : &rct_serial_riccati;
    run->lanes = abi ? &run->kernels->abi : &run->kernels->riccati;
    run->partition = rct_partition_create(run->plan, options->segment, error);
    if (run->partition == NULL) {
        return RCT_ERROR_MEMORY;
    }
    run->packing = rct_packing_create(run->plan, run->partition, run->kernels->lanes, !abi, error);
    if (run->packing == NULL) {
        return RCT_ERROR_MEMORY;
    }
    rct_status status = start_team(run, options->threads, error);
    if (status == RCT_OK) {
        status = allocate_nodes(run, error);
    }
    if (status == RCT_OK) {
        status = allocate_shares(run, error);
    }
    if (status == RCT_OK) {
        const int32_t members = rct_team_members(run->team);
        batch_tasks(run);
        divide(run->batch_count, batch_weight, run, members, run->share_begin);
        divide(run->packing->tiles.count, tile_weight, run, members, run->tile_begin);
        list_side_tasks(run);
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

static void cpu_describe(const rct_run *run, rct_run_info *info)
{
    const int64_t one = sizeof(double);
    const int64_t nodes = run->partition->reduced.count;
    const int32_t members = rct_team_members(run->team);
    const int64_t scratch =
        (int64_t)members * run->packing->tiles.most_steps * SCRATCH_FIELDS * run->packing->lanes;
    *info = (rct_run_info){
        .threads = members,
        .lanes = run->kernels->lanes,
        .segment_length = run->partition->length,
        .segments = run->partition->segment_count,
        .tiles = run->packing->tiles.count,
        .tasks = run->partition->task_count,
        .trunk = run->partition->trunk_nodes,
        .padding = run->packing->padding,
        .imbalance = imbalance(run),
        .bytes = (int64_t)sizeof *run + rct_partition_bytes(run->partition) +
                 rct_packing_bytes(run->packing) +
                 nodes * (3 * STATE_FIELDS + run->serial->work_fields) * one +
                 run->plan->links.count * (STATE_FIELDS + 6 + 1) * one + scratch * one,
    };
}

/* ---- operations --------------------------------------------------------------------------- */

/* Numbers, and an orientation whose length is one too: else it would count as no rotation. */
static int is_finite(const double *state)
{
    const double *q = state + STATE_ORIENTATION;
    int whole = isfinite(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < STATE_FIELDS; i++) {
        whole = whole && isfinite(state[i]);
    }
    return whole;
}

/* A pivot fails on a state that is no longer finite: then that is the fault, at its first link. Where
 * states have advanced, every pivot had held before. */
static rct_sweep_result judge(rct_run *run, rct_sweep_result result)
{
    if (result.end == SWEEP_SINGULAR && !run->advanced) {
        rct_cpu_gather(run, run->gathered);
        for (int32_t l = 0; l < run->plan->links.count; l++) {
            if (!is_finite(run->gathered + (int64_t)l * STATE_FIELDS)) {
                return (rct_sweep_result){SWEEP_NOT_FINITE, l};
            }
        }
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
    memcpy(run->state, run->base, (size_t)run->partition->reduced.count * row);
    memcpy(tiles->state, tiles->base, (size_t)(tiles->steps * run->packing->lanes) * row);
}

static rct_sweep_result cpu_rk4_stage(rct_run *run, int stage, double dt)
{
    const rct_sweep_result result = judge(run, rct_cpu_sweep(run, stage, dt));
    if (result.end != SWEEP_DONE && (stage > 0 || run->advanced)) {
        take_back(run);
    }
    return result;
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
};
