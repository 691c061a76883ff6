/* The CPU backend: bushes, segments and the trunk of a packing, shared among a team of threads. */
#include "backend/cpu/kernels.h"
#include "backend/cpu/run.h"
#include "backend/gather.h"
#include "core/error.h"
#include "core/memory.h"

#include <stddef.h>
#include <string.h>

/* Systems smaller than this give a second thread less work than waking it costs. Bushes enough for the threads of a small
 * machine (docs/decisions.md). Rows of lanes are worth it from so many links a row on. */
enum { LINKS_PER_THREAD = 1000, BUSHES = 8, WORTH_LANES = 3 };

/* ---- making a run ------------------------------------------------------------------------- */

static rct_status choose_kernels(rct_run *run, int32_t lanes, rct_method method, rct_error *error)
{
    const rct_lane_kernels *kernels = rct_cpu_kernels(lanes, error);
    if (kernels == NULL) {
        return RCT_ERROR_UNSUPPORTED;
    }
    const int riccati = method == RCT_METHOD_RICCATI;
    run->kernels = riccati ? kernels->riccati : kernels->abi;
    run->serial = riccati ? &rct_trunk_riccati : &rct_trunk_abi;
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

static rct_status allocate(rct_run *run, rct_error *error)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    const int64_t members = rct_team_members(run->team);
    run->scratch_size = rct_sheaves_scratch(s) * run->packing->lanes.lanes;
    run->scratch = rct_allocate(members * run->scratch_size, sizeof(double), "the scratch", error);
    run->faults = rct_allocate(members, sizeof *run->faults, "the scratch", error);
    run->cursors = rct_allocate(members, sizeof *run->cursors, "the scratch", error);
    const int whole = run->scratch != NULL && run->faults != NULL && run->cursors != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

static void cpu_destroy(rct_run *run)
{
    if (run != NULL) {
        rct_team_free(run->team);
        rct_packing_free(run->packing);
        rct_partition_free(run->partition);
        rct_release(run->scratch);
        rct_release(run->faults);
        rct_release(run->cursors);
        rct_cpu_free_wanted(run);
        rct_release(run);
    }
}

static rct_status pack(rct_run *run, rct_error *error)
{
    rct_packing_free(run->packing);
    run->packing =
        rct_packing_create(run->plan, run->partition, run->kernels->lanes, BUSHES, 0, error);
    return run->packing == NULL ? RCT_ERROR_MEMORY : RCT_OK;
}

/* Whether lanes are worth it: a row of eight costs two to three links alone, and more where hinges differ. */
static int fills_lanes(const rct_packing *packing)
{
    const rct_rows *r = &packing->lanes;
    return r->unlike == 0 && packing->plan->links.count >= WORTH_LANES * r->rows;
}

/* The serial sweep: every tree is one task, whose scratch stays in the cache where trees are small; in single lanes where its
 * paths do not fill more, whatever is asked for: what is made again with the lanes it had must come to the same bits. */
static rct_status pack_whole(rct_run *run, const rct_solver_options *options, rct_error *error)
{
    rct_partition_free(run->partition);
    run->partition = rct_partition_create(run->plan, SEGMENT_WHOLE, 1, error);
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
    run->partition = rct_partition_create(run->plan, options->segment, 1, error);
    if (run->partition == NULL) {
        return RCT_ERROR_MEMORY;
    }
    const int whole = run->partition->segment_count + run->partition->task_count == 0;
    status = whole ? pack_whole(run, options, error) : pack(run, error);
    if (status == RCT_OK && loads) {
        status = rct_packing_add_loads(run->packing, error);
        if (status == RCT_OK) {
            status = rct_cpu_create_wanted(run, error);
        }
    }
    if (status == RCT_OK) {
        status = start_team(run, options->threads, error);
    }
    return status == RCT_OK ? allocate(run, error) : status;
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
                 rct_cpu_wanted_bytes(run) +
                 rct_team_members(run->team) * run->scratch_size * (int64_t)sizeof(double),
    };
}

/* ---- sweeps ------------------------------------------------------------------------------- */

typedef enum phase_kind { COMPOSE, GUIDE, CONDENSE, ACCELERATE } phase_kind;

