/* Closures that may depend on one another, dense (seed 004, appendix): with B = N^-1 J* (columns.h)
 * the least y of B* y = -gap and the least lambda of B lambda = y, by either factorization,
 *
 *     svd   B = V S W*                    y = V S^-1 W* (-gap)            lambda = W S^-2 W* (-gap)     
 *     qr    B P = Q (T* 0; 0 0) Z*        y = Q1 T^-1 Z1* P* (-gap)       lambda = P Z1 T^-* Q1* y      
 *
 * Both begin with a QR factorization with pivots, B P = Q R. svd continues with R* = W S U*, V = Q
 * U, which rotations find quickly once columns are in order. qr continues, where rows depend on one
 * another, with a QR factorization of the regular part of R*, so that T is triangular and regular.
 * Both give the Moore-Penrose inverse of B*, so a gap on which closures contradict one another is
 * met in the sense of least squares. */
#include "algebra/dense.h"
#include "closure/columns.h"
#include "core/error.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Singular values, or pivots, below this part of the largest count as zero. */
static const double least_value = 1e-10;

/* So do those within rounding of the numbers of B. */
static const double rounding = 1e-13;

/* The most bytes of the matrices of a factorization; vectors are small beside them. */
static const int64_t most_bytes = INT64_C(1) << 30;

typedef struct dense {
    rct_closure_work base;
    rct_closure_columns columns;
    int32_t rates, rows, least; /* the smaller of the two */
    int32_t rank, closed;       /* `closed`: of the last state that was not open */
    double *B;                  /* [rows][rates] and its factors: Q and R */
    double *tau;                /* [least] of Q */
    int32_t *order;             /* [rows] P */
    double *right;              /* [least][rows] svd: W S in the order of rows; qr: T and Z */
    double *values;             /* [least] svd: S; qr: of Z */
    double *left;               /* [least][least] svd: U */
    double *y;                  /* [rates] */
    double *gap;                /* [rows] as the factors take it */
    double *work;               /* [rct_dense_qr_work] */
} dense;

/* ---- room --------------------------------------------------------------------------------- */

static void *create(const rct_closures *closures, rct_error *error)
{
    return rct_closure_work_create(closures, sizeof(dense), "closures, dense", NULL, error);
}

/* Refuses before anything is allocated, so that sizes fit 32 bits. */
static rct_status check_size(const rct_closure_problem *problem, int with_left, rct_error *error)
{
    const int64_t rates = problem->tree->first[problem->tree->n], rows = problem->rows->count;
    const double least = (double)(rates < rows ? rates : rows);
    const double count = (double)rates * (double)rows + least * (double)rows + /* B, right */
                         (with_left ? least * least : 0.0);
    const double size = count * sizeof(double);
    if (size <= (double)most_bytes) {
        return RCT_OK;
    }
    return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                    "%" PRId64 " constraints of loops on %" PRId64
                    " rates take %.2f GiB in dense matrices, and svd and qr take at most 1 GiB: "
                    "close the loops by admittance, or by multipliers",
                    rows, rates, size / (double)most_bytes);
}

static rct_status make(dense *d, int with_left, rct_error *error)
{
    const rct_closure_problem *problem = &d->base.problem;
    const int64_t one = sizeof(double);
    rct_pool *pool = &d->base.pool;
    const rct_status status = check_size(problem, with_left, error);
    if (status != RCT_OK) {
        return status;
    }
    d->rates = (int32_t)problem->tree->first[problem->tree->n];
    d->rows = problem->rows->count;
    d->least = d->rates < d->rows ? d->rates : d->rows;
    d->closed = d->least;
    const int64_t least = d->least, rows = d->rows;
    const int64_t first = rct_dense_qr_work(d->rates, rows),
                  second = rct_dense_qr_work(rows, least);
    d->B = rct_pool_take(pool, rows * d->rates, one, error);
    d->tau = rct_pool_take(pool, least, one, error);
    d->order = rct_pool_take(pool, rows, sizeof *d->order, error);
    d->right = rct_pool_take(pool, least * rows, one, error);
    d->values = rct_pool_take(pool, least, one, error);
    d->left = rct_pool_take(pool, with_left ? least * least : 0, one, error);
    d->y = rct_pool_take(pool, d->rates, one, error);
    d->gap = rct_pool_take(pool, rows, one, error);
    d->work = rct_pool_take(pool, first > second ? first : second, one, error);
    rct_closure_columns_create(&d->columns, problem, pool, error);
    return pool->failed ? RCT_ERROR_MEMORY : RCT_OK;
}

