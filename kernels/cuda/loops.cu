/* States moved along the derivatives of rates, as closing loops on a trunk on the host asks for it. */
#define WITH_ROTORS 0

#include "kernels/cuda/lane32.h"

#include "kernels/laws/coordinate_step.h"

/* This thread's lane of row g. */
static __device__ __forceinline__ row_part part_of_lane(const rct_sheaves *own, int64_t g)
{
    return (row_part){.label = own->label + g * WARP,
                      .lanes = WARP,
                      .at = own->state_at[g] * WARP,
                      .rates = own->coordinates[g],
                      .kind = row_kind(own, g),
                      .where = ALL_LANES,
                      .whole = 0};
}

/* Sizes that are not negative have the order of their bits. */
static __device__ __forceinline__ void raise(double *to, double size)
{
    atomicMax((unsigned long long *)to, (unsigned long long)__double_as_longlong(size));
}

extern "C" {

/* A block each sheaf. */
__global__ void __launch_bounds__(WARP) rct_largest(rct_device d)
{
    const rct_sheaves own = sheaves_of_lane(&d);
    const int32_t sheaf = (int32_t)blockIdx.x;
    real most[2] = {0.0, 0.0};
    for (int64_t g = own.first_row[sheaf]; g < own.first_row[sheaf + 1]; g++) {
        const row_part p = part_of_lane(&own, g);
        largest_part(&p, own.state, row_derivatives(&own, sheaf, g, WARP), most);
    }
    raise(&d.moves->largest[0], most[0]);
    raise(&d.moves->largest[1], most[1]);
}

/* From the states to the sums of a step, which are free between steps. */
__global__ void __launch_bounds__(WARP) rct_move_states(rct_device d, rct_move by)
{
    const rct_sheaves own = sheaves_of_lane(&d);
    const int32_t sheaf = (int32_t)blockIdx.x;
    mask good = 1;
    for (int64_t g = own.first_row[sheaf]; g < own.first_row[sheaf + 1]; g++) {
        const row_part p = part_of_lane(&own, g);
        for (int64_t f = own.state_at[g]; f < own.state_at[g + 1]; f++) {
            own.sum[f * WARP] =
                own.state[f * WARP]; /* rows of several types have more than a lane needs */
        }
        good = good & move_part(&p, &by, own.state, row_derivatives(&own, sheaf, g, WARP), own.sum);
    }
    if (!good) {
        d.moves->refused = 1;
    }
}

/* ---- launches ------------------------------------------------------------------------------- */

cudaError_t rct_prepare_loops(void)
{
    static const void *const kernels[] = {(const void *)rct_largest, (const void *)rct_move_states};
    return rct_make_ready(kernels, 2);
}

cudaError_t rct_launch_largest(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_largest, (unsigned int)d->lanes.count, WARP, 0, stream, *d);
}

cudaError_t rct_launch_move(const rct_device *d, const rct_move *by, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_move_states, (unsigned int)d->lanes.count, WARP, 0, stream, *d, *by);
}
}
