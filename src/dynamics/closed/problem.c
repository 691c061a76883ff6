/* The linear problem of closing loops (closure/method.h) in the state of a run. */
#include "core/error.h"
#include "dynamics/closed/systems.h"
#include "dynamics/solver.h"
#include "model/names.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Whether columns are laid for the present rows: then poses are found there. */
static int has_laid(const rct_closed *c)
{
    return c->columns != NULL && c->laid == rct_closures_rows(c->present)->version;
}

/* Whether the rows belong to the poses found last, at `time`. */
static int has_looked(const rct_closed *c, double time)
{
    return rct_closed_is_held(c) && c->looked_at == c->solver->poses_read &&
           c->state.time == time && c->looked_for == rct_closures_rows(c->present)->version &&
           c->looked_half <= c->state.only_bias;
}

const rct_closure_rows *rct_closed_look(rct_closed *c, double time)
{
    if (has_looked(c, time)) {
        return rct_closures_rows(c->present);
    }
    c->looked_at = c->solver->poses_read;
    c->looked_for = rct_closures_rows(c->present)->version;
    c->looked_half = c->state.only_bias;
    if (!has_laid(c)) {
        rct_closed_take_poses(c);
    }
    if (rct_closed_is_held(c)) {
        rct_closed_show_hinges(c);
    } else {
        rct_solver_show_state(c->solver, c->orientation, NULL, NULL, NULL);
        rct_solver_get_coordinates_inside(c->solver, c->coordinates, c->rates);
    }
    c->state.ground = c->solver->base;
    c->state.time = time;
    const rct_closure_rows *rows = rct_closures_write(c->present, &c->state);
    rct_closed_list_rows(c, rows);
    return rows;
}

const rct_closure_rows *rct_closed_look_again(rct_closed *c, double time)
{
    if (has_laid(c)) {
        c->solver->poses_read +=
            c->solver->backend->columns->pose(c->solver->run, &c->solver->ground);
    } else if (rct_closed_in_junction(c)) {
        rct_solver_read_acting_poses(c->solver);
    } else {
        rct_solver_read_poses(c->solver);
    }
    return rct_closed_look(c, time);
}

/* The method that closes now, and its work. */
static const rct_closure_method *closes(const rct_closed *c, void **work)
{
    *work = c->partitioning ? c->parts : c->work;
    return c->partitioning ? &rct_closure_partition : c->method;
}

/* `ready`: whether the method will ask what hinges can give to rows. */
static rct_status factor_tree(const rct_solver *solver, int ready, rct_error *error)
{
    rct_closed *c = solver->closed;
    if (rct_closed_in_junction(c)) {
        return rct_closed_condense(c, error);
    }
    if (c->columns != NULL) {
        return rct_closed_sweep_columns(c, ready, error);
    }
    const rct_operator_state state = {
        .orientation = c->orientation, .coordinates = c->coordinates, .ground = c->state.ground};
    rct_operator_tree_refill(c->tree, solver->plan->bodies, &state);
    if (solver->rotors != NULL) {
        rct_operator_tree_hold(c->tree, solver->plan->bodies, solver->rotors);
    }
    if (c->partitioning) {
        return RCT_OK; /* J depends on positions only */
    }
    return rct_solver_factor(solver, c->operators, error);
}

/* Rows of pending systems as they are now, of others as they were factored. */
static const rct_closure_rows *take_rows(rct_closed *c)
{
    if (rct_closed_pending(c) == c->count) {
        return rct_closures_copy(c->factored, c->present);
    }
    for (int32_t i = 0; i < c->count; i++) {
        const rct_closed_system *s = &c->systems[i];
        rct_closures_copy_some(c->factored, c->present, c->row_of + s->first_row,
                               s->pending ? s->row_count : 0);
    }
    return rct_closures_rows(c->factored);
}

/* Take the rank of each system; of several systems, each row without a pivot lowers the rank of its
 * own. */
static void take_ranks(rct_closed *c, const rct_closure_report *report)
{
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].rank = c->count == 1 ? report->rank : c->systems[i].row_count;
    }
    const int32_t rows = rct_closures_rows(c->factored)->count;
    const int some = c->count > 1 && report->lost != NULL && report->rank < rows;
    for (int32_t i = 0; i < rows && some; i++) {
        rct_closed_system_of(c, i)->rank -= report->lost[i];
    }
}

