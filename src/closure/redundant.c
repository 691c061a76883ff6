/* Closures that may depend on one another, dense (seed 004, appendix): with B = N^-1 J* (columns.h) the least y of
 * B* y = -gap and the least lambda of B lambda = y, by either factorization,
 *
 *     svd   B = V S W*                    y = V S^-1 W* (-gap)            lambda = W S^-2 W* (-gap)     
 *     qr    B P = Q (T 0; 0 0) Z          y = Q1 T^-* Z1 P* (-gap)        lambda = P Z1* T^-1 Q1* y     
 *
 * the second a QR factorization with pivots and, where rows depend on one another, one of R* more, so that T is
 * triangular and regular. Both are the Moore-Penrose inverse of B*, so that a gap that closures contradict one another
 * on is met in the sense of least squares. */
#include "closure/columns.h"
#include "core/error.h"
#include "core/memory.h"

#include <inttypes.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Singular values, or pivots, below this part of the largest are none. */
static const double least_value = 1e-10;

/* Nor are those that are rounding of what B is made of. */
static const double rounding = 1e-13;

/* The most that a factorization may take. */
static const int64_t most_bytes = INT64_C(1) << 30;

typedef struct dense {
    int64_t version; /* of the rows that the sizes are for; 0: none yet                          */
    rct_closure_problem problem;
    rct_closure_columns columns;
    lapack_int rates, rows, least; /* least of the two                                           */
    lapack_int rank;
    double *B;      /* [rows][rates] and its factors: Q and R, T and Z                           */
    double *y;      /* [rates]                                                                   */
    double *gap;    /* [rows] as the factors see it                                              */
    double *values; /* [least] svd: S                                                            */
    double *left;   /* [least][rates] svd: V                                                     */
    double *right;  /* [rows][least] svd: W*, by columns                                         */
    double *tau;    /* [least] qr: Householder vectors of Q                                      */
    double *tilted; /* [least] qr: of Z                                                          */
    lapack_int *order; /* svd: [8 least] work; qr: [rows] P                                      */
    double *work;      /* [work_size] LAPACK's                                                   */
    lapack_int work_size;
    int64_t bytes;
} dense;

/* ---- room --------------------------------------------------------------------------------- */

static void *create(const rct_closures *closures, rct_error *error)
{
    (void)closures; /* sized by the first factorization */
    return rct_allocate(1, sizeof(dense), "closures", error);
}

static void release(dense *d)
{
    rct_closure_columns_free(&d->columns);
    rct_release(d->B);
    rct_release(d->y);
    rct_release(d->gap);
    rct_release(d->values);
    rct_release(d->left);
    rct_release(d->right);
    rct_release(d->tau);
    rct_release(d->tilted);
    rct_release(d->order);
    rct_release(d->work);
    memset(d, 0, sizeof *d);
}

static void destroy(void *work)
{
    if (work != NULL) {
        release(work);
        rct_release(work);
    }
}

static int64_t bytes(const void *work)
{
    return (int64_t)sizeof(dense) + ((const dense *)work)->bytes;
}

/* Refused before anything is allocated, so that sizes fit lapack_int. */
static rct_status check_size(const rct_closure_problem *problem, int64_t matrices, rct_error *error)
{
    const int64_t rates = problem->tree->first[problem->tree->n], rows = problem->rows->count;
    const double size = (double)matrices * (double)rates * (double)rows * sizeof(double);
    if (size <= (double)most_bytes) {
        return RCT_OK;
    }
    return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                    "%" PRId64 " constraints of loops on %" PRId64
                    " rates take %.1f GiB as a dense "
                    "matrix, and svd and qr at most 1 GiB: close the loops by admittance, or by "
                    "multipliers",
                    rows, rates, size / (double)most_bytes);
}

static void *numbers(dense *d, int64_t count, int64_t size, int *whole, rct_error *error)
{
    void *memory = *whole ? rct_allocate(count, size, "closures, dense", error) : NULL;
    d->bytes += count * size;
    *whole = memory != NULL;
    return memory;
}

/* What both need. */
static int begin(dense *d, const rct_closure_problem *problem, rct_error *error)
{
    const int64_t one = sizeof(double);
    int whole = 1;
    release(d);
    d->rates = (lapack_int)problem->tree->first[problem->tree->n];
    d->rows = problem->rows->count;
    d->least = d->rates < d->rows ? d->rates : d->rows;
    d->B = numbers(d, (int64_t)d->rows * d->rates, one, &whole, error);
    d->y = numbers(d, d->rates, one, &whole, error);
    d->gap = numbers(d, d->rows, one, &whole, error);
    return whole && rct_closure_columns_create(&d->columns, problem, &d->bytes, error) == RCT_OK;
}

