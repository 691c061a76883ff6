/* Least squares and least length where rows of a sparse matrix depend on others (sparse_rows.h), by
 * L* L of its factor. L* L is positive definite for any rank, and as far from singular as pivots
 * are. If no row without a pivot has a number in L, L alone serves and there is no L* L. L* L is
 * made column by column, up to the diagonal: each number of a column of L times those before it in
 * its row, and times itself. */
#include "algebra/sparse_rows.h"

#include "core/memory.h"

#include <string.h>

struct rct_sparse_squares {
    rct_pool pool;
    int64_t *start; /* [rank + 1] L by columns: where each begins */
    int32_t *row;   /* the row of each number */
    int32_t *which; /* and its number in that row */
    int64_t *first; /* [rank + 1] the same for L* L */
    int32_t *place; /* the other place of each product */
    double *product;
    double *work; /* [rank] zero between uses */
    rct_sparse_system *system;
};

static int32_t numbers_of(const rct_sparse_rows *s, int32_t i)
{
    return (int32_t)(s->L.start[i + 1] - s->L.start[i]) + (i < s->rank);
}

/* Place and value of number k of row i of L; the 1 is the last; places ascend. */
static int32_t place_of(const rct_sparse_rows *s, int32_t i, int32_t k)
{
    const int64_t l = s->L.start[i] + k;
    return l < s->L.start[i + 1] ? s->L.place[l] : i;
}
static double value_of(const rct_sparse_rows *s, int32_t i, int32_t k)
{
    const int64_t l = s->L.start[i] + k;
    return l < s->L.start[i + 1] ? s->L.value[l] : 1.0;
}

/* ---- places ------------------------------------------------------------------------------- */

static void list_columns(rct_sparse_squares *q, const rct_sparse_rows *s)
{
    for (int32_t i = 0; i < s->rows; i++) {
        for (int32_t k = 0; k < numbers_of(s, i); k++) {
            q->start[place_of(s, i, k)]++;
        }
    }
    for (int32_t j = 0; j < s->rank; j++) { /* the end of each */
        q->start[j + 1] += q->start[j];
    }
    for (int32_t i = s->rows - 1; i >= 0; i--) {
        for (int32_t k = 0; k < numbers_of(s, i); k++) {
            const int64_t at = --q->start[place_of(s, i, k)];
            q->row[at] = i;
            q->which[at] = k;
        }
    }
    q->start[s->rank] = s->L.start[s->rows] + s->rank;
}

/* Returns how many products have a place of their own, and writes the places, unless NULL. `seen`
 * [rank]. */
static int64_t list_products(const rct_sparse_squares *q, const rct_sparse_rows *s, int32_t *seen,
                             int64_t *row, int64_t *column)
{
    int64_t count = 0;
    memset(seen, -1, (size_t)s->rank * sizeof *seen);
    for (int32_t j = 0; j < s->rank; j++) {
        for (int64_t at = q->start[j]; at < q->start[j + 1]; at++) {
            for (int32_t k = 0; k <= q->which[at]; k++) {
                const int32_t i = place_of(s, q->row[at], k);
                if (seen[i] != j && row != NULL) {
                    row[count] = i;
                    column[count] = j;
                }
                count += seen[i] != j;
                seen[i] = j;
            }
        }
    }
    return count;
}

/* Make the system of `count` products. */
static rct_status make_system(rct_sparse_squares *q, const rct_sparse_rows *s, int32_t *seen,
                              int64_t count, rct_error *error)
{
    rct_pool pool = {.what = s->pool.what};
    int64_t *row = rct_pool_take(&pool, count, sizeof *row, error);
    int64_t *column = rct_pool_take(&pool, count, sizeof *column, error);
    q->place = rct_pool_take(&q->pool, count, sizeof *q->place, error);
    q->product = rct_pool_take(&q->pool, count, sizeof *q->product, error);
    if (!pool.failed && !q->pool.failed) {
        const rct_sparse_places places = {.what = s->pool.what,
                                          .size = s->rank,
                                          .count = count,
                                          .row = row,
                                          .column = column,
                                          .definite = 1};
        list_products(q, s, seen, row, column);
        for (int64_t k = 0; k < count; k++) {
            q->place[k] = (int32_t)row[k];
            q->first[column[k] + 1] = k + 1;
        }
        q->system = rct_sparse_system_create(&places, error);
    }
    rct_pool_empty(&pool);
    return q->system == NULL ? RCT_ERROR_MEMORY : RCT_OK;
}

static rct_status make(rct_sparse_squares *q, const rct_sparse_rows *s, rct_error *error)
{
    const int64_t numbers = s->L.start[s->rows] + s->rank;
    rct_pool *pool = &q->pool, work = {.what = s->pool.what};
    rct_status status = RCT_ERROR_MEMORY;
    pool->what = s->pool.what;
    q->start = rct_pool_take(pool, s->rank + 1, sizeof *q->start, error);
    q->row = rct_pool_take(pool, numbers, sizeof *q->row, error);
    q->which = rct_pool_take(pool, numbers, sizeof *q->which, error);
    q->first = rct_pool_take(pool, s->rank + 1, sizeof *q->first, error);
    q->work = rct_pool_take(pool, s->rank, sizeof *q->work, error);
    int32_t *seen = rct_pool_take(&work, s->rank, sizeof *seen, error);
    if (!pool->failed && !work.failed) {
        list_columns(q, s);
        const int64_t count = list_products(q, s, seen, NULL, NULL);
        status = count > s->most ? RCT_ERROR_UNSUPPORTED : make_system(q, s, seen, count, error);
    }
    rct_pool_empty(&work);
    return status;
}

rct_status rct_sparse_least_order(rct_sparse_rows *s, rct_error *error)
{
    rct_sparse_least_free(s->squares);
    s->squares = NULL;
    if (s->rank == 0 || s->L.start[s->rows] == s->L.start[s->rank]) {
        return RCT_OK;
    }
    s->squares = rct_allocate(1, sizeof *s->squares, s->pool.what, error);
    return s->squares != NULL ? make(s->squares, s, error) : RCT_ERROR_MEMORY;
}

void rct_sparse_least_free(rct_sparse_squares *q)
{
    if (q != NULL) {
        rct_sparse_system_free(q->system);
        rct_pool_empty(&q->pool);
        rct_release(q);
    }
}

int64_t rct_sparse_least_bytes(const rct_sparse_squares *q)
{
    return (int64_t)sizeof *q + q->pool.bytes + rct_sparse_system_bytes(q->system);
}

/* ---- numbers ------------------------------------------------------------------------------ */

rct_status rct_sparse_least_factor(rct_sparse_rows *s, rct_error *error)
{
    rct_sparse_squares *q = s->squares;
    if (q == NULL) {
        return RCT_OK;
    }
    for (int32_t j = 0; j < s->rank; j++) {
        for (int64_t at = q->start[j]; at < q->start[j + 1]; at++) {
            const double own = value_of(s, q->row[at], q->which[at]);
            for (int32_t k = 0; k <= q->which[at]; k++) {
                q->work[place_of(s, q->row[at], k)] += own * value_of(s, q->row[at], k);
            }
        }
        for (int64_t k = q->first[j]; k < q->first[j + 1]; k++) {
            q->product[k] = q->work[q->place[k]];
            q->work[q->place[k]] = 0.0;
        }
    }
    return rct_sparse_system_factor(q->system, q->product, error);
}

void rct_sparse_least_solve(rct_sparse_squares *q, double *x)
{
    rct_sparse_system_solve(q->system, x);
}
