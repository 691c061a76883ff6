/* The public operators: the sweeps of operators/tree.h on the state of the run, body by body. */
#include "core/error.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "core/pool.h"
#include "dynamics/solver.h"
#include "operators/fill.h"

#include <riccatree/operators.h>

#include <string.h>

/* The tree in the present state, and its operators. */
struct rct_operation {
    rct_pool pool;       /* holds the arrays */
    double *orientation; /* [n][4] */
    double *coordinates; /* of all hinges */
    double *rates;       /* for inverse dynamics, else NULL */
    double *load;        /* for inverse dynamics [n][6], NULL: none */
    rct_operator_tree *tree;
    rct_operator *sweeps;
};

typedef rct_operation operation;

typedef enum purpose { PLAIN, FACTORED, INVERSE } purpose;

/* Free the operators of one call. */
static void end(operation *op)
{
    rct_operator_free(op->sweeps);
    rct_operator_tree_free(op->tree);
    rct_pool_empty(&op->pool);
}

static rct_status allocate(operation *op, const rct_solver *s, purpose what, rct_error *error)
{
    const rct_plan *plan = s->plan;
    const int64_t n = plan->body_count, one = sizeof(double);
    op->orientation = rct_pool_take(&op->pool, n, 4 * one, error);
    op->coordinates = rct_pool_take(&op->pool, plan->coordinates, one, error);
    if (what == INVERSE) {
        op->rates = rct_pool_take(&op->pool, plan->freedoms, one, error);
    }
    if (what == INVERSE && (s->loads != NULL || rct_model_force_count(plan->surroundings) > 0)) {
        op->load = rct_pool_take(&op->pool, n, 6 * one, error);
    }
    return op->pool.failed ? RCT_ERROR_MEMORY : RCT_OK;
}

/* The forces on the bodies, moments first, from the poses read last. */
static void take_loads(const operation *op, const rct_solver *s)
{
    rct_solver_push(s, s->time, op->load);
    rct_solver_add_wrenches(s, 1.0, op->load);
    for (int64_t b = 0; b < s->plan->body_count; b++) {
        double *load = op->load + 6 * b, force[3];
        memcpy(force, load, sizeof force);
        memcpy(load, load + 3, sizeof force);
        memcpy(load + 3, force, sizeof force);
    }
}

/* The state of the run as operators take it. */
static rct_operator_state read_state(const operation *op, const rct_solver *s)
{
    if (op->load != NULL) {
        rct_solver_read_poses(s);
        take_loads(op, s);
    } else {
        rct_solver_read_turns(s);
    }
    for (int64_t b = 0; b < s->plan->body_count; b++) {
        rct_solver_orientation(s, b, op->orientation + 4 * b);
    }
    rct_solver_get_coordinates_inside(s, op->coordinates, op->rates);
    const int own = s->plan->gravities > 0;
    return (rct_operator_state){.orientation = op->orientation,
                                .coordinates = op->coordinates,
                                .rates = op->rates,
                                .load = op->load,
                                .gravity = own ? s->plan->own_gravity : s->plan->gravity,
                                .systems = own ? s->plan->gravities : 1,
                                .ground = s->base};
}

rct_status rct_solver_factor(const rct_solver *solver, rct_operator *operators, rct_error *error)
{
    const int32_t body = rct_operator_factor(operators, solver->options.method);
    const rct_sweep_result singular = {.end = SWEEP_SINGULAR,
                                       .link = body < 0 ? body : solver->plan->link_of[body]};
    return body < 0 ? RCT_OK : rct_solver_explain(solver, singular, error);
}

static rct_status make(operation *op, const rct_solver *solver, purpose what, rct_error *error)
{
    const rct_plan *plan = solver->plan;
    const rct_operator_state state = read_state(op, solver);
    rct_status status = rct_solver_check_inside(solver, error);
    if (status == RCT_OK && op->load != NULL && !rct_all_finite(op->load, 6 * plan->body_count)) {
        status = rct_solver_explain(solver, (rct_sweep_result){.end = SWEEP_NOT_FINITE}, error);
    }
    if (status != RCT_OK) {
        return status;
    }
    op->tree = rct_operator_tree_create(plan->bodies, plan->body_count, &state, error);
    if (op->tree != NULL) {
        op->sweeps = rct_operator_create(op->tree, what == FACTORED, error);
    }
    if (op->sweeps == NULL) {
        return RCT_ERROR_MEMORY;
    }
    return what == FACTORED ? rct_solver_factor(solver, op->sweeps, error) : RCT_OK;
}

static rct_status begin(operation *op, const rct_solver *solver, int32_t columns, purpose what,
                        rct_error *error)
{
    *op = (operation){.pool = {.what = "operators"}};
    if (columns < 0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "%d columns: give 0 or more", (int)columns);
    }
    const rct_status status = allocate(op, solver, what, error);
    return status == RCT_OK ? make(op, solver, what, error) : status;
}

