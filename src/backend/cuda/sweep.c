/* One evaluation on the device: a few launches (kernels/cuda/system.h), with or without a trunk on
 * the host between them; and whole steps, recorded as graphs. */
#include "backend/cuda/run.h"

#include <string.h>

static rct_sweep_result lost(void)
{
    return (rct_sweep_result){SWEEP_LOST, -1};
}

static cudaStream_t stream_of(const rct_run *run)
{
    return run->lease.stream;
}

/* ---- the trunk's records ------------------------------------------------------------------ */

int rct_cuda_fetch(rct_run *run, int field, int count)
{
    const rct_device *d = &run->device;
    const int64_t at = (int64_t)field * d->hung_count;
    return d->hung_count == 0 ||
           (rct_cuda_good(&run->lease, rct_launch_pack(d, field, count, 0, stream_of(run)),
                          "gathering the trunk") &&
            rct_cuda_send(&run->lease, run->trunk.shown.paths + at, d->hung_records + at,
                          (int64_t)count * d->hung_count, cudaMemcpyDeviceToHost));
}

/* Sends them back. */
static int give(rct_run *run, int field, int count)
{
    const rct_device *d = &run->device;
    const int64_t at = (int64_t)field * d->hung_count;
    return d->hung_count == 0 ||
           (rct_cuda_send(&run->lease, d->hung_records + at, run->trunk.shown.paths + at,
                          (int64_t)count * d->hung_count, cudaMemcpyHostToDevice) &&
            rct_cuda_good(&run->lease, rct_launch_pack(d, field, count, 1, stream_of(run)),
                          "scattering the trunk"));
}

/* A fault of the trunk on the host, by node. */
static void note(const rct_run *run, rct_device_labels *labels, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        int32_t *least = result.end == SWEEP_SINGULAR ? &labels->singular : &labels->not_finite;
        const int32_t label = run->trunk.node_label[result.link];
        *least = label < *least ? label : *least;
    }
}

/* ---- frames ------------------------------------------------------------------------------- */

static rct_group_range hanging(const rct_run *run)
{
    return (rct_group_range){0, run->device.lanes.hanging};
}

static rct_group_range wide_segments(const rct_run *run)
{
    return (rct_group_range){run->device.lanes.narrow_end, run->device.lanes.groups};
}

static int is_empty(rct_group_range groups)
{
    return groups.first >= groups.end;
}

/* One kind of work on the chains of every level; composing begins with the outermost. */
static int on_chains(rct_run *run, rct_chain_work work, const char *doing)
{
    const rct_cuda_chains *chains = &run->chains;
    const int composing = work == COMPOSE_FRAMES || work == COMPOSE_SPANS;
    int good = 1;
    for (int32_t k = 0; k < chains->levels && good; k++) {
        const int32_t level = composing ? k : chains->levels - 1 - k;
        const rct_chain_range range = {chains->first[level], chains->first[level + 1]};
        good = rct_cuda_good(&run->lease,
                             rct_launch_chains(&run->device, work, range, stream_of(run)), doing);
    }
    return good;
}

/* How the nodes of a trunk on the host turn, for narrow paths. */
static int give_turns(rct_run *run)
{
    const rct_trunk *t = &run->trunk.shown;
    for (int64_t k = 0; k < t->slots; k++) {
        memcpy(run->trunk.turns + k * STATE_FIELDS, t->work + k * TRUNK_FIELDS + TRUNK_TURN,
               STATE_FIELDS * sizeof(double));
    }
    return rct_cuda_send(&run->lease, run->trunk.device_turns, run->trunk.turns,
                         (int64_t)t->slots * STATE_FIELDS, cudaMemcpyHostToDevice);
}

