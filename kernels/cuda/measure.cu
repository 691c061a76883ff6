/* The kernels of measure.h. */
#include "kernels/cuda/lane32.h"

#include "kernels/cuda/measure.h"
#include "kernels/measure.h"

extern "C" {

/* ---- states in label order ----------------------------------------------------------------- */

static __device__ __forceinline__ void copy_state(double *to, const double *from, int stride)
{
    for (int f = 0; f < STATE_FIELDS; f++) {
        to[f] = from[f * stride];
    }
}

/* A warp each tile. */
__global__ void __launch_bounds__(WARP) rct_gather_tiles(rct_device d, rct_device_measure m)
{
    const int32_t tile = (int32_t)blockIdx.x, lane = (int32_t)threadIdx.x;
    const int32_t label = d.label[tile * WARP + lane], length = m.length[tile * WARP + lane];
    for (int32_t k = 0; k < length; k++) {
        const int64_t g = d.tiles.first_step[tile] + k;
        copy_state(m.state + (int64_t)(label + k) * STATE_FIELDS,
                   d.tiles.state + g * STATE_FIELDS * WARP + lane, WARP);
    }
}

/* A warp each wave. */
__global__ void __launch_bounds__(WARP) rct_gather_bushes(rct_device d, rct_device_measure m)
{
    const int64_t g = blockIdx.x;
    const int32_t lane = (int32_t)threadIdx.x;
    const int32_t label = d.bushes.label[g * WARP + lane];
    if (label >= 0) {
        copy_state(m.state + (int64_t)label * STATE_FIELDS,
                   d.bushes.state + g * STATE_FIELDS * WARP + lane, WARP);
    }
}

/* A thread each stretch of the trunk. */
__global__ void __launch_bounds__(WARP) rct_gather_trunk(rct_device d, rct_device_measure m)
{
    const int32_t k = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= d.trunk.count || d.trunk.segment[d.trunk.stretches[k].first] >= 0) {
        return;
    }
    const int32_t first = d.trunk.stretches[k].first;
    for (int32_t n = first; n < first + d.trunk.stretches[k].count; n++) {
        copy_state(m.state + (int64_t)d.node_label[n] * STATE_FIELDS,
                   d.trunk.state + (int64_t)n * STATE_FIELDS, 1);
    }
}

/* ---- points -------------------------------------------------------------------------------- */

static __device__ __forceinline__ int64_t own_link(void)
{
    return (int64_t)blockIdx.x * MEASURERS + threadIdx.x;
}

__global__ void __launch_bounds__(MEASURERS) rct_step_points(rct_device_measure m, int to)
{
    const int64_t i = own_link();
    if (i < m.links.count) {
        vec3 position, velocity;
        measure_step(&m.links, m.state, i, &position, &velocity);
        vec3_store(m.points[to] + 6 * i, 1, position);
        vec3_store(m.points[to] + 6 * i + 3, 1, velocity);
        m.ancestor[to][i] = m.links.parent[i];
    }
}

__global__ void __launch_bounds__(MEASURERS) rct_jump_points(rct_device_measure m, int from)
{
    const int64_t i = own_link();
    if (i < m.links.count) {
        const double *before = m.points[from];
        const int32_t up = m.ancestor[from][i];
        for (int f = 0; f < 6; f++) {
            m.points[1 - from][6 * i + f] =
                up >= 0 ? before[6 * (int64_t)up + f] + before[6 * i + f] : before[6 * i + f];
        }
        m.ancestor[1 - from][i] = up >= 0 ? m.ancestor[from][up] : -1;
    }
}
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* Two kernels of each kind: to choose as they run would take registers, and so warps, from plans of one gravity. */
template <bool OWN>
static __device__ __forceinline__ const double *own_gravity(const rct_device_measure *m)
{
    return OWN ? m->links.own_gravity : NULL;
}

template <bool OWN>
static __device__ __forceinline__ void keep_reference(const rct_device_measure *m)
{
    const int64_t i = own_link();
    if (i < m->links.count) {
        m->reference[i] = measure_potential(&m->links, own_gravity<OWN>(m), m->state, i);
    }
}

extern "C" __global__ void __launch_bounds__(MEASURERS) rct_keep_reference(rct_device_measure m)
{
    keep_reference<false>(&m);
}

extern "C" __global__ void __launch_bounds__(MEASURERS) rct_keep_own_reference(rct_device_measure m)
{
    keep_reference<true>(&m);
}

/* The sums of a block, by halves; thread 0 has them. */
static __device__ void sum_block(exact_sum *own)
{
    RCT_SHARED(double, shared, MEASURERS *MEASURE_SPLIT);
    double *mine = shared + threadIdx.x;
    for (int k = 0; k < MEASURES; k++) {
        mine[2 * k * MEASURERS] = own[k].sum;
        mine[(2 * k + 1) * MEASURERS] = own[k].rest;
    }
    for (unsigned int half = MEASURERS / 2; half > 0; half /= 2) {
        __syncthreads();
        for (int k = 0; k < MEASURES && threadIdx.x < half; k++) {
            exact_add(&own[k], mine[2 * k * MEASURERS + half]);
            own[k].rest += mine[(2 * k + 1) * MEASURERS + half];
        }
        __syncthreads();
        for (int k = 0; k < MEASURES && threadIdx.x < half; k++) {
            mine[2 * k * MEASURERS] = own[k].sum;
            mine[(2 * k + 1) * MEASURERS] = own[k].rest;
        }
    }
}

