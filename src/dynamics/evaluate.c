/* One evaluation: how it ended, and its results as they are asked for. */
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
    return solver->mixed != NULL && backend->trouble != NULL ? backend->trouble(solver->mixed->run)
                                                             : NULL;
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
    while (result.end == SWEEP_NOT_FINITE && solver->plan->links.parent[result.link] >= 0) {
        result.link = solver->plan->links.parent[result.link];
    }
    const int32_t body = solver->plan->head[result.link];
    if (result.end == SWEEP_NOT_FINITE) {
        return rct_fail_body(error, RCT_ERROR_DIVERGED, body,
                             "body %" PRId32 ": its motion is no longer finite; take a smaller "
                             "step or slower initial rates",
                             body);
    }
    return rct_fail_body(
        error, RCT_ERROR_SINGULAR, body,
        "body %" PRId32 ": nothing resists %s in this state; give it or what "
        "hangs on it more inertia; if the motion has run away, take a smaller step",
        /* arms of a million metres hide any inertia */
        body, unresisted(solver->plan->bodies[body].hinge));
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
    rct_mixed_set_time(solver->mixed, solver->time);
    rct_mixed_write_loads(solver->mixed, solver->time);
    return rct_solver_explain(solver, solver->backend->evaluate(solver->mixed->run), error);
}

rct_status rct_solver_set_body_forces_inside(rct_solver *solver, const int32_t *bodies,
                                             int32_t count, rct_force_function *function,
                                             void *context, rct_error *error)
{
    if (solver->mixed->rows == NULL) {
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

void rct_solver_get_accelerations_inside(const rct_solver *solver, double *linear, double *angular)
{
    rct_mixed_get_accelerations(solver->mixed, linear, angular);
}

void rct_solver_get_rate_derivatives_inside(const rct_solver *solver, double *derivatives)
{
    rct_mixed_get_rate_derivatives(solver->mixed, derivatives);
}

void rct_solver_give_loads(const rct_solver *solver, double *force, double *moment)
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

void rct_solver_get_hinge_forces_inside(const rct_solver *solver, double *force, double *moment)
{
    rct_mixed_hinge_loads(solver->mixed, solver->loads);
    rct_solver_give_loads(solver, force, moment);
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

void rct_solver_get_state_vectors_inside(const rct_solver *solver, double *outboard,
                                         double *inboard)
{
    rct_mixed_hinge_loads(solver->mixed, solver->loads);
    rct_mixed_read_motion(solver->mixed);
    for (int64_t b = 0; b < solver->plan->body_count; b++) {
        double own[6], parent[6];
        rct_mixed_sides(solver->mixed, b, own, parent);
        if (outboard != NULL) {
            write_state_vector(outboard + 12 * b, own, solver->loads + 6 * b);
        }
        if (inboard != NULL) {
            write_state_vector(inboard + 12 * b, parent, solver->loads + 6 * b);
        }
    }
}
