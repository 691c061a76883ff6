/* The table of integrators, and the public functions that step with it. */
#include "integrate/integrators.h"

#include "core/error.h"
#include "core/sized.h"
#include "dynamics/events.h"
#include "integrate/adaptive.h"
#include "integrate/conserving.h"
#include "integrate/rk4.h"

#include <math.h>

/* Each has steps with error control, or fixed ones. */
static const struct {
    const rct_pair *pair;
    rct_status (*take)(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                       rct_error *error);
} integrators[] = {
    [RCT_INTEGRATOR_RK4] = {.take = rct_rk4_steps},
    [RCT_INTEGRATOR_DOPRI5] = {.pair = &rct_dopri5},
    [RCT_INTEGRATOR_IMPLICIT] = {.pair = &rct_ark4},
    [RCT_INTEGRATOR_CONSERVING] = {.take = rct_conserving_steps},
};

rct_status rct_plain_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                           rct_error *error)
{
    const rct_integrator chosen = solver->options.integrator;
    if (integrators[chosen].pair != NULL) {
        return rct_adaptive_steps(solver, integrators[chosen].pair, dt, steps, done, error);
    }
    const rct_status status = integrators[chosen].take(solver, dt, steps, done, error);
    rct_pace *pace = &solver->pace;
    pace->steps += (double)*done;
    pace->shortest =
        *done > 0 && !(pace->shortest < dt && pace->shortest > 0.0) ? dt : pace->shortest;
    pace->longest = *done > 0 ? fmax(pace->longest, dt) : pace->longest;
    return status;
}

rct_status rct_take_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                          rct_error *error)
{
    const rct_status status = solver->events != NULL
                                  ? rct_event_steps(solver, dt, steps, done, error)
                                  : rct_plain_steps(solver, dt, steps, done, error);
    const rct_status failed = rct_solver_failed(solver, status, error);
    if (failed != status && error != NULL) {
        error->step = *done;
    }
    return failed;
}

static rct_status step(rct_solver *solver, double dt, int64_t steps, rct_error *error)
{
    if (!(dt > 0.0) || !isfinite(dt) || steps < 0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "a step of %g s, %lld times: give a positive step, 0 times or more", dt,
                        (long long)steps);
    }
    int64_t done = 0;
    rct_status status = rct_take_steps(solver, dt, steps, &done, error);
    const int refused = solver->events != NULL && solver->events->refused;
    if (error != NULL && rct_is_of_motion(status) && !refused &&
        solver->options.integrator == RCT_INTEGRATOR_RK4) {
        rct_blame_step(solver, dt, error);
        status = rct_solver_failed(solver, status, error);
        error->step = status == RCT_ERROR_DEVICE ? done : error->step;
    }
    return status;
}

rct_status rct_solver_step(rct_solver *solver, double dt, int64_t steps, rct_error *error)
{
    const rct_status status = rct_solver_enter_in_time(solver, error);
    return status == RCT_OK ? rct_solver_leave(solver, step(solver, dt, steps, error)) : status;
}

static rct_stepping stepping_of(const rct_solver *solver)
{
    const rct_pace *pace = &solver->pace;
    return (rct_stepping){
        .integrator = rct_integrator_name(solver->options.integrator),
        .tolerance = rct_solver_adapts(solver) ? solver->options.tolerance : NAN,
        .steps = (int64_t)pace->steps,
        .rejected = (int64_t)pace->rejected,
        .evaluations = (int64_t)pace->evaluations,
        .shortest = pace->longest > 0.0 ? pace->shortest : NAN,
        .longest = pace->longest > 0.0 ? pace->longest : NAN,
    };
}

void rct_solver_get_stepping_sized(const rct_solver *solver, rct_out stepping)
{
    rct_stepping own = {.integrator = NULL, .tolerance = NAN, .shortest = NAN, .longest = NAN};
    if (rct_solver_enter(solver, NULL) == RCT_OK) {
        own = stepping_of(solver);
        rct_solver_leave(solver, RCT_OK);
    }
    rct_give(stepping, &own, rct_whole(sizeof own));
}
