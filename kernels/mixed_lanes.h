/* The lane kernels of mixed trees for the LANE_WIDTH and the method of the including translation unit: the frames of a
 * group outward, its links inward to what its paths add and to their open ends, and outward. Motions and gains
 * stay in the scratch of a thread; nothing else is kept of a link.
 */
#ifndef RCT_KERNELS_MIXED_LANES_H
#define RCT_KERNELS_MIXED_LANES_H

#include "kernels/mixed_sweeps.h"

LANE_FUNCTION void mixed_span_group(const rct_mixed_sheaves *s, int32_t group)
{
    const int32_t sheaf = s->first_sheaf[group];
    if (narrow_sheaf(s, sheaf)) {
        mixed_outward_product(s, sheaf, 1, 1);
    } else {
        mixed_outward_product(s, sheaf, 0, 1);
    }
}

LANE_FUNCTION void mixed_pose_group(const rct_mixed_sheaves *s, int32_t group, const int64_t *end,
                                    const rct_mixed_places *places)
{
    const int last = group >= s->bushes;
    for (int32_t sheaf = s->first_sheaf[group]; sheaf < s->first_sheaf[group + 1]; sheaf++) {
        const int64_t wanted = end != NULL ? end[sheaf] : s->first_row[sheaf + 1] - last;
        if (narrow_sheaf(s, sheaf)) {
            mixed_outward_poses(s, sheaf, 1, wanted, places);
        } else {
            mixed_outward_poses(s, sheaf, 0, wanted, places);
        }
    }
}

LANE_FUNCTION rct_sweep_result mixed_condense(const rct_mixed_sheaves *s, int32_t group,
                                              double *scratch)
{
    mixed_sweep w = mixed_begin(s, group, scratch);
    mixed_guide(s, group, scratch);
    for (int32_t sheaf = s->first_sheaf[group + 1] - 1; sheaf >= s->first_sheaf[group]; sheaf--) {
        if (group < s->bushes) {
            mixed_inward_closed(&w, sheaf, NULL, 0);
        } else {
            mixed_inward_open(&w, sheaf);
        }
    }
    return mixed_inward_end(&w);
}

LANE_FUNCTION rct_sweep_result mixed_accelerate_group(const rct_mixed_sheaves *s, int32_t group,
                                                      int stage, double dt, double *scratch)
{
    mixed_sweep w = mixed_begin(s, group, scratch);
    const rk4_weights weights = rk4_stage_weights(stage, dt);
    const int32_t first = s->first_sheaf[group], end = s->first_sheaf[group + 1];
    w.results = stage == STAGE_NONE;
    mixed_guide(s, group, scratch);
    for (int32_t sheaf = end - 1; sheaf >= first; sheaf--) {
        const double *beyond = mixed_path(s, sheaf) + (int64_t)PATH_BEYOND * MW;
        mixed_inward_closed(&w, sheaf, group < s->bushes ? NULL : beyond, 1);
    }
    mixed_sweep out = mixed_begin(s, group, scratch);
    for (int32_t sheaf = first; sheaf < end; sheaf++) {
        mixed_outward(&out, sheaf, stage, weights);
    }
    return w.fault < 0 ? mixed_outward_end(&out) : mixed_inward_end(&w);
}

#define MIXED_TABLE                                                                                \
    {                                                                                              \
        .lanes = LANE_WIDTH, .compose = mixed_compose, .guide = mixed_guide,                       \
        .span = mixed_span_group, .pose = mixed_pose_group, .condense = mixed_condense,            \
        .accelerate = mixed_accelerate_group                                                       \
    }

#endif
