/* The public functions of riccatree/analysis.h, and those of operators.h that differentiate: each
 * checks its arguments and enters the solver as in dynamics/door.c. */
#include "analysis/analysis.h"

#include "core/error.h"
#include "core/numbers.h"
#include "core/sized.h"
#include "dynamics/solver.h"

rct_status rct_solver_equilibrium_sized(rct_solver *solver, rct_out found, rct_error *error)
{
    rct_equilibrium own = {.steps = 0};
    rct_status status = rct_solver_enter_in_time(solver, error);
    if (status == RCT_OK) {
        status = rct_solver_leave(solver, rct_solver_equilibrium_inside(solver, &own, error));
    }
    if (status == RCT_OK) {
        rct_give(found, &own, rct_whole(sizeof own));
    }
    return status;
}

rct_status rct_solver_modes_sized(rct_solver *solver, int32_t count, double *square, double *shape,
                                  rct_out modes, rct_error *error)
{
    rct_modes own = {.found = 0};
    if (count < 0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "%d modes: give 0 or more", (int)count);
    }
    if (count > 0 && !rct_given(square, "square", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_status status = rct_solver_enter_in_time(solver, error);
    if (status == RCT_OK) {
        status = rct_solver_leave(
            solver, rct_solver_modes_inside(solver, count, square, shape, &own, error));
    }
    if (status == RCT_OK) {
        rct_give(modes, &own, rct_whole(sizeof own));
    }
    return status;
}

static int64_t numbers_of(const rct_solver *solver, int32_t columns)
{
    return solver != NULL ? columns * solver->plan->freedoms : 0;
}

rct_status rct_solver_acceleration_tangent(rct_solver *solver, int32_t columns, const double *dq,
                                           const double *du, const double *dtau, double *da,
                                           rct_error *error)
{
    if (numbers_of(solver, columns) > 0 && !rct_given(da, "da", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = rct_solver_enter_in_time(solver, error);
    return status == RCT_OK
               ? rct_solver_leave(solver, rct_solver_acceleration_tangent_inside(
                                              solver, columns, dq, du, dtau, da, error))
               : status;
}

rct_status rct_solver_acceleration_adjoint(rct_solver *solver, int32_t columns, const double *x,
                                           double *gq, double *gu, double *gtau, rct_error *error)
{
    if (numbers_of(solver, columns) > 0 && !rct_given(x, "x", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_status status = rct_solver_enter_in_time(solver, error);
    return status == RCT_OK ? rct_solver_leave(solver, rct_solver_acceleration_adjoint_inside(
                                                           solver, columns, x, gq, gu, gtau, error))
                            : status;
}

rct_status rct_solver_move_coordinates(const rct_solver *solver, const double *coordinates,
                                       const double *dq, double *moved, rct_error *error)
{
    if (!rct_given(solver, "solver", error) || !rct_given(coordinates, "coordinates", error) ||
        !rct_given(dq, "dq", error) || !rct_given(moved, "moved", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_plan *plan = solver->plan;
    rct_status status = rct_check_finite("coordinates", coordinates, plan->coordinates, error);
    RCT_THEN(status, rct_check_finite("dq", dq, plan->freedoms, error));
    if (status == RCT_OK) {
        rct_solver_advance(solver, coordinates, dq, 1.0, moved);
    }
    return status;
}
