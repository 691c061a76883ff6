/* One evaluation on the device: a handful of launches (kernels/cuda/mixed.h), with the trunk on the
 * host between them if there is one. */
#include "backend/cuda/mixed.h"

#include "backend/mixed_holding.h"

#include <string.h>

const rct_device_fault rct_cuda_no_fault = {.inward = {NO_LABEL, NO_LABEL},
                                            .outward = {NO_LABEL, NO_LABEL}};

static rct_sweep_result lost(void)
{
    return (rct_sweep_result){SWEEP_LOST, -1};
}

rct_sweep_result rct_cuda_fault_of(const rct_device_labels *labels)
{
    if (labels->singular != NO_LABEL) {
        return (rct_sweep_result){SWEEP_SINGULAR, labels->singular};
    }
    if (labels->not_finite != NO_LABEL) {
        return (rct_sweep_result){SWEEP_NOT_FINITE, labels->not_finite};
    }
    return (rct_sweep_result){SWEEP_DONE, -1};
}

/* ---- the trunk's records ------------------------------------------------------------------ */

/* Fields [field, field + count) of the records on the trunk to the host. */
static int fetch(rct_run *run, int field, int count)
{
    const rct_mixed_device *d = &run->device;
    const int64_t at = (int64_t)field * d->hung_count;
    return rct_cuda_good(&run->lease, rct_mixed_launch_pack(d, field, count, 0, run->lease.stream),
                         "gathering the trunk") &&
           rct_cuda_mixed_send(run, run->trunk.paths + at, d->hung_records + at,
                               (int64_t)count * d->hung_count, cudaMemcpyDeviceToHost);
}

/* And back. */
static int give(rct_run *run, int field, int count)
{
    const rct_mixed_device *d = &run->device;
    const int64_t at = (int64_t)field * d->hung_count;
    return rct_cuda_mixed_send(run, d->hung_records + at, run->trunk.paths + at,
                               (int64_t)count * d->hung_count, cudaMemcpyHostToDevice) &&
           rct_cuda_good(&run->lease, rct_mixed_launch_pack(d, field, count, 1, run->lease.stream),
                         "scattering the trunk");
}

static int see_fault(rct_run *run)
{
    return rct_cuda_good(&run->lease,
                         cudaMemcpyAsync(run->fault, run->device.fault, sizeof *run->fault,
                                         cudaMemcpyDeviceToHost, run->lease.stream),
                         "copying from it") &&
           rct_cuda_good(&run->lease, cudaStreamSynchronize(run->lease.stream), "computing");
}

static int forget_fault(rct_run *run)
{
    *run->fault = rct_cuda_no_fault;
    return rct_cuda_good(&run->lease,
                         cudaMemcpyAsync(run->device.fault, run->fault, sizeof *run->fault,
                                         cudaMemcpyHostToDevice, run->lease.stream),
                         "copying to it");
}

/* A fault of the trunk, by node. */
static void note(const rct_run *run, rct_device_labels *labels, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        int32_t *least = result.end == SWEEP_SINGULAR ? &labels->singular : &labels->not_finite;
        const int32_t label = run->node_label[result.link];
        *least = label < *least ? label : *least;
    }
}

/* ---- phases ------------------------------------------------------------------------------- */

static rct_group_range segments_of(const rct_run *run)
{
    return (rct_group_range){run->device.lanes.bushes, run->device.lanes.groups};
}

/* One work on the chains of every level, outermost composed first. */
static int on_spans(rct_run *run, rct_span_work work, const char *doing)
{
    const rct_mixed_spans *spans = &run->spans;
    const int composing = work == COMPOSE_FRAMES || work == COMPOSE_SPANS;
    int good = 1;
    for (int32_t k = 0; k < spans->levels && good; k++) {
        const int32_t level = composing ? k : spans->levels - 1 - k;
        const rct_chain_range range = {spans->first[level], spans->first[level + 1]};
        good = rct_cuda_good(&run->lease,
                             rct_mixed_launch_spans(&run->device, work, range, run->lease.stream),
                             doing);
    }
    return good;
}

static int guide(rct_run *run, rct_group_range groups)
{
    return groups.first >= groups.end ||
           rct_cuda_good(&run->lease,
                         rct_mixed_launch_guide(&run->device, groups, run->lease.stream),
                         "moving frames outward");
}

