/* Dense products and factorizations with our own order of operations against LAPACK: sizes that are
 * done directly, by halves and in slices. */
#include "tests/support/cmocka_all.h"

#include "algebra/dense.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int32_t sizes[] = {1, 3, 17, 50, 150};
enum { SIZES = sizeof sizes / sizeof *sizes };

static double *draw(uint64_t seed, int64_t count)
{
    double *x = calloc((size_t)count, sizeof *x);
    draw_numbers(&seed, x, (int)count, 1.0);
    return x;
}

static rct_dense_view square(double *x, int64_t n)
{
    return rct_dense_columns(x, n, n, n);
}

static double apart(const double *a, const double *b, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(a[i] - b[i]));
    }
    return most;
}

static void test_product(void **state)
{
    (void)state;
    for (int s = 0; s < SIZES; s++) {
        const int64_t n = sizes[s], m = n + 7, depth = 2 * n + 1;
        double *a = draw(1, n * depth), *b = draw(2, depth * m), *c = draw(3, n * m);
        double *slow = malloc((size_t)(n * m) * sizeof *slow);
        memcpy(slow, c, (size_t)(n * m) * sizeof *slow);
        for (int64_t j = 0; j < m; j++) {
            for (int64_t i = 0; i < n; i++) {
                for (int64_t k = 0; k < depth; k++) { /* a by rows */
                    slow[j * n + i] -= 2.0 * a[i * depth + k] * b[j * depth + k];
                }
            }
        }
        rct_dense_add_product(rct_dense_columns(c, n, m, n), -2.0,
                              rct_dense_turned(rct_dense_columns(a, depth, n, depth)),
                              rct_dense_columns(b, depth, m, depth));
        assert_true(apart(c, slow, n * m) <= 1e-14 * (double)depth);
        free(a);
        free(b);
        free(c);
        free(slow);
    }
}

/* S = A A* + 1 */
static double *definite(int64_t n)
{
    double *a = draw(5, n * n), *s = calloc((size_t)(n * n), sizeof *s);
    for (int64_t i = 0; i < n; i++) {
        s[i * (n + 1)] = 1.0;
    }
    rct_dense_add_product(square(s, n), 1.0, square(a, n), rct_dense_turned(square(a, n)));
    free(a);
    return s;
}

static void test_cholesky(void **state)
{
    (void)state;
    for (int s = 0; s < SIZES; s++) {
        const int64_t n = sizes[s];
        double *S = definite(n), *x = draw(6, 2 * n), *y = malloc(2 * (size_t)n * sizeof *y);
        double *other = malloc((size_t)(n * n) * sizeof *other);
        memcpy(other, S, (size_t)n * (size_t)n * sizeof *other);
        memcpy(y, x, 2 * (size_t)n * sizeof *y);
        assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', (lapack_int)n, 2, other,
                                       (lapack_int)n, y, (lapack_int)n),
                         0);
        assert_true(rct_dense_cholesky(square(S, n)));
        rct_dense_forward(square(S, n), rct_dense_columns(x, n, 2, n));
        rct_dense_backward(rct_dense_turned(square(S, n)), rct_dense_columns(x, n, 2, n));
        assert_true(apart(x, y, 2 * n) <= 1e-10);
        S[n * n - 1] = -1e6; /* the last pivot */
        memcpy(other, S, (size_t)n * (size_t)n * sizeof *other);
        assert_false(rct_dense_cholesky(square(other, n)));
        free(S);
        free(x);
        free(y);
        free(other);
    }
}

/* B of a given rank, by columns. */
static double *of_rank(int64_t rows, int64_t columns, int64_t rank)
{
    double *a = draw(7, rows * rank), *b = draw(8, rank * columns);
    double *c = calloc((size_t)(rows * columns), sizeof *c);
    rct_dense_add_product(rct_dense_columns(c, rows, columns, rows), 1.0,
                          rct_dense_columns(a, rows, rank, rows),
                          rct_dense_columns(b, rank, columns, rank));
    free(a);
    free(b);
    return c;
}

static void test_rank(void **state)
{
    (void)state;
    int32_t order[50];
    double *B = of_rank(50, 50, 20), *S = calloc(2500, sizeof *S);
    rct_dense_add_product(square(S, 50), 1.0, square(B, 50), rct_dense_turned(square(B, 50)));
    assert_int_equal(rct_dense_cholesky_rank(square(S, 50), 1e-9, order), 20);
    int64_t sum = 0;
    for (int i = 0; i < 50; i++) {
        sum += order[i];
    }
    assert_int_equal(sum, 49 * 25);
    free(B);
    free(S);
}

