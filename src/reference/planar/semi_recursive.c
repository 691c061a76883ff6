/* Semi-recursive I and II of seed 003 from a model to its accelerations: the model projected
 * along its normal, the formulation, and back to inertial axes. */
#include "reference/planar/semi_recursive.h"

#include "core/error.h"
#include "model/model.h"
#include "reference/planar/view.h"

#include <inttypes.h>
#include <math.h>

static void set_state(const rct_planar_view *view, rct_planar_state *state,
                      const double *coordinates, const double *rates)
{
    for (int32_t i = 0; i < view->model->count; i++) {
        const rct_bodies *bodies = view->model->bodies;
        const rct_start *start = rct_bodies_start(bodies, i);
        const double *q = coordinates != NULL ? coordinates + view->first[i] : start->position;
        const double *u = rates != NULL ? rates + view->first[i] : start->rate;
        const int64_t first = state->first[view->place[i]];
        for (int32_t j = 0; j < rct_hinge_freedoms(rct_bodies_at(bodies, i)->hinge); j++) {
            const quad sign = rct_planar_view_sign(view, i, j);
            state->z[first + j] = sign * q[j];
            state->z_dot[first + j] = sign * u[j];
        }
    }
}

/* The hinge force and moment of body i, whose hinge point accelerates by a, if it carries
 * nothing; they replace its load. */
static void hold(const rct_model *model, int32_t i, const rct_pose *pose, quad3 a, quad3 w_dot,
                 rct_load *load)
{
    const rct_body *body = rct_bodies_at(model->bodies, i);
    const quad3 w = pose->omega, c = quad33_apply(&pose->R, quad3_of(body->com));
    const quad33 I = rct_pose_inertia(&pose->R, body);
    const quad3 h_dot = quad3_add(quad33_apply(&I, w_dot), quad3_cross(w, quad33_apply(&I, w)));
    load->F = quad3_subtract(quad3_scale(body->mass, quad3_carried(a, w_dot, w, c)), load->F);
    load->G = quad3_add(quad3_cross(c, load->F), quad3_subtract(h_dot, load->G));
}

/* Rows in the model's order, inertial axes; the loads become the hinge forces of tips. */
static void give_accelerations(const rct_planar_view *view, const rct_planar_state *state,
                               const rct_pose *pose, rct_load *load, rct_reference_result *result)
{
    for (int32_t i = 0; i < view->model->count; i++) {
        const int64_t place = view->place[i];
        const quad *q_ddot = state->q_ddot + 3 * place;
        const quad3 a = quad33_apply_transposed(&view->E, (quad3){{q_ddot[0], q_ddot[1], 0}});
        const quad3 w_dot = quad33_apply_transposed(&view->E, (quad3){{0, 0, q_ddot[2]}});
        hold(view->model, i, &pose[i], a, w_dot, &load[i]);
        quad3_give(a, result->linear, i);
        quad3_give(w_dot, result->angular, i);
        const int64_t first = state->first[place], count = state->first[place + 1] - first;
        for (int32_t j = 0; j < count && result->derivatives != NULL; j++) {
            result->derivatives[view->first[i] + j] =
                (double)(rct_planar_view_sign(view, i, j) * state->z_ddot[first + j]);
        }
    }
    result->residual = (double)state->residual;
}

/* Hinge forces in space, because the plane does not show the moments perpendicular to the
 * normal: by Newton and Euler from the tips, with h the hinge point, c the centre of mass, and
 * the load F, G of a body about its centre of mass, weight included,
 *
 *     F_i = m a_c - F + sum F_k
 *     M_i = (c - h) x (m a_c - F) + I w. + w x I w - G + sum M_k + (h_k - h_i) x F_k
 *
 * over the bodies k that hang on body i. Inertial axes. */
static void give_reactions(const rct_planar_view *view, const rct_pose *pose, rct_load *load,
                           rct_reference_result *result)
{
    const rct_model *model = view->model;
    for (int32_t k = model->count - 1; k >= 0; k--) {
        const int32_t i = view->body[k], up = model->bodies->parent[i];
        if (up != RCT_GROUND) {
            const quad3 arm = quad3_subtract(pose[i].position, pose[up].position);
            load[up].F = quad3_add(load[up].F, load[i].F);
            load[up].G = quad3_add(load[up].G, quad3_add(load[i].G, quad3_cross(arm, load[i].F)));
        }
        quad3_give(load[i].F, result->force, i);
        quad3_give(load[i].G, result->moment, i);
    }
}

/* The solution numbers bodies by their place and closures by number; name the body or loop. */
static rct_status name_fault(const rct_planar_view *view, const rct_planar_state *state,
                             const rct_error *found, rct_error *error)
{
    if (state->dependent >= 0) {
        const int32_t loop = view->loop[state->dependent];
        char name[RCT_NAME_SIZE];
        rct_model_loop_name(view->model, loop, name);
        return rct_fail(
            error, RCT_ERROR_SINGULAR,
            "loop %" PRId32
            " \"%s\": its constraints depend on those before it, or the mechanism is in a singular "
            "position; leave redundant loops out, or use the reference lagrange",
            loop, name);
    }
    if (found->status != RCT_ERROR_SINGULAR) {
        if (error != NULL) {
            *error = *found;
        }
        return found->status;
    }
    return rct_model_fail_body(view->model, view->body[found->body], error, RCT_ERROR_SINGULAR,
                               ": the acceleration of its hinge is undetermined; give inertia "
                               "about the hinge to the bodies that it carries");
}

/* Evaluate with the state in the plane, and in space, where the loads are found. */
static rct_status evaluate(rct_planar_view *view, int which, rct_planar_state *state,
                           const rct_pose *pose, rct_reference_result *result, rct_error *error)
{
    rct_error found = {.status = RCT_OK};
    rct_load *load = rct_pool_take(&view->system.pool, view->model->count, sizeof *load, error);
    if (load == NULL) {
        return RCT_ERROR_MEMORY;
    }
    rct_load_all(view->model, pose, load);
    rct_planar_view_load(view, load);
    rct_planar_view_drive(view, pose);
    if (rct_planar_evaluate(which, state, &found) != RCT_OK) {
        return name_fault(view, state, &found, error);
    }
    rct_planar_view_exert(view, state, pose, load);
    give_accelerations(view, state, pose, load, result);
    give_reactions(view, pose, load, result);
    return RCT_OK;
}

rct_status rct_semi_recursive_evaluate(const rct_model *model, int which, double time,
                                       const double *coordinates, const double *rates,
                                       rct_reference_result *result, rct_error *error)
{
    rct_planar_view view;
    rct_planar_state *state = NULL;
    rct_pose *pose = NULL;
    if (which != 1 && which != 2) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "semi-recursive %d is unknown; the formulations are 1 and 2", which);
    }
    if (!isfinite(time)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "the time is not finite; give seconds");
    }
    rct_status status = rct_model_check(model, error);
    if (status != RCT_OK) {
        return status;
    }
    status = rct_planar_view_make(&view, model, time, error);
    if (status == RCT_OK) {
        pose = rct_pool_take(&view.system.pool, model->count, sizeof *pose, error);
        state = rct_planar_state_create(&view.system, error);
        status = pose == NULL || state == NULL
                     ? RCT_ERROR_MEMORY
                     : rct_pose_all(model, time, coordinates, rates, pose, error);
    }
    if (status == RCT_OK) {
        set_state(&view, state, coordinates, rates);
        status = evaluate(&view, which, state, pose, result, error);
    }
    rct_planar_state_free(state);
    rct_planar_free(&view.system);
    return status;
}
