/* Sorts numbers into columns for definite.h or KLU (sparse_system.h). A definite matrix is stored
 * in the order of elimination, so that it is not permuted each time. */
#include "algebra/sparse_system.h"

#include "algebra/banded.h"
#include "algebra/definite.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/pool.h"

#include <math.h>
#include <string.h>

#include <amd.h>
#include <klu.h>

/* KLU keeps the equation that its order gives an unknown while its number is at least this part of
 * the largest. Where the order is given, it is trusted; where KLU finds an order, the largest
 * number is right (t49_admittance). */
static const double given_preference = 1e-3, any_preference = 1.0;

struct rct_sparse_system {
    rct_pool pool;
    int64_t size, count, entries;
    int64_t *start, *row;    /* [size + 1], [entries] by columns */
    double *value;           /* [entries] */
    int64_t *slot, *image;   /* [count] place of a number, and of its image; -1: it has none */
    int64_t *place;          /* [size] place of an unknown in the stored order */
    double *right, *residue; /* [size] each, for definite matrices and others */

    int definite;
    rct_banded *banded;   /* definite, with a narrow band */
    rct_definite factors; /* definite otherwise           */

    /* indefinite */
    int64_t *order, *equation; /* [size] given */
    klu_l_common common;
    klu_l_symbolic *symbolic;
    klu_l_numeric *numeric;
};

static rct_status out_of_memory(const rct_sparse_system *s, rct_error *error)
{
    return rct_fail(
        error, RCT_ERROR_MEMORY,
        "out of memory: %s could not be factored; make the model smaller or free memory",
        s->pool.what);
}

rct_status rct_sparse_singular(const char *what, rct_error *error)
{
    return rct_fail(
        error, RCT_ERROR_SINGULAR,
        "%s has a pivot of 0: the state is not finite, or the masses of bodies are too different",
        what);
}

/* ---- columns ------------------------------------------------------------------------------ */

/* Sort numbers at (row, column) by columns, with those of one place together; `where`: the place of
 * each. */
static rct_status sort(rct_sparse_system *s, int64_t count, const int64_t *row,
                       const int64_t *column, int64_t *where, rct_error *error)
{
    rct_pool pool = {.what = s->pool.what};
    int64_t *mark = rct_pool_take(&pool, s->size, sizeof *mark, error); /* last entry of a row */
    int64_t *next = rct_pool_take(&pool, s->size + 1, sizeof *next, error);
    int64_t *list = rct_pool_take(&pool, count, sizeof *list, error);
    const rct_status status = pool.failed ? RCT_ERROR_MEMORY : RCT_OK;
    if (status == RCT_OK) {
        for (int64_t k = 0; k < count; k++) {
            next[column[k] + 1]++;
        }
        for (int64_t j = 0; j < s->size; j++) {
            next[j + 1] += next[j];
            mark[j] = -1;
        }
        for (int64_t k = 0; k < count; k++) {
            list[next[column[k]]++] = k;
        }
        s->entries = 0;
        for (int64_t j = 0, k = 0; j < s->size; j++) { /* next: where a column ends */
            s->start[j] = s->entries;
            for (; k < next[j]; k++) {
                const int64_t i = row[list[k]];
                if (mark[i] < s->start[j]) {
                    s->row[s->entries] = i;
                    mark[i] = s->entries++;
                }
                where[list[k]] = mark[i];
            }
        }
        s->start[s->size] = s->entries;
    }
    rct_pool_empty(&pool);
    return status;
}

/* Lay unknowns out in the order of `place`: the upper triangle for definite matrices, both for
 * others. */
static rct_status lay_out(rct_sparse_system *s, const rct_sparse_places *p, rct_error *error)
{
    const int64_t most = s->definite ? p->count : 2 * p->count;
    int64_t count = p->count;
    rct_pool pool = {.what = s->pool.what};
    int64_t *row = rct_pool_take(&pool, most, sizeof *row, error);
    int64_t *column = rct_pool_take(&pool, most, sizeof *column, error);
    int64_t *where = rct_pool_take(&pool, most, sizeof *where, error);
    rct_status status = RCT_ERROR_MEMORY;
    if (!pool.failed) {
        for (int64_t k = 0; k < p->count; k++) {
            const int64_t i = s->place[p->row[k]], j = s->place[p->column[k]];
            row[k] = i < j ? i : j;
            column[k] = i < j ? j : i;
            s->image[k] = s->definite || i == j ? -1 : count;
            if (s->image[k] >= 0) {
                row[count] = column[k];
                column[count++] = row[k];
            }
        }
        status = sort(s, count, row, column, where, error);
    }
    for (int64_t k = 0; k < p->count && status == RCT_OK; k++) {
        s->slot[k] = where[k];
        s->image[k] = s->image[k] >= 0 ? where[s->image[k]] : -1;
    }
    rct_pool_empty(&pool);
    return status;
}

