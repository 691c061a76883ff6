/* Numbers to columns, and columns to CHOLMOD or UMFPACK (sparse_system.h). The matrix for CHOLMOD is stored in the
 * order in which it is eliminated, so that it need not be permuted each time. */
#include "closure/sparse_system.h"

#include "core/error.h"
#include "core/memory.h"

#include <cholmod.h>
#include <math.h>
#include <string.h>
#include <umfpack.h>

static const char what[] = "the admittance of closures";

struct rct_sparse_system {
    int64_t size, count, entries;
    SuiteSparse_long *start, *row; /* [size + 1], [entries] by columns                          */
    double *value;                 /* [entries]                                                 */
    SuiteSparse_long *slot;        /* [count] where a number goes                               */
    SuiteSparse_long *image;       /* [count] and its image; indefinite                         */
    double *right, *scratch;       /* [size] each                                              */

    /* definite */
    int definite;
    SuiteSparse_long *place; /* [size] of an unknown in the order of elimination                */
    cholmod_common common;
    cholmod_factor *factor;

    /* indefinite */
    SuiteSparse_long *partner, *integers; /* [size] each */
    void *symbolic, *numeric;
    double control[UMFPACK_CONTROL];
};

static rct_status out_of_memory(rct_error *error)
{
    return rct_fail(
        error, RCT_ERROR_MEMORY,
        "out of memory: %s could not be factored; make the model smaller or free memory", what);
}

static void *part(int64_t count, int64_t size, int *whole, rct_error *error)
{
    void *memory = *whole ? rct_allocate(count, size, what, error) : NULL;
    *whole = memory != NULL;
    return memory;
}

/* ---- columns ------------------------------------------------------------------------------ */

/* Columns of all numbers at (row, column), and where each went. */
static rct_status sort(rct_sparse_system *s, int64_t count, const SuiteSparse_long *row,
                       const SuiteSparse_long *column, SuiteSparse_long *where, rct_error *error)
{
    const int64_t status = umfpack_dl_triplet_to_col(s->size, s->size, count, row, column, NULL,
                                                     s->start, s->row, NULL, where);
    s->entries = s->start[s->size];
    return status == UMFPACK_OK ? RCT_OK : out_of_memory(error);
}

/* ---- positive definite: CHOLMOD ------------------------------------------------------------ */

