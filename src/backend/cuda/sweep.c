/* One evaluation on the device: a handful of launches (kernels/cuda/system.h), and with the trunk on the
 * host the spans of whole segments to it and their ends back. */
#include "backend/cuda/run.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

static rct_sweep_result lost(void)
{
    return (rct_sweep_result){SWEEP_LOST, -1};
}

static const rct_device_fault no_fault = {.singular = NO_LABEL, .not_finite = NO_LABEL};

/* What the device met since it was told to forget. */
static rct_sweep_result fault_of(const rct_device_fault *fault)
{
    if (fault->singular != NO_LABEL) {
        return (rct_sweep_result){SWEEP_SINGULAR, fault->singular};
    }
    if (fault->not_finite != NO_LABEL) {
        return (rct_sweep_result){SWEEP_NOT_FINITE, fault->not_finite};
    }
    return (rct_sweep_result){SWEEP_DONE, -1};
}

static int send(rct_run *run, void *to, const void *from, int64_t numbers, enum cudaMemcpyKind kind)
{
    return rct_cuda_good(
        run, cudaMemcpyAsync(to, from, (size_t)numbers * sizeof(double), kind, run->stream),
        "copying to or from it");
}

static int see_fault(rct_run *run)
{
    return rct_cuda_good(run,
                         cudaMemcpyAsync(run->fault, run->device.fault, sizeof *run->fault,
                                         cudaMemcpyDeviceToHost, run->stream),
                         "copying from it") &&
           rct_cuda_good(run, cudaStreamSynchronize(run->stream), "computing");
}

static int forget_fault(rct_run *run)
{
    *run->fault = no_fault;
    return rct_cuda_good(run,
                         cudaMemcpyAsync(run->device.fault, run->fault, sizeof *run->fault,
                                         cudaMemcpyHostToDevice, run->stream),
                         "copying to it");
}

