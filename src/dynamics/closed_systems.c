/* Systems side by side and their methods (closed_systems.h). */
#include "dynamics/closed_systems.h"

#include "core/error.h"
#include "dynamics/solver.h"

#include <math.h>
#include <string.h>

/* ---- how a system gives way to its rows, by columns ----------------------------------------- */

static int64_t places(const void *context, int64_t *row, int64_t *column)
{
    const rct_closed_system *s = context;
    const rct_row_columns *columns = s->closed->columns;
    for (int64_t k = 0; k < s->number_count && row != NULL; k++) {
        const int64_t number = s->closed->number_of[s->first_number + k];
        row[k] = s->closed->within[columns->row[number]];
        column[k] = s->closed->within[columns->column[number]];
    }
    return s->number_count;
}

/* They stay with the system: by the next sweep columns are those of another state. */
static void numbers(const void *context, double *Lambda)
{
    const rct_closed_system *s = context;
    const rct_closed *c = s->closed;
    double *own = c->Lambda + s->first_number;
    for (int64_t k = 0; k < s->number_count; k++) {
        own[k] = c->columns->value[c->number_of[s->first_number + k]];
    }
    memcpy(Lambda, own, (size_t)s->number_count * sizeof *own);
}

static void ready(const void *context, double *most)
{
    const rct_closed_system *s = context;
    for (int32_t k = 0; k < s->row_count; k++) {
        most[k] = s->closed->ready[s->closed->row_of[s->first_row + k]];
    }
}

static rct_status answer(void *context, const rct_closure_rows *rows, const double *lambda,
                         double *J_change, rct_error *error)
{
    const rct_closed_system *s = context;
    const rct_closed *c = s->closed;
    (void)error;
    memset(J_change, 0, (size_t)rows->count * sizeof *J_change);
    for (int64_t k = s->first_number; k < s->first_number + s->number_count; k++) {
        const int64_t number = c->number_of[k];
        const int32_t i = c->within[c->columns->row[number]];
        const int32_t j = c->within[c->columns->column[number]];
        J_change[i] += c->Lambda[k] * lambda[j];
        J_change[j] += j > i ? c->Lambda[k] * lambda[i] : 0.0;
    }
    return RCT_OK;
}

/* ---- making ------------------------------------------------------------------------------- */

rct_status rct_closed_make_systems(rct_closed *c, rct_error *error)
{
    const int32_t count = c->solver->plan->systems > 1 ? c->solver->plan->systems : 1;
    const int64_t numbers_of_all = c->columns != NULL ? c->columns->numbers : 0;
    if (count > 1 && c->columns == NULL) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "loops of systems side by side are closed by admittance, in lanes of whole "
                        "trees; these are not: give each a solver of its own");
    }
    c->systems = rct_pool_take(&c->pool, count, sizeof *c->systems, error);
    c->number_of = rct_pool_take(&c->pool, numbers_of_all, sizeof *c->number_of, error);
    c->Lambda = rct_pool_take(&c->pool, numbers_of_all, sizeof *c->Lambda, error);
    if (c->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    c->count = count;
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < count && status == RCT_OK; i++) {
        rct_closed_system *s = &c->systems[i];
        s->closed = c;
        s->work = c->method->create(c->factored, error);
        s->mobility = (rct_mobility){
            .context = s, .places = places, .numbers = numbers, .ready = ready, .answer = answer};
        status = s->work != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    }
    return status;
}

void rct_closed_free_systems(rct_closed *c)
{
    for (int32_t i = 0; i < c->count; i++) {
        c->method->destroy(c->systems[i].work);
    }
}

/* ---- which rows and numbers are whose ------------------------------------------------------- */

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
        c->within[i] = rct_closed_system_of(c, i)->row_count++;
    }
    for (int32_t i = 0, first = 0; i < c->count; i++) {
        c->systems[i].first_row = first;
        first += c->systems[i].row_count;
    }
    for (int32_t i = 0; i < rows->count; i++) {
        c->row_of[rct_closed_system_of(c, i)->first_row + c->within[i]] = i;
    }
    c->listed = rows->version;
}

void rct_closed_list_numbers(rct_closed *c)
{
    const rct_row_columns *columns = c->columns;
    const int64_t version = rct_closures_rows(c->factored)->version;
    if (c->numbered == version) {
        return;
    }
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        s->number_count = 0;
        s->rows.count = s->row_count;
        s->rows.version = version;
    }
    for (int64_t k = 0; k < columns->numbers; k++) {
        rct_closed_system_of(c, (int32_t)columns->row[k])->number_count++;
    }
    int64_t first = 0;
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        s->first_number = first;
        first += s->number_count;
        s->number_count = 0;
    }
    for (int64_t k = 0; k < columns->numbers; k++) {
        rct_closed_system *s = rct_closed_system_of(c, (int32_t)columns->row[k]);
        c->number_of[s->first_number + s->number_count++] = k;
    }
    c->numbered = version;
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

void rct_closed_find_largest(rct_closed *c, const double *y)
{
    const int32_t rows = rct_closures_rows(c->present)->count;
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].most = 0.0;
        c->systems[i].row = -1;
    }
    for (int32_t i = 0; i < rows; i++) {
        rct_closed_system *s = rct_closed_system_of(c, i);
        if (!isnan(s->most) && !(fabs(y[i]) <= s->most)) { /* so that NaN is the largest */
            s->most = fabs(y[i]);
            s->row = i;
        }
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
        s->terms = fmax(s->terms, terms_of(rows, i, angular, linear, rates));
    }
}

rct_status rct_closed_blame(const rct_closed_system *s, rct_status status, rct_error *error)
{
    const rct_closed *c = s->closed;
    if (status != RCT_OK && status != RCT_ERROR_MEMORY && error != NULL && error->body < 0) {
        const int32_t row = c->row_of[s->first_row];
        error->body = rct_closed_body_of(c, rct_closures_rows(c->factored)->loop[row]);
    }
    return status;
}
