/* One evaluation, and its results in body order. The sweeps give accelerations and hinge forces of
 * links; what a fixed hinge carries follows from the Newton-Euler equations of the welded bodies,
 * tips to roots. */
#include "core/error.h"
#include "core/memory.h"
#include "core/rotation.h"
#include "dynamics/rigid.h"
#include "dynamics/solver.h"

#include <inttypes.h>
#include <string.h>

/* What a hinge leaves free and nothing resists. */
static const char *unresisted(rct_hinge_type hinge)
{
    switch (hinge) {
    case RCT_HINGE_REVOLUTE: return "its turn about the axis of its revolute hinge";
    case RCT_HINGE_PRISMATIC: return "its motion along the axis of its prismatic hinge";
    case RCT_HINGE_UNIVERSAL: return "its turn about one axis of its universal hinge";
    case RCT_HINGE_CYLINDRICAL:
        return "its motion about or along the axis of its cylindrical hinge";
    case RCT_HINGE_PLANAR: return "its motion in one direction of its planar hinge";
    case RCT_HINGE_HELICAL: return "its turn about the axis of its helical hinge";
    case RCT_HINGE_FREE: return "its motion in one direction";
    default: return "its rotation about one axis";
    }
}

/* Why the machine failed, "" or NULL if it did not. */
static const char *trouble_of(const rct_solver *solver)
{
    const rct_backend *backend = solver->backend;
    if (solver->mixed != NULL) {
        return backend->mixed->trouble != NULL ? backend->mixed->trouble(solver->mixed->run) : NULL;
    }
    return solver->run != NULL && backend->trouble != NULL ? backend->trouble(solver->run) : NULL;
}

rct_status rct_solver_explain(const rct_solver *solver, rct_sweep_result result, rct_error *error)
{
    if (result.end == SWEEP_DONE) {
        return RCT_OK;
    }
    if (result.end == SWEEP_LOST) {
        return rct_fail(error, RCT_ERROR_DEVICE,
                        "backend %s failed %s; what was recorded is valid, go on with another",
                        solver->backend->name, trouble_of(solver));
    }
    while (result.end == SWEEP_NOT_FINITE && solver->plan->parent[result.link] >= 0) {
        result.link = solver->plan->parent[result.link];
    }
    const int32_t body = solver->plan->head[result.link];
    if (result.end == SWEEP_NOT_FINITE) {
        return rct_fail_body(error, RCT_ERROR_DIVERGED, body,
                             "body %" PRId32 ": its motion is no longer finite; take a smaller "
                             "step or slower initial rates",
                             body);
    }
    return rct_fail_body(error, RCT_ERROR_SINGULAR, body,
                         "body %" PRId32 ": nothing resists %s in this state; give it or what "
                         "hangs on it more inertia%s",
                         body, unresisted(solver->plan->bodies[body].hinge),
                         solver->mixed != NULL /* arms of a million metres hide any inertia */
                             ? "; if the motion has run away, take a smaller step"
                             : "");
}

rct_status rct_solver_check_inside(const rct_solver *solver, rct_error *error)
{
    const char *trouble = trouble_of(solver);
    const int lost = trouble != NULL && trouble[0] != '\0';
    return rct_solver_explain(
        solver, (rct_sweep_result){.end = lost ? SWEEP_LOST : SWEEP_DONE, .link = -1}, error);
}

rct_status rct_solver_evaluate_inside(rct_solver *solver, rct_error *error)
{
    if (solver->closed != NULL) {
        return rct_closed_evaluate(solver, error);
    }
    if (solver->mixed != NULL) {
        rct_mixed_set_time(solver->mixed, solver->time);
        rct_mixed_write_loads(solver->mixed, solver->time);
        return rct_solver_explain(solver, solver->mixed->backend->evaluate(solver->mixed->run),
                                  error);
    }
    return rct_solver_explain(solver, solver->backend->evaluate(solver->run), error);
}

rct_status rct_solver_set_body_forces_inside(rct_solver *solver, const int32_t *bodies,
                                             int32_t count, rct_force_function *function,
                                             void *context, rct_error *error)
{
    if (solver->mixed == NULL || solver->mixed->rows == NULL) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "this solver was not made for forces of the user; make it with the option "
                        "user_forces");
    }
    return rct_mixed_set_function(solver->mixed, bodies, count, function, context, error);
}

