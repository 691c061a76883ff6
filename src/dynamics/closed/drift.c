/* Put closed systems back on their constraints: after steps, at assembly, and on impact; or take
 * them back to the state before if that fails. */
#include "core/error.h"
#include "dynamics/closed/systems.h"
#include "dynamics/soft_springs.h"

#include <math.h>
#include <string.h>

/* Fraction of the terms up to which velocities pass after an impact. */
static const double rounding = 1e-12;

static const rct_closed_goal after_a_step = {4e-16, 20, 0, "take a smaller step"};
static const rct_closed_goal from_afar = {1e-12, 60, 1,
                                          "start nearer to a closed state, check lengths and axes, "
                                          "or release a loop that contradicts it"};

void rct_closed_keep(rct_closed *c)
{
    c->solver->backend->read_state(c->solver->run, c->before);
}

void rct_closed_take_back(rct_closed *c)
{
    c->solver->backend->write_state(c->solver->run, c->before);
    c->solver->evaluated = 0;
}

void rct_closed_begin_step(rct_closed *c)
{
    if (!rct_closed_is_held(c)) { /* otherwise the run has it */
        rct_closed_keep(c);
    }
}

void rct_closed_take_step_back(rct_closed *c, int stages)
{
    if (!rct_closed_is_held(c)) {
        rct_closed_take_back(c);
    } else if (stages > 1) {
        c->solver->backend->moves->take_back(c->solver->run);
    }
}

/* ---- both --------------------------------------------------------------------------------- */

static void set_factored(rct_closed *c, int factored)
{
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].factored = factored;
    }
}

static rct_status close_both(rct_solver *solver, double time, const rct_closed_goal *to,
                             int factored, rct_error *error)
{
    set_factored(solver->closed, factored);
    const rct_status status = rct_closed_close_positions(solver, time, to, error);
    return status == RCT_OK ? rct_closed_close_velocities(solver, time, to->enough, error) : status;
}

rct_status rct_closed_settle(rct_solver *solver, double time, rct_error *error)
{
    rct_closed *c = solver->closed;
    const int partitions = c->drift == RCT_DRIFT_PARTITION;
    if (c->drift != RCT_DRIFT_PROJECT && !partitions) {
        return RCT_OK;
    }
    rct_solver_move_ground(c->solver, time);
    const rct_closure_rows *rows = rct_closed_look_again(c, time);
    c->partitioning = partitions; /* the factor of the last stage belongs to another method */
    const int factored = partitions ? RCT_FACTOR_NONE : RCT_FACTOR_NEAR;
    const rct_status status =
        rows->count > 0 ? close_both(solver, time, &after_a_step, factored, error) : RCT_OK;
    c->partitioning = 0;
    return status;
}

rct_status rct_closed_pull(rct_solver *solver, double time, rct_error *error)
{
    rct_closed *c = solver->closed;
    const rct_closure_rows *rows = rct_closed_look_again(c, time);
    if (rows->count == 0) {
        memset(c->change, 0, (size_t)solver->plan->freedoms * sizeof *c->change);
        return RCT_OK;
    }
    rct_closed_set_pending(c, 1);
    memcpy(c->gap, rows->phi, (size_t)rows->count * sizeof *c->gap);
    rct_closed_find_largest(c, c->gap);
    return rct_closed_solve(c, 1, error);
}

rct_status rct_closed_assemble(rct_solver *solver, double time, rct_error *error)
{
    rct_closed *c = solver->closed;
    rct_closed_keep(c);
    rct_solver_move_ground(c->solver, time);
    const rct_closure_rows *rows = rct_closed_look_again(c, time);
    rct_status status =
        rows->count > 0 ? close_both(solver, time, &from_afar, RCT_FACTOR_NONE, error) : RCT_OK;
    if (status == RCT_OK && rows->flipped >= 0) {
        status = rct_closed_fail(c, rows->flipped, "it closes with its frames turned round", 180.0,
                                 " degrees", "turn its bodies by half a turn", error);
    }
    status = rct_solver_failed(solver, status, error);
    if (status != RCT_OK) {
        rct_closed_take_back(c);
    }
    return status;
}

static void take_start(rct_closed *c, const rct_closure_rows *rows)
{
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        s->start[0] = s->start[1] = 0.0;
        for (int32_t k = s->first_row; k < s->first_row + s->row_count; k++) {
            const int32_t row = c->row_of[k];
            s->start[0] = fmax(s->start[0], fabs(rows->phi[row]) / rows->unit[row]);
            s->start[1] = fmax(s->start[1], fabs(rows->speed[row]) / rows->unit[row]);
        }
    }
}

rct_status rct_closed_begin(rct_solver *solver, rct_error *error)
{
    rct_closed *c = solver->closed;
    rct_solver_move_ground(c->solver, 0.0);
    const rct_closure_rows *rows = rct_closed_look_again(c, 0.0);
    const int32_t open = rct_closed_largest(rows, rows->phi, &c->start_position);
    const int32_t moving = rct_closed_largest(rows, rows->speed, &c->start_velocity);
    c->start_position_loop = open >= 0 ? rows->loop[open] : -1;
    c->start_velocity_loop = moving >= 0 ? rows->loop[moving] : -1;
    take_start(c, rows);
    return rct_closed_assemble(solver, 0.0, error);
}

rct_status rct_closed_warm(rct_solver *solver, rct_error *error)
{
    rct_closed *c = solver->closed;
    const rct_closure_rows *rows = rct_closed_look_again(c, solver->time);
    rct_status status = RCT_OK;
    rct_closed_set_pending(c, 1);
    if (rows->count > 0 && c->drift == RCT_DRIFT_PARTITION) {
        c->partitioning = 1;
        status = rct_closed_factor(solver, error);
        c->partitioning = 0;
    }
    if (rows->count > 0) {
        RCT_THEN(status, rct_closed_factor(solver, error));
    } else {
        rct_closures_write(c->factored, &c->state);
    }
    if (solver->soft != NULL) {
        RCT_THEN(status, rct_soft_warm(solver, error));
    }
    return status;
}

rct_status rct_closed_impact(rct_solver *solver, double time, rct_error *error)
{
    set_factored(solver->closed, RCT_FACTOR_NEAR);
    return rct_closed_close_velocities(solver, time, rounding, error);
}
