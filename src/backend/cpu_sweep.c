/* One evaluation on the CPU: the five phases of topology/partition.h on one screen, each of the
 * parallel ones a job of the team. The method lies in the tables of kernels. */
#include "backend/cpu_run.h"

#include <stddef.h>
#include <string.h>

typedef struct evaluation {
    rct_run *run;
    int stage;
    double dt;
    const int32_t *begin; /* [members + 1] shares of the present phase */
} evaluation;

/* The next item for a member, -1 when none is left. Who does an item changes no result. */
static int32_t claim(const evaluation *e, int32_t member, int32_t members)
{
    for (int32_t k = 0; k < members; k++) {
        const int32_t m = (member + k) % members;
        rct_cursor *cursor = &e->run->cursors[m];
        if (atomic_load_explicit(&cursor->next, memory_order_relaxed) < e->begin[m + 1]) {
            const int item = atomic_fetch_add_explicit(&cursor->next, 1, memory_order_relaxed);
            if (item < e->begin[m + 1]) {
                return item;
            }
        }
    }
    return -1;
}

/* Keep the fault with the smallest label, but a vanishing pivot before what came of it: the same whatever
 * the number of members. */
static void note(rct_sweep_result *fault, rct_sweep_end end, int32_t label)
{
    const int first = fault->end == SWEEP_DONE;
    const int cause = end == SWEEP_SINGULAR && fault->end == SWEEP_NOT_FINITE;
    if (first || cause || (end == fault->end && label < fault->link)) {
        *fault = (rct_sweep_result){end, label};
    }
}

static void note_node(const rct_run *run, rct_sweep_result *fault, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        note(fault, result.end, run->partition->label[result.link]);
    }
}

static void note_tile(const rct_run *run, rct_sweep_result *fault, int32_t tile,
                      rct_tile_result result)
{
    const int32_t lanes = result.end != SWEEP_DONE ? run->packing->lanes : 0;
    for (int32_t lane = 0; lane < lanes; lane++) {
        const int32_t s = run->packing->lane_segment[(int64_t)tile * lanes + lane];
        if (s >= 0 && result.step[lane] >= 0) { /* neutral links have no faults */
            note(fault, result.end, run->partition->segments[s].first + result.step[lane]);
        }
    }
}

static void note_bush(rct_sweep_result *fault, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        note(fault, result.end, result.link);
    }
}

static double *bush_scratch(const rct_run *run, int32_t member)
{
    return run->bush_scratch + member * rct_cpu_bush_scratch(run);
}

/* P1: tasks to their handles. Nobody waits for those of tasks on the ground. */
static void condense_bushes(void *context, int32_t member, int32_t members)
{
    const evaluation *e = context;
    rct_run *run = e->run;
    int32_t b;
    while ((b = claim(e, member, members)) >= 0) {
        note_bush(&run->faults[member],
                  run->bushes->condense(&run->planted->bushes, b, bush_scratch(run, member)));
    }
}

static double *side_record(const rct_run *run, int32_t task)
{
    const int64_t at = run->packing->task_slot[task];
    const int32_t lanes = run->packing->lanes;
    return run->packing->tiles.side + at / lanes * SIDE_FIELDS * lanes + at % lanes;
}

static double *tile_scratch(const rct_run *run, int32_t member)
{
    return run->tile_scratch + member * rct_cpu_tile_scratch(run);
}

static double *end_of(const rct_run *run, int32_t segment)
{
    return run->packing->tiles.ends + rct_packing_tile_address(run->packing, segment, END_FIELDS);
}

/* Stand-ins, at rest, on the ends of a tile: swept outward it passes the pivots of P2. */
static void close_by_stand_ins(const rct_run *run, int32_t tile)
{
    const int32_t lanes = run->packing->lanes;
    const double *mu = run->packing->tiles.stand_in + (int64_t)tile * lanes;
    double *end = run->packing->tiles.ends + (int64_t)tile * END_FIELDS * lanes;
    memset(end, 0, (size_t)(END_FIELDS * lanes) * sizeof *end);
    for (int32_t i = 0; i < 3 * lanes; i++) {
        end[END_HANDLE * lanes + i] = mu[i % lanes];
    }
}

/* The faults of all lanes of a tile that stopped at those of some: which lanes share a tile must not
 * matter. */
