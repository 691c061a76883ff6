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

static cudaError_t condense_pieces(const rct_device *d, cudaStream_t stream)
{
    return d->blocks > 0 ? RCT_LAUNCH(rct_condense_riccati, blocks_of(d), PIECES, 0, stream, *d)
                         : cudaSuccess;
}

static cudaError_t join(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_join_riccati, 1, JOINERS, 0, stream, *d);
}

static cudaError_t junction(const rct_device *d, int stage, double dt, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_junction_riccati, 1, JOINERS, 0, stream, *d, stage, dt);
}

static cudaError_t part(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_part_riccati, 1, JOINERS, 0, stream, *d);
}

static cudaError_t accelerate_pieces(const rct_device *d, int stage, double dt, cudaStream_t stream)
{
    return d->blocks > 0
               ? RCT_LAUNCH(rct_accelerate_riccati, blocks_of(d), PIECES, 0, stream, *d, stage, dt)
               : cudaSuccess;
}

const rct_device_method rct_device_riccati = {condense_pieces, join, junction, part,
                                              accelerate_pieces};
}