/* Frames of the trunk on the host: fetches what it needs, and gives frames to what needs them. */
static int guide_host(rct_run *run)
{
    const int runs = run->runs.shown.count > 0, chains = !is_empty(wide_segments(run));
    if ((runs && !rct_cuda_good(&run->lease, rct_launch_show_ends(&run->device, stream_of(run)),
                                "showing ends")) ||
        (runs && !rct_cuda_fetch(run, PATH_FRAME, STATE_FIELDS)) ||
        (chains && !rct_cuda_fetch(run, PATH_PRODUCT, PATH_REACH - PATH_PRODUCT)) ||
        !rct_cuda_wait(&run->lease, "computing")) {
        return 0;
    }
    run->serial->guide(&run->packing->links.sheaves, &run->trunk.shown);
    return give(run, PATH_FRAME, PATH_ABOVE - PATH_FRAME) &&
           (!runs || !run->device.lanes.moments || give(run, PATH_END_MOMENT, 3)) &&
           give_turns(run);
}

static int guide_trunk(rct_run *run)
{
    return run->junction == NULL
               ? guide_host(run)
               : rct_cuda_good(&run->lease, run->junction->guide(&run->device, stream_of(run)),
                               "moving frames outward");
}

static int guide(rct_run *run, rct_group_range groups)
{
    return is_empty(groups) ||
           rct_cuda_good(&run->lease, rct_launch_guide(&run->device, groups, stream_of(run)),
                         "moving frames outward");
}

/* Frames of the trunk, of segments that leave some and of the bushes that hang on either. */
static int find_frames(rct_run *run)
{
    const rct_device *d = &run->device;
    const rct_group_range segments = {run->leaves ? d->lanes.bushes : d->lanes.narrow_end,
                                      d->lanes.groups};
    const int64_t rows = run->packing->lanes.rows;
    if (d->lanes.exerted != NULL && rows > 0 &&
        !rct_cuda_good(&run->lease, rct_launch_exert(d, rows, stream_of(run)),
                       "finding forces at hinges")) {
        return 0;
    }
    if (!is_empty(wide_segments(run)) &&
        !(rct_cuda_good(&run->lease, rct_launch_compose(d, stream_of(run)), "composing frames") &&
          on_chains(run, COMPOSE_FRAMES, "composing frames"))) {
        return 0;
    }
    return (!run->guide || guide_trunk(run)) &&
           on_chains(run, OPEN_FRAMES, "moving frames outward") && guide(run, segments) &&
           (!run->frames || guide(run, hanging(run))) &&
           (d->runs.pieces == 0 || !d->lanes.moments ||
            rct_cuda_good(&run->lease, rct_launch_moments(d, stream_of(run)), "finding moments"));
}

/* ---- phases ------------------------------------------------------------------------------- */

static int condense(rct_run *run)
{
    const rct_device *d = &run->device;
    return (is_empty(hanging(run)) ||
            rct_cuda_good(&run->lease, run->bushes->condense(d, hanging(run), stream_of(run)),
                          "condensing bushes")) &&
           (is_empty(wide_segments(run)) ||
            rct_cuda_good(&run->lease,
                          run->segments->condense(d, wide_segments(run), stream_of(run)),
                          "condensing segments")) &&
           on_chains(run, COMPOSE_SPANS, "composing spans") &&
           (d->runs.pieces == 0 ||
            rct_cuda_good(&run->lease, run->kernels->pieces->condense(d, run->bare, stream_of(run)),
                          "condensing pieces"));
}

/* What hangs on a trunk on the host; leaves the host with its records. */
static int condense_to_host(rct_run *run)
{
    return find_frames(run) && condense(run) &&
           (run->runs.shown.pieces == 0 ||
            rct_cuda_good(&run->lease, rct_launch_join(&run->device, stream_of(run)),
                          "composing spans")) &&
           rct_cuda_fetch(run, PATH_SHARE, PATH_BEYOND - PATH_SHARE) && rct_cuda_see_fault(run);
}

/* The trunk on the host inward and outward, after what hangs on it, unless that is known. Sets stop
 * in the run's fault if there was a fault inward; the trunk's fault outward goes to `faults`. 0:
 * the device failed. */
