/* L D L* with a dense tail (definite.h). A row of L comes from the columns before it, those of the
 * descendants of its unknown in the elimination tree. The rest of a row of the tail is a row of a
 * dense matrix, which Cholesky factors by blocks. */
#include "algebra/definite.h"

#include "algebra/dense.h"

#include <math.h>
#include <string.h>

#define LDL_LONG
#include <ldl.h>

/* Smaller tails are not worth their copies. */
enum { LEAST_TAIL = 24 };

/* ---- where the tail begins ------------------------------------------------------------------ */

/* The cost of sparse columns with so many numbers, and of a tail with so many unknowns, in products
 * of a sparse column. The constants were measured, but are the same on every machine, so that the
 * bits are. */
static double sparse_cost(double numbers)
{
    return numbers * (0.5 * numbers + 7.0);
}
static double dense_cost(double unknowns)
{
    return unknowns * unknowns * (0.03 * unknowns + 4.0);
}

static int64_t choose_lead(int64_t size, const int64_t *L_start)
{
    int64_t lead = size;
    double before = 0.0, least = 0.0;
    for (int64_t j = 0; j < size; j++) {
        least += sparse_cost((double)(L_start[j + 1] - L_start[j]));
    }
    for (int64_t j = 0; size - j >= LEAST_TAIL; j++) {
        const double cost = before + dense_cost((double)(size - j));
        lead = cost < least ? j : lead;
        least = fmin(least, cost);
        before += sparse_cost((double)(L_start[j + 1] - L_start[j]));
    }
    return lead;
}

rct_status rct_definite_prepare(rct_definite *d, int64_t size, int64_t *start, int64_t *row,
                                rct_pool *parts, rct_error *error)
{
    int64_t **const lists[] = {&d->parent, &d->path, &d->flag, &d->filled, &d->within};
    d->size = size;
    d->start = start;
    d->row = row;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        *lists[i] = rct_pool_take(parts, size, sizeof **lists[i], error);
    }
    d->L_start = rct_pool_take(parts, size + 1, sizeof *d->L_start, error);
    d->D = rct_pool_take(parts, size, sizeof *d->D, error);
    d->right = rct_pool_take(parts, size, sizeof *d->right, error);
    if (parts->failed) {
        return RCT_ERROR_MEMORY;
    }
    ldl_l_symbolic(size, start, row, d->L_start, d->parent, d->filled, d->flag, NULL, NULL);
    d->lead = choose_lead(size, d->L_start);
    const int64_t numbers = d->L_start[d->lead], wide = size - d->lead;
    d->L_row = rct_pool_take(parts, numbers, sizeof *d->L_row, error);
    d->L = rct_pool_take(parts, numbers, sizeof *d->L, error);
    d->tail = rct_pool_take(parts, wide * wide, sizeof *d->tail, error);
    return parts->failed ? RCT_ERROR_MEMORY : RCT_OK;
}

/* ---- factor --------------------------------------------------------------------------------- */

/* Bring column k of the matrix: numbers of the lead to `right`, those of the tail to `own`. Returns
 * where in `path` the unknowns of the lead begin that row k of L has, in the order of
 * elimination. */
static int64_t reach(rct_definite *d, const double *value, int64_t k, double *own)
{
    int64_t top = d->lead;
    for (int64_t p = d->start[k]; p < d->start[k + 1]; p++) {
        int64_t i = d->row[p], length = 0;
        if (i >= d->lead) {
            own[i - d->lead] += value[p];
            continue;
        }
        d->right[i] += value[p];
        for (; i >= 0 && i < d->lead && d->flag[i] != k; i = d->parent[i]) {
            d->path[length++] = i;
            d->flag[i] = k;
        }
        while (length > 0) {
            d->path[--top] = d->path[--length];
        }
    }
    return top;
}

/* Row k of the tail: its L in the lead, and the rest for the dense factor. */
static void reduce_row(rct_definite *d, const double *value, int64_t k)
{
    double *own = d->tail + (k - d->lead) * (d->size - d->lead);
    memset(own, 0, (size_t)(k - d->lead + 1) * sizeof *own);
    for (int64_t top = reach(d, value, k, own); top < d->lead; top++) {
        const int64_t i = d->path[top], first = d->L_start[i];
        const double found = d->right[i], factor = found / d->D[i];
        d->right[i] = 0.0;
        int64_t p = first;
        for (; p < first + d->within[i]; p++) {
            d->right[d->L_row[p]] -= d->L[p] * found;
        }
        for (; p < first + d->filled[i]; p++) {
            own[d->L_row[p] - d->lead] -= d->L[p] * found;
        }
        own[k - d->lead] -= factor * found;
        d->L_row[p] = k;
        d->L[p] = factor;
        d->filled[i]++;
    }
}

static rct_dense_view tail_of(const rct_definite *d)
{
    const int64_t wide = d->size - d->lead;
    return rct_dense_turned(rct_dense_columns(d->tail, wide, wide, wide));
}

int rct_definite_factor(rct_definite *d, double *value)
{
    const int64_t wide = d->size - d->lead;
    int whole =
        ldl_l_numeric(d->lead, d->start, d->row, value, d->L_start, d->parent, d->filled, d->L_row,
                      d->L, d->D, d->right, d->path, d->flag, NULL, NULL) == d->lead;
    memcpy(d->within, d->filled, (size_t)d->lead * sizeof *d->within);
    memset(d->right, 0, (size_t)d->lead * sizeof *d->right);
    for (int64_t k = d->lead; k < d->size && whole; k++) {
        reduce_row(d, value, k);
    }
    whole = whole && (wide == 0 || rct_dense_cholesky(tail_of(d)));
    for (int64_t i = 0; i < wide && whole; i++) {
        const double root = d->tail[i * (wide + 1)];
        d->D[d->lead + i] = root * root;
    }
    for (int64_t i = 0; i < d->size && whole; i++) {
        whole = isfinite(d->D[i]);
    }
    return whole;
}

/* ---- solve ---------------------------------------------------------------------------------- */

void rct_definite_solve(rct_definite *d, double *x)
{
    const int64_t wide = d->size - d->lead;
    ldl_l_lsolve(d->lead, x, d->L_start, d->L_row, d->L);
    ldl_l_dsolve(d->lead, x, d->D);
    if (wide > 0) {
        const rct_dense_view tail = tail_of(d);
        const rct_dense_view rest = rct_dense_columns(x + d->lead, wide, 1, wide);
        rct_dense_forward(tail, rest);
        rct_dense_backward(rct_dense_turned(tail), rest);
    }
    ldl_l_ltsolve(d->lead, x, d->L_start, d->L_row, d->L);
}
