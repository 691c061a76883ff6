/* States, loads and results of a run between the device and label order, through the host's packing (backend/gather.h).
 * Links of a trunk on the host are there already. */
#include "backend/cuda/run.h"

#include "backend/gather.h"

#include <string.h>

/* Whether a link is swept there. */
static int is_on_device(const rct_run *run, int32_t link)
{
    return run->packing->at[link] >= 0 || run->junction != NULL;
}

/* Numbers of all lanes, and of the links of a trunk on the device; `to_device`: there. And wait: the host's copies are pageable
 * and change. */
static int copy(rct_run *run, double *host[2], double *const device[2], const int64_t numbers[2],
                int to_device)
{
    const enum cudaMemcpyKind kind = to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    int good = 1;
    for (int i = 0; i < (run->junction != NULL ? 2 : 1) && good; i++) {
        good = rct_cuda_send(&run->lease, to_device ? device[i] : host[i],
                             to_device ? host[i] : device[i], numbers[i], kind);
    }
    return good && rct_cuda_wait(&run->lease, "copying states or results");
}

/* Those that the host has already are not copied again. */
static void copy_states(rct_run *run, int to_device)
{
    const rct_rows *a = &run->packing->lanes, *b = &run->packing->links;
    double *host[2] = {a->sheaves.state, b->sheaves.state};
    double *const device[2] = {run->device.lanes.state, run->device.rows.state};
    const int64_t numbers[2] = {a->state_at[a->rows] * WARP, b->state_at[b->rows]};
    run->condensed = to_device ? 0 : run->condensed;
    run->copied = (run->copied && !to_device) || copy(run, host, device, numbers, to_device);
}

void rct_cuda_copy_states(rct_run *run)
{
    copy_states(run, 0);
}

static void copy_results(rct_run *run, int to_device)
{
    const rct_rows *a = &run->packing->lanes, *b = &run->packing->links;
    double *host[2] = {a->sheaves.results, b->sheaves.results};
    double *const device[2] = {run->device.lanes.results, run->device.rows.results};
    const int64_t numbers[2] = {a->result_at[a->rows] * WARP, b->result_at[b->rows]};
    (void)copy(run, host, device, numbers, to_device);
}

void rct_cuda_send_results(rct_run *run)
{
    copy_results(run, 1);
}

void rct_cuda_write_state(rct_run *run, const double *state)
{
    rct_cross(run->packing, rct_scatter_state, &(rct_arrays){.one = (double *)state});
    copy_states(run, 1);
}

void rct_cuda_read_state(const rct_run *run, double *state)
{
    copy_states((rct_run *)run, 0); /* the host's copy, not the state */
    rct_cross(run->packing, rct_gather_state, &(rct_arrays){.one = state});
    rct_cuda_blank_if_lost(&run->lease, state,
                           rct_link_state(&run->plan->links, run->plan->links.count));
}

int rct_cuda_write_coordinates(rct_run *run, const double *coordinates, const double *rates)
{
    const int good = rct_cross(run->packing, rct_put_coordinates,
                               &(rct_arrays){.one = (double *)coordinates, .two = (double *)rates});
    if (good) {
        rct_take_over(run->packing);
        copy_states(run, 1);
    }
    return good;
}

void rct_cuda_take_coordinates(const rct_run *run, double *coordinates, double *rates)
{
    rct_cross(run->packing, rct_take_coordinates, &(rct_arrays){.one = coordinates, .two = rates});
    if (coordinates != NULL) {
        rct_cuda_blank_if_lost(&run->lease, coordinates, run->plan->coordinates);
    }
    if (rates != NULL) {
        rct_cuda_blank_if_lost(&run->lease, rates, run->plan->freedoms);
    }
}

void rct_cuda_read_coordinates(const rct_run *run, double *coordinates, double *rates)
{
    copy_states((rct_run *)run, 0);
    rct_cuda_take_coordinates(run, coordinates, rates);
}

void rct_cuda_read_links(const rct_run *run, const int32_t *links, int32_t count, double *state)
{
    int there = 0; /* whether any is on the device */
    for (int32_t k = 0; k < count && !there; k++) {
        there = is_on_device(run, links[k]);
    }
    if (there) {
        copy_states((rct_run *)run, 0);
    }
    rct_gather_links(run->packing, links, count, state);
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

/* Sweeps wait for the device at their ends, so that nothing reads the pinned numbers any more. */
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
    rct_device roots_only = run->device; /* they, in place of what hangs on the trunk */
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

static void copy_loads(rct_run *run, int to_device)
{
    const rct_rows *a = &run->packing->lanes, *b = &run->packing->links;
    double *host[2] = {a->sheaves.loads, b->sheaves.loads};
    double *const device[2] = {run->device.lanes.loads, run->device.rows.loads};
    const int64_t numbers[2] = {a->rows * LOAD_FIELDS * WARP, b->rows * LOAD_FIELDS};
    (void)copy(run, host, device, numbers, to_device);
}

void rct_cuda_fetch_loads(rct_run *run)
{
    if (run->pushed) {
        copy_loads(run, 0);
        run->pushed = 0;
    }
}

static void send_loads(rct_run *run)
{
    run->condensed = run->pushed = 0;
    rct_cuda_expect_loads(run);
    copy_loads(run, 1);
}

void rct_cuda_write_loads(rct_run *run, const int32_t *links, int32_t count, const double *loads)
{
    int there = 0; /* whether any is on the device */
    for (int32_t k = 0; k < count; k++) {
        const int64_t at = (int64_t)links[k] * LOAD_FIELDS;
        memcpy(run->loads + at, loads + at, LOAD_FIELDS * sizeof *loads);
        there = there || is_on_device(run, links[k]);
    }
    if (there) {
        rct_cuda_fetch_loads(run);
    }
    rct_scatter_loads(run->packing, links, count, loads);
    if (there) {
        send_loads(run);
    } else if (run->condensed == RCT_CUDA_REACHED) { /* links of the trunk: the rest stays */
        run->condensed = RCT_CUDA_CONDENSED;
    }
}

void rct_cuda_write_efforts(rct_run *run, const double *efforts)
{
    const rct_links *links = &run->plan->links;
    for (int64_t l = 0; l < links->count; l++) {
        memcpy(run->loads + l * LOAD_FIELDS + LOAD_EFFORT,
               efforts + rct_plan_rates_at(run->plan, l),
               (size_t)rct_hinge_freedoms((rct_hinge_type)links->kind[l]) * sizeof *efforts);
    }
    rct_cross(run->packing, rct_put_efforts, &(rct_arrays){.one = (double *)efforts});
    send_loads(run);
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

/* Rotors of the links at whose hinges forces act, and that these have some. */
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
    copy_results((rct_run *)run, 0);
    rct_cross(run->packing, rct_gather_accelerations, &(rct_arrays){.one = accelerations});
    rct_cuda_blank_if_lost(&run->lease, accelerations, (int64_t)run->plan->links.count * 6);
}

void rct_cuda_read_derivatives(const rct_run *run, double *derivatives)
{
    copy_states((rct_run *)run, 0);
    copy_results((rct_run *)run, 0);
    rct_cross(run->packing, rct_take_derivatives, &(rct_arrays){.one = derivatives});
    rct_cuda_blank_if_lost(&run->lease, derivatives, run->plan->freedoms);
}