static int solve_host(rct_run *run, int stage, double dt, rct_device_labels *faults)
{
    const rct_sheaves *rows = &run->packing->links.sheaves;
    const rct_trunk *trunk = &run->trunk.shown;
    if (run->condensed != 0) { /* what acts on the links of the trunk may have changed */
        run->serial->guide(rows, trunk);
    } else if (!condense_to_host(run)) {
        return 0;
    }
    if (rct_cuda_fault_of(&run->fault->inward).end == SWEEP_DONE) {
        note(run, &run->fault->inward, run->serial->inward(rows, trunk));
    }
    run->fault->stop = rct_cuda_fault_of(&run->fault->inward).end != SWEEP_DONE;
    if (run->fault->stop) {
        run->fault->stage = stage;
    } else {
        note(run, faults, run->serial->outward(rows, trunk, 0, stage, dt));
    }
    return 1;
}

/* Sends what the trunk on the host has reached to what hangs on it. */
static int reach(rct_run *run)
{
    return give(run, PATH_ABOVE, PATH_SHARE - PATH_ABOVE) &&
           give(run, PATH_BEYOND, PATH_END_MOMENT - PATH_BEYOND) &&
           (run->runs.shown.pieces == 0 ||
            rct_cuda_good(&run->lease, rct_launch_part(&run->device, stream_of(run)),
                          "opening spans"));
}

static int accelerate(rct_run *run, int stage, double dt)
{
    const rct_device *d = &run->device;
    const rct_group_range bushes = {0, d->lanes.bushes}, wide = wide_segments(run);
    const int last_wide = is_empty(bushes), last_pieces = last_wide && is_empty(wide);
    return on_chains(run, OPEN_SPANS, "opening spans") &&
           (d->runs.pieces == 0 ||
            rct_cuda_good(&run->lease,
                          run->kernels->pieces->accelerate(d, run->bare, last_pieces, stage, dt,
                                                           stream_of(run)),
                          "sweeping pieces")) &&
           (is_empty(wide) ||
            rct_cuda_good(&run->lease,
                          run->segments->accelerate(d, wide, last_wide, stage, dt, stream_of(run)),
                          "sweeping segments")) &&
           (is_empty(bushes) ||
            rct_cuda_good(&run->lease,
                          run->bushes->accelerate(d, bushes, 1, stage, dt, stream_of(run)),
                          "sweeping bushes"));
}

/* The upper levels and the trunk on the device, unless blocks that sweep pieces do all of it. */
static int solve(rct_run *run, int stage, double dt)
{
    const rct_device *d = &run->device;
    if (run->junction != NULL) {
        return rct_cuda_good(
            &run->lease, run->junction->solve(d, d->lanes.groups == 0, stage, dt, stream_of(run)),
            "solving the junction");
    }
    return !run->alone || d->runs.by_block ||
           rct_cuda_good(&run->lease, rct_launch_alone(d, stage, stream_of(run)),
                         "composing spans");
}

