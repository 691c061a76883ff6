/* The work before sweeps inward, and around a trunk on the host: frames, moments behind the ends of
 * pieces, the reach of segments, records gathered and scattered. A thread a lane. */
#define WITH_ROTORS 0

#include "kernels/cuda/lane32.h"

#include "kernels/sweeps/narrow_trunk.h"
#include "kernels/sweeps/table.h"

extern "C" {

/* The forces at the hinges with axes of a row. */
__global__ void __launch_bounds__(WARP) rct_exert(rct_device d)
{
    const rct_sheaves own = sheaves_of_lane(&d);
    const rct_hinge_forces *f = &own.hinge_forces;
    const int64_t g = blockIdx.x;
    const int kind = row_kind(&own, g);
    const int freedoms = hinge_has_axes(kind) ? hinge_freedoms(kind) : 0;
    const double *q = own.state + own.state_at[g] * WARP;
    const double *u = q + (int64_t)own.coordinates[g] * WARP;
    double *effort = own.exerted + g * 3 * WARP;
    for (int i = 0; i < 3; i++) {
        effort[i * WARP] = 0.0;
    }
    for (int64_t k = f->begin[g]; k < f->begin[g + 1]; k++) {
        const int32_t i = f->entry[k].coordinate;
        if (i >= 0 && i < freedoms) {
            effort[i * WARP] += hinge_exert(f, k, q[i * WARP], u[i * WARP]);
        }
    }
}

__global__ void __launch_bounds__(WARP) rct_compose(rct_device d)
{
    const rct_sheaves own = sheaves_of_lane(&d);
    sweep_compose(&own, own.narrow_end + (int32_t)blockIdx.x);
}

__global__ void __launch_bounds__(WARP) rct_guide(rct_device d, int32_t first)
{
    const rct_sheaves own = sheaves_of_lane(&d);
    const int32_t group = first + (int32_t)blockIdx.x;
    const group_sweep w = sweep_of_group(&d, &own, group);
    group_frames(&w, group);
}
}

/* ---- ends of pieces ------------------------------------------------------------------------- */

static __device__ __forceinline__ int32_t own_piece(void)
{
    return (int32_t)(blockIdx.x * PIECES + threadIdx.x);
}

static __device__ __forceinline__ double *record_of_piece(const rct_device *d, int32_t piece)
{
    const int32_t sheaf = d->lanes.first_sheaf[d->lanes.bushes + piece / WARP];
    return d->lanes.paths + d->lanes.path_at[sheaf] * WARP + piece % WARP;
}

/* The state of the link at `place`, row * WARP + lane. */
static __device__ __forceinline__ const double *state_at(const rct_device *d, int64_t place)
{
    return d->lanes.state + d->lanes.state_at[place / WARP] * WARP + place % WARP;
}

extern "C" {

/* Orientations and rates of the last links of runs, to the first fields of their records. */
__global__ void __launch_bounds__(PIECES) rct_show_ends(rct_device d)
{
    const int32_t k = own_piece();
    if (k < d.runs.pieces && d.runs.piece[k].end >= 0) {
        double *record = d.lanes.paths + d.runs.record[d.runs.piece[k].end];
        const double *state = state_at(&d, d.runs.piece[k].own);
        for (int f = 0; f < STATE_FIELDS; f++) {
            record[(PATH_FRAME + f) * WARP] = state[f * WARP];
        }
    }
}

/* The moments at the hinges behind pieces; those on links of the trunk were left with runs
 * before. */
__global__ void __launch_bounds__(PIECES) rct_moments(rct_device d)
{
    const int32_t k = own_piece();
    if (k >= d.runs.pieces) {
        return;
    }
    const rct_piece piece = d.runs.piece[k];
    double *to = record_of_piece(&d, k) + PATH_END_MOMENT * WARP;
    if (piece.follows >= 0) {
        const double *state = state_at(&d, piece.own);
        const link_frame last = {quat_rotation(quat_load(state, WARP)),
                                 vec3_load(state + STATE_RATE * WARP, WARP)};
        vec3_store(to, WARP, narrow_moment(&d.lanes, piece.follows, WARP, &last));
    } else if (piece.end >= 0) {
        const double *record = d.lanes.paths + d.runs.record[piece.end];
        vec3_store(to, WARP, vec3_load(record + PATH_END_MOMENT * WARP, WARP));
    }
}
}

/* ---- reach ---------------------------------------------------------------------------------- */

/* The way from the first absolute hinge of a piece to its last link, and its rate of change. Unless
 * the piece begins the run, the way from the end of the piece before to that hinge is included. */
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

/* The record of a run, from its first and last piece and the sum of all ways. */
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

/* Frames and reach of runs: a block each, whose threads add up. */
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

/* ---- records on the trunk -------------------------------------------------------------------- */

__global__ void __launch_bounds__(PACKERS) rct_pack(rct_device d, int field, int count, int back)
{
    const int64_t k = (int64_t)blockIdx.x * PACKERS + threadIdx.x;
    const int64_t f = field + k / d.hung_count;
    if (f >= field + count) {
        return;
    }
    const int32_t i = (int32_t)(k % d.hung_count);
    if (f >= PATH_CLOSED_FIELDS && i >= d.hung_open) {
        return;
    }
    double *record = d.lanes.paths + d.hung[i] + f * WARP;
    double *packed = d.hung_records + f * d.hung_count + i;
    if (back) {
        *record = *packed;
    } else {
        *packed = *record;
    }
}

/* ---- launches ----------------------------------------------------------------------------- */

cudaError_t rct_prepare_frames(void)
{
    static const void *const kernels[] = {(const void *)rct_exert,   (const void *)rct_compose,
                                          (const void *)rct_guide,   (const void *)rct_show_ends,
                                          (const void *)rct_moments, (const void *)rct_pack,
                                          (const void *)rct_span,    (const void *)rct_reach_runs};
    return rct_make_ready(kernels, 8);
}

cudaError_t rct_launch_exert(const rct_device *d, int64_t rows, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_exert, (unsigned int)rows, WARP, 0, stream, *d);
}

cudaError_t rct_launch_compose(const rct_device *d, cudaStream_t stream)
{
    const unsigned int wide = (unsigned int)(d->lanes.groups - d->lanes.narrow_end);
    return RCT_LAUNCH(rct_compose, wide, WARP, 0, stream, *d);
}

cudaError_t rct_launch_guide(const rct_device *d, rct_group_range groups, cudaStream_t stream)
{
    const unsigned int count = (unsigned int)(groups.end - groups.first);
    return RCT_LAUNCH(rct_guide, count, WARP, 0, stream, *d, groups.first);
}

cudaError_t rct_launch_show_ends(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_show_ends, (unsigned int)d->runs.blocks, PIECES, 0, stream, *d);
}

cudaError_t rct_launch_moments(const rct_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_moments, (unsigned int)d->runs.blocks, PIECES, 0, stream, *d);
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

cudaError_t rct_launch_pack(const rct_device *d, int field, int count, int back,
                            cudaStream_t stream)
{
    const int64_t numbers = (int64_t)count * d->hung_count;
    const unsigned int blocks = (unsigned int)((numbers + PACKERS - 1) / PACKERS);
    return RCT_LAUNCH(rct_pack, blocks, PACKERS, 0, stream, *d, field, count, back);
}
}
