/* The constraints of one aggregate, J theta + gap = 0, and which of its rates are independent: seed
 * 002, eqs. 25 and 58 to 61. With S scales and P an order of the rates,
 *
 *     J S P = Q [R1 R2; 0 0]      theta = S P (y_u, xi)      y_u = X xi + x0      X = -R1^-1 R2
 *
 * R1 has the size of the rank; xi are the independent rates, y_u the dependent ones (Y1 = Q R1, Y2
 * = Q R2 of eq. 59), and (X, 1) is X of eq. 60. The velocity terms of eq. 61 are in the gap: x0 =
 * -R1^-1 (Q* gap).
 *
 * The order comes from a factorization with pivoting, made anew in each state, so that no earlier
 * state decides a digit. Before a mechanism passes a pose in which its independent rates no longer
 * lead the others, it changes them. */
#include "closure/embedding.h"

#include "algebra/dense.h"

#include <math.h>
#include <string.h>

/* Columns whose rest is less than this part of the largest depend on those before: closing to 1e-10
 * is no more exact. */
static const double least_column = 1e-9;

/* The same as a part of the size that elements of J could have: rounding. */
static const double rounding = 1e-13;

const double rct_embed_steepest = 10.0;

int64_t rct_embed_work(int32_t most)
{
    return rct_dense_qr_work(most, most);
}

static rct_dense_view matrix(const rct_embed_choice *c)
{
    return rct_dense_columns(c->QR, c->rows, c->rates, c->rows);
}

static rct_dense_view R1(const rct_embed_choice *c)
{
    return rct_dense_columns(c->QR, c->rank, c->rank, c->rows);
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

double rct_embed_nothing(double largest, double most)
{
    return fmax(least_column * largest, rounding * most);
}

static double nothing(const rct_embed_choice *c, double largest)
{
    return rct_embed_nothing(largest, c->most);
}

/* X = -R1^-1 R2 */
static void find_X(rct_embed_choice *c)
{
    const int32_t free = c->rates - c->rank;
    for (int32_t k = 0; k < free; k++) {
        for (int32_t i = 0; i < c->rank; i++) {
            c->X[(int64_t)k * c->rates + i] = -c->QR[(int64_t)(c->rank + k) * c->rows + i];
        }
    }
    rct_dense_backward(R1(c), rct_dense_columns(c->X, c->rank, free, c->rates));
}

static void choose(rct_embed_choice *c, const double *J, const double *scale, int open,
                   const rct_embed_scratch *scratch)
{
    for (int32_t k = 0; k < c->rates; k++) {
        c->order[k] = k;
    }
    take_columns(c, J, scale);
    rct_dense_qr(matrix(c), c->tau, c->order, scratch->work);
    for (int32_t k = 0; k < c->rates; k++) {
        c->scale[k] = scale[c->order[k]];
    }
    const double least = nothing(c, fabs(c->QR[0]));
    const int32_t fewer = c->rows < c->rates ? c->rows : c->rates;
    for (c->rank = 0; c->rank < fewer; c->rank++) {
        if (!(fabs(c->QR[(int64_t)c->rank * (c->rows + 1)]) > least)) {
            break;
        }
    }
    c->rank = rct_closure_rank(open, c->rank, &c->closed);
}

void rct_embed_choose(rct_embed_choice *c, const double *J, const double *scale, int open,
                      const rct_embed_scratch *scratch)
{
    if (c->rates > 0) {
        choose(c, J, scale, open, scratch);
        find_X(c);
    }
}

void rct_embed_particular(const rct_embed_choice *c, const double *gap, double *x0,
                          const rct_embed_scratch *scratch)
{
    if (c->rank == 0) {
        return;
    }
    memcpy(scratch->vector, gap, (size_t)c->rows * sizeof *gap);
    rct_dense_apply_q(matrix(c), c->tau, c->rank, 1, scratch->vector);
    for (int32_t i = 0; i < c->rank; i++) {
        x0[i] = -scratch->vector[i];
    }
    rct_dense_backward(R1(c), rct_dense_columns(x0, c->rank, 1, c->rank));
}

void rct_embed_multipliers(const rct_embed_choice *c, const double *load, double *lambda)
{
    memset(lambda, 0, (size_t)c->rows * sizeof *lambda);
    if (c->rank == 0) {
        return;
    }
    memcpy(lambda, load, (size_t)c->rank * sizeof *lambda);
    rct_dense_forward(rct_dense_turned(R1(c)), rct_dense_columns(lambda, c->rank, 1, c->rank));
    rct_dense_apply_q(matrix(c), c->tau, c->rank, 0, lambda);
}

int32_t rct_embed_dependent(const rct_embed_choice *c, const rct_embed_scratch *scratch)
{
    double largest = 0.0;
    int32_t row = -1;
    if (c->rank == c->rows) {
        return -1;
    }
    memset(scratch->vector, 0, (size_t)c->rows * sizeof *scratch->vector);
    scratch->vector[c->rank] = 1.0; /* Q times it is perpendicular to all columns of J */
    if (c->rank > 0) {
        rct_dense_apply_q(matrix(c), c->tau, c->rank, 0, scratch->vector);
    }
    for (int32_t i = 0; i < c->rows; i++) {
        largest = fmax(largest, fabs(scratch->vector[i]));
    }
    for (int32_t i = 0; i < c->rows; i++) {
        row = fabs(scratch->vector[i]) >= 0.9 * largest ? i : row;
    }
    return row;
}
