/* The public operators (riccatree/operators.h): each checks its arguments and enters the solver as
 * in door.c. */
#include "core/error.h"
#include "dynamics/solver.h"

#include <riccatree/operators.h>

#include <stddef.h>

static int64_t rates_of(const rct_solver *solver)
{
    return solver != NULL ? solver->plan->freedoms : 0;
}

static int64_t bodies_of(const rct_solver *solver)
{
    return solver != NULL ? solver->plan->body_count : 0;
}

/* Whether `rows` is given; it must be unless there are none. */
static int given_rows(const double *rows, int64_t count, const char *name, rct_error *error)
{
    return count <= 0 || rct_given(rows, name, error);
}

rct_status rct_solver_mass_times(rct_solver *solver, int32_t columns, const double *x, double *y,
                                 rct_error *error)
{
    const int64_t count = columns * rates_of(solver);
    if (!given_rows(x, count, "x", error) || !given_rows(y, count, "y", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = rct_solver_enter(solver, error);
    return status == RCT_OK ? rct_solver_leave(solver, rct_solver_mass_times_inside(solver, columns,
                                                                                    x, y, error))
                            : status;
}

rct_status rct_solver_mass_solve(rct_solver *solver, int32_t columns, const double *x, double *y,
                                 rct_error *error)
{
    const int64_t count = columns * rates_of(solver);
    if (!given_rows(x, count, "x", error) || !given_rows(y, count, "y", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = rct_solver_enter(solver, error);
    return status == RCT_OK ? rct_solver_leave(solver, rct_solver_mass_solve_inside(solver, columns,
                                                                                    x, y, error))
                            : status;
}

rct_status rct_solver_jacobian_times(rct_solver *solver, int32_t columns, const double *x,
                                     double *linear, double *angular, rct_error *error)
{
    if (!given_rows(x, columns * rates_of(solver), "x", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = rct_solver_enter(solver, error);
    return status == RCT_OK
               ? rct_solver_leave(solver, rct_solver_jacobian_times_inside(solver, columns, x,
                                                                           linear, angular, error))
               : status;
}

rct_status rct_solver_jacobian_transposed(rct_solver *solver, int32_t columns, const double *force,
                                          const double *moment, double *y, rct_error *error)
{
    if (!given_rows(force, columns * bodies_of(solver), "force", error) ||
        !given_rows(moment, columns * bodies_of(solver), "moment", error) ||
        !given_rows(y, columns * rates_of(solver), "y", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = rct_solver_enter(solver, error);
    return status == RCT_OK
               ? rct_solver_leave(solver, rct_solver_jacobian_transposed_inside(
                                              solver, columns, force, moment, y, error))
               : status;
}

rct_status rct_solver_inverse_dynamics(rct_solver *solver, const double *x, double *force,
                                       double *moment, double *effort, rct_error *error)
{
    if (!given_rows(x, rates_of(solver), "x", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = rct_solver_enter_in_time(solver, error);
    return status == RCT_OK ? rct_solver_leave(solver, rct_solver_inverse_dynamics_inside(
                                                           solver, x, force, moment, effort, error))
                            : status;
}

rct_status rct_solver_hinge_efforts(rct_solver *solver, double *effort, rct_error *error)
{
    if (!given_rows(effort, rates_of(solver), "effort", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = rct_solver_enter_in_time(solver, error);
    return status == RCT_OK
               ? rct_solver_leave(solver, rct_solver_hinge_efforts_inside(solver, effort, error))
               : status;
}
