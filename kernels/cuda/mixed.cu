/* The kernels of mixed trees, abi method: kernels/mixed_*.h with a lane a thread. */
#include "kernels/cuda/lane32.h"

#include "kernels/cuda/mixed.h"
#include "kernels/mixed_sweeps.h"

/* ---- lanes -------------------------------------------------------------------------------- */

static __device__ __forceinline__ int own_lane(void)
{
    return (int)threadIdx.x;
}

/* The sheaves as one lane sees them; places of records still count from its neighbours' first. */
static __device__ __forceinline__ rct_mixed_sheaves sheaves_of_lane(const rct_mixed_device *d)
{
    const int lane = own_lane();
    rct_mixed_sheaves own = d->lanes;
    own.label += lane;
    own.kinds += lane;
    own.wide += lane;
    own.kid += lane;
    own.state += lane;
    own.base += lane;
    own.sum += lane;
    own.results += lane;
    own.paths += lane;
    own.loads += own.loads != NULL ? lane : 0;
    own.effort.wide += own.effort.row != NULL ? lane : 0;
    own.wrench.wide += own.wrench.row != NULL ? lane : 0;
    own.own_gravity += own.own_gravity != NULL ? lane : 0;
    return own;
}

static __device__ __forceinline__ double *own_scratch(const rct_mixed_device *d, int32_t group)
{
    const rct_mixed_sheaves *s = &d->lanes;
    return d->scratch + s->first_row[s->first_sheaf[group]] * s->row_fields * WARP + own_lane();
}

static __device__ __forceinline__ void note(rct_device_labels *labels, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        atomicMin(result.end == SWEEP_SINGULAR ? &labels->singular : &labels->not_finite,
                  result.link);
    }
}

/* ---- open ends ---------------------------------------------------------------------------- */

/* The open ends of segments by the gains of their first handles: both at once are more than a thread has registers
 * for. */
static __device__ __forceinline__ void open_ends(const mixed_sweep *w, int32_t sheaf)
{
    const rct_mixed_sheaves *s = w->s;
    mixed_through t = mixed_open();
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        const double *own = mixed_scratch_row(w, g);
        const mixed_link link = mixed_row_link(s, g);
        mixed_gain gain[MIXED_MOST_FREEDOMS];
#define MIXED_STEP(TYPE)                                                                           \
    const mixed_motion m = mixed_recall(s, g, TYPE, &link, own + (int64_t)ROW_MOTION * MW);        \
    mixed_gains_load(own + (int64_t)ROW_GAINS * MW, TYPE, gain, mixed_freedoms(TYPE));             \
    mixed_eliminate_through(TYPE, &link, &m, gain, &t);                                            \
    mixed_open_inboard(&t, &m, mixed_vanishing(TYPE))
        MIXED_CASES(mixed_row_kind(s, g), MIXED_STEP)
#undef MIXED_STEP
        mixed_leave_end(s, sheaf, g, &t);
    }
}

/* ---- whole steps -------------------------------------------------------------------------- */

static __device__ __forceinline__ int seen(int32_t *number)
{
    return atomicAdd(number, 0);
}

/* The last warp of a stage looks whether any has met a fault: from then on no state advances. */
static __device__ __forceinline__ void decide(const rct_mixed_device *d, int stage)
{
    rct_device_fault *fault = d->fault;
    __syncwarp(0xffffffffu);
    if (own_lane() != 0) {
        return;
    }
    __threadfence();
    if (atomicAdd(d->finished, 1) < (int32_t)gridDim.x - 1) {
        return;
    }
    __threadfence();
    *d->finished = 0;
    if (seen(&fault->outward.singular) != NO_LABEL ||
        seen(&fault->outward.not_finite) != NO_LABEL) {
        fault->stop = 1;
        fault->stage = stage;
    } else if (stage == 3) {
        fault->steps++;
    }
}

/* ---- kernels ------------------------------------------------------------------------------ */

