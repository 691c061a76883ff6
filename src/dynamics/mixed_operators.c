/* The public operators: the sweeps of operators/tree.h on the state of the run, body by body. */
#include "dynamics/mixed_operators.h"
#include "core/error.h"
#include "core/memory.h"
#include "dynamics/solver.h"
#include "operators/fill.h"

#include <assert.h>
#include <string.h>

/* One call: where the bodies are, and the operators there. */
typedef struct operation {
    double *orientation; /* [n][4] */
    double *position;    /* [n][3] */
    double *rates;       /* of inverse dynamics, else NULL */
    double *load;        /* of inverse dynamics [n][6], NULL: none */
    rct_operator_tree *tree;
    rct_operator *sweeps;
} operation;

typedef enum purpose { PLAIN, FACTORED, INVERSE } purpose;

static void end(operation *op)
{
    rct_operator_free(op->sweeps);
    rct_operator_tree_free(op->tree);
    rct_release(op->orientation);
    rct_release(op->position);
    rct_release(op->rates);
    rct_release(op->load);
}

static rct_status allocate(operation *op, const rct_mixed *x, purpose what, rct_error *error)
{
    static const char name[] = "operators";
    const int64_t n = x->plan->body_count, one = sizeof(double);
    const int loads =
        what == INVERSE && (x->loads != NULL || rct_model_force_count(x->plan->surroundings) > 0);
    op->orientation = rct_allocate(n, 4 * one, name, error);
    op->position = rct_allocate(n, 3 * one, name, error);
    op->rates = what == INVERSE ? rct_allocate(x->plan->freedoms, one, name, error) : NULL;
    op->load = loads ? rct_allocate(n, 6 * one, name, error) : NULL;
    const int whole = op->orientation != NULL && op->position != NULL &&
                      (what != INVERSE || op->rates != NULL) && (!loads || op->load != NULL);
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* What acts on the bodies, moments first. */
static void take_loads(const operation *op, rct_mixed *x, double time)
{
    rct_mixed_push(x, time, op->load);
    rct_mixed_add_wrenches(x, 1.0, op->load);
    for (int64_t b = 0; b < x->plan->body_count; b++) {
        double *load = op->load + 6 * b, force[3];
        memcpy(force, load, sizeof force);
        memcpy(load, load + 3, sizeof force);
        memcpy(load + 3, force, sizeof force);
    }
}

static rct_status factor(const rct_solver *solver, const operation *op, rct_error *error)
{
    const int32_t body = rct_operator_factor(op->sweeps);
    const rct_sweep_result singular = {
        .end = SWEEP_SINGULAR, .link = body < 0 ? body : solver->plan->placement[body].link};
    return body < 0 ? RCT_OK : rct_solver_explain(solver, singular, error);
}

static rct_status make(operation *op, rct_solver *solver, purpose what, rct_error *error)
{
    rct_mixed *x = solver->mixed;
    rct_mixed_get_state(x, op->orientation, NULL, op->position, NULL);
    if (op->rates != NULL) {
        rct_mixed_get_coordinates(x, NULL, op->rates);
    }
    if (op->load != NULL) {
        take_loads(op, x, solver->time);
    }
    rct_operator_state state = {.orientation = op->orientation,
                                .position = op->position,
                                .rates = op->rates,
                                .load = op->load,
                                .ground = x->base};
    assert(x->plan->systems == 0); /* they are of one system */
    memcpy(state.gravity, x->plan->gravity, sizeof state.gravity);
    const rct_status status = rct_solver_check_inside(solver, error);
    if (status != RCT_OK) {
        return status;
    }
    op->tree = rct_operator_tree_create(x->plan->bodies, x->plan->body_count, &state, error);
    if (op->tree != NULL) {
        op->sweeps = rct_operator_create(op->tree, what == FACTORED, error);
    }
    if (op->sweeps == NULL) {
        return RCT_ERROR_MEMORY;
    }
    return what == FACTORED ? factor(solver, op, error) : RCT_OK;
}

static rct_status begin(operation *op, rct_solver *solver, int32_t columns, purpose what,
                        rct_error *error)
{
    *op = (operation){.tree = NULL};
    rct_status status = rct_check_columns(columns, error);
    if (status == RCT_OK) {
        status = allocate(op, solver->mixed, what, error);
    }
    return status == RCT_OK ? make(op, solver, what, error) : status;
}

rct_status rct_mixed_mass_times(rct_solver *solver, int32_t columns, const double *x, double *y,
                                rct_error *error)
{
    operation op;
    const rct_status status = begin(&op, solver, columns, PLAIN, error);
    if (status == RCT_OK) {
        rct_operator_mass(op.sweeps, columns, x, y);
    }
    end(&op);
    return status;
}

rct_status rct_mixed_mass_solve(rct_solver *solver, int32_t columns, const double *x, double *y,
                                rct_error *error)
{
    operation op;
    const rct_status status = begin(&op, solver, columns, FACTORED, error);
    if (status == RCT_OK) {
        rct_operator_solve(op.sweeps, columns, x, y);
    }
    end(&op);
    return status;
}

rct_status rct_mixed_jacobian_times(rct_solver *solver, int32_t columns, const double *x,
                                    double *linear, double *angular, rct_error *error)
{
    operation op;
    const rct_status status = begin(&op, solver, columns, PLAIN, error);
    if (status == RCT_OK) {
        rct_operator_velocities(op.sweeps, columns, x, linear, angular);
    }
    end(&op);
    return status;
}

rct_status rct_mixed_jacobian_transposed(rct_solver *solver, int32_t columns, const double *force,
                                         const double *moment, double *y, rct_error *error)
{
    operation op;
    const rct_status status = begin(&op, solver, columns, PLAIN, error);
    if (status == RCT_OK) {
        rct_operator_gather(op.sweeps, columns, force, moment, y);
    }
    end(&op);
    return status;
}

rct_status rct_mixed_inverse_dynamics(rct_solver *solver, const double *x, double *force,
                                      double *moment, double *effort, rct_error *error)
{
    operation op;
    const rct_status status = begin(&op, solver, 1, INVERSE, error);
    if (status == RCT_OK) {
        rct_operator_inverse(op.sweeps, x, force, moment, effort);
    }
    end(&op);
    return status;
}
