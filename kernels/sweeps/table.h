/* The lane kernels of trees for the LANE_WIDTH and the method of the including translation unit:
 * the frames of a group outward; its links inward, to what its paths add and to their open ends;
 * its links outward. Motions and gains stay in the scratch of a thread; nothing else of a link is
 * kept.
 */
#ifndef RCT_KERNELS_SWEEPS_TABLE_H
#define RCT_KERNELS_SWEEPS_TABLE_H

#include "kernels/sweeps/sweeps.h"

LANE_FUNCTION void sweep_span(const rct_sheaves *s, int32_t group)
{
    const int32_t sheaf = s->first_sheaf[group];
    if (narrow_sheaf(s, sheaf)) {
        sweep_product(s, sheaf, 1, 1);
    } else {
        sweep_product(s, sheaf, 0, 1);
    }
}

LANE_FUNCTION void sweep_pose(const rct_sheaves *s, int32_t group, const int64_t *end,
                              const rct_places *places)
{
    const int last = group >= s->bushes;
    for (int32_t sheaf = s->first_sheaf[group]; sheaf < s->first_sheaf[group + 1]; sheaf++) {
        const int64_t wanted = end != NULL ? end[sheaf] : s->first_row[sheaf + 1] - last;
        if (narrow_sheaf(s, sheaf)) {
            sweep_poses(s, sheaf, 1, wanted, places);
        } else {
            sweep_poses(s, sheaf, 0, wanted, places);
        }
    }
}

LANE_FUNCTION rct_sweep_result sweep_condense(const rct_sheaves *s, int32_t group, double *scratch,
                                              int leaves)
{
    group_sweep w = sweep_begin(s, group, scratch);
    w.leaves = leaves;
    group_frames(&w, group);
    for (int32_t sheaf = s->first_sheaf[group + 1] - 1; sheaf >= s->first_sheaf[group]; sheaf--) {
        if (group < s->bushes) {
            sweep_inward_closed(&w, sheaf, NULL, 0);
        } else {
            sweep_inward_open(&w, sheaf);
        }
    }
    return sweep_end(&w);
}

LANE_APART void group_outward(group_sweep *w, int32_t group, int stage, double dt)
{
    const rct_sheaves *s = w->s;
    const double weight = rk4_stage_weight(stage, dt);
    for (int32_t sheaf = s->first_sheaf[group]; sheaf < s->first_sheaf[group + 1]; sheaf++) {
        sweep_outward(w, sheaf, stage, weight);
    }
}

LANE_FUNCTION rct_sweep_result sweep_reach(const rct_sheaves *s, int32_t group, int stage,
                                           double dt, double *scratch)
{
    group_sweep w = sweep_begin(s, group, scratch);
    group_outward(&w, group, stage, dt);
    return sweep_end(&w);
}

LANE_FUNCTION rct_sweep_result sweep_accelerate(const rct_sheaves *s, int32_t group, int stage,
                                                double dt, double *scratch)
{
    group_sweep w = sweep_begin(s, group, scratch);
    group_frames(&w, group);
    for (int32_t sheaf = s->first_sheaf[group + 1] - 1; sheaf >= s->first_sheaf[group]; sheaf--) {
        const double *beyond = sheaf_path(s, sheaf) + (int64_t)PATH_BEYOND * ROW;
        sweep_inward_closed(&w, sheaf, group < s->bushes ? NULL : beyond, 1);
    }
    const rct_sweep_result inward = sweep_end(&w);
    w.fault = INT32_MAX;
    group_outward(&w, group, stage, dt);
    return inward.end != SWEEP_DONE ? inward : sweep_end(&w);
}

#define SWEEP_TABLE                                                                                \
    {                                                                                              \
        .lanes = LANE_WIDTH, .compose = sweep_compose, .guide = sweep_guide, .span = sweep_span,   \
        .pose = sweep_pose, .condense = sweep_condense, .reach = sweep_reach,                      \
        .accelerate = sweep_accelerate                                                             \
    }

#endif
