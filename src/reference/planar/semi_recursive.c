/* Semi-recursive I and II of seed 003 from a model to its accelerations: the model seen along its normal, the
 * formulation, and back to inertial axes. */
#include "reference/planar/semi_recursive.h"

#include "core/error.h"
#include "model/model.h"
#include "reference/planar/view.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

static rct_status check_numbers(const rct_planar_view *view, const double *numbers,
                                rct_error *error)
{
    const rct_model *model = view->model;
    for (int32_t i = 0; numbers != NULL && i < model->count; i++) {
        for (int32_t j = 0; j < rct_hinge_freedoms(model->bodies[i].hinge); j++) {
            if (!isfinite(numbers[view->first[i] + j])) {
                char name[RCT_NAME_SIZE];
                rct_model_body_name(model, i, name);
                return rct_fail_body(error, RCT_ERROR_ARGUMENT, i,
                                     "body %" PRId32
                                     " \"%s\": a coordinate or rate of its hinge is "
                                     "not finite; give finite numbers",
                                     i, name);
            }
        }
    }
    return RCT_OK;
}

static void set_state(const rct_planar_view *view, rct_planar_state *state,
                      const double *coordinates, const double *rates)
{
    for (int32_t i = 0; i < view->model->count; i++) {
        const rct_body *body = &view->model->bodies[i];
        const double *q = coordinates != NULL ? coordinates + view->first[i] : body->position;
        const double *u = rates != NULL ? rates + view->first[i] : body->rate;
        const int64_t first = state->first[view->place[i]];
        for (int32_t j = 0; j < rct_hinge_freedoms(body->hinge); j++) {
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
    const quad33 *E = &view->E;
    for (int32_t i = 0; i < view->model->count; i++) {
        const int64_t place = view->place[i], row = 3 * (int64_t)i;
        const quad *a = state->q_ddot + 3 * place;
        for (int k = 0; k < 3 && result->linear != NULL; k++) {
            result->linear[row + k] = (double)(E->a[0][k] * a[0] + E->a[1][k] * a[1]);
        }
        for (int k = 0; k < 3 && result->angular != NULL; k++) {
            result->angular[row + k] = (double)(E->a[2][k] * a[2]);
        }
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
    const int32_t i = view->body[found->body];
    char name[RCT_NAME_SIZE];
    rct_model_body_name(view->model, i, name);
    return rct_fail_body(error, RCT_ERROR_SINGULAR, i,
                         "body %" PRId32 " \"%s\": the acceleration of its hinge is undetermined; "
                         "give what it carries inertia about the hinge",
                         i, name);
}

static rct_status evaluate(const rct_planar_view *view, int which, rct_planar_state *state,
                           rct_reference_result *result, rct_error *error)
{
    rct_error found = {.status = RCT_OK};
    if (rct_planar_evaluate(&view->system, which, state, &found) != RCT_OK) {
        return name_body(view, &found, error);
    }
    give_accelerations(view, state, result);
    if (result->force == NULL && result->moment == NULL) {
        return RCT_OK;
    }
    return rct_planar_reactions(view, state, result->force, result->moment, error);
}

rct_status rct_semi_recursive_evaluate(const rct_model *model, int which, double time,
                                       const double *coordinates, const double *rates,
                                       rct_reference_result *result, rct_error *error)
{
    rct_planar_view view;
    rct_planar_state *state = NULL;
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
        status = check_numbers(&view, coordinates, error);
    }
    if (status == RCT_OK) {
        status = check_numbers(&view, rates, error);
    }
    if (status == RCT_OK) {
        state = rct_planar_state_create(&view.system, error);
        status = state == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    }
    if (status == RCT_OK) {
        set_state(&view, state, coordinates, rates);
        status = evaluate(&view, which, state, result, error);
    }
    rct_planar_state_free(state);
    rct_planar_view_free(&view);
    return status;
}
