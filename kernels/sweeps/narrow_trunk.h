/* Narrow paths (sheaves.h) in the trunk, one at a time: what they hang on, and what hangs on their
 * open ends, are ball hinges. In the symbols of kernels/laws/abi_span_step.h,
 *
 *     S = S_P + E T E^T     e = e_P + E K^T (e_C + S_C h)     A_out = K (E^T A + h - Psi e_C)
 */
#ifndef RCT_KERNELS_SWEEPS_NARROW_TRUNK_H
#define RCT_KERNELS_SWEEPS_NARROW_TRUNK_H

#include "kernels/records/trunk.h"
#include "kernels/sweeps/narrow.h"

#include <math.h>

/* The end whose record is at `path`, fields `stride` apart; `rest`: the share of what hangs on it,
 * less the stand-in. */
LANE_FUNCTION narrow_through narrow_end_load(const double *path, int32_t stride, abi_handle *rest)
{
    *rest = abi_besides(*rest, path[(int64_t)PATH_STAND_IN * stride]);
    return (narrow_through){mat3_load(path + (int64_t)PATH_THROUGH * stride, stride), vec3_zero(),
                            vec3_load(path + (int64_t)PATH_FREE * stride, stride),
                            sym3_load(path + (int64_t)PATH_COMPLIANCE * stride, stride)};
}

/* The moment of springs and dampers at that ball hinge, on a link with this turn against what it
 * hangs on and the relative rate `slip`. */
LANE_FUNCTION vec3 narrow_resistance(const rct_sheaves *s, int64_t place, int32_t stride, mat3 turn,
                                     vec3 slip)
{
    const int32_t k = s->effort.row[place / stride];
    const int64_t record = (int64_t)(k >= 0 ? k : ~k) * EFFORT_FIELDS;
    const double *effort =
        k >= 0 ? s->effort.shared + record : s->effort.wide + record * stride + place % stride;
    const int32_t apart = k >= 0 ? 1 : stride;
    const vec3 moment =
        vec3_times(vec3_load(effort + (int64_t)EFFORT_DAMPING * apart, apart), slip);
    if (!s->bends) {
        return moment;
    }
    const quat frame = quat_load(effort + (int64_t)EFFORT_FRAME * apart, apart);
    const vec3 stiffness = vec3_load(effort + (int64_t)EFFORT_STIFFNESS * apart, apart);
    return vec3_add(moment, bending_moment(turn, frame, stiffness));
}

/* What acts at the ball hinge of the link at `place`, row * stride + lane, in the axes of the link
 * it hangs on, which moves as `last`. */
LANE_FUNCTION vec3 narrow_moment(const rct_sheaves *s, int64_t place, int32_t stride,
                                 const link_frame *last)
{
    const int64_t row = place / stride, lane = place % stride;
    vec3 moment = vec3_zero();
    if (row_has(s, row, HAS_EFFORT | HAS_HINGE_FORCE)) {
        const double *state = s->state + s->state_at[row] * stride + lane;
        const vec3 rate = vec3_load(state + (int64_t)s->coordinates[row] * stride, stride);
        const mat3 own = quat_rotation(quat_load(state, stride));
        const vec3 carried = mat3_apply_transposed(own, mat3_apply(last->rotation, last->rate));
        if (row_has(s, row, HAS_EFFORT)) {
            moment = narrow_resistance(s, place, stride, mat3_transposed_times(last->rotation, own),
                                       vec3_sub(carried, rate));
        }
        if (row_rubs(s, row, HAS_HINGE_FORCE)) {
            const vec3 slip = vec3_sub(rate, carried);
            moment = vec3_add(moment, row_ball_friction(s, row, stride, lane, slip));
        }
        moment = mat3_apply(own, moment);
    }
    if (row_has(s, row, HAS_LOAD)) {
        const double *load = s->loads + row * LOAD_FIELDS * stride + lane;
        moment = vec3_add(moment, vec3_load(load + (int64_t)LOAD_EFFORT * stride, stride));
    }
    return mat3_apply_transposed(last->rotation, moment);
}

/* What a narrow path asks for at its hinge. */
typedef struct narrow_share {
    abi_handle h;
    vec3 moment;
} narrow_share;

LANE_FUNCTION narrow_share narrow_share_load(const rct_trunk *t, int32_t n)
{
    const double *own = t->paths + t->path[n] + (int64_t)PATH_HINGE * t->stride;
    narrow_share share = {
        {sym3_load(own, t->stride), vec3_load(own + (int64_t)6 * t->stride, t->stride)},
        vec3_zero()};
    if (t->lanes->moments) {
        share.moment = vec3_load(own + (int64_t)9 * t->stride, t->stride);
    }
    return share;
}

/* Add it to what hangs on a link, r from its origin. */
LANE_FUNCTION void narrow_share_add(wide_handle *sum, const narrow_share *share, vec3 r)
{
    abi_body body = {sum->ll, sum->la, sum->aa, sum->e.l, sum->e.a};
    abi_add_outboard(&body, share->h, r, vec3_zero());
    *sum = (wide_handle){body.a11, body.a12, body.a22, {body.b1, vec3_add(body.b2, share->moment)}};
}

/* The path `own` with its end closed. */
LANE_FUNCTION rct_sweep_end narrow_close(const narrow_through *end, abi_handle rest,
                                         abi_handle *own)
{
    const abi_joint joint = abi_join(rest.s, end->compliance);
    const vec3 whole = vec3_add(rest.e, sym3_apply(rest.s, end->free));
    const vec3 passed = mat3_apply_transposed(joint.k, whole);
    own->s = sym3_add(own->s, sym3_rotate(end->force, joint.t));
    own->e = vec3_add(own->e, mat3_apply(end->force, passed));
    if (joint.regular) {
        return SWEEP_DONE;
    }
    return isfinite(rest.s.xx + rest.s.yy + rest.s.zz + end->compliance.xx + end->compliance.yy +
                    end->compliance.zz)
               ? SWEEP_SINGULAR
               : SWEEP_NOT_FINITE;
}

/* The acceleration of the hinge at the end, less w x (w x r), from that of the hinge the path hangs
 * on. The ball hinge needs no more: it takes this as the acceleration of a link that turns with the
 * last one, without angular acceleration. */
LANE_FUNCTION spatial narrow_reach(const narrow_through *end, abi_handle rest, vec3 there)
{
    const vec3 open = vec3_add(mat3_apply_transposed(end->force, there), end->free);
    return (spatial){
        abi_meet(end->compliance, rest.s, vec3_minus_applied(open, end->compliance, rest.e)),
        vec3_zero()};
}

#endif