rct_operator *rct_solver_operators_now(const rct_solver *solver, int factored,
                                       rct_operator_tree **tree, rct_error *error)
{
    operation op;
    rct_operator *sweeps = NULL;
    if (begin(&op, solver, 0, factored ? FACTORED : PLAIN, error) == RCT_OK) {
        *tree = op.tree;
        sweeps = op.sweeps;
        op.tree = NULL;
        op.sweeps = NULL;
    }
    end(&op);
    return sweeps;
}

/* ---- kept ready --------------------------------------------------------------------------- */

rct_operation *rct_operation_create(const rct_solver *solver, rct_error *error)
{
    operation *op = rct_allocate(1, sizeof *op, "operators", error);
    if (op == NULL) {
        return NULL;
    }
    op->pool.what = "operators";
    if (allocate(op, solver, PLAIN, error) == RCT_OK) {
        const rct_operator_state state = read_state(op, solver);
        op->tree =
            rct_operator_tree_create(solver->plan->bodies, solver->plan->body_count, &state, error);
        op->sweeps = op->tree != NULL ? rct_operator_create(op->tree, 1, error) : NULL;
    }
    if (op->sweeps == NULL) {
        rct_operation_free(op);
        return NULL;
    }
    return op;
}

void rct_operation_free(rct_operation *op)
{
    if (op != NULL) {
        end(op);
        rct_release(op);
    }
}

int64_t rct_operation_bytes(const rct_operation *op)
{
    const int64_t n = op->tree->n;
    return (int64_t)sizeof *op + op->pool.bytes + 650 * n + 150 * op->tree->first[n];
}

rct_operator *rct_operation_sweeps(const rct_operation *op)
{
    return op->sweeps;
}

const rct_operator_tree *rct_operation_tree(const rct_operation *op)
{
    return op->tree;
}

rct_status rct_operation_move(rct_operation *op, const rct_solver *solver, rct_error *error)
{
    const rct_operator_state state = read_state(op, solver);
    const rct_status status = rct_solver_check_inside(solver, error);
    if (status == RCT_OK) {
        rct_operator_tree_refill(op->tree, solver->plan->bodies, &state);
    }
    return status;
}

rct_status rct_operation_renew(rct_operation *op, const rct_solver *solver, const double *rotors,
                               rct_error *error)
{
    const rct_status status = rct_operation_move(op, solver, error);
    if (rotors != NULL) {
        rct_operator_tree_hold(op->tree, solver->plan->bodies, rotors);
    }
    return status == RCT_OK ? rct_solver_factor(solver, op->sweeps, error) : status;
}

/* ---- the public ones ---------------------------------------------------------------------- */

static int64_t freedoms(const rct_solver *solver)
{
    return solver->plan->freedoms;
}

static int64_t places(const rct_solver *solver)
{
    return 3 * (int64_t)solver->plan->body_count;
}

rct_status rct_solver_mass_times_inside(rct_solver *solver, int32_t columns, const double *x,
                                        double *y, rct_error *error)
{
    operation op;
    rct_status status = begin(&op, solver, columns, PLAIN, error);
    RCT_THEN(status, rct_check_finite("x", x, columns * freedoms(solver), error));
    if (status == RCT_OK) {
        rct_operator_mass(op.sweeps, columns, x, y);
    }
    end(&op);
    return status;
}

rct_status rct_solver_mass_solve_inside(rct_solver *solver, int32_t columns, const double *x,
                                        double *y, rct_error *error)
{
    operation op;
    rct_status status = begin(&op, solver, columns, FACTORED, error);
    RCT_THEN(status, rct_check_finite("x", x, columns * freedoms(solver), error));
    if (status == RCT_OK) {
        rct_operator_solve(op.sweeps, columns, x, y);
    }
    end(&op);
    return status;
}

rct_status rct_solver_jacobian_times_inside(rct_solver *solver, int32_t columns, const double *x,
                                            double *linear, double *angular, rct_error *error)
{
    operation op;
    rct_status status = begin(&op, solver, columns, PLAIN, error);
    RCT_THEN(status, rct_check_finite("x", x, columns * freedoms(solver), error));
    if (status == RCT_OK) {
        rct_operator_velocities(op.sweeps, columns, x, linear, angular);
    }
    end(&op);
    return status;
}

rct_status rct_solver_jacobian_transposed_inside(rct_solver *solver, int32_t columns,
                                                 const double *force, const double *moment,
                                                 double *y, rct_error *error)
{
    operation op;
    rct_status status = begin(&op, solver, columns, PLAIN, error);
    RCT_THEN(status, rct_check_finite("force", force, columns * places(solver), error));
    RCT_THEN(status, rct_check_finite("moment", moment, columns * places(solver), error));
    if (status == RCT_OK) {
        rct_operator_gather(op.sweeps, columns, force, moment, y);
    }
    end(&op);
    return status;
}

rct_status rct_solver_inverse_dynamics_inside(rct_solver *solver, const double *x, double *force,
                                              double *moment, double *effort, rct_error *error)
{
    operation op;
    rct_status status = begin(&op, solver, 1, INVERSE, error);
    RCT_THEN(status, rct_check_finite("x", x, freedoms(solver), error));
    if (status == RCT_OK) {
        rct_operator_inverse(op.sweeps, x, force, moment, effort);
    }
    end(&op);
    return status;
}
