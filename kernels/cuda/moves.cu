/* States moved: along the derivatives of rates, as closing loops on a trunk on the host asks for it, and by slopes, as integrators with
 * error control do. */
#define WITH_ROTORS 0

#include "kernels/cuda/lane32.h"

#include "kernels/laws/hold_step.h"
#include "kernels/laws/slope_step.h"

/* A block each sheaf; its warps share the rows. */
enum { MOVERS = 8 };

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

/* The link of the trunk that is row g. */
static __device__ __forceinline__ row_part part_of_link(const rct_sheaves *rows, int64_t g)
{
    return (row_part){.label = rows->label + g,
                      .lanes = 1,
                      .at = rows->state_at[g],
                      .rates = rows->coordinates[g],
                      .kind = rows->kinds[g],
                      .where = ALL_LANES,
                      .whole = 0};
}

/* Sizes that are not negative have the order of their bits. */
static __device__ __forceinline__ void raise(double *to, double size)
{
    atomicMax((unsigned long long *)to, (unsigned long long)__double_as_longlong(size));
}

extern "C" {

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

/* Blocks behind those of sheaves: links of a trunk on the device, a thread each. */
__global__ void __launch_bounds__(MOVERS *WARP, 2) rct_weigh(rct_device d, rct_weighing by)
{
    const rct_sheaves own = sheaves_of_lane(&d);
    const int32_t sheaf = (int32_t)blockIdx.x;
    if (sheaf < own.count) {
        for (int64_t g = own.first_row[sheaf] + threadIdx.x / WARP; g < own.first_row[sheaf + 1];
             g += MOVERS) {
            const row_part p = part_of_lane(&own, g);
            weigh_part(&p, &own, &by, row_derivatives(&own, sheaf, g, WARP),
                       own.loads + g * LOAD_FIELDS * WARP);
        }
        return;
    }
    for (int32_t g = (int32_t)threadIdx.x; g < d.rows.count; g += MOVERS * WARP) {
        const row_part p = part_of_link(&d.rows, g);
        weigh_part(&p, &d.rows, &by, row_derivatives(&d.rows, g, g, 1),
                   d.rows.loads + g * LOAD_FIELDS);
    }
}

__global__ void __launch_bounds__(MOVERS *WARP)
    rct_size_slopes(rct_device d, rct_weighing by, double length)
{
    const rct_sheaves own = sheaves_of_lane(&d);
    const int32_t sheaf = (int32_t)blockIdx.x;
    error_size most = {0.0, 0.0};
    if (sheaf < own.count) {
        for (int64_t g = own.first_row[sheaf] + threadIdx.x / WARP; g < own.first_row[sheaf + 1];
             g += MOVERS) {
            const row_part p = part_of_lane(&own, g);
            size_part(&p, &own, &by, row_derivatives(&own, sheaf, g, WARP), length, &most);
        }
    } else {
        for (int32_t g = (int32_t)threadIdx.x; g < d.rows.count; g += MOVERS * WARP) {
            const row_part p = part_of_link(&d.rows, g);
            size_part(&p, &d.rows, &by, row_derivatives(&d.rows, g, g, 1), length, &most);
        }
    }
    raise(&d.moves->largest[0], error_size_of(most));
}

/* How what hangs at `at` turns. */
static __device__ __forceinline__ hold_turning above_at(const rct_device *d, const rct_holding *by,
                                                        int64_t at)
{
    mat3 axes;
    if (at == RCT_ON_GROUND) {
        return hold_ground(by);
    }
    return at < 0 ? hold_turning_at(&d->rows, ~at, 1, 0, &axes)
                  : hold_turning_at(&d->lanes, at / WARP, WARP, at % WARP, &axes);
}

/* Moments at ball hinges; blocks as above. */
__global__ void __launch_bounds__(MOVERS *WARP) rct_hold(rct_device d, rct_holding by)
{
    const int64_t rows = d.lanes.first_row[d.lanes.count];
    const int32_t sheaf = (int32_t)blockIdx.x;
    mat3 axes;
    if (sheaf < d.lanes.count) {
        for (int64_t g = d.lanes.first_row[sheaf] + threadIdx.x / WARP;
             g < d.lanes.first_row[sheaf + 1]; g += MOVERS) {
            const hold_turning own = hold_turning_at(&d.lanes, g, WARP, lane_member(), &axes);
            const hold_turning above = above_at(&d, &by, by.at[g * WARP + lane_member()]);
            hold_row(&d.lanes, g, WARP, lane_member(), &own, &above, axes, by.delta);
        }
        return;
    }
    for (int32_t g = (int32_t)threadIdx.x; g < d.rows.count; g += MOVERS * WARP) {
        const hold_turning own = hold_turning_at(&d.rows, g, 1, 0, &axes);
        const hold_turning above = above_at(&d, &by, by.at[rows * WARP + g]);
        hold_row(&d.rows, g, 1, 0, &own, &above, axes, by.delta);
    }
}

/* ---- launches ------------------------------------------------------------------------------- */

cudaError_t rct_prepare_moves(void)
{
    static const void *const kernels[] = {(const void *)rct_largest, (const void *)rct_move_states,
                                          (const void *)rct_weigh, (const void *)rct_size_slopes,
                                          (const void *)rct_hold};
    return rct_make_ready(kernels, 5);
}

cudaError_t rct_launch_largest(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_largest, (unsigned int)d->lanes.count, WARP, 0, stream, *d);
}

cudaError_t rct_launch_move(const rct_device *d, const rct_move *by, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_move_states, (unsigned int)d->lanes.count, WARP, 0, stream, *d, *by);
}

static unsigned int blocks_of(const rct_device *d)
{
    return (unsigned int)d->lanes.count + (d->rows.count > 0 ? 1 : 0);
}

cudaError_t rct_launch_weigh(const rct_device *d, const rct_weighing *by, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_weigh, blocks_of(d), MOVERS * WARP, 0, stream, *d, *by);
}

cudaError_t rct_launch_size_slopes(const rct_device *d, const rct_weighing *by, double length,
                                   cudaStream_t stream)
{
    return RCT_LAUNCH(rct_size_slopes, blocks_of(d), MOVERS * WARP, 0, stream, *d, *by, length);
}

cudaError_t rct_launch_hold(const rct_device *d, const rct_holding *by, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_hold, blocks_of(d), MOVERS * WARP, 0, stream, *d, *by);
}
}