/* Q R is A, in the given order or in its own. */
static void check_qr(int64_t rows, int64_t columns, int64_t rank, int pivoted)
{
    const int64_t least = rows < columns ? rows : columns;
    double *A = of_rank(rows, columns, rank), *QR = malloc((size_t)(rows * columns) * sizeof *QR);
    double *tau = calloc((size_t)least, sizeof *tau),
           *column = calloc((size_t)rows, sizeof *column);
    double *work = calloc((size_t)rct_dense_qr_work(rows, columns), sizeof *work);
    int32_t *order = calloc((size_t)columns, sizeof *order);
    const rct_dense_view view = rct_dense_columns(QR, rows, columns, rows);
    memcpy(QR, A, (size_t)(rows * columns) * sizeof *QR);
    rct_dense_qr(view, tau, pivoted ? order : NULL, work);
    for (int64_t j = 0; j < columns; j++) {
        const int64_t from = pivoted ? order[j] : j;
        memset(column, 0, (size_t)rows * sizeof *column);
        memcpy(column, QR + j * rows, (size_t)(j < least ? j + 1 : least) * sizeof *column);
        rct_dense_apply_q(view, tau, least, 0, column);
        assert_true(apart(column, A + from * rows, rows) <= 1e-12 * (double)least);
        rct_dense_apply_q(view, tau, least, 1, column);
        assert_true(fabs(column[0] - QR[j * rows]) <= 1e-12 * (double)least);
    }
    for (int64_t k = 1; k < least && pivoted; k++) {
        const double pivot = fabs(QR[k * (rows + 1)]);
        assert_true(pivot <= fabs(QR[(k - 1) * (rows + 1)]) * (1.0 + 1e-7) || k >= rank);
        assert_true((pivot > 1e-9) == (k < rank));
    }
    free(A);
    free(QR);
    free(tau);
    free(column);
    free(work);
    free(order);
}

static void test_qr(void **state)
{
    (void)state;
    for (int pivoted = 0; pivoted < 2; pivoted++) {
        check_qr(1, 1, 1, pivoted);
        check_qr(9, 4, 4, pivoted);
        check_qr(120, 90, 60, pivoted);
        check_qr(70, 110, 70, pivoted);
    }
}

static void test_singular_values(void **state)
{
    (void)state;
    enum { ROWS = 60, COLUMNS = 40, RANK = 25 };
    double *A = of_rank(ROWS, COLUMNS, RANK), W[COLUMNS * COLUMNS], values[COLUMNS];
    double *other = malloc(ROWS * COLUMNS * sizeof *other), slow[COLUMNS], rest[COLUMNS];
    memcpy(other, A, ROWS * COLUMNS * sizeof *other);
    assert_int_equal(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', ROWS, COLUMNS, other, ROWS, slow,
                                    NULL, 1, NULL, 1, rest),
                     0);
    memcpy(other, A, ROWS * COLUMNS * sizeof *other);
    rct_dense_singular_values(rct_dense_columns(A, ROWS, COLUMNS, ROWS), values,
                              square(W, COLUMNS));
    assert_true(apart(values, slow, COLUMNS) <= 1e-13 * slow[0]);
    rct_dense_add_product(rct_dense_columns(A, ROWS, COLUMNS, ROWS), -1.0,
                          rct_dense_columns(other, ROWS, COLUMNS, ROWS), square(W, COLUMNS));
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        assert_true(fabs(A[i]) <= 1e-13 * slow[0]); /* A W = V S */
    }
    free(A);
    free(other);
}

static void test_condition(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        double U[30 * 30] = {0.0}, work[60];
        uint64_t random = (uint64_t)k;
        for (int j = 0; j < 30; j++) {
            draw_numbers(&random, U + 30 * j, j, 0.2);
            U[31 * j] = j == 11 ? pow(10.0, -k) : 1.0;
        }
        double exact = 0.0;
        LAPACKE_dtrcon(LAPACK_COL_MAJOR, '1', 'U', 'N', 30, U, 30, &exact);
        const double found = rct_dense_condition(square(U, 30), work);
        assert_true(found >= 0.5 * exact && found <= 10.0 * exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product),   cmocka_unit_test(test_cholesky),
        cmocka_unit_test(test_rank),      cmocka_unit_test(test_qr),
        cmocka_unit_test(test_condition), cmocka_unit_test(test_singular_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
