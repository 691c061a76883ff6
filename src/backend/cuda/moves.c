/* States of a run whose trunk on the host holds loops, moved along the derivatives of rates (backend.h): of lanes on the device, of
 * the trunk here. Those of before lie where sums of a step do, which are free between steps. */
#include "backend/cuda/run.h"

#include "backend/gather.h"

/* What a launch has left there, to the host; 0: the device failed. */
static int begin(rct_run *run)
{
    *run->moves = (rct_device_moves){.refused = 0};
    return rct_cuda_here(&run->lease) &&
           rct_cuda_good(&run->lease,
                         cudaMemcpyAsync(run->device.moves, run->moves, sizeof *run->moves,
                                         cudaMemcpyHostToDevice, run->lease.stream),
                         "copying to it");
}

static int end(rct_run *run)
{
    return rct_cuda_good(&run->lease,
                         cudaMemcpyAsync(run->moves, run->device.moves, sizeof *run->moves,
                                         cudaMemcpyDeviceToHost, run->lease.stream),
                         "copying from it") &&
           rct_cuda_wait(&run->lease, "moving states");
}

static void largest(rct_run *run, double sizes[2])
{
    const rct_rows *links = &run->packing->links;
    (void)(begin(run) &&
           rct_cuda_good(&run->lease, rct_launch_largest(&run->device, run->lease.stream),
                         "moving states") &&
           end(run));
    for (int i = 0; i < 2; i++) {
        sizes[i] = run->moves->largest[i];
    }
    rct_largest_derivatives(links, 0, links->sheaves.count, sizes);
    rct_cuda_blank_if_lost(&run->lease, sizes, 2);
}

/* The other states become those of the run. */
static void exchange(rct_run *run)
{
    double *was = run->device.lanes.state;
    run->device.lanes.state = run->device.lanes.sum;
    run->device.lanes.sum = was;
    rct_take_moved(run->packing);
    run->condensed = run->copied = 0;
}

/* One system: nobody has a share of his own. */
static int move(rct_run *run, const rct_move *by, int near)
{
    const rct_rows *links = &run->packing->links;
    (void)near;
    const int moved =
        begin(run) &&
        rct_cuda_good(&run->lease, rct_launch_move(&run->device, by, run->lease.stream),
                      "moving states") &&
        end(run) && run->moves->refused == 0 &&
        rct_move_coordinates(run->packing, links, 0, links->sheaves.count, &(rct_arrays){.by = by});
    if (moved) {
        exchange(run);
    }
    return moved;
}

const rct_move_operations rct_cuda_moves = {
    .largest = largest,
    .move = move,
    .move_back = exchange,
    .take_back = rct_cuda_take_back,
};