static rct_tile_result find_faults(rct_run *run, int32_t tile, rct_tile_result some,
                                   double *scratch)
{
    close_by_stand_ins(run, tile);
    const rct_tile_result all =
        run->lanes->accelerate(&run->packing->tiles, tile, STAGE_NONE, 0.0, scratch);
    for (int32_t lane = 0; lane < run->packing->lanes && all.end == SWEEP_SINGULAR; lane++) {
        some.step[lane] = some.step[lane] < 0 ? all.step[lane] : some.step[lane];
    }
    return some;
}

/* P2: segments to their two handles, with what hangs beside them. */
static void condense_tiles(void *context, int32_t member, int32_t members)
{
    const evaluation *e = context;
    rct_run *run = e->run;
    int32_t t;
    while ((t = claim(e, member, members)) >= 0) {
        const double *before = NULL;
        for (int32_t k = run->side_begin[t]; k < run->side_begin[t + 1]; k++) {
            const int32_t task = run->side_task[k];
            double *side = side_record(run, task);
            rct_serial_add_side(run->serial, run->work, run->partition->tasks[task].node, side,
                                run->packing->lanes, side != before);
            before = side;
        }
        rct_tile_result result = run->lanes->condense(&run->packing->tiles, t);
        if (result.end != SWEEP_DONE) {
            result = find_faults(run, t, result, tile_scratch(run, member));
        }
        note_tile(run, &run->faults[member], t, result);
    }
}

static const double *span_of(const rct_run *run, int32_t segment)
{
    const rct_packing *packing = run->packing;
    return packing->tiles.handles + rct_packing_tile_address(packing, segment, SPAN_FIELDS);
}

/* The link at fault in the segment of node n, which could not be closed: inward with what hangs on it. */
static rct_sweep_result blame(rct_run *run, int32_t n)
{
    const int32_t s = run->partition->segment[n];
    const rct_segment *segment = &run->partition->segments[s];
    const int32_t tile = run->packing->tile_of[s], lanes = run->packing->lanes;
    const int32_t lane = (int32_t)(run->packing->at[s] % lanes), last = segment->length - 1;
    close_by_stand_ins(run, tile);
    run->serial->open_segment(&run->partition->reduced, run->work, n, span_of(run, s), lanes,
                              end_of(run, s));
    const rct_tile_result result =
        run->lanes->accelerate(&run->packing->tiles, tile, STAGE_NONE, 0.0, run->tile_scratch);
    const int32_t step = result.end == SWEEP_SINGULAR ? result.step[lane] : -1;
    return (rct_sweep_result){SWEEP_SINGULAR,
                              segment->first + (step >= 0 && step < last ? step : last)};
}

/* P3 inward: the rest of the reduced tree, outermost first. */
static rct_sweep_result trunk_inward(rct_run *run)
{
    const rct_partition *p = run->partition;
    rct_sweep_result fault = {SWEEP_DONE, -1};
    for (int32_t k = p->trunk_count - 1; k >= 0 && fault.end == SWEEP_DONE; k--) {
        const int32_t n = p->trunk[k].first;
        if (p->segment[n] >= 0) {
            if (!run->serial->close_segment(&p->reduced, run->work, n, span_of(run, p->segment[n]),
                                            run->packing->lanes)) {
                fault = blame(run, n);
            }
        } else {
            note_node(
                run, &fault,
                run->serial->inward(&p->reduced, run->state, run->work, n, p->trunk[k].count));
        }
    }
    return fault;
}

/* The acceleration node n hangs on, unless the segment inboard of it has left it there already. */
static void reach(rct_run *run, int32_t n)
{
    const rct_partition *p = run->partition;
    const int32_t up = p->reduced.parent[n];
    if (up < 0 || p->segment[up] < 0) {
        run->serial->reach(&p->reduced, run->state, run->work, n);
    }
}

/* P3 outward: accelerations of the trunk, ends of the segments. */
static rct_sweep_result trunk_outward(rct_run *run)
{
    const rct_partition *p = run->partition;
    rct_sweep_result fault = {SWEEP_DONE, -1};
    for (int32_t k = 0; k < p->trunk_count; k++) {
        const int32_t n = p->trunk[k].first;
        reach(run, n);
        if (p->segment[n] >= 0) {
            run->serial->open_segment(&p->reduced, run->work, n, span_of(run, p->segment[n]),
                                      run->packing->lanes, end_of(run, p->segment[n]));
        } else {
            note_node(
                run, &fault,
                run->serial->outward(&p->reduced, run->state, run->work, n, p->trunk[k].count));
        }
    }
    return fault;
}

