/* The public functions of loops (riccatree/closure.h). */
#include "core/error.h"
#include "core/rotation.h"
#include "dynamics/closed/systems.h"
#include "dynamics/solver.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* the gap at which a loop can be attached, as a fraction of the length of the system */
static const double near_enough = 1e-6;

/* The gap of closed loops, as a fraction of the reach of bodies; the reach counts as 1 m at most,
 * because rows that turn have no length. The bound is coarse: users may watch the drift. */
static const double most_open = 1e-2;

/* Write the rows of the present state. */
static const rct_closure_rows *look_now(const rct_solver *solver)
{
    rct_solver_move_ground(solver, solver->time);
    return rct_closed_look_again(solver->closed, solver->time);
}

static int32_t loop_of(const rct_closure_rows *rows, int32_t row)
{
    return row < 0 ? -1 : rows->loop[row];
}

/* The largest of the numbers of rows, as lengths; NaN if one is NaN. */
static double largest_length(const rct_closure_rows *rows, const double *y)
{
    double most = 0.0;
    for (int32_t i = 0; i < rows->count; i++) {
        most = fabs(y[i]) <= most || isnan(most) ? most : fabs(y[i]);
    }
    return most;
}

int rct_loops_open(double bound, double position, double velocity)
{
    const double size = fmin(1.0, 100.0 * bound); /* of the reach of bodies, or a metre */
    return position > 1e-9 * size || velocity > 1e-6 * size;
}

/* The gap, m or rad, up to which loops of a system pass for closed. */
static double bound_of(const rct_solver *solver, int32_t system, int32_t systems)
{
    const double reach = rct_closed_farthest(solver->plan, system, systems);
    return solver->options.as_given ? (double)INFINITY
                                    : most_open * (reach > 0.0 ? fmin(reach, 1.0) : 1.0);
}

void rct_solver_get_loop_info_inside(const rct_solver *solver, rct_loop_info *info)
{
    const rct_closed *c = solver->closed;
    *info = (rct_loop_info){.position_loop = -1,
                            .velocity_loop = -1,
                            .start_position_loop = -1,
                            .start_velocity_loop = -1};
    if (c == NULL) {
        return;
    }
    const rct_closure_rows *rows = look_now(solver);
    info->loops = rct_model_loop_count(solver->plan->surroundings);
    for (int32_t i = 0; i < info->loops; i++) {
        info->active += rct_closures_active(c->present, i);
    }
    info->constraints = rows->count;
    for (int32_t i = 0; i < c->count && rows->count > 0; i++) {
        info->rank += c->systems[i].rank;
    }
    info->redundant = info->constraints - info->rank;
    info->position_loop = loop_of(rows, rct_closed_largest(rows, rows->phi, &info->position));
    info->velocity_loop = loop_of(rows, rct_closed_largest(rows, rows->speed, &info->velocity));
    info->start_position = c->start_position;
    info->start_velocity = c->start_velocity;
    info->start_position_loop = c->start_position_loop;
    info->start_velocity_loop = c->start_velocity_loop;
    info->closing = c->method->name;
    info->drift = rct_drift_name(c->drift);
    info->bound = bound_of(solver, 0, 1);
    info->open = largest_length(rows, rows->phi);
    info->opening = largest_length(rows, rows->speed);
}

int32_t rct_closed_open_loop(const rct_solver *solver, int32_t system, double *open)
{
    const rct_closed *c = solver->closed;
    const rct_closure_rows *rows = look_now(solver);
    int32_t loop = -1;
    *open = bound_of(solver, system, c->count);
    for (int32_t i = 0; i < rows->count; i++) {
        const double own = fabs(rows->phi[i]) / fmax(rows->unit[i], 1.0);
        if (rows->loop[i] % c->count == system && !(own <= *open)) {
            *open = own;
            loop = rows->loop[i] / c->count;
        }
    }
    return loop;
}

const double *rct_closed_start(const rct_solver *solver, int32_t system)
{
    return solver->closed->systems[system].start;
}

void rct_solver_get_active_loops_inside(const rct_solver *solver, int32_t *active)
{
    for (int32_t i = 0; i < (solver->closed != NULL ? rct_closed_count(solver->closed) : 0); i++) {
        active[i] = rct_closures_active(solver->closed->present, i) ? 1 : 0;
    }
}

/* Add multiplier times wrench, with the moment about the point of the closure instead of the hinge
 * point. */
static void add_wrench(const rct_closed *c, const rct_loop *loop, const double wrench[6],
                       double lambda, double *force, double *moment)
{
    rct_body_pose pose = rct_solver_body_pose(c->solver, loop->body);
    double arm[3], turning[3];
    rct_rotate(pose.rotation, loop->at, arm);
    rct_cross(arm, wrench + 3, turning);
    for (int i = 0; i < 3; i++) {
        if (force != NULL) {
            force[i] += lambda * wrench[3 + i];
        }
        if (moment != NULL) {
            moment[i] += lambda * (wrench[i] - turning[i]);
        }
    }
}

static void clear(double *numbers, int64_t count)
{
    if (numbers != NULL) {
        memset(numbers, 0, (size_t)count * sizeof *numbers);
    }
}

const rct_closure_rows *rct_closed_ends(const rct_closed *c)
{
    return c->columns != NULL ? rct_closures_write_ends(c->present, &c->state)
                              : rct_closures_rows(c->factored);
}

