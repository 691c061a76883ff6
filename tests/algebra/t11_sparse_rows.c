/* Factors of sparse matrices of any shape and rank against the singular values of the dense
 * matrices: rank, null space, least squares and solutions of least length; kept orders, columns
 * that come last, numbers over many decades, numbers that are not finite; failures. */
#include "tests/support/cmocka_all.h"

#include "algebra/sparse_rows.h"
#include "core/memory.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"

#include <lapacke.h>

#include <math.h>
#include <string.h>

enum { MOST = 48, ENOUGH = 1 << 20 };

/* By columns, [columns][rows]. */
typedef struct matrix {
    int32_t rows, columns;
    double x[MOST * MOST];
    unsigned char there[MOST * MOST];
} matrix;

/* A few small whole numbers in each row; a dependent row is exactly the difference of two
 * others. */
static void draw_matrix(uint64_t *random, matrix *a, int32_t dependent)
{
    memset(a->x, 0, sizeof a->x);
    memset(a->there, 0, sizeof a->there);
    for (int32_t i = 0; i < a->rows; i++) {
        const int32_t numbers = (int32_t)(draw_bits(random) % 5);
        for (int32_t k = 0; k < numbers; k++) {
            const int64_t at = (int64_t)(draw_bits(random) % (uint64_t)a->columns) * a->rows + i;
            a->x[at] = (double)(1 + draw_bits(random) % 9) * (draw_bits(random) % 2 ? 1.0 : -1.0);
            a->there[at] = 1;
        }
    }
    for (int32_t k = 0; k < dependent && a->rows > 2; k++) {
        const int32_t i = (int32_t)(draw_bits(random) % (uint64_t)a->rows);
        const int32_t p = (i + 1) % a->rows, q = (i + 2) % a->rows;
        for (int32_t j = 0; j < a->columns; j++) {
            double *column = a->x + (int64_t)j * a->rows;
            unsigned char *there = a->there + (int64_t)j * a->rows;
            column[i] = column[p] - column[q];
            there[i] = there[p] || there[q];
        }
    }
}

/* Scales rows and columns by powers of two. */
static void scale(uint64_t *random, matrix *a, int decades)
{
    double rows[MOST];
    for (int32_t i = 0; i < a->rows; i++) {
        rows[i] = ldexp(1.0, (int)(draw_bits(random) % (unsigned)(2 * decades + 1)) - decades);
    }
    for (int32_t j = 0; j < a->columns; j++) {
        for (int32_t i = 0; i < a->rows; i++) {
            a->x[j * a->rows + i] *= rows[i];
        }
    }
}

static int32_t list(const matrix *a, rct_sparse_rows *s, double *value)
{
    int32_t k = 0;
    for (int32_t i = 0; i < a->rows; i++) {
        if (s != NULL) {
            s->start[i] = k;
        }
        for (int32_t j = 0; j < a->columns; j++) {
            if (a->there[j * a->rows + i]) {
                if (s != NULL) {
                    s->at[k] = j;
                    value[k] = a->x[j * a->rows + i];
                }
                k++;
            }
        }
    }
    if (s != NULL) {
        s->start[a->rows] = k;
    }
    return k;
}

static rct_sparse_rows *make(const matrix *a, double *value, int64_t most)
{
    rct_sparse_rows *s =
        rct_sparse_rows_create(a->rows, a->columns, list(a, NULL, NULL), most, "a test", NULL);
    assert_non_null(s);
    list(a, s, value);
    return s;
}

/* Least squares and least length; the rank. */
static int32_t answer(int turned, const matrix *a, const double *b, double *x)
{
    static double copy[MOST * MOST];
    double right[MOST] = {0.0}, values[MOST];
    const int32_t rows = turned ? a->columns : a->rows, columns = turned ? a->rows : a->columns;
    int32_t rank;
    for (int32_t j = 0; j < a->columns; j++) {
        for (int32_t i = 0; i < a->rows; i++) {
            copy[turned ? i * rows + j : j * rows + i] = a->x[j * a->rows + i];
        }
    }
    memcpy(right, b, (size_t)rows * sizeof *right);
    assert_int_equal(LAPACKE_dgelsd(LAPACK_COL_MAJOR, rows, columns, 1, copy, rows, right, MOST,
                                    values, 1e-11, &rank),
                     0);
    memcpy(x, right, (size_t)columns * sizeof *x);
    return rank;
}

static double times(const matrix *a, int32_t i, const double *x)
{
    double sum = 0.0;
    for (int32_t j = 0; j < a->columns; j++) {
        sum += a->x[j * a->rows + i] * x[j];
    }
    return sum;
}

static double norm(const double *x, int32_t count)
{
    double most = 0.0;
    for (int32_t i = 0; i < count; i++) {
        most = larger(most, fabs(x[i]));
    }
    return most;
}

static void check_null(const matrix *a, const rct_sparse_rows *s, double size)
{
    static double X[MOST * MOST];
    rct_sparse_rows_null(s, X, MOST);
    for (int32_t f = 0; f < s->columns - s->rank; f++) {
        double x[MOST] = {0.0};
        for (int32_t k = 0; k < s->rank; k++) {
            x[s->column[k]] = X[f * MOST + k];
        }
        x[s->column[s->rank + f]] = 1.0;
        for (int32_t i = 0; i < a->rows; i++) {
            assert_true(fabs(times(a, i, x)) <= 1e-12 * size * fmax(1.0, norm(x, a->columns)));
        }
    }
}