/* ---- positive definite --------------------------------------------------------------------- */

/* Order once, then store in that order. */
static rct_status prepare_definite(rct_sparse_system *s, const rct_sparse_places *p,
                                   rct_error *error)
{
    int64_t *order = rct_pool_take(&s->pool, s->size, sizeof *order, error);
    if (s->pool.failed || lay_out(s, p, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    if (amd_l_order(s->size, s->start, s->row, order, NULL, NULL) < AMD_OK) {
        return out_of_memory(s, error);
    }
    for (int64_t i = 0; i < s->size; i++) {
        s->place[order[i]] = i;
    }
    if (lay_out(s, p, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    return rct_definite_prepare(&s->factors, s->size, s->start, s->row, &s->pool, error);
}

static void solve_definite(rct_sparse_system *s, double *x)
{
    double *y = s->right;
    if (s->banded != NULL) {
        rct_banded_solve(s->banded, x);
        return;
    }
    for (int64_t i = 0; i < s->size; i++) {
        y[s->place[i]] = x[i];
    }
    rct_definite_solve(&s->factors, y);
    for (int64_t i = 0; i < s->size; i++) {
        x[i] = y[s->place[i]];
    }
}

/* ---- indefinite: KLU ----------------------------------------------------------------------- */

static rct_status prepare_indefinite(rct_sparse_system *s, const rct_sparse_places *p,
                                     rct_error *error)
{
    if (lay_out(s, p, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    klu_l_defaults(&s->common);
    if (p->order == NULL) {
        s->common.tol = any_preference;
        s->common.ordering = 1; /* COLAMD: AMD takes minutes on long ladders */
        s->symbolic = klu_l_analyze(s->size, s->start, s->row, &s->common);
    } else {
        s->common.tol = given_preference;
        s->common.btf = 0;
        memcpy(s->order, p->order, (size_t)s->size * sizeof *s->order);
        for (int64_t k = 0; k < s->size; k++) {
            s->equation[k] = p->equation[p->order[k]];
        }
        s->symbolic =
            klu_l_analyze_given(s->size, s->start, s->row, s->equation, s->order, &s->common);
    }
    return s->symbolic != NULL || s->size == 0 ? RCT_OK : out_of_memory(s, error);
}

/* Move a column of a factor forward to `to`, its rows and then its numbers, without those that are
 * 0; returns its end. */
static int64_t pack(double *factor, int64_t to, int64_t *start, int64_t *length)
{
    int64_t *row = (int64_t *)(factor + *start), count = 0;
    double *value = factor + *start + *length;
    for (int64_t k = 0; k < *length; k++) {
        row[count] = row[k];
        value[count] = value[k];
        count += value[k] != 0.0;
    }
    memmove(factor + to, row, (size_t)count * sizeof *row);
    memmove(factor + to + count, value, (size_t)count * sizeof *value);
    *start = to;
    *length = count;
    return to + 2 * count;
}

/* Most numbers in the factors of planar mechanisms are 0: those perpendicular to the plane. KLU
 * stores each column of L before that of U, and nothing of either where a block is a single
 * number. */
static void drop_zeros(rct_sparse_system *s)
{
    klu_l_numeric *f = s->numeric;
    for (int64_t b = 0; b < s->symbolic->nblocks; b++) {
        const int64_t first = s->symbolic->R[b], end = s->symbolic->R[b + 1];
        int64_t to = 0;
        for (int64_t j = first; end - first > 1 && j < end; j++) {
            to = pack(f->LUbx[b], to, &f->Lip[j], &f->Llen[j]);
            to = pack(f->LUbx[b], to, &f->Uip[j], &f->Ulen[j]);
        }
    }
}

static rct_status factor_indefinite(rct_sparse_system *s, rct_error *error)
{
    klu_l_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_l_factor(s->start, s->row, s->value, s->symbolic, &s->common);
    switch (s->common.status) {
    case KLU_OK: drop_zeros(s); return RCT_OK;
    case KLU_SINGULAR: return rct_sparse_singular(s->pool.what, error);
    default: return out_of_memory(s, error);
    }
}

static void solve_indefinite(rct_sparse_system *s, double *x)
{
    klu_l_solve(s->symbolic, s->numeric, s->size, 1, x, &s->common);
}

/* ---- both --------------------------------------------------------------------------------- */

rct_sparse_system *rct_sparse_system_create(const rct_sparse_places *p, rct_error *error)
{
    rct_sparse_system *s = rct_allocate(1, sizeof *s, p->what, error);
    if (s == NULL) {
        return NULL;
    }
    s->pool.what = p->what;
    s->size = p->size;
    s->definite = p->definite;
    if (rct_banded_suits(p)) {
        s->banded = rct_banded_create(p, rct_lane_kernels_list()[0], error);
        if (s->banded == NULL) {
            rct_sparse_system_free(s);
            return NULL;
        }
        return s;
    }
    s->count = p->count;
    const int64_t most = s->definite ? p->count : 2 * p->count;
    s->start = rct_pool_take(&s->pool, s->size + 1, sizeof *s->start, error);
    s->row = rct_pool_take(&s->pool, most, sizeof *s->row, error);
    s->value = rct_pool_take(&s->pool, most, sizeof *s->value, error);
    s->slot = rct_pool_take(&s->pool, p->count, sizeof *s->slot, error);
    s->image = rct_pool_take(&s->pool, p->count, sizeof *s->image, error);
    s->place = rct_pool_take(&s->pool, s->size, sizeof *s->place, error);
    s->right = rct_pool_take(&s->pool, s->definite ? s->size : 0, sizeof *s->right, error);
    s->residue = rct_pool_take(&s->pool, s->definite ? 0 : s->size, sizeof *s->residue, error);
    s->order = rct_pool_take(&s->pool, p->order != NULL ? s->size : 0, sizeof *s->order, error);
    s->equation =
        rct_pool_take(&s->pool, p->order != NULL ? s->size : 0, sizeof *s->equation, error);
    for (int64_t i = 0; i < s->size && !s->pool.failed; i++) {
        s->place[i] = i;
    }
    if (s->pool.failed ||
        (s->definite ? prepare_definite : prepare_indefinite)(s, p, error) != RCT_OK) {
        rct_sparse_system_free(s);
        return NULL;
    }
    return s;
}

void rct_sparse_system_free(rct_sparse_system *s)
{
    if (s == NULL) {
        return;
    }
    rct_banded_free(s->banded);
    klu_l_free_numeric(&s->numeric, &s->common);
    klu_l_free_symbolic(&s->symbolic, &s->common);
    rct_pool_empty(&s->pool);
    rct_release(s);
}

int64_t rct_sparse_system_bytes(const rct_sparse_system *s)
{
    const int64_t banded = s->banded != NULL ? rct_banded_bytes(s->banded) : 0;
    return (int64_t)sizeof *s + banded + s->pool.bytes + (int64_t)s->common.memusage;
}

rct_status rct_sparse_system_factor(rct_sparse_system *s, const double *values, rct_error *error)
{
    if (s->banded != NULL) {
        return rct_banded_factor(s->banded, values, error);
    }
    memset(s->value, 0, (size_t)s->entries * sizeof *s->value);
    for (int64_t k = 0; k < s->count; k++) {
        s->value[s->slot[k]] += values[k];
        if (s->image[k] >= 0) {
            s->value[s->image[k]] += values[k];
        }
    }
    if (s->definite) {
        return rct_definite_factor(&s->factors, s->value)
                   ? RCT_OK
                   : rct_sparse_singular(s->pool.what, error);
    }
    return factor_indefinite(s, error);
}

void rct_sparse_system_solve(rct_sparse_system *s, double *x)
{
    (s->definite ? solve_definite : solve_indefinite)(s, x);
}

void rct_sparse_system_refine(rct_sparse_system *s, double *x)
{
    memcpy(s->residue, x, (size_t)s->size * sizeof *x);
    rct_sparse_system_solve(s, x);
    for (int64_t j = 0; j < s->size; j++) {
        for (int64_t k = s->start[j]; k < s->start[j + 1]; k++) {
            s->residue[s->row[k]] -= s->value[k] * x[j];
        }
    }
    rct_sparse_system_solve(s, s->residue);
    for (int64_t i = 0; i < s->size; i++) {
        x[i] += s->residue[i];
    }
}

void rct_sparse_system_pivots(const rct_sparse_system *s, double *pivots)
{
    if (s->banded != NULL) {
        rct_banded_pivots(s->banded, pivots);
        return;
    }
    for (int64_t i = 0; i < s->size; i++) {
        pivots[i] = s->factors.D[s->place[i]];
    }
}

double rct_sparse_system_least_pivot(const rct_sparse_system *s)
{
    const double *pivot = s->numeric->Udiag;
    double least = INFINITY, largest = 0.0;
    for (int64_t i = 0; i < s->size; i++) {
        least = fmin(least, fabs(pivot[i]));
        largest = fmax(largest, fabs(pivot[i]));
    }
    return least / largest;
}

double rct_sparse_system_determinant(const rct_sparse_system *s)
{
    const double *pivot = s->numeric->Udiag, *scale = s->numeric->Rs;
    double sum = 0.0;
    for (int64_t i = 0; i < s->size; i++) {
        sum += log10(fabs(pivot[i])) + log10(scale[i]);
    }
    return sum;
}