rct_status rct_closed_factor(const rct_solver *solver, rct_error *error)
{
    rct_closed *c = solver->closed;
    rct_closure_report report = {.dependent = -1, .worst = -1};
    rct_status status = rct_closed_lay_again(c, error);
    if (status == RCT_OK) {
        void *work;
        const rct_closure_method *method = closes(c, &work);
        const rct_closure_problem problem = {.tree = c->tree,
                                             .operators = c->operators,
                                             .mobility = rct_closed_mobility(c),
                                             .open = c->in_stage,
                                             .rows = take_rows(c)};
        status = factor_tree(solver, method->asks != NULL && method->asks(work, &problem), error);
        RCT_THEN(status,
                 rct_closed_blame(c, method->factor(work, &problem, &report, error), error));
    }
    if (status == RCT_OK) {
        take_ranks(c, &report);
    }
    if (c->counted != rct_closures_rows(c->factored)->version) { /* then rooms differ */
        c->counted = rct_closures_rows(c->factored)->version;
        rct_solver_count_bytes(c->solver);
    }
    return status;
}

int32_t rct_closed_largest(const rct_closure_rows *rows, const double *y, double *size)
{
    int32_t row = -1;
    *size = 0.0;
    for (int32_t i = 0; i < rows->count && !isnan(*size); i++) {
        const double own = fabs(y[i]) / rows->unit[i];
        if (!(own <= *size)) { /* so that NaN is the largest */
            *size = own;
            row = i;
        }
    }
    return row;
}

const char *rct_closed_unit(const rct_closed *c, int32_t row)
{
    const rct_closure_rows *rows = rct_closures_write_ends(c->present, &c->state);
    if (rows->ends_at[row] == rows->ends_at[row + 1]) {
        return " (m or rad, as its coordinates)";
    }
    const double *f = rows->ends[rows->ends_at[row]].wrench + 3;
    return f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0 ? " rad" : " m";
}

int32_t rct_closed_body_of(const rct_closed *c, int32_t loop)
{
    rct_loop at;
    rct_model_loop(c->solver->plan->surroundings, loop, &at, NULL);
    return at.type == RCT_LOOP_RELATION ? at.terms[0].body : at.body;
}

/* All systems share the names of loops of the first. */
void rct_closed_name_loop(const rct_closed *c, int32_t loop, char name[RCT_NAME_SIZE])
{
    rct_loop first;
    rct_model_loop(c->solver->plan->surroundings, loop - loop % c->count, &first, NULL);
    rct_answer(name, first.name, "loop", loop / c->count);
}

const char rct_closed_contradicted[] =
    "its constraints contradict one another or those of other loops in this state; release one of "
    "the loops, or, if the pose is singular, as for an arm that is stretched out, start from "
    "another pose";

rct_status rct_closed_fail(const rct_closed *c, int32_t loop, const char *what, double size,
                           const char *unit, const char *advice, rct_error *error)
{
    const rct_closed_system *s = &c->systems[loop % c->count];
    const int32_t body = rct_closed_body_of(c, loop);
    char name[RCT_NAME_SIZE], label[RCT_BODY_LABEL];
    rct_closed_name_loop(c, loop, name);
    rct_bodies_label(c->solver->plan->bodies, body / c->count, label); /* as in one system alone */
    return rct_fail_body(error, RCT_ERROR_LOOP, body,
                         "loop \"%s\" of %s: %s by %.3g%s (%" PRId32
                         " constraint%s in all, of rank %" PRId32 "); %s",
                         name, label, what, size, unit, s->row_count, rct_plural(s->row_count),
                         s->rank, advice);
}

/* Note what a solve has left of the gap of each system, and in which row. */
static void take_left(rct_closed *c, const rct_closure_report *report)
{
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        s->worst = s->row;
        if (c->count > 1) {
            s->left = rct_closed_largest_of(c, s, report->left, &s->worst);
        } else {
            s->left = report->residual * s->most;
            s->worst = report->worst >= 0 ? report->worst : s->row;
        }
    }
}

rct_status rct_closed_solve(rct_closed *c, int wanted, rct_error *error)
{
    const int32_t rows = rct_closures_rows(c->factored)->count;
    const int held = rct_closed_is_held(c);
    void *work;
    const rct_closure_method *method = closes(c, &work);
    rct_closure_report report = {.worst = -1, .by_rows = c->count > 1};
    rct_status status =
        method->solve(work, c->gap, c->part, held ? NULL : c->change, &report, error);
    if (status == RCT_OK) {
        take_left(c, &report);
    }
    c->solver->evaluated =
        c->solver->evaluated && !wanted; /* the results belong to the change now */
    const int rest = rct_closed_pending(c) < c->count;
    for (int32_t i = 0; i < rows && rest; i++) {
        c->part[i] = rct_closed_system_of(c, i)->pending ? c->part[i] : 0.0;
    }
    if (status == RCT_OK && wanted && rows > 0 && held) {
        status = rct_closed_in_junction(c) ? rct_closed_sway(c, error)
                                           : rct_closed_sway_columns(c, error);
    }
    return rct_closed_blame(c, status, error);
}
