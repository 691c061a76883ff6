/* Moves of the states of a run (backend.h), of lanes on the device, of a trunk on the host here:
 * along the derivatives of rates, where the trunk holds loops, and by slopes. The states before a
 * move lie where the sums of a step do, which are free between steps. */
#include "backend/cuda/run.h"

#include "backend/gather.h"

#include <math.h>

int rct_cuda_begin_moves(rct_run *run)
{
    *run->moves = (rct_device_moves){.refused = 0};
    return rct_cuda_here(&run->lease) &&
           rct_cuda_good(&run->lease,
                         cudaMemcpyAsync(run->device.moves, run->moves, sizeof *run->moves,
                                         cudaMemcpyHostToDevice, run->lease.stream),
                         "copying to it");
}

int rct_cuda_end_moves(rct_run *run)
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
    (void)(rct_cuda_begin_moves(run) &&
           rct_cuda_good(&run->lease, rct_launch_largest(&run->device, run->lease.stream),
                         "moving states") &&
           rct_cuda_end_moves(run));
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
    run->condensed = 0;
}

/* One system: no link has a share of its own. */
static int move(rct_run *run, const rct_move *by, int near)
{
    const rct_rows *links = &run->packing->links;
    (void)near;
    const int moved =
        rct_cuda_begin_moves(run) &&
        rct_cuda_good(&run->lease, rct_launch_move(&run->device, by, run->lease.stream),
                      "moving states") &&
        rct_cuda_end_moves(run) && run->moves->refused == 0 &&
        rct_move_coordinates(run->packing, links, 0, links->sheaves.count, &(rct_arrays){.by = by});
    if (moved) {
        exchange(run);
    }
    return moved;
}

/* ---- slopes ------------------------------------------------------------------------------- */

static void copy_slot(rct_run *run, int to, int from)
{
    const rct_sheaves *on_device[2] = {&run->device.lanes, &run->device.rows};
    int good = rct_cuda_here(&run->lease);
    for (int i = 0; i < (run->junction != NULL ? 2 : 1) && good; i++) {
        good = rct_cuda_send(&run->lease, rct_slot(on_device[i], to), rct_slot(on_device[i], from),
                             on_device[i]->slot, cudaMemcpyDeviceToDevice);
    }
    if (run->junction == NULL) {
        rct_copy_slot(&run->packing->links, to, from);
    }
    if (to == RCT_SLOT_STATE) {
        run->condensed = 0;
    }
}

static void weigh(rct_run *run, const rct_weighing *by)
{
    const rct_rows *links = &run->packing->links;
    (void)(rct_cuda_here(&run->lease) &&
           rct_cuda_good(&run->lease, rct_launch_weigh(&run->device, by, run->lease.stream),
                         "moving states"));
    if (run->junction == NULL) {
        rct_weigh_slopes(run->packing, links, 0, links->sheaves.count,
                         &(rct_arrays){.weighing = by});
    }
    run->condensed = 0;
}

static double size_of(rct_run *run, const rct_weighing *by, double length)
{
    const rct_rows *links = &run->packing->links;
    double size = (double)NAN;
    if (rct_cuda_begin_moves(run) &&
        rct_cuda_good(&run->lease,
                      rct_launch_size_slopes(&run->device, by, length, run->lease.stream),
                      "moving states") &&
        rct_cuda_end_moves(run)) {
        size = run->moves->largest[0];
    }
    return run->junction != NULL
               ? size
               : rct_slopes_size(links, 0, links->sheaves.count, by, length, size);
}

/* Possible where no trunk is on the host: then the device knows where the states of all links
 * are. */
static int hold(rct_run *run, const rct_holding *by)
{
    rct_holding whole = *by;
    whole.at = run->device_above;
    return run->device_above != NULL &&
           ((void)(rct_cuda_here(&run->lease) &&
                   rct_cuda_good(&run->lease,
                                 rct_launch_hold(&run->device, &whole, run->lease.stream),
                                 "moving states")),
            1);
}

const rct_slope_operations rct_cuda_slopes = {
    .copy = copy_slot,
    .weigh = weigh,
    .size = size_of,
    .put_rates = rct_cuda_put_rates,
    .take = rct_cuda_take_slot,
    .hold = hold,
    .read_efforts = rct_cuda_read_efforts,
    .write_derivatives = rct_cuda_write_derivatives,
};

const rct_move_operations rct_cuda_moves = {
    .largest = largest,
    .move = move,
    .move_back = exchange,
    .take_back = rct_cuda_take_back,
};
