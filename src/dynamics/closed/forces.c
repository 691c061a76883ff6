/* Accelerations of closed systems (seed 001, closed chains): A the open tree, B and C what closes
 * it, D to F the sweeps once more with that as a load. The methods have operators of their own, the
 * sweeps work in lanes; the gap that rounding leaves between the two is closed once more. */
#include "core/error.h"
#include "dynamics/closed/systems.h"
#include "dynamics/solver.h"

#include <math.h>
#include <string.h>

enum { MOST_CORRECTIONS = 2 };

/* Fractions of the terms of phi''; `cancelled` of those of the open tree. */
static const double contradiction = 1e-6, rounding = 1e-12, cancelled = 1e-15;

/* Write J u' to the gap: of the last evaluation, or of the tree where nothing was evaluated yet. */
static void take_motion(rct_closed *c, int evaluated)
{
    const rct_closure_rows *rows = rct_closures_rows(c->factored);
    if (c->columns != NULL) {
        rct_closed_read_columns(c, evaluated, c->gap);
        return;
    }
    if (rct_closed_in_junction(c)) {
        rct_closed_read_junction(c);
    } else {
        /* the room is there */
        (void)rct_solver_show_accelerations(c->solver, c->linear, c->angular);
        rct_solver_get_rate_derivatives_inside(c->solver, c->derivatives);
    }
    rct_closure_take(rows, c->angular, c->linear, c->derivatives, c->gap);
}

/* phi'' except J u'. */
static double bias_of(const rct_closed *c, const rct_closure_rows *rows, int32_t i)
{
    const double alpha = c->baumgarte[0], beta = c->baumgarte[1];
    return c->drift == RCT_DRIFT_BAUMGARTE
               ? rows->bias[i] + 2.0 * alpha * rows->speed[i] + beta * beta * rows->phi[i]
               : rows->bias[i];
}

/* `terms` of systems, for that motion, of the open tree unless `evaluated`; in free fall only bias
 * and what is prescribed count. */
static void take_terms(rct_closed *c, int evaluated)
{
    const rct_closure_rows *rows = rct_closures_rows(c->factored);
    const double *swept = c->columns != NULL ? c->columns->terms : NULL;
    if (swept == NULL) {
        rct_closed_find_terms(c, rows, c->angular, c->linear, c->derivatives);
    }
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        const int32_t *row = c->row_of + s->first_row;
        double most = 0.0, moved = swept != NULL ? 0.0 : s->terms;
        for (int32_t k = 0; k < s->row_count; k++) {
            const double bias = fabs(bias_of(c, rows, row[k])), known = rows->known[row[k]];
            most = bias > most ? bias : most;
            most = known > most ? known : most;
            moved = swept != NULL && swept[row[k]] > moved ? swept[row[k]] : moved;
        }
        s->terms = moved + most;
        s->open = evaluated ? s->open : s->terms;
    }
}

/* gap = phi'' + 2 alpha phi' + beta^2 phi; and `terms`, which columns take from the sweep inward,
 * whatever was evaluated since. */
static void take_gap(rct_closed *c, int evaluated)
{
    const rct_closure_rows *rows = rct_closures_rows(c->factored);
    const int32_t count = rows->count;
    take_motion(c, evaluated);
    for (int32_t i = 0; i < count; i++) {
        c->gap[i] += bias_of(c, rows, i);
    }
    if (!evaluated || c->columns == NULL) {
        take_terms(c, evaluated);
    }
}

/* Add J* of `part` to the loads. */
static void push(rct_closed *c)
{
    const rct_closure_rows *rows = rct_closures_rows(c->factored);
    const rct_load_lists *acting = &c->solver->acting;
    for (int32_t k = 0; k < acting->pushed_count; k++) {
        memset(c->force + 3 * (int64_t)acting->pushed[k], 0, 3 * sizeof *c->force);
        memset(c->moment + 3 * (int64_t)acting->pushed[k], 0, 3 * sizeof *c->moment);
    }
    for (int32_t k = 0; k < acting->hinge_count; k++) {
        const int64_t *first = c->tree->first + c->solver->plan->places.head[acting->hinges[k]];
        memset(c->effort + first[0], 0, (size_t)(first[1] - first[0]) * sizeof *c->effort);
    }
    rct_closure_give(rows, c->part, c->force, c->moment, c->effort);
    rct_solver_add_closing(c->solver, c->force, c->moment, c->effort, c->tree->first);
}

/* Add `part` to the multipliers. */
static void add_part(rct_closed *c)
{
    const int32_t count = rct_closures_rows(c->factored)->count;
    for (int32_t i = 0; i < count; i++) {
        c->lambda[i] += c->part[i];
    }
}

