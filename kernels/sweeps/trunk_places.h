/* Where the nodes of the trunk of a tree are (trunk.h), in single lanes. */
#ifndef RCT_KERNELS_SWEEPS_TRUNK_PLACES_H
#define RCT_KERNELS_SWEEPS_TRUNK_PLACES_H

#include "kernels/sweeps/places.h"
#include "kernels/sweeps/trunk_ends.h"

LANE_CALL void trunk_pose(const rct_sheaves *rows, const rct_trunk *t, const int8_t *wanted,
                          const rct_places *places)
{
    for (int32_t n = 0; n < t->count; n++) {
        const int32_t m = t->parent[n], row = t->row[n],
                      what = wanted != NULL ? wanted[n] : NODE_SHOWN;
        if (what == 0 || t->slot[n] < 0) {
            continue;
        }
        const link_pose up =
            link_pose_load(m < 0 ? (const double *)places->ground : work_of(t, m) + TRUNK_POSE, 1);
        const link_pose own = row >= 0 ? row_pose(rows, row, 0, &up)
                                       : path_end_pose(t->paths + t->path[n], t->stride, &up);
        link_pose_store(work_of(t, n) + TRUNK_POSE, 1, POSE_FIELDS, &own);
        if (what == NODE_SHOWN) {
            const int32_t label = row >= 0 ? rows->label[row] : t->last_label[n];
            link_pose_store((double *)rct_pose_at(places->poses, label), 1, places->poses.fields,
                            &own);
        }
    }
}

#endif
