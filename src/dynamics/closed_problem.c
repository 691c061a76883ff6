/* The linear problem of closing loops (closure/method.h) in the state of a run. */
#include "core/error.h"
#include "dynamics/closed.h"
#include "dynamics/solver.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Whether columns are laid for the rows as they are now: then poses are found there. */
static int has_laid(const rct_closed *c)
{
    return c->columns != NULL && c->laid == rct_closures_rows(c->present)->version;
}

/* Whether the rows are those of the poses found last, at `time`. */
static int has_looked(const rct_closed *c, double time)
{
    const int64_t found = has_laid(c) ? c->poses_found : c->solver->poses_read;
    return rct_closed_is_held(c) && c->looked_at == found && c->state.time == time &&
           c->looked_for == rct_closures_rows(c->present)->version;
}

const rct_closure_rows *rct_closed_look(rct_closed *c, double time)
{
    if (has_looked(c, time)) {
        return rct_closures_rows(c->present);
    }
    c->looked_at = has_laid(c) ? c->poses_found : c->solver->poses_read;
    c->looked_for = rct_closures_rows(c->present)->version;
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
    return rct_closures_write(c->present, &c->state);
}

const rct_closure_rows *rct_closed_look_again(rct_closed *c, double time)
{
    if (has_laid(c)) {
        c->poses_found += c->solver->backend->columns->pose(c->solver->run, &c->solver->ground);
    } else if (rct_closed_in_junction(c)) {
        rct_solver_read_acting_poses(c->solver);
    } else {
        rct_solver_read_poses(c->solver);
    }
    return rct_closed_look(c, time);
}

/* What closes now, and its work. */
static const rct_closure_method *closes(const rct_closed *c, void **work)
{
    *work = c->partitioning ? c->parts : c->work;
    return c->partitioning ? &rct_closure_partition : c->method;
}

static rct_status factor_tree(const rct_solver *solver, rct_error *error)
{
    rct_closed *c = solver->closed;
    if (rct_closed_in_junction(c)) {
        return rct_closed_condense(c, error);
    }
    if (c->columns != NULL) {
        return rct_closed_sweep_columns(c, error);
    }
    const rct_operator_state state = {
        .orientation = c->orientation, .coordinates = c->coordinates, .ground = c->state.ground};
    rct_operator_tree_refill(c->tree, solver->plan->bodies, &state);
    if (c->partitioning) {
        return RCT_OK; /* J is a matter of places alone */
    }
    return rct_solver_factor(solver, c->operators, error);
}

rct_status rct_closed_factor(const rct_solver *solver, rct_error *error)
{
    rct_closed *c = solver->closed;
    rct_closure_report report = {.dependent = -1, .worst = -1};
    const rct_closure_rows *rows = rct_closures_copy(c->factored, c->present);
    rct_status status = factor_tree(solver, error);
    if (status == RCT_OK) {
        const rct_closure_problem problem = {.tree = c->tree,
                                             .operators = c->operators,
                                             .mobility = rct_closed_mobility(c),
                                             .rows = rows};
        if (rct_closed_in_junction(c)) {
            rct_closed_write_ends(c);
        }
        void *work;
        status = closes(c, &work)->factor(work, &problem, &report, error);
    }
    if (status == RCT_OK) {
        c->rank = report.rank;
    }
    return status;
}

int32_t rct_closed_largest(const rct_closure_rows *rows, const double *y, double *size)
{
    int32_t row = -1;
    *size = 0.0;
    for (int32_t i = 0; i < rows->count && !isnan(*size); i++) {
        if (!(fabs(y[i]) <= *size)) { /* so that NaN is the largest */
            *size = fabs(y[i]);
            row = i;
        }
    }
    return row;
}

double rct_closed_terms(const rct_closure_rows *rows, const double *angular, const double *linear,
                        const double *rates)
{
    double most = 0.0;
    for (int32_t i = 0; i < rows->count; i++) {
        double sum = 0.0;
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const rct_closure_end *end = &rows->ends[k];
            for (int j = 0; j < 3; j++) {
                sum += fabs(end->wrench[j] * angular[3 * (int64_t)end->body + j]) +
                       fabs(end->wrench[3 + j] * linear[3 * (int64_t)end->body + j]);
            }
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
            sum += fabs(rows->rates[k].factor * rates[rows->rates[k].rate]);
        }
        most = fmax(most, sum);
    }
    return most;
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

rct_status rct_closed_fail(const rct_closed *c, int32_t loop, const char *what, double size,
                           const char *unit, const char *advice, rct_error *error)
{
    const rct_model *model = c->solver->plan->surroundings;
    char name[RCT_NAME_SIZE];
    rct_loop at;
    rct_model_loop(model, loop, &at, NULL);
    rct_model_loop_name(model, loop, name);
    const int32_t body = at.type == RCT_LOOP_RELATION ? at.terms[0].body : at.body;
    return rct_fail_body(error, RCT_ERROR_LOOP, body,
                         "loop \"%s\" of body %" PRId32 ": %s by %.3g%s (%" PRId32
                         " constraints in all, of rank %" PRId32 "); %s",
                         name, body, what, size, unit, rct_closures_rows(c->present)->count,
                         c->rank, advice);
}

rct_status rct_closed_solve(rct_closed *c, int wanted, double most, const char *what,
                            rct_error *error)
{
    const rct_closure_rows *rows = rct_closures_rows(c->factored);
    rct_closure_report report = {.worst = -1};
    double size;
    const int32_t row = rct_closed_largest(rows, c->gap, &size);
    const int held = rct_closed_is_held(c);
    void *work;
    const rct_closure_method *method = closes(c, &work);
    rct_status status =
        method->solve(work, c->gap, c->part, held ? NULL : c->change, &report, error);
    if (held && wanted && rows->count > 0) {
        RCT_THEN(status, c->columns != NULL ? rct_closed_sway_columns(c, error)
                                            : rct_closed_sway(c, error));
    }
    const double left = report.residual * size;
    if (status == RCT_OK && row >= 0 && !(left <= most)) {
        return rct_closed_fail(c, rows->loop[report.worst >= 0 ? report.worst : row], what, left,
                               "",
                               "its constraints contradict one another or those of other loops "
                               "in this state; release one of them",
                               error);
    }
    return status;
}
