/* Moments at the hinges of narrow rows (narrow.h). They are known before the sweep and are
 * transmitted besides forces. */
#ifndef RCT_KERNELS_SWEEPS_NARROW_MOMENTS_H
#define RCT_KERNELS_SWEEPS_NARROW_MOMENTS_H

#include "kernels/sweeps/narrow.h"

/* The moments at the hinges of row g: of springs, dampers, friction and those given. The links have
 * the orientation `orientation` and are turned by `turn` against what they hang on, whose rate is
 * `rate`. */
LANE_INLINE vec3 narrow_moment_at(const rct_sheaves *s, int64_t g, int what, quat orientation,
                                  mat3 turn, vec3 rate)
{
    vec3 moment = vec3_zero();
    const vec3 own = vec3_load(s->state + (s->state_at[g] + STATE_RATE) * ROW, ROW);
    const vec3 carried = mat3_apply_transposed(turn, rate);
    if (row_has(s, g, HAS_EFFORT & what)) {
        moment = vec3_times(row_effort(s, g, EFFORT_DAMPING), vec3_sub(carried, own));
        if (s->bends) {
            moment = vec3_add(moment, row_bending(s, g, turn));
        }
    }
    if (row_rubs(s, g, what)) {
        moment = vec3_add(moment, row_ball_friction(s, g, ROW, 0, vec3_sub(own, carried)));
    }
    if (row_has(s, g, HAS_LOAD & what)) {
        moment = vec3_add(moment, row_effort_given(s, g, 0, quat_rotation(orientation)));
    }
    return moment;
}

/* Lanes with a moment. Hinges without one must keep their bits, also zeros of either sign. */
LANE_INLINE mask narrow_acts(vec3 moment)
{
    return lane_greater(lane_abs(moment.x) + lane_abs(moment.y) + lane_abs(moment.z),
                        lane_set(0.0));
}

/* Add what is beyond the hinges of row g, `out` at `at`, to the bodies they hang on. */
LANE_INLINE void narrow_hang_on(const rct_sheaves *s, int64_t g, const narrow_hung *hung,
                                narrow_handle out, vec3 at, narrow_body *body)
{
    narrow_hang(body, out, at, hung->rate);
    if (row_has(s, g, HAS_MOMENT & hung->what)) {
        vec3 *moment = narrow_moment_of(body);
        const vec3 turned = mat3_apply(hung->turn, hung->moment);
        *moment = vec3_choose(narrow_acts(hung->moment), vec3_add(*moment, turned), *moment);
    }
}

/* The moments at the hinges of row g on what the links hang on. */
LANE_INLINE vec3 narrow_moment_up(const rct_sheaves *s, int64_t g, const narrow_hung *hung)
{
    if (row_has(s, g, HAS_MOMENT & hung->what)) {
        return vec3_choose(narrow_acts(hung->moment), mat3_apply(hung->turn, hung->moment),
                           vec3_zero());
    }
    return vec3_zero();
}

#endif