static void check(const matrix *a, rct_sparse_rows *s, uint64_t *random, double tolerance)
{
    double b[MOST], x[MOST], placed[MOST] = {0.0}, best[MOST], y[MOST], load[MOST], some[MOST];
    const double size = fmax(1e-300, norm(a->x, a->rows * a->columns));
    draw_numbers(random, b, a->rows, 1.0);
    draw_numbers(random, some, a->rows, 1.0);
    check_null(a, s, size);
    assert_int_equal(answer(0, a, b, best), s->rank);
    rct_sparse_rows_nearest(s, b, x);
    for (int32_t k = 0; k < s->rank; k++) {
        placed[s->column[k]] = x[k];
    }
    for (int32_t i = 0; i < a->rows; i++) {
        assert_true(fabs(times(a, i, placed) - times(a, i, best)) <= tolerance);
    }
    for (int32_t j = 0; j < a->columns; j++) {
        load[j] = 0.0;
        for (int32_t i = 0; i < a->rows; i++) {
            load[j] += a->x[j * a->rows + i] * some[i];
        }
    }
    for (int32_t k = 0; k < s->rank; k++) {
        x[k] = load[s->column[k]];
    }
    rct_sparse_rows_shortest(s, x, y);
    answer(1, a, load, best);
    for (int32_t i = 0; i < a->rows; i++) {
        assert_true(fabs(y[i] - best[i]) <= tolerance);
    }
    for (int32_t i = 0; i < MOST; i++) {
        assert_true(i >= a->columns || s->work[i] == 0.0);
    }
}

static void test_random(void **state)
{
    static matrix a;
    static double value[MOST * MOST];
    int redundant = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        uint64_t random = seed;
        a.rows = 1 + (int32_t)(draw_bits(&random) % 40);
        a.columns = 1 + (int32_t)(draw_bits(&random) % 40);
        draw_matrix(&random, &a, (int32_t)(seed % 4));
        rct_sparse_rows *s = make(&a, value, ENOUGH);
        assert_int_equal(rct_sparse_rows_choose(s, value, 1e-9, NULL, NULL), RCT_OK);
        check(&a, s, &random, 1e-9);
        redundant += s->squares != NULL;
        assert_int_equal(rct_sparse_rows_dependent(s) < 0, s->rank == a.rows);
        rct_sparse_rows_free(s);
    }
    assert_true(redundant > 500);
}

/* Rows whose sizes differ by factors from 1e-4 to 1e4. */
static void test_scaled(void **state)
{
    static matrix a;
    static double value[MOST * MOST];
    (void)state;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        uint64_t random = seed;
        a.rows = 1 + (int32_t)(draw_bits(&random) % 20);
        a.columns = 1 + (int32_t)(draw_bits(&random) % 30);
        draw_matrix(&random, &a, 0);
        scale(&random, &a, 13);
        rct_sparse_rows *s = make(&a, value, ENOUGH);
        assert_int_equal(rct_sparse_rows_choose(s, value, 1e-8, NULL, NULL), RCT_OK);
        double b[MOST], best[MOST];
        draw_numbers(&random, b, a.rows, 1.0);
        assert_int_equal(answer(0, &a, b, best), s->rank);
        check_null(&a, s, norm(a.x, a.rows * a.columns));
        rct_sparse_rows_free(s);
    }
}

/* Columns that come last are not taken while other columns give the rank. */
static void test_last(void **state)
{
    static matrix a;
    static double value[MOST * MOST];
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t random = seed;
        uint8_t last[MOST] = {0};
        a.rows = 10;
        a.columns = 30;
        draw_matrix(&random, &a, 1);
        rct_sparse_rows *s = make(&a, value, ENOUGH);
        assert_int_equal(rct_sparse_rows_choose(s, value, 1e-9, NULL, NULL), RCT_OK);
        const int32_t rank = s->rank;
        for (int32_t k = rank; k < a.columns; k++) {
            last[s->column[k]] = 1;
        }
        assert_int_equal(rct_sparse_rows_choose(s, value, 1e-9, last, NULL), RCT_OK);
        assert_int_equal(s->rank, rank);
        for (int32_t k = 0; k < rank; k++) {
            assert_false(last[s->column[k]]);
        }
        memset(last, 1, sizeof last); /* all: the rank needs them */
        assert_int_equal(rct_sparse_rows_choose(s, value, 1e-9, last, NULL), RCT_OK);
        assert_int_equal(s->rank, rank);
        check(&a, s, &random, 1e-9);
        rct_sparse_rows_free(s);
    }
}

/* Factors that exceed their limit of numbers; failing allocations. */
static void test_failures(void **state)
{
    static matrix a = {.rows = 40, .columns = 40};
    static double value[MOST * MOST];
    uint64_t random = 5;
    rct_error error;
    int64_t failures = 0;
    (void)state;
    draw_matrix(&random, &a, 3);
    rct_sparse_rows *s = make(&a, value, 60);
    assert_int_equal(rct_sparse_rows_choose(s, value, 1e-9, NULL, NULL), RCT_ERROR_UNSUPPORTED);
    rct_sparse_rows_free(s);
    for (rct_status status = RCT_ERROR_MEMORY; status != RCT_OK; failures++) {
        error.status = RCT_OK;
        rct_allocate_fail_after(failures);
        s = rct_sparse_rows_create(40, 40, list(&a, NULL, NULL), ENOUGH, "a test", &error);
        if (s != NULL) {
            list(&a, s, value);
        }
        status =
            s == NULL ? RCT_ERROR_MEMORY : rct_sparse_rows_choose(s, value, 1e-9, NULL, &error);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
        assert_int_equal(error.status, status);
        if (status == RCT_OK) {
            assert_true(s->squares != NULL && rct_sparse_rows_bytes(s) > 1000);
        }
        rct_sparse_rows_free(s);
    }
    assert_true(failures > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_last),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
