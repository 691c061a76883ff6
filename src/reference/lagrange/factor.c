/* LU factors in double of the matrix of a system of equations. Dense: partial pivoting by LAPACK
 * or an accelerator. Sparse: algebra/sparse_system.h. The caller refines in quadruple precision.
 * A matrix scaled to entries of about 1 with a pivot below `least_pivot` of the largest is
 * singular to rounding: refinement could not tell its solution from noise. */
#include "reference/lagrange/equations.h"

#include "backend/plugin.h"
#include "core/error.h"

#include <riccatree/solver.h>

#include <inttypes.h>
#include <lapacke.h>
#include <math.h>

/* Up to this size (40 bodies of 9 unknowns) the dense factorization is faster. */
enum { DENSE_SIZE = 360 };

/* Up to this size (3,640 bodies and 8 GB) an accelerator is used. */
enum { ACCELERATOR_SIZE = 32760 };

static const double least_pivot = 1e-15;

static rct_status singular(rct_error *error)
{
    return rct_fail(error, RCT_ERROR_SINGULAR,
                    "the accelerations are undetermined: the Lagrangian matrix is singular; give "
                    "every body inertia about every axis through its hinge point");
}

static rct_status fill_dense(rct_factor *factor, const rct_equations *equations, rct_error *error)
{
    const int64_t n = factor->size;
    factor->dense = rct_pool_take(&factor->pool, n * n, sizeof *factor->dense, error);
    for (int64_t e = 0; factor->dense != NULL && e < equations->count; e++) {
        factor->dense[equations->row[e] + n * equations->column[e]] = (double)equations->value[e];
    }
    return factor->dense != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

/* Whether no pivot vanishes to rounding. */
static rct_status check_pivots(const rct_factor *factor, rct_error *error)
{
    const int64_t n = factor->size;
    double least = INFINITY;
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++) {
        least = fmin(least, fabs(factor->dense[i + n * i]));
        largest = fmax(largest, fabs(factor->dense[i + n * i]));
    }
    return least > least_pivot * largest ? RCT_OK : singular(error);
}

static rct_status factor_dense(rct_factor *factor, const rct_equations *equations, rct_error *error)
{
    factor->pivots = rct_pool_take(&factor->pool, factor->size, sizeof(lapack_int), error);
    if (factor->pivots == NULL || fill_dense(factor, equations, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    const lapack_int n = (lapack_int)factor->size; /* the check below finds a zero pivot */
    LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, factor->dense, n, factor->pivots);
    return check_pivots(factor, error);
}

/* The operations of the first backend that runs here and has them. NULL: RCT_ERROR_UNSUPPORTED,
 * with the reason. */
static const rct_dense_operations *find_accelerator(rct_error *error)
{
    const int32_t identity[] = RCT_BACKEND_IDENTITY;
    const int32_t count = rct_backend_count();
    rct_backend_info missing = {.name = "", .reason = NULL};
    for (int32_t i = 0; i < count; i++) {
        rct_backend_info info;
        const char *none;
        rct_backend_describe(i, &info, NULL);
        const rct_backend *backend =
            info.available ? rct_plugin_open(info.name, identity, RCT_PLUGIN_LOCAL, &none) : NULL;
        if (backend != NULL && backend->dense != NULL) {
            return backend->dense;
        }
        if (missing.reason == NULL && info.reason != NULL) {
            missing = info;
        }
    }
    rct_fail(
        error, RCT_ERROR_UNSUPPORTED,
        "no accelerator for dense systems: %s%s%s; use the reference lagrange, which needs none",
        missing.name, missing.reason != NULL ? " cannot run here: " : "",
        missing.reason != NULL ? missing.reason : "");
    return NULL;
}

static rct_status factor_on_accelerator(rct_factor *factor, const rct_equations *equations,
                                        rct_error *error)
{
    if (factor->size > ACCELERATOR_SIZE) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "%" PRId64 " unknowns are too many for a dense matrix, which has at most "
                        "%d; use a smaller model, or the reference lagrange",
                        factor->size, (int)ACCELERATOR_SIZE);
    }
    factor->accelerator = find_accelerator(error);
    if (factor->accelerator == NULL) {
        return RCT_ERROR_UNSUPPORTED;
    }
    rct_status status = fill_dense(factor, equations, error);
    if (status == RCT_OK) {
        factor->held =
            factor->accelerator->factor(factor->dense, (int32_t)factor->size, &status, error);
    }
    return status == RCT_OK ? check_pivots(factor, error) : status;
}

/* Uses the upper triangle of the symmetric matrix. */
static rct_status factor_sparse(rct_factor *factor, const rct_equations *equations,
                                rct_error *error)
{
    const int64_t count = equations->count;
    rct_pool pool = {.what = "a sparse matrix"};
    int64_t *row = rct_pool_take(&pool, count, sizeof *row, error);
    int64_t *column = rct_pool_take(&pool, count, sizeof *column, error);
    double *value = rct_pool_take(&pool, count, sizeof *value, error);
    rct_status status = RCT_ERROR_MEMORY;
    if (!pool.failed) {
        rct_sparse_places places = {
            .what = "the Lagrangian matrix", .size = factor->size, .row = row, .column = column};
        for (int64_t e = 0; e < count; e++) {
            if (equations->row[e] <= equations->column[e]) {
                row[places.count] = equations->row[e];
                column[places.count] = equations->column[e];
                value[places.count++] = (double)equations->value[e];
            }
        }
        factor->sparse = rct_sparse_system_create(&places, error);
        status = factor->sparse != NULL ? rct_sparse_system_factor(factor->sparse, value, error)
                                        : RCT_ERROR_MEMORY;
    }
    rct_pool_empty(&pool);
    if (status == RCT_ERROR_SINGULAR ||
        (status == RCT_OK && !(rct_sparse_system_least_pivot(factor->sparse) > least_pivot))) {
        status = singular(error);
    }
    return status;
}

rct_status rct_factor_make(rct_factor *factor, const rct_equations *equations,
                           rct_factorization factorization, rct_error *error)
{
    *factor = (rct_factor){.size = equations->size, .pool = {.what = "a dense matrix"}};
    if (factorization == RCT_FACTORIZATION_ACCELERATOR) {
        return factor_on_accelerator(factor, equations, error);
    }
    const int dense = factorization == RCT_FACTORIZATION_DENSE ||
                      (factorization == RCT_FACTORIZATION_AUTO && equations->size <= DENSE_SIZE);
    return (dense ? factor_dense : factor_sparse)(factor, equations, error);
}

void rct_factor_free(rct_factor *factor)
{
    rct_sparse_system_free(factor->sparse);
    if (factor->held != NULL) {
        factor->accelerator->destroy(factor->held);
    }
    rct_pool_empty(&factor->pool);
}

rct_status rct_factor_solve(rct_factor *factor, double *x, rct_error *error)
{
    if (factor->held != NULL) {
        return factor->accelerator->solve(factor->held, x, error);
    }
    if (factor->dense != NULL) {
        const lapack_int n = (lapack_int)factor->size;
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, factor->dense, n, factor->pivots, x, n);
        return RCT_OK;
    }
    rct_sparse_system_solve(factor->sparse, x);
    return RCT_OK;
}
