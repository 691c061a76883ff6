/* Factors of dense symmetric matrices of any signs against LAPACK: signs of the pivots, solutions,
 * graded rows, zero matrices. */
#include "tests/support/cmocka_all.h"

#include "algebra/indefinite.h"
#include "tests/support/draw.h"
#include "tests/support/zeros.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

typedef struct bench {
    int64_t n;
    double *A; /* whole */
    rct_indefinite f;
} bench;

static bench begin(int64_t n)
{
    bench b = {.n = n, .A = zeros(n * n)};
    b.f = (rct_indefinite){.size = n, .A = zeros(n * n), .scale = zeros(n), .work = zeros(2 * n)};
    b.f.order = calloc((size_t)n, sizeof *b.f.order);
    b.f.pair = calloc((size_t)n, 1);
    assert_non_null(b.f.order);
    assert_non_null(b.f.pair);
    return b;
}

static void end(bench *b)
{
    free(b->A);
    free(b->f.A);
    free(b->f.scale);
    free(b->f.work);
    free(b->f.order);
    free(b->f.pair);
}

static void put(bench *b, int64_t i, int64_t j, double value)
{
    b->A[i * b->n + j] = b->A[j * b->n + i] = value;
}

static void factor(bench *b)
{
    for (int64_t i = 0; i < b->n; i++) {
        for (int64_t j = 0; j <= i; j++) { /* the upper triangle is not read */
            b->f.A[i * b->n + j] = b->A[i * b->n + j];
        }
        for (int64_t j = i + 1; j < b->n; j++) {
            b->f.A[i * b->n + j] = (double)NAN;
        }
    }
    rct_indefinite_factor(&b->f);
}

static void expect_signs(bench *b)
{
    double *copy = zeros(b->n * b->n), *lambda = zeros(b->n);
    int64_t negative = 0;
    for (int64_t i = 0; i < b->n * b->n; i++) {
        copy[i] = b->A[i];
    }
    const lapack_int n = (lapack_int)b->n;
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, copy, n, lambda), 0);
    for (int64_t i = 0; i < b->n; i++) {
        negative += lambda[i] < 0.0;
    }
    assert_int_equal(b->f.negative, negative);
    assert_int_equal(b->f.zero, 0);
    free(copy);
    free(lambda);
}

static void expect_solution(bench *b, uint64_t seed, double tolerance)
{
    double *x = zeros(b->n), *y = zeros(b->n);
    draw_numbers(&seed, x, (int)b->n, 1.0);
    for (int64_t i = 0; i < b->n; i++) {
        for (int64_t j = 0; j < b->n; j++) {
            y[i] += b->A[i * b->n + j] * x[j];
        }
    }
    rct_indefinite_solve(&b->f, y);
    for (int64_t i = 0; i < b->n; i++) {
        if (!(fabs(y[i] - x[i]) <= tolerance)) {
            fail_msg("row %d of %d is off by %.2e", (int)i, (int)b->n, fabs(y[i] - x[i]));
        }
    }
    free(x);
    free(y);
}

/* Half of the matrices of each kind have a zero diagonal, so that blocks of two are needed. */
static void test_random_matrices(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 3, 10, 41, 120};
    for (int s = 0; s < 6; s++) {
        for (uint64_t seed = 1; seed <= 6; seed++) {
            uint64_t random = seed;
            bench b = begin(sizes[s]);
            for (int64_t i = 0; i < b.n; i++) {
                for (int64_t j = 0; j <= i; j++) {
                    const int bare = i == j && seed % 2 == 0 && b.n % 2 == 0;
                    put(&b, i, j, bare ? 0.0 : draw_between(&random, -1.0, 1.0));
                }
            }
            factor(&b);
            expect_signs(&b);
            expect_solution(&b, seed, 1e-9);
            end(&b);
        }
    }
}

/* Rows scaled by 1e-9 to 1e9: the scaling loses no digit. */
static void test_graded_rows(void **state)
{
    (void)state;
    uint64_t random = 5;
    bench b = begin(30), even = begin(30);
    for (int64_t i = 0; i < b.n; i++) {
        for (int64_t j = 0; j <= i; j++) {
            const double own = draw_between(&random, -1.0, 1.0);
            put(&even, i, j, own);
            put(&b, i, j, ldexp(own, (int)(2 * (i - 15) + 2 * (j - 15))));
        }
    }
    factor(&even);
    factor(&b);
    expect_signs(&even);
    assert_int_equal(b.f.negative, even.f.negative);
    assert_int_equal(b.f.zero, 0);
    end(&b);
    end(&even);
}

/* A product of few columns has as many signs as columns; the rest of the spectrum is zero, and
 * nothing is solved for along it. */
static void test_zeros_are_counted(void **state)
{
    (void)state;
    uint64_t random = 3;
    bench b = begin(20);
    double columns[5][20], x[20] = {0.0}, y[20];
    draw_numbers(&random, &columns[0][0], 100, 1.0);
    for (int64_t i = 0; i < b.n; i++) {
        for (int64_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k < 5; k++) {
                sum += (k < 2 ? -1.0 : 1.0) * columns[k][i] * columns[k][j];
            }
            put(&b, i, j, sum);
        }
    }
    factor(&b);
    assert_int_equal(b.f.negative, 2);
    assert_int_equal(b.f.zero, 15);
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 5; k++) {
            x[i] += columns[k][i];
        }
        y[i] = x[i];
    }
    rct_indefinite_solve(&b.f, y); /* x is in its range */
    for (int64_t i = 0; i < b.n; i++) {
        double sum = 0.0;
        for (int64_t j = 0; j < b.n; j++) {
            sum += b.A[i * b.n + j] * y[j];
        }
        assert_true(fabs(sum - x[i]) <= 1e-11);
    }
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_matrices),
        cmocka_unit_test(test_graded_rows),
        cmocka_unit_test(test_zeros_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
