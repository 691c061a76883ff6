/* Coordinate partitioning (Wehage and Haug; seed 003, appendix A), for positions and velocities.
 * The coordinates that the constraints make dependent close a gap, and the others stay,
 *
 *     J = (J_d J_i)          J_d change_d + gap = 0          change_i = 0
 *
 * A factorization of J with pivots finds anew in every state which coordinates are dependent; it
 * takes first the column of J that is longest beside those before (seed 004, appendix),
 *
 *     J P = Q (R_d R_i; 0 0)          change_d = -R_d^-1 Q1* gap
 *
 * so J_d is as far from singular as such a choice can make it. Where constraints depend on one
 * another, or contradict one another, the gap is closed in the sense of least squares. */
#include "algebra/dense.h"
#include "closure/columns.h"
#include "core/error.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Pivots below this part of the first count as zero, and so do those within rounding of the numbers
 * of J. */
static const double least_pivot = 1e-10, rounding = 1e-13;

/* The most bytes of the matrix; vectors are small beside it. */
static const int64_t most_bytes = INT64_C(1) << 30;

typedef struct partition {
    rct_closure_work base;
    rct_closure_columns columns;
    int32_t rates, rows, rank;
    double *J;      /* [rates][rows] and its factors */
    double *row;    /* [rates] of J */
    double *scale;  /* [rates] 1, or for those that slide the length of the system, m */
    double *tau;    /* [the fewer of both] of Q */
    int32_t *order; /* [rates] P: the first `rank` are the dependent ones */
    double *gap;    /* [rows] as the factors take it */
    double *work;   /* [rct_dense_qr_work] */
} partition;

static void *create(const rct_closures *closures, rct_error *error)
{
    return rct_closure_work_create(closures, sizeof(partition), "partitioned coordinates", NULL,
                                   error);
}

static rct_status make(void *work, rct_error *error)
{
    partition *p = work;
    const rct_closure_problem *problem = &p->base.problem;
    const int64_t rates = problem->tree->first[problem->tree->n], rows = problem->rows->count;
    const int64_t one = sizeof(double);
    rct_pool *pool = &p->base.pool;
    const double size = (double)rates * (double)rows * sizeof(double);
    if (size > (double)most_bytes) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "%" PRId64 " constraints of loops on %" PRId64
                        " rates take %.2f GiB in a dense matrix, and partitioned coordinates take "
                        "at most 1 GiB: keep the loops closed by projection",
                        rows, rates, size / (double)most_bytes);
    }
    p->rates = (int32_t)rates;
    p->rows = (int32_t)rows;
    p->J = rct_pool_take(pool, rates * rows, one, error);
    p->row = rct_pool_take(pool, rates, one, error);
    p->scale = rct_pool_take(pool, rates, one, error);
    p->tau = rct_pool_take(pool, rates < rows ? rates : rows, one, error);
    p->order = rct_pool_take(pool, rates, sizeof *p->order, error);
    p->gap = rct_pool_take(pool, rows, one, error);
    p->work = rct_pool_take(pool, rct_dense_qr_work(rows, rates), one, error);
    rct_closure_columns_create(&p->columns, problem, pool, error);
    for (int64_t r = 0; r < rates && !pool->failed; r++) {
        const double *H = problem->tree->H + 6 * r; /* also of a rate that turns and slides */
        const int slides = H[0] == 0.0 && H[1] == 0.0 && H[2] == 0.0;
        p->scale[r] = slides ? rct_closure_length(problem->rows) : 1.0;
    }
    return pool->failed ? RCT_ERROR_MEMORY : RCT_OK;
}

static rct_dense_view factors(const partition *p)
{
    return rct_dense_columns(p->J, p->rows, p->rates, p->rows);
}

/* Write J; returns the size that its numbers have where nothing cancels; NaN or infinite where J is
 * not finite. */
static double write_J(partition *p)
{
    const double *whole = rct_closure_columns_whole(&p->columns);
    double most = 0.0, sum = 0.0;
    for (int64_t r = 0; r < p->rates; r++) {
        most = fmax(most, p->scale[r] * fabs(whole[r]));
    }
    memset(p->gap, 0, (size_t)p->rows * sizeof *p->gap);
    for (int32_t i = 0; i < p->rows; i++) {
        p->gap[i] = 1.0;
        rct_closure_columns_turn(&p->columns, p->gap, p->row);
        p->gap[i] = 0.0;
        for (int64_t r = 0; r < p->rates; r++) {
            p->row[r] *= p->scale[r];
            p->J[r * p->rows + i] = p->row[r];
            sum += p->row[r];
        }
    }
    return isfinite(sum) ? most : sum;
}

static rct_status factor(void *work, const rct_closure_problem *problem, rct_closure_report *report,
                         rct_error *error)
{
    partition *p = work;
    const rct_status status = rct_closure_work_take(work, problem, make, error);
    if (status != RCT_OK) {
        return status;
    }
    const double size = write_J(p);
    if (!isfinite(size)) {
        return rct_closure_not_finite(error);
    }
    rct_dense_qr(factors(p), p->tau, p->order, p->work);
    const int64_t next = (int64_t)p->rows + 1; /* on the diagonal of R */
    const int32_t least = p->rates < p->rows ? p->rates : p->rows;
    const double floor = least > 0 ? fmax(rounding * size, least_pivot * fabs(p->J[0])) : 0.0;
    p->rank = 0;
    while (p->rank < least && fabs(p->J[p->rank * next]) > floor) {
        p->rank++;
    }
    report->rank = p->rank;
    report->dependent = -1;
    return RCT_OK;
}

static rct_status solve(void *work, const double *gap, double *lambda, double *change,
                        rct_closure_report *report, rct_error *error)
{
    partition *p = work;
    const rct_dense_view R = rct_dense_part(factors(p), 0, 0, p->rank, p->rank);
    (void)error;
    memset(lambda, 0, (size_t)p->rows * sizeof *lambda);
    memset(change, 0, (size_t)p->rates * sizeof *change);
    for (int32_t i = 0; i < p->rows; i++) {
        p->gap[i] = -gap[i];
    }
    rct_dense_apply_q(factors(p), p->tau, p->rank, 1, p->gap);
    rct_dense_backward(R, rct_dense_columns(p->gap, p->rank, 1, p->rank));
    for (int32_t k = 0; k < p->rank; k++) {
        change[p->order[k]] = p->scale[p->order[k]] * p->gap[k];
    }
    rct_closure_columns_report(&p->columns, gap, change, report);
    return RCT_OK;
}

const rct_closure_method rct_closure_partition = {.name = "partition",
                                                  .create = create,
                                                  .destroy = rct_closure_work_destroy,
                                                  .bytes = rct_closure_work_bytes,
                                                  .factor = factor,
                                                  .solve = solve};
