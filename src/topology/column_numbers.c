/* Numbers of rows of J from those of their columns, as the last sweep left them (columns.h). */
#include "topology/columns.h"

#include "core/memory.h"

#include <string.h>

void rct_row_columns_free(rct_row_columns *c)
{
    if (c != NULL) {
        rct_pool_empty(&c->pool);
        rct_release(c);
    }
}

int64_t rct_row_columns_bytes(const rct_row_columns *c)
{
    return c == NULL ? 0 : (int64_t)sizeof *c + c->pool.bytes;
}

void rct_row_columns_admit(const rct_row_columns *c)
{
    for (int64_t k = 0; k < c->numbers; k++) {
        double sum = 0.0;
        for (int64_t m = c->source_at[k]; m < c->source_at[k + 1]; m++) {
            sum += c->columns.psi[c->source[m]];
        }
        c->value[k] = sum;
    }
}

void rct_row_columns_apply(const rct_row_columns *c, const double *lambda, double *out)
{
    memset(out, 0, (size_t)c->rows * sizeof *out);
    for (int64_t k = 0; k < c->numbers; k++) {
        out[c->row[k]] += c->value[k] * lambda[c->column[k]];
        out[c->column[k]] += c->column[k] > c->row[k] ? c->value[k] * lambda[c->row[k]] : 0.0;
    }
}

static void sum_places(const rct_row_columns *c, const int32_t *at, const int32_t *place,
                       const double *from, double *out)
{
    for (int32_t i = 0; i < c->rows; i++) {
        out[i] = 0.0;
        for (int32_t k = at[i]; k < at[i + 1]; k++) {
            out[i] += from[place[k]];
        }
    }
}

void rct_row_columns_gap(const rct_row_columns *c, double *accelerations)
{
    sum_places(c, c->of_row_at, c->of_row, c->columns.h, accelerations);
}

void rct_row_columns_terms(const rct_row_columns *c, double *terms)
{
    sum_places(c, c->of_row_at, c->of_row, c->columns.terms, terms);
}

void rct_row_columns_ready(const rct_row_columns *c, double *ready)
{
    sum_places(c, c->of_row_at, c->of_row, c->columns.ready, ready);
}

void rct_row_columns_taken(const rct_row_columns *c, double *accelerations)
{
    sum_places(c, c->taken_at, c->taken, c->columns.taken, accelerations);
}
