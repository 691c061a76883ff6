/* Loops of small trees in lanes: their rows of J are columns of the sheaves (topology/columns.h).
 * The sweep inward carries the columns along, so that one pass over the links gives J u' of the
 * open tree and Lambda = J M^-1 J* (seed 001, eqs. .38, .43). For admittance, where a run is of
 * whole trees in wide sheaves. */
#include "closure/aggregate.h"
#include "closure/method.h"
#include "core/error.h"
#include "core/rotation.h"
#include "dynamics/closed/systems.h"
#include "dynamics/rigid.h"
#include "dynamics/solver.h"
#include "kernels/sweeps/lanes.h"

#include <string.h>

static const rct_column_operations *operations(const rct_closed *c)
{
    return c->solver->backend->columns;
}

/* ---- laying ------------------------------------------------------------------------------- */

/* The link of a rate, and its number among the freedoms of the hinge. */
static int32_t link_of_rate(const rct_closed *c, int64_t rate, int32_t *freedom)
{
    const int32_t body = rct_aggregation_body_of(c->tree, rate);
    *freedom = (int32_t)(rate - c->tree->first[body]);
    return c->solver->plan->link_of[body];
}

/* List the links and rates that the rows act on. */
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

/* Write the factors of rates, and the lengths of systems; no state changes them. */
static void put_factors(const rct_closed *c, const rct_closure_rows *rows)
{
    int64_t end = 0;
    for (int32_t i = 0; i < rows->count; i++) {
        rct_row_columns_measure(c->columns, i,
                                c->lengths.length[rows->loop[i] % c->lengths.systems]);
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            end += c->come_in[k] >= 0;
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++, end++) {
            rct_row_columns_put_factor(c->columns, end, c->column_ends[end].freedom,
                                       rows->rates[k].factor);
        }
    }
}

/* List where wrenches of ends come in. */
static void list_places(const rct_closed *c, const rct_closure_rows *rows)
{
    int64_t end = 0;
    for (int32_t i = 0; i < rows->count; i++) {
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const int32_t link = c->solver->plan->link_of[rows->ends[k].body];
            c->come_in[k] = link != RCT_GROUND ? c->columns->place[end++] : -1;
        }
        end += rows->rates_at[i + 1] - rows->rates_at[i];
    }
}

/* Lay columns for the rows looked at last; these come in from now on. */
static rct_status lay(rct_closed *c, rct_error *error)
{
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    const rct_status status = operations(c)->lay(c->solver->run, c->column_ends, list_ends(c, rows),
                                                 rows->count, &c->columns, error);
    c->laid = status == RCT_OK ? rows->version : 0;
    if (status == RCT_OK && c->columns != NULL) {
        list_places(c, rows);
        put_factors(c, rows);
        c->state.poses = c->columns->columns.poses;
        c->state.ground_pose = c->state.poses + c->columns->ground_pose;
        c->state.apart = c->columns->lanes;
        rct_closures_come_in(c->present, c->come_in, c->columns->columns.in, c->columns->lanes,
                             c->columns->pose_at);
    }
    return status;
}

rct_status rct_closed_lay_again(rct_closed *c, rct_error *error)
{
    if (c->columns == NULL || c->laid == rct_closures_rows(c->present)->version) {
        return RCT_OK;
    }
    const rct_status status = lay(c, error);
    if (status == RCT_OK) {
        operations(c)->pose(c->solver->run, &c->solver->ground);
        rct_closures_write(c->present, &c->state);
    }
    return status;
}

rct_status rct_closed_sweep_columns(rct_closed *c, int ready, rct_error *error)
{
    const rct_solver *s = c->solver;
    c->columns->columns.ready = ready ? c->columns->ready : NULL;
    const rct_status status = rct_solver_explain(s, operations(c)->condense(s->run), error);
    if (status == RCT_OK) {
        rct_row_columns_admit(c->columns);
    }
    return status;
}

/* ---- reading ------------------------------------------------------------------------------ */

void rct_closed_read_columns(const rct_closed *c, int results, double *gap)
{
    if (results) {
        operations(c)->take(c->solver->run);
        rct_row_columns_taken(c->columns, gap);
    } else {
        memcpy(gap, c->columns->gap, (size_t)c->columns->rows * sizeof *gap);
    }
}

/* Put multipliers for the next sweep. */
static void put_multipliers(const rct_closed *c, const double *lambda, double scale)
{
    for (int32_t i = 0; i < c->columns->rows; i++) {
        c->columns->columns.multipliers[1 + i] = scale * lambda[i];
    }
}

