/* The kernels that sweep bushes and wide segments, for the method of the including translation
 * unit: all narrow (NARROW_ALL), any without rotors at hinges (WITH_ROTORS 0), or any with them
 * (WITH_ROTORS 1). They are separate because a thread does not have registers for more.
 * GROUP_NAME(x): the name of kernel x; GROUP_WHAT: what narrow rows may have. */
#ifndef RCT_KERNELS_CUDA_GROUPS_H
#define RCT_KERNELS_CUDA_GROUPS_H

#include "kernels/cuda/lane32.h"

#include "kernels/cuda/faults.h"

#ifndef GROUP_WHAT
#define GROUP_WHAT ~0
#endif

/* ---- wide open ends ------------------------------------------------------------------------- */

/* Whether open ends are swept separately: abi's follow from the gains of the first handles. Both at
 * once would need more registers than a thread has. */
#if !defined(METHOD_RICCATI) && !defined(NARROW_ALL)
enum { OPEN_APART = 1 };

/* One row of open ends. */
static __device__ __forceinline__ void open_end_row(const rct_sheaves *s, int64_t g, int kind,
                                                    const double *own, wide_through *t)
{
    const int armed = row_has_rotors(s, g, kind);
    const link_lanes link = row_link(s, g);
    const link_motion m = row_recall(s, g, kind, &link, own + (int64_t)ROW_MOTION * ROW);
    six_gain gain[MOST_FREEDOMS];
    hinge_rotor rotor;
    if (armed) {
        rotor = row_rotor(s, g, kind, &link, &m);
    }
    row_gains_load(own + (int64_t)ROW_GAINS * ROW, kind, armed ? &rotor : NULL, gain,
                   hinge_freedoms(kind));
    hinge_eliminate_through(kind, &link, &m, armed ? &rotor : NULL, gain, t);
    wide_open_inboard(t, &m, hinge_vanishing(kind, armed));
}

static __device__ __forceinline__ void open_ends(const group_sweep *w, int32_t sheaf)
{
    const rct_sheaves *s = w->s;
    wide_through t = wide_open();
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        const double *own = scratch_row(w, g);
#define HINGE_CASE(TYPE) open_end_row(s, g, TYPE, own, &t)
        HINGE_CASES(row_kind(s, g), HINGE_CASE)
#undef HINGE_CASE
        path_leave_end(s, sheaf, g, &t);
    }
}

#else
enum { OPEN_APART = 0 };
#endif

/* ---- groups --------------------------------------------------------------------------------- */

static __device__ __forceinline__ void condense_group(const rct_device *d, int32_t group)
{
    const rct_sheaves own = sheaves_of_lane(d);
    group_sweep w = sweep_of_group(d, &own, group);
    w.what = GROUP_WHAT;
    for (int32_t sheaf = own.first_sheaf[group + 1] - 1; sheaf >= own.first_sheaf[group]; sheaf--) {
        if (narrow_sheaf(&own, sheaf)) {
            narrow_inward_closed(&w, sheaf, NULL, 0);
        } else if (OPEN_APART || group < own.bushes) {
            const wide_handle beyond =
                group < own.bushes ? wide_none() : path_stand_in(sheaf_path(&own, sheaf));
            wide_inward(&w, sheaf, wide_law_of(&beyond), group >= own.bushes);
        } else {
            wide_inward_open(&w, sheaf);
        }
        lane_meet();
    }
    note(&d->fault->inward, sweep_end(&w));
}

static __device__ __forceinline__ void accelerate_group(const rct_device *d, int32_t group,
                                                        int last, int stage, double dt)
{
    if (d->fault->stop) {
        return; /* same for all threads: it is set between launches */
    }
    const rct_sheaves own = sheaves_of_lane(d);
    const int32_t begin = own.first_sheaf[group], end = own.first_sheaf[group + 1];
    group_sweep w = sweep_of_group(d, &own, group);
    w.what = GROUP_WHAT;
    if (group >= own.hanging && group < own.bushes) {
        group_frames(&w, group);
    }
    for (int32_t sheaf = end - 1; sheaf >= begin; sheaf--) {
        const double *beyond = sheaf_path(&own, sheaf) + (int64_t)PATH_BEYOND * ROW;
        if (narrow_sheaf(&own, sheaf)) {
            narrow_inward_closed(&w, sheaf, NULL, 1);
        } else {
            wide_inward(&w, sheaf, wide_law_beyond(group < own.bushes ? NULL : beyond), 1);
        }
        lane_meet();
    }
    note(&d->fault->outward, sweep_end(&w));
    group_sweep out = sweep_of_group(d, &own, group);
    out.what = GROUP_WHAT;
    for (int32_t sheaf = begin; sheaf < end; sheaf++) {
        sweep_outward(&out, sheaf, stage, rk4_stage_weight(stage, dt));
    }
    note(&d->fault->outward, sweep_end(&out));
    if (last && stage != STAGE_NONE) {
        decide(d, last, stage);
    }
}

/* ---- kernels and launches ------------------------------------------------------------------- */

extern "C" {

__global__ void __launch_bounds__(WARP) GROUP_NAME(condense)(rct_device d, int32_t first)
{
    condense_group(&d, first + (int32_t)blockIdx.x);
}

#if !defined(METHOD_RICCATI) && !defined(NARROW_ALL)
__global__ void __launch_bounds__(WARP) GROUP_NAME(open)(rct_device d, int32_t first)
{
    const rct_sheaves own = sheaves_of_lane(&d);
    const int32_t group = first + (int32_t)blockIdx.x;
    const group_sweep w = sweep_of_group(&d, &own, group);
    open_ends(&w, own.first_sheaf[group]);
}
#endif

__global__ void __launch_bounds__(WARP)
    GROUP_NAME(accelerate)(rct_device d, int32_t first, int last, int stage, double dt)
{
    accelerate_group(&d, first + (int32_t)blockIdx.x, last, stage, dt);
}
}

static unsigned int size_of(rct_group_range groups)
{
    return (unsigned int)(groups.end - groups.first);
}

static cudaError_t prepare_groups(void)
{
    static const void *const kernels[] = {
#if !defined(METHOD_RICCATI) && !defined(NARROW_ALL)
        (const void *)GROUP_NAME(open),
#endif
        (const void *)GROUP_NAME(condense),
        (const void *)GROUP_NAME(accelerate)
    };
    return rct_make_ready(kernels, (int)(sizeof kernels / sizeof kernels[0]));
}

static cudaError_t launch_condense_groups(const rct_device *d, rct_group_range groups,
                                          cudaStream_t stream)
{
    cudaError_t result =
        RCT_LAUNCH(GROUP_NAME(condense), size_of(groups), WARP, 0, stream, *d, groups.first);
#if !defined(METHOD_RICCATI) && !defined(NARROW_ALL)
    if (result == cudaSuccess && groups.first >= d->lanes.bushes) {
        result = RCT_LAUNCH(GROUP_NAME(open), size_of(groups), WARP, 0, stream, *d, groups.first);
    }
#endif
    return result;
}

static cudaError_t launch_accelerate_groups(const rct_device *d, rct_group_range groups, int last,
                                            int stage, double dt, cudaStream_t stream)
{
    return RCT_LAUNCH(GROUP_NAME(accelerate), size_of(groups), WARP, 0, stream, *d, groups.first,
                      last, stage, dt);
}

#define GROUP_LAUNCHES                                                                             \
    {                                                                                              \
        prepare_groups, launch_condense_groups, launch_accelerate_groups                           \
    }

#endif
