/* What hinges bear in a planar motion, in space: from the tips, with h the hinge point, c the centre of mass, and the load
 * F, G of a body about its centre of mass, weight included,
 *
 *     F_i = m a_c - F + sum F_k
 *     M_i = (c - h) x (m a_c - F) + I w. + w x I w - G + sum M_k + (h_k - h_i) x F_k
 *
 * over the bodies k that hang on body i. Inertial axes. */
#include "reference/planar/view.h"

#include "model/model.h"

/* The hinge force and moment of a body that carries nothing, in place of its load. */
static void hold(const rct_planar_view *view, const rct_planar_state *state, int32_t i,
                 const rct_pose *pose, rct_load *load)
{
    const rct_body *body = rct_bodies_at(view->model->bodies, i);
    const quad *a = state->q_ddot + 3 * view->place[i];
    const quad3 flat = {{a[0], a[1], 0}}, turn = {{0, 0, a[2]}};
    const quad3 w = pose->omega, w_dot = quad33_apply_transposed(&view->E, turn);
    const quad3 c = quad33_apply(&pose->R, quad3_of(body->com));
    const quad3 a_c = quad3_carried(quad33_apply_transposed(&view->E, flat), w_dot, w, c);
    const quad33 I = rct_pose_inertia(&pose->R, body);
    const quad3 h_dot = quad3_add(quad33_apply(&I, w_dot), quad3_cross(w, quad33_apply(&I, w)));
    load->F = quad3_subtract(quad3_scale(body->mass, a_c), load->F);
    load->G = quad3_add(quad3_cross(c, load->F), quad3_subtract(h_dot, load->G));
}

void rct_planar_reactions(const rct_planar_view *view, const rct_planar_state *state,
                          const rct_pose *pose, rct_load *load, double *force, double *moment)
{
    const rct_model *model = view->model;
    for (int32_t i = 0; i < model->count; i++) {
        hold(view, state, i, &pose[i], &load[i]);
    }
    for (int32_t k = model->count - 1; k >= 0; k--) {
        const int32_t i = view->body[k], up = model->bodies->parent[i];
        if (up != RCT_GROUND) {
            const quad3 arm = quad3_subtract(pose[i].position, pose[up].position);
            load[up].F = quad3_add(load[up].F, load[i].F);
            load[up].G = quad3_add(load[up].G, quad3_add(load[i].G, quad3_cross(arm, load[i].F)));
        }
        quad3_give(load[i].F, force, i);
        quad3_give(load[i].G, moment, i);
    }
}
