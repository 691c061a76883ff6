/* The kernels that sweep the groups of mixed trees, abi method: without rotors at hinges or, MIXED_ARMED 1 in place of 0,
 * with them, for a thread has no registers for both. MIXED_NAME(x): the name of kernel x. */
#include "kernels/cuda/mixed_lane.h"

static __device__ __forceinline__ void note(rct_device_labels *labels, rct_sweep_result result)
{
    if (result.end != SWEEP_DONE) {
        atomicMin(result.end == SWEEP_SINGULAR ? &labels->singular : &labels->not_finite,
                  result.link);
    }
}

/* ---- open ends ---------------------------------------------------------------------------- */

/* One row of open ends. */
static __device__ __forceinline__ void open_end(const rct_mixed_sheaves *s, int64_t g, int kind,
                                                const double *own, mixed_through *t)
{
    const int armed = mixed_row_armed(s, g, kind);
    const mixed_link link = mixed_row_link(s, g);
    const mixed_motion m = mixed_recall(s, g, kind, &link, own + (int64_t)ROW_MOTION * MW);
    mixed_gain gain[MIXED_MOST_FREEDOMS];
    mixed_rotor rotor;
    if (armed) {
        rotor = mixed_row_rotor(s, g, kind, &link, &m);
    }
    mixed_gains_load(own + (int64_t)ROW_GAINS * MW, kind, armed ? &rotor : NULL, gain,
                     mixed_freedoms(kind));
    mixed_eliminate_through(kind, &link, &m, armed ? &rotor : NULL, gain, t);
    mixed_open_inboard(t, &m, mixed_vanishing(kind, armed));
}

/* The open ends of segments by the gains of their first handles: both at once are more than a thread has registers
 * for. */
static __device__ __forceinline__ void open_ends(const mixed_sweep *w, int32_t sheaf)
{
    const rct_mixed_sheaves *s = w->s;
    mixed_through t = mixed_open();
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        const double *own = mixed_scratch_row(w, g);
#define MIXED_STEP(TYPE) open_end(s, g, TYPE, own, &t)
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

__global__ void __launch_bounds__(WARP) MIXED_NAME(condense)(rct_mixed_device d, int32_t first)
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

__global__ void __launch_bounds__(WARP) MIXED_NAME(open)(rct_mixed_device d)
{
    const rct_mixed_sheaves own = sheaves_of_lane(&d);
    const int32_t group = own.bushes + (int32_t)blockIdx.x;
    const mixed_sweep w = mixed_begin(&own, group, own_scratch(&d, group));
    open_ends(&w, own.first_sheaf[group]);
}

__global__ void __launch_bounds__(WARP)
    MIXED_NAME(accelerate)(rct_mixed_device d, int32_t first, int last, int stage, double dt)
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

static cudaError_t prepare(void)
{
    static const void *const kernels[] = {(const void *)MIXED_NAME(condense),
                                          (const void *)MIXED_NAME(open),
                                          (const void *)MIXED_NAME(accelerate)};
    return rct_make_ready(kernels, 3);
}

static cudaError_t launch_condense(const rct_mixed_device *d, rct_group_range groups,
                                   cudaStream_t stream)
{
    const cudaError_t swept =
        RCT_LAUNCH(MIXED_NAME(condense), size_of(groups), WARP, 0, stream, *d, groups.first);
    return swept == cudaSuccess && groups.first >= d->lanes.bushes
               ? RCT_LAUNCH(MIXED_NAME(open), size_of(groups), WARP, 0, stream, *d)
               : swept;
}

static cudaError_t launch_accelerate(const rct_mixed_device *d, rct_group_range groups, int last,
                                     int stage, double dt, cudaStream_t stream)
{
    return RCT_LAUNCH(MIXED_NAME(accelerate), size_of(groups), WARP, 0, stream, *d, groups.first,
                      last, stage, dt);
}

#define MIXED_LAUNCHES                                                                             \
    {                                                                                              \
        prepare, launch_condense, launch_accelerate                                                \
    }
