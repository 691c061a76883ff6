/* Springs and dampers at ball hinges in implicit stages (src/integrate/implicit.c), in lanes, for
 * trees whose links all have an orientation of their own. As at hinges with axes, springs act on p
 * + d (v + d a) and dampers on v + d a. Orientations have no differences, so the turn of the link
 * from q to p is taken as
 *
 *     eta = 2 vec(p q*) / |q|^2
 *
 * of the quaternions. It is linear in p, and because slopes are (1/2) w q, the eta of p + d slope
 * is eta + d (v + d a). With eta, v and the rates u less those of the link (or ground) that the
 * link hangs on, in link axes, the moment besides that of q, u is
 *
 *     -K (eta + d v) + C (u - v) - (d C + d^2 K) a
 *
 * Sweeps treat the last part as rotors. These take a from the angular acceleration of what the link
 * hangs on. A turning ground gives all of its acceleration, so the part of the ground is added
 * back. The ground stays where it is at the time of the stage, for every p.
 */
#ifndef RCT_KERNELS_LAWS_HOLD_STEP_H
#define RCT_KERNELS_LAWS_HOLD_STEP_H

#include "kernels/laws/coordinate_step.h"

/* How a link turns, inertial axes; `bias`: the angular acceleration of the ground, 0 for links. */
typedef struct hold_turning {
    vec3 u, v, eta, bias;
} hold_turning;

LANE_INLINE hold_turning hold_turning_select(mask where, hold_turning a, hold_turning b)
{
    return (hold_turning){vec3_choose(where, a.u, b.u), vec3_choose(where, a.v, b.v),
                          vec3_choose(where, a.eta, b.eta), vec3_choose(where, a.bias, b.bias)};
}

/* Numbers of the state, and of p and v, that a turn is made of. */
enum { HOLD_ORIENTATION = 4, HOLD_RATE = 3, HOLD_NUMBERS = HOLD_ORIENTATION + HOLD_RATE };

LANE_INLINE hold_turning hold_turning_of(const real state[HOLD_NUMBERS],
                                         const real other[HOLD_NUMBERS], mat3 *axes)
{
    const quat q = {state[0], state[1], state[2], state[3]};
    const quat away = quat_between(q, (quat){other[0], other[1], other[2], other[3]});
    const vec3 eta = vec3_scale(lane_set(2.0), (vec3){away.x, away.y, away.z});
    *axes = attitude_rotation(q);
    return (hold_turning){mat3_apply(*axes, (vec3){state[4], state[5], state[6]}),
                          mat3_apply(*axes, (vec3){other[4], other[5], other[6]}),
                          mat3_apply(*axes, eta), vec3_zero()};
}

/* The moment on the link, inertial axes. */
LANE_INLINE vec3 hold_moment(const hold_turning *own, const hold_turning *above, mat3 axes, vec3 k,
                             vec3 c, double delta)
{
    const real d = lane_set(delta);
    const vec3 slip = vec3_sub(own->v, above->v);
    const vec3 stretch = vec3_add_scaled(vec3_sub(own->eta, above->eta), d, slip);
    const vec3 lost = vec3_sub(vec3_sub(own->u, above->u), slip);
    const vec3 rotor = vec3_scale(d, vec3_add_scaled(c, d, k));
    const vec3 damped = vec3_times(c, mat3_apply_transposed(axes, lost));
    const vec3 sprung = vec3_times(k, mat3_apply_transposed(axes, stretch));
    const vec3 bias = vec3_times(rotor, mat3_apply_transposed(axes, above->bias));
    return mat3_apply(axes, vec3_sub(vec3_sub(damped, sprung), bias));
}

LANE_INLINE hold_turning hold_ground(const rct_holding *by)
{
    const vec3 rate = {lane_set(by->ground[0][0]), lane_set(by->ground[0][1]),
                       lane_set(by->ground[0][2])};
    const vec3 change = {lane_set(by->ground[1][0]), lane_set(by->ground[1][1]),
                         lane_set(by->ground[1][2])};
    return (hold_turning){rate, rate, vec3_scale(lane_set(-by->delta), rate), change};
}

/* Number i of a turn, in a slot of row g, `stride` apart. */
LANE_INLINE double *hold_number(const rct_sheaves *s, int64_t g, double *slot, int i,
                                int64_t stride)
{
    const int64_t field = i < HOLD_ORIENTATION ? i : s->coordinates[g] + i - HOLD_ORIENTATION;
    return slot + (s->state_at[g] + field) * stride;
}

/* The turns of links of row g, from numbers `stride` apart, from `lane` on. */
LANE_INLINE hold_turning hold_turning_at(const rct_sheaves *s, int64_t g, int64_t stride,
                                         int64_t lane, mat3 *axes)
{
    double *other = s->slots + RCT_SLOT_OTHER * s->slot;
    real x[HOLD_NUMBERS], y[HOLD_NUMBERS];
    LANE_UNROLL
    for (int i = 0; i < HOLD_NUMBERS; i++) {
        x[i] = lane_load(hold_number(s, g, s->state, i, stride) + lane);
        y[i] = lane_load(hold_number(s, g, other, i, stride) + lane);
    }
    return hold_turning_of(x, y, axes);
}

/* Adds to the efforts of row g the moments on its links, whose turns are `own`. */
LANE_INLINE void hold_row(const rct_sheaves *s, int64_t g, int64_t stride, int64_t lane,
                          const hold_turning *own, const hold_turning *above, mat3 axes,
                          double delta)
{
    double *resistances = s->slots + RCT_SLOT_RESISTANCES * s->slot;
    double *k = hold_number(s, g, resistances, 0, stride) + lane;
    double *c = hold_number(s, g, resistances, HOLD_ORIENTATION, stride) + lane;
    double *effort = s->loads + (g * LOAD_FIELDS + LOAD_EFFORT) * stride + lane;
    const vec3 moment =
        hold_moment(own, above, axes, vec3_load(k, (int)stride), vec3_load(c, (int)stride), delta);
    vec3_store(effort, (int)stride, vec3_add(vec3_load(effort, (int)stride), moment));
}

#endif
