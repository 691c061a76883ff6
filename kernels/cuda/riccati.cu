/* The kernels of the riccati method: tile_riccati.h with a lane a thread, serial_riccati.h in one thread. */
#include "kernels/cuda/lane32.h"

#include "kernels/cuda/segments.h"
#include "kernels/serial_riccati.h"
#include "kernels/tile_riccati.h"

extern "C" {

__global__ void __launch_bounds__(PIECES) rct_condense_riccati(rct_device d)
{
    condense_block<tile_riccati_condense>(&d);
}

__global__ void __launch_bounds__(JOINERS) rct_join_riccati(rct_device d)
{
    join_block(&d);
}

__global__ void __launch_bounds__(JOINERS) rct_junction_riccati(rct_device d, int stage, double dt)
{
    const rct_serial_kernels serial = SERIAL_RICCATI_TABLE;
    junction_block(&d, &serial, stage, dt);
}

__global__ void __launch_bounds__(JOINERS) rct_part_riccati(rct_device d)
{
    part_block(&d);
}

__global__ void __launch_bounds__(PIECES) rct_accelerate_riccati(rct_device d, int stage, double dt)
{
    accelerate_block<tile_riccati_accelerate>(&d, stage, dt);
}
}
