/* Loops of small trees in lanes: their rows of J are columns of the sheaves (topology/columns.h), which the sweep inward carries
 * along, so that J u' of the open tree and Lambda = J M^-1 J* come of one pass over the links (seed 001, eqs. .38, .43). For
 * admittance, where a run is of whole trees in wide sheaves. */
#include "closure/aggregate.h"
#include "closure/method.h"
#include "core/rotation.h"
#include "dynamics/closed.h"
#include "dynamics/rigid.h"
#include "dynamics/solver.h"
#include "kernels/sweeps/lanes.h"

#include <math.h>
#include <string.h>

static const rct_column_operations *operations(const rct_closed *c)
{
    return c->solver->backend->columns;
}

/* ---- laying ------------------------------------------------------------------------------- */

/* Of which link a rate is, and which of its hinge. */
static int32_t link_of_rate(const rct_closed *c, int64_t rate, int32_t *freedom)
{
    const int32_t body = rct_aggregation_body_of(c->tree, rate);
    *freedom = (int32_t)(rate - c->tree->first[body]);
    return c->solver->plan->link_of[body];
}

/* What the rows take from links and rates. */
static int64_t list_ends(const rct_closed *c, const rct_closure_rows *rows)
{
    const rct_plan *plan = c->solver->plan;
    int64_t count = 0;
    for (int32_t i = 0; i < rows->count; i++) {
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const int32_t link = plan->link_of[rows->ends[k].body];
            if (link != RCT_GROUND) {
                c->column_ends[count++] = (rct_column_end){i, link, -1};
            }
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
            int32_t freedom;
            const int32_t link = link_of_rate(c, rows->rates[k].rate, &freedom);
            c->column_ends[count++] = (rct_column_end){i, link, freedom};
        }
    }
    return count;
}

static rct_status lay(rct_closed *c, rct_error *error)
{
    const rct_closure_rows *rows = rct_closures_rows(c->factored);
    const rct_status status = operations(c)->lay(c->solver->run, c->column_ends, list_ends(c, rows),
                                                 rows->count, &c->columns, error);
    c->laid = status == RCT_OK ? rows->version : 0;
    return status;
}

/* Wrenches that wait for one another. */
typedef struct waiting {
    rct_column_wrench wrench[64];
    int64_t count;
} waiting;

static void flush(const rct_closed *c, waiting *w)
{
    rct_lane_kernels_list()[0]->wrenches(w->wrench, w->count, c->columns->lanes,
                                         c->columns->columns.in);
    w->count = 0;
}

/* What comes in: wrenches in link axes, and factors of rates. */
static void put_ends(const rct_closed *c)
{
    const rct_closure_rows *rows = rct_closures_rows(c->factored);
    const rct_solver *s = c->solver;
    waiting w = {.count = 0};
    int64_t end = 0;
    for (int32_t i = 0; i < rows->count; i++) {
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const rct_closure_end *on = &rows->ends[k];
            const int32_t link = s->plan->link_of[on->body];
            if (link != RCT_GROUND) {
                w.wrench[w.count++] =
                    (rct_column_wrench){on->wrench, rct_plan_seat(s->plan, on->body)->position,
                                        s->poses[link].rotation, c->columns->place[end++]};
            }
        }
        if (w.count > 62) {
            flush(c, &w);
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++, end++) {
            rct_row_columns_put_factor(c->columns, end, c->column_ends[end].freedom,
                                       rows->rates[k].factor);
        }
    }
    flush(c, &w);
}

rct_status rct_closed_sweep_columns(rct_closed *c, rct_error *error)
{
    const rct_solver *s = c->solver;
    rct_status status = RCT_OK;
    if (c->laid != rct_closures_rows(c->factored)->version) {
        status = lay(c, error);
    }
    if (status == RCT_OK) {
        put_ends(c);
        status = rct_solver_explain(s, operations(c)->condense(s->run), error);
    }
    if (status == RCT_OK) {
        rct_row_columns_admit(c->columns);
    }
    return status;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* What an end takes from the acceleration of its body beyond what its column takes from that of the link, less gravity. */
static double take_besides(const rct_solver *s, const rct_closure_end *end)
{
    const int32_t link = s->plan->link_of[end->body];
    const double *gravity = rct_plan_gravity(s->plan, end->body), *force = end->wrench + 3;
    double linear[3] = {0.0}, angular[3] = {0.0};
    if (link == RCT_GROUND) {
        rct_solver_body_acceleration(s, end->body, linear, angular);
        return rct_dot(end->wrench, angular) + rct_dot(force, linear);
    }
    if (rct_plan_welds(s->plan, end->body)) {
        double m[3][3], rate[3], arm[3];
        memcpy(m, s->poses[link].rotation, sizeof m);
        rct_rotate(m, s->poses[link].rate, rate);
        rct_rotate(m, rct_plan_seat(s->plan, end->body)->position, arm);
        rct_carry(linear, angular, rate, arm, linear);
    }
    return rct_dot(force, gravity) + rct_dot(force, linear);
}

void rct_closed_read_columns(const rct_closed *c, int results, double *gap)
{
    const rct_closure_rows *rows = rct_closures_rows(c->factored);
    if (results) {
        operations(c)->take(c->solver->run);
        rct_row_columns_taken(c->columns, gap);
    } else {
        rct_row_columns_gap(c->columns, gap);
    }
    for (int32_t k = 0, i = 0; i < rows->count; i++) {
        for (; k < rows->ends_at[i + 1]; k++) {
            gap[i] += take_besides(c->solver, &rows->ends[k]);
        }
    }
}

double rct_closed_column_terms(const rct_closed *c)
{
    const rct_closure_rows *rows = rct_closures_rows(c->factored);
    double most = 0.0;
    rct_row_columns_terms(c->columns, c->given);
    for (int32_t k = 0, i = 0; i < rows->count; i++) {
        for (; k < rows->ends_at[i + 1]; k++) { /* in free fall there is nothing else */
            c->given[i] += fabs(take_besides(c->solver, &rows->ends[k]));
        }
        most = fmax(most, c->given[i]);
    }
    return most;
}

/* J* lambda to the loads of links. */
static void push(const rct_closed *c, const double *lambda, double scale)
{
    const rct_closure_rows *rows = rct_closures_rows(c->factored);
    const rct_solver *s = c->solver;
    const int64_t lanes = c->columns->lanes;
    int64_t end = 0;
    for (int32_t i = 0; i < rows->count; i++) {
        const double given = scale * lambda[i];
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const int32_t link = s->plan->link_of[rows->ends[k].body];
            if (link != RCT_GROUND) {
                const double *in = c->columns->columns.in + c->columns->place[end++];
                double *load = s->loads + (int64_t)link * LOAD_FIELDS;
                for (int j = 0; j < 6; j++) {
                    load[LOAD_FORCE + j] += given * in[j * lanes];
                }
            }
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++, end++) {
            double *load = s->loads + (int64_t)c->column_ends[end].link * LOAD_FIELDS;
            load[LOAD_EFFORT + c->column_ends[end].freedom] += given * rows->rates[k].factor;
        }
    }
}

