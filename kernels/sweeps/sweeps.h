/* The sheaves of a tree row after row, for the LANE_WIDTH and the method of the including
 * translation unit; narrow sheaves have their own sweeps (kernels/sweeps/narrow_inward.h,
 * narrow_outward.h). */
#ifndef RCT_KERNELS_SWEEPS_SWEEPS_H
#define RCT_KERNELS_SWEEPS_SWEEPS_H

#include "kernels/sweeps/narrow_inward.h"
#include "kernels/sweeps/narrow_outward.h"
#include "kernels/sweeps/places.h"

/* The frames of a group, to its scratch and to the records of what hangs on it. */
LANE_APART void group_frames(const group_sweep *w, int32_t group)
{
    const rct_sheaves *s = w->s;
    for (int32_t sheaf = s->first_sheaf[group]; sheaf < s->first_sheaf[group + 1]; sheaf++) {
        if (narrow_sheaf(s, sheaf)) {
            narrow_outward_frames(s, sheaf);
            lane_meet(); /* before those that hang on them */
        } else {
            wide_outward_frames(w, sheaf);
        }
    }
}

LANE_FUNCTION void sweep_guide(const rct_sheaves *s, int32_t group, double *scratch)
{
    const group_sweep w = sweep_begin(s, group, scratch);
    group_frames(&w, group);
}

LANE_FUNCTION void sweep_compose(const rct_sheaves *s, int32_t group)
{
    sweep_product(s, s->first_sheaf[group], 0, 0);
}

/* One wide row inward; with open ends `t` unless NULL. */
LANE_INLINE void wide_inward_row(group_sweep *w, int64_t g, wide_law *law, wide_through *t,
                                 int gains)
{
    mask number;
    const int leaves = gains || (t == NULL && w->leaves);
    const mask regular = wide_pass(w->s, g, scratch_row(w, g), law, t, gains, leaves, &number);
    if (!lane_all(regular)) {
        wide_note_singular(w, g, regular, number, law);
    }
}

/* The law of a record, or of nothing. */
LANE_INLINE wide_law wide_law_beyond(const double *beyond)
{
    wide_law law = wide_law_none();
    if (beyond != NULL) {
        const wide_handle record = wide_handle_load(beyond);
        law = wide_law_of(&record);
    }
    return law;
}

/* One wide sheaf inward, from the law of what hangs on its outermost links. */
LANE_INLINE void wide_inward(group_sweep *w, int32_t sheaf, wide_law law, int gains)
{
    const rct_sheaves *s = w->s;
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        wide_inward_row(w, g, &law, NULL, gains);
        path_leave_share(s, sheaf, g, &law, gains);
        lane_meet(); /* paths of one sheaf may hang on one another */
    }
}

/* The same for any sheaf; `beyond`: record of what hangs there (PATH_BEYOND), or NULL: nothing. */
LANE_INLINE void sweep_inward_closed(group_sweep *w, int32_t sheaf, const double *beyond, int gains)
{
    if (narrow_sheaf(w->s, sheaf)) {
        narrow_inward_closed(w, sheaf, beyond, gains);
    } else {
        wide_inward(w, sheaf, wide_law_beyond(beyond), gains);
    }
}

/* Wide segments inward with both handles. */
LANE_INLINE void wide_inward_open(group_sweep *w, int32_t sheaf)
{
    const rct_sheaves *s = w->s;
    const wide_handle stand_in = path_stand_in(sheaf_path(s, sheaf));
    wide_law law = wide_law_of(&stand_in);
    wide_through t = wide_open();
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        wide_inward_row(w, g, &law, &t, 0);
        path_leave_end(s, sheaf, g, &t);
        path_leave_share(s, sheaf, g, &law, 0);
    }
}

/* The same for any segments. */
LANE_INLINE void sweep_inward_open(group_sweep *w, int32_t sheaf)
{
    if (narrow_sheaf(w->s, sheaf)) {
        narrow_inward_open(w, sheaf);
    } else {
        wide_inward_open(w, sheaf);
    }
}

/* One sheaf outward, after it was swept inward and what reaches it is known. */
LANE_INLINE void sweep_outward(group_sweep *w, int32_t sheaf, int stage, double weight)
{
    const rct_sheaves *s = w->s;
    if (narrow_sheaf(s, sheaf)) {
        narrow_outward(w, sheaf, stage, weight);
        return;
    }
    spatial above = spatial_zero();
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        const link_lanes before = row_link_before(s, g);
        mask good;
        above = path_reaching(s, sheaf, g, above);
        above = wide_finish_row(s, g, &before, scratch_row(w, g), above, stage, weight, &good);
        path_leave_motion(s, g, above);
        wide_note_outward(w, g, above, good);
        lane_meet();
    }
}

#endif
