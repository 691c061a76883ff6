/* Independent rates by a QR factorization with pivoted columns (embed_choice.h). */
#include "closure/embed_choice.h"

#include <cblas.h>
#include <lapacke.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Columns that leave less than this of the largest depend on those before: what closes to 1e-10 is no more exact. */
static const double least_column = 1e-9;

/* The same of what elements of J could be: rounding. */
static const double rounding = 1e-13;

/* An order is kept while no dependent rate is more than this of an independent one, in scales in which each has the same
 * inertia: then no other order has an R1 of much greater determinant, and this one is about as far from singular as J. */
static const double steepest = 10.0;

/* Reciprocal condition number of R1 below which the rank is looked at again. */
static const double least_condition = 1e-8;

enum { BLOCK = 64, TRIANGLES = (BLOCK + 1) * BLOCK }; /* of LAPACK's blocked factorizations */

int32_t rct_embed_work(int32_t most)
{
    return (BLOCK + 3) * (most + 1) + TRIANGLES;
}

static int32_t fewer(const rct_embed_choice *c)
{
    return c->rows < c->rates ? c->rows : c->rates;
}

/* J S P */
static void take_columns(rct_embed_choice *c, const double *J, const double *scale)
{
    for (int32_t k = 0; k < c->rates; k++) {
        const double *from = J + (int64_t)c->order[k] * c->rows;
        double *to = c->QR + (int64_t)k * c->rows;
        c->scale[k] = scale[c->order[k]];
        for (int32_t i = 0; i < c->rows; i++) {
            to[i] = c->scale[k] * from[i];
        }
    }
}

/* Columns no longer than this are none, if the largest has this length. */
static double nothing(const rct_embed_choice *c, double largest)
{
    return fmax(least_column * largest, rounding * c->most);
}

static double column_of_R(const rct_embed_choice *c, int32_t k, int32_t from)
{
    const int32_t end = k < c->rows ? k + 1 : c->rows;
    return end > from ? cblas_dnrm2(end - from, c->QR + (int64_t)k * c->rows + from, 1) : 0.0;
}

/* X = -R1^-1 R2; its largest element. */
static double find_X(rct_embed_choice *c)
{
    const int32_t free = c->rates - c->rank;
    double largest = 0.0;
    for (int32_t k = 0; k < free; k++) {
        memcpy(c->X + (int64_t)k * c->rates, c->QR + (int64_t)(c->rank + k) * c->rows,
               (size_t)c->rank * sizeof *c->X);
    }
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, c->rank, free,
                -1.0, c->QR, c->rows, c->X, c->rates);
    for (int32_t k = 0; k < free; k++) {
        for (int32_t i = 0; i < c->rank; i++) {
            largest = fmax(largest, fabs(c->X[(int64_t)k * c->rates + i]));
        }
    }
    return largest;
}

/* Factor in the order that there is; whether it serves in this state too. */
static int keep(rct_embed_choice *c, const double *J, const double *scale,
                const rct_embed_scratch *scratch)
{
    double largest = 0.0, left = 0.0, least = HUGE_VAL, condition = 1.0;
    take_columns(c, J, scale);
    LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, c->rows, c->rates, c->QR, c->rows, c->tau, scratch->work,
                        scratch->size);
    for (int32_t k = 0; k < c->rates; k++) {
        largest = fmax(largest, column_of_R(c, k, 0));
        if (k < c->rank) {
            least = fmin(least, fabs(c->QR[(int64_t)k * (c->rows + 1)]));
        } else {
            left = fmax(left, column_of_R(c, k, c->rank));
        }
    }
    LAPACKE_dtrcon_work(LAPACK_COL_MAJOR, '1', 'U', 'N', c->rank, c->QR, c->rows, &condition,
                        scratch->work, scratch->whole);
    return left <= nothing(c, largest) && least > nothing(c, largest) &&
           condition >= least_condition && find_X(c) <= steepest;
}

static void choose(rct_embed_choice *c, const double *J, const double *scale,
                   const rct_embed_scratch *scratch)
{
    for (int32_t k = 0; k < c->rates; k++) {
        c->order[k] = k;
    }
    take_columns(c, J, scale);
    memset(c->order, 0, (size_t)c->rates * sizeof *c->order);
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, c->rows, c->rates, c->QR, c->rows, c->order, c->tau,
                        scratch->work, scratch->size);
    for (int32_t k = 0; k < c->rates; k++) {
        c->order[k]--;
        c->scale[k] = scale[c->order[k]];
    }
    const double least = nothing(c, fabs(c->QR[0]));
    for (c->rank = 0; c->rank < fewer(c); c->rank++) {
        if (!(fabs(c->QR[(int64_t)c->rank * (c->rows + 1)]) > least)) {
            break;
        }
    }
}

int rct_embed_choose(rct_embed_choice *c, const double *J, const double *scale,
                     const rct_embed_scratch *scratch)
{
    if (c->rates == 0 || (c->chosen && keep(c, J, scale, scratch))) {
        return 0;
    }
    choose(c, J, scale, scratch);
    find_X(c);
    c->chosen = 1;
    return 1;
}

/* x [rows] = Q x, or Q* x, of the first `columns` reflections. */
static void apply(const rct_embed_choice *c, char transposed, int32_t columns, double *x,
                  const rct_embed_scratch *scratch)
{
    LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', transposed, c->rows, 1, columns, c->QR, c->rows,
                        c->tau, x, c->rows, scratch->work, scratch->size);
}

void rct_embed_particular(const rct_embed_choice *c, const double *gap, double *x0,
                          const rct_embed_scratch *scratch)
{
    if (c->rank == 0) {
        return;
    }
    memcpy(scratch->vector, gap, (size_t)c->rows * sizeof *gap);
    apply(c, 'T', c->rank, scratch->vector, scratch);
    for (int32_t i = 0; i < c->rank; i++) {
        x0[i] = -scratch->vector[i];
    }
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, c->rank, c->QR, c->rows, x0,
                1);
}

void rct_embed_multipliers(const rct_embed_choice *c, const double *load, double *lambda,
                           const rct_embed_scratch *scratch)
{
    memset(lambda, 0, (size_t)c->rows * sizeof *lambda);
    if (c->rank == 0) {
        return;
    }
    memcpy(lambda, load, (size_t)c->rank * sizeof *lambda);
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, c->rank, c->QR, c->rows,
                lambda, 1);
    apply(c, 'N', c->rank, lambda, scratch);
}

int32_t rct_embed_dependent(const rct_embed_choice *c, const rct_embed_scratch *scratch)
{
    double largest = 0.0;
    int32_t row = -1;
    if (c->rank == c->rows) {
        return -1;
    }
    memset(scratch->vector, 0, (size_t)c->rows * sizeof *scratch->vector);
    scratch->vector[c->rank] = 1.0; /* what Q makes of it is across all columns of J */
    if (c->rank > 0) {
        apply(c, 'N', c->rank, scratch->vector, scratch);
    }
    for (int32_t i = 0; i < c->rows; i++) {
        largest = fmax(largest, fabs(scratch->vector[i]));
    }
    for (int32_t i = 0; i < c->rows; i++) {
        row = fabs(scratch->vector[i]) >= 0.9 * largest ? i : row;
    }
    return row;
}
