/* The public functions of riccatree/analysis.h: arguments looked at, and the solver entered as in dynamics/door.c. */
#include "analysis/analysis.h"

#include "core/error.h"
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
        return rct_fail(error, RCT_ERROR_ARGUMENT, "%d modes: give their number, 0 or more",
                        (int)count);
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
