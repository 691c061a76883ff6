/* Semi-recursive I and II of seed 003 from a model to its accelerations: the model seen along its normal, the
 * formulation, and back to inertial axes. */
#include "reference/planar/semi_recursive.h"

#include "core/error.h"
#include "model/model.h"
#include "reference/planar/view.h"

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

/* Rows in the model's order, inertial axes. */
static void give_accelerations(const rct_planar_view *view, const rct_planar_state *state,
                               rct_reference_result *result)
{
    for (int32_t i = 0; i < view->model->count; i++) {
        const int64_t place = view->place[i];
        const quad *a = state->q_ddot + 3 * place;
        const quad3 flat = {{a[0], a[1], 0}}, turn = {{0, 0, a[2]}};
        quad3_give(quad33_apply_transposed(&view->E, flat), result->linear, i);
        quad3_give(quad33_apply_transposed(&view->E, turn), result->angular, i);
        const int64_t first = state->first[place], count = state->first[place + 1] - first;
        for (int32_t j = 0; j < count && result->derivatives != NULL; j++) {
            result->derivatives[view->first[i] + j] =
                (double)(rct_planar_view_sign(view, i, j) * state->z_ddot[first + j]);
        }
    }
    result->residual = (double)state->residual;
}

/* The solution knows bodies by their place; say which it is. */
static rct_status name_body(const rct_planar_view *view, const rct_error *found, rct_error *error)
{
    if (found->status != RCT_ERROR_SINGULAR || found->body < 0) {
        if (error != NULL) {
            *error = *found;
        }
        return found->status;
    }
    return rct_model_fail_body(view->model, view->body[found->body], error, RCT_ERROR_SINGULAR,
                               ": the acceleration of its hinge is undetermined; give what it "
                               "carries inertia about the hinge");
}

/* With the state in the plane, and in space, which what acts is found in. */
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
    if (rct_planar_evaluate(which, state, &found) != RCT_OK) {
        return name_body(view, &found, error);
    }
    give_accelerations(view, state, result);
    rct_planar_reactions(view, state, pose, load, result->force, result->moment);
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
