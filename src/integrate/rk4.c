/* Fixed steps of the classical fourth-order Runge-Kutta method, as seed 000 uses. A step that fails
 * is taken back whole. */
#include "integrate/rk4.h"

#include "core/error.h"
#include "dynamics/closed.h"

#include <math.h>
#include <stddef.h>

static double time_of(int stage, double dt, double start)
{
    return start + (stage == 0 ? 0.0 : stage < 3 ? 0.5 * dt : dt);
}

/* One stage, with the ground and the loads of its time. */
static rct_sweep_result open_stage(rct_solver *solver, int stage, double dt, double start)
{
    const double time = time_of(stage, dt, start);
    rct_solver_move_ground(solver, time);
    rct_solver_write_loads(solver, time);
    return solver->backend->rk4_stage(solver->run, stage, dt);
}

/* Whether its axes and what it does to accelerations are the same at all times. */
static int ground_is_still(const rct_solver *solver)
{
    rct_base base;
    rct_model_base(solver->plan->surroundings, &base);
    return base.rows == 0 && base.rate == 0.0 && base.angular_acceleration == 0.0;
}

static rct_sweep_result step_open(rct_solver *solver, double dt, int64_t steps, int64_t *done)
{
    const rct_backend *backend = solver->backend;
    rct_sweep_result result = {SWEEP_DONE, -1};
    double start = solver->time;
    if (backend->rk4_steps != NULL && solver->loads == NULL && ground_is_still(solver)) {
        result = backend->rk4_steps(solver->run, dt, steps, done);
        for (int64_t k = 0; k < *done; k++) {
            start += dt;
        }
        rct_solver_move_ground(solver, start);
        return result;
    }
    for (*done = 0; *done < steps && result.end == SWEEP_DONE;) {
        for (int stage = 0; stage < 4 && result.end == SWEEP_DONE; stage++) {
            result = open_stage(solver, stage, dt, start);
        }
        if (result.end == SWEEP_DONE) {
            *done += 1;
            start += dt;
        }
    }
    rct_solver_move_ground(solver, start);
    return result;
}

/* One step of a model with loops: the forces that close them are loads of each stage. */
static rct_status closed_step(rct_solver *solver, double dt, double start, rct_error *error)
{
    rct_status status = RCT_OK;
    rct_closed_keep(solver->closed);
    for (int stage = 0; stage < 4 && status == RCT_OK; stage++) {
        status = rct_closed_forces(solver, time_of(stage, dt, start), error);
        if (status == RCT_OK) {
            const rct_sweep_result result = solver->backend->rk4_stage(solver->run, stage, dt);
            status = rct_solver_explain(solver, result, error);
        }
    }
    if (status == RCT_OK) {
        status = rct_closed_settle(solver, start + dt, error);
    }
    if (status != RCT_OK) {
        rct_closed_take_back(solver->closed);
    }
    return status;
}

static rct_status step_closed(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                              rct_error *error)
{
    rct_status status = RCT_OK;
    double start = solver->time;
    for (*done = 0; *done < steps && status == RCT_OK;) {
        status = closed_step(solver, dt, start, error);
        if (status == RCT_OK) {
            *done += 1;
            start += dt;
        }
    }
    rct_solver_move_ground(solver, start);
    return status;
}

rct_status rct_rk4_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                         rct_error *error)
{
    const rct_status status =
        solver->closed != NULL
            ? step_closed(solver, dt, steps, done, error)
            : rct_solver_explain(solver, step_open(solver, dt, steps, done), error);
    for (int64_t k = 0; k < *done; k++) {
        solver->time += dt;
    }
    if (status != RCT_OK && error != NULL) {
        error->step = *done;
    }
    return status;
}

static rct_status step(rct_solver *solver, double dt, int64_t steps, rct_error *error)
{
    if (!(dt > 0.0) || !isfinite(dt) || steps < 0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "a step of %g s, %lld times: give a positive step and count", dt,
                        (long long)steps);
    }
    int64_t done = 0;
    const rct_status status = rct_rk4_steps(solver, dt, steps, &done, error);
    if (error != NULL && rct_is_of_motion(status)) {
        rct_blame_step(solver, dt, error);
    }
    return status;
}

rct_status rct_solver_step(rct_solver *solver, double dt, int64_t steps, rct_error *error)
{
    const rct_status status = rct_solver_enter_in_time(solver, error);
    return status == RCT_OK ? rct_solver_leave(solver, step(solver, dt, steps, error)) : status;
}
