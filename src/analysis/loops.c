/* Loops of a system at rest (statics.h): their multipliers (those of the system let go, unless
 * better ones are known), which of their rows follow from others, and their forces. */
#include "analysis/statics.h"

#include "algebra/dense.h"
#include "core/error.h"
#include "core/rotation.h"
#include "dynamics/closed/systems.h"
#include "kernels/records/closures.h"
#include "model/loop_check.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Rows that move by less than this fraction of their diagonal follow from others; by less than this
 * of the largest diagonal they do not move. */
static const double follows = 1e-11, still = 1e-14;

/* The gap of closed loops, as a fraction of how far out loops are, or of the length of the system
 * if that is more. */
static const double closed = 1e-7;

/* ---- making ---------------------------------------------------------------------------------- */

rct_status rct_statics_check_loops(const rct_solver *solver, const char *what, rct_error *error)
{
    const rct_closed *c = solver->closed;
    for (int32_t i = 0; c != NULL && i < rct_closed_count(c); i++) {
        const rct_loop *loop = &solver->plan->surroundings->loops[i];
        if (rct_closures_active(c->present, i) && rct_loop_moves(loop)) {
            char name[RCT_NAME_SIZE];
            rct_closed_name_loop(c, i, name);
            return rct_fail(
                error, RCT_ERROR_UNSUPPORTED,
                "loop \"%s\" prescribes a motion, and %s; release it, or hold it at one "
                "value",
                name, what);
        }
    }
    return RCT_OK;
}

/* Count rows and ends of the border, with those that take back (border.h). */
static void count_room(const rct_solver *solver, int64_t *rows, int64_t *ends)
{
    const rct_model *model = solver->plan->surroundings;
    *rows = *ends = 0;
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        const rct_loop *loop = &model->loops[i];
        const int64_t n = loop->term_count, held = rct_loop_constraints(loop->type);
        const int64_t two = loop->other == RCT_GROUND ? held : 2 * (held + 6);
        *rows += loop->type == RCT_LOOP_RELATION ? n : two;
        *ends += loop->type == RCT_LOOP_RELATION ? n + n * (n + 1) / 2 : 2 * two;
    }
    for (int32_t i = 0; i < model->force_count; i++) {
        *rows += rct_statics_couples(&model->forces[i]) ? 6 : 0;
        *ends += rct_statics_couples(&model->forces[i]) ? 12 : 0;
    }
}

static int64_t most_terms(const rct_model *model)
{
    int64_t most = 0;
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        most = model->loops[i].term_count > most ? model->loops[i].term_count : most;
    }
    return most;
}

rct_status rct_statics_begin_loops(rct_statics *s, rct_error *error)
{
    const rct_model *model = s->solver->plan->surroundings;
    int64_t rows, ends, most = 0;
    count_room(s->solver, &rows, &ends);
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        most += rct_loop_constraints(model->loops[i].type);
    }
    s->most_rows = most;
    if (most > 0) {
        s->terms = rct_pool_take(&s->pool, most_terms(model), sizeof *s->terms, error);
        s->bend = rct_pool_take(&s->pool, most, CLOSURE_BEND * sizeof *s->bend, error);
        s->lambda = rct_pool_take(&s->pool, most, sizeof *s->lambda, error);
        s->kept = rct_pool_take(&s->pool, most, sizeof *s->kept, error);
    }
    const rct_status status =
        rct_border_begin(&s->border, s->stiffness, s->sweeps, s->tree, rows, ends, error);
    return s->pool.failed ? RCT_ERROR_MEMORY : status;
}

/* ---- one state ------------------------------------------------------------------------------- */