/* All launches of an evaluation that never leaves the device. */
static int launch(void *context, int stage, double dt)
{
    rct_run *run = context;
    return find_frames(run) && condense(run) && solve(run, stage, dt) && accelerate(run, stage, dt);
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The device forgets what it has condensed as it continues. */
static int sweep_by_host(rct_run *run, int stage, double dt)
{
    rct_device_labels faults = rct_cuda_no_fault.outward;
    const int reached = run->condensed == RCT_CUDA_REACHED && stage == STAGE_NONE;
    if (run->condensed == RCT_CUDA_SETTLED) {
        note(run, &faults,
             run->serial->outward(&run->packing->links.sheaves, &run->trunk.shown, 1, stage, dt));
    } else if (!reached && !solve_host(run, stage, dt, &faults)) {
        return 0;
    }
    run->condensed = 0;
    if (run->fault->stop) {
        return 1;
    }
    if (!reach(run) || !accelerate(run, stage, dt) || !rct_cuda_see_fault(run)) {
        return 0;
    }
    rct_device_labels *met = &run->fault->outward;
    met->singular = smaller(met->singular, faults.singular);
    met->not_finite = smaller(met->not_finite, faults.not_finite);
    return 1;
}

static int is_ready(rct_run *run)
{
    return run->lease.trouble[0] == '\0' && rct_cuda_here(&run->lease);
}

static int begin(rct_run *run)
{
    return is_ready(run) && rct_cuda_forget_fault(run) && rct_cuda_leave_ground(run);
}

/* 0: the device failed. */
static int sweep(rct_run *run, int stage, double dt)
{
    if (!begin(run)) {
        return 0;
    }
    return rct_cuda_is_resident(run) ? launch(run, stage, dt) && rct_cuda_see_fault(run)
                                     : sweep_by_host(run, stage, dt);
}

rct_sweep_result rct_cuda_evaluate(rct_run *run)
{
    return sweep(run, STAGE_NONE, 0.0) ? rct_cuda_verdict(run, 0) : lost();
}

rct_sweep_result rct_cuda_condense(rct_run *run)
{
    if (!begin(run) || !solve_host(run, STAGE_NONE, 0.0, &run->fault->outward)) {
        return lost();
    }
    const rct_sweep_result result = rct_cuda_verdict(run, 0);
    run->condensed = result.end == SWEEP_DONE ? RCT_CUDA_REACHED : 0;
    return result;
}

rct_sweep_result rct_cuda_rk4_stage(rct_run *run, int stage, double dt)
{
    if (!sweep(run, stage, dt)) {
        return lost();
    }
    run->fault->stage = stage;
    return rct_cuda_verdict(run, 1);
}

/* ---- whole steps -------------------------------------------------------------------------- */

/* Steps between two looks: a step that fails wastes at most the steps launched after it. */
enum { STEPS_A_LOOK = 64 };

/* The graph of a step of length dt, for the present ground. */
static int prepare(rct_run *run, double dt)
{
    const rct_ground *ground = &run->device.lanes.ground;
    if (run->step.graph != NULL && run->step.dt == dt &&
        memcmp(&run->step_ground, ground, sizeof *ground) == 0) {
        return 1;
    }
    run->step_ground = *ground;
    return rct_cuda_record_step(&run->step, &run->lease, launch, run, dt);
}

static int look_at(rct_run *run, int64_t steps)
{
    int good = rct_cuda_forget_fault(run);
    for (int64_t k = 0; k < steps && good; k++) {
        good = rct_cuda_good(&run->lease, cudaGraphLaunch(run->step.graph, run->lease.stream),
                             "launching a step");
    }
    return good && rct_cuda_see_fault(run);
}

/* Steps, one stage at a time. */
static rct_sweep_result by_stages(rct_run *run, double dt, int64_t steps, int64_t *done)
{
    rct_sweep_result result = {SWEEP_DONE, -1};
    while (*done < steps && result.end == SWEEP_DONE) {
        for (int stage = 0; stage < 4 && result.end == SWEEP_DONE; stage++) {
            result = rct_cuda_rk4_stage(run, stage, dt);
        }
        *done += result.end == SWEEP_DONE;
    }
    return result;
}

rct_sweep_result rct_cuda_rk4_steps(rct_run *run, double dt, int64_t steps, int64_t *done)
{
    rct_sweep_result result = {SWEEP_DONE, -1};
    *done = 0;
    if (run->plan->links.count == 0) {
        *done = steps; /* nothing else would count them */
    }
    if (!rct_cuda_is_resident(run)) {
        return by_stages(run, dt, steps, done);
    }
    while (*done < steps && result.end == SWEEP_DONE) {
        const int64_t left = steps - *done;
        if (!is_ready(run) || !prepare(run, dt) || !rct_cuda_leave_ground(run) ||
            !look_at(run, left < STEPS_A_LOOK ? left : STEPS_A_LOOK)) {
            return lost();
        }
        *done += run->fault->steps;
        result = rct_cuda_verdict(run, 1);
    }
    return result;
}
