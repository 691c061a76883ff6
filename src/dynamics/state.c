/* States in and out: body order and inertial axes outside, links in label order and link axes inside.
 * Welded bodies follow their link. */
#include "core/error.h"
#include "core/rotation.h"
#include "dynamics/rigid.h"
#include "dynamics/solver.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void rct_solver_set_time_inside(rct_solver *solver, double time)
{
    solver->time = time;
    if (solver->mixed != NULL) {
        rct_mixed_set_time(solver->mixed, time);
    }
}

void rct_solver_read_state(const rct_solver *solver, double *state)
{
    if (solver->mixed != NULL) {
        solver->mixed->backend->read_state(solver->mixed->run, state);
    } else {
        solver->backend->read_state(solver->run, state);
    }
}

/* One link's state from its head's rows; 0 if it is no state. */
static int convert(const double orientation[4], const double rate[3], double *state)
{
    return rct_attitude(orientation, rate, state + STATE_ORIENTATION, state + STATE_RATE);
}

static rct_status no_state(int64_t body, rct_error *error)
{
    return rct_fail_body(error, RCT_ERROR_ARGUMENT, (int32_t)body,
                         "body %" PRId64 ": its state is no state: the orientation has "
                         "length zero or a number is not finite; the old state is kept",
                         body);
}

rct_status rct_solver_set_state_inside(rct_solver *solver, const double *orientation,
                                       const double *angular_velocity, rct_error *error)
{
    const rct_plan *plan = solver->plan;
    if (plan->mixed) {
        const rct_status status =
            rct_mixed_set_state(solver->mixed, orientation, angular_velocity, error);
        return status == RCT_OK ? rct_solver_check_inside(solver, error) : status;
    }
    for (int64_t l = 0; l < plan->links.count; l++) {
        const int64_t b = plan->head[l];
        if (!convert(orientation + 4 * b, angular_velocity + 3 * b,
                     solver->state + l * STATE_FIELDS)) {
            return no_state(b, error);
        }
    }
    solver->backend->write_state(solver->run, solver->state);
    return rct_solver_check_inside(solver, error);
}

/* What a body shows of its link: orientation and rate, hinge point and velocity. */
typedef struct body_state {
    double orientation[4], rate[3], position[3], velocity[3];
} body_state;

static body_state follow(const rct_placement *at, const double *state, const double *points)
{
    body_state body;
    double m[3][3];
    double turning[3];
    rct_rotation(state + STATE_ORIENTATION, m);
    rct_rotate(m, state + STATE_RATE, body.rate);
    memcpy(body.orientation, state + STATE_ORIENTATION, sizeof body.orientation);
    memcpy(body.position, points, sizeof body.position);
    memcpy(body.velocity, points + 3, sizeof body.velocity);
    if (at->welded) {
        double arm[3];
        rct_quaternion_product(state + STATE_ORIENTATION, at->orientation, body.orientation);
        rct_rotate(m, at->position, arm);
        rct_cross(body.rate, arm, turning);
        for (int i = 0; i < 3; i++) {
            body.position[i] += arm[i];
            body.velocity[i] += turning[i];
        }
    }
    return body;
}

static body_state at_rest(const rct_placement *at)
{
    body_state body = {{0.0}, {0.0}, {0.0}, {0.0}};
    memcpy(body.orientation, at->orientation, sizeof body.orientation);
    memcpy(body.position, at->position, sizeof body.position);
    return body;
}

static void copy_row(double *rows, int64_t row, int width, const double *values)
{
    if (rows != NULL) {
        memcpy(rows + row * width, values, (size_t)width * sizeof *values);
    }
}

/* Rows of all bodies from the states and points that the solver holds. */
static void show(const rct_solver *solver, double *orientation, double *angular_velocity,
                 double *position, double *velocity)
{
    const rct_plan *plan = solver->plan;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_placement *at = &plan->placement[b];
        const int64_t l = at->link;
        const body_state body =
            l == RCT_GROUND ? at_rest(at)
                            : follow(at, solver->state + l * STATE_FIELDS, solver->rows + 6 * l);
        copy_row(orientation, b, 4, body.orientation);
        copy_row(angular_velocity, b, 3, body.rate);
        copy_row(position, b, 3, body.position);
        copy_row(velocity, b, 3, body.velocity);
    }
}

