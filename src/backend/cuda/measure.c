/* Points, energies and momenta of a run, computed on the device (kernels/cuda/measure.h). */
#include "kernels/measure.h"
#include "backend/cuda/run.h"

/* States in label order on the device. */
static int gather(rct_run *run)
{
    const int64_t nodes = (int64_t)run->trunk.links.count * STATE_FIELDS;
    if (!rct_cuda_here(&run->lease) || !rct_cuda_await_kept(run)) {
        return 0;
    }
    if (run->junction_on_host &&
        !rct_cuda_good(&run->lease,
                       cudaMemcpyAsync(run->device.trunk.state, run->trunk.state,
                                       (size_t)nodes * sizeof(double), cudaMemcpyHostToDevice,
                                       run->lease.stream),
                       "copying states to it")) {
        return 0;
    }
    return rct_cuda_good(&run->lease,
                         rct_device_gather(&run->device, &run->measure, run->lease.stream),
                         "gathering states");
}

int rct_cuda_find_points(rct_run *run)
{
    return gather(run) &&
           rct_cuda_good(&run->lease,
                         rct_device_points(&run->measure, run->plan->depth, run->lease.stream),
                         "finding hinge points");
}

static void fetch(rct_run *run, double *to, const double *from, int64_t numbers, const char *doing)
{
    if (rct_cuda_good(&run->lease,
                      cudaMemcpyAsync(to, from, (size_t)numbers * sizeof *to,
                                      cudaMemcpyDeviceToHost, run->lease.stream),
                      "copying from it")) {
        rct_cuda_good(&run->lease, cudaStreamSynchronize(run->lease.stream), doing);
    }
    rct_cuda_blank_if_lost(&run->lease, to, numbers);
}

void rct_cuda_read_points(const rct_run *run, double *points)
{
    rct_run *own = (rct_run *)run; /* its work, not its state */
    rct_cuda_find_points(own);
    fetch(own, points, run->measure.points[0], 6 * (int64_t)run->plan->links.count,
          "finding hinge points");
}

void rct_cuda_set_reference(rct_run *run)
{
    if (gather(run)) {
        rct_cuda_good(&run->lease, rct_device_reference(&run->measure, run->lease.stream),
                      "measuring");
    }
}

void rct_cuda_sums(rct_run *run, rct_sums *sums)
{
    double total[MEASURES];
    if (rct_cuda_find_points(run)) {
        rct_cuda_good(&run->lease, rct_device_sums(&run->measure, run->lease.stream), "measuring");
    }
    fetch(run, total, run->measure.total, MEASURES, "measuring");
    rct_sums_of(total, sums);
}
