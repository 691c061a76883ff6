/* Coordinates and rates: body order outside, label order inside; quaternions are units, rates of ball and
 * free hinges in link axes. */
#include "core/error.h"
#include "core/numbers.h"
#include "core/rotation.h"
#include "dynamics/mixed.h"
#include "dynamics/rigid.h"

#include <inttypes.h>
#include <string.h>

/* The state of one link from coordinates q and rates u of its hinge; 0 if they are none. */
static int convert(rct_hinge_type kind, const double *q, const double *u, double *state)
{
    const int nq = rct_hinge_coordinates(kind), nu = rct_hinge_freedoms(kind);
    if (kind == RCT_HINGE_BALL) {
        return rct_attitude(q, u, state + STATE_ORIENTATION, state + STATE_RATE);
    }
    memcpy(state, q, (size_t)nq * sizeof *q);
    memcpy(state + nq, u, (size_t)nu * sizeof *u);
    return (kind != RCT_HINGE_FREE || rct_attitude(q, u, state, state + nq)) &&
           rct_all_finite(state, nq + nu);
}

static rct_status no_state(int64_t body, rct_error *error)
{
    return rct_fail_body(error, RCT_ERROR_ARGUMENT, (int32_t)body,
                         "body %" PRId64 ": its state is no state: the orientation has "
                         "length zero or a number is not finite; the old state is kept",
                         body);
}

rct_status rct_mixed_set_coordinates(rct_mixed *x, const double *coordinates, const double *rates,
                                     rct_error *error)
{
    const rct_plan *plan = x->plan;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type kind = rct_plan_hinge(plan, b);
        if (kind != RCT_HINGE_FIXED &&
            !convert(kind, coordinates, rates,
                     x->state + plan->links.state_at[plan->placement[b].link])) {
            return no_state(b, error);
        }
        coordinates += rct_hinge_coordinates(kind);
        rates += rct_hinge_freedoms(kind);
    }
    x->backend->write_state(x->run, x->state);
    return RCT_OK;
}

rct_status rct_mixed_set_state(rct_mixed *x, const double *orientation, const double *rate,
                               rct_error *error)
{
    const rct_plan *plan = x->plan;
    for (int32_t l = 0; l < plan->links.count; l++) {
        if (plan->links.kind[l] != RCT_HINGE_BALL) {
            return rct_fail_body(error, RCT_ERROR_UNSUPPORTED, plan->head[l],
                                 "body %" PRId32 ": orientations do not give the state of its "
                                 "hinge; set coordinates and rates",
                                 plan->head[l]);
        }
    }
    for (int64_t b = 0; b < plan->body_count; b++) {
        if (!plan->placement[b].welded &&
            !convert(RCT_HINGE_BALL, orientation + 4 * b, rate + 3 * b,
                     x->state + plan->links.state_at[plan->placement[b].link])) {
            return no_state(b, error);
        }
    }
    x->backend->write_state(x->run, x->state);
    return RCT_OK;
}

void rct_mixed_show_coordinates(const rct_mixed *x, double *coordinates, double *rates)
{
    const rct_plan *plan = x->plan;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type kind = rct_plan_hinge(plan, b);
        const int nq = rct_hinge_coordinates(kind), nu = rct_hinge_freedoms(kind);
        if (kind == RCT_HINGE_FIXED) {
            continue;
        }
        const double *state = x->state + plan->links.state_at[plan->placement[b].link];
        double u[MIXED_MOST_FREEDOMS];
        memcpy(u, state + nq, (size_t)nu * sizeof *u);
        if (kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE) {
            double m[3][3];
            rct_rotation(state, m);
            rct_rotate(m, state + nq, u);
        }
        if (coordinates != NULL) {
            memcpy(coordinates, state, (size_t)nq * sizeof *state);
            coordinates += nq;
        }
        if (rates != NULL) {
            memcpy(rates, u, (size_t)nu * sizeof *u);
            rates += nu;
        }
    }
}

void rct_mixed_get_coordinates(rct_mixed *x, double *coordinates, double *rates)
{
    x->backend->read_state(x->run, x->state);
    rct_mixed_show_coordinates(x, coordinates, rates);
}

rct_status rct_mixed_start(rct_mixed *x, rct_error *error)
{
    const rct_plan *plan = x->plan;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_body *body = &plan->bodies[b];
        double q[MIXED_MOST_COORDINATES], u[MIXED_MOST_FREEDOMS];
        const int absolute = body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE;
        if (body->hinge == RCT_HINGE_FIXED) {
            continue;
        }
        memcpy(q, body->orientation, 4 * sizeof *q);
        memcpy(u, body->angular_velocity, 3 * sizeof *u);
        memcpy(q + (absolute ? 4 : 0), body->position, 3 * sizeof *q);
        memcpy(u + (absolute ? 3 : 0), body->rate, 3 * sizeof *u);
        if (!convert(body->hinge, q, u, x->state + plan->links.state_at[plan->placement[b].link])) {
            return no_state(b, error);
        }
    }
    x->backend->write_state(x->run, x->state);
    return RCT_OK;
}
