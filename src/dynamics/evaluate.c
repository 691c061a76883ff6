/* One evaluation, and its error if it fails. */
#include "core/error.h"
#include "core/numbers.h"
#include "dynamics/closed/closed.h"
#include "dynamics/solver.h"

#include <inttypes.h>

/* The motion that a hinge leaves free and nothing resists. */
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

/* The reason why the device failed; "" or NULL if it did not. */
static const char *trouble_of(const rct_solver *solver)
{
    const rct_backend *backend = solver->backend;
    return solver->run != NULL && backend->trouble != NULL ? backend->trouble(solver->run) : NULL;
}

/* Whether the inertia that resists a turn of the body is so small or so large that its pivots
 * cannot be told from zero (kernels/lane/spatial.h). */
static int is_beyond_units(const rct_body *body, double *inertia)
{
    const double com =
        body->com[0] * body->com[0] + body->com[1] * body->com[1] + body->com[2] * body->com[2];
    *inertia = body->inertia[0] + body->inertia[1] + body->inertia[2] + 2.0 * body->mass * com;
    return *inertia > 0.0 && (*inertia < 1e-60 || *inertia > 1e70);
}

/* The first body whose force of the user is not finite although what its function was given is; -1:
 * none. */
static int32_t wild_force(const rct_solver *s)
{
    if (s->function == NULL) {
        return -1;
    }
    const int64_t n = s->named_count;
    const double *given = s->rows, *force = given + 13 * n, *moment = force + 3 * n;
    int32_t wild = -1;
    for (int64_t k = 0; k < n && wild < 0; k++) {
        const int tame = rct_all_finite(force + 3 * k, 3) && rct_all_finite(moment + 3 * k, 3);
        wild = tame ? -1 : s->named[k];
    }
    return wild >= 0 && rct_all_finite(given, 13 * n) ? wild : -1;
}

rct_status rct_solver_explain(const rct_solver *solver, rct_sweep_result result, rct_error *error)
{
    if (result.end == SWEEP_DONE) {
        return RCT_OK;
    }
    if (result.end == SWEEP_LOST) {
        return rct_fail(error, RCT_ERROR_DEVICE,
                        "backend %s failed %s; the frames recorded so far are valid, continue with "
                        "another backend",
                        solver->backend->name, trouble_of(solver));
    }
    const int32_t wild = result.end == SWEEP_NOT_FINITE ? wild_force(solver) : -1;
    char label[RCT_BODY_LABEL];
    if (wild >= 0) {
        return rct_fail_body(error, RCT_ERROR_DIVERGED, wild,
                             "%s: the force function gave it a force or moment that is not finite",
                             rct_bodies_label(solver->plan->bodies, wild, label));
    }
    while (result.end == SWEEP_NOT_FINITE && solver->plan->links.parent[result.link] >= 0) {
        result.link = solver->plan->links.parent[result.link];
    }
    const int32_t body = solver->plan->places.head[result.link];
    rct_bodies_label(solver->plan->bodies, body, label);
    if (result.end == SWEEP_NOT_FINITE) {
        return rct_fail_body(error, RCT_ERROR_DIVERGED, body,
                             "%s: its motion is no longer finite; take a smaller step or slower "
                             "initial rates",
                             label);
    }
    double inertia;
    if (is_beyond_units(rct_bodies_at(solver->plan->bodies, body), &inertia)) {
        return rct_fail_body(
            error, RCT_ERROR_SINGULAR, body,
            "%s: its inertia of %.2g kg m^2 is too small or too large to be solved in these units; "
            "choose units in which it lies between 1e-60 and 1e70",
            label, inertia);
    }
    return rct_fail_body(error, RCT_ERROR_SINGULAR, body,
                         "%s: nothing resists %s in this state; give more inertia to it or to the "
                         "bodies that hang on it; if the motion has run away, take a smaller step",
                         /* arms of a million metres hide any inertia */
                         label, unresisted(rct_bodies_at(solver->plan->bodies, body)->hinge));
}

rct_status rct_solver_check_inside(const rct_solver *solver, rct_error *error)
{
    const char *trouble = trouble_of(solver);
    const int lost = trouble != NULL && trouble[0] != '\0';
    return rct_solver_explain(
        solver, (rct_sweep_result){.end = lost ? SWEEP_LOST : SWEEP_DONE, .link = -1}, error);
}

rct_status rct_solver_failed(const rct_solver *solver, rct_status status, rct_error *error)
{
    const rct_status lost = status != RCT_OK ? rct_solver_check_inside(solver, error) : RCT_OK;
    return lost != RCT_OK ? lost : status;
}

rct_status rct_solver_evaluate_inside(rct_solver *solver, rct_error *error)
{
    rct_status status;
    if (solver->closed != NULL) {
        status = rct_solver_failed(solver, rct_closed_evaluate(solver, error), error);
    } else {
        rct_solver_move_ground(solver, solver->time);
        rct_solver_write_loads(solver, solver->time);
        status = rct_solver_explain(solver, solver->backend->evaluate(solver->run), error);
    }
    solver->evaluated = status == RCT_OK;
    return status;
}

static rct_status forward_one(rct_solver *solver, const double *coordinates, const double *rates,
                              const double *efforts, double *derivatives, rct_error *error)
{
    rct_status status = rct_solver_write_coordinates(solver, coordinates, rates, error);
    if (efforts != NULL || solver->pushes_hinges) {
        RCT_THEN(status, rct_solver_set_efforts_inside(solver, efforts, error));
    }
    RCT_THEN(status, rct_solver_evaluate_inside(solver, error));
    if (status == RCT_OK) {
        rct_solver_get_rate_derivatives_inside(solver, derivatives);
    }
    return status;
}

rct_status rct_solver_forward_inside(rct_solver *solver, int64_t states, const double *coordinates,
                                     const double *rates, const double *efforts,
                                     double *derivatives, rct_error *error)
{
    const int64_t positions = solver->plan->coordinates, freedoms = solver->plan->freedoms;
    for (int64_t k = 0; k < states; k++) {
        const rct_status status = forward_one(
            solver, coordinates + k * positions, rates + k * freedoms,
            efforts != NULL ? efforts + k * freedoms : NULL, derivatives + k * freedoms, error);
        if (status != RCT_OK) {
            if (states > 1) {
                rct_error_prefix(error, "state %" PRId64 ": ", k);
            }
            return status;
        }
    }
    return RCT_OK;
}
