/* Sweeps of a run on the CPU, phase by phase: the team claims the groups of each phase. */
#include "backend/cpu/kernels.h"
#include "backend/cpu/run.h"
#include "core/memory.h"

#include <stddef.h>
#include <string.h>

typedef enum phase_kind {
    COMPOSE,
    GUIDE,
    CONDENSE,
    ACCELERATE,
    POSE,
    COLUMNS,
    ANSWER,
    TAKE
} phase_kind;

/* What the members of the team do with the groups of a phase. */
typedef struct phase_job {
    rct_run *run;
    phase_kind what;
    int stage;
    double dt;
    int alone; /* whether only multipliers act */
    int kept;  /* whether bushes have kept their way inward, in a scratch of their own */
} phase_job;

/* Keep the fault with the smallest label; a vanishing pivot counts before the faults that follow
 * from it. */
static void note(rct_sweep_result *fault, rct_sweep_result now)
{
    const int cause = now.end == SWEEP_SINGULAR && fault->end == SWEEP_NOT_FINITE;
    if (now.end != SWEEP_DONE &&
        (fault->end == SWEEP_DONE || cause || (now.end == fault->end && now.link < fault->link))) {
        *fault = now;
    }
}

static double *group_scratch(const rct_run *run, int32_t group)
{
    const rct_rows *rows = &run->packing->lanes;
    return run->group_scratch + rct_sheaves_scratch_at(&rows->sheaves, group) * rows->lanes;
}

static inline void work_on(const phase_job *job, int32_t group, int32_t member)
{
    rct_run *run = job->run;
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    const int own = group < run->kept;
    double *scratch = run->scratch + member * run->scratch_size;
    rct_sweep_result result = {SWEEP_DONE, -1};
    switch (job->what) {
    case COMPOSE: run->kernels->compose(s, group); break;
    case GUIDE: run->kernels->guide(s, group, scratch); break;
    case CONDENSE:
        result = run->kernels->condense(s, group, own ? group_scratch(run, group) : scratch, own);
        break;
    case ACCELERATE:
        result = own && job->kept
                     ? run->kernels->reach(s, group, job->stage, job->dt, group_scratch(run, group))
                     : run->kernels->accelerate(s, group, job->stage, job->dt, scratch);
        break;
    case POSE:
        run->column_kernels->pose(s, group, &run->columns->columns, group_scratch(run, group));
        break;
    case COLUMNS:
        result =
            run->column_kernels->inward(s, group, &run->columns->columns, run->moved == RCT_FRAMED,
                                        group_scratch(run, group), scratch);
        break;
    case ANSWER:
        result = run->column_kernels->answer(s, group, &run->columns->columns, job->alone,
                                             job->stage, job->dt, group_scratch(run, group));
        break;
    case TAKE: run->column_kernels->take(s, group, &run->columns->columns); break;
    }
    note(&run->faults[member], result);
}

static void work_on_group(void *context, int32_t group, int32_t member)
{
    work_on(context, group, member);
}

static rct_sweep_result phase(phase_job *job, phase_kind what, int32_t first, int32_t end)
{
    rct_run *run = job->run;
    const int32_t members = rct_team_members(run->team);
    rct_sweep_result fault = {SWEEP_DONE, -1};
    if (first >= end) {
        return fault;
    }
    job->what = what;
    for (int32_t m = 0; m < members; m++) {
        run->faults[m] = fault;
    }
    for (int32_t group = first; group < end && members == 1; group++) {
        work_on(job, group, 0); /* for small trees sharing would cost more */
    }
    if (members > 1) {
        rct_cpu_claim(run, first, end, work_on_group, job);
    }
    for (int32_t m = 0; m < members; m++) {
        note(&fault, run->faults[m]);
    }
    return fault;
}

/* The trunk inward; a fault names a label. */
static rct_sweep_result trunk_inward(rct_run *run)
{
    const rct_trunk *trunk = &run->packing->trunk;
    rct_sweep_result result = run->serial->inward(&run->packing->links.sheaves, trunk);
    if (result.end == SWEEP_SINGULAR && trunk->kind[result.link]) {
        result.link = rct_cpu_blame(run, result.link);
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

/* Frames outward, and all that hangs on the trunk inward, unless it is already known as `enough` or
 * better. */
static rct_sweep_result condense(rct_run *run, phase_job *job, int enough)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    rct_sweep_result fault = {SWEEP_DONE, -1};
    if (!run->composed && run->condensed < RCT_CONDENSED) {
        phase(job, COMPOSE, s->narrow_end, s->groups);
    }
    run->composed = 0;
    run->serial->guide(&run->packing->links.sheaves, &run->packing->trunk);
    if (run->condensed < enough) {
        if (s->hanging > 0) {
            phase(job, GUIDE, s->bushes, s->groups);
        }
        fault = phase(job, CONDENSE, 0, s->hanging);
        if (fault.end == SWEEP_DONE) {
            fault = phase(job, CONDENSE, s->bushes, s->groups);
        }
        run->condensed = fault.end == SWEEP_DONE ? RCT_CONDENSED : 0;
    }
    return fault.end == SWEEP_DONE ? trunk_inward(run) : fault;
}

static int has_whole_trees(const rct_run *run)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    return s->hanging == 0 && s->groups == s->bushes && run->packing->trunk.count == 0;
}

