/* Eigenvectors next above a shift, in a plugin: by ARPACK, implicitly restarted Lanczos in its mode
 * of shift and invert; all at once by LAPACK where many of all eigenvectors are wanted. */
#include "analysis/eigensolver.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/pool.h"

#include <arpack/arpack.h>
#include <lapacke.h>

#include <math.h>
#include <pthread.h>
#include <string.h>

static const char what[] = "eigenvectors";

/* ARPACK keeps numbers from call to call. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* The most rows that are solved all at once; Lanczos vectors besides two per wanted one; the most
 * restarts. */
enum { DENSE = 96, MORE_VECTORS = 24, MOST_RESTARTS = 1000 };

/* ---- all at once ----------------------------------------------------------------------------- */

/* M (K - shift M)^-1 M x = theta M x, from all columns of the identity. */
static rct_status solve_all(const rct_pencil *p, int32_t wanted, double *vectors, rct_error *error)
{
    const int64_t n = p->n, one = sizeof(double);
    rct_pool pool = {.what = what};
    double *A = rct_pool_take(&pool, n * n, one, error);
    double *B = rct_pool_take(&pool, n * n, one, error);
    double *theta = rct_pool_take(&pool, n, one, error);
    lapack_int info = 0;
    for (int64_t c = 0; c < n && !pool.failed; c++) {
        theta[c] = 1.0;
        p->mass(p->context, theta, B + c * n);
        p->solve(p->context, B + c * n, A + c * n);
        p->mass(p->context, A + c * n, A + c * n);
        theta[c] = 0.0;
    }
    if (!pool.failed) {
        info = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', (lapack_int)n, A, (lapack_int)n, B,
                              (lapack_int)n, theta);
    }
    for (int32_t k = 0; k < wanted && !pool.failed && info == 0;
         k++) { /* the last are the largest */
        memcpy(vectors + k * n, A + (n - 1 - k) * n, (size_t)n * sizeof *A);
    }
    const int failed = pool.failed;
    rct_pool_empty(&pool);
    return failed      ? RCT_ERROR_MEMORY
           : info == 0 ? RCT_OK
                       : rct_fail(error, RCT_ERROR_DIVERGED,
                                  "LAPACK finds no eigenvalues of a matrix of %d rows (dsygvd "
                                  "returns %d): the mass matrix is nearly singular",
                                  (int)n, (int)info);
}

/* ---- by Lanczos ------------------------------------------------------------------------------ */

typedef struct lanczos {
    a_int n, wanted, vectors, work_size, ido, info;
    a_int iparam[11], ipntr[14];
    double *start, *basis, *workd, *workl, *theta;
    a_int *select;
} lanczos;

static int take_room(lanczos *l, rct_pool *pool, rct_error *error)
{
    const int64_t n = l->n, m = l->vectors, one = sizeof(double);
    l->work_size = (a_int)(m * (m + 8));
    l->start = rct_pool_take(pool, n, one, error);
    l->basis = rct_pool_take(pool, n * m, one, error);
    l->workd = rct_pool_take(pool, 3 * n, one, error);
    l->workl = rct_pool_take(pool, l->work_size, one, error);
    l->theta = rct_pool_take(pool, m, one, error);
    l->select = rct_pool_take(pool, m, sizeof *l->select, error);
    return !pool->failed;
}

/* Random numbers, the same each time, so that symmetry hides no mode. */
static void scatter(double *x, int64_t n)
{
    uint64_t state = 1;
    for (int64_t i = 0; i < n; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        x[i] = (double)(int64_t)(state >> 11) * 0x1p-52 - 1.0;
    }
}

/* Give ARPACK the product that it asks for. */
static void answer(const rct_pencil *p, lanczos *l)
{
    double *x = l->workd + l->ipntr[0] - 1, *y = l->workd + l->ipntr[1] - 1;
    if (l->ido == 1) { /* M x is known */
        p->solve(p->context, l->workd + l->ipntr[2] - 1, y);
        return;
    }
    p->mass(p->context, x, y);
    if (l->ido == -1) {
        p->solve(p->context, y, y);
    }
}

static rct_status judge(const lanczos *l, const char *routine, rct_error *error)
{
    return l->info == 0
               ? RCT_OK
               : rct_fail(error, RCT_ERROR_DIVERGED,
                          "ARPACK does not find %d eigenvalues (%s returns %d%s); ask for fewer",
                          (int)l->wanted, routine, (int)l->info,
                          l->info == 1 ? ", after all its restarts" : "");
}

static rct_status iterate(const rct_pencil *p, lanczos *l, double *vectors, rct_error *error)
{
    static const char largest[] = "LA";
    l->info = 1; /* the start vector is given */
    l->iparam[0] = 1;
    l->iparam[2] = MOST_RESTARTS;
    l->iparam[3] = 1;
    l->iparam[6] = 3; /* shift and invert */
    scatter(l->start, l->n);
    do {
        dsaupd_c(&l->ido, "G", l->n, largest, l->wanted, 0.0, l->start, l->vectors, l->basis, l->n,
                 l->iparam, l->ipntr, l->workd, l->workl, l->work_size, &l->info);
        if (l->ido != 99) {
            answer(p, l);
        }
    } while (l->ido != 99);
    const rct_status status = judge(l, "dsaupd", error);
    if (status != RCT_OK) {
        return status;
    }
    dseupd_c(1, "A", l->select, l->theta, vectors, l->n, 0.0, "G", l->n, largest, l->wanted, 0.0,
             l->start, l->vectors, l->basis, l->n, l->iparam, l->ipntr, l->workd, l->workl,
             l->work_size, &l->info);
    return judge(l, "dseupd", error);
}

static rct_status next_above(const rct_pencil *p, int32_t wanted, double *vectors, rct_error *error)
{
    if (p->n <= DENSE || p->n < 3 * (int64_t)wanted) {
        return solve_all(p, wanted, vectors, error);
    }
    const int64_t many = 2 * (int64_t)wanted + MORE_VECTORS;
    rct_pool pool = {.what = what};
    lanczos l = {.n = (a_int)p->n, .wanted = wanted, .vectors = (a_int)(many < p->n ? many : p->n)};
    rct_status status = RCT_ERROR_MEMORY;
    if (take_room(&l, &pool, error)) {
        pthread_mutex_lock(&one_at_a_time);
        status = iterate(p, &l, vectors, error);
        pthread_mutex_unlock(&one_at_a_time);
    }
    rct_pool_empty(&pool);
    return status;
}

static const rct_eigensolver table = {.next_above = next_above};

__attribute__((visibility("default"))) extern const rct_plugin rct_plugin_exported;
const rct_plugin rct_plugin_exported = {
    .identity = RCT_EIGENSOLVER_IDENTITY, .build = rct_build, .table = &table};