/* P4: segments outward. */
static void accelerate_tiles(void *context, int32_t member, int32_t members)
{
    const evaluation *e = context;
    rct_run *run = e->run;
    const rct_tiles *tiles = &run->packing->tiles;
    double *scratch = tile_scratch(run, member);
    int32_t t;
    while ((t = claim(e, member, members)) >= 0) {
        note_tile(run, &run->faults[member], t,
                  run->lanes->accelerate(tiles, t, e->stage, e->dt, scratch));
        for (int32_t k = run->side_begin[t]; k < run->side_begin[t + 1]; k++) {
            const int32_t task = run->side_task[k];
            rct_serial_reach_side(run->serial, &run->partition->reduced, run->work,
                                  run->partition->tasks[task].node, side_record(run, task),
                                  run->packing->lanes);
        }
    }
}

static rct_sweep_result advance(rct_run *run, const evaluation *e, int32_t first, int32_t count)
{
    const int64_t at = (int64_t)first * STATE_FIELDS;
    rct_sweep_result result = {SWEEP_DONE, -1};
    if (e->stage != STAGE_NONE) {
        result = rct_serial_rk4_stage(
            e->stage, e->dt, count,
            run->work + (int64_t)first * run->serial->work_fields + run->serial->angular,
            run->serial->work_fields, run->base + at, run->sum + at, run->state + at);
        result.link += result.link >= 0 ? first : 0;
    }
    return result;
}

/* P5: tasks outward, reached from what they hang on. */
static void accelerate_bushes(void *context, int32_t member, int32_t members)
{
    const evaluation *e = context;
    rct_run *run = e->run;
    const rct_bushes *bushes = &run->planted->bushes;
    int32_t b;
    while ((b = claim(e, member, members)) >= 0) {
        for (int64_t k = bushes->first_root[b]; k < bushes->first_root[b + 1]; k++) {
            const rct_task *task = &run->partition->tasks[run->planted->task[k]];
            if (task->beside < 0) {
                reach(run, task->node);
            }
        }
        note_bush(&run->faults[member],
                  run->bushes->accelerate(bushes, b, e->stage, e->dt, bush_scratch(run, member)));
    }
}

/* Last, for tasks read the rates of the trunk links they hang on. */
static rct_sweep_result advance_trunk(rct_run *run, const evaluation *e)
{
    const rct_partition *p = run->partition;
    rct_sweep_result fault = {SWEEP_DONE, -1};
    for (int32_t k = 0; k < p->trunk_count; k++) {
        if (p->segment[p->trunk[k].first] < 0) {
            note_node(run, &fault, advance(run, e, p->trunk[k].first, p->trunk[k].count));
        }
    }
    return fault;
}

/* Run one phase over items shared out as `begin` says; the fault with the smallest label. */
static rct_sweep_result phase(evaluation *e, rct_job *job, const int32_t *begin)
{
    rct_run *run = e->run;
    const int32_t members = rct_team_members(run->team);
    rct_sweep_result fault = {SWEEP_DONE, -1};
    if (begin[members] > 0) {
        e->begin = begin;
        for (int32_t m = 0; m < members; m++) {
            run->faults[m] = fault;
            atomic_store_explicit(&run->cursors[m].next, begin[m], memory_order_relaxed);
        }
        rct_team_run(run->team, job, e);
        for (int32_t m = 0; m < members; m++) {
            if (run->faults[m].end != SWEEP_DONE) {
                note(&fault, run->faults[m].end, run->faults[m].link);
            }
        }
    }
    return fault;
}

rct_sweep_result rct_cpu_sweep(rct_run *run, int stage, double dt)
{
    evaluation e = {.run = run, .stage = stage, .dt = dt};
    run->advanced = 0;
    rct_sweep_result fault = phase(&e, condense_bushes, run->hang_begin);
    if (fault.end == SWEEP_DONE) {
        fault = phase(&e, condense_tiles, run->tile_begin);
    }
    if (fault.end == SWEEP_DONE) {
        fault = trunk_inward(run);
    }
    if (fault.end != SWEEP_DONE) {
        return fault;
    }
    /* from here on states advance: every phase runs, so that the base of the step is whole */
    run->advanced = 1;
    rct_sweep_result outward[4];
    outward[0] = trunk_outward(run);
    outward[1] = phase(&e, accelerate_tiles, run->tile_begin);
    outward[2] = phase(&e, accelerate_bushes, run->bush_begin);
    outward[3] = advance_trunk(run, &e);
    for (int i = 0; i < 4; i++) {
        if (outward[i].end != SWEEP_DONE) {
            note(&fault, outward[i].end, outward[i].link);
        }
    }
    return fault;
}
