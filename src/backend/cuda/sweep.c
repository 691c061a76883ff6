/* One evaluation on the device: a handful of launches (kernels/cuda/system.h), and with the trunk on the
 * host the spans of whole segments to it and their ends back. */
#include "backend/cuda/holding.h"
#include "backend/cuda/run.h"
#include "core/memory.h"

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

static int send(rct_run *run, void *to, const void *from, int64_t numbers, enum cudaMemcpyKind kind)
{
    return rct_cuda_good(
        &run->lease,
        cudaMemcpyAsync(to, from, (size_t)numbers * sizeof(double), kind, run->lease.stream),
        "copying to or from it");
}

int rct_cuda_see_fault(rct_run *run)
{
    return rct_cuda_good(&run->lease,
                         cudaMemcpyAsync(run->fault, run->device.fault, sizeof *run->fault,
                                         cudaMemcpyDeviceToHost, run->lease.stream),
                         "copying from it") &&
           rct_cuda_good(&run->lease, cudaStreamSynchronize(run->lease.stream), "computing");
}

int rct_cuda_forget_fault(rct_run *run)
{
    *run->fault = rct_cuda_no_fault;
    return rct_cuda_good(&run->lease,
                         cudaMemcpyAsync(run->device.fault, run->fault, sizeof *run->fault,
                                         cudaMemcpyHostToDevice, run->lease.stream),
                         "copying to it");
}

/* A fault of the trunk on the host, by node. */
static void note(const rct_run *run, rct_device_labels *labels, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        int32_t *least = result.end == SWEEP_SINGULAR ? &labels->singular : &labels->not_finite;
        const int32_t label = run->layout->whole->label[result.link];
        *least = label < *least ? label : *least;
    }
}

/* Rows of the work of tasks on the trunk, between the host's nodes and what is sent. */
static void copy_hung(rct_run *run, int out)
{
    const size_t fields = (size_t)run->serial->work_fields;
    for (int32_t k = 0; k < run->layout->hung_count; k++) {
        double *row = run->hung_rows + (size_t)k * fields;
        double *work = run->trunk.work + (size_t)run->layout->hung[k] * fields;
        memcpy(out ? row : work, out ? work : row, fields * sizeof *row);
    }
}

/* Outward on the host; the states of the trunk's links advance last. */
static void trunk_onward(rct_run *run, int stage, double dt, rct_device_labels *faults)
{
    note(run, faults, trunk_sweep_outward(&run->trunk, run->serial));
    for (int32_t k = 0; k < run->layout->hung_count; k++) {
        trunk_reach(&run->trunk, run->serial, run->layout->hung[k]);
    }
    for (int32_t k = 0; k < run->trunk.count && stage != STAGE_NONE; k++) {
        const rct_stretch *stretch = &run->trunk.stretches[k];
        const int links = run->trunk.segment[stretch->first] < 0;
        for (int32_t n = stretch->first; links && n < stretch->first + stretch->count; n++) {
            if (!trunk_advance(&run->trunk, run->serial, n, stage, dt)) {
                note(run, faults, (rct_sweep_result){SWEEP_NOT_FINITE, n});
            }
        }
    }
}

/* The junction on the host, between condense and accelerate: its faults outward, and stop in the run's
 * fault if it met one inward. 0: the device failed. */
static int junction(rct_run *run, int stage, double dt, rct_device_labels *faults)
{
    const int64_t segments = run->layout->whole->segment_count;
    const int64_t hung = (int64_t)run->layout->hung_count * run->serial->work_fields;
    const rct_device *d = &run->device;
    if (!rct_cuda_good(&run->lease, run->kernels->join(d, run->lease.stream), "composing spans") ||
        !send(run, run->trunk.spans, d->trunk.spans, segments * SPAN_FIELDS,
              cudaMemcpyDeviceToHost) ||
        !send(run, run->hung_rows, d->hung_rows, hung, cudaMemcpyDeviceToHost) ||
        !rct_cuda_see_fault(run)) {
        return 0;
    }
    copy_hung(run, 0);
    if (rct_cuda_fault_of(&run->fault->inward).end == SWEEP_DONE) {
        note(run, &run->fault->inward, trunk_sweep_inward(&run->trunk, run->serial));
    }
    if (rct_cuda_fault_of(&run->fault->inward).end != SWEEP_DONE) {
        run->fault->stop = 1;
        run->fault->stage = stage;
        return 1;
    }
    trunk_onward(run, stage, dt, faults);
    copy_hung(run, 1);
    return send(run, d->trunk.ends, run->trunk.ends, segments * END_FIELDS,
                cudaMemcpyHostToDevice) &&
           send(run, d->hung_rows, run->hung_rows, hung, cudaMemcpyHostToDevice) &&
           rct_cuda_good(&run->lease, run->kernels->part(d, run->lease.stream), "opening spans");
}

/* Inward, up to the junction. */
static int start(rct_run *run)
{
    const rct_device *d = &run->device;
    const rct_device_method *kernels = run->kernels;
    return (d->bushes.hanging == 0 ||
            rct_cuda_good(&run->lease, kernels->plant(d, run->lease.stream),
                          "condensing bushes")) &&
           (d->side_records == 0 ||
            rct_cuda_good(&run->lease, kernels->add_sides(d, run->lease.stream),
                          "adding side trees")) &&
           (d->blocks == 0 || rct_cuda_good(&run->lease, kernels->condense(d, run->lease.stream),
                                            "condensing pieces"));
}