rct_status rct_solver_set_force_function_inside(rct_solver *solver, rct_force_function *function,
                                                void *context, rct_error *error)
{
    const int32_t count = function != NULL ? solver->plan->body_count : 0;
    int32_t *all = rct_allocate(count, sizeof *all, "the bodies of a force function", error);
    if (all == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t b = 0; b < count; b++) {
        all[b] = b;
    }
    const rct_status status =
        rct_solver_set_body_forces_inside(solver, all, count, function, context, error);
    rct_release(all);
    return status;
}

/* Linear and angular acceleration of body b from its link's row. */
static void body_acceleration(const rct_solver *solver, int64_t b, double linear[3],
                              double angular[3])
{
    const rct_placement *at = &solver->plan->placement[b];
    memset(linear, 0, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    if (at->link == RCT_GROUND) {
        return;
    }
    const double *row = solver->rows + 6 * (int64_t)at->link;
    memcpy(linear, row, 3 * sizeof *linear);
    memcpy(angular, row + 3, 3 * sizeof *angular);
    if (at->welded) {
        const double *state = solver->state + (int64_t)at->link * STATE_FIELDS;
        double m[3][3], arm[3], rate[3];
        rct_rotation(state + STATE_ORIENTATION, m);
        rct_rotate(m, at->position, arm);
        rct_rotate(m, state + STATE_RATE, rate);
        rct_carry(row, row + 3, rate, arm, linear);
    }
}

void rct_solver_get_accelerations_inside(const rct_solver *solver, double *linear, double *angular)
{
    if (solver->mixed != NULL) {
        rct_mixed_get_accelerations(solver->mixed, linear, angular);
        return;
    }
    solver->backend->read_state(solver->run, solver->state);
    solver->backend->read_accelerations(solver->run, solver->rows);
    for (int64_t b = 0; b < solver->plan->body_count; b++) {
        double a[3], alpha[3];
        body_acceleration(solver, b, a, alpha);
        if (linear != NULL) {
            memcpy(linear + 3 * b, a, sizeof a);
        }
        if (angular != NULL) {
            memcpy(angular + 3 * b, alpha, sizeof alpha);
        }
    }
}

/* Body axes to inertial axes, and rate in inertial axes, of a body. */
static void body_motion(const rct_solver *solver, int64_t b, double m[3][3], double rate[3])
{
    const rct_placement *at = &solver->plan->placement[b];
    memset(rate, 0, 3 * sizeof *rate);
    if (at->link == RCT_GROUND) {
        rct_rotation(at->orientation, m);
        return;
    }
    const double *state = solver->state + (int64_t)at->link * STATE_FIELDS;
    double q[4];
    rct_rotation(state + STATE_ORIENTATION, m);
    rct_rotate(m, state + STATE_RATE, rate);
    rct_quaternion_product(state + STATE_ORIENTATION, at->orientation, q);
    rct_rotation(q, m);
}

/* Add what the motion of body b asks for. Needs accelerations in `rows`. */
static void add_own_load(const rct_solver *solver, int64_t b, double load[6])
{
    double m[3][3], a[3], alpha[3], w[3], own[6];
    body_acceleration(solver, b, a, alpha);
    body_motion(solver, b, m, w);
    rct_newton_euler(&solver->plan->bodies[b], rct_plan_gravity(solver->plan, b), m, w, a, alpha,
                     own);
    for (int i = 0; i < 6; i++) {
        load[i] += own[i];
    }
}

/* Pass the load of body b on to its parent, about the parent's hinge point. */
static void pass_load(const rct_solver *solver, int64_t b, double *loads)
{
    const int64_t parent = solver->plan->bodies[b].parent;
    const double *load = loads + 6 * b;
    double m[3][3], rate[3], arm[3], moment[3];
    body_motion(solver, parent, m, rate);
    rct_rotate(m, solver->plan->bodies[b].hinge_at, arm);
    rct_cross(arm, load, moment);
    for (int i = 0; i < 3; i++) {
        loads[6 * parent + i] += load[i];
        loads[6 * parent + 3 + i] += moment[i] + load[3 + i];
    }
}

/* Welded bodies sum their loads from accelerations in `rows`, children first; heads have theirs. */
static void sum_loads(const rct_solver *solver)
{
    const rct_plan *plan = solver->plan;
    for (int64_t k = plan->body_count - 1; k >= 0; k--) {
        const int64_t b = plan->order[k];
        const int32_t parent = plan->bodies[b].parent;
        if (plan->placement[b].welded) {
            add_own_load(solver, b, solver->loads + 6 * b);
        }
        if (parent != RCT_GROUND && plan->placement[parent].welded) {
            pass_load(solver, b, solver->loads);
        }
    }
}

/* Loads of all hinges, those of heads from the sweep; leaves accelerations in `rows`. */
static void compute_loads(const rct_solver *solver)
{
    const rct_plan *plan = solver->plan;
    double *loads = solver->loads;
    solver->backend->read_state(solver->run, solver->state);
    solver->backend->read_forces(solver->run, solver->rows);
    memset(loads, 0, (size_t)plan->body_count * 6 * sizeof *loads);
    for (int64_t l = 0; l < plan->links.count; l++) {
        memcpy(loads + 6 * (int64_t)plan->head[l], solver->rows + 6 * l, 6 * sizeof *loads);
    }
    solver->backend->read_accelerations(solver->run, solver->rows);
    sum_loads(solver);
}

void rct_solver_get_rate_derivatives_inside(const rct_solver *solver, double *derivatives)
{
    const rct_plan *plan = solver->plan;
    if (solver->mixed != NULL) {
        rct_mixed_get_rate_derivatives(solver->mixed, derivatives);
        return;
    }
    solver->backend->read_accelerations(solver->run, solver->rows);
    for (int64_t b = 0; b < plan->body_count; b++) {
        if (!plan->placement[b].welded) {
            memcpy(derivatives, solver->rows + 6 * (int64_t)plan->placement[b].link + 3,
                   3 * sizeof *derivatives);
            derivatives += 3;
        }
    }
}

static void copy_loads(const rct_solver *solver, double *force, double *moment)
{
    for (int64_t b = 0; b < solver->plan->body_count; b++) {
        if (force != NULL) {
            memcpy(force + 3 * b, solver->loads + 6 * b, 3 * sizeof *force);
        }
        if (moment != NULL) {
            memcpy(moment + 3 * b, solver->loads + 6 * b + 3, 3 * sizeof *moment);
        }
    }
}

/* Loads of all hinges, and the results they come from. */
static void read_loads(const rct_solver *solver)
{
    if (solver->mixed != NULL) {
        rct_mixed_hinge_loads(solver->mixed, solver->loads);
    } else {
        compute_loads(solver);
    }
}

void rct_solver_get_hinge_forces_inside(const rct_solver *solver, double *force, double *moment)
{
    read_loads(solver);
    copy_loads(solver, force, moment);
}

void rct_solver_give_loads(const rct_solver *solver, double *force, double *moment)
{
    sum_loads(solver);
    copy_loads(solver, force, moment);
}

/* z = (r'', W', m, q) at one end: m is the moment on the body, q minus the force on it. */
static void write_state_vector(double *z, const double acceleration[6], const double load[6])
{
    for (int i = 0; i < 3; i++) {
        z[i] = acceleration[i];
        z[3 + i] = acceleration[3 + i];
        z[6 + i] = load[3 + i];
        z[9 + i] = -load[i];
    }
}

/* Linear and angular accelerations on both sides of the hinge of a body, from the results read last. */
static void sides_of(const rct_solver *solver, int64_t b, double own[6], double parent[6])
{
    const int32_t up = solver->plan->bodies[b].parent;
    double unused[3];
    if (solver->mixed != NULL) {
        rct_mixed_sides(solver->mixed, b, own, parent);
        return;
    }
    body_acceleration(solver, b, own, own + 3);
    memcpy(parent, own, 3 * sizeof *parent);
    memset(parent + 3, 0, 3 * sizeof *parent);
    if (up != RCT_GROUND) {
        body_acceleration(solver, up, unused, parent + 3);
    }
}

void rct_solver_get_state_vectors_inside(const rct_solver *solver, double *outboard,
                                         double *inboard)
{
    read_loads(solver);
    if (solver->mixed != NULL) {
        rct_mixed_read_motion(solver->mixed);
    }
    for (int64_t b = 0; b < solver->plan->body_count; b++) {
        double own[6], parent[6];
        sides_of(solver, b, own, parent);
        if (outboard != NULL) {
            write_state_vector(outboard + 12 * b, own, solver->loads + 6 * b);
        }
        if (inboard != NULL) {
            write_state_vector(inboard + 12 * b, parent, solver->loads + 6 * b);
        }
    }
}