/* B in a state, and below what values are none: returned; NAN where B is not finite. */
static double write(dense *d, const rct_closure_problem *problem)
{
    double sum = 0.0;
    d->problem = *problem;
    rct_closure_columns_write(&d->columns, problem, d->B);
    for (int64_t i = 0; i < (int64_t)d->rows * d->rates; i++) {
        sum += d->B[i];
    }
    const double least = rounding * rct_closure_columns_size(&d->columns, problem);
    return isfinite(sum) ? least : NAN;
}

static rct_status not_finite(rct_error *error)
{
    return rct_fail(error, RCT_ERROR_DIVERGED,
                    "the constraints of loops are no longer finite: the state has grown beyond "
                    "all bounds; take smaller steps");
}

static void solve_nothing(const dense *d, double *lambda, double *change)
{
    memset(lambda, 0, (size_t)d->rows * sizeof *lambda);
    memset(change, 0, (size_t)d->rates * sizeof *change);
}

/* change of y, and what is left of the gap */
static void finish(dense *d, const double *gap, double *change, rct_closure_report *report)
{
    rct_operator_outward(d->problem.operators, 1, d->y, change);
    rct_closure_columns_report(&d->columns, &d->problem, gap, change, report);
}

/* ---- svd ---------------------------------------------------------------------------------- */

static lapack_int decompose(dense *d, double *work, lapack_int size)
{
    return LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'S', d->rates, d->rows, d->B, d->rates, d->values,
                               d->left, d->rates, d->right, d->least, work, size, d->order);
}