static rct_status make_svd(void *work, rct_error *error)
{
    return make(work, 1, error);
}

static rct_status make_qr(void *work, rct_error *error)
{
    return make(work, 0, error);
}

static rct_dense_view factors(const dense *d)
{
    return rct_dense_columns(d->B, d->rates, d->rows, d->rates);
}

/* B P = Q R in a state; values below `floor` count as zero. */
static rct_status factor_rows(dense *d, double *floor, rct_error *error)
{
    double sum = 0.0;
    rct_closure_columns_write(&d->columns, d->B);
    for (int64_t i = 0; i < (int64_t)d->rows * d->rates; i++) {
        sum += d->B[i];
    }
    if (!isfinite(sum)) {
        return rct_closure_not_finite(error);
    }
    *floor = rounding * rct_closure_columns_size(&d->columns);
    rct_dense_qr(factors(d), d->tau, d->order, d->work);
    return RCT_OK;
}

/* The first `count` rows of R transposed, in the order of rows given by `order`; NULL: in that of
 * R. */
static rct_dense_view turn_R(const dense *d, int32_t count, const int32_t *order)
{
    memset(d->right, 0, (size_t)count * (size_t)d->rows * sizeof *d->right);
    for (int32_t j = 0; j < d->rows; j++) {
        const int64_t to = order != NULL ? order[j] : j;
        for (int32_t k = 0; k <= j && k < count; k++) {
            d->right[(int64_t)k * d->rows + to] = d->B[(int64_t)j * d->rates + k];
        }
    }
    return rct_dense_columns(d->right, d->rows, count, d->rows);
}

static void solve_nothing(const dense *d, double *lambda, double *change)
{
    memset(lambda, 0, (size_t)d->rows * sizeof *lambda);
    memset(change, 0, (size_t)d->rates * sizeof *change);
}

/* The change from y, and the part left of the gap. */
static void finish(dense *d, const double *gap, double *change, rct_closure_report *report)
{
    rct_operator_outward(d->base.problem.operators, 1, d->y, change);
    rct_closure_columns_report(&d->columns, gap, change, report);
}

/* ---- svd ---------------------------------------------------------------------------------- */

/* The row that depends most on the others: of all e_j its part in the span of W is the least. */
static int32_t least_own(const dense *d)
{
    int32_t found = -1;
    double least = INFINITY;
    for (int32_t j = 0; j < d->rows && d->rank < d->rows; j++) {
        double own = 0.0;
        for (int32_t k = 0; k < d->rank; k++) {
            const double w = d->right[(int64_t)k * d->rows + j] / d->values[k];
            own += w * w;
        }
        if (own < least) {
            least = own;
            found = j;
        }
    }
    return found;
}

static rct_status svd_factor(void *work, const rct_closure_problem *problem,
                             rct_closure_report *report, rct_error *error)
{
    dense *d = work;
    double floor = 0.0;
    rct_status status = rct_closure_work_take(work, problem, make_svd, error);
    RCT_THEN(status, factor_rows(d, &floor, error));
    if (status != RCT_OK) {
        return status;
    }
    rct_dense_singular_values(turn_R(d, d->least, d->order), d->values,
                              rct_dense_columns(d->left, d->least, d->least, d->least));
    int32_t rank = 0;
    while (rank < d->least && d->values[rank] > fmax(floor, least_value * d->values[0])) {
        rank++;
    }
    report->rank = d->rank = rct_closure_rank(problem->open, rank, &d->closed);
    report->dependent = least_own(d);
    return RCT_OK;
}