void rct_solver_get_state_inside(const rct_solver *solver, double *orientation,
                                 double *angular_velocity, double *position, double *velocity)
{
    if (solver->mixed != NULL) {
        rct_mixed_get_state(solver->mixed, orientation, angular_velocity, position, velocity);
        return;
    }
    solver->backend->read_state(solver->run, solver->state);
    solver->backend->read_points(solver->run, solver->rows);
    show(solver, orientation, angular_velocity, position, velocity);
}

/* ---- coordinates -------------------------------------------------------------------------- */

rct_status rct_solver_set_coordinates_inside(rct_solver *solver, const double *coordinates,
                                             const double *rates, rct_error *error)
{
    const rct_plan *plan = solver->plan;
    if (plan->mixed) {
        const rct_status status =
            rct_mixed_set_coordinates(solver->mixed, coordinates, rates, error);
        return status == RCT_OK ? rct_solver_check_inside(solver, error) : status;
    }
    for (int64_t b = 0; b < plan->body_count; b++) {
        if (plan->placement[b].welded) {
            continue;
        }
        if (!convert(coordinates, rates,
                     solver->state + (int64_t)plan->placement[b].link * STATE_FIELDS)) {
            return no_state(b, error);
        }
        coordinates += 4;
        rates += 3;
    }
    solver->backend->write_state(solver->run, solver->state);
    return rct_solver_check_inside(solver, error);
}

void rct_solver_get_coordinates_inside(const rct_solver *solver, double *coordinates, double *rates)
{
    const rct_plan *plan = solver->plan;
    if (plan->mixed) {
        rct_mixed_get_coordinates(solver->mixed, coordinates, rates);
        return;
    }
    solver->backend->read_state(solver->run, solver->state);
    for (int64_t b = 0, k = 0; b < plan->body_count; b++) {
        if (!plan->placement[b].welded) {
            const double *state = solver->state + (int64_t)plan->placement[b].link * STATE_FIELDS;
            double m[3][3], rate[3];
            rct_rotation(state + STATE_ORIENTATION, m);
            rct_rotate(m, state + STATE_RATE, rate);
            copy_row(coordinates, k, 4, state + STATE_ORIENTATION);
            copy_row(rates, k++, 3, rate);
        }
    }
}

/* ---- kept --------------------------------------------------------------------------------- */

rct_status rct_solver_keep_inside(rct_solver *solver, rct_error *error)
{
    solver->kept = NAN;
    if (solver->backend->keep == NULL || solver->mixed != NULL) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "backend %s keeps no state while it steps; read the state instead",
                        solver->backend->name);
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

rct_status rct_solver_get_kept_inside(const rct_solver *solver, double *orientation,
                                      double *angular_velocity, double *position, double *velocity,
                                      rct_error *error)
{
    if (isnan(solver->kept)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "no state is kept; keep one first");
    }
    if (!solver->backend->read_kept(solver->run, solver->state, solver->rows)) {
        return rct_solver_check_inside(solver, error);
    }
    show(solver, orientation, angular_velocity, position, velocity);
    return RCT_OK;
}

/* ---- sums --------------------------------------------------------------------------------- */

void rct_solver_measure_inside(const rct_solver *solver, rct_measures *measures)
{
    rct_sums sums;
    if (solver->mixed != NULL) {
        rct_mixed_measure(solver->mixed, measures);
        return;
    }
    solver->backend->sums(solver->run, &sums);
    measures->kinetic = sums.kinetic;
    measures->potential = sums.potential;
    memcpy(measures->momentum, sums.momentum, sizeof sums.momentum);
    memcpy(measures->angular_momentum, sums.angular_momentum, sizeof sums.angular_momentum);
}
