/* Systems side by side and their methods (systems.h). */
#include "dynamics/closed/systems.h"

#include "core/error.h"
#include "core/numbers.h"
#include "dynamics/solver.h"

#include <math.h>
#include <string.h>

/* ---- making ------------------------------------------------------------------------------- */

/* The rows of each system, with all loops active. */
static int32_t rows_of_each(const rct_closed *c, int32_t count)
{
    int32_t rows = 0;
    for (int32_t i = 0; i < rct_closed_count(c); i += count) {
        rct_loop loop;
        rct_model_loop(c->solver->plan->surroundings, i, &loop, NULL);
        rows += rct_loop_constraints(loop.type);
    }
    return rows;
}

rct_status rct_closed_make_systems(rct_closed *c, rct_error *error)
{
    const int32_t count = c->solver->plan->systems > 1 ? c->solver->plan->systems : 1;
    if (count > 1 && (c->columns == NULL || rows_of_each(c, count) > SMALL_ROWS)) {
        return rct_fail(
            error, RCT_ERROR_UNSUPPORTED,
            "loops of systems side by side must be closed by admittance, in lanes of whole trees, "
            "with up to %d constraints each; these are not: give each system its own solver",
            SMALL_ROWS);
    }
    c->systems = rct_pool_take(&c->pool, count, sizeof *c->systems, error);
    c->count = c->pool.failed ? 0 : count;
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        s->closed = c;
        s->length = c->lengths.length[i];
        s->pace = rct_closed_pace(c->solver->plan, i, s->length);
    }
    return c->pool.failed ? RCT_ERROR_MEMORY : RCT_OK;
}

/* ---- which rows are whose ------------------------------------------------------------------ */

void rct_closed_list_rows(rct_closed *c, const rct_closure_rows *rows)
{
    if (c->listed == rows->version) {
        return;
    }
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].row_count = 0;
    }
    for (int32_t i = 0; i < rows->count; i++) {
        c->system_of[i] = rows->loop[i] % c->count;
        rct_closed_system_of(c, i)->row_count++;
    }
    for (int32_t i = 0, first = 0; i < c->count; i++) {
        c->systems[i].first_row = first;
        first += c->systems[i].row_count;
        c->systems[i].row_count = 0;
    }
    for (int32_t i = 0; i < rows->count; i++) {
        rct_closed_system *s = rct_closed_system_of(c, i);
        c->row_of[s->first_row + s->row_count++] = i;
    }
    c->listed = rows->version;
}

/* ---- what is found of each ------------------------------------------------------------------ */

void rct_closed_set_pending(rct_closed *c, int pending)
{
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].pending = pending;
    }
}

int32_t rct_closed_pending(const rct_closed *c)
{
    int32_t count = 0;
    for (int32_t i = 0; i < c->count; i++) {
        count += c->systems[i].pending;
    }
    return count;
}

double rct_closed_largest_of(const rct_closed *c, const rct_closed_system *s, const double *y,
                             int32_t *row)
{
    const int32_t *own = c->row_of + s->first_row;
    uint64_t most = 0;
    int32_t of = *row;
    for (int32_t k = 0; k < s->row_count; k++) {
        const uint64_t bits = rct_size_bits(y[own[k]]);
        of = bits > most ? own[k] : of;
        most = bits > most ? bits : most;
    }
    *row = of;
    return rct_size_of_bits(most);
}

void rct_closed_find_largest(rct_closed *c, const double *y)
{
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        s->row = -1;
        s->most = rct_closed_largest_of(c, s, y, &s->row);
    }
}

static double terms_of(const rct_closure_rows *rows, int32_t row, const double *angular,
                       const double *linear, const double *rates)
{
    double sum = 0.0;
    for (int32_t k = rows->ends_at[row]; k < rows->ends_at[row + 1]; k++) {
        const rct_closure_end *end = &rows->ends[k];
        for (int j = 0; j < 3; j++) {
            sum += fabs(end->wrench[j] * angular[3 * (int64_t)end->body + j]) +
                   fabs(end->wrench[3 + j] * linear[3 * (int64_t)end->body + j]);
        }
    }
    for (int64_t k = rows->rates_at[row]; k < rows->rates_at[row + 1]; k++) {
        sum += fabs(rows->rates[k].factor * rates[rows->rates[k].rate]);
    }
    return sum;
}

void rct_closed_find_terms(rct_closed *c, const rct_closure_rows *rows, const double *angular,
                           const double *linear, const double *rates)
{
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].terms = 0.0;
    }
    for (int32_t i = 0; i < rows->count; i++) {
        rct_closed_system *s = rct_closed_system_of(c, i);
        const double own = terms_of(rows, i, angular, linear, rates);
        s->terms = own > s->terms ? own : s->terms;
    }
}

void rct_closed_take_terms(rct_closed *c, const double *terms)
{
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        const int32_t *row = c->row_of + s->first_row;
        double most = 0.0;
        for (int32_t k = 0; k < s->row_count; k++) {
            most = terms[row[k]] > most ? terms[row[k]] : most;
        }
        s->terms = most;
    }
}

/* The first system whose Lambda has a number that is not finite, or the first of all. */
static const rct_closed_system *not_finite(const rct_closed *c)
{
    const rct_row_columns *columns = c->columns;
    for (int64_t k = 0; columns != NULL && k < columns->numbers; k++) {
        if (!isfinite(columns->value[k])) {
            return rct_closed_system_of(c, columns->row[k]);
        }
    }
    return &c->systems[0];
}

rct_status rct_closed_blame(const rct_closed *c, rct_status status, rct_error *error)
{
    if (c->count > 1 && status != RCT_OK && status != RCT_ERROR_MEMORY && error != NULL &&
        error->body < 0) {
        const int32_t row = c->row_of[not_finite(c)->first_row];
        error->body = rct_closed_body_of(c, rct_closures_rows(c->factored)->loop[row]);
    }
    return status;
}