/* What the members of the team do with the groups of a phase. */
typedef struct phase_job {
    rct_run *run;
    phase_kind what;
    int stage;
    double dt;
} phase_job;

/* Keep the fault with the smallest label, but a vanishing pivot before what came of it. */
static void note(rct_sweep_result *fault, rct_sweep_result now)
{
    const int cause = now.end == SWEEP_SINGULAR && fault->end == SWEEP_NOT_FINITE;
    if (now.end != SWEEP_DONE &&
        (fault->end == SWEEP_DONE || cause || (now.end == fault->end && now.link < fault->link))) {
        *fault = now;
    }
}

static void work_on_group(void *context, int32_t group, int32_t member)
{
    const phase_job *job = context;
    rct_run *run = job->run;
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    double *scratch = run->scratch + member * run->scratch_size;
    rct_sweep_result result = {SWEEP_DONE, -1};
    switch (job->what) {
    case COMPOSE: run->kernels->compose(s, group); break;
    case GUIDE: run->kernels->guide(s, group, scratch); break;
    case CONDENSE: result = run->kernels->condense(s, group, scratch); break;
    case ACCELERATE:
        result = run->kernels->accelerate(s, group, job->stage, job->dt, scratch);
        break;
    }
    note(&run->faults[member], result);
}

static rct_sweep_result phase(phase_job *job, phase_kind what, int32_t first, int32_t end)
{
    rct_run *run = job->run;
    const int32_t members = rct_team_members(run->team);
    rct_sweep_result fault = {SWEEP_DONE, -1};
    job->what = what;
    for (int32_t m = 0; m < members; m++) {
        run->faults[m] = fault;
    }
    rct_cpu_claim(run, first, end, work_on_group, job);
    for (int32_t m = 0; m < members; m++) {
        note(&fault, run->faults[m]);
    }
    return fault;
}

/* S of what stands in for what follows a path, in the fields of a record; a mass at the hinge where the end is narrow. */
static void stand_in(const double *path, int32_t stride, int narrow, double s[PATH_HANDLE_FIELDS])
{
    memset(s, 0, PATH_HANDLE_FIELDS * sizeof *s);
    for (int i = 0; i < 3; i++) {
        s[i] = path[(int64_t)PATH_STAND_IN * stride];                           /* S_ll */
        s[15 + i] = narrow ? 0.0 : path[(int64_t)(PATH_STAND_IN + 1) * stride]; /* S_aa */
    }
}

/* The lanes of a group of segments but one closed by what stood in for what follows them: they pass as before. */
static void close_others(const rct_rows *r, int32_t sheaf, int32_t but)
{
    double *path = r->sheaves.paths + r->path_at[sheaf] * r->lanes, s[PATH_HANDLE_FIELDS];
    for (int32_t l = 0; l < r->lanes; l++) {
        stand_in(path + l, r->lanes, r->narrow[sheaf], s);
        for (int32_t f = 0; f < PATH_HANDLE_FIELDS && l != but; f++) {
            path[(int64_t)(PATH_BEYOND + f) * r->lanes + l] = s[f];
        }
    }
}

/* The link at fault in the segment of node n, which could not be closed: inward with what hangs on it. */
static int32_t blame(rct_run *run, int32_t n)
{
    const rct_partition *p = run->partition;
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    const int32_t first = run->packing->node_label[n];
    int32_t k = 0, group = s->bushes, lane;
    int64_t row;
    while (p->segments[k].first != first) {
        k++;
    }
    const int32_t last = first + p->segments[k].length - 1;
    rct_packing_find(run->packing, last, &row, &lane);
    while (s->first_row[s->first_sheaf[group + 1]] <= row) {
        group++;
    }
    close_others(&run->packing->lanes, s->first_sheaf[group], lane);
    const rct_sweep_result result =
        run->kernels->accelerate(s, group, STAGE_NONE, 0.0, run->scratch);
    const int found = result.end == SWEEP_SINGULAR && result.link >= first && result.link <= last;
    return found ? result.link : last;
}

