/* States, loads and results of a run between the device and the outside: across.c does links on the
 * device; links of a trunk on the host are done here, through its packing (backend/gather.h). */
#include "backend/cuda/run.h"

#include "backend/gather.h"

#include <string.h>

/* Numbers of a trunk on the host, in or out; 0 if they are refused. */
static int cross_trunk(const rct_run *run, rct_crossing *what, const rct_arrays *of)
{
    const rct_rows *links = &run->packing->links;
    return run->junction != NULL || what(run->packing, links, 0, links->sheaves.count, of);
}

/* In label order. */
static void cross_state(rct_run *run, double *state, int in)
{
    const int64_t count = rct_link_state(&run->plan->links, run->plan->links.count);
    const rct_across by = {.what = in ? RCT_SCATTER_STATE : RCT_GATHER_STATE,
                           .numbers = run->across.numbers};
    double *there = run->across.numbers;
    (void)(rct_cuda_here(&run->lease) &&
           (!in || rct_cuda_send(&run->lease, there, state, count, cudaMemcpyHostToDevice)) &&
           rct_cuda_cross(run, by) &&
           (in || rct_cuda_send(&run->lease, state, there, count, cudaMemcpyDeviceToHost)) &&
           rct_cuda_wait(&run->lease, "copying states"));
    cross_trunk(run, in ? rct_scatter_state : rct_gather_state, &(rct_arrays){.one = state});
}

void rct_cuda_write_state(rct_run *run, const double *state)
{
    cross_state(run, (double *)state, 1);
    run->condensed = 0;
}

void rct_cuda_read_state(const rct_run *run, double *state)
{
    cross_state((rct_run *)run, state, 0); /* changes its room, not the state */
    rct_cuda_blank_if_lost(&run->lease, state,
                           rct_link_state(&run->plan->links, run->plan->links.count));
}

/* The states beside those of a run replace them. */
static void take_over(rct_run *run)
{
    const rct_sheaves *there[2] = {&run->device.lanes, &run->device.rows};
    for (int i = 0; i < (run->junction != NULL ? 2 : 1); i++) {
        (void)rct_cuda_send(&run->lease, there[i]->state, there[i]->base, there[i]->slot,
                            cudaMemcpyDeviceToDevice);
    }
    rct_take_over(run->packing);
    run->condensed = 0;
}

int rct_cuda_write_coordinates(rct_run *run, const double *coordinates, const double *rates)
{
    const rct_arrays of = {.one = (double *)coordinates, .two = (double *)rates};
    const int good = cross_trunk(run, rct_put_coordinates, &of) &&
                     !(rct_cuda_begin_moves(run) &&
                       rct_cuda_put(run, RCT_PUT_STATE, RCT_SLOT_STATE, coordinates, rates) &&
                       rct_cuda_end_moves(run) && run->moves->refused != 0);
    if (good) {
        take_over(run);
    }
    return good;
}

static void blank(const rct_run *run, double *coordinates, double *rates)
{
    if (coordinates != NULL) {
        rct_cuda_blank_if_lost(&run->lease, coordinates, run->plan->coordinates);
    }
    if (rates != NULL) {
        rct_cuda_blank_if_lost(&run->lease, rates, run->plan->freedoms);
    }
}

void rct_cuda_take_slot(rct_run *run, int slot, double *coordinates, double *rates)
{
    (void)rct_cuda_take(run, RCT_TAKE_STATE, slot, coordinates, rates);
    cross_trunk(run, rct_take_slot, &(rct_arrays){.one = coordinates, .two = rates, .slot = slot});
    blank(run, coordinates, rates);
}

void rct_cuda_read_coordinates(const rct_run *run, double *coordinates, double *rates)
{
    rct_cuda_take_slot((rct_run *)run, RCT_SLOT_STATE, coordinates, rates);
}

void rct_cuda_read_links(const rct_run *run, const int32_t *links, int32_t count, double *state)
{
    rct_cuda_list_states((rct_run *)run, links, count, state);
    for (int32_t k = 0; k < count; k++) {
        if (!rct_cuda_has_link(run, links[k])) {
            rct_gather_links(run->packing, links + k, 1, state);
        }
    }
    rct_cuda_blank_if_lost(&run->lease, state,
                           rct_link_state(&run->plan->links, run->plan->links.count));
}

void rct_cuda_set_ground(rct_run *run, const rct_ground *ground)
{
    if (memcmp(&run->device.lanes.ground, ground, sizeof *ground) != 0) { /* none is as at first */
        rct_sheaves_set_ground(run->packing, ground);
        run->device.lanes.ground = run->device.rows.ground = *ground;
        run->roots.stale = 1;
        run->condensed = 0;
    }
}

void rct_cuda_set_time(rct_run *run, double time)
{
    rct_packing *packing = run->packing;
    run->condensed = time == packing->links.sheaves.hinge_forces.time ? run->condensed : 0;
    packing->links.sheaves.hinge_forces.time = time;
    run->device.lanes.hinge_forces.time = run->device.rows.hinge_forces.time = time;
}

