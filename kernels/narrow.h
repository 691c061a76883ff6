/* Narrow sheaves (mixed_sheaves.h): paths of ball hinges in a tree of any hinges, for the LANE_WIDTH of the including
 * translation unit. What crosses a ball hinge is a force and a moment that is known, so S is 3x3 there, in the steps of
 * kernels/narrow_method.h, and E of an open end 3x3, at a point. What a path adds to the link it hangs on has six components
 * as ever: A11, A12, A22 and b1, b2 of abi_step.h are the blocks of S and e.
 */
#ifndef RCT_KERNELS_NARROW_H
#define RCT_KERNELS_NARROW_H

#include "kernels/mixed_inward.h"
#include "kernels/narrow_method.h"

/* At a ball hinge at `out` of the last link. */
LANE_INLINE narrow_through narrow_open(vec3 out)
{
    const real zero = lane_set(0.0);
    const sym3 none = {zero, zero, zero, zero, zero, zero};
    return (narrow_through){mat3_identity(), out, vec3_zero(), none};
}

/* From beyond a hinge at r of the link inboard, turned by `turn`, to that link; `bias`: of the point there, its axes. */
LANE_INLINE void narrow_open_inboard(narrow_through *t, mat3 turn, vec3 r, vec3 bias) /* 87 */
{
    t->force = mat3_product(turn, t->force);
    t->at = r;
    t->free = vec3_add(t->free, mat3_apply_transposed(t->force, bias));
}

/* To the record of a path, of the lanes in which it begins. */
LANE_INLINE void narrow_store_end(double *path, mask where, const narrow_through *t)
{
    const mat3 f = t->force;
    const sym3 p = t->compliance;
    const vec3 h = t->free;
    const real fields[12] = {f.xx, f.xy, f.xz, f.yx,    f.yy,    f.yz,
                             f.zx, f.zy, f.zz, t->at.x, t->at.y, t->at.z};
    const real rest[9] = {h.x, h.y, h.z, p.xx, p.yy, p.zz, p.xy, p.xz, p.yz};
    for (int i = 0; i < 12; i++) {
        mixed_store_where(where, path + (int64_t)(PATH_THROUGH + i) * MW, fields[i]);
    }
    for (int i = 0; i < 9; i++) {
        const int64_t field = i < 3 ? PATH_FREE + i : PATH_COMPLIANCE + i - 3;
        mixed_store_where(where, path + field * MW, rest[i]);
    }
}

/* Three numbers of each lane, fields MW apart, at `place` behind `from`. */
LANE_INLINE vec3 narrow_gather(const double *from, const int32_t *place)
{
    return (vec3){lane_gather(from, place), lane_gather(from + MW, place),
                  lane_gather(from + (int64_t)2 * MW, place)};
}

/* ---- frames ------------------------------------------------------------------------------- */

/* Whether a sheaf is narrow: threads that are lanes have no such. */
LANE_INLINE int narrow_sheaf(const rct_mixed_sheaves *s, int32_t sheaf)
{
#if LANE_STRIDE != LANE_WIDTH
    (void)s;
    (void)sheaf;
    return 0;
#else
    return s->narrow != NULL && s->narrow[sheaf];
#endif
}

/* The frames of the links of row g. */
LANE_INLINE mixed_frame narrow_frame(const rct_mixed_sheaves *s, int64_t g)
{
    const double *state = s->state + s->state_at[g] * MW;
    return (mixed_frame){quat_rotation(quat_load(state, MW)),
                         vec3_load(state + (int64_t)STATE_RATE * MW, MW)};
}

/* Of those on which the twigs of a sheaf hang, the others of numbers; their rates if asked for. */
LANE_INLINE mixed_frame narrow_twig_frame(const rct_mixed_sheaves *s, int32_t sheaf, int rates)
{
    const int32_t *up = s->twigs.up + (int64_t)sheaf * MW;
    const double *state = s->state, *rate = state + (int64_t)STATE_RATE * MW;
    const quat q = {lane_gather(state, up), lane_gather(state + MW, up),
                    lane_gather(state + (int64_t)2 * MW, up),
                    lane_gather(state + (int64_t)3 * MW, up)};
    mixed_frame frame = {quat_rotation(q), vec3_zero()};
    if (rates) {
        frame.rate = narrow_gather(rate, up);
    }
    return frame;
}

/* Of those they hang on: `along` the paths, or where those begin. `what`: of all that rows may have (HAS_EFFORT), what these
 * do. The rates of those with twigs are there where something acts at the hinges. */
LANE_INLINE mixed_frame narrow_above(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g, int what,
                                     mixed_frame along)
{
    mixed_frame up = along;
    if (mixed_row_has(s, g, HAS_START & what)) {
        const int32_t twigs = s->twigs.begin[g];
        if (twigs != s->starts[g]) {
            up = mixed_above(s, sheaf, g, up);
        }
        if (twigs != 0) {
            const mixed_frame below =
                narrow_twig_frame(s, sheaf, mixed_row_has(s, g, HAS_EFFORT & what));
            const mask where = lane_bits(twigs);
            if (lane_all(where)) {
                up = below;
            } else {
                up = mixed_frame_select(where, below, up);
            }
        }
    }
    return up;
}

/* Outward: frames to the paths that hang on the links, but twigs. */
LANE_INLINE void narrow_outward_frames(const rct_mixed_sheaves *s, int32_t sheaf)
{
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        if (mixed_row_has(s, g, HAS_KIDS)) {
            mixed_leave_frame(s, g, narrow_frame(s, g));
        }
    }
}

#endif