static rct_status svd_solve(void *work, const double *gap, double *lambda, double *change,
                            rct_closure_report *report, rct_error *error)
{
    dense *d = work;
    (void)error;
    solve_nothing(d, lambda, d->y);
    for (int32_t k = 0; k < d->rank; k++) {
        const double *w = d->right + (int64_t)k * d->rows; /* times S */
        const double *u = d->left + (int64_t)k * d->least;
        const double value = d->values[k];
        const double along = -rct_dense_dot(d->rows, w, 1, gap, 1) / value / value;
        for (int32_t i = 0; i < d->least; i++) {
            d->y[i] += u[i] * along;
        }
        for (int32_t j = 0; j < d->rows; j++) {
            lambda[j] += w[j] / value * along / value;
        }
    }
    rct_dense_apply_q(factors(d), d->tau, d->rank > 0 ? d->least : 0, 0, d->y);
    finish(d, gap, change, report);
    return RCT_OK;
}

/* ---- qr ----------------------------------------------------------------------------------- */

static rct_status qr_factor(void *work, const rct_closure_problem *problem,
                            rct_closure_report *report, rct_error *error)
{
    dense *d = work;
    double floor = 0.0;
    rct_status status = rct_closure_work_take(work, problem, make_qr, error);
    RCT_THEN(status, factor_rows(d, &floor, error));
    if (status != RCT_OK) {
        return status;
    }
    const int64_t next = (int64_t)d->rates + 1; /* on the diagonal of R */
    int32_t rank = 0;
    while (rank < d->least && fabs(d->B[rank * next]) > fmax(floor, least_value * fabs(d->B[0]))) {
        rank++;
    }
    report->rank = d->rank = rct_closure_rank(problem->open, rank, &d->closed);
    rct_dense_qr(turn_R(d, d->rank, NULL), d->values, NULL, d->work);
    report->dependent = d->rank == d->rows ? -1 : d->order[d->rank];
    return RCT_OK;
}

static rct_status qr_solve(void *work, const double *gap, double *lambda, double *change,
                           rct_closure_report *report, rct_error *error)
{
    dense *d = work;
    const int32_t rank = d->rank;
    const rct_dense_view Z = rct_dense_columns(d->right, d->rows, rank, d->rows);
    const rct_dense_view T = rct_dense_part(Z, 0, 0, rank, rank);
    const rct_dense_view given = rct_dense_columns(d->gap, rank, 1, rank);
    (void)error;
    solve_nothing(d, lambda, d->y);
    for (int32_t j = 0; j < d->rows; j++) {
        d->gap[j] = -gap[d->order[j]];
    }
    rct_dense_apply_q(Z, d->values, rank, 1, d->gap);
    rct_dense_backward(T, given);
    memcpy(d->y, d->gap, (size_t)rank * sizeof *d->y);
    rct_dense_apply_q(factors(d), d->tau, rank, 0, d->y);
    rct_dense_forward(rct_dense_turned(T), given);
    memset(d->gap + rank, 0, (size_t)(d->rows - rank) * sizeof *d->gap);
    rct_dense_apply_q(Z, d->values, rank, 0, d->gap);
    for (int32_t j = 0; j < d->rows; j++) {
        lambda[d->order[j]] = d->gap[j];
    }
    finish(d, gap, change, report);
    return RCT_OK;
}

/* ---- the methods -------------------------------------------------------------------------- */

const rct_closure_method rct_closure_svd = {.name = "svd",
                                            .by_values = 1,
                                            .create = create,
                                            .destroy = rct_closure_work_destroy,
                                            .bytes = rct_closure_work_bytes,
                                            .factor = svd_factor,
                                            .solve = svd_solve};

const rct_closure_method rct_closure_qr = {.name = "qr",
                                           .by_values = 1,
                                           .create = create,
                                           .destroy = rct_closure_work_destroy,
                                           .bytes = rct_closure_work_bytes,
                                           .factor = qr_factor,
                                           .solve = qr_solve};
