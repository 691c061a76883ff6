/* L U of a sparse matrix of any shape in given orders, row by row, and solutions by it
 * (sparse_rows.h). A row is spread out, the rows before it are taken off by its places in L, and
 * the rest is its row of U. */
#include "algebra/sparse_rows.h"

#include "core/memory.h"

#include <math.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------------- */

rct_sparse_rows *rct_sparse_rows_create(int32_t rows, int32_t columns, int64_t numbers,
                                        int64_t most, const char *what, rct_error *error)
{
    rct_sparse_rows *s = rct_allocate(1, sizeof *s, what, error);
    if (s == NULL) {
        return NULL;
    }
    rct_pool *pool = &s->pool;
    pool->what = what;
    s->rows = rows;
    s->columns = columns;
    s->most = most;
    s->threshold = RCT_SPARSE_THRESHOLD;
    s->start = rct_pool_take(pool, rows + 1, sizeof *s->start, error);
    s->at = rct_pool_take(pool, numbers, sizeof *s->at, error);
    s->row = rct_pool_take(pool, rows, sizeof *s->row, error);
    s->column = rct_pool_take(pool, columns, sizeof *s->column, error);
    s->place = rct_pool_take(pool, columns, sizeof *s->place, error);
    s->pivot = rct_pool_take(pool, rows, sizeof *s->pivot, error);
    s->middle = rct_pool_take(pool, rows, sizeof *s->middle, error);
    s->L.start = rct_pool_take(pool, rows + 1, sizeof *s->L.start, error);
    s->U.start = rct_pool_take(pool, rows + 1, sizeof *s->U.start, error);
    s->work = rct_pool_take(pool, columns, sizeof *s->work, error);
    s->right = rct_pool_take(pool, rows, sizeof *s->right, error);
    s->left = rct_pool_take(pool, rows, sizeof *s->left, error);
    if (pool->failed) {
        rct_sparse_rows_free(s);
        return NULL;
    }
    return s;
}

static void release(rct_sparse_factor *f)
{
    rct_release(f->place);
    rct_release(f->value);
    f->place = NULL;
    f->value = NULL;
    f->room = 0;
}

void rct_sparse_rows_free(rct_sparse_rows *s)
{
    if (s != NULL) {
        release(&s->L);
        release(&s->U);
        rct_sparse_least_free(s->squares);
        rct_pool_empty(&s->pool);
        rct_release(s);
    }
}

int64_t rct_sparse_rows_bytes(const rct_sparse_rows *s)
{
    const int64_t number = sizeof *s->L.place + sizeof *s->L.value;
    const int64_t own = (int64_t)sizeof *s + s->pool.bytes + number * (s->L.room + s->U.room);
    return s->squares == NULL ? own : own + rct_sparse_least_bytes(s->squares);
}

rct_status rct_sparse_factor_widen(rct_sparse_factor *f, int64_t numbers, const char *what,
                                   rct_error *error)
{
    if (numbers <= f->room) {
        return RCT_OK;
    }
    release(f);
    f->place = rct_allocate_unset(numbers, sizeof *f->place, what, error);
    f->value = rct_allocate_unset(numbers, sizeof *f->value, what, error);
    if (f->place == NULL || f->value == NULL) {
        release(f);
        return RCT_ERROR_MEMORY;
    }
    f->room = numbers;
    return RCT_OK;
}

/* ---- factors ------------------------------------------------------------------------------ */

/* Take the earlier rows off row i, which is spread out in the work. */
static void eliminate(rct_sparse_rows *s, int32_t i)
{
    for (int64_t l = s->L.start[i]; l < s->L.start[i + 1]; l++) {
        const int32_t k = s->L.place[l];
        const double factor = s->work[k] / s->pivot[k];
        s->L.value[l] = factor;
        s->work[k] = 0.0;
        for (int64_t u = s->U.start[k]; u < s->U.start[k + 1]; u++) {
            s->work[s->U.place[u]] -= factor * s->U.value[u];
        }
    }
}

/* Gather the rest of row i from the work. */
static void gather(rct_sparse_rows *s, int32_t i)
{
    for (int64_t u = s->U.start[i]; u < s->U.start[i + 1]; u++) {
        s->U.value[u] = s->work[s->U.place[u]];
        s->work[s->U.place[u]] = 0.0;
    }
}

static void factor_rows(rct_sparse_rows *s, const double *value)
{
    for (int32_t i = 0; i < s->rows; i++) {
        const int32_t row = s->row[i];
        for (int64_t k = s->start[row]; k < s->start[row + 1]; k++) {
            s->work[s->place[s->at[k]]] = value[k];
        }
        eliminate(s, i);
        if (i < s->rank) {
            s->pivot[i] = s->work[i];
            s->work[i] = 0.0;
        }
        gather(s, i);
    }
}

rct_status rct_sparse_rows_choose(rct_sparse_rows *s, const double *value, double least,
                                  const uint8_t *last, rct_error *error)
{
    rct_status status = rct_sparse_rows_order(s, value, least, last, error);
    if (status == RCT_OK) {
        status = rct_sparse_least_order(s, error);
    }
    if (status == RCT_OK) {
        factor_rows(s, value);
        status = rct_sparse_least_factor(s, error);
    }
    return status;
}

/* ---- solutions ---------------------------------------------------------------------------- */