/* The upper triangle as CHOLMOD sees it. */
static cholmod_sparse view(const rct_sparse_system *s)
{
    return (cholmod_sparse){.nrow = (size_t)s->size,
                            .ncol = (size_t)s->size,
                            .nzmax = (size_t)s->entries,
                            .p = s->start,
                            .i = s->row,
                            .x = s->value,
                            .stype = 1,
                            .itype = CHOLMOD_LONG,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
}

/* Numbers in the upper triangle, unknowns in the order of `place`. */
static rct_status sort_upper(rct_sparse_system *s, const rct_sparse_places *p, rct_error *error)
{
    int whole = 1;
    SuiteSparse_long *row = part(p->count, sizeof *row, &whole, error);
    SuiteSparse_long *column = part(p->count, sizeof *column, &whole, error);
    rct_status status = RCT_ERROR_MEMORY;
    if (whole) {
        for (int64_t k = 0; k < p->count; k++) {
            const SuiteSparse_long a = s->place[p->row[k]], b = s->place[p->column[k]];
            row[k] = a < b ? a : b;
            column[k] = a < b ? b : a;
        }
        status = sort(s, p->count, row, column, s->slot, error);
    }
    rct_release(row);
    rct_release(column);
    return status;
}

static rct_status analyze(rct_sparse_system *s, rct_error *error)
{
    cholmod_sparse matrix = view(s);
    s->factor = cholmod_l_analyze(&matrix, &s->common);
    return s->factor != NULL ? RCT_OK : out_of_memory(error);
}

/* Order once, then store and analyze in that order. */
static rct_status prepare_definite(rct_sparse_system *s, const rct_sparse_places *p,
                                   rct_error *error)
{
    for (int64_t i = 0; i < s->size; i++) {
        s->place[i] = i;
    }
    if (sort_upper(s, p, error) != RCT_OK || analyze(s, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    const SuiteSparse_long *permutation = s->factor->Perm;
    for (int64_t i = 0; i < s->size; i++) {
        s->place[permutation[i]] = i;
    }
    cholmod_l_free_factor(&s->factor, &s->common);
    s->common.nmethods = 1;
    s->common.method[0].ordering = CHOLMOD_NATURAL;
    s->common.postorder = 0;
    return sort_upper(s, p, error) == RCT_OK ? analyze(s, error) : RCT_ERROR_MEMORY;
}

static rct_status factor_definite(rct_sparse_system *s, rct_error *error)
{
    cholmod_sparse matrix = view(s);
    cholmod_l_factorize(&matrix, s->factor, &s->common);
    if (s->common.status == CHOLMOD_OUT_OF_MEMORY || s->common.status == CHOLMOD_TOO_LARGE) {
        return out_of_memory(error);
    }
    if (s->common.status == CHOLMOD_NOT_POSDEF || s->factor->minor < (size_t)s->size) {
        return rct_fail(error, RCT_ERROR_SINGULAR,
                        "%s has a pivot of 0: a state that is not finite, or bodies of very "
                        "different masses",
                        what);
    }
    return RCT_OK;
}

/* L, D, L*: column j of CHOLMOD's factor has D at its beginning. Its own solve would allocate each time. */
static void solve_definite(rct_sparse_system *s, double *x)
{
    const SuiteSparse_long *start = s->factor->p, *row = s->factor->i, *count = s->factor->nz;
    const double *value = s->factor->x;
    double *y = s->right;
    for (int64_t i = 0; i < s->size; i++) {
        y[s->place[i]] = x[i];
    }
    for (int64_t j = 0; j < s->size; j++) {
        for (int64_t k = start[j] + 1; k < start[j] + count[j]; k++) {
            y[row[k]] -= value[k] * y[j];
        }
    }
    for (int64_t j = s->size - 1; j >= 0; j--) {
        y[j] /= value[start[j]];
        for (int64_t k = start[j] + 1; k < start[j] + count[j]; k++) {
            y[j] -= value[k] * y[row[k]];
        }
    }
    for (int64_t i = 0; i < s->size; i++) {
        x[i] = y[s->place[i]];
    }
}

/* ---- indefinite: UMFPACK ------------------------------------------------------------------- */

/* Both triangles, equations in the rows of their partners. */
static rct_status sort_whole(rct_sparse_system *s, const rct_sparse_places *p, rct_error *error)
{
    int whole = 1;
    SuiteSparse_long *row = part(2 * p->count, sizeof *row, &whole, error);
    SuiteSparse_long *column = part(2 * p->count, sizeof *column, &whole, error);
    SuiteSparse_long *where = part(2 * p->count, sizeof *where, &whole, error);
    rct_status status = RCT_ERROR_MEMORY;
    if (whole) {
        int64_t count = p->count;
        for (int64_t k = 0; k < p->count; k++) {
            row[k] = p->partner[p->row[k]];
            column[k] = p->column[k];
            s->image[k] = p->row[k] == p->column[k] ? -1 : count;
            if (s->image[k] >= 0) {
                row[count] = p->partner[p->column[k]];
                column[count++] = p->row[k];
            }
        }
        status = sort(s, count, row, column, where, error);
        for (int64_t k = 0; k < p->count && status == RCT_OK; k++) {
            s->slot[k] = where[k];
            s->image[k] = s->image[k] >= 0 ? where[s->image[k]] : -1;
        }
    }
    rct_release(row);
    rct_release(column);
    rct_release(where);
    return status;
}

static rct_status prepare_indefinite(rct_sparse_system *s, const rct_sparse_places *p,
                                     rct_error *error)
{
    memcpy(s->partner, p->partner, (size_t)s->size * sizeof *s->partner);
    if (sort_whole(s, p, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    umfpack_dl_defaults(s->control);
    s->control[UMFPACK_IRSTEP] = 0.0; /* the caller refines */
    const int64_t status = umfpack_dl_symbolic(s->size, s->size, s->start, s->row, NULL,
                                               &s->symbolic, s->control, NULL);
    return status == UMFPACK_OK ? RCT_OK : out_of_memory(error);
}

static rct_status factor_indefinite(rct_sparse_system *s, rct_error *error)
{
    umfpack_dl_free_numeric(&s->numeric);
    const int64_t status =
        umfpack_dl_numeric(s->start, s->row, s->value, s->symbolic, &s->numeric, s->control, NULL);
    if (status == UMFPACK_WARNING_singular_matrix) {
        return rct_fail(error, RCT_ERROR_SINGULAR,
                        "%s has a pivot of 0: a state that is not finite, or bodies of very "
                        "different masses",
                        what);
    }
    return status == UMFPACK_OK ? RCT_OK : out_of_memory(error);
}

static void solve_indefinite(rct_sparse_system *s, double *x)
{
    for (int64_t i = 0; i < s->size; i++) {
        s->right[s->partner[i]] = x[i];
    }
    umfpack_dl_wsolve(UMFPACK_A, s->start, s->row, s->value, x, s->right, s->numeric, s->control,
                      NULL, s->integers, s->scratch);
}

/* ---- both --------------------------------------------------------------------------------- */

rct_sparse_system *rct_sparse_system_create(const rct_sparse_places *p, rct_error *error)
{
    rct_sparse_system *s = rct_allocate(1, sizeof *s, what, error);
    if (s == NULL) {
        return NULL;
    }
    int whole = 1;
    s->size = p->size;
    s->count = p->count;
    s->definite = p->partner == NULL;
    const int64_t most = s->definite ? p->count : 2 * p->count;
    s->start = part(s->size + 1, sizeof *s->start, &whole, error);
    s->row = part(most, sizeof *s->row, &whole, error);
    s->value = part(most, sizeof *s->value, &whole, error);
    s->slot = part(p->count, sizeof *s->slot, &whole, error);
    s->image = part(s->definite ? 0 : p->count, sizeof *s->image, &whole, error);
    s->right = part(s->size, sizeof *s->right, &whole, error);
    s->scratch = part(s->definite ? 0 : s->size, sizeof *s->scratch, &whole, error);
    s->place = part(s->definite ? s->size : 0, sizeof *s->place, &whole, error);
    s->partner = part(s->definite ? 0 : s->size, sizeof *s->partner, &whole, error);
    s->integers = part(s->definite ? 0 : s->size, sizeof *s->integers, &whole, error);
    cholmod_l_start(&s->common);
    s->common.print = 0;
    s->common.supernodal = CHOLMOD_SIMPLICIAL; /* no BLAS, whose sums depend on its threads */
    if (!whole || (s->definite ? prepare_definite : prepare_indefinite)(s, p, error) != RCT_OK) {
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
    cholmod_l_free_factor(&s->factor, &s->common);
    cholmod_l_finish(&s->common);
    umfpack_dl_free_numeric(&s->numeric);
    umfpack_dl_free_symbolic(&s->symbolic);
    rct_release(s->start);
    rct_release(s->row);
    rct_release(s->value);
    rct_release(s->slot);
    rct_release(s->image);
    rct_release(s->right);
    rct_release(s->scratch);
    rct_release(s->place);
    rct_release(s->partner);
    rct_release(s->integers);
    rct_release(s);
}

int64_t rct_sparse_system_bytes(const rct_sparse_system *s)
{
    const int64_t columns = (int64_t)sizeof(double) * (2 * s->entries + 2 * s->count + 8 * s->size);
    return (int64_t)sizeof *s + columns + (int64_t)s->common.memory_inuse;
}

rct_status rct_sparse_system_factor(rct_sparse_system *s, const double *values, rct_error *error)
{
    memset(s->value, 0, (size_t)s->entries * sizeof *s->value);
    for (int64_t k = 0; k < s->count; k++) {
        s->value[s->slot[k]] += values[k];
        if (!s->definite && s->image[k] >= 0) {
            s->value[s->image[k]] += values[k];
        }
    }
    return (s->definite ? factor_definite : factor_indefinite)(s, error);
}

void rct_sparse_system_solve(rct_sparse_system *s, double *x)
{
    (s->definite ? solve_definite : solve_indefinite)(s, x);
}

double rct_sparse_system_pivot(const rct_sparse_system *s, int64_t unknown)
{
    const SuiteSparse_long *start = s->factor->p;
    return ((const double *)s->factor->x)[start[s->place[unknown]]];
}

int64_t rct_sparse_system_small_pivots(const rct_sparse_system *s, double least)
{
    int64_t count = 0;
    SuiteSparse_long unused;
    umfpack_dl_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, s->scratch, &unused,
                           NULL, s->numeric);
    for (int64_t i = 0; i < s->size; i++) {
        count += !(fabs(s->scratch[i]) > least);
    }
    return count;
}
