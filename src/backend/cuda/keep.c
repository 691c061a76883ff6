/* States and points copied out on a stream of their own, while the next steps run. */
#include "backend/cuda/run.h"

#include <string.h>

static int64_t numbers_of(const rct_run *run)
{
    return run->plan->links.count * (STATE_FIELDS + 6);
}

/* What it takes to keep, when it is first asked for. */
static rct_status prepare(rct_run *run, rct_error *error)
{
    rct_keep *keep = &run->keep;
    if (keep->numbers != NULL) {
        return RCT_OK;
    }
    if (keep->copied == NULL &&
        !(rct_cuda_here(&run->lease) &&
          rct_cuda_good(&run->lease,
                        cudaStreamCreateWithFlags(&keep->stream, cudaStreamNonBlocking),
                        "starting") &&
          rct_cuda_good(&run->lease,
                        cudaEventCreateWithFlags(&keep->gathered, cudaEventDisableTiming),
                        "starting") &&
          rct_cuda_good(&run->lease,
                        cudaEventCreateWithFlags(&keep->copied, cudaEventDisableTiming),
                        "starting"))) {
        return RCT_OK; /* the run's trouble tells */
    }
    keep->numbers = rct_cuda_pinned(numbers_of(run) * (int64_t)sizeof(double), error);
    return keep->numbers != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

rct_status rct_cuda_keep(rct_run *run, rct_error *error)
{
    rct_keep *keep = &run->keep;
    const rct_status status = prepare(run, error);
    if (status != RCT_OK || run->lease.trouble[0] != '\0' || !rct_cuda_find_points(run)) {
        return status;
    }
    const size_t links = (size_t)run->plan->links.count, one = sizeof(double);
    double *points = keep->numbers + links * STATE_FIELDS;
    keep->busy =
        rct_cuda_good(&run->lease, cudaEventRecord(keep->gathered, run->lease.stream),
                      "keeping states") &&
        rct_cuda_good(&run->lease, cudaStreamWaitEvent(keep->stream, keep->gathered, 0),
                      "keeping states") &&
        rct_cuda_good(&run->lease,
                      cudaMemcpyAsync(keep->numbers, run->measure.state, links * STATE_FIELDS * one,
                                      cudaMemcpyDeviceToHost, keep->stream),
                      "keeping states") &&
        rct_cuda_good(&run->lease,
                      cudaMemcpyAsync(points, run->measure.points[0], links * 6 * one,
                                      cudaMemcpyDeviceToHost, keep->stream),
                      "keeping states") &&
        rct_cuda_good(&run->lease, cudaEventRecord(keep->copied, keep->stream), "keeping states");
    return RCT_OK;
}

int rct_cuda_read_kept(rct_run *run, double *state, double *points)
{
    const size_t links = (size_t)run->plan->links.count, one = sizeof(double);
    const int good =
        rct_cuda_good(&run->lease, cudaEventSynchronize(run->keep.copied), "keeping states");
    run->keep.busy = 0;
    if (good) {
        memcpy(state, run->keep.numbers, links * STATE_FIELDS * one);
        memcpy(points, run->keep.numbers + links * STATE_FIELDS, links * 6 * one);
    }
    return good;
}

int rct_cuda_await_kept(rct_run *run)
{
    return !run->keep.busy ||
           rct_cuda_good(&run->lease, cudaStreamWaitEvent(run->lease.stream, run->keep.copied, 0),
                         "keeping states");
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
