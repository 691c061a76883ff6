/* States and results between the device and label order, through the host's copies of tiles, bushes and
 * nodes (backend/holding.h). */
#include "backend/cuda/holding.h"
#include "backend/cuda/run.h"

static rct_holding held(const rct_run *run)
{
    return (rct_holding){.plan = run->plan,
                         .method = run->method,
                         .serial = run->serial,
                         .partition = run->layout->whole,
                         .state = run->trunk.state,
                         .work = run->trunk.work,
                         .packing = run->layout->packing,
                         .planted = run->layout->planted};
}

static void copy(rct_run *run, double *host, double *device, int64_t numbers,
                 enum cudaMemcpyKind kind)
{
    const int out = kind == cudaMemcpyDeviceToHost;
    rct_cuda_good(&run->lease,
                  cudaMemcpyAsync(out ? host : device, out ? device : host,
                                  (size_t)numbers * sizeof *host, kind, run->lease.stream),
                  "copying states or results");
}

static void copy_states(rct_run *run, enum cudaMemcpyKind kind)
{
    const rct_tiles *tiles = &run->layout->packing->tiles;
    const rct_bushes *bushes = &run->layout->planted->bushes;
    copy(run, tiles->state, run->device.tiles.state, tiles->steps * STATE_FIELDS * WARP, kind);
    copy(run, bushes->state, run->device.bushes.state, bushes->waves * STATE_FIELDS * WARP, kind);
    if (!run->junction_on_host) {
        copy(run, run->trunk.state, run->device.trunk.state,
             (int64_t)run->trunk.links.count * STATE_FIELDS, kind);
    }
    rct_cuda_good(&run->lease, cudaStreamSynchronize(run->lease.stream), "copying states");
}

void rct_cuda_write_state(rct_run *run, const double *state)
{
    const rct_holding holding = held(run);
    rct_holding_scatter(&holding, state);
    copy_states(run, cudaMemcpyHostToDevice);
}

void rct_cuda_read_state(const rct_run *run, double *state)
{
    const rct_holding holding = held(run);
    copy_states((rct_run *)run, cudaMemcpyDeviceToHost); /* the host's copy, not the state */
    rct_holding_gather(&holding, state);
    rct_cuda_blank_if_lost(&run->lease, state, (int64_t)run->plan->links.count * STATE_FIELDS);
}

static void fetch_results(rct_run *run)
{
    const rct_tiles *tiles = &run->layout->packing->tiles;
    const rct_bushes *bushes = &run->layout->planted->bushes;
    const enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost;
    copy(run, tiles->results, run->device.tiles.results, tiles->steps * RESULT_FIELDS * WARP, kind);
    copy(run, bushes->results, run->device.bushes.results, bushes->waves * RESULT_FIELDS * WARP,
         kind);
    if (!run->junction_on_host) {
        copy(run, run->trunk.work, run->device.trunk.work,
             (int64_t)run->trunk.links.count * run->serial->work_fields, kind);
    }
    copy_states(run, kind);
}

void rct_cuda_read_accelerations(const rct_run *run, double *accelerations)
{
    const rct_holding holding = held(run);
    fetch_results((rct_run *)run);
    rct_holding_read_accelerations(&holding, accelerations);
    rct_cuda_blank_if_lost(&run->lease, accelerations, (int64_t)run->plan->links.count * 6);
}

void rct_cuda_read_forces(const rct_run *run, double *forces)
{
    const rct_holding holding = held(run);
    fetch_results((rct_run *)run);
    rct_holding_read_forces(&holding, forces);
    rct_cuda_blank_if_lost(&run->lease, forces, (int64_t)run->plan->links.count * 6);
}