void rct_closed_exert_columns(const rct_closed *c, const double *lambda)
{
    const rct_closure_rows *rows = rct_closures_rows(c->factored);
    const rct_solver *s = c->solver;
    for (int32_t k = 0, i = 0; i < rows->count; i++) {
        for (; k < rows->ends_at[i + 1]; k++) {
            double *external = s->external + 6 * (int64_t)rows->ends[k].body;
            for (int j = 0; j < 3; j++) {
                external[j] += lambda[i] * rows->ends[k].wrench[3 + j];
                external[3 + j] += lambda[i] * rows->ends[k].wrench[j];
            }
        }
    }
    push(c, lambda, 1.0);
    s->backend->write_loads(s->run, s->acting.links, s->acting.link_count, s->loads);
}

/* ---- for admittance ----------------------------------------------------------------------- */

static int64_t places(const void *context, int64_t *row, int64_t *column)
{
    const rct_row_columns *columns = ((const rct_closed *)context)->columns;
    if (row != NULL) {
        memcpy(row, columns->row, (size_t)columns->numbers * sizeof *row);
        memcpy(column, columns->column, (size_t)columns->numbers * sizeof *column);
    }
    return columns->numbers;
}

static void numbers(const void *context, double *Lambda)
{
    const rct_row_columns *columns = ((const rct_closed *)context)->columns;
    memcpy(Lambda, columns->value, (size_t)columns->numbers * sizeof *Lambda);
}

static void ready(const void *context, double *most)
{
    rct_row_columns_ready(((const rct_closed *)context)->columns, most);
}

static rct_status answer(void *context, const rct_closure_rows *rows, const double *lambda,
                         double *J_change, rct_error *error)
{
    const rct_closed *c = context;
    (void)error;
    memcpy(c->given, lambda, (size_t)rows->count * sizeof *lambda);
    rct_row_columns_apply(c->columns, lambda, J_change);
    return RCT_OK;
}

/* By J* lambda as a load beside which nothing else counts; the run has its own again afterwards. */
static rct_status change_of_answer(void *context, double *change, rct_error *error)
{
    const rct_closed *c = context;
    const rct_solver *s = c->solver;
    rct_closed_set_aside(c);
    push(c, c->given, RCT_BEYOND_ALL);
    rct_closed_put_back(c);
    const rct_status status = rct_solver_explain(s, s->backend->evaluate(s->run), error);
    s->backend->read_derivatives(s->run, change);
    s->backend->write_loads(s->run, c->held_links, c->held_links_count, s->loads);
    for (int64_t r = 0; r < s->plan->freedoms; r++) {
        change[r] /= RCT_BEYOND_ALL;
    }
    return status;
}

rct_status rct_closed_lay(rct_closed *c, rct_error *error)
{
    const rct_model *model = c->solver->plan->surroundings;
    const int32_t loops = rct_model_loop_count(model);
    int64_t ends = 0, rows = 0;
    if (c->method != &rct_closure_admittance || operations(c) == NULL) {
        return RCT_OK;
    }
    for (int32_t i = 0; i < loops; i++) { /* all of them, held or not */
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        rows += rct_loop_constraints(loop.type);
        ends += 2 * rct_loop_constraints(loop.type) + loop.term_count;
        rct_closures_set_active(c->factored, i, 1);
    }
    c->column_ends = rct_pool_take(&c->pool, ends, sizeof *c->column_ends, error);
    c->given = rct_pool_take(&c->pool, rows, sizeof *c->given, error);
    if (c->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    rct_closures_write(c->factored, &c->state);
    const rct_status status = lay(c, error);
    for (int32_t i = 0; i < loops; i++) {
        rct_closures_set_active(c->factored, i, rct_closures_active(c->present, i));
    }
    c->of_columns = (rct_mobility){.context = c,
                                   .places = places,
                                   .numbers = numbers,
                                   .ready = ready,
                                   .answer = answer,
                                   .change = change_of_answer};
    return status;
}