/* Row i of J M^-1 J*, with M of the tree factored: how all rows move where row i pulls. */
static void pull(rct_statics *s, int32_t i, double *row)
{
    rct_border *b = &s->border;
    const size_t places = (size_t)s->tree->n * 3 * sizeof *b->force;
    double *unit = row, *effort = s->gradient; /* which is found later */
    memset(unit, 0, (size_t)s->rows->count * sizeof *unit);
    memset(effort, 0, (size_t)s->rates * sizeof *effort);
    unit[i] = 1.0;
    rct_closure_give(s->rows, unit, b->force, b->moment, effort);
    rct_operator_gather(b->sweeps, 1, b->force, b->moment, b->column);
    memset(b->force, 0, places);
    memset(b->moment, 0, places);
    for (int64_t r = 0; r < s->rates; r++) {
        b->column[r] += effort[r];
    }
    rct_operator_solve(b->sweeps, 1, b->column, b->column);
    rct_operator_velocities(b->sweeps, 1, b->column, b->linear, b->angular);
    rct_closure_take(s->rows, b->angular, b->linear, b->column, row);
}

/* Choose the rows that the others follow from, as many as the rank of the dynamics. */
static rct_status choose(rct_statics *s, int32_t rank, double *mobility, int32_t *order,
                         rct_error *error)
{
    const int64_t m = s->rows->count;
    const rct_status status = rct_solver_factor(s->solver, s->sweeps, error);
    if (status != RCT_OK) {
        return status;
    }
    for (int32_t i = 0; i < m; i++) {
        pull(s, i, mobility + i * m);
    }
    double most = 0.0;
    for (int64_t i = 0; i < m; i++) {
        most = fmax(most, mobility[i * m + i]);
    }
    for (int64_t i = 0; i < m; i++) { /* rows that nothing moves have rounding there */
        const double own = mobility[i * m + i];
        s->border.multiplier[i] = own > still * most ? 1.0 / sqrt(own) : 0.0;
    }
    for (int64_t i = 0; i < m * m; i++) {
        mobility[i] *= s->border.multiplier[i / m] * s->border.multiplier[i % m];
    }
    const int32_t own =
        rct_dense_cholesky_rank(rct_dense_columns(mobility, m, m, m), follows, order);
    memset(s->kept, 0, (size_t)m);
    for (int32_t i = 0; i < own && i < rank; i++) {
        s->kept[order[i]] = 1;
    }
    return RCT_OK;
}

/* Where rows follow from others, a dense matrix decides which are left out. */
static rct_status keep_independent(rct_statics *s, int32_t rank, rct_error *error)
{
    const int64_t m = s->rows->count;
    memset(s->kept, 1, (size_t)m);
    if (rank == m) {
        return RCT_OK;
    }
    if (m > RCT_BORDER_MOST) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "of the %" PRId64 " constraints of loops, %" PRId64
                        " follow from others, and finding them takes a dense matrix of at most %d "
                        "rows; remove the redundant loops",
                        m, m - rank, RCT_BORDER_MOST);
    }
    rct_pool pool = {.what = "constraints"};
    double *mobility = rct_pool_take(&pool, m * m, sizeof *mobility, error);
    int32_t *order = rct_pool_take(&pool, m, sizeof *order, error);
    const rct_status status =
        pool.failed ? RCT_ERROR_MEMORY : choose(s, rank, mobility, order, error);
    rct_pool_empty(&pool);
    return status;
}

rct_status rct_statics_close(rct_statics *s, const double *multipliers, rct_error *error)
{
    rct_closed *c = s->solver->closed;
    s->rows = NULL;
    rct_status status =
        c != NULL && multipliers == NULL ? rct_solver_evaluate_inside(s->solver, error) : RCT_OK;
    if (c == NULL || status != RCT_OK) {
        return status;
    }
    rct_closed_look_again(c, s->solver->time);
    const rct_closure_rows *rows = rct_closures_write_ends(c->present, &c->state);
    if (rows->count == 0) {
        return RCT_OK;
    }
    s->rows = rows;
    memcpy(s->lambda, multipliers != NULL ? multipliers : c->lambda,
           (size_t)rows->count * sizeof *s->lambda);
    rct_closures_bend(c->present, &c->state, s->bend);
    return keep_independent(s, c->systems[0].rank, error);
}