/* Add J* of `part` to the loads. */
static void exert(rct_closed *c)
{
    if (c->columns != NULL) {
        rct_closed_exert_columns(c, c->part);
    } else {
        push(c);
    }
}

/* Sweep to the accelerations that give the gaps: of all links, or of the junction. */
static rct_status sweep(const rct_solver *solver, rct_error *error)
{
    return rct_closed_in_junction(solver->closed)
               ? rct_closed_condense(solver->closed, error)
               : rct_solver_explain(solver, solver->backend->evaluate(solver->run), error);
}

/* Fails if the constraints contradict each other, or a number is not finite. */
static rct_status check_left(const rct_closed *c, rct_error *error)
{
    const rct_closure_rows *rows = rct_closures_rows(c->factored);
    for (int32_t i = 0; i < c->count; i++) {
        const rct_closed_system *s = &c->systems[i];
        if (s->row >= 0 && !(isfinite(s->left) && isfinite(s->terms))) {
            return rct_closed_not_finite(c->solver, rows->loop[s->row], error);
        }
        if (s->row >= 0 && !(s->left <= contradiction * s->terms)) {
            return rct_closed_fail(c, rows->loop[s->worst],
                                   "its accelerations cannot meet the constraints: they miss them",
                                   s->left / rows->unit[s->worst], "", rct_closed_contradicted,
                                   error);
        }
    }
    return RCT_OK;
}

/* Set the ground and all loads at `time`, and find the multipliers in the present state, lambda
 * and `part`. */
static rct_status find_multipliers(rct_solver *solver, double time, rct_error *error)
{
    rct_closed *c = solver->closed;
    rct_status status = RCT_OK;
    rct_closed_hide_loads(c);
    rct_solver_move_ground(solver, time);
    rct_solver_write_loads(solver, time);
    c->felt = 0;
    rct_closed_set_pending(c, 1);
    c->state.only_bias = c->drift != RCT_DRIFT_BAUMGARTE;
    const rct_closure_rows *rows =
        c->columns != NULL ? rct_closed_look_again(c, time) : rct_closed_look(c, time);
    c->state.only_bias = 0;
    if (rows->count == 0) {
        rct_closures_write(c->factored, &c->state);
        if (c->columns != NULL) {
            rct_closed_relieve_columns(c);
        }
        return RCT_OK;
    }
    if (!rct_closed_is_held(c)) { /* otherwise factoring sweeps */
        status = sweep(solver, error);
    }
    RCT_THEN(status, rct_closed_factor(solver, error));
    if (status == RCT_OK) {
        take_gap(c, 0);
        rct_closed_find_largest(c, c->gap);
        status = rct_closed_solve(c, 0, error);
    }
    RCT_THEN(status, check_left(c, error));
    if (status == RCT_OK) {
        memset(c->lambda, 0, (size_t)rows->count * sizeof *c->lambda);
        add_part(c);
    }
    return status;
}

void rct_closed_set_stage(rct_closed *c, int stage)
{
    if (c != NULL) {
        c->in_stage = stage;
    }
}

rct_status rct_closed_forces(rct_solver *solver, double time, rct_error *error)
{
    rct_closed *c = solver->closed;
    const rct_status status = find_multipliers(solver, time, error);
    if (status == RCT_OK && rct_closures_rows(c->factored)->count > 0) {
        if (rct_closed_in_junction(c)) {
            rct_closed_settle_junction(c);
        } else {
            exert(c);
        }
    }
    return status;
}

/* Whether the gap of any system is larger than rounding must leave it; these systems become
 * pending. */
static int is_open(rct_closed *c)
{
    take_gap(c, 1);
    rct_closed_find_largest(c, c->gap);
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        s->pending = s->pending && !(s->most <= fmax(rounding * s->terms, cancelled * s->open));
    }
    return rct_closed_pending(c) > 0;
}

rct_status rct_closed_evaluate(rct_solver *solver, rct_error *error)
{
    rct_closed *c = solver->closed;
    rct_status status = find_multipliers(solver, solver->time, error);
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    if (status == RCT_OK && rows->count > 0) {
        exert(c);
    }
    RCT_THEN(status, sweep(solver, error));
    for (int k = 0; k < MOST_CORRECTIONS && status == RCT_OK && rows->count > 0 && is_open(c);
         k++) {
        status = rct_closed_solve(c, 0, error);
        if (status == RCT_OK) {
            add_part(c);
            exert(c);
            status = sweep(solver, error);
        }
    }
    if (status == RCT_OK && rct_closed_in_junction(c)) {
        status = rct_solver_explain(solver, solver->backend->evaluate(solver->run), error);
    }
    return status;
}
