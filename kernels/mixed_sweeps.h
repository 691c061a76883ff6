/* The sheaves of a mixed tree row after row, for the LANE_WIDTH and the method of the including translation unit; narrow
 * ones have sweeps of their own (kernels/narrow_inward.h, narrow_outward.h). */
#ifndef RCT_KERNELS_MIXED_SWEEPS_H
#define RCT_KERNELS_MIXED_SWEEPS_H

#include "kernels/mixed_places.h"
#include "kernels/narrow_inward.h"
#include "kernels/narrow_outward.h"

LANE_FUNCTION void mixed_guide(const rct_mixed_sheaves *s, int32_t group, double *scratch)
{
    const mixed_sweep w = mixed_begin(s, group, scratch);
    for (int32_t sheaf = s->first_sheaf[group]; sheaf < s->first_sheaf[group + 1]; sheaf++) {
        if (narrow_sheaf(s, sheaf)) {
            narrow_outward_frames(s, sheaf);
            lane_meet(); /* before those that hang on them */
        } else {
            mixed_outward_frames(&w, sheaf);
        }
    }
}

LANE_FUNCTION void mixed_compose(const rct_mixed_sheaves *s, int32_t group)
{
    mixed_outward_product(s, s->first_sheaf[group], 0, 0);
}

/* One wide row inward; with open ends `t` unless NULL. */
LANE_INLINE void mixed_inward_row(mixed_sweep *w, int64_t g, mixed_law *law, mixed_through *t,
                                  int gains)
{
    mask number;
    const mask regular = mixed_pass(w->s, g, mixed_scratch_row(w, g), law, t, gains, &number);
    if (!lane_all(regular)) {
        mixed_note_singular(w, g, regular, number, law);
    }
}

/* One wide sheaf inward, from what hangs on its outermost links. */
LANE_INLINE void mixed_inward(mixed_sweep *w, int32_t sheaf, mixed_handle beyond, int gains)
{
    const rct_mixed_sheaves *s = w->s;
    mixed_law law = mixed_law_of(&beyond);
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        mixed_inward_row(w, g, &law, NULL, gains);
        mixed_leave_share(s, sheaf, g, &law);
        lane_meet(); /* paths of one sheaf may hang on one another */
    }
}

/* The same of any sheaf; `beyond`: record of what hangs there (PATH_BEYOND), or NULL: nothing. */
LANE_INLINE void mixed_inward_closed(mixed_sweep *w, int32_t sheaf, const double *beyond, int gains)
{
    if (narrow_sheaf(w->s, sheaf)) {
        narrow_inward_closed(w, sheaf, beyond, gains);
    } else {
        mixed_inward(w, sheaf, beyond != NULL ? mixed_handle_load(beyond) : mixed_none(), gains);
    }
}

/* Wide segments inward with both handles. */
LANE_INLINE void mixed_inward_both(mixed_sweep *w, int32_t sheaf)
{
    const rct_mixed_sheaves *s = w->s;
    const mixed_handle stand_in = mixed_stand_in(mixed_path(s, sheaf));
    mixed_law law = mixed_law_of(&stand_in);
    mixed_through t = mixed_open();
    for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
        mixed_inward_row(w, g, &law, &t, 0);
        mixed_leave_end(s, sheaf, g, &t);
        mixed_leave_share(s, sheaf, g, &law);
    }
}

/* The same of any. */
LANE_INLINE void mixed_inward_open(mixed_sweep *w, int32_t sheaf)
{
    if (narrow_sheaf(w->s, sheaf)) {
        narrow_inward_open(w, sheaf);
    } else {
        mixed_inward_both(w, sheaf);
    }
}

/* One sheaf outward, its links swept inward and reached. */
LANE_INLINE void mixed_outward(mixed_sweep *w, int32_t sheaf, int stage, rk4_weights weights)
{
    const rct_mixed_sheaves *s = w->s;
    if (narrow_sheaf(s, sheaf)) {
        narrow_outward(w, sheaf, stage, weights);
        return;
    }
    spatial above = spatial_zero();
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        const mixed_link before = mixed_link_before(s, g);
        mask good;
        above = mixed_reaching(s, sheaf, g, above);
        above =
            mixed_finish_row(s, g, &before, mixed_scratch_row(w, g), above, stage, weights, &good);
        mixed_leave_motion(s, g, above);
        mixed_note_outward(w, g, above, good);
        lane_meet();
    }
}

#endif