static rct_status svd_resize(dense *d, const rct_closure_problem *problem, rct_error *error)
{
    const int64_t one = sizeof(double);
    rct_status status = check_size(problem, 2, error);
    if (status != RCT_OK) {
        return status;
    }
    int whole = begin(d, problem, error);
    double best = 0.0;
    d->values = numbers(d, d->least, one, &whole, error);
    d->left = numbers(d, (int64_t)d->least * d->rates, one, &whole, error);
    d->right = numbers(d, (int64_t)d->rows * d->least, one, &whole, error);
    d->order = numbers(d, 8 * (int64_t)d->least, sizeof *d->order, &whole, error);
    if (whole && d->least > 0) {
        decompose(d, &best, -1);
    }
    d->work_size = (lapack_int)best;
    d->work = numbers(d, d->work_size, one, &whole, error);
    d->version = whole ? problem->rows->version : 0;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* The row that the others say most of: of e_j the part in the span of W is the least. */
static int32_t least_own(const dense *d)
{
    int32_t found = -1;
    double least = INFINITY;
    for (lapack_int j = 0; j < d->rows && d->rank < d->rows; j++) {
        double own = 0.0;
        for (lapack_int k = 0; k < d->rank; k++) {
            const double w = d->right[k + (int64_t)j * d->least];
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
    if (d->version != problem->rows->version) {
        const rct_status status = svd_resize(d, problem, error);
        if (status != RCT_OK) {
            return status;
        }
    }
    const double floor = write(d, problem);
    if (isnan(floor) || (d->least > 0 && decompose(d, d->work, d->work_size) != 0)) {
        return not_finite(error);
    }
    d->rank = 0;
    while (d->rank < d->least && d->values[d->rank] > fmax(floor, least_value * d->values[0])) {
        d->rank++;
    }
    report->rank = d->rank;
    report->dependent = least_own(d);
    return RCT_OK;
}

static rct_status svd_solve(void *work, const double *gap, double *lambda, double *change,
                            rct_closure_report *report, rct_error *error)
{
    dense *d = work;
    (void)error;
    solve_nothing(d, lambda, d->y);
    for (lapack_int k = 0; k < d->rank; k++) {
        const double *w = d->right + k, *v = d->left + (int64_t)k * d->rates;
        double along = 0.0;
        for (lapack_int j = 0; j < d->rows; j++) {
            along -= w[(int64_t)j * d->least] * gap[j];
        }
        along /= d->values[k];
        for (lapack_int i = 0; i < d->rates; i++) {
            d->y[i] += v[i] * along;
        }
        for (lapack_int j = 0; j < d->rows; j++) {
            lambda[j] += w[(int64_t)j * d->least] * along / d->values[k];
        }
    }
    finish(d, gap, change, report);
    return RCT_OK;
}

/* ---- qr ----------------------------------------------------------------------------------- */

static void pivot(dense *d, double *work, lapack_int size)
{
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, d->rates, d->rows, d->B, d->rates, d->order, d->tau, work,
                        size);
}

/* (R11 R12) = (T 0) Z, of the first `rank` rows. */
static void tilt(dense *d, lapack_int rank, double *work, lapack_int size)
{
    LAPACKE_dtzrzf_work(LAPACK_COL_MAJOR, rank, d->rows, d->B, d->rates, d->tilted, work, size);
}

static void apply_q(const dense *d, lapack_int rank, double *y, double *work, lapack_int size)
{
    LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', d->rates, 1, rank, d->B, d->rates, d->tau, y,
                        d->rates, work, size);
}

static void apply_z(const dense *d, char transposed, lapack_int rank, double *x, double *work,
                    lapack_int size)
{
    LAPACKE_dormrz_work(LAPACK_COL_MAJOR, 'L', transposed, d->rows, 1, rank, d->rows - rank, d->B,
                        d->rates, d->tilted, x, d->rows, work, size);
}

static rct_status qr_resize(dense *d, const rct_closure_problem *problem, rct_error *error)
{
    const int64_t one = sizeof(double);
    rct_status status = check_size(problem, 1, error);
    if (status != RCT_OK) {
        return status;
    }
    int whole = begin(d, problem, error);
    double best[4] = {0.0};
    d->tau = numbers(d, d->least, one, &whole, error);
    d->tilted = numbers(d, d->least, one, &whole, error);
    d->order = numbers(d, d->rows, sizeof *d->order, &whole, error);
    if (whole && d->least > 0) {
        pivot(d, &best[0], -1);
        tilt(d, d->least, &best[1], -1);
        apply_q(d, d->least, d->y, &best[2], -1);
        apply_z(d, 'N', d->least, d->gap, &best[3], -1);
    }
    d->work_size = (lapack_int)fmax(fmax(best[0], best[1]), fmax(best[2], best[3]));
    d->work = numbers(d, d->work_size, one, &whole, error);
    d->version = whole ? problem->rows->version : 0;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

static rct_status qr_factor(void *work, const rct_closure_problem *problem,
                            rct_closure_report *report, rct_error *error)
{
    dense *d = work;
    if (d->version != problem->rows->version) {
        const rct_status status = qr_resize(d, problem, error);
        if (status != RCT_OK) {
            return status;
        }
    }
    const double floor = write(d, problem);
    if (isnan(floor)) {
        return not_finite(error);
    }
    const int64_t next = (int64_t)d->rates + 1; /* on the diagonal of R */
    memset(d->order, 0, (size_t)d->rows * sizeof *d->order);
    d->rank = 0;
    if (d->least > 0) {
        pivot(d, d->work, d->work_size);
    }
    while (d->rank < d->least &&
           fabs(d->B[d->rank * next]) > fmax(floor, least_value * fabs(d->B[0]))) {
        d->rank++;
    }
    if (d->rank > 0 && d->rank < d->rows) {
        tilt(d, d->rank, d->work, d->work_size);
    }
    report->rank = d->rank;
    report->dependent = d->rank == d->rows ? -1 : d->least > 0 ? d->order[d->rank] - 1 : 0;
    return RCT_OK;
}

static rct_status qr_solve(void *work, const double *gap, double *lambda, double *change,
                           rct_closure_report *report, rct_error *error)
{
    dense *d = work;
    const lapack_int rank = d->rank;
    const int tilted = rank > 0 && rank < d->rows;
    (void)error;
    solve_nothing(d, lambda, d->y);
    for (lapack_int j = 0; j < d->rows && rank > 0; j++) {
        d->gap[j] = -gap[d->order[j] - 1];
    }
    if (tilted) {
        apply_z(d, 'N', rank, d->gap, d->work, d->work_size);
    }
    if (rank > 0) {
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'T', 'N', rank, 1, d->B, d->rates, d->gap,
                            d->rows);
        memcpy(d->y, d->gap, (size_t)rank * sizeof *d->y);
        apply_q(d, rank, d->y, d->work, d->work_size);
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', rank, 1, d->B, d->rates, d->gap,
                            d->rows);
        memset(d->gap + rank, 0, (size_t)(d->rows - rank) * sizeof *d->gap);
    }
    if (tilted) {
        apply_z(d, 'T', rank, d->gap, d->work, d->work_size);
    }
    for (lapack_int j = 0; j < d->rows && rank > 0; j++) {
        lambda[d->order[j] - 1] = d->gap[j];
    }
    finish(d, gap, change, report);
    return RCT_OK;
}

/* ---- the methods -------------------------------------------------------------------------- */

const rct_closure_method rct_closure_svd = {.name = "svd",
                                            .create = create,
                                            .destroy = destroy,
                                            .bytes = bytes,
                                            .factor = svd_factor,
                                            .solve = svd_solve};

const rct_closure_method rct_closure_qr = {.name = "qr",
                                           .create = create,
                                           .destroy = destroy,
                                           .bytes = bytes,
                                           .factor = qr_factor,
                                           .solve = qr_solve};