static rct_sweep_result trunk_outward(rct_run *run, int settled, int stage, double dt)
{
    const rct_packing *packing = run->packing;
    return by_label(
        run, run->serial->outward(&packing->links.sheaves, &packing->trunk, settled, stage, dt));
}

/* Everything outward that the trunk has reached. Where states advance, every phase runs, so that
 * the base of the step is whole. */
static rct_sweep_result accelerate(phase_job *job, rct_sweep_result fault)
{
    const rct_sheaves *s = &job->run->packing->lanes.sheaves;
    note(&fault, phase(job, ACCELERATE, s->bushes, s->groups));
    note(&fault, phase(job, ACCELERATE, 0, s->bushes));
    return fault;
}

/* One evaluation (docs/ARCHITECTURE.md): frames outward, everything inward, everything outward. */
static rct_sweep_result sweep(rct_run *run, int stage, double dt)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    if (stage != STAGE_NONE) {
        run->posed = run->moved = 0;
    }
    phase_job job = {.run = run, .stage = stage, .dt = dt};
    if (has_whole_trees(run)) {
        const phase_kind how = run->condensed == RCT_CONDENSED ? ANSWER : ACCELERATE;
        run->condensed = stage == STAGE_NONE ? run->condensed : 0;
        run->advanced = 1;
        return phase(&job, how, 0, s->bushes);
    }
    const int reached = run->condensed == RCT_REACHED && stage == STAGE_NONE;
    const int settled = run->condensed == RCT_SETTLED;
    rct_sweep_result fault = {SWEEP_DONE, -1};
    if (!reached && !settled) {
        fault = condense(run, &job, RCT_CONDENSED);
    }
    job.kept = run->condensed >= RCT_CONDENSED;
    run->condensed = fault.end == SWEEP_DONE ? RCT_NEARLY : 0; /* states advance, but not far */
    run->advanced = fault.end == SWEEP_DONE;
    if (!reached && run->advanced) {
        fault = trunk_outward(run, settled, stage, dt);
    }
    return run->advanced ? accelerate(&job, fault) : fault;
}

/* Repeats the last evaluation with its results: the sweep inward leaves the forces. The trunk has
 * left its forces before. */
void rct_cpu_read_forces(const rct_run *run, double *forces)
{
    const rct_packing *packing = run->packing;
    const rct_trunk *trunk = &packing->trunk;
    rct_sheaves *s = &run->packing->lanes.sheaves;
    phase_job job = {.run = (rct_run *)run, .stage = STAGE_NONE};
    s->forces = forces;
    phase(&job, ACCELERATE, s->bushes, s->groups);
    phase(&job, ACCELERATE, 0, s->bushes);
    s->forces = NULL;
    for (int32_t n = 0; n < trunk->count; n++) {
        if (trunk->row[n] >= 0) {
            memcpy(forces + 6 * (int64_t)packing->node_label[n],
                   trunk->work + (int64_t)trunk->slot[n] * TRUNK_FIELDS + TRUNK_FORCE,
                   6 * sizeof *forces);
        }
    }
}

rct_sweep_result rct_cpu_evaluate(rct_run *run)
{
    return rct_cpu_judge(run, sweep(run, STAGE_NONE, 0.0));
}

void rct_cpu_take_back(rct_run *run)
{
    rct_cpu_forget(run);
    rct_rows *both[2] = {&run->packing->lanes, &run->packing->links};
    for (int i = 0; i < 2; i++) {
        const int64_t numbers = both[i]->state_at[both[i]->rows] * both[i]->lanes;
        memcpy(both[i]->sheaves.state, both[i]->sheaves.base, (size_t)numbers * sizeof(double));
    }
}

rct_sweep_result rct_cpu_rk4_stage(rct_run *run, int stage, double dt)
{
    rct_sweep_result result = sweep(run, stage, dt);
    if (!run->advanced) {
        result = rct_cpu_judge(run, result);
    }
    if (result.end != SWEEP_DONE && (stage > 0 || run->advanced)) {
        rct_cpu_take_back(run);
        result = stage == 0 ? rct_cpu_judge(run, result) : result;
    }
    return result;
}

/* ---- the junction ------------------------------------------------------------------------- */

/* What the trunk reaches, and beside that the paths of loops. */
typedef struct reaching {
    rct_run *run;
    rct_sweep_result result;
} reaching;

/* Of the items, 0 is the trunk outward, n + 1 the path of node n. */
static void reach_range(void *context, int64_t begin, int64_t end)
{
    reaching *r = context;
    if (begin == 0) {
        r->result = trunk_outward(r->run, 0, STAGE_NONE, 0.0);
    }
    rct_held_find_paths(&r->run->held, begin > 0 ? begin - 1 : 0, end - 1);
}

