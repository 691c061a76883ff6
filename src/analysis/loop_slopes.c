/* Loops in derivatives of accelerations (loop_slopes.h). */
#include "analysis/loop_slopes.h"

#include "core/error.h"
#include "kernels/records/closures.h"
#include "operators/six.h"

#include <string.h>

/* ---- making ------------------------------------------------------------------------------- */

static void allocate(rct_loop_slopes *l, int32_t rows, rct_pool *pool, rct_error *error)
{
    const int64_t n = l->tree->n, rates = l->tree->first[n], one = sizeof(double);
    l->gap = rct_pool_take(pool, rows, 3 * one, error);
    l->change = rct_pool_take(pool, rates, 2 * one, error);
    l->force = rct_pool_take(pool, n, 6 * one, error);
    if (!pool->failed) {
        l->more = l->gap + rows;
        l->lambda = l->more + rows;
        l->effort = l->change + rates;
        l->moment = l->force + 3 * n;
    }
}

/* The forces of a loop, and how they move. */
static void tie(const rct_closure_rows *rows, int32_t first, int32_t end, const double *lambda,
                const double *hold, rct_operator_tie *to)
{
    for (int32_t i = first; i < end; i++) {
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            rct_add6(lambda[i], rows->ends[k].wrench, to->wrench + 6 * (k - rows->ends_at[i]));
        }
    }
    memcpy(to->hold, hold, sizeof to->hold);
}

static void form(const rct_closure_rows *rows, int32_t i, const rct_closure_slopes *slopes,
                 rct_operator_form *to)
{
    const int64_t at = (int64_t)CLOSURE_MOTION * i;
    memcpy(to->place, slopes->place + at, sizeof to->place);
    memcpy(to->rate, slopes->rate + at, sizeof to->rate);
    for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
        memcpy(to->acceleration + 6 * (int64_t)(k - rows->ends_at[i]), rows->ends[k].wrench,
               sizeof rows->ends[k].wrench);
    }
}

/* The bodies of a row that acts on bodies. */
static int32_t body_of(const rct_closure_rows *rows, int32_t i, int e)
{
    const int32_t k = rows->ends_at[i] + e;
    return k < rows->ends_at[i + 1] ? rows->ends[k].body : RCT_GROUND;
}

/* Write a form for each row, a tie for each closure. */
static void write_laws(const rct_closure_rows *rows, const double *lambda,
                       const rct_closure_slopes *slopes, rct_operator_laws *laws)
{
    for (int32_t i = 0, next = 0; i < rows->count; i = next) {
        const int32_t body = body_of(rows, i, 0), other = body_of(rows, i, 1);
        for (next = i; next < rows->count && rows->loop[next] == rows->loop[i]; next++) {
            laws->form[next] = (rct_operator_form){.body = {body, other}};
            form(rows, next, slopes, &laws->form[next]);
        }
        if (body != RCT_GROUND) {
            rct_operator_tie *to = &laws->tie[laws->ties++];
            *to = (rct_operator_tie){.body = {body, other}};
            tie(rows, i, next, lambda, slopes->hold + (int64_t)CLOSURE_BEND * rows->loop[i], to);
        }
    }
    laws->forms = rows->count;
}

/* Take room of `slopes` for a while. */
static rct_status find_slopes(rct_loop_slopes *l, rct_closed *c, rct_operator_laws *laws,
                              rct_error *error)
{
    const int32_t loops = rct_closed_count(c), n = l->tree->n;
    const int64_t size = CLOSURE_MOTION * sizeof(double);
    rct_pool pool = {.what = "slopes of loops"};
    double *acceleration = rct_pool_take(&pool, n, 6 * sizeof(double), error);
    rct_closure_slopes slopes = {.acceleration = acceleration,
                                 .multiplier = c->lambda,
                                 .of_speed = l->of_speed,
                                 .of_place = l->of_place,
                                 .place = rct_pool_take(&pool, l->rows->count, size, error),
                                 .rate = rct_pool_take(&pool, l->rows->count, size, error),
                                 .hold = rct_pool_take(&pool, loops, CLOSURE_MOTION * size, error)};
    if (!pool.failed) {
        (void)rct_solver_show_accelerations(c->solver, l->force, l->moment); /* the room is there */
        for (int64_t b = 0; b < n; b++) {
            memcpy(acceleration + 6 * b, l->moment + 3 * b, 3 * sizeof *acceleration);
            memcpy(acceleration + 6 * b + 3, l->force + 3 * b, 3 * sizeof *acceleration);
        }
        rct_closures_find_slopes(c->present, &c->state, &slopes);
        write_laws(l->rows, c->lambda, &slopes, laws);
    }
    const rct_status status = pool.failed ? RCT_ERROR_MEMORY : RCT_OK;
    rct_pool_empty(&pool);
    return status;
}

static rct_status factor(rct_loop_slopes *l, const rct_closed *c, rct_error *error)
{
    const rct_closure_problem problem = {.tree = l->tree, .operators = l->op, .rows = l->rows};
    rct_closure_report report;
    l->method = c->method;
    l->work = l->method->create(c->present, error);
    return l->work != NULL ? l->method->factor(l->work, &problem, &report, error)
                           : RCT_ERROR_MEMORY;
}

