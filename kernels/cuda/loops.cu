/* What closing loops on a trunk on the host asks for besides sweeps: how far what lies between its nodes reaches, so that their poses
 * are known, and states moved along the derivatives of rates. */
#define WITH_ROTORS 0

#include "kernels/cuda/lane32.h"

#include "kernels/laws/coordinate_step.h"
#include "kernels/sweeps/table.h"

/* ---- reach ---------------------------------------------------------------------------------- */

static __device__ __forceinline__ const double *record_of_piece(const rct_device *d, int32_t piece)
{
    const int32_t sheaf = d->lanes.first_sheaf[d->lanes.bushes + piece / WARP];
    return d->lanes.paths + d->lanes.path_at[sheaf] * WARP + piece % WARP;
}

/* From the first absolute hinge of a piece to its last link, and how fast that moves against it; with the way from the end of
 * the piece before to that hinge, unless it begins the run. */
static __device__ __forceinline__ link_pose way_of_piece(const rct_device *d, int32_t piece,
                                                         int32_t first)
{
    link_pose up = link_pose_none();
    if (piece > first) {
        const double *before = record_of_piece(d, piece - 1) + (int64_t)PATH_PRODUCT * WARP;
        up.frame = (link_frame){mat3_load(before, WARP), vec3_load(before + 9 * WARP, WARP)};
        return path_end_pose(record_of_piece(d, piece), WARP, &up);
    }
    const double *onward = record_of_piece(d, piece) + (int64_t)PATH_ONWARD * WARP;
    up.position = vec3_load(onward, WARP);
    up.velocity = vec3_load(onward + 3 * WARP, WARP);
    return up;
}

/* The record of a run, of the first and the last of its pieces and the sum of all ways. */
static __device__ __forceinline__ void leave_run(const rct_device *d, int32_t run,
                                                 const double way[6])
{
    double *whole = d->lanes.paths + d->runs.record[run];
    const double *first = record_of_piece(d, d->runs.first_piece[run]);
    const double *last = record_of_piece(d, d->runs.first_piece[run + 1] - 1);
    for (int64_t f = PATH_PRODUCT; f <= PATH_ABSOLUTE; f++) {
        whole[f * WARP] = last[f * WARP];
    }
    for (int64_t f = 0; f < 6; f++) {
        whole[(PATH_REACH + f) * WARP] = first[(PATH_REACH + f) * WARP];
        whole[(PATH_ONWARD + f) * WARP] = way[f];
    }
}

extern "C" {

/* Frames and reach of the last links of segments. */
__global__ void __launch_bounds__(WARP) rct_span(rct_device d)
{
    const rct_sheaves own = sheaves_of_lane(&d);
    sweep_span(&own, own.bushes + (int32_t)blockIdx.x);
}

/* Those of runs: a block each, whose threads add up. */
__global__ void __launch_bounds__(JOINERS) rct_reach_runs(rct_device d)
{
    RCT_SHARED(double, room, 6 * JOINERS);
    const int32_t run = (int32_t)blockIdx.x, me = (int32_t)threadIdx.x;
    const int32_t first = d.runs.first_piece[run], end = d.runs.first_piece[run + 1];
    double sum[6] = {0.0};
    for (int32_t k = first + me; k < end; k += JOINERS) {
        const link_pose way = way_of_piece(&d, k, first);
        const double own[6] = {way.position.x, way.position.y, way.position.z,
                               way.velocity.x, way.velocity.y, way.velocity.z};
        for (int i = 0; i < 6; i++) {
            sum[i] += own[i];
        }
    }
    for (int i = 0; i < 6; i++) {
        room[i * JOINERS + me] = sum[i];
    }
    for (int32_t half = JOINERS / 2; half > 0; half /= 2) {
        __syncthreads();
        for (int i = 0; i < 6 && me < half; i++) {
            room[i * JOINERS + me] += room[i * JOINERS + me + half];
        }
    }
    if (me == 0) {
        for (int i = 0; i < 6; i++) {
            sum[i] = room[i * JOINERS];
        }
        leave_run(&d, run, sum);
    }
}
}

/* ---- moves ---------------------------------------------------------------------------------- */

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
    static const void *const kernels[] = {(const void *)rct_span, (const void *)rct_reach_runs,
                                          (const void *)rct_largest, (const void *)rct_move_states};
    return rct_make_ready(kernels, 4);
}

cudaError_t rct_launch_span(const rct_device *d, cudaStream_t stream)
{
    const unsigned int segments = (unsigned int)(d->lanes.groups - d->lanes.bushes);
    return RCT_LAUNCH(rct_span, segments, WARP, 0, stream, *d);
}

cudaError_t rct_launch_reach_runs(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_reach_runs, (unsigned int)d->runs.count, JOINERS, 0, stream, *d);
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