void rct_closed_exert_columns(const rct_closed *c, const double *lambda)
{
    put_multipliers(c, lambda, 1.0);
}

void rct_closed_relieve_columns(rct_closed *c)
{
    const rct_solver *s = c->solver;
    if (c->laid != 0) { /* writing the same loads again makes the run treat them as new */
        rct_solver_clear_others(s, c->held_links, c->held_links_count);
        s->backend->write_loads(s->run, c->held_links, c->held_links_count, s->loads);
        c->laid = 0;
    }
}

/* Add J* lambda of the last evaluation to the forces on bodies and to the loads of links. */
static void add_loads(const rct_closed *c)
{
    const rct_closure_rows *rows = rct_closures_write_ends(c->present, &c->state);
    const rct_solver *s = c->solver;
    const int64_t lanes = c->columns->lanes;
    int64_t end = 0;
    for (int32_t i = 0; i < rows->count; i++) {
        const double given = c->lambda[i], on_body = c->felt ? 0.0 : given;
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            const rct_closure_end *on = &rows->ends[k];
            const int32_t link = s->plan->link_of[on->body];
            double *external = s->external + 6 * (int64_t)on->body;
            for (int j = 0; j < 6; j++) {
                external[j] += on_body * on->wrench[j < 3 ? 3 + j : j - 3];
            }
            if (link != RCT_GROUND) {
                const double *in = c->columns->columns.in + c->columns->place[end++];
                for (int j = 0; j < 6; j++) {
                    s->loads[(int64_t)link * LOAD_FIELDS + LOAD_FORCE + j] += given * in[j * lanes];
                }
            }
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++, end++) {
            double *load = s->loads + (int64_t)c->column_ends[end].link * LOAD_FIELDS;
            load[LOAD_EFFORT + c->column_ends[end].freedom] += given * rows->rates[k].factor;
        }
    }
}

void rct_closed_show_loads(rct_closed *c)
{
    const rct_solver *s = c->solver;
    if (c->columns == NULL || c->shown) {
        return;
    }
    rct_solver_clear_others(s, c->held_links, c->held_links_count);
    add_loads(c);
    s->backend->write_loads(s->run, c->held_links, c->held_links_count, s->loads);
    c->shown = c->felt = 1;
}

void rct_closed_hide_loads(rct_closed *c)
{
    rct_solver *s = c->solver;
    if (c->shown) {
        rct_solver_clear_others(s, c->held_links, c->held_links_count);
        s->backend->write_loads(s->run, c->held_links, c->held_links_count, s->loads);
        s->pushed_others = 1; /* then all loads are written anew */
        c->shown = 0;
    }
}

/* ---- for admittance ----------------------------------------------------------------------- */

static int64_t places(const void *context, int64_t *row, int64_t *column)
{
    const rct_row_columns *columns = ((const rct_closed *)context)->columns;
    for (int64_t k = 0; k < columns->numbers && row != NULL; k++) {
        row[k] = columns->row[k];
        column[k] = columns->column[k];
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
    (void)rows;
    (void)error;
    rct_row_columns_apply(c->columns, lambda, J_change);
    return RCT_OK;
}

rct_status rct_closed_sway_columns(const rct_closed *c, rct_error *error)
{
    const rct_solver *s = c->solver;
    put_multipliers(c, c->part, RCT_BEYOND_ALL);
    return rct_solver_explain(s, operations(c)->sway(s->run), error);
}

rct_status rct_closed_lay(rct_closed *c, rct_error *error)
{
    const rct_model *model = c->solver->plan->surroundings;
    const int32_t loops = rct_model_loop_count(model);
    int64_t ends = 0;
    if (c->method != &rct_closure_admittance || operations(c) == NULL) {
        return RCT_OK;
    }
    for (int32_t i = 0; i < loops; i++) { /* all loops, whether they hold or not */
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        ends += 2 * rct_loop_constraints(loop.type) + loop.term_count;
        rct_closures_set_active(c->present, i, 1);
    }
    c->column_ends = rct_pool_take(&c->pool, ends, sizeof *c->column_ends, error);
    c->come_in = rct_pool_take(&c->pool, ends, sizeof *c->come_in, error);
    if (c->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    rct_closures_write(c->present, &c->state);
    const rct_status status = lay(c, error);
    for (int32_t i = 0; i < loops; i++) {
        rct_closures_set_active(c->present, i, rct_closures_active(c->factored, i));
    }
    c->of_columns = (rct_mobility){
        .context = c, .places = places, .numbers = numbers, .ready = ready, .answer = answer};
    return status;
}
