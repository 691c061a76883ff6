/* The kernels of the riccati method: tile_riccati.h and bush_riccati.h with a lane a thread, serial_riccati.h in one
 * thread. */
#include "kernels/cuda/lane32.h"

#include "kernels/bush_riccati.h"
#include "kernels/cuda/tasks.h"
#include "kernels/serial_riccati.h"
#include "kernels/tile_riccati.h"

extern "C" {

__global__ void __launch_bounds__(WARP) rct_plant_riccati(rct_device d)
{
    plant_bush<bush_riccati_condense>(&d);
}

__global__ void __launch_bounds__(PIECES) rct_add_sides_riccati(rct_device d)
{
    const rct_serial_kernels serial = SERIAL_RICCATI_TABLE;
    add_side_record(&d, &serial);
}

__global__ void __launch_bounds__(PIECES) rct_condense_riccati(rct_device d)
{
    condense_block<tile_riccati_span>(&d);
}

__global__ void __launch_bounds__(JOINERS) rct_join_riccati(rct_device d)
{
    join_block(&d);
    copy_hung(&d, RICCATI_FIELDS, 1);
}

__global__ void __launch_bounds__(JOINERS) rct_junction_riccati(rct_device d, int stage, double dt)
{
    const rct_serial_kernels serial = SERIAL_RICCATI_TABLE;
    junction_block(&d, &serial, stage, dt);
}

__global__ void __launch_bounds__(JOINERS) rct_part_riccati(rct_device d)
{
    part_block(&d);
    copy_hung(&d, RICCATI_FIELDS, 0);
}

__global__ void __launch_bounds__(PIECES) rct_accelerate_riccati(rct_device d, int stage, double dt)
{
    accelerate_block<tile_riccati_from_end>(&d, stage, dt);
}

__global__ void __launch_bounds__(WARP) rct_harvest_riccati(rct_device d, int stage, double dt)
{
    const rct_serial_kernels serial = SERIAL_RICCATI_TABLE;
    harvest_bush<bush_riccati_accelerate>(&d, &serial, stage, dt);
}

/* ---- launches ----------------------------------------------------------------------------- */

static cudaError_t prepare(void)
{
    static const void *const kernels[] = {
        (const void *)rct_plant_riccati,      (const void *)rct_add_sides_riccati,
        (const void *)rct_condense_riccati,   (const void *)rct_join_riccati,
        (const void *)rct_junction_riccati,   (const void *)rct_part_riccati,
        (const void *)rct_accelerate_riccati, (const void *)rct_harvest_riccati};
    return rct_make_ready(kernels, 8);
}

static cudaError_t plant(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_plant_riccati, (unsigned int)d->bushes.hanging, WARP, 0, stream, *d);
}

static cudaError_t add_sides(const rct_device *d, cudaStream_t stream)
{
    const unsigned int blocks = (unsigned int)(d->side_records + PIECES - 1) / PIECES;
    return RCT_LAUNCH(rct_add_sides_riccati, blocks, PIECES, 0, stream, *d);
}

static cudaError_t condense_pieces(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_condense_riccati, (unsigned int)d->blocks, PIECES, LOWER_SHARED, stream,
                      *d);
}

static cudaError_t join(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_join_riccati, 1, JOINERS, (size_t)d->upper_shared, stream, *d);
}

static cudaError_t junction(const rct_device *d, int stage, double dt, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_junction_riccati, 1, JOINERS, (size_t)d->upper_shared, stream, *d, stage,
                      dt);
}

static cudaError_t part(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_part_riccati, 1, JOINERS, (size_t)d->upper_shared, stream, *d);
}

static cudaError_t accelerate_pieces(const rct_device *d, int stage, double dt, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_accelerate_riccati, (unsigned int)d->blocks, PIECES,
                      LOWER_SHARED + ENDS_SHARED, stream, *d, stage, dt);
}

static cudaError_t harvest(const rct_device *d, int stage, double dt, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_harvest_riccati, (unsigned int)d->bushes.count, WARP, 0, stream, *d,
                      stage, dt);
}

const rct_device_method rct_device_riccati = {
    prepare, plant, add_sides, condense_pieces, join, junction, part, accelerate_pieces, harvest};
}
