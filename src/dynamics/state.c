/* States in and out, and the one that is kept. Coordinates and rates: body order outside, label order inside; quaternions
 * are units, rates of ball and free hinges in link axes. */
#include "core/error.h"
#include "core/numbers.h"
#include "core/rotation.h"
#include "dynamics/rigid.h"
#include "dynamics/solver.h"

#include <inttypes.h>
#include <math.h>
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

void rct_solver_set_time_inside(rct_solver *s, double time)
{
    s->time = time;
    rct_solver_move_ground(s, time);
}

static rct_status no_state(int64_t body, rct_error *error)
{
    return rct_fail_body(error, RCT_ERROR_ARGUMENT, (int32_t)body,
                         "body %" PRId64 ": its state is no state: the orientation has "
                         "length zero or a number is not finite; the old state is kept",
                         body);
}

rct_status rct_solver_write_coordinates(rct_solver *s, const double *coordinates,
                                        const double *rates, rct_error *error)
{
    const rct_plan *plan = s->plan;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type kind = rct_plan_hinge(plan, b);
        if (kind != RCT_HINGE_FIXED &&
            !convert(kind, coordinates, rates,
                     s->state + plan->links.state_at[plan->placement[b].link])) {
            return no_state(b, error);
        }
        coordinates += rct_hinge_coordinates(kind);
        rates += rct_hinge_freedoms(kind);
    }
    s->backend->write_state(s->run, s->state);
    return RCT_OK;
}

rct_status rct_solver_set_coordinates_inside(rct_solver *s, const double *coordinates,
                                             const double *rates, rct_error *error)
{
    const rct_status status = rct_solver_write_coordinates(s, coordinates, rates, error);
    return status == RCT_OK ? rct_solver_check_inside(s, error) : status;
}

rct_status rct_solver_set_state_inside(rct_solver *s, const double *orientation, const double *rate,
                                       rct_error *error)
{
    const rct_plan *plan = s->plan;
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
                     s->state + plan->links.state_at[plan->placement[b].link])) {
            return no_state(b, error);
        }
    }
    s->backend->write_state(s->run, s->state);
    return rct_solver_check_inside(s, error);
}

void rct_solver_show_coordinates(const rct_solver *s, double *coordinates, double *rates)
{
    const rct_plan *plan = s->plan;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type kind = rct_plan_hinge(plan, b);
        const int nq = rct_hinge_coordinates(kind), nu = rct_hinge_freedoms(kind);
        if (kind == RCT_HINGE_FIXED) {
            continue;
        }
        const double *state = s->state + plan->links.state_at[plan->placement[b].link];
        double u[MOST_FREEDOMS];
        memcpy(u, state + nq, (size_t)nu * sizeof *u);
        if (rates != NULL && (kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE)) {
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

void rct_solver_get_coordinates_inside(const rct_solver *s, double *coordinates, double *rates)
{
    s->backend->read_state(s->run, s->state);
    rct_solver_show_coordinates(s, coordinates, rates);
}

rct_status rct_solver_load_start(rct_solver *s, rct_error *error)
{
    const rct_plan *plan = s->plan;
    rct_solver_set_time_inside(s, 0.0);
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_body *body = &plan->bodies[b];
        double q[MOST_COORDINATES], u[MOST_FREEDOMS];
        const int absolute = body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE;
        if (body->hinge == RCT_HINGE_FIXED) {
            continue;
        }
        memcpy(q, body->orientation, 4 * sizeof *q);
        memcpy(u, body->angular_velocity, 3 * sizeof *u);
        memcpy(q + (absolute ? 4 : 0), body->position, 3 * sizeof *q);
        memcpy(u + (absolute ? 3 : 0), body->rate, 3 * sizeof *u);
        if (!convert(body->hinge, q, u, s->state + plan->links.state_at[plan->placement[b].link])) {
            return no_state(b, error);
        }
    }
    s->backend->write_state(s->run, s->state);
    return RCT_OK;
}

/* ---- kept --------------------------------------------------------------------------------- */

rct_status rct_solver_keep_inside(rct_solver *solver, rct_error *error)
{
    solver->kept = NAN;
    if (solver->backend->keep == NULL || solver->closed != NULL) { /* nor what loops come to */
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "backend %s keeps no state%s while it steps; read the state instead",
                        solver->backend->name,
                        solver->closed != NULL ? " of a model with loops" : "");
    }
    rct_status status = solver->backend->keep(solver->run, error);
    if (status == RCT_OK) {
        status = rct_solver_check_inside(solver, error);
    }
    if (status == RCT_OK) {
        solver->kept = solver->time;
    }
    return status;
}

rct_status rct_solver_get_kept_inside(const rct_solver *solver, const rct_kept_rows *rows,
                                      rct_error *error)
{
    if (isnan(solver->kept)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "no state is kept; keep one first");
    }
    if (!solver->backend->read_kept(solver->run, solver->state)) {
        return rct_solver_check_inside(solver, error);
    }
    rct_solver_move_ground(solver, solver->kept);
    rct_solver_find_poses(solver);
    rct_solver_show_state(solver, rows->orientation, rows->angular_velocity, rows->position,
                          rows->velocity);
    rct_solver_show_coordinates(solver, rows->coordinates, rows->rates);
    rct_solver_move_ground(solver, solver->time);
    return RCT_OK;
}
