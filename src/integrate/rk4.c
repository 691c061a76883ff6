/* Fixed steps of the classical fourth-order Runge-Kutta method, as seed 000 uses. A step that fails
 * is taken back whole. */
#include "core/error.h"
#include "dynamics/solver.h"

#include <math.h>
#include <stddef.h>

static rct_status step_once(rct_solver *solver, double dt, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int stage = 0; stage < 4 && status == RCT_OK; stage++) {
        status =
            rct_solver_explain(solver, solver->backend->rk4_stage(solver->run, stage, dt), error);
    }
    return status;
}

rct_status rct_solver_step(rct_solver *solver, double dt, int64_t steps, rct_error *error)
{
    if (!(dt > 0.0) || !isfinite(dt) || steps < 0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "a step of %g s, %lld times: give a positive step and count", dt,
                        (long long)steps);
    }
    for (int64_t k = 0; k < steps; k++) {
        const rct_status status = step_once(solver, dt, error);
        if (status != RCT_OK) {
            if (error != NULL) {
                error->step = k;
            }
            return status;
        }
        solver->time += dt;
    }
    return RCT_OK;
}