void rct_solver_get_loop_forces_inside(const rct_solver *solver, double *force, double *moment,
                                       double *effort)
{
    const rct_closed *c = solver->closed;
    const int64_t loops = c != NULL ? rct_model_loop_count(solver->plan->surroundings) : 0;
    clear(force, 3 * loops);
    clear(moment, 3 * loops);
    clear(effort, loops);
    if (c == NULL) {
        return;
    }
    rct_solver_read_poses(solver);
    const rct_closure_rows *rows = rct_closed_ends(c);
    for (int32_t i = 0; i < rows->count; i++) {
        const int64_t at = rows->loop[i];
        rct_loop loop;
        rct_model_loop(solver->plan->surroundings, (int32_t)at, &loop, NULL);
        if (loop.type != RCT_LOOP_RELATION) {
            add_wrench(c, &loop, rows->ends[rows->ends_at[i]].wrench, c->lambda[i],
                       force != NULL ? force + 3 * at : NULL,
                       moment != NULL ? moment + 3 * at : NULL);
        } else if (effort != NULL) {
            effort[at] = c->lambda[i] * rows->unit[i];
        }
    }
}

/* ---- attach and release ------------------------------------------------------------------- */

static void set_active(rct_closed *c, int32_t loop, int active)
{
    rct_closures_set_active(c->factored, loop, active);
    rct_closures_set_active(c->present, loop, active);
}

int32_t rct_closed_count(const rct_closed *c)
{
    return rct_model_loop_count(c->solver->plan->surroundings);
}

void rct_closed_read_active(const rct_closed *c, double *active)
{
    for (int32_t i = 0; i < rct_closed_count(c); i++) {
        active[i] = rct_closures_active(c->present, i) ? 1.0 : 0.0;
    }
}

rct_status rct_closed_write_active(rct_solver *solver, const double *active, rct_error *error)
{
    rct_closed *c = solver->closed;
    int others = 0;
    for (int32_t i = 0; i < rct_closed_count(c); i++) {
        const int now = active[i] != 0.0;
        others = others || now != rct_closures_active(c->present, i);
        set_active(c, i, now);
    }
    return others ? rct_closed_warm(solver, error) : RCT_OK;
}

/* Whether the ends of a loop are near enough to attach it. */
static rct_status check_gap(const rct_closed *c, int32_t loop, rct_error *error)
{
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    double open = 0.0;
    int32_t row = 0;
    for (int32_t i = 0; i < rows->count; i++) {
        if (rows->loop[i] == loop && !(fabs(rows->phi[i]) <= open)) {
            open = fabs(rows->phi[i]);
            row = i;
        }
    }
    if (rows->flipped == loop) {
        return rct_closed_fail(c, loop, "it cannot be attached, its frames are turned round", 180.0,
                               " degrees", "turn its bodies by half a turn", error);
    }
    if (open <= near_enough * rct_closed_system_of(c, row)->length) {
        return RCT_OK;
    }
    return rct_closed_fail(c, loop, "it cannot be attached, it is open", open / rows->unit[row],
                           rct_closed_unit(c, row),
                           "bring its ends together first, or attach it as \"pulled\"", error);
}

/* Make the method ready for the loops that hold now, and fit the state to `loop` if it came to
 * hold. */
static rct_status renew(rct_solver *solver, int32_t loop, rct_loop_state active, rct_error *error)
{
    rct_solver_move_ground(solver, solver->time);
    rct_status status = rct_closed_warm(solver, error);
    if (status == RCT_OK && active == RCT_LOOP_ATTACHED) {
        status = check_gap(solver->closed, loop, error);
    }
    if (status == RCT_OK && active == RCT_LOOP_ATTACHED) {
        status = rct_closed_impact(solver, solver->time, error);
    } else if (status == RCT_OK && active == RCT_LOOP_PULLED) {
        status = rct_closed_assemble(solver, solver->time, error);
    }
    return status;
}

rct_status rct_solver_set_loop_active_inside(rct_solver *solver, int32_t loop,
                                             rct_loop_state active, rct_error *error)
{
    rct_closed *c = solver->closed;
    const int32_t loops = c != NULL ? rct_model_loop_count(solver->plan->surroundings) : 0;
    if (loop < 0 || loop >= loops) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "loop %" PRId32 " does not exist; the model has %" PRId32 " loop%s", loop,
                        loops, rct_plural(loops));
    }
    if (active != RCT_LOOP_RELEASED && active != RCT_LOOP_ATTACHED && active != RCT_LOOP_PULLED) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "unknown state %d of a loop; give released, attached or pulled",
                        (int)active);
    }
    if (rct_closures_active(c->present, loop) == (active != RCT_LOOP_RELEASED)) {
        return RCT_OK;
    }
    rct_closed_keep(c);
    solver->evaluated = 0;
    set_active(c, loop, active != RCT_LOOP_RELEASED);
    const rct_status status = rct_solver_failed(solver, renew(solver, loop, active, error), error);
    if (status != RCT_OK) {
        set_active(c, loop, active == RCT_LOOP_RELEASED);
        rct_closed_take_back(c);
    }
    return status;
}

rct_status rct_solver_assemble_inside(rct_solver *solver, rct_error *error)
{
    return solver->closed != NULL ? rct_closed_assemble(solver, solver->time, error)
                                  : rct_solver_check_inside(solver, error);
}