/* Outward, from the junction on. */
static int finish(rct_run *run, int stage, double dt)
{
    const rct_device *d = &run->device;
    return (d->blocks == 0 ||
            rct_cuda_good(&run->lease, run->kernels->accelerate(d, stage, dt, run->lease.stream),
                          "sweeping pieces")) &&
           (d->bushes.count == 0 ||
            rct_cuda_good(&run->lease, run->kernels->harvest(d, stage, dt, run->lease.stream),
                          "sweeping bushes"));
}

int rct_cuda_launch(rct_run *run, int stage, double dt)
{
    return start(run) &&
           rct_cuda_good(&run->lease,
                         run->kernels->junction(&run->device, stage, dt, run->lease.stream),
                         "solving the junction") &&
           finish(run, stage, dt);
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* One evaluation with the trunk on the host. */
static int sweep_by_host(rct_run *run, int stage, double dt)
{
    rct_device_labels faults = rct_cuda_no_fault.outward;
    if (!start(run) || !junction(run, stage, dt, &faults)) {
        return 0;
    }
    if (run->fault->stop) {
        return 1;
    }
    if (!finish(run, stage, dt) || !rct_cuda_see_fault(run)) {
        return 0;
    }
    rct_device_labels *met = &run->fault->outward;
    met->singular = smaller(met->singular, faults.singular);
    met->not_finite = smaller(met->not_finite, faults.not_finite);
    return 1;
}

static int sweep(rct_run *run, int stage, double dt)
{
    if (run->lease.trouble[0] != '\0' || !rct_cuda_here(&run->lease) ||
        !rct_cuda_forget_fault(run)) {
        return 0;
    }
    return run->junction_on_host ? sweep_by_host(run, stage, dt)
                                 : rct_cuda_launch(run, stage, dt) && rct_cuda_see_fault(run);
}

/* ---- faults ------------------------------------------------------------------------------- */

/* A vanishing pivot in the present states: the device has noticed it somewhere, the serial sweep says where
 * it is, if it is in these. In states that are no longer finite the first of those is the fault. */
static rct_sweep_result judge(rct_run *run, rct_sweep_result met)
{
    const rct_links *links = &run->plan->links;
    rct_cuda_read_state(run, run->gathered);
    if (run->lease.trouble[0] != '\0') {
        return lost();
    }
    const int32_t first = rct_holding_not_finite(run->gathered, links->count);
    if (first >= 0) {
        return (rct_sweep_result){SWEEP_NOT_FINITE, first};
    }
    double *work = rct_allocate(links->count, run->serial->work_fields * (int64_t)sizeof *work,
                                "the search for a fault", NULL);
    if (work != NULL) { /* without memory the device's word has to do */
        const rct_sweep_result found =
            run->serial->inward(links, run->gathered, work, 0, links->count);
        met = found.end != SWEEP_DONE ? found : met;
        rct_release(work);
    }
    return met;
}

static void take_back(rct_run *run)
{
    const rct_tiles *tiles = &run->device.tiles;
    const rct_bushes *bushes = &run->device.bushes;
    const int64_t nodes = (int64_t)run->trunk.links.count * STATE_FIELDS;
    send(run, tiles->state, tiles->base, tiles->steps * WARP * STATE_FIELDS,
         cudaMemcpyDeviceToDevice);
    send(run, bushes->state, bushes->base, bushes->waves * WARP * STATE_FIELDS,
         cudaMemcpyDeviceToDevice);
    if (run->junction_on_host) {
        memcpy(run->trunk.state, run->trunk.base, (size_t)nodes * sizeof(double));
    } else {
        send(run, run->device.trunk.state, run->device.trunk.base, nodes, cudaMemcpyDeviceToDevice);
    }
    rct_cuda_good(&run->lease, cudaStreamSynchronize(run->lease.stream), "taking a step back");
}

/* Met inward, the states at fault are still there. Met outward, in a bush on the ground, they are only if
 * the stage was the first, whose states are taken back to; later ones the bush has judged itself. */
rct_sweep_result rct_cuda_verdict(rct_run *run, int in_step)
{
    const rct_sweep_result outward = rct_cuda_fault_of(&run->fault->outward);
    const int advanced = outward.end != SWEEP_DONE;
    rct_sweep_result result = advanced ? outward : rct_cuda_fault_of(&run->fault->inward);
    if (result.end == SWEEP_SINGULAR && !advanced) {
        result = judge(run, result);
    }
    if (result.end != SWEEP_DONE && in_step && (advanced || run->fault->stage > 0)) {
        take_back(run);
    }
    if (result.end == SWEEP_SINGULAR && advanced) {
        result = judge(run, result);
    }
    return run->lease.trouble[0] == '\0' ? result : lost();
}

rct_sweep_result rct_cuda_evaluate(rct_run *run)
{
    return sweep(run, STAGE_NONE, 0.0) ? rct_cuda_verdict(run, 0) : lost();
}

rct_sweep_result rct_cuda_rk4_stage(rct_run *run, int stage, double dt)
{
    return sweep(run, stage, dt) ? rct_cuda_verdict(run, 1) : lost();
}
