/* Start states of all bodies from coordinates and rates of their hinges. */
#include <riccatree/analysis.h>

#include "core/error.h"
#include "model/body_check.h"
#include "model/hinge_types.h"
#include "model/model.h"

#include <string.h>

/* Give body `id` coordinates q and rates u of its hinge, normalized. Returns 0 if they are no
 * state. */
static int start_at(rct_body *body, int32_t id, const double *q, const double *u)
{
    const int absolute = rct_hinge_uses(body->hinge, RCT_KEY_ORIENTATION) > 0;
    const int nq = rct_hinge_coordinates(body->hinge), nu = rct_hinge_freedoms(body->hinge);
    const int turned = absolute ? 4 : 0, spun = absolute ? 3 : 0;
    memcpy(body->orientation, q, (size_t)turned * sizeof *q);
    memcpy(body->angular_velocity, u, (size_t)spun * sizeof *u);
    memcpy(body->position, q + turned, (size_t)(nq - turned) * sizeof *q);
    memcpy(body->rate, u + spun, (size_t)(nu - spun) * sizeof *u);
    return rct_body_check(body, id, NULL, NULL) == RCT_OK;
}

static rct_status check_start(const rct_model *model, const double *coordinates,
                              const double *rates, rct_error *error)
{
    for (int32_t b = 0; b < model->count; b++) {
        rct_body body = rct_bodies_get(model->bodies, b);
        if (!start_at(&body, b, coordinates, rates)) {
            return rct_model_fail_body(
                model, b, error, RCT_ERROR_ARGUMENT,
                ": its start is not a valid state: the orientation has length zero, an angle is "
                "2^50 rad or more, or a number is not finite; the old start is kept");
        }
        coordinates += rct_hinge_coordinates(body.hinge);
        rates += rct_hinge_freedoms(body.hinge);
    }
    return RCT_OK;
}

rct_status rct_model_set_start(rct_model *model, const double *coordinates, const double *rates,
                               rct_error *error)
{
    if (!rct_given(model, "model", error) || !rct_given(coordinates, "coordinates", error) ||
        !rct_given(rates, "rates", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_status status = check_start(model, coordinates, rates, error);
    RCT_THEN(status, rct_bodies_own(&model->bodies, model->count, error));
    for (int32_t b = 0; b < model->count && status == RCT_OK; b++) {
        rct_body body = rct_bodies_get(model->bodies, b);
        start_at(&body, b, coordinates, rates);
        status = rct_bodies_put(model->bodies, b, &body, error);
        coordinates += rct_hinge_coordinates(body.hinge);
        rates += rct_hinge_freedoms(body.hinge);
    }
    return status;
}
