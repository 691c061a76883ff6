/* LU factors in double of the matrix of a system of equations. Dense: LAPACK's partial pivoting, or that
 * of an accelerator.
 * Sparse: UMFPACK, whose own refinement is off because the caller refines in quadruple precision;
 * its unsymmetric ordering, since the symmetric one took 7.5 s instead of 0.1 s on a chain of
 * 30,000 bodies, with the same fill of about 50 entries a body in each factor. A matrix scaled to
 * entries of about 1 with a pivot below `least_pivot` of the largest is singular to rounding:
 * refinement could not tell its solution from noise. */
#include "reference/factor.h"

#include "backend/dense.h"
#include "core/error.h"
#include "core/memory.h"

#include <inttypes.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>
#include <umfpack.h>

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
    int64_t *start; /* [size + 1] first entry of each column                                */
    int64_t *row;   /* [entries]                                                            */
    double *value;  /* [entries]                                                            */
    double *work;   /* [size] right-hand side of the sparse solve                           */
    void *numeric;  /* UMFPACK's factors                                                    */
    double control[UMFPACK_CONTROL];
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
    factor->dense = rct_allocate(n * n, sizeof *factor->dense, "a dense matrix", error);
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
    factor->pivots = rct_allocate(factor->size, sizeof *factor->pivots, "pivots", error);
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
    factor->accelerator = rct_dense_find(error);
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

static rct_status sparse_status(int64_t umfpack, rct_error *error)
{
    switch (umfpack) {
    case UMFPACK_OK: return RCT_OK;
    case UMFPACK_WARNING_singular_matrix: return singular(error);
    default:
        return rct_fail(error, RCT_ERROR_MEMORY,
                        "out of memory: the sparse factorization (UMFPACK) returned %d; make the "
                        "model smaller or free memory",
                        (int)umfpack);
    }
}

/* The entries by columns, as UMFPACK wants them. */
static rct_status sort_by_columns(rct_factor *factor, const rct_equations *equations,
                                  rct_error *error)
{
    const int64_t count = equations->count;
    factor->start = rct_allocate(factor->size + 1, sizeof(int64_t), "a sparse matrix", error);
    factor->row = rct_allocate(count, sizeof(int64_t), "a sparse matrix", error);
    factor->value = rct_allocate(count, sizeof(double), "a sparse matrix", error);
    factor->work = rct_allocate(factor->size, sizeof(double), "a right-hand side", error);
    double *rounded = rct_allocate(count, sizeof *rounded, "a sparse matrix", error);
    rct_status status = RCT_ERROR_MEMORY;
    if (factor->start != NULL && factor->row != NULL && factor->value != NULL &&
        factor->work != NULL && rounded != NULL) {
        for (int64_t e = 0; e < count; e++) {
            rounded[e] = (double)equations->value[e];
        }
        status = sparse_status(umfpack_dl_triplet_to_col(factor->size, factor->size, count,
                                                         equations->row, equations->column, rounded,
                                                         factor->start, factor->row, factor->value,
                                                         NULL),
                               error);
    }
    rct_release(rounded);
    return status;
}

static rct_status factor_sparse(rct_factor *factor, const rct_equations *equations,
                                rct_error *error)
{
    rct_status status = sort_by_columns(factor, equations, error);
    if (status != RCT_OK) {
        return status;
    }
    const int64_t n = factor->size;
    double info[UMFPACK_INFO] = {0.0};
    umfpack_dl_defaults(factor->control);
    factor->control[UMFPACK_IRSTEP] = 0.0;
    factor->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC;
    void *symbolic = NULL;
    status = sparse_status(umfpack_dl_symbolic(n, n, factor->start, factor->row, factor->value,
                                               &symbolic, factor->control, info),
                           error);
    if (status == RCT_OK) {
        status =
            sparse_status(umfpack_dl_numeric(factor->start, factor->row, factor->value, symbolic,
                                             &factor->numeric, factor->control, info),
                          error);
    }
    umfpack_dl_free_symbolic(&symbolic);
    if (status == RCT_OK && !(info[UMFPACK_RCOND] > least_pivot)) {
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
        if (factor->numeric != NULL) {
            umfpack_dl_free_numeric(&factor->numeric);
        }
        if (factor->held != NULL) {
            factor->accelerator->destroy(factor->held);
        }
        rct_release(factor->work);
        rct_release(factor->value);
        rct_release(factor->row);
        rct_release(factor->start);
        rct_release(factor->pivots);
        rct_release(factor->dense);
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
    memcpy(factor->work, x, (size_t)factor->size * sizeof *x);
    return sparse_status(umfpack_dl_solve(UMFPACK_A, factor->start, factor->row, factor->value, x,
                                          factor->work, factor->numeric, factor->control, NULL),
                         error);
}