/* Frames of the trunk, of segments and of the bushes that hang on either. */
static int find_frames(rct_run *run)
{
    const rct_mixed_device *d = &run->device;
    const rct_group_range hanging = {0, d->lanes.hanging}, segments = segments_of(run);
    if (run->trunk.count > 0) {
        if ((segments.first < segments.end &&
             !rct_cuda_good(&run->lease, rct_mixed_launch_compose(d, run->lease.stream),
                            "composing frames")) ||
            !on_spans(run, COMPOSE_FRAMES, "composing frames") ||
            (d->hung_count > 0 && !fetch(run, PATH_PRODUCT, PATH_OPEN_FIELDS - PATH_PRODUCT)) ||
            !rct_cuda_good(&run->lease, cudaStreamSynchronize(run->lease.stream), "computing")) {
            return 0;
        }
        rct_mixed_trunk_abi.guide(&run->packing->links.sheaves, &run->trunk);
        if ((d->hung_count > 0 && !give(run, PATH_FRAME, PATH_ABOVE - PATH_FRAME)) ||
            !on_spans(run, OPEN_FRAMES, "moving frames outward")) {
            return 0;
        }
    }
    return guide(run, segments) && guide(run, hanging);
}

static int condense(rct_run *run)
{
    const rct_mixed_device *d = &run->device;
    const rct_group_range hanging = {0, d->lanes.hanging}, segments = segments_of(run);
    return (hanging.first >= hanging.end ||
            rct_cuda_good(&run->lease, run->launches->condense(d, hanging, run->lease.stream),
                          "condensing bushes")) &&
           (segments.first >= segments.end ||
            rct_cuda_good(&run->lease, run->launches->condense(d, segments, run->lease.stream),
                          "condensing segments")) &&
           on_spans(run, COMPOSE_SPANS, "composing spans");
}

/* The trunk inward and outward; stop in the run's fault if it met one inward, its faults outward in `faults`. 0: the
 * device failed. */
static int solve_trunk(rct_run *run, int stage, double dt, rct_device_labels *faults)
{
    const rct_mixed_sheaves *rows = &run->packing->links.sheaves;
    const int hung = run->device.hung_count > 0;
    if ((hung && !fetch(run, PATH_SHARE, PATH_BEYOND - PATH_SHARE)) || !see_fault(run)) {
        return 0;
    }
    if (rct_cuda_fault_of(&run->fault->inward).end == SWEEP_DONE) {
        note(run, &run->fault->inward, rct_mixed_trunk_abi.inward(rows, &run->trunk));
    }
    if (rct_cuda_fault_of(&run->fault->inward).end != SWEEP_DONE) {
        run->fault->stop = 1;
        run->fault->stage = stage;
        return 1;
    }
    note(run, faults, rct_mixed_trunk_abi.outward(rows, &run->trunk, stage, dt));
    return (!hung || (give(run, PATH_ABOVE, PATH_SHARE - PATH_ABOVE) &&
                      give(run, PATH_BEYOND, PATH_STAND_IN - PATH_BEYOND))) &&
           on_spans(run, OPEN_SPANS, "opening spans");
}

