/* States, loads and results of a mixed run between the device and label order, through the host's packing
 * (backend/mixed_holding.h). */
#include "backend/cuda/mixed.h"

#include "backend/mixed_holding.h"

#include <string.h>

int rct_cuda_mixed_send(rct_run *run, void *to, const void *from, int64_t numbers,
                        enum cudaMemcpyKind kind)
{
    return rct_cuda_good(
        &run->lease,
        cudaMemcpyAsync(to, from, (size_t)numbers * sizeof(double), kind, run->lease.stream),
        "copying to or from it");
}

/* And wait: the host's copies are pageable and change. */
static void copy(rct_run *run, double *to, const double *from, int64_t numbers,
                 enum cudaMemcpyKind kind)
{
    (void)(rct_cuda_mixed_send(run, to, from, numbers * WARP, kind) &&
           rct_cuda_good(&run->lease, cudaStreamSynchronize(run->lease.stream),
                         "copying states or results"));
}

static int64_t states(const rct_run *run)
{
    const rct_mixed_rows *r = &run->packing->lanes;
    return r->state_at[r->rows];
}

void rct_cuda_mixed_write_state(rct_run *run, const double *state)
{
    rct_mixed_scatter_state(run->packing, state);
    copy(run, run->device.lanes.state, run->packing->lanes.sheaves.state, states(run),
         cudaMemcpyHostToDevice);
}

/* The host's copy, not the state. */
static void fetch_state(rct_run *run)
{
    copy(run, run->packing->lanes.sheaves.state, run->device.lanes.state, states(run),
         cudaMemcpyDeviceToHost);
}

void rct_cuda_mixed_read_state(const rct_run *run, double *state)
{
    fetch_state((rct_run *)run);
    rct_mixed_gather_state(run->packing, state);
    rct_cuda_blank_if_lost(&run->lease, state, run->plan->state_at[run->plan->links.count]);
}

void rct_cuda_mixed_read_links(const rct_run *run, const int32_t *links, int32_t count,
                               double *state)
{
    fetch_state((rct_run *)run);
    rct_mixed_gather_links(run->packing, links, count, state);
    rct_cuda_blank_if_lost(&run->lease, state, run->plan->state_at[run->plan->links.count]);
}

void rct_cuda_mixed_set_ground(rct_run *run, const rct_ground *ground)
{
    if (memcmp(&run->device.lanes.ground, ground, sizeof *ground) != 0) { /* none is as at first */
        rct_mixed_set_ground(run->packing, ground);
        run->device.lanes.ground = *ground;
        run->roots.stale = 1;
    }
}

/* Sweeps wait for the device at their ends, so that nothing reads the pinned numbers any more. */
int rct_cuda_mixed_leave_ground(rct_run *run)
{
    enum { FIELDS = PATH_SHARE - PATH_ABOVE };
    rct_mixed_roots *roots = &run->roots;
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
    rct_mixed_device roots_only = run->device; /* they, in place of what hangs on the trunk */
    roots_only.hung_count = roots->count;
    roots_only.hung = roots->device_places;
    roots_only.hung_records = roots->device_packed;
    roots->stale = 0;
    return rct_cuda_mixed_send(run, roots->device_packed + at, roots->packed + at, FIELDS * count,
                               cudaMemcpyHostToDevice) &&
           rct_cuda_good(
               &run->lease,
               rct_mixed_launch_pack(&roots_only, PATH_ABOVE, FIELDS, 1, run->lease.stream),
               "scattering what the ground does");
}

void rct_cuda_mixed_write_loads(rct_run *run, const int32_t *links, int32_t count,
                                const double *loads)
{
    const rct_mixed_rows *r = &run->packing->lanes;
    for (int32_t k = 0; k < count; k++) {
        const int64_t at = (int64_t)links[k] * LOAD_FIELDS;
        memcpy(run->loads + at, loads + at, LOAD_FIELDS * sizeof *loads);
    }
    rct_mixed_scatter_loads(run->packing, links, count, loads);
    copy(run, run->device.lanes.loads, r->sheaves.loads, r->rows * LOAD_FIELDS,
         cudaMemcpyHostToDevice);
}

static void fetch_results(rct_run *run)
{
    const rct_mixed_rows *r = &run->packing->lanes;
    copy(run, r->sheaves.results, run->device.lanes.results, r->result_at[r->rows],
         cudaMemcpyDeviceToHost);
}

void rct_cuda_mixed_read_accelerations(const rct_run *run, double *accelerations)
{
    fetch_results((rct_run *)run);
    rct_mixed_gather_accelerations(run->packing, accelerations);
    rct_cuda_blank_if_lost(&run->lease, accelerations, (int64_t)run->plan->links.count * 6);
}

void rct_cuda_mixed_read_rates(const rct_run *run, double *rates)
{
    fetch_results((rct_run *)run);
    rct_mixed_gather_rates(run->packing, rates);
    rct_cuda_blank_if_lost(&run->lease, rates, run->plan->freedoms);
}