/* Sweeps wait for the device at their ends, so nothing reads the pinned numbers any more. */
int rct_cuda_leave_ground(rct_run *run)
{
    enum { FIELDS = PATH_SHARE - PATH_ABOVE };
    rct_cuda_roots *roots = &run->roots;
    const int64_t count = roots->count, at = PATH_ABOVE * count;
    if (count == 0 || !roots->stale) {
        return 1;
    }
    for (int64_t f = PATH_ABOVE; f < PATH_SHARE; f++) {
        for (int64_t i = 0; i < count; i++) {
            roots->packed[f * count + i] =
                run->packing->lanes.sheaves.paths[roots->places[i] + f * WARP];
        }
    }
    rct_device roots_only = run->device; /* these instead of what hangs on the trunk */
    roots_only.hung_count = roots->count;
    roots_only.hung = roots->device_places;
    roots_only.hung_records = roots->device_packed;
    roots->stale = 0;
    return rct_cuda_send(&run->lease, roots->device_packed + at, roots->packed + at, FIELDS * count,
                         cudaMemcpyHostToDevice) &&
           rct_cuda_good(&run->lease,
                         rct_launch_pack(&roots_only, PATH_ABOVE, FIELDS, 1, run->lease.stream),
                         "scattering what the ground does");
}

void rct_cuda_write_loads(rct_run *run, const int32_t *links, int32_t count, const double *loads)
{
    int there = 0; /* whether any is on the device */
    for (int32_t k = 0; k < count; k++) {
        const int has = rct_cuda_has_link(run, links[k]);
        there = there || has;
        if (!has) {
            rct_scatter_loads(run->packing, links + k, 1, loads);
        }
    }
    if (there) {
        run->condensed = 0;
        rct_cuda_expect_loads(run);
        rct_cuda_list_loads_in(run, links, count, loads);
    } else if (run->condensed > RCT_CUDA_CONDENSED) { /* links of the trunk: the rest stays */
        run->condensed = RCT_CUDA_CONDENSED;
    }
}

void rct_cuda_write_efforts(rct_run *run, const double *efforts)
{
    run->condensed = 0;
    rct_cuda_expect_loads(run);
    (void)rct_cuda_put(run, RCT_PUT_EFFORTS, RCT_SLOT_STATE, NULL, efforts);
    cross_trunk(run, rct_put_efforts, &(rct_arrays){.one = (double *)efforts});
}

void rct_cuda_put_rates(rct_run *run, int slot, const double *of_coordinates,
                        const double *of_rates)
{
    rct_cuda_expect_loads(run);
    (void)rct_cuda_put(run, RCT_PUT_RATES, slot, of_coordinates, of_rates);
    cross_trunk(
        run, rct_put_rates,
        &(rct_arrays){.one = (double *)of_coordinates, .two = (double *)of_rates, .slot = slot});
}

void rct_cuda_read_efforts(rct_run *run, const int32_t *links, int32_t count, double *efforts)
{
    rct_cuda_list_efforts(run, links, count, efforts);
    for (int32_t k = 0; k < (links != NULL ? count : run->plan->links.count); k++) {
        const int32_t label = links != NULL ? links[k] : k;
        if (!rct_cuda_has_link(run, label)) {
            rct_gather_efforts(run->packing, &label, 1, efforts);
        }
    }
}

int rct_cuda_send_has(rct_run *run, const rct_rows *r, const rct_sheaves *device)
{
    return rct_cuda_good(&run->lease,
                         cudaMemcpyAsync((void *)device->has, r->has,
                                         (size_t)r->rows * sizeof *r->has, cudaMemcpyHostToDevice,
                                         run->lease.stream),
                         "copying to it") &&
           rct_cuda_wait(&run->lease, "copying what rows have");
}

/* Sends the rotors of the links at whose hinges forces act, and that these hinges have some. */
static void send_rotors(rct_run *run, const rct_rows *r, const rct_sheaves *device)
{
    (void)(rct_cuda_send(&run->lease, device->rotors, r->sheaves.rotors, r->rows * 3 * r->lanes,
                         cudaMemcpyHostToDevice) &&
           rct_cuda_send_has(run, r, device));
}

void rct_cuda_set_delta(rct_run *run, double delta, const int32_t *links, int32_t count,
                        const double *rotors)
{
    rct_packing *packing = run->packing;
    run->yield = (rct_cuda_yield){delta, links, count, rotors};
    run->condensed = 0;
    packing->lanes.sheaves.delta = packing->links.sheaves.delta = delta;
    run->device.lanes.delta = run->device.rows.delta = delta;
    rct_scatter_rotors(packing, links, count, rotors);
    if (count > 0) {
        send_rotors(run, &packing->lanes, &run->device.lanes);
    }
    if (count > 0 && run->junction != NULL) {
        send_rotors(run, &packing->links, &run->device.rows);
    }
}

void rct_cuda_read_accelerations(const rct_run *run, double *accelerations)
{
    const int64_t count = WIDE_RESULT_RATES * (int64_t)run->plan->links.count;
    rct_run *own = (rct_run *)run; /* its room */
    const rct_across by = {.what = RCT_GATHER_ACCELERATIONS, .numbers = run->across.numbers};
    (void)(rct_cuda_cross(own, by) &&
           rct_cuda_send(&own->lease, accelerations, by.numbers, count, cudaMemcpyDeviceToHost) &&
           rct_cuda_wait(&own->lease, "copying results"));
    cross_trunk(run, rct_gather_accelerations, &(rct_arrays){.one = accelerations});
    rct_cuda_blank_if_lost(&run->lease, accelerations, count);
}

void rct_cuda_read_derivatives(const rct_run *run, double *derivatives)
{
    (void)rct_cuda_take((rct_run *)run, RCT_TAKE_DERIVATIVES, RCT_SLOT_STATE, NULL, derivatives);
    cross_trunk(run, rct_take_derivatives, &(rct_arrays){.one = derivatives});
    blank(run, NULL, derivatives);
}

void rct_cuda_write_derivatives(rct_run *run, const double *derivatives)
{
    (void)rct_cuda_put(run, RCT_PUT_DERIVATIVES, RCT_SLOT_STATE, NULL, derivatives);
    cross_trunk(run, rct_put_derivatives, &(rct_arrays){.one = (double *)derivatives});
}
