/* The public functions of a solver, except the operators (operator_door.c) and rct_solver_step
 * (src/integrate/). Each checks its arguments, enters the solver, and calls the function of the
 * same name inside; only one caller is inside at a time. A refused caller gets a status with words;
 * functions without a status return NaN instead of numbers, as they do when memory runs out. */
#include "core/error.h"
#include "core/sized.h"
#include "dynamics/events.h"
#include "dynamics/solver.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

/* The promise of `const` on a solver does not include the mark. */
static atomic_int *mark_of(const rct_solver *solver)
{
    return (atomic_int *)&solver->busy;
}

rct_status rct_solver_enter(const rct_solver *solver, rct_error *error)
{
    if (!rct_given(solver, "solver", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (atomic_exchange_explicit(mark_of(solver), 1, memory_order_acquire)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "the solver is busy: its own force function or another thread calls it; "
                        "wait until the other call has returned");
    }
    return RCT_OK;
}

rct_status rct_solver_enter_in_time(const rct_solver *solver, rct_error *error)
{
    const rct_status status = rct_solver_enter(solver, error);
    if (status == RCT_OK && !isfinite(solver->time)) {
        return rct_solver_leave(
            solver, rct_fail(error, RCT_ERROR_ARGUMENT,
                             "the time of the solver is %g s; set a finite time", solver->time));
    }
    return status;
}

rct_status rct_solver_leave(const rct_solver *solver, rct_status status)
{
    atomic_store_explicit(mark_of(solver), 0, memory_order_release);
    return status;
}

int rct_solver_is_busy(const rct_solver *solver)
{
    return atomic_load_explicit(mark_of(solver), memory_order_relaxed);
}

/* Whether a function without a status may go on. */
static int enters(const rct_solver *solver)
{
    return rct_solver_enter(solver, NULL) == RCT_OK;
}

/* Whether a function that reads results may go on: the results must be those of the present
 * state. */
static int enters_evaluated(const rct_solver *solver)
{
    if (enters(solver)) {
        if (solver->evaluated) {
            return 1;
        }
        rct_solver_leave(solver, RCT_OK);
    }
    return 0;
}

static int64_t bodies_of(const rct_solver *solver)
{
    return solver != NULL ? solver->plan->body_count : 0;
}

static int64_t freedoms_of(const rct_solver *solver)
{
    return solver != NULL ? solver->plan->freedoms : 0;
}

static int64_t coordinates_of(const rct_solver *solver)
{
    return solver != NULL ? solver->plan->coordinates : 0;
}

static void no_numbers(double *numbers, int64_t count)
{
    for (int64_t i = 0; i < count && numbers != NULL; i++) {
        numbers[i] = (double)NAN;
    }
}

/* Whether `rows` is given; it must be if `count` is above 0. */
static int given_rows(const double *rows, int64_t count, const char *name, rct_error *error)
{
    return count <= 0 || rct_given(rows, name, error);
}

/* ---- state -------------------------------------------------------------------------------- */

rct_status rct_solver_check(const rct_solver *solver, rct_error *error)
{
    const rct_status status = rct_solver_enter(solver, error);
    return status == RCT_OK ? rct_solver_leave(solver, rct_solver_check_inside(solver, error))
                            : status;
}

double rct_solver_time(const rct_solver *solver)
{
    double time = (double)NAN;
    if (enters(solver)) {
        time = solver->time;
        rct_solver_leave(solver, RCT_OK);
    }
    return time;
}

void rct_solver_set_time(rct_solver *solver, double time)
{
    if (enters(solver)) {
        rct_solver_set_time_inside(solver, time);
        rct_solver_leave(solver, RCT_OK);
    }
}

rct_status rct_solver_set_state(rct_solver *solver, const double *orientation,
                                const double *angular_velocity, rct_error *error)
{
    if (!rct_given(orientation, "orientation", error) ||
        !rct_given(angular_velocity, "angular_velocity", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = rct_solver_enter(solver, error);
    return status == RCT_OK
               ? rct_solver_leave(solver, rct_solver_set_state_inside(solver, orientation,
                                                                      angular_velocity, error))
               : status;
}

void rct_solver_get_state(const rct_solver *solver, double *orientation, double *angular_velocity,
                          double *position, double *velocity)
{
    if (enters(solver)) {
        rct_solver_get_state_inside(solver, orientation, angular_velocity, position, velocity);
        rct_solver_leave(solver, RCT_OK);
        return;
    }
    no_numbers(orientation, 4 * bodies_of(solver));
    no_numbers(angular_velocity, 3 * bodies_of(solver));
    no_numbers(position, 3 * bodies_of(solver));
    no_numbers(velocity, 3 * bodies_of(solver));
}

rct_status rct_solver_set_coordinates(rct_solver *solver, const double *coordinates,
                                      const double *rates, rct_error *error)
{
    if (!given_rows(coordinates, coordinates_of(solver), "coordinates", error) ||
        !given_rows(rates, freedoms_of(solver), "rates", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = rct_solver_enter(solver, error);
    return status == RCT_OK ? rct_solver_leave(solver, rct_solver_set_coordinates_inside(
                                                           solver, coordinates, rates, error))
                            : status;
}

void rct_solver_get_coordinates(const rct_solver *solver, double *coordinates, double *rates)
{
    if (enters(solver)) {
        rct_solver_get_coordinates_inside(solver, coordinates, rates);
        rct_solver_leave(solver, RCT_OK);
        return;
    }
    no_numbers(coordinates, coordinates_of(solver));
    no_numbers(rates, freedoms_of(solver));
}

rct_status rct_solver_keep(rct_solver *solver, rct_error *error)
{
    const rct_status status = rct_solver_enter(solver, error);
    return status == RCT_OK ? rct_solver_leave(solver, rct_solver_keep_inside(solver, error))
                            : status;
}

double rct_solver_kept_time(const rct_solver *solver)
{
    double time = (double)NAN;
    if (enters(solver)) {
        time = solver->kept;
        rct_solver_leave(solver, RCT_OK);
    }
    return time;
}

rct_status rct_solver_get_kept(const rct_solver *solver, double *orientation,
                               double *angular_velocity, double *position, double *velocity,
                               rct_error *error)
{
    const rct_state_rows rows = {.orientation = orientation,
                                 .angular_velocity = angular_velocity,
                                 .position = position,
                                 .velocity = velocity};
    const rct_status status = rct_solver_enter(solver, error);
    return status == RCT_OK
               ? rct_solver_leave(solver, rct_solver_get_kept_inside(solver, &rows, error))
               : status;
}

void rct_solver_measure_sized(const rct_solver *solver, rct_out measures)
{
    rct_measures own;
    if (enters(solver)) {
        rct_solver_measure_inside(solver, &own);
        rct_solver_leave(solver, RCT_OK);
    } else {
        own.kinetic = own.potential = (double)NAN;
        no_numbers(own.momentum, 3);
        no_numbers(own.angular_momentum, 3);
    }
    rct_give(measures, &own, rct_whole(sizeof own));
}

/* ---- one evaluation ----------------------------------------------------------------------- */

rct_status rct_solver_evaluate(rct_solver *solver, rct_error *error)
{
    const rct_status status = rct_solver_enter_in_time(solver, error);
    return status == RCT_OK ? rct_solver_leave(solver, rct_solver_evaluate_inside(solver, error))
                            : status;
}

rct_status rct_solver_set_force_function(rct_solver *solver, rct_force_function *function,
                                         void *context, rct_error *error)
{
    const rct_status status = rct_solver_enter(solver, error);
    return status == RCT_OK ? rct_solver_leave(solver, rct_solver_set_force_function_inside(
                                                           solver, function, context, error))
                            : status;
}

rct_status rct_solver_set_body_forces(rct_solver *solver, const int32_t *bodies, int32_t count,
                                      rct_force_function *function, void *context, rct_error *error)
{
    const rct_status status = rct_solver_enter(solver, error);
    return status == RCT_OK
               ? rct_solver_leave(solver, rct_solver_set_body_forces_inside(
                                              solver, bodies, count, function, context, error))
               : status;
}

rct_status rct_solver_set_efforts(rct_solver *solver, const double *efforts, rct_error *error)
{
    const rct_status status = rct_solver_enter(solver, error);
    return status == RCT_OK
               ? rct_solver_leave(solver, rct_solver_set_efforts_inside(solver, efforts, error))
               : status;
}

rct_status rct_solver_forward(rct_solver *solver, int64_t states, const double *coordinates,
                              const double *rates, const double *efforts, double *derivatives,
                              rct_error *error)
{
    const int given = coordinates != NULL && rates != NULL && derivatives != NULL;
    if (!given &&
        (!given_rows(coordinates, states * coordinates_of(solver), "coordinates", error) ||
         !given_rows(rates, states * freedoms_of(solver), "rates", error) ||
         !given_rows(derivatives, states * freedoms_of(solver), "derivatives", error))) {
        return RCT_ERROR_ARGUMENT;
    }
    if (states < 0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "%" PRId64 " states: give 0 or more", states);
    }
    const rct_status status = rct_solver_enter_in_time(solver, error);
    return status == RCT_OK
               ? rct_solver_leave(solver,
                                  rct_solver_forward_inside(solver, states, coordinates, rates,
                                                            efforts, derivatives, error))
               : status;
}

void rct_solver_get_accelerations(const rct_solver *solver, double *linear, double *angular)
{
    if (enters_evaluated(solver) &&
        rct_solver_leave(solver, rct_solver_get_accelerations_inside(solver, linear, angular)) ==
            RCT_OK) {
        return;
    }
    no_numbers(linear, 3 * bodies_of(solver));
    no_numbers(angular, 3 * bodies_of(solver));
}

void rct_solver_get_rate_derivatives(const rct_solver *solver, double *derivatives)
{
    if (derivatives != NULL && enters_evaluated(solver)) {
        rct_solver_get_rate_derivatives_inside(solver, derivatives);
        rct_solver_leave(solver, RCT_OK);
        return;
    }
    no_numbers(derivatives, freedoms_of(solver));
}

void rct_solver_get_hinge_forces(const rct_solver *solver, double *force, double *moment)
{
    if (enters_evaluated(solver) &&
        rct_solver_leave(solver, rct_solver_get_hinge_forces_inside(solver, force, moment)) ==
            RCT_OK) {
        return;
    }
    no_numbers(force, 3 * bodies_of(solver));
    no_numbers(moment, 3 * bodies_of(solver));
}

void rct_solver_get_state_vectors(const rct_solver *solver, double *outboard, double *inboard)
{
    if (enters_evaluated(solver) &&
        rct_solver_leave(solver, rct_solver_get_state_vectors_inside(solver, outboard, inboard)) ==
            RCT_OK) {
        return;
    }
    no_numbers(outboard, 12 * bodies_of(solver));
    no_numbers(inboard, 12 * bodies_of(solver));
}

/* ---- loops -------------------------------------------------------------------------------- */

void rct_solver_get_loop_info_sized(const rct_solver *solver, rct_out info)
{
    rct_loop_info own = {.position = (double)NAN,
                         .velocity = (double)NAN,
                         .position_loop = -1,
                         .velocity_loop = -1,
                         .start_position_loop = -1,
                         .start_velocity_loop = -1};
    if (enters(solver)) {
        rct_solver_get_loop_info_inside(solver, &own);
        rct_solver_leave(solver, RCT_OK);
    }
    rct_give(info, &own, rct_whole(sizeof own));
}

void rct_solver_get_loop_forces(const rct_solver *solver, double *force, double *moment,
                                double *effort)
{
    const int64_t loops = solver != NULL ? rct_model_loop_count(solver->plan->surroundings) : 0;
    if (enters_evaluated(solver)) {
        rct_solver_get_loop_forces_inside(solver, force, moment, effort);
        rct_solver_leave(solver, RCT_OK);
        return;
    }
    no_numbers(force, 3 * loops);
    no_numbers(moment, 3 * loops);
    no_numbers(effort, loops);
}

void rct_solver_get_active_loops(const rct_solver *solver, int32_t *active)
{
    if (active != NULL && enters(solver)) {
        rct_solver_get_active_loops_inside(solver, active);
        rct_solver_leave(solver, RCT_OK);
    }
}

void rct_solver_get_events(const rct_solver *solver, int64_t *happened, double *time)
{
    if (enters(solver)) {
        rct_solver_get_events_inside(solver, happened, time);
        rct_solver_leave(solver, RCT_OK);
        return;
    }
    no_numbers(time, solver != NULL ? rct_model_event_count(solver->plan->surroundings) : 0);
}

rct_status rct_solver_set_loop_active(rct_solver *solver, int32_t loop, rct_loop_state active,
                                      rct_error *error)
{
    const rct_status status = rct_solver_enter_in_time(solver, error);
    return status == RCT_OK
               ? rct_solver_leave(solver,
                                  rct_solver_set_loop_active_inside(solver, loop, active, error))
               : status;
}

rct_status rct_solver_assemble(rct_solver *solver, rct_error *error)
{
    const rct_status status = rct_solver_enter_in_time(solver, error);
    return status == RCT_OK ? rct_solver_leave(solver, rct_solver_assemble_inside(solver, error))
                            : status;
}
