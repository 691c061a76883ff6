/* States copied out on a stream of their own while the next steps run; coordinates and rates when
 * they are read. */
#include "backend/cuda/run.h"

#include "backend/gather.h"

#include <string.h>

/* Numbers of the states of all links in label order. */
static int64_t state_numbers(const rct_run *run)
{
    return rct_link_state(&run->plan->links, run->plan->links.count);
}

/* With coordinates and rates. */
static int64_t all_numbers(const rct_run *run)
{
    return state_numbers(run) + run->plan->coordinates + run->plan->freedoms;
}

/* Numbers of a trunk on the host, behind states in label order. */
static int64_t trunk_numbers(const rct_run *run)
{
    return run->junction == NULL ? run->packing->links.sheaves.slot : 0;
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

/* Makes what keeping needs, the first time. */
static rct_status prepare(rct_run *run, rct_error *error)
{
    rct_keep *keep = &run->keep;
    if (keep->numbers != NULL || !start(run)) {
        return RCT_OK; /* the run's trouble has the reason */
    }
    if (keep->device == NULL) {
        keep->device =
            rct_cuda_room(&run->lease, NULL, all_numbers(run) * (int64_t)sizeof(double), error);
    }
    keep->numbers =
        keep->device != NULL
            ? rct_cuda_pinned((state_numbers(run) + trunk_numbers(run)) * (int64_t)sizeof(double),
                              error)
            : NULL;
    return keep->numbers != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

/* Gathers everything as it is now, on the device; states of a trunk on the host go at once to where
 * they are kept. */
static int gather(rct_run *run)
{
    rct_keep *keep = &run->keep;
    double *coordinates = keep->device + state_numbers(run);
    double *rates = coordinates + run->plan->coordinates;
    memcpy(keep->numbers + state_numbers(run), run->packing->links.sheaves.state,
           (size_t)trunk_numbers(run) * sizeof(double));
    return rct_cuda_cross(run, (rct_across){.what = RCT_GATHER_STATE, .numbers = keep->device}) &&
           rct_cuda_cross(run, (rct_across){.what = RCT_TAKE_STATE,
                                            .slot = RCT_SLOT_STATE,
                                            .coordinates = coordinates,
                                            .rates = rates});
}

/* Waits for earlier copies, because what they read must not change. */
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
    const size_t bytes = (size_t)state_numbers(run) * sizeof(double);
    keep->busy =
        rct_cuda_good(&run->lease, cudaEventRecord(keep->gathered, run->lease.stream),
                      "keeping states") &&
        rct_cuda_good(&run->lease, cudaStreamWaitEvent(keep->stream, keep->gathered, 0),
                      "keeping states") &&
        rct_cuda_good(&run->lease,
                      cudaMemcpyAsync(keep->numbers, keep->device, bytes, cudaMemcpyDeviceToHost,
                                      keep->stream),
                      "keeping states") &&
        rct_cuda_good(&run->lease, cudaEventRecord(keep->copied, keep->stream), "keeping states");
    return RCT_OK;
}

/* Fetches `numbers` gathered numbers from place `from` on; `to` NULL: none. */
static int fetch(rct_run *run, double *to, int64_t from, int64_t numbers)
{
    return to == NULL ||
           rct_cuda_good(&run->lease,
                         cudaMemcpyAsync(to, run->keep.device + from, (size_t)numbers * sizeof *to,
                                         cudaMemcpyDeviceToHost, run->keep.stream),
                         "keeping states");
}

static void take_trunk(rct_run *run, double *state, double *coordinates, double *rates)
{
    rct_rows *links = &run->packing->links;
    double *present = links->sheaves.state;
    const int32_t count = links->sheaves.count;
    links->sheaves.state = run->keep.numbers + state_numbers(run);
    rct_gather_state(run->packing, links, 0, count, &(rct_arrays){.one = state});
    rct_take_coordinates(run->packing, links, 0, count,
                         &(rct_arrays){.one = coordinates, .two = rates});
    links->sheaves.state = present;
}

int rct_cuda_read_kept(rct_run *run, double *state, double *coordinates, double *rates)
{
    const rct_plan *plan = run->plan;
    const int64_t numbers = state_numbers(run);
    const int good =
        rct_cuda_here(&run->lease) && fetch(run, coordinates, numbers, plan->coordinates) &&
        fetch(run, rates, numbers + plan->coordinates, plan->freedoms) &&
        rct_cuda_good(&run->lease, cudaStreamSynchronize(run->keep.stream), "keeping states");
    run->keep.busy = 0;
    if (good) {
        memcpy(state, run->keep.numbers, (size_t)numbers * sizeof *state);
    }
    if (good && run->junction == NULL) {
        take_trunk(run, state, coordinates, rates);
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
