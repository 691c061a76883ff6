/* States in and out, and the one that is kept. */
#include "core/error.h"
#include "dynamics/solver.h"

#include <math.h>

void rct_solver_set_time_inside(rct_solver *solver, double time)
{
    solver->time = time;
    rct_mixed_set_time(solver->mixed, time);
}

void rct_solver_read_state(const rct_solver *solver, double *state)
{
    solver->backend->read_state(solver->mixed->run, state);
}

rct_status rct_solver_set_state_inside(rct_solver *solver, const double *orientation,
                                       const double *angular_velocity, rct_error *error)
{
    const rct_status status =
        rct_mixed_set_state(solver->mixed, orientation, angular_velocity, error);
    return status == RCT_OK ? rct_solver_check_inside(solver, error) : status;
}

void rct_solver_get_state_inside(const rct_solver *solver, double *orientation,
                                 double *angular_velocity, double *position, double *velocity)
{
    rct_mixed_get_state(solver->mixed, orientation, angular_velocity, position, velocity);
}

rct_status rct_solver_set_coordinates_inside(rct_solver *solver, const double *coordinates,
                                             const double *rates, rct_error *error)
{
    const rct_status status = rct_mixed_set_coordinates(solver->mixed, coordinates, rates, error);
    return status == RCT_OK ? rct_solver_check_inside(solver, error) : status;
}

void rct_solver_get_coordinates_inside(const rct_solver *solver, double *coordinates, double *rates)
{
    rct_mixed_get_coordinates(solver->mixed, coordinates, rates);
}

void rct_solver_measure_inside(const rct_solver *solver, rct_measures *measures)
{
    rct_mixed_measure(solver->mixed, measures);
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
    rct_status status = solver->backend->keep(solver->mixed->run, error);
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
                                      double *coordinates, double *rates, rct_error *error)
{
    rct_mixed *x = solver->mixed;
    if (isnan(solver->kept)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "no state is kept; keep one first");
    }
    if (!solver->backend->read_kept(x->run, x->state)) {
        return rct_solver_check_inside(solver, error);
    }
    rct_mixed_set_time(x, solver->kept);
    rct_mixed_find(x);
    rct_mixed_show(x, orientation, angular_velocity, position, velocity);
    rct_mixed_show_coordinates(x, coordinates, rates);
    rct_mixed_set_time(x, solver->time);
    return RCT_OK;
}