void rct_statics_multipliers(const rct_statics *s, double *change)
{
    const rct_border *b = &s->border;
    int32_t at = 0;
    for (int32_t i = 0; s->rows != NULL && i < s->rows->count;
         i++) { /* constraints in their order */
        while (s->kept[i] && b->compliance[b->used[at]] != 0.0) {
            at++;
        }
        change[i] = s->kept[i] ? -b->multiplier[at++] : 0.0;
    }
}

/* Whether a row holds the distance of points, instead of turns of bodies or motions of hinges. */
static int parts(const rct_closure_rows *rows, int32_t i)
{
    const int32_t end = rows->ends_at[i];
    return end < rows->ends_at[i + 1] &&
           rct_dot(rows->ends[end].wrench + 3, rows->ends[end].wrench + 3) > 0.0;
}

double rct_statics_gap(const rct_statics *s)
{
    const rct_closure_rows *rows = rct_closed_look_again(s->solver->closed, s->solver->time);
    double most = 0.0;
    for (int32_t i = 0; i < rows->count; i++) {
        const double length = parts(rows, i) ? s->length : rows->length;
        const double own = fabs(rows->phi[i]) / fmax(length, rows->near[i]);
        most = !(own <= most) ? own : most;
    }
    return most;
}

void rct_statics_close_by(rct_statics *s, double *change)
{
    int32_t at = 0;
    for (int32_t i = 0; i < s->rows->count; i++) {
        if (s->kept[i]) {
            s->effort[at++] = -s->rows->phi[i]; /* room: there are no more such rows than rates */
        }
    }
    rct_border_close(&s->border, s->effort, change);
}

rct_status rct_statics_check_closed(const rct_statics *s, rct_error *error)
{
    const rct_closure_rows *rows = s->rows;
    for (int32_t i = 0; rows != NULL && i < rows->count; i++) {
        if (!(fabs(rows->phi[i]) <= closed * fmax(rows->length, rows->near[i]))) {
            return rct_closed_fail(s->solver->closed, rows->loop[i], "it is open",
                                   fabs(rows->phi[i]) / rows->unit[i],
                                   rct_closed_unit(s->solver->closed, i),
                                   "assemble the system, or find rest by equilibrium first", error);
        }
    }
    return RCT_OK;
}

/* ---- what loops exert ------------------------------------------------------------------------ */

static void exert(rct_statics *s, int32_t i)
{
    const rct_closure_rows *rows = s->rows;
    const double lambda = s->lambda[i];
    for (int32_t e = rows->ends_at[i]; e < rows->ends_at[i + 1]; e++) {
        const int64_t body = rows->ends[e].body;
        const double *w = rows->ends[e].wrench;
        double wrench[6];
        for (int k = 0; k < 6; k++) {
            wrench[k] = lambda * w[k];
        }
        rct_stiffness_load(s->stiffness, (int32_t)body, wrench);
        const double force = sqrt(rct_dot(w + 3, w + 3)), moment = sqrt(rct_dot(w, w));
        double *reach = s->reach + 2 * body;
        reach[0] += fabs(lambda) * (force > 0.0 ? force : moment / s->length);
        reach[1] = fmax(reach[1], force > 0.0 ? moment / force : s->length);
    }
    for (int64_t e = rows->rates_at[i]; e < rows->rates_at[i + 1]; e++) {
        const double effort = lambda * rows->rates[e].factor;
        s->effort[rows->rates[e].rate] += effort;
        s->carried[rows->rates[e].rate] += fabs(effort);
    }
}

void rct_statics_exert(rct_statics *s)
{
    for (int32_t i = 0; s->rows != NULL && i < s->rows->count; i++) {
        exert(s, i);
    }
}
