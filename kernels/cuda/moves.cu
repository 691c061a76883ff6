/* States moved: along the derivatives of rates, for closing loops, and by slopes, for integrators
 * with error control. */
#define WITH_ROTORS 0

#include "kernels/cuda/each_link.h"

#include "kernels/laws/hold_step.h"
#include "kernels/laws/slope_step.h"

/* Sizes that are not negative are ordered as their bits are. */
static __device__ __forceinline__ void raise(double *to, double size)
{
    atomicMax((unsigned long long *)to, (unsigned long long)__double_as_longlong(size));
}

extern "C" {

__global__ void __launch_bounds__(MOVERS *WARP) rct_largest(rct_device d)
{
    real most[2] = {0.0, 0.0};
    each_link(
        d, [&](const link_here &l) { largest_part(&l.p, l.s->state, derivatives_here(l), most); });
    raise(&d.moves->largest[0], most[0]);
    raise(&d.moves->largest[1], most[1]);
}

/* From the states to the sums of a step, which are free between steps. Rows of several types have
 * more numbers than a lane needs. */
__global__ void __launch_bounds__(MOVERS *WARP) rct_move_states(rct_device d, rct_move by)
{
    mask good = 1;
    each_link(d, [&](const link_here &l) {
        for (int64_t f = l.s->state_at[l.g]; f < l.s->state_at[l.g + 1]; f++) {
            l.s->sum[f * l.lanes] = l.s->state[f * l.lanes];
        }
        good = good & move_part(&l.p, &by, l.s->state, derivatives_here(l), l.s->sum);
    });
    if (!good) {
        d.moves->refused = 1;
    }
}

__global__ void __launch_bounds__(MOVERS *WARP, 2) rct_weigh(rct_device d, rct_weighing by)
{
    each_link(d, [&](const link_here &l) {
        weigh_part(&l.p, l.s, &by, derivatives_here(l), l.s->loads + l.g * LOAD_FIELDS * l.lanes);
    });
}

__global__ void __launch_bounds__(MOVERS *WARP)
    rct_size_slopes(rct_device d, rct_weighing by, double length)
{
    error_size most = {0.0, 0.0};
    each_link(d, [&](const link_here &l) {
        size_part(&l.p, l.s, &by, derivatives_here(l), length, &most);
    });
    raise(&d.moves->largest[0], error_size_of(most));
}

/* How the link or ground at `at` turns. */
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

/* Moments at ball hinges. Neutral lanes hang on the ground. */
__global__ void __launch_bounds__(MOVERS *WARP) rct_hold(rct_device d, rct_holding by)
{
    each_link(d, [&](const link_here &l) {
        mat3 axes;
        const hold_turning own = hold_turning_at(l.s, l.g, l.lanes, 0, &axes);
        const hold_turning above = above_at(&d, &by, by.at[l.index]);
        hold_row(l.s, l.g, l.lanes, 0, &own, &above, axes, by.delta);
    });
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
    return RCT_LAUNCH(rct_largest, blocks_of_links(d), MOVERS * WARP, 0, stream, *d);
}

cudaError_t rct_launch_move(const rct_device *d, const rct_move *by, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_move_states, blocks_of_links(d), MOVERS * WARP, 0, stream, *d, *by);
}

cudaError_t rct_launch_weigh(const rct_device *d, const rct_weighing *by, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_weigh, blocks_of_links(d), MOVERS * WARP, 0, stream, *d, *by);
}

cudaError_t rct_launch_size_slopes(const rct_device *d, const rct_weighing *by, double length,
                                   cudaStream_t stream)
{
    return RCT_LAUNCH(rct_size_slopes, blocks_of_links(d), MOVERS * WARP, 0, stream, *d, *by,
                      length);
}

cudaError_t rct_launch_hold(const rct_device *d, const rct_holding *by, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_hold, blocks_of_links(d), MOVERS * WARP, 0, stream, *d, *by);
}
}
