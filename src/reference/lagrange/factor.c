/* LU factors in double of the matrix of a system of equations. Dense: LAPACK's partial pivoting, or that
 * of an accelerator.
 * Sparse: algebra/sparse_system.h. The caller refines in quadruple precision. A matrix scaled to
 * entries of about 1 with a pivot below `least_pivot` of the largest is singular to rounding:
 * refinement could not tell its solution from noise. */
#include "reference/lagrange/factor.h"

#include "algebra/sparse_system.h"
#include "core/error.h"
#include "core/memory.h"
#include "reference/lagrange/accelerator.h"

#include <inttypes.h>
#include <lapacke.h>
#include <math.h>

/* Up to here (40 bodies of 9 unknowns) the dense factorization is the quicker one. */
enum { DENSE_SIZE = 360 };

/* And up to here, 3,640 bodies and 8 GB, an accelerator is asked. */
enum { ACCELERATOR_SIZE = 32760 };

static const double least_pivot = 1e-15;

struct rct_factor {
    int64_t size;
    double *dense;      /* [size][size] by columns, or NULL: sparse                             */
    lapack_int *pivots; /* [size]                                                               */
    const rct_dense_operations *accelerator; /* of `held`, the same factors; NULL: none          */
    rct_dense *held;
    rct_sparse_system *sparse;
    rct_pool pool;
};

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
    factor->pivots = rct_pool_take(&factor->pool, factor->size, sizeof *factor->pivots, error);
    if (factor->pivots == NULL || fill_dense(factor, equations, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    const lapack_int n = (lapack_int)factor->size; /* a pivot that is zero shows below */
    LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, factor->dense, n, factor->pivots);
    return check_pivots(factor, error);
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
    factor->accelerator = rct_accelerator_find(error);
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

/* Of the symmetric matrix the upper triangle. */
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

rct_factor *rct_factor_create(const rct_equations *equations, rct_factorization factorization,
                              rct_status *status, rct_error *error)
{
    rct_factor *factor = rct_allocate(1, sizeof *factor, "a factorization", error);
    if (factor == NULL) {
        *status = RCT_ERROR_MEMORY;
        return NULL;
    }
    factor->pool.what = "a dense matrix";
    factor->size = equations->size;
    const int dense = factorization == RCT_FACTORIZATION_DENSE ||
                      (factorization == RCT_FACTORIZATION_AUTO && equations->size <= DENSE_SIZE);
    if (factorization == RCT_FACTORIZATION_ACCELERATOR) {
        *status = factor_on_accelerator(factor, equations, error);
    } else if (dense) {
        *status = factor_dense(factor, equations, error);
    } else {
        *status = factor_sparse(factor, equations, error);
    }
    if (*status != RCT_OK) {
        rct_factor_free(factor);
        return NULL;
    }
    return factor;
}

void rct_factor_free(rct_factor *factor)
{
    if (factor != NULL) {
        rct_sparse_system_free(factor->sparse);
        if (factor->held != NULL) {
            factor->accelerator->destroy(factor->held);
        }
        rct_pool_empty(&factor->pool);
        rct_release(factor);
    }
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
