/* States in and out, and the kept state. Coordinates and rates: body order outside, label order
 * inside; quaternions have length 1, rates of ball and free hinges are in link axes. */
#include "core/error.h"
#include "core/numbers.h"
#include "core/rotation.h"
#include "dynamics/rigid.h"
#include "dynamics/solver.h"
#include "model/hinge_types.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void rct_solver_set_time_inside(rct_solver *s, double time)
{
    s->time = time;
    s->evaluated = 0;
    rct_solver_move_ground(s, time);
}

/* Whether coordinates q and rates u of a hinge are a state. */
static int is_state(rct_hinge_type kind, const double *q, const double *u)
{
    double quaternion[4], rate[3];
    const int absolute = kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE;
    return rct_all_finite(q, rct_hinge_coordinates(kind)) &&
           rct_all_finite(u, rct_hinge_freedoms(kind)) &&
           (absolute ? rct_attitude(q, u, quaternion, rate) : rct_hinge_is_turned(kind, q));
}

/* Name the first body whose coordinates and rates are no state; there is one. */
static rct_status no_state(const rct_plan *plan, const double *coordinates, const double *rates,
                           rct_error *error)
{
    int64_t b = 0;
    while (b + 1 < plan->body_count && is_state(rct_plan_hinge(plan, b), coordinates, rates)) {
        coordinates += rct_hinge_coordinates(rct_plan_hinge(plan, b));
        rates += rct_hinge_freedoms(rct_plan_hinge(plan, b));
        b++;
    }
    char label[RCT_BODY_LABEL];
    return rct_fail_body(error, RCT_ERROR_ARGUMENT, (int32_t)b,
                         "%s: its state is not valid: the orientation has length zero, an angle is "
                         "2^50 rad or more, or a number is not finite; the old state is kept",
                         rct_bodies_label(plan->bodies, (int32_t)b, label));
}

rct_status rct_solver_write_coordinates(rct_solver *s, const double *coordinates,
                                        const double *rates, rct_error *error)
{
    if (!s->backend->write_coordinates(s->run, coordinates, rates)) {
        return no_state(s->plan, coordinates, rates, error);
    }
    s->evaluated = 0;
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
            char label[RCT_BODY_LABEL];
            return rct_fail_body(error, RCT_ERROR_UNSUPPORTED, plan->places.head[l],
                                 "%s: orientations do not give the state of its hinge; set "
                                 "coordinates and rates",
                                 rct_bodies_label(plan->bodies, plan->places.head[l], label));
        }
    }
    double *q = s->state, *u = s->state + plan->coordinates;
    for (int64_t b = 0; b < plan->body_count; b++) {
        if (!rct_plan_welds(plan, b)) {
            memcpy(q, orientation + 4 * b, 4 * sizeof *q);
            memcpy(u, rate + 3 * b, 3 * sizeof *u);
            q += 4, u += 3;
        }
    }
    return rct_solver_set_coordinates_inside(s, s->state, s->state + plan->coordinates, error);
}

void rct_solver_get_coordinates_inside(const rct_solver *s, double *coordinates, double *rates)
{
    s->backend->read_coordinates(s->run, coordinates, rates);
}

rct_status rct_solver_load_start(rct_solver *s, rct_error *error)
{
    const rct_plan *plan = s->plan;
    double *q = s->state, *u = s->state + plan->coordinates;
    s->pace = (rct_pace){.next = 0.0};
    rct_solver_set_time_inside(s, 0.0);
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_hinge_type hinge = rct_plan_hinge(plan, b);
        const rct_start *start = rct_bodies_start(plan->bodies, b);
        const int nq = rct_hinge_coordinates(hinge), nu = rct_hinge_freedoms(hinge);
        const int absolute = hinge == RCT_HINGE_BALL || hinge == RCT_HINGE_FREE;
        if (absolute) {
            memcpy(q, start->orientation, 4 * sizeof *q);
            memcpy(u, start->angular_velocity, 3 * sizeof *u);
        }
        const int before = absolute ? 4 : 0, less = absolute ? 3 : 0;
        memcpy(q + before, start->position, (size_t)(nq - before) * sizeof *q);
        memcpy(u + less, start->rate, (size_t)(nu - less) * sizeof *u);
        q += nq, u += nu;
    }
    return rct_solver_write_coordinates(s, s->state, s->state + plan->coordinates, error);
}

/* ---- moved -------------------------------------------------------------------------------- */

static const double least_turn = 1e-5; /* rad^2, above which sine and cosine are called */

/* exp(turn) q, where the turn is a rotation vector in inertial axes. */
static void turn(const double vector[3], double scale, const double q[4], double out[4])
{
    const double square = rct_dot(vector, vector) * scale * scale;
    double by[4], along;
    if (square < least_turn) { /* the next terms are below 1e-17 */
        by[0] = 1.0 - square / 8.0 * (1.0 - square / 48.0);
        along = scale * (0.5 - square / 48.0 * (1.0 - square / 80.0));
    } else {
        const double angle = sqrt(square);
        by[0] = cos(0.5 * angle);
        along = scale * sin(0.5 * angle) / angle;
    }
    for (int i = 0; i < 3; i++) {
        by[1 + i] = along * vector[i];
    }
    rct_quaternion_product(by, q, out);
}

void rct_solver_advance(const rct_solver *s, const double *q, const double *change, double scale,
                        double *out)
{
    for (int64_t b = 0; b < s->plan->body_count; b++) {
        const rct_hinge_type hinge = rct_plan_hinge(s->plan, b);
        const int absolute = hinge == RCT_HINGE_BALL || hinge == RCT_HINGE_FREE;
        const int turned = absolute ? 4 : 0, skipped = absolute ? 3 : 0;
        const int slid = rct_hinge_coordinates(hinge) - turned;
        if (absolute) {
            turn(change, scale, q, out);
        }
        for (int i = 0; i < slid; i++) {
            out[turned + i] = q[turned + i] + scale * change[skipped + i];
        }
        q += turned + slid;
        out += turned + slid;
        change += skipped + slid;
    }
}

/* ---- kept --------------------------------------------------------------------------------- */

rct_status rct_solver_keep_inside(rct_solver *solver, rct_error *error)
{
    solver->kept = NAN;
    /* nor is what loops come to kept */
    if (solver->backend->keep == NULL || solver->closed != NULL) {
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

rct_status rct_solver_read_kept(const rct_solver *solver, double *coordinates, double *rates,
                                rct_error *error)
{
    if (isnan(solver->kept)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "no state is kept; keep one first");
    }
    if (!solver->backend->read_kept(solver->run, solver->state, coordinates, rates)) {
        return rct_solver_check_inside(solver, error);
    }
    rct_solver_move_ground(solver, solver->kept);
    rct_solver_find_poses(solver);
    return RCT_OK;
}

rct_status rct_solver_get_kept_inside(const rct_solver *solver, const rct_state_rows *rows,
                                      rct_error *error)
{
    const rct_status status = rct_solver_read_kept(solver, NULL, NULL, error);
    if (status == RCT_OK) {
        rct_solver_show_state(solver, rows->orientation, rows->angular_velocity, rows->position,
                              rows->velocity);
        rct_solver_move_ground(solver, solver->time);
    }
    return status;
}
