/* Fixed steps of the classical fourth-order Runge-Kutta method, as seed 000 uses. A step that fails
 * is taken back whole. */
#include "integrate/rk4.h"

#include "core/error.h"
#include "dynamics/closed/closed.h"
#include "integrate/integrators.h"

#include <stddef.h>

static double time_of(int stage, double dt, double start)
{
    return stage == 0 ? start : stage < 3 ? start + 0.5 * dt : rct_time_after(start, dt);
}

/* Whether the axes of the ground, and its effect on accelerations, are the same at all times. */
static int ground_is_still(const rct_solver *solver)
{
    rct_base base;
    rct_model_base(solver->plan->surroundings, &base);
    return base.rows == 0 && base.rate == 0.0 && base.angular_acceleration == 0.0;
}

/* One step. Each stage has the ground and the loads of its time; the loads include the forces that
 * close loops. */
static rct_status one_step(rct_solver *solver, double dt, double start, rct_error *error)
{
    const int closed = solver->closed != NULL;
    rct_status status = RCT_OK;
    int stage = 0;
    if (closed) {
        rct_closed_begin_step(solver->closed);
    }
    for (; stage < 4 && status == RCT_OK; stage++) {
        const double time = time_of(stage, dt, start);
        if (closed) {
            rct_closed_set_stage(solver->closed, stage > 0 ? RCT_STAGE_FOLLOWS : 0);
            status = rct_closed_forces(solver, time, error);
            rct_closed_set_stage(solver->closed, 0);
        } else {
            rct_solver_move_ground(solver, time);
            rct_solver_write_loads(solver, time);
        }
        if (status == RCT_OK) {
            status = rct_solver_explain(solver, solver->backend->rk4_stage(solver->run, stage, dt),
                                        error);
        }
    }
    if (closed && status == RCT_OK) {
        status = rct_closed_settle(solver, rct_time_after(start, dt), error);
    }
    if (closed && status != RCT_OK) {
        rct_closed_take_step_back(solver->closed, stage);
    }
    return status;
}

rct_status rct_rk4_steps(rct_solver *solver, double dt, int64_t steps, int64_t *done,
                         rct_error *error)
{
    const rct_backend *backend = solver->backend;
    const int whole = solver->closed == NULL && backend->rk4_steps != NULL &&
                      solver->loads == NULL && ground_is_still(solver) && !solver->plan->timed;
    rct_status status = RCT_OK;
    double start = solver->time;
    *done = 0;
    solver->evaluated = solver->evaluated && steps == 0;
    if (whole) {
        status =
            rct_solver_explain(solver, backend->rk4_steps(solver->run, dt, steps, done), error);
        for (int64_t k = 0; k < *done; k++) {
            start = rct_time_after(start, dt);
        }
    }
    while (!whole && *done < steps && status == RCT_OK) {
        status = one_step(solver, dt, start, error);
        if (status == RCT_OK) {
            *done += 1;
            start = rct_time_after(start, dt);
        }
    }
    solver->pace.evaluations += 4.0 * (double)*done;
    rct_solver_move_ground(solver, start);
    solver->time = start;
    if (status != RCT_OK && error != NULL) {
        error->step = *done;
    }
    return status;
}
