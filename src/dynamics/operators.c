/* The public operators; those of trees of every hinge and load are in mixed_operators.c. Of plain ones: columns between
 * rates in body order, inertial axes, and label order, link axes, with the sweeps of kernels/operators.h between. */
#include "kernels/operators.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/rotation.h"
#include "dynamics/mixed_operators.h"
#include "dynamics/rigid.h"
#include "dynamics/solver.h"
#include "model/model.h"

#include <riccatree/operators.h>

#include <string.h>

/* One call: records of the state, and room for a column. */
typedef struct operation {
    const rct_solver *solver;
    const rct_links *links;
    int64_t *row;      /* [links] first rate of the hinge of the head in a column                */
    double *operators; /* [links][OPERATOR_FIELDS]                                               */
    double *x, *y;     /* [links][3]                                                             */
    double *scratch;   /* [links][9]                                                             */
} operation;

static int is_plain(const rct_solver *solver)
{
    const rct_plan *plan = solver->plan;
    return plan->links.fields == LINK_FIELDS && !plan->has_efforts &&
           plan->surroundings->force_count == 0 && plan->surroundings->loop_count == 0 &&
           !rct_model_has_base(plan->surroundings) && !solver->options.user_forces;
}

static void end(operation *op)
{
    rct_release(op->operators);
    rct_release(op->row);
}

/* Heads of links, in body order, have three rates each. */
static void find_rows(const rct_plan *plan, int64_t *row)
{
    int64_t next = 0;
    for (int64_t b = 0; b < plan->body_count; b++) {
        const rct_placement *at = &plan->placement[b];
        if (at->link != RCT_GROUND && !at->welded) {
            row[at->link] = next;
            next += 3;
        }
    }
}

rct_status rct_check_columns(int32_t columns, rct_error *error)
{
    if (columns < 0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "%d columns: give their number, 0 or more",
                        (int)columns);
    }
    return RCT_OK;
}

static rct_status begin(operation *op, rct_solver *solver, int32_t columns, rct_error *error)
{
    const int64_t links = solver->plan->links.count;
    *op = (operation){.solver = solver, .links = &solver->plan->links};
    rct_status status = rct_check_columns(columns, error);
    if (status == RCT_OK) {
        rct_solver_read_state(solver, solver->mixed->state);
        status = rct_solver_check_inside(solver, error);
    }
    if (status != RCT_OK) {
        return status;
    }
    op->operators =
        rct_allocate(links * (OPERATOR_FIELDS + 15), sizeof(double), "operators", error);
    op->row = rct_allocate(links, sizeof *op->row, "operators", error);
    if (op->operators == NULL || op->row == NULL) {
        return RCT_ERROR_MEMORY;
    }
    find_rows(solver->plan, op->row);
    op->x = op->operators + links * OPERATOR_FIELDS;
    op->y = op->x + 3 * links;
    op->scratch = op->y + 3 * links;
    rct_operators_turn(op->links, solver->mixed->state, op->operators);
    return RCT_OK;
}

/* Link axes to inertial axes. */
static void axes_of(const operation *op, int64_t link, double m[3][3])
{
    rct_rotation(op->solver->mixed->state + link * STATE_FIELDS + STATE_ORIENTATION, m);
}

static void take_column(const operation *op, const double *column)
{
    double m[3][3];
    for (int64_t l = 0; l < op->links->count; l++) {
        axes_of(op, l, m);
        rct_rotate_back(m, column + op->row[l], op->x + 3 * l);
    }
}

static void give_column(const operation *op, double *column)
{
    double m[3][3];
    for (int64_t l = 0; l < op->links->count; l++) {
        axes_of(op, l, m);
        rct_rotate(m, op->y + 3 * l, column + op->row[l]);
    }
}

rct_status rct_solver_mass_times_inside(rct_solver *solver, int32_t columns, const double *x,
                                        double *y, rct_error *error)
{
    if (!is_plain(solver)) {
        return rct_mixed_mass_times(solver, columns, x, y, error);
    }
    operation op;
    const int64_t row = 3 * solver->plan->links.count;
    const rct_status status = begin(&op, solver, columns, error);
    for (int32_t k = 0; k < columns && status == RCT_OK; k++) {
        take_column(&op, x + k * row);
        rct_operators_mass(op.links, op.operators, op.x, op.y, op.scratch);
        give_column(&op, y + k * row);
    }
    end(&op);
    return status;
}

