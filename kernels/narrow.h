/* Narrow sheaves (mixed_sheaves.h): paths of ball hinges in a tree of any hinges, for the LANE_WIDTH of the including
 * translation unit. What crosses a ball hinge is a force and a moment that is known, so S is 3x3 there, in the steps of
 * kernels/abi_step.h, and E of an open end 3x3, at a point. What a path adds to the link it hangs on has six components
 * as ever: A11, A12, A22 and b1, b2 of abi_step.h are the blocks of S and e.
 */
#ifndef RCT_KERNELS_NARROW_H
#define RCT_KERNELS_NARROW_H

#include "kernels/abi_span_step.h"
#include "kernels/mixed_inward.h"

/* A narrow open end seen from a link. */
typedef struct narrow_through {
    mat3 force;      /* E of the forces here, which act     */
    vec3 at;         /* at this point                       */
    vec3 free;       /* h, m/s^2                            */
    sym3 compliance; /* Psi, 1/kg                           */
} narrow_through;

/* At a ball hinge at `out` of the last link. */
LANE_INLINE narrow_through narrow_open(vec3 out)
{
    const real zero = lane_set(0.0);
    const sym3 none = {zero, zero, zero, zero, zero, zero};
    return (narrow_through){mat3_identity(), out, vec3_zero(), none};
}

/* Take an open end inward over a link whose hinge is eliminated, as abi_span_eliminate; before, `t` is seen from
 * the link, after, from its hinge point. */
LANE_INLINE mask narrow_span(const abi_body *body, narrow_through *t, abi_handle *handle) /* 320 */
{
    const ldl3 f = ldl3_factor(body->a22);
    const mat3 e = t->force, m = tilde_times(t->at, e), b = body->a12;
    const vec3 zx = ldl3_forward(f, (vec3){b.xx, b.xy, b.xz});
    const vec3 zy = ldl3_forward(f, (vec3){b.yx, b.yy, b.yz});
    const vec3 zz = ldl3_forward(f, (vec3){b.zx, b.zy, b.zz});
    const vec3 yx = ldl3_forward(f, (vec3){m.xx, m.yx, m.zx});
    const vec3 yy = ldl3_forward(f, (vec3){m.xy, m.yy, m.zy});
    const vec3 yz = ldl3_forward(f, (vec3){m.xz, m.yz, m.zz});
    const vec3 y = ldl3_forward(f, body->b2);
    const vec3 dx = ldl3_scale(f, zx), dy = ldl3_scale(f, zy), dz = ldl3_scale(f, zz);
    const vec3 ux = ldl3_scale(f, yx), uy = ldl3_scale(f, yy), uz = ldl3_scale(f, yz);
    const sym3 s = gram(zx, zy, zz, dx, dy, dz), psi = gram(yx, yy, yz, ux, uy, uz);
    handle->s = (sym3){body->a11.xx - s.xx, body->a11.yy - s.yy, body->a11.zz - s.zz,
                       body->a11.xy - s.xy, body->a11.xz - s.xz, body->a11.yz - s.yz};
    handle->e = (vec3){body->b1.x - vec3_dot(dx, y), body->b1.y - vec3_dot(dy, y),
                       body->b1.z - vec3_dot(dz, y)};
    t->force = (mat3){e.xx - vec3_dot(dx, yx), e.xy - vec3_dot(dx, yy), e.xz - vec3_dot(dx, yz),
                      e.yx - vec3_dot(dy, yx), e.yy - vec3_dot(dy, yy), e.yz - vec3_dot(dy, yz),
                      e.zx - vec3_dot(dz, yx), e.zy - vec3_dot(dz, yy), e.zz - vec3_dot(dz, yz)};
    t->free = vec3_sub(t->free, (vec3){vec3_dot(ux, y), vec3_dot(uy, y), vec3_dot(uz, y)});
    t->compliance = sym3_add(t->compliance, psi);
    return f.regular;
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

/* ---- frames ------------------------------------------------------------------------------- */

/* Whether a sheaf is narrow: riccati, and threads that are lanes, have no such. */
LANE_INLINE int narrow_sheaf(const rct_mixed_sheaves *s, int32_t sheaf)
{
#if defined(MIXED_RICCATI) || LANE_STRIDE != LANE_WIDTH
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

/* Of those they hang on. */
LANE_INLINE mixed_frame narrow_above(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g)
{
    mixed_frame up = {mat3_identity(), vec3_zero()};
    if (g > s->first_row[sheaf]) {
        up = narrow_frame(s, g - 1);
    }
    return s->starts[g] != 0 ? mixed_above(s, sheaf, g, up) : up;
}

/* Outward: frames to the paths that hang on the links. */
LANE_INLINE void narrow_outward_frames(const rct_mixed_sheaves *s, int32_t sheaf)
{
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        if (s->first_kid[g] < s->first_kid[g + 1]) {
            mixed_leave_frame(s, g, narrow_frame(s, g));
        }
    }
}

/* As mixed_outward_product: a ball hinge forgets what it hangs on. */
LANE_INLINE void narrow_outward_product(const rct_mixed_sheaves *s, int32_t sheaf)
{
    mixed_leave_product(mixed_path(s, sheaf), narrow_frame(s, s->first_row[sheaf + 1] - 1),
                        lane_set(1.0));
}

#endif
