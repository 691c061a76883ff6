/* Least squares and least length where rows of a sparse matrix depend on others (sparse_rows.h): by L* L of its factor, which is
 * positive definite whatever the rank, and far from singular as pivots are. Where all rows got a pivot, or no other has a
 * number, there is none: then L alone serves. */
#include "algebra/sparse_rows.h"

#include "core/memory.h"

#include <stddef.h>

static int64_t numbers_of(const rct_sparse_rows *s, int32_t i)
{
    return s->L.start[i + 1] - s->L.start[i] + (i < s->rank);
}

/* Place and value of number k of row i of L, the one last. */
static int32_t place_of(const rct_sparse_rows *s, int32_t i, int64_t k)
{
    const int64_t l = s->L.start[i] + k;
    return l < s->L.start[i + 1] ? s->L.place[l] : i;
}
static double value_of(const rct_sparse_rows *s, int32_t i, int64_t k)
{
    const int64_t l = s->L.start[i] + k;
    return l < s->L.start[i + 1] ? s->L.value[l] : 1.0;
}

/* Products of two numbers of a row, for all rows. */
static int64_t count_products(const rct_sparse_rows *s)
{
    int64_t count = 0;
    for (int32_t i = 0; i < s->rows && count <= s->most; i++) {
        const int64_t n = numbers_of(s, i);
        count += n * (n + 1) / 2;
    }
    return count;
}

static void list_products(const rct_sparse_rows *s, int64_t *row, int64_t *column)
{
    int64_t at = 0;
    for (int32_t i = 0; i < s->rows; i++) {
        for (int64_t k = 0; k < numbers_of(s, i); k++) { /* places ascend in a row */
            for (int64_t l = 0; l <= k; l++, at++) {
                row[at] = place_of(s, i, l);
                column[at] = place_of(s, i, k);
            }
        }
    }
}

static rct_status make(rct_sparse_rows *s, rct_error *error)
{
    rct_pool pool = {.what = s->pool.what};
    rct_status status = RCT_ERROR_MEMORY;
    int64_t *row = rct_pool_take(&pool, s->count, sizeof *row, error);
    int64_t *column = rct_pool_take(&pool, s->count, sizeof *column, error);
    s->products = rct_allocate_unset(s->count, sizeof *s->products, s->pool.what, error);
    if (!pool.failed && s->products != NULL) {
        list_products(s, row, column);
        const rct_sparse_places places = {.what = s->pool.what,
                                          .size = s->rank,
                                          .count = s->count,
                                          .row = row,
                                          .column = column,
                                          .definite = 1};
        s->squares = rct_sparse_system_create(&places, error);
        status = s->squares == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    }
    rct_pool_empty(&pool);
    return status;
}

rct_status rct_sparse_least_order(rct_sparse_rows *s, rct_error *error)
{
    rct_sparse_system_free(s->squares);
    rct_release(s->products);
    s->squares = NULL;
    s->products = NULL;
    if (s->rank == 0 || s->L.start[s->rows] == s->L.start[s->rank]) {
        return RCT_OK;
    }
    s->count = count_products(s);
    return s->count > s->most ? RCT_ERROR_UNSUPPORTED : make(s, error);
}

rct_status rct_sparse_least_factor(rct_sparse_rows *s, rct_error *error)
{
    int64_t at = 0;
    if (s->squares == NULL) {
        return RCT_OK;
    }
    for (int32_t i = 0; i < s->rows; i++) {
        for (int64_t k = 0; k < numbers_of(s, i); k++) {
            const double one = value_of(s, i, k);
            for (int64_t l = 0; l <= k; l++) {
                s->products[at++] = one * value_of(s, i, l);
            }
        }
    }
    return rct_sparse_system_factor(s->squares, s->products, error);
}
