/* Faults of a run on a device: fetched, and judged. */
#include "backend/cuda/run.h"

#include "backend/gather.h"
#include "core/memory.h"

#include <string.h>

const rct_device_fault rct_cuda_no_fault = {.inward = {NO_LABEL, NO_LABEL},
                                            .outward = {NO_LABEL, NO_LABEL}};

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

int rct_cuda_see_fault(rct_run *run)
{
    return rct_cuda_good(&run->lease,
                         cudaMemcpyAsync(run->fault, run->device.fault, sizeof *run->fault,
                                         cudaMemcpyDeviceToHost, run->lease.stream),
                         "copying from it") &&
           rct_cuda_wait(&run->lease, "computing");
}

int rct_cuda_forget_fault(rct_run *run)
{
    *run->fault = rct_cuda_no_fault;
    return rct_cuda_good(&run->lease,
                         cudaMemcpyAsync(run->device.fault, run->fault, sizeof *run->fault,
                                         cudaMemcpyHostToDevice, run->lease.stream),
                         "copying to it");
}

/* The first link whose gathered state is not finite, or -1. */
static int32_t first_not_finite(const rct_run *run)
{
    for (int32_t l = 0; l < run->plan->links.count; l++) {
        if (!rct_state_is_finite(run->plan, l,
                                 run->gathered + rct_link_state(&run->plan->links, l))) {
            return l;
        }
    }
    return -1;
}

/* The loads of all links, [links][LOAD_FIELDS], for rct_release; NULL: no memory. */
static double *gather_loads(rct_run *run)
{
    const rct_packing *packing = run->packing;
    double *loads =
        rct_allocate(run->plan->links.count, LOAD_FIELDS * sizeof *loads, "loads", NULL);
    for (int32_t l = 0; l < run->plan->links.count && loads != NULL; l++) {
        if (!rct_cuda_has_link(run, l)) {
            memcpy(loads + (int64_t)l * LOAD_FIELDS,
                   packing->links.sheaves.loads + ~packing->at[l] * LOAD_FIELDS,
                   LOAD_FIELDS * sizeof *loads);
        }
    }
    if (loads != NULL) {
        rct_cuda_list_loads(run, loads);
    }
    return loads;
}

/* The fault that the serial sweep of the cpu finds in the gathered state. */
static rct_sweep_result by_serial_sweep(rct_run *run, rct_sweep_result met)
{
    const rct_backend *cpu = &rct_backend_cpu;
    const rct_solver_options serial = {.method = run->method, .threads = 1, .lanes = 1};
    const int loaded = run->device.lanes.loads != NULL;
    double *loads = loaded ? gather_loads(run) : NULL;
    rct_run *other = cpu->create(run->plan, &serial, loaded, NULL);
    if (other == NULL || (loaded && loads == NULL)) {
        cpu->destroy(other);
        rct_release(loads);
        return met; /* without memory the fault of the device counts */
    }
    cpu->write_state(other, run->gathered);
    cpu->set_ground(other, &run->device.lanes.ground);
    cpu->set_time(other, run->device.lanes.hinge_forces.time);
    for (int32_t l = 0; l < run->plan->links.count && loaded; l++) {
        cpu->write_loads(other, &l, 1, loads);
    }
    if (run->yield.delta != 0.0) {
        cpu->set_delta(other, run->yield.delta, run->yield.links, run->yield.count,
                       run->yield.rotors);
    }
    const rct_sweep_result found = cpu->evaluate(other);
    cpu->destroy(other);
    rct_release(loads);
    return found.end != SWEEP_DONE ? found : met;
}

/* A vanishing pivot in the present states: the device has noticed it somewhere, and the serial
 * sweep finds where it is, if it is in these states. In states that are no longer finite the first
 * such link is the fault. */
static rct_sweep_result judge(rct_run *run, rct_sweep_result met)
{
    rct_cuda_read_state(run, run->gathered);
    const int32_t first = first_not_finite(run);
    return first >= 0 ? (rct_sweep_result){SWEEP_NOT_FINITE, first} : by_serial_sweep(run, met);
}

static void take_back_rows(rct_run *run, const rct_rows *r, const rct_sheaves *s)
{
    (void)rct_cuda_send(&run->lease, s->state, s->base, r->state_at[r->rows] * r->lanes,
                        cudaMemcpyDeviceToDevice);
}

void rct_cuda_take_back(rct_run *run)
{
    const rct_rows *links = &run->packing->links;
    run->condensed = 0;
    take_back_rows(run, &run->packing->lanes, &run->device.lanes);
    if (run->junction != NULL) {
        take_back_rows(run, links, &run->device.rows);
    } else {
        memcpy(links->sheaves.state, links->sheaves.base,
               (size_t)links->state_at[links->rows] * sizeof(double));
    }
    (void)rct_cuda_wait(&run->lease, "taking a step back");
}

/* After a fault inward, the states at fault are still there. After one outward they are only if the
 * stage was the first, because states are taken back to it. */
rct_sweep_result rct_cuda_verdict(rct_run *run, int in_step)
{
    const rct_sweep_result outward = rct_cuda_fault_of(&run->fault->outward);
    const int advanced = in_step && outward.end != SWEEP_DONE;
    rct_sweep_result result =
        outward.end != SWEEP_DONE ? outward : rct_cuda_fault_of(&run->fault->inward);
    if (result.end == SWEEP_SINGULAR && !advanced) {
        result = judge(run, result);
    }
    if (result.end != SWEEP_DONE && in_step && (advanced || run->fault->stage > 0)) {
        rct_cuda_take_back(run);
    }
    if (result.end == SWEEP_SINGULAR && advanced && run->fault->stage == 0) {
        result = judge(run, result);
    }
    return run->lease.trouble[0] == '\0' ? result : (rct_sweep_result){SWEEP_LOST, -1};
}