static int accelerate(rct_run *run, int stage, double dt)
{
    const rct_mixed_device *d = &run->device;
    const rct_group_range bushes = {0, d->lanes.bushes}, segments = segments_of(run);
    return (segments.first >= segments.end ||
            rct_cuda_good(&run->lease,
                          run->launches->accelerate(d, segments, bushes.end == 0, stage, dt,
                                                    run->lease.stream),
                          "sweeping segments")) &&
           (bushes.end == 0 ||
            rct_cuda_good(&run->lease,
                          run->launches->accelerate(d, bushes, 1, stage, dt, run->lease.stream),
                          "sweeping bushes"));
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* 0: the device failed. */
static int sweep(rct_run *run, int stage, double dt)
{
    rct_device_labels faults = rct_cuda_no_fault.outward;
    if (run->lease.trouble[0] != '\0' || !rct_cuda_here(&run->lease) || !forget_fault(run) ||
        !rct_cuda_mixed_leave_ground(run) || !find_frames(run) || !condense(run)) {
        return 0;
    }
    if (run->trunk.count > 0 && !solve_trunk(run, stage, dt, &faults)) {
        return 0;
    }
    if (run->fault->stop) {
        return 1;
    }
    if (!accelerate(run, stage, dt) || !see_fault(run)) {
        return 0;
    }
    rct_device_labels *met = &run->fault->outward;
    met->singular = smaller(met->singular, faults.singular);
    met->not_finite = smaller(met->not_finite, faults.not_finite);
    return 1;
}

/* ---- faults ------------------------------------------------------------------------------- */

/* The first link whose state, as gathered, is not finite, or -1. */
static int32_t first_not_finite(const rct_run *run)
{
    for (int32_t l = 0; l < run->plan->links.count; l++) {
        if (!rct_mixed_is_finite(run->plan, l, run->gathered + run->plan->state_at[l])) {
            return l;
        }
    }
    return -1;
}

/* What the serial sweep of the cpu finds wrong with the state as gathered. */
static rct_sweep_result by_serial_sweep(const rct_run *run, rct_sweep_result met)
{
    const rct_backend *cpu = &rct_backend_cpu;
    const rct_solver_options serial = {.method = RCT_METHOD_ABI, .threads = 1, .lanes = 1};
    rct_run *other = cpu->create(run->plan, &serial, run->loads != NULL, NULL);
    if (other == NULL) {
        return met; /* without memory the device's word has to do */
    }
    cpu->write_state(other, run->gathered);
    cpu->set_ground(other, &run->device.lanes.ground);
    for (int32_t l = 0; l < run->plan->links.count && run->loads != NULL; l++) {
        cpu->write_loads(other, &l, 1, run->loads);
    }
    const rct_sweep_result found = cpu->evaluate(other);
    cpu->destroy(other);
    return found.end != SWEEP_DONE ? found : met;
}

/* A vanishing pivot in the present states: the device has noticed it somewhere, the serial sweep says where it is, if
 * it is in these. In states that are no longer finite the first of those is the fault. */
static rct_sweep_result judge(rct_run *run, rct_sweep_result met)
{
    rct_cuda_mixed_read_state(run, run->gathered);
    if (run->lease.trouble[0] != '\0') {
        return lost();
    }
    const int32_t first = first_not_finite(run);
    return first >= 0 ? (rct_sweep_result){SWEEP_NOT_FINITE, first} : by_serial_sweep(run, met);
}

static void take_back(rct_run *run)
{
    const rct_mixed_rows *lanes = &run->packing->lanes, *links = &run->packing->links;
    memcpy(links->sheaves.state, links->sheaves.base,
           (size_t)links->state_at[links->rows] * sizeof(double));
    if (rct_cuda_mixed_send(run, run->device.lanes.state, run->device.lanes.base,
                            lanes->state_at[lanes->rows] * WARP, cudaMemcpyDeviceToDevice)) {
        rct_cuda_good(&run->lease, cudaStreamSynchronize(run->lease.stream), "taking a step back");
    }
}

/* Met inward, the states at fault are still there. Met outward they are only if the stage was the first, whose states
 * are taken back to. */
static rct_sweep_result verdict(rct_run *run, int in_step)
{
    const rct_sweep_result outward = rct_cuda_fault_of(&run->fault->outward);
    const int advanced = in_step && outward.end != SWEEP_DONE;
    rct_sweep_result result =
        outward.end != SWEEP_DONE ? outward : rct_cuda_fault_of(&run->fault->inward);
    if (result.end == SWEEP_SINGULAR && !advanced) {
        result = judge(run, result);
    }
    if (result.end != SWEEP_DONE && in_step && (advanced || run->fault->stage > 0)) {
        take_back(run);
    }
    if (result.end == SWEEP_SINGULAR && advanced && run->fault->stage == 0) {
        result = judge(run, result);
    }
    return run->lease.trouble[0] == '\0' ? result : lost();
}

rct_sweep_result rct_cuda_mixed_evaluate(rct_run *run)
{
    return sweep(run, STAGE_NONE, 0.0) ? verdict(run, 0) : lost();
}

rct_sweep_result rct_cuda_mixed_rk4_stage(rct_run *run, int stage, double dt)
{
    if (!sweep(run, stage, dt)) {
        return lost();
    }
    run->fault->stage = stage;
    return verdict(run, 1);
}

/* ---- whole steps -------------------------------------------------------------------------- */

/* Steps between two looks. */
enum { STEPS_A_LOOK = 64 };

static int launch(void *run, int stage, double dt)
{
    return accelerate((rct_run *)run, stage, dt);
}

/* The graph of a step of length dt on the ground as it is. */
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
    int good = forget_fault(run);
    for (int64_t k = 0; k < steps && good; k++) {
        good = rct_cuda_good(&run->lease, cudaGraphLaunch(run->step.graph, run->lease.stream),
                             "launching a step");
    }
    return good && see_fault(run);
}

rct_sweep_result rct_cuda_mixed_rk4_steps(rct_run *run, double dt, int64_t steps, int64_t *done)
{
    rct_sweep_result result = {SWEEP_DONE, -1};
    *done = run->plan->links.count == 0 ? steps : 0; /* nobody would count them */
    while (*done < steps && result.end == SWEEP_DONE) {
        if (run->trunk.count > 0) {
            for (int stage = 0; stage < 4 && result.end == SWEEP_DONE; stage++) {
                result = rct_cuda_mixed_rk4_stage(run, stage, dt);
            }
            *done += result.end == SWEEP_DONE;
            continue;
        }
        const int64_t left = steps - *done;
        if (run->lease.trouble[0] != '\0' || !rct_cuda_here(&run->lease) || !prepare(run, dt) ||
            !rct_cuda_mixed_leave_ground(run) ||
            !look_at(run, left < STEPS_A_LOOK ? left : STEPS_A_LOOK)) {
            return lost();
        }
        *done += run->fault->steps;
        result = verdict(run, 1);
    }
    return result;
}