template <bool OWN> static __device__ __forceinline__ void sum_links(const rct_device_measure *m)
{
    const int64_t i = own_link();
    exact_sum own[MEASURES];
    double parts[MEASURES];
    for (int k = 0; k < MEASURES; k++) {
        parts[k] = 0.0;
    }
    if (i < m->links.count) {
        measure_link(&m->links, own_gravity<OWN>(m), m->state, m->points[0] + 6 * i,
                     m->reference[i], i, parts);
    }
    for (int k = 0; k < MEASURES; k++) {
        own[k].sum = parts[k];
        own[k].rest = 0.0;
    }
    sum_block(own);
    for (int k = 0; k < MEASURES && threadIdx.x == 0; k++) {
        m->parts[(int64_t)blockIdx.x * MEASURE_SPLIT + 2 * k] = own[k].sum;
        m->parts[(int64_t)blockIdx.x * MEASURE_SPLIT + 2 * k + 1] = own[k].rest;
    }
}

extern "C" {

__global__ void __launch_bounds__(MEASURERS) rct_sum_links(rct_device_measure m)
{
    sum_links<false>(&m);
}

__global__ void __launch_bounds__(MEASURERS) rct_sum_own_links(rct_device_measure m)
{
    sum_links<true>(&m);
}

/* One block over the sums of all. */
__global__ void __launch_bounds__(MEASURERS) rct_sum_blocks(rct_device_measure m, int32_t blocks)
{
    exact_sum own[MEASURES];
    for (int k = 0; k < MEASURES; k++) {
        own[k].sum = own[k].rest = 0.0;
    }
    for (int32_t b = (int32_t)threadIdx.x; b < blocks; b += MEASURERS) {
        const double *parts = m.parts + (int64_t)b * MEASURE_SPLIT;
#pragma unroll
        for (int k = 0; k < MEASURES; k++) {
            exact_add(&own[k], parts[2 * k]);
            own[k].rest += parts[2 * k + 1];
        }
    }
    sum_block(own);
    for (int k = 0; k < MEASURES && threadIdx.x == 0; k++) {
        m.total[k] = own[k].sum + own[k].rest;
    }
}

/* ---- launches ----------------------------------------------------------------------------- */

static unsigned int blocks_of(const rct_device_measure *m)
{
    return (unsigned int)measure_blocks(m->links.count);
}

cudaError_t rct_device_measure_prepare(void)
{
    static const void *const kernels[] = {
        (const void *)rct_gather_tiles,   (const void *)rct_gather_bushes,
        (const void *)rct_gather_trunk,   (const void *)rct_step_points,
        (const void *)rct_jump_points,    (const void *)rct_keep_own_reference,
        (const void *)rct_keep_reference, (const void *)rct_sum_own_links,
        (const void *)rct_sum_links,      (const void *)rct_sum_blocks};
    return rct_make_ready(kernels, 10);
}

cudaError_t rct_device_gather(const rct_device *d, const rct_device_measure *m, cudaStream_t stream)
{
    cudaError_t result = cudaSuccess;
    if (d->tiles.count > 0) {
        result =
            RCT_LAUNCH(rct_gather_tiles, (unsigned int)d->tiles.count, WARP, 0, stream, *d, *m);
    }
    if (result == cudaSuccess && d->bushes.waves > 0) {
        result =
            RCT_LAUNCH(rct_gather_bushes, (unsigned int)d->bushes.waves, WARP, 0, stream, *d, *m);
    }
    if (result == cudaSuccess && d->trunk.count > 0) {
        const unsigned int blocks = (unsigned int)(d->trunk.count + WARP - 1) / WARP;
        result = RCT_LAUNCH(rct_gather_trunk, blocks, WARP, 0, stream, *d, *m);
    }
    return result;
}

cudaError_t rct_device_points(const rct_device_measure *m, int32_t depth, cudaStream_t stream)
{
    int rounds = 0;
    while (((int64_t)1 << rounds) < depth) {
        rounds++;
    }
    cudaError_t result =
        RCT_LAUNCH(rct_step_points, blocks_of(m), MEASURERS, 0, stream, *m, rounds % 2);
    for (int k = rounds; k > 0 && result == cudaSuccess; k--) {
        result = RCT_LAUNCH(rct_jump_points, blocks_of(m), MEASURERS, 0, stream, *m, k % 2);
    }
    return result;
}

cudaError_t rct_device_reference(const rct_device_measure *m, cudaStream_t stream)
{
    return m->links.own_gravity != NULL
               ? RCT_LAUNCH(rct_keep_own_reference, blocks_of(m), MEASURERS, 0, stream, *m)
               : RCT_LAUNCH(rct_keep_reference, blocks_of(m), MEASURERS, 0, stream, *m);
}

cudaError_t rct_device_sums(const rct_device_measure *m, cudaStream_t stream)
{
    cudaError_t result = m->links.own_gravity != NULL
                             ? RCT_LAUNCH(rct_sum_own_links, blocks_of(m), MEASURERS, 0, stream, *m)
                             : RCT_LAUNCH(rct_sum_links, blocks_of(m), MEASURERS, 0, stream, *m);
    if (result == cudaSuccess) {
        result = RCT_LAUNCH(rct_sum_blocks, 1, MEASURERS, 0, stream, *m, (int32_t)blocks_of(m));
    }
    return result;
}
}