static void solve_upper(const rct_sparse_rows *s, double *x)
{
    for (int32_t i = s->rank - 1; i >= 0; i--) {
        double sum = x[i];
        for (int64_t u = s->U.start[i]; u < s->middle[i]; u++) {
            sum -= s->U.value[u] * x[s->U.place[u]];
        }
        x[i] = sum / s->pivot[i];
    }
}

static void solve_upper_turned(const rct_sparse_rows *s, double *x)
{
    for (int32_t i = 0; i < s->rank; i++) {
        x[i] /= s->pivot[i];
        for (int64_t u = s->U.start[i]; u < s->middle[i]; u++) {
            x[s->U.place[u]] -= s->U.value[u] * x[i];
        }
    }
}

static void solve_lower(const rct_sparse_rows *s, double *x)
{
    for (int32_t i = 0; i < s->rank; i++) {
        for (int64_t l = s->L.start[i]; l < s->L.start[i + 1]; l++) {
            x[i] -= s->L.value[l] * x[s->L.place[l]];
        }
    }
}

static void solve_lower_turned(const rct_sparse_rows *s, double *x)
{
    for (int32_t i = s->rank - 1; i >= 0; i--) {
        for (int64_t l = s->L.start[i]; l < s->L.start[i + 1]; l++) {
            x[s->L.place[l]] -= s->L.value[l] * x[i];
        }
    }
}

/* y [rows] -= L x */
static void take_product(const rct_sparse_rows *s, const double *x, double *y)
{
    for (int32_t i = 0; i < s->rows; i++) {
        double sum = i < s->rank ? x[i] : 0.0;
        for (int64_t l = s->L.start[i]; l < s->L.start[i + 1]; l++) {
            sum += s->L.value[l] * x[s->L.place[l]];
        }
        y[i] -= sum;
    }
}

/* x [rank] = L* y */
static void turned_product(const rct_sparse_rows *s, const double *y, double *x)
{
    memset(x, 0, (size_t)s->rank * sizeof *x);
    for (int32_t i = 0; i < s->rows; i++) {
        if (i < s->rank) {
            x[i] += y[i];
        }
        for (int64_t l = s->L.start[i]; l < s->L.start[i + 1]; l++) {
            x[s->L.place[l]] += s->L.value[l] * y[i];
        }
    }
}

/* x [rank] of least |L x - b|, written over the first of b [rows]; the rounding of squares is
 * corrected by solving for the residual. */
static void nearest(rct_sparse_rows *s, double *b)
{
    if (s->squares == NULL) {
        solve_lower(s, b);
        return;
    }
    double *first = s->left, *more = s->work;
    turned_product(s, b, first);
    rct_sparse_least_solve(s->squares, first);
    take_product(s, first, b);
    turned_product(s, b, more);
    rct_sparse_least_solve(s->squares, more);
    for (int32_t i = 0; i < s->rank; i++) {
        b[i] = first[i] + more[i];
        more[i] = 0.0;
    }
}

/* y [rows] of least length with L* y = w, written over w [rank]; corrected likewise. */
static void shortest(rct_sparse_rows *s, double *y)
{
    if (s->squares == NULL) {
        solve_lower_turned(s, y);
        memset(y + s->rank, 0, (size_t)(s->rows - s->rank) * sizeof *y);
        return;
    }
    double *got = s->left, *x = s->work; /* -y so far; the residual of w */
    memcpy(x, y, (size_t)s->rank * sizeof *x);
    memset(got, 0, (size_t)s->rows * sizeof *got);
    for (int turn = 0; turn < 2; turn++) {
        rct_sparse_least_solve(s->squares, x);
        take_product(s, x, got);
        turned_product(s, got, x);
        for (int32_t i = 0; i < s->rank; i++) {
            x[i] += y[i];
        }
    }
    memset(x, 0, (size_t)s->rank * sizeof *x);
    for (int32_t i = 0; i < s->rows; i++) {
        y[i] = -got[i];
    }
}

void rct_sparse_rows_null(const rct_sparse_rows *s, double *X, int64_t stride)
{
    const int32_t free = s->columns - s->rank;
    for (int32_t j = 0; j < free; j++) {
        memset(X + j * stride, 0, (size_t)s->rank * sizeof *X);
    }
    for (int32_t i = 0; i < s->rank; i++) {
        for (int64_t u = s->middle[i]; u < s->U.start[i + 1]; u++) {
            X[(s->U.place[u] - s->rank) * stride + i] = -s->U.value[u];
        }
    }
    for (int32_t j = 0; j < free; j++) {
        solve_upper(s, X + j * stride);
    }
}

void rct_sparse_rows_nearest(rct_sparse_rows *s, const double *b, double *x)
{
    for (int32_t i = 0; i < s->rows; i++) {
        s->right[i] = b[s->row[i]];
    }
    nearest(s, s->right);
    memcpy(x, s->right, (size_t)s->rank * sizeof *x);
    solve_upper(s, x);
}

void rct_sparse_rows_shortest(rct_sparse_rows *s, const double *load, double *y)
{
    memcpy(s->right, load, (size_t)s->rank * sizeof *load);
    solve_upper_turned(s, s->right);
    shortest(s, s->right);
    for (int32_t i = 0; i < s->rows; i++) {
        y[s->row[i]] = s->right[i];
    }
}

int32_t rct_sparse_rows_dependent(const rct_sparse_rows *s)
{
    int32_t row = -1;
    for (int32_t i = s->rank; i < s->rows; i++) {
        row = s->row[i] > row ? s->row[i] : row;
    }
    return row;
}