rct_sweep_result rct_cpu_condense(rct_run *run, int paths)
{
    enum { RANGE = 32 };
    phase_job job = {.run = run, .stage = STAGE_NONE};
    reaching r = {run, condense(run, &job, RCT_CONDENSED)};
    if (r.result.end == SWEEP_DONE) {
        rct_cpu_share(run, RANGE, paths ? 1 + run->held.trunk->count : 1, reach_range, &r);
    }
    run->condensed = r.result.end == SWEEP_DONE ? RCT_REACHED : 0;
    return rct_cpu_judge(run, r.result);
}

rct_sweep_result rct_cpu_sway(rct_run *run)
{
    const rct_sweep_result result =
        run->condensed == 0 ? rct_cpu_condense(run, 0) : (rct_sweep_result){SWEEP_DONE, -1};
    if (result.end != SWEEP_DONE) {
        return result;
    }
    phase_job job = {.run = run, .stage = STAGE_NONE, .kept = run->condensed >= RCT_CONDENSED};
    rct_held_settle(&run->held, RCT_BEYOND_ALL);
    run->condensed = RCT_NEARLY;
    return rct_cpu_judge(run, accelerate(&job, trunk_outward(run, 1, STAGE_NONE, 0.0)));
}

/* ---- columns ------------------------------------------------------------------------------ */

/* Scratch of the columns of a sheaf for each member, and of links for each group. */
static rct_status make_scratch(rct_run *run, const rct_row_columns *columns, rct_error *error)
{
    const rct_sheaves *s = &run->packing->lanes.sheaves;
    const int64_t lanes = run->packing->lanes.lanes, members = rct_team_members(run->team);
    const int64_t links = rct_sheaves_scratch(s), room = rct_columns_scratch(&columns->columns);
    const int64_t size = (links > room ? links : room) * lanes;
    const int64_t all = rct_sheaves_scratch_at(s, s->groups) * lanes;
    double *scratch = rct_allocate(members * size, sizeof *scratch, "the scratch", error);
    double *own = rct_allocate(all, sizeof *own, "the scratch", error);
    if (scratch == NULL || own == NULL) {
        rct_release(scratch);
        rct_release(own);
        return RCT_ERROR_MEMORY;
    }
    rct_release(run->scratch);
    rct_release(run->group_scratch);
    run->scratch = scratch;
    run->scratch_size = size;
    run->group_scratch = own;
    run->group_scratch_size = all;
    return RCT_OK;
}

static rct_status lay_columns(rct_run *run, const rct_column_end *ends, int64_t count, int32_t rows,
                              rct_row_columns **columns, rct_error *error)
{
    rct_row_columns *fresh = NULL;
    rct_status status = RCT_OK;
    if (has_whole_trees(run)) {
        status = rct_row_columns_create(run->packing, ends, count, rows, &fresh, error);
    }
    if (fresh != NULL) {
        status = make_scratch(run, fresh, error);
    }
    if (status != RCT_OK) {
        rct_row_columns_free(fresh);
        return status;
    }
    rct_row_columns_free(run->columns);
    *columns = run->columns = fresh;
    run->condensed = run->moved = 0;
    return RCT_OK;
}

static int pose_columns(rct_run *run, const rct_pose_of_link *ground)
{
    const rct_rows *rows = &run->packing->lanes;
    const int64_t lanes = rows->lanes, fields = sizeof *ground / sizeof(double);
    phase_job job = {.run = run, .stage = STAGE_NONE};
    double *last = run->columns->columns.poses + rows->rows * fields * lanes;
    if (run->moved != 0) {
        return 0;
    }
    for (int64_t f = 0; f < fields; f++) {
        for (int64_t l = 0; l < lanes; l++) {
            last[f * lanes + l] = ((const double *)ground)[f];
        }
    }
    phase(&job, POSE, 0, rows->sheaves.bushes);
    run->moved = RCT_FRAMED;
    return 1;
}

static rct_sweep_result condense_columns(rct_run *run)
{
    phase_job job = {.run = run, .stage = STAGE_NONE};
    const rct_sweep_result fault = phase(&job, COLUMNS, 0, run->packing->lanes.sheaves.bushes);
    run->condensed = fault.end == SWEEP_DONE ? RCT_CONDENSED : 0;
    return rct_cpu_judge(run, fault);
}

static rct_sweep_result sway_columns(rct_run *run)
{
    phase_job job = {.run = run, .stage = STAGE_NONE, .alone = 1};
    run->condensed = 0;
    return rct_cpu_judge(run, phase(&job, ANSWER, 0, run->packing->lanes.sheaves.bushes));
}

static void take_columns(rct_run *run)
{
    phase(&(phase_job){.run = run}, TAKE, 0, run->packing->lanes.sheaves.bushes);
}

const rct_column_operations rct_cpu_columns = {
    .lay = lay_columns,
    .pose = pose_columns,
    .condense = condense_columns,
    .sway = sway_columns,
    .take = take_columns,
};
