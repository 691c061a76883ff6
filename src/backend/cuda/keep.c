/* States copied out on a stream of their own, while the next steps run. */
#include "backend/cuda/run.h"

#include "backend/gather.h"

#include <string.h>

static int64_t lane_numbers(const rct_run *run)
{
    const rct_rows *r = &run->packing->lanes;
    return r->state_at[r->rows] * WARP;
}

/* Of the links of the trunk, behind those of lanes. */
static int64_t link_numbers(const rct_run *run)
{
    const rct_rows *r = &run->packing->links;
    return r->state_at[r->rows];
}

static int64_t bytes_of(const rct_run *run)
{
    return (lane_numbers(run) + link_numbers(run)) * (int64_t)sizeof(double);
}

static int start(rct_run *run)
{
    rct_keep *keep = &run->keep;
    return keep->copied != NULL ||
           (rct_cuda_here(&run->lease) &&
            rct_cuda_good(&run->lease,
                          cudaStreamCreateWithFlags(&keep->stream, cudaStreamNonBlocking),
                          "starting") &&
            rct_cuda_good(&run->lease,
                          cudaEventCreateWithFlags(&keep->gathered, cudaEventDisableTiming),
                          "starting") &&
            rct_cuda_good(&run->lease,
                          cudaEventCreateWithFlags(&keep->copied, cudaEventDisableTiming),
                          "starting"));
}

/* What it takes to keep, when it is first asked for. */
static rct_status prepare(rct_run *run, rct_error *error)
{
    rct_keep *keep = &run->keep;
    if (keep->numbers != NULL || !start(run)) {
        return RCT_OK; /* the run's trouble tells */
    }
    if (keep->device == NULL) {
        keep->device = rct_cuda_room(&run->lease, NULL, bytes_of(run), error);
    }
    keep->numbers = keep->device != NULL ? rct_cuda_pinned(bytes_of(run), error) : NULL;
    return keep->numbers != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

/* All states as they are now, on the device; those of a trunk on the host at once to where they are kept. */
static int gather(rct_run *run)
{
    rct_keep *keep = &run->keep;
    const rct_rows *links = &run->packing->links;
    const int64_t lanes = lane_numbers(run);
    if (run->junction == NULL) {
        memcpy(keep->numbers + lanes, links->sheaves.state,
               (size_t)link_numbers(run) * sizeof(double));
    }
    return rct_cuda_send(&run->lease, keep->device, run->device.lanes.state, lanes,
                         cudaMemcpyDeviceToDevice) &&
           (run->junction == NULL ||
            rct_cuda_send(&run->lease, keep->device + lanes, run->device.rows.state,
                          link_numbers(run), cudaMemcpyDeviceToDevice));
}

/* What an earlier copy still reads must not change. */
static int await(rct_run *run)
{
    return !run->keep.busy ||
           rct_cuda_good(&run->lease, cudaEventSynchronize(run->keep.copied), "keeping states");
}

rct_status rct_cuda_keep(rct_run *run, rct_error *error)
{
    rct_keep *keep = &run->keep;
    const rct_status status = prepare(run, error);
    if (status != RCT_OK || run->lease.trouble[0] != '\0' || !rct_cuda_here(&run->lease) ||
        !await(run) || !gather(run)) {
        return status;
    }
    const int64_t numbers = lane_numbers(run) + (run->junction != NULL ? link_numbers(run) : 0);
    keep->busy =
        rct_cuda_good(&run->lease, cudaEventRecord(keep->gathered, run->lease.stream),
                      "keeping states") &&
        rct_cuda_good(&run->lease, cudaStreamWaitEvent(keep->stream, keep->gathered, 0),
                      "keeping states") &&
        rct_cuda_good(&run->lease,
                      cudaMemcpyAsync(keep->numbers, keep->device, (size_t)numbers * sizeof(double),
                                      cudaMemcpyDeviceToHost, keep->stream),
                      "keeping states") &&
        rct_cuda_good(&run->lease, cudaEventRecord(keep->copied, keep->stream), "keeping states");
    return RCT_OK;
}

/* Through the host's packing, whose states are a copy, but those of a trunk on the host. */
int rct_cuda_read_kept(rct_run *run, double *state, double *coordinates, double *rates)
{
    rct_rows *lanes = &run->packing->lanes, *links = &run->packing->links;
    double *present = links->sheaves.state;
    const int good =
        rct_cuda_good(&run->lease, cudaEventSynchronize(run->keep.copied), "keeping states");
    run->keep.busy = 0;
    run->copied = 0;
    if (good) {
        memcpy(lanes->sheaves.state, run->keep.numbers, (size_t)lane_numbers(run) * sizeof(double));
        links->sheaves.state = run->keep.numbers + lane_numbers(run);
        rct_cross(run->packing, rct_gather_state, &(rct_arrays){.one = state});
        rct_cuda_take_coordinates(run, coordinates, rates);
        links->sheaves.state = present;
    }
    return good;
}

void rct_cuda_keep_free(rct_run *run)
{
    rct_keep *keep = &run->keep;
    if (keep->stream != NULL) {
        cudaStreamSynchronize(keep->stream);
        cudaStreamDestroy(keep->stream);
    }
    if (keep->gathered != NULL) {
        cudaEventDestroy(keep->gathered);
    }
    if (keep->copied != NULL) {
        cudaEventDestroy(keep->copied);
    }
    cudaFreeHost(keep->numbers);
}