static void note(rct_sweep_result *fault, const rct_run *run, rct_sweep_result result)
{
    const int32_t label =
        result.end != SWEEP_DONE ? run->layout->whole->label[result.link] : INT32_MAX;
    if (result.end != SWEEP_DONE && (fault->end == SWEEP_DONE || label < fault->link)) {
        *fault = (rct_sweep_result){result.end, label};
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
static rct_sweep_result trunk_onward(rct_run *run, int stage, double dt)
{
    rct_sweep_result fault = {SWEEP_DONE, -1};
    note(&fault, run, trunk_sweep_outward(&run->trunk, run->serial));
    for (int32_t k = 0; k < run->layout->hung_count; k++) {
        trunk_reach(&run->trunk, run->serial, run->layout->hung[k]);
    }
    for (int32_t k = 0; k < run->trunk.count && stage != STAGE_NONE; k++) {
        const rct_stretch *stretch = &run->trunk.stretches[k];
        const int links = run->trunk.segment[stretch->first] < 0;
        for (int32_t n = stretch->first; links && n < stretch->first + stretch->count; n++) {
            if (!trunk_advance(&run->trunk, run->serial, n, stage, dt)) {
                note(&fault, run, (rct_sweep_result){SWEEP_NOT_FINITE, n});
            }
        }
    }
    return fault;
}

/* The junction on the host, between condense and accelerate. */
static rct_sweep_result junction(rct_run *run, int stage, double dt)
{
    const int64_t segments = run->layout->whole->segment_count;
    const int64_t hung = (int64_t)run->layout->hung_count * run->serial->work_fields;
    const rct_device *d = &run->device;
    if (!rct_cuda_good(run, run->kernels->join(d, run->stream), "composing spans") ||
        !send(run, run->trunk.spans, d->trunk.spans, segments * SPAN_FIELDS,
              cudaMemcpyDeviceToHost) ||
        !send(run, run->hung_rows, d->hung_rows, hung, cudaMemcpyDeviceToHost) || !see_fault(run)) {
        return lost();
    }
    copy_hung(run, 0);
    rct_sweep_result fault = fault_of(run->fault);
    if (fault.end == SWEEP_DONE) {
        note(&fault, run, trunk_sweep_inward(&run->trunk, run->serial));
    }
    if (fault.end != SWEEP_DONE) {
        run->fault->stop = 1;
        return fault;
    }
    fault = trunk_onward(run, stage, dt);
    copy_hung(run, 1);
    if (!send(run, d->trunk.ends, run->trunk.ends, segments * END_FIELDS, cudaMemcpyHostToDevice) ||
        !send(run, d->hung_rows, run->hung_rows, hung, cudaMemcpyHostToDevice) ||
        !rct_cuda_good(run, run->kernels->part(d, run->stream), "opening spans")) {
        return lost();
    }
    return fault;
}

/* Inward, up to the junction. */
static int start(rct_run *run)
{
    const rct_device *d = &run->device;
    const rct_device_method *kernels = run->kernels;
    return run->trouble[0] == '\0' && forget_fault(run) &&
           (d->bushes.hanging == 0 ||
            rct_cuda_good(run, kernels->plant(d, run->stream), "condensing bushes")) &&
           (d->side_records == 0 ||
            rct_cuda_good(run, kernels->add_sides(d, run->stream), "adding side trees")) &&
           (d->blocks == 0 ||
            rct_cuda_good(run, kernels->condense(d, run->stream), "condensing pieces"));
}

/* Outward, from the junction on. */
static int finish(rct_run *run, int stage, double dt)
{
    const rct_device *d = &run->device;
    return (d->blocks == 0 ||
            rct_cuda_good(run, run->kernels->accelerate(d, stage, dt, run->stream),
                          "sweeping pieces")) &&
           (d->bushes.count == 0 ||
            rct_cuda_good(run, run->kernels->harvest(d, stage, dt, run->stream),
                          "sweeping bushes")) &&
           see_fault(run);
}

rct_sweep_result rct_cuda_sweep(rct_run *run, int stage, double dt)
{
    rct_sweep_result fault = {SWEEP_DONE, -1};
    if (!start(run)) {
        return lost();
    }
    if (run->junction_on_host) {
        fault = junction(run, stage, dt);
        if (fault.end == SWEEP_LOST || run->fault->stop) {
            return fault;
        }
    } else if (!rct_cuda_good(run, run->kernels->junction(&run->device, stage, dt, run->stream),
                              "solving the junction")) {
        return lost();
    }
    if (!finish(run, stage, dt)) {
        return lost();
    }
    const rct_sweep_result met = fault_of(run->fault);
    const int earlier =
        met.end != SWEEP_DONE &&
        (fault.end == SWEEP_DONE || met.link < fault.link || met.end == SWEEP_SINGULAR);
    return earlier ? met : fault;
}

/* ---- faults ------------------------------------------------------------------------------- */

/* A vanishing pivot met before states advanced: the device has noticed it somewhere, the serial sweep says
 * where it is. In states that are no longer finite the first of those is the fault. */
static rct_sweep_result judge(rct_run *run, rct_sweep_result met)
{
    const rct_links *links = &run->plan->links;
    rct_cuda_read_state(run, run->gathered);
    if (run->trouble[0] != '\0') {
        return lost();
    }
    for (int64_t i = 0; i < (int64_t)links->count * STATE_FIELDS; i++) {
        if (!isfinite(run->gathered[i])) {
            return (rct_sweep_result){SWEEP_NOT_FINITE, (int32_t)(i / STATE_FIELDS)};
        }
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

rct_sweep_result rct_cuda_evaluate(rct_run *run)
{
    const rct_sweep_result result = rct_cuda_sweep(run, STAGE_NONE, 0.0);
    return result.end == SWEEP_SINGULAR && run->fault->stop ? judge(run, result) : result;
}

static void take_back(rct_run *run)
{
    const rct_tiles *tiles = &run->device.tiles;
    const int64_t lanes = tiles->steps * WARP;
    const int64_t nodes = (int64_t)run->trunk.links.count * STATE_FIELDS;
    const rct_bushes *bushes = &run->device.bushes;
    send(run, tiles->state, tiles->base, lanes * STATE_FIELDS, cudaMemcpyDeviceToDevice);
    send(run, bushes->state, bushes->base, bushes->waves * WARP * STATE_FIELDS,
         cudaMemcpyDeviceToDevice);
    if (run->junction_on_host) {
        memcpy(run->trunk.state, run->trunk.base, (size_t)nodes * sizeof(double));
    } else {
        send(run, run->device.trunk.state, run->device.trunk.base, nodes, cudaMemcpyDeviceToDevice);
    }
    rct_cuda_good(run, cudaStreamSynchronize(run->stream), "taking a step back");
}

rct_sweep_result rct_cuda_rk4_stage(rct_run *run, int stage, double dt)
{
    rct_sweep_result result = rct_cuda_sweep(run, stage, dt);
    if (result.end == SWEEP_SINGULAR && run->fault->stop) {
        result = judge(run, result);
    }
    if (result.end != SWEEP_DONE && result.end != SWEEP_LOST && (stage > 0 || !run->fault->stop)) {
        take_back(run);
    }
    return result;
}
