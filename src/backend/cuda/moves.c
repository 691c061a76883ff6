/* States of a run moved (backend.h), of lanes on the device, of a trunk on the host here: along the derivatives of rates, where that
 * holds loops, and by slopes. States of before a move lie where sums of a step do, which are free between steps. */
#include "backend/cuda/run.h"

#include "backend/gather.h"

#include <math.h>

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
        run->condensed = run->copied = 0;
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
    run->condensed = run->copied = 0;
    run->pushed = run->pushed || by->stage != RCT_STAGE_EXPLICIT;
}

static double size_of(rct_run *run, const rct_weighing *by, double length)
{
    const rct_rows *links = &run->packing->links;
    double size = (double)NAN;
    if (begin(run) &&
        rct_cuda_good(&run->lease,
                      rct_launch_size_slopes(&run->device, by, length, run->lease.stream),
                      "moving states") &&
        end(run)) {
        size = run->moves->largest[0];
    }
    return run->junction != NULL
               ? size
               : rct_slopes_size(links, 0, links->sheaves.count, by, length, size);
}

/* Numbers of slots cross where those of states that are put beside these do. */
static int cross_slot(rct_run *run, int slot, int to_device)
{
    const rct_rows *rows[2] = {&run->packing->lanes, &run->packing->links};
    const rct_sheaves *there[2] = {&run->device.lanes, &run->device.rows};
    const enum cudaMemcpyKind kind = to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    int good = rct_cuda_here(&run->lease);
    for (int i = 0; i < (run->junction != NULL ? 2 : 1) && good; i++) {
        double *host = rows[i]->sheaves.base, *device = rct_slot(there[i], slot);
        good = rct_cuda_send(&run->lease, to_device ? device : host, to_device ? host : device,
                             there[i]->slot, kind);
    }
    return good && rct_cuda_wait(&run->lease, "copying stages");
}

static void put_rates(rct_run *run, int slot, const double *of_coordinates, const double *of_rates)
{
    rct_cross(
        run->packing, rct_put_rates,
        &(rct_arrays){.one = (double *)of_coordinates, .two = (double *)of_rates, .slot = slot});
    rct_cuda_expect_loads(run);
    (void)cross_slot(run, slot, 1);
}

static void take(rct_run *run, int slot, double *coordinates, double *rates)
{
    rct_cuda_copy_states(run);
    (void)cross_slot(run, slot, 0);
    rct_cross(run->packing, rct_take_slot,
              &(rct_arrays){.one = coordinates, .two = rates, .slot = slot});
    rct_cuda_blank_if_lost(&run->lease, coordinates, run->plan->coordinates);
    rct_cuda_blank_if_lost(&run->lease, rates, run->plan->freedoms);
}

/* Where the states of links are is known on the device where no trunk is on the host. */
static int hold(rct_run *run, const rct_holding *by)
{
    rct_holding whole = *by;
    whole.at = run->device_above;
    run->pushed = 1;
    return run->device_above != NULL &&
           ((void)(rct_cuda_here(&run->lease) &&
                   rct_cuda_good(&run->lease,
                                 rct_launch_hold(&run->device, &whole, run->lease.stream),
                                 "moving states")),
            1);
}

static void read_efforts(rct_run *run, const int32_t *links, int32_t count, double *efforts)
{
    rct_cuda_fetch_loads(run);
    rct_gather_efforts(run->packing, links, count, efforts);
}

static void write_derivatives(rct_run *run, const double *derivatives)
{
    rct_cross(run->packing, rct_put_derivatives, &(rct_arrays){.one = (double *)derivatives});
    rct_cuda_send_results(run);
}

const rct_slope_operations rct_cuda_slopes = {
    .copy = copy_slot,
    .weigh = weigh,
    .size = size_of,
    .put_rates = put_rates,
    .take = take,
    .hold = hold,
    .read_efforts = read_efforts,
    .write_derivatives = write_derivatives,
};

const rct_move_operations rct_cuda_moves = {
    .largest = largest,
    .move = move,
    .move_back = exchange,
    .take_back = rct_cuda_take_back,
};