rct_status rct_loop_slopes_begin(rct_loop_slopes *l, rct_solver *solver,
                                 const rct_operator_tree *tree, rct_operator *op, rct_pool *pool,
                                 rct_operator_laws *laws, rct_error *error)
{
    rct_closed *c = solver->closed;
    laws->ties = laws->forms = 0;
    if (c == NULL || rct_closed_look_again(c, solver->time)->count == 0) {
        return RCT_OK;
    }
    l->rows = rct_closures_write_ends(c->present, &c->state);
    l->op = op;
    l->tree = tree;
    l->of_speed = 2.0 * c->baumgarte[0];
    l->of_place = c->baumgarte[1] * c->baumgarte[1];
    laws->tie = rct_pool_take(pool, rct_closed_count(c), sizeof *laws->tie, error);
    laws->form = rct_pool_take(pool, l->rows->count, sizeof *laws->form, error);
    allocate(l, l->rows->count, pool, error);
    rct_status status = pool->failed ? RCT_ERROR_MEMORY : find_slopes(l, c, laws, error);
    RCT_THEN(status, factor(l, c, error));
    return status;
}

void rct_loop_slopes_end(rct_loop_slopes *l)
{
    if (l->method != NULL) {
        l->method->destroy(l->work);
    }
}

/* ---- along directions --------------------------------------------------------------------- */

/* J x to y, for a motion with rates x. */
static void take(const rct_loop_slopes *l, const double *x, double *y)
{
    rct_operator_velocities(l->op, 1, x, l->force, l->moment);
    rct_closure_take(l->rows, l->moment, l->force, x, y);
}

/* Add the parts of relations in phi' and phi. */
static void add_relations(const rct_loop_slopes *l, double factor, const double *x)
{
    const rct_closure_rows *rows = l->rows;
    for (int64_t k = 0, i = 0; x != NULL && i < rows->count; i++) {
        for (k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
            l->gap[i] += factor * rows->rates[k].factor * x[rows->rates[k].rate];
        }
    }
}

static void give_relations(const rct_loop_slopes *l, double factor, double *x)
{
    const rct_closure_rows *rows = l->rows;
    for (int64_t k = 0, i = 0; x != NULL && i < rows->count; i++) {
        for (k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
            x[rows->rates[k].rate] += factor * rows->rates[k].factor * l->lambda[i];
        }
    }
}

rct_status rct_loop_slopes_times(rct_loop_slopes *l, rct_tangent *t, const double *dq,
                                 const double *du, const double *dtau, double *da, rct_error *error)
{
    double *open = l->rows != NULL ? l->effort : da; /* da may be dq or du, which relations read */
    rct_closure_report report;
    rct_tangent_times(t, dq, du, dtau, open, l->gap);
    if (l->rows == NULL) {
        return RCT_OK;
    }
    add_relations(l, l->of_place, dq);
    add_relations(l, l->of_speed, du);
    take(l, open, l->more);
    for (int32_t i = 0; i < l->rows->count; i++) {
        l->gap[i] += l->more[i];
    }
    const rct_status status =
        l->method->solve(l->work, l->gap, l->lambda, l->change, &report, error);
    for (int64_t r = 0; r < l->tree->first[l->tree->n] && status == RCT_OK; r++) {
        da[r] = open[r] + l->change[r];
    }
    return status;
}

/* Add x + J* lambda to the effort, where lambda makes J M^-1 of it zero. */
static rct_status hold_covector(rct_loop_slopes *l, const double *x, rct_error *error)
{
    const int64_t n = l->tree->n, rates = l->tree->first[n];
    rct_closure_report report;
    rct_operator_solve(l->op, 1, x, l->effort);
    take(l, l->effort, l->gap);
    const rct_status status =
        l->method->solve(l->work, l->gap, l->lambda, l->change, &report, error);
    memcpy(l->effort, x, (size_t)rates * sizeof *x);
    memset(l->force, 0, (size_t)n * 6 * sizeof *l->force);
    if (status == RCT_OK) {
        rct_closure_give(l->rows, l->lambda, l->force, l->moment, l->effort);
        rct_operator_gather(l->op, 1, l->force, l->moment, l->change);
    }
    for (int64_t r = 0; r < rates && status == RCT_OK; r++) {
        l->effort[r] += l->change[r];
    }
    return status;
}

rct_status rct_loop_slopes_transposed(rct_loop_slopes *l, rct_tangent *t, const double *x,
                                      double *gq, double *gu, double *gtau, rct_error *error)
{
    const rct_status status = l->rows != NULL ? hold_covector(l, x, error) : RCT_OK;
    if (status == RCT_OK) {
        rct_tangent_transposed(t, l->rows != NULL ? l->effort : x, l->lambda, gq, gu, gtau);
    }
    if (status == RCT_OK && l->rows != NULL) {
        give_relations(l, l->of_place, gq);
        give_relations(l, l->of_speed, gu);
    }
    return status;
}