/* The trunk inward; a fault names a label. */
static rct_sweep_result trunk_inward(rct_run *run)
{
    const rct_trunk *trunk = &run->packing->trunk;
    rct_sweep_result result = run->serial->inward(&run->packing->links.sheaves, trunk);
    if (result.end == SWEEP_SINGULAR && trunk->kind[result.link]) {
        result.link = blame(run, result.link);
    } else if (result.end != SWEEP_DONE) {
        result.link = run->packing->node_label[result.link];
    }
    return result;
}

static rct_sweep_result by_label(const rct_run *run, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        result.link = run->packing->node_label[result.link];
    }
    return result;
}

/* One evaluation (docs/ARCHITECTURE.md): frames outward, everything inward, everything outward. */
static rct_sweep_result sweep(rct_run *run, int stage, double dt)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    const rct_sheaves *rows = &run->packing->links.sheaves;
    const rct_trunk *trunk = &run->packing->trunk;
    phase_job job = {.run = run, .stage = stage, .dt = dt};
    run->advanced = 0;
    if (!run->composed) {
        phase(&job, COMPOSE, s->narrow_end, s->groups);
    }
    run->composed = 0;
    run->serial->guide(rows, trunk);
    if (s->hanging > 0) {
        phase(&job, GUIDE, s->bushes, s->groups);
    }
    rct_sweep_result fault = phase(&job, CONDENSE, 0, s->hanging);
    if (fault.end == SWEEP_DONE) {
        fault = phase(&job, CONDENSE, s->bushes, s->groups);
    }
    if (fault.end == SWEEP_DONE) {
        fault = trunk_inward(run);
    }
    if (fault.end != SWEEP_DONE) {
        return fault;
    }
    /* from here on states advance: every phase runs, so that the base of the step is whole */
    run->advanced = 1;
    note(&fault, by_label(run, run->serial->outward(rows, trunk, stage, dt)));
    note(&fault, phase(&job, ACCELERATE, s->bushes, s->groups));
    note(&fault, phase(&job, ACCELERATE, 0, s->bushes));
    return fault;
}

/* The first link whose state is not finite, or -1. */
static int32_t not_finite(const rct_run *run)
{
    double numbers[MOST_STATE];
    for (int32_t l = 0; l < run->plan->links.count; l++) {
        rct_cpu_copy(run, l, numbers, 0);
        if (!rct_state_is_finite(run->plan, l, numbers)) {
            return l;
        }
    }
    return -1;
}

/* A pivot fails on a state that is no longer finite: then that is the fault, at its first link. */
static rct_sweep_result judge(const rct_run *run, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        const int32_t first = not_finite(run);
        result = first >= 0 ? (rct_sweep_result){SWEEP_NOT_FINITE, first} : result;
    }
    return result;
}

static rct_sweep_result cpu_evaluate(rct_run *run)
{
    return judge(run, sweep(run, STAGE_NONE, 0.0));
}

static void take_back(rct_run *run)
{
    rct_rows *both[2] = {&run->packing->lanes, &run->packing->links};
    for (int i = 0; i < 2; i++) {
        const int64_t numbers = both[i]->state_at[both[i]->rows] * both[i]->lanes;
        memcpy(both[i]->sheaves.state, both[i]->sheaves.base, (size_t)numbers * sizeof(double));
    }
}

static rct_sweep_result cpu_rk4_stage(rct_run *run, int stage, double dt)
{
    rct_sweep_result result = sweep(run, stage, dt);
    if (!run->advanced) {
        result = judge(run, result);
    }
    if (result.end != SWEEP_DONE && (stage > 0 || run->advanced)) {
        take_back(run);
        result = stage == 0 ? judge(run, result) : result;
    }
    return result;
}

static const char *unavailable(void)
{
    return NULL;
}

const rct_backend rct_backend_cpu = {
    .name = "cpu",
    .unavailable = unavailable,
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
    .evaluate = cpu_evaluate,
    .rk4_stage = cpu_rk4_stage,
    .read_accelerations = rct_cpu_read_accelerations,
    .read_derivatives = rct_cpu_read_derivatives,
    .read_forces = rct_cpu_read_forces,
    .renew = rct_cpu_renew,
};
