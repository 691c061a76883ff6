/* What hinges bear in a planar motion, in space: from the tips, with h the hinge point, c the centre of mass,
 *
 *     F_i = m (a_c - g) - forces + sum F_k
 *     M_i = (c - h) x m (a_c - g) + J theta.. n - moments - (r - h) x forces + sum M_k + (h_k - h_i) x F_k
 *
 * over the bodies k that hang on body i. Inertia has no products with the normal n. Axes of the plane. */
#include "reference/planar/view.h"

#include "core/memory.h"
#include "model/model.h"

#include <stddef.h>

typedef struct wrench {
    quad3 F, M; /* on the body from its parent, about its hinge point */
} wrench;

/* Vector of a body, or of the ground, at rest in its axes. */
static quad3 turned(const rct_planar_view *view, const rct_planar_state *state, int32_t i,
                    const double v[3])
{
    if (i == RCT_GROUND) {
        return quad33_apply(&view->E, quad3_of(v));
    }
    const quad3 own = quad33_apply(&view->K[i], quad3_of(v));
    const quad2 flat = quad2_turned(state->turn[view->place[i]], (quad2){{own.x[0], own.x[1]}});
    return (quad3){{flat.x[0], flat.x[1], own.x[2]}};
}

static quad3 hinge_point(const rct_planar_view *view, const rct_planar_state *state, int32_t i)
{
    if (i == RCT_GROUND) {
        return (quad3){{0, 0, 0}};
    }
    const quad *q = state->q + 3 * (int64_t)view->place[i];
    return (quad3){{q[0], q[1], view->height[i]}};
}

static quad3 less(quad3 a, quad3 b)
{
    return quad3_add(a, quad3_scale(-1, b));
}

static void take(wrench *all, int32_t i, quad3 arm, quad3 force, quad3 moment)
{
    if (i != RCT_GROUND) {
        all[i].F = less(all[i].F, force);
        all[i].M = less(less(all[i].M, moment), quad3_cross(arm, force));
    }
}

static void begin(const rct_planar_view *view, const rct_planar_state *state, int32_t i,
                  wrench *own)
{
    const rct_body *body = &view->model->bodies[i];
    const int64_t row = 3 * (int64_t)view->place[i];
    const quad *a = state->q_ddot + row;
    const quad rate = state->q_dot[row + 2];
    const quad3 c = turned(view, state, i, body->com);
    const quad3 g = quad33_apply(&view->E, quad3_of(view->model->gravity));
    const quad3 a_c = {{a[0] - a[2] * c.x[1] - rate * rate * c.x[0] - g.x[0],
                        a[1] + a[2] * c.x[0] - rate * rate * c.x[1] - g.x[1], -g.x[2]}};
    own->F = quad3_scale(body->mass, a_c);
    own->M = quad3_cross(c, own->F);
    own->M.x[2] += view->system.body[view->place[i]].J * a[2];
}

static quad3 velocity_of(const rct_planar_view *view, const rct_planar_state *state, int32_t i,
                         quad3 arm)
{
    if (i == RCT_GROUND) {
        return (quad3){{0, 0, 0}};
    }
    const quad *v = state->q_dot + 3 * (int64_t)view->place[i];
    return (quad3){{v[0] - v[2] * arm.x[1], v[1] + v[2] * arm.x[0], 0}};
}

static void take_spring(const rct_planar_view *view, const rct_planar_state *state,
                        const rct_force *force, wrench *all)
{
    const int32_t i = force->body, o = force->other;
    const quad3 arm = turned(view, state, i, force->at);
    const quad3 far = turned(view, state, o, force->other_at);
    const quad3 way = less(quad3_add(hinge_point(view, state, o), far),
                           quad3_add(hinge_point(view, state, i), arm));
    const quad3 way_dot = less(velocity_of(view, state, o, far), velocity_of(view, state, i, arm));
    const quad distance =
        quad_root(way.x[0] * way.x[0] + way.x[1] * way.x[1] + way.x[2] * way.x[2]);
    if (distance > 0) {
        const quad rate =
            (way.x[0] * way_dot.x[0] + way.x[1] * way_dot.x[1] + way.x[2] * way_dot.x[2]) /
            distance;
        const quad pull = force->stiffness * (distance - force->length) + force->damping * rate;
        const quad3 on_body = quad3_scale(pull / distance, way), none = {{0, 0, 0}};
        take(all, i, arm, on_body, none);
        take(all, o, far, quad3_scale(-1, on_body), none);
    }
}

static void take_wrench(const rct_planar_view *view, const rct_planar_state *state,
                        const rct_force *force, wrench *all)
{
    const int32_t axes = force->in_body_axes ? force->body : RCT_GROUND;
    take(all, force->body, turned(view, state, force->body, force->at),
         turned(view, state, axes, force->force), turned(view, state, axes, force->moment));
}

static void give(const rct_planar_view *view, quad3 v, double *row)
{
    for (int k = 0; row != NULL && k < 3; k++) {
        row[k] = (double)(view->E.a[0][k] * v.x[0] + view->E.a[1][k] * v.x[1] +
                          view->E.a[2][k] * v.x[2]);
    }
}

rct_status rct_planar_reactions(const rct_planar_view *view, const rct_planar_state *state,
                                double *force, double *moment, rct_error *error)
{
    const rct_model *model = view->model;
    wrench *all = rct_allocate(model->count, sizeof *all, "hinge forces", error);
    if (all == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < model->count; i++) {
        begin(view, state, i, &all[i]);
    }
    for (int32_t k = 0; k < model->force_count; k++) {
        if (model->forces[k].type == RCT_FORCE_SPRING) {
            take_spring(view, state, &model->forces[k], all);
        } else {
            take_wrench(view, state, &model->forces[k], all);
        }
    }
    for (int32_t k = model->count - 1; k >= 0; k--) {
        const int32_t i = view->body[k], parent = model->bodies[i].parent;
        const quad3 arm = less(hinge_point(view, state, i), hinge_point(view, state, parent));
        take(all, parent, arm, quad3_scale(-1, all[i].F), quad3_scale(-1, all[i].M));
        give(view, all[i].F, force != NULL ? force + 3 * (int64_t)i : NULL);
        give(view, all[i].M, moment != NULL ? moment + 3 * (int64_t)i : NULL);
    }
    rct_release(all);
    return RCT_OK;
}
