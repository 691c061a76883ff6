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

/* The states of the trunk's links, on the host. */
static void advance_trunk(rct_run *run, rct_sweep_result *fault, int stage, double dt)
{
    for (int32_t n = 0; n < run->trunk.links.count && stage != STAGE_NONE; n++) {
        if (run->trunk.segment[n] < 0 &&
            !trunk_advance(&run->trunk, run->serial, n, stage, dt)) {
            note(fault, run, (rct_sweep_result){SWEEP_NOT_FINITE, n});
        }
    }
}

/* The junction on the host, between condense and accelerate. `advanced`: whether states advance. */
static rct_sweep_result junction(rct_run *run, int stage, double dt)
{
    const int64_t segments = run->layout->whole->segment_count;
    rct_sweep_result fault = {SWEEP_DONE, -1};
    if (!rct_cuda_good(run, run->kernels->join(&run->device, run->stream), "composing spans") ||
        !send(run, run->trunk.spans, run->device.trunk.spans, segments * SPAN_FIELDS,
              cudaMemcpyDeviceToHost) ||
        !see_fault(run)) {
        return lost();
    }
    fault = fault_of(run->fault);
    if (fault.end == SWEEP_DONE) {
        note(&fault, run, trunk_sweep_inward(&run->trunk, run->serial));
    }
    if (fault.end != SWEEP_DONE) {
        run->fault->stop = 1;
        return fault;
    }
    note(&fault, run, trunk_sweep_outward(&run->trunk, run->serial));
    advance_trunk(run, &fault, stage, dt);
    if (!send(run, run->device.trunk.ends, run->trunk.ends, segments * END_FIELDS,
              cudaMemcpyHostToDevice) ||
        !rct_cuda_good(run, run->kernels->part(&run->device, run->stream), "opening spans")) {
        return lost();
    }
    return fault;
}

rct_sweep_result rct_cuda_sweep(rct_run *run, int stage, double dt)
{
    rct_sweep_result fault = {SWEEP_DONE, -1};
    if (run->trouble[0] != '\0' || !forget_fault(run) ||
        !rct_cuda_good(run, run->kernels->condense(&run->device, run->stream),
                       "condensing pieces")) {
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
    if (!rct_cuda_good(run, run->kernels->accelerate(&run->device, stage, dt, run->stream),
                       "sweeping pieces") ||
        !see_fault(run)) {
        return lost();
    }
    const rct_sweep_result met = fault_of(run->fault);
    const int earlier = met.end != SWEEP_DONE &&
                        (fault.end == SWEEP_DONE || met.link < fault.link ||
                         met.end == SWEEP_SINGULAR);
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
    send(run, tiles->state, tiles->base, lanes * STATE_FIELDS, cudaMemcpyDeviceToDevice);
    if (run->junction_on_host) {
        memcpy(run->trunk.state, run->trunk.base, (size_t)nodes * sizeof(double));
    } else {
        send(run, run->device.trunk.state, run->device.trunk.base, nodes,
             cudaMemcpyDeviceToDevice);
    }
    rct_cuda_good(run, cudaStreamSynchronize(run->stream), "taking a step back");
}

rct_sweep_result rct_cuda_rk4_stage(rct_run *run, int stage, double dt)
{
    rct_sweep_result result = rct_cuda_sweep(run, stage, dt);
    if (result.end == SWEEP_SINGULAR && run->fault->stop) {
        result = judge(run, result);
    }
    if (result.end != SWEEP_DONE && result.end != SWEEP_LOST &&
        (stage > 0 || !run->fault->stop)) {
        take_back(run);
    }
    return result;
}