rct_status rct_solver_mass_solve_inside(rct_solver *solver, int32_t columns, const double *x,
                                        double *y, rct_error *error)
{
    if (!is_plain(solver)) {
        return rct_mixed_mass_solve(solver, columns, x, y, error);
    }
    operation op;
    const int64_t row = 3 * solver->plan->links.count;
    rct_status status = begin(&op, solver, columns, error);
    if (status == RCT_OK) {
        const int32_t fault = rct_operators_factor(op.links, op.operators, op.scratch);
        status = rct_solver_explain(
            solver,
            (rct_sweep_result){.end = fault < 0 ? SWEEP_DONE : SWEEP_SINGULAR, .link = fault},
            error);
    }
    for (int32_t k = 0; k < columns && status == RCT_OK; k++) {
        take_column(&op, x + k * row);
        rct_operators_solve(op.links, op.operators, op.x, op.y, op.scratch);
        give_column(&op, y + k * row);
    }
    end(&op);
    return status;
}

/* ---- the Jacobian ---------------------------------------------------------------------------- */

/* Velocities of body b from those of its link in scratch. */
static void velocity_of(const operation *op, int64_t b, double linear[3], double angular[3])
{
    const rct_placement *at = &op->solver->plan->placement[b];
    double m[3][3], turning[3], sum[3];
    memset(linear, 0, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    if (at->link == RCT_GROUND) {
        return;
    }
    axes_of(op, at->link, m);
    rct_cross(op->x + 3 * (int64_t)at->link, at->position, turning);
    for (int i = 0; i < 3; i++) {
        sum[i] = op->scratch[3 * (int64_t)at->link + i] + (at->welded ? turning[i] : 0.0);
    }
    rct_rotate(m, sum, linear);
    rct_rotate(m, op->x + 3 * (int64_t)at->link, angular);
}

rct_status rct_solver_jacobian_times_inside(rct_solver *solver, int32_t columns, const double *x,
                                            double *linear, double *angular, rct_error *error)
{
    if (!is_plain(solver)) {
        return rct_mixed_jacobian_times(solver, columns, x, linear, angular, error);
    }
    operation op;
    const int64_t n = solver->plan->body_count;
    const rct_status status = begin(&op, solver, columns, error);
    for (int32_t k = 0; k < columns && status == RCT_OK; k++) {
        take_column(&op, x + k * 3 * op.links->count);
        rct_operators_points(op.links, op.operators, op.x, op.scratch);
        for (int64_t b = 0; b < n; b++) {
            double v[3], w[3];
            velocity_of(&op, b, v, w);
            if (linear != NULL) {
                memcpy(linear + 3 * (k * n + b), v, sizeof v);
            }
            if (angular != NULL) {
                memcpy(angular + 3 * (k * n + b), w, sizeof w);
            }
        }
    }
    end(&op);
    return status;
}

/* Add a force and a moment on body b to the load of its link, about the link's origin. */
static void add_wrench(const operation *op, int64_t b, const double *force, const double *moment)
{
    const rct_placement *at = &op->solver->plan->placement[b];
    double m[3][3], f[3], turning[3], lever[3];
    if (at->link == RCT_GROUND) {
        return;
    }
    double *load = op->scratch + 6 * (int64_t)at->link;
    axes_of(op, at->link, m);
    rct_rotate_back(m, force, f);
    rct_rotate_back(m, moment, turning);
    rct_cross(at->position, f, lever);
    for (int i = 0; i < 3; i++) {
        load[i] += f[i];
        load[3 + i] += turning[i] + (at->welded ? lever[i] : 0.0);
    }
}

rct_status rct_solver_jacobian_transposed_inside(rct_solver *solver, int32_t columns,
                                                 const double *force, const double *moment,
                                                 double *y, rct_error *error)
{
    if (!is_plain(solver)) {
        return rct_mixed_jacobian_transposed(solver, columns, force, moment, y, error);
    }
    operation op;
    const int64_t n = solver->plan->body_count;
    const rct_status status = begin(&op, solver, columns, error);
    for (int32_t k = 0; k < columns && status == RCT_OK; k++) {
        memset(op.scratch, 0, (size_t)op.links->count * 6 * sizeof *op.scratch);
        for (int64_t b = 0; b < n; b++) {
            add_wrench(&op, b, force + 3 * (k * n + b), moment + 3 * (k * n + b));
        }
        rct_operators_gather(op.links, op.operators, op.scratch, op.y);
        give_column(&op, y + k * 3 * op.links->count);
    }
    end(&op);
    return status;
}

/* ---- inverse dynamics ------------------------------------------------------------------------ */

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
    const double *row = solver->mixed->accelerations + 6 * (int64_t)at->link;
    memcpy(linear, row, 3 * sizeof *linear);
    memcpy(angular, row + 3, 3 * sizeof *angular);
    if (at->welded) {
        const double *state = solver->mixed->state + (int64_t)at->link * STATE_FIELDS;
        double m[3][3], arm[3], rate[3];
        rct_rotation(state + STATE_ORIENTATION, m);
        rct_rotate(m, at->position, arm);
        rct_rotate(m, state + STATE_RATE, rate);
        rct_carry(row, row + 3, rate, arm, linear);
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
    const double *state = solver->mixed->state + (int64_t)at->link * STATE_FIELDS;
    double q[4];
    rct_rotation(state + STATE_ORIENTATION, m);
    rct_rotate(m, state + STATE_RATE, rate);
    rct_quaternion_product(state + STATE_ORIENTATION, at->orientation, q);
    rct_rotation(q, m);
}

/* Add what the motion of body b asks for. Needs accelerations of links. */
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

/* Welded bodies sum their loads from accelerations of links, children first; heads have theirs. */
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

/* Accelerations and loads of the links to the solver's, inertial axes. */
static void give_loads(const operation *op)
{
    const rct_solver *solver = op->solver;
    const double *points = op->scratch + 6 * (int64_t)op->links->count;
    double m[3][3];
    memset(solver->loads, 0, (size_t)solver->plan->body_count * 6 * sizeof *solver->loads);
    for (int64_t l = 0; l < op->links->count; l++) {
        const double *gravity = rct_plan_gravity(solver->plan, solver->plan->head[l]);
        double *row = solver->mixed->accelerations + 6 * l;
        double *load = solver->loads + 6 * (int64_t)solver->plan->head[l];
        axes_of(op, l, m);
        rct_rotate(m, points + 3 * l, row);
        rct_rotate(m, op->x + 3 * l, row + 3);
        rct_rotate(m, op->scratch + 6 * l, load);
        rct_rotate(m, op->scratch + 6 * l + 3, load + 3);
        for (int i = 0; i < 3; i++) {
            row[i] += gravity[i];
        }
    }
}

/* The moments at the hinges of heads. */
static void give_effort(const operation *op, double *effort)
{
    double m[3][3];
    for (int64_t l = 0; l < op->links->count && effort != NULL; l++) {
        axes_of(op, l, m);
        rct_rotate(m, op->scratch + 6 * l + 3, effort + op->row[l]);
    }
}

rct_status rct_solver_inverse_dynamics_inside(rct_solver *solver, const double *x, double *force,
                                              double *moment, double *effort, rct_error *error)
{
    if (!is_plain(solver)) {
        return rct_mixed_inverse_dynamics(solver, x, force, moment, effort, error);
    }
    operation op;
    const rct_status status = begin(&op, solver, 1, error);
    if (status == RCT_OK) {
        take_column(&op, x);
        for (int64_t l = 0; l < op.links->count; l++) {
            memcpy(op.y + 3 * l, rct_plan_gravity(solver->plan, solver->plan->head[l]),
                   3 * sizeof *op.y);
        }
        rct_operators_inverse(op.links, op.y, op.operators, solver->mixed->state, op.x, op.scratch,
                              op.scratch + 6 * (int64_t)op.links->count);
        give_loads(&op);
        give_effort(&op, effort);
        sum_loads(solver);
        rct_solver_give_loads(solver, force, moment);
    }
    end(&op);
    return status;
}