extern "C" {

__global__ void __launch_bounds__(WARP) rct_mixed_compose(rct_mixed_device d)
{
    const rct_mixed_sheaves own = sheaves_of_lane(&d);
    mixed_compose(&own, own.bushes + (int32_t)blockIdx.x);
}

__global__ void __launch_bounds__(WARP) rct_mixed_guide(rct_mixed_device d, int32_t first)
{
    const rct_mixed_sheaves own = sheaves_of_lane(&d);
    const int32_t group = first + (int32_t)blockIdx.x;
    mixed_guide(&own, group, own_scratch(&d, group));
}

__global__ void __launch_bounds__(MIXED_PACKERS)
    rct_mixed_pack(rct_mixed_device d, int field, int count, int back)
{
    const int64_t k = (int64_t)blockIdx.x * MIXED_PACKERS + threadIdx.x;
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

__global__ void __launch_bounds__(WARP) rct_mixed_condense(rct_mixed_device d, int32_t first)
{
    const rct_mixed_sheaves own = sheaves_of_lane(&d);
    const int32_t group = first + (int32_t)blockIdx.x;
    mixed_sweep w = mixed_begin(&own, group, own_scratch(&d, group));
    for (int32_t sheaf = own.first_sheaf[group + 1] - 1; sheaf >= own.first_sheaf[group]; sheaf--) {
        const double *path = mixed_path(&own, sheaf);
        const mixed_handle out = group < own.bushes ? mixed_none() : mixed_stand_in(path);
        mixed_inward(&w, sheaf, out, group >= own.bushes);
    }
    note(&d.fault->inward, mixed_inward_end(&w));
}

__global__ void __launch_bounds__(WARP) rct_mixed_open(rct_mixed_device d)
{
    const rct_mixed_sheaves own = sheaves_of_lane(&d);
    const int32_t group = own.bushes + (int32_t)blockIdx.x;
    const mixed_sweep w = mixed_begin(&own, group, own_scratch(&d, group));
    open_ends(&w, own.first_sheaf[group]);
}

__global__ void __launch_bounds__(WARP)
    rct_mixed_accelerate(rct_mixed_device d, int32_t first, int last, int stage, double dt)
{
    const rct_mixed_sheaves own = sheaves_of_lane(&d);
    const int32_t group = first + (int32_t)blockIdx.x;
    const int32_t begin = own.first_sheaf[group], end = own.first_sheaf[group + 1];
    double *scratch = own_scratch(&d, group);
    if (d.fault->stop) {
        return; /* the same for all: set between launches */
    }
    mixed_sweep w = mixed_begin(&own, group, scratch);
    const rk4_weights weights = rk4_stage_weights(stage, dt);
    if (group >= own.hanging && group < own.bushes) {
        mixed_guide(&own, group, scratch);
    }
    for (int32_t sheaf = end - 1; sheaf >= begin; sheaf--) {
        const double *beyond = mixed_path(&own, sheaf) + (int64_t)PATH_BEYOND * MW;
        mixed_inward(&w, sheaf, group < own.bushes ? mixed_none() : mixed_handle_load(beyond), 1);
    }
    note(&d.fault->outward, mixed_inward_end(&w));
    mixed_sweep out = mixed_begin(&own, group, scratch);
    for (int32_t sheaf = begin; sheaf < end; sheaf++) {
        mixed_outward(&out, sheaf, stage, weights);
    }
    note(&d.fault->outward, mixed_outward_end(&out));
    if (last && stage != STAGE_NONE) {
        decide(&d, stage);
    }
}
}

/* ---- launches ----------------------------------------------------------------------------- */

static unsigned int size_of(rct_group_range groups)
{
    return (unsigned int)(groups.end - groups.first);
}

static unsigned int segments_of(const rct_mixed_device *d)
{
    return (unsigned int)(d->lanes.groups - d->lanes.bushes);
}

cudaError_t rct_mixed_prepare_groups(void)
{
    static const void *const kernels[] = {
        (const void *)rct_mixed_compose, (const void *)rct_mixed_guide,
        (const void *)rct_mixed_pack,    (const void *)rct_mixed_condense,
        (const void *)rct_mixed_open,    (const void *)rct_mixed_accelerate};
    return rct_make_ready(kernels, 6);
}

cudaError_t rct_mixed_launch_compose(const rct_mixed_device *d, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_mixed_compose, segments_of(d), WARP, 0, stream, *d);
}

cudaError_t rct_mixed_launch_guide(const rct_mixed_device *d, rct_group_range groups,
                                   cudaStream_t stream)
{
    return RCT_LAUNCH(rct_mixed_guide, size_of(groups), WARP, 0, stream, *d, groups.first);
}

cudaError_t rct_mixed_launch_pack(const rct_mixed_device *d, int field, int count, int back,
                                  cudaStream_t stream)
{
    const int64_t numbers = (int64_t)count * d->hung_count;
    const unsigned int blocks = (unsigned int)((numbers + MIXED_PACKERS - 1) / MIXED_PACKERS);
    return RCT_LAUNCH(rct_mixed_pack, blocks, MIXED_PACKERS, 0, stream, *d, field, count, back);
}

cudaError_t rct_mixed_launch_condense(const rct_mixed_device *d, rct_group_range groups,
                                      cudaStream_t stream)
{
    const cudaError_t swept =
        RCT_LAUNCH(rct_mixed_condense, size_of(groups), WARP, 0, stream, *d, groups.first);
    return swept == cudaSuccess && groups.first >= d->lanes.bushes
               ? RCT_LAUNCH(rct_mixed_open, size_of(groups), WARP, 0, stream, *d)
               : swept;
}

cudaError_t rct_mixed_launch_accelerate(const rct_mixed_device *d, rct_group_range groups, int last,
                                        int stage, double dt, cudaStream_t stream)
{
    return RCT_LAUNCH(rct_mixed_accelerate, size_of(groups), WARP, 0, stream, *d, groups.first,
                      last, stage, dt);
}
