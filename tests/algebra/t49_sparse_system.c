/* Sparse symmetric systems, positive definite and not, against LAPACK; numbers of matrices that have no inverse. */
#include "tests/support/cmocka_all.h"

#include "algebra/sparse_system.h"
#include "tests/support/draw.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SIZE = 40, MOST = SIZE * (SIZE + 1) / 2 + SIZE };

/* Places and numbers, the first of them twice, and the same dense. */
typedef struct matrix {
    int64_t count, row[MOST], column[MOST];
    double value[MOST], dense[SIZE * SIZE];
} matrix;

static void put(matrix *m, int64_t i, int64_t j, double value)
{
    m->row[m->count] = i;
    m->column[m->count] = j;
    m->value[m->count++] = value;
    m->dense[SIZE * i + j] += value;
    m->dense[SIZE * j + i] += i == j ? 0.0 : value;
}

/* A band and a few others off the diagonal; the indefinite one has pairs of unknowns with zeros on the diagonal. */
static void draw_matrix(matrix *m, int definite, uint64_t seed)
{
    memset(m, 0, sizeof *m);
    for (int64_t i = 0; i < SIZE; i++) {
        for (int64_t j = i + 1; j < SIZE; j++) {
            const int paired = !definite && j == (i ^ 1);
            if (paired || j - i < 4 || draw_bits(&seed) % 11 == 0) {
                put(m, i, j, paired ? 9.0 : draw_between(&seed, -0.3, 0.3));
            }
        }
        if (definite) {
            put(m, i, i, 3.0);
            put(m, i, i, 1.0);
        }
    }
}

static void check_answer(const matrix *m, rct_sparse_system *system, uint64_t seed)
{
    double x[SIZE], slow[SIZE], dense[SIZE * SIZE];
    lapack_int pivots[SIZE];
    draw_numbers(&seed, x, SIZE, 1.0);
    memcpy(slow, x, sizeof x);
    memcpy(dense, m->dense, sizeof dense);
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, SIZE, 1, dense, SIZE, pivots, slow, 1), 0);
    rct_sparse_system_solve(system, x);
    for (int i = 0; i < SIZE; i++) {
        assert_true(fabs(x[i] - slow[i]) <= 1e-12);
    }
}

static void check(int definite)
{
    matrix m, other;
    rct_error error;
    double zeros[MOST] = {0.0};
    draw_matrix(&m, definite, 3);
    const rct_sparse_places places = {.what = "a matrix",
                                      .size = SIZE,
                                      .count = m.count,
                                      .row = m.row,
                                      .column = m.column,
                                      .definite = definite};
    rct_sparse_system *system = rct_sparse_system_create(&places, &error);
    assert_non_null(system);
    assert_int_equal(rct_sparse_system_factor(system, zeros, &error), RCT_ERROR_SINGULAR);
    assert_non_null(strstr(error.text, "pivot of 0"));
    for (int round = 0; round < 3;
         round++) { /* other numbers in the same places, at last many zeros */
        memset(&other, 0, sizeof other);
        for (int64_t k = 0; k < m.count; k++) {
            const int zero = round == 2 && fabs(m.value[k]) < 0.25;
            put(&other, m.row[k], m.column[k], zero ? 0.0 : m.value[k] * (1.0 + 0.1 * round));
        }
        assert_int_equal(rct_sparse_system_factor(system, other.value, &error), RCT_OK);
        check_answer(&other, system, (uint64_t)round);
    }
    assert_true(rct_sparse_system_bytes(system) > 16 * m.count);
    if (definite) { /* a pivot is no larger than what is on the diagonal */
        const double pivot = rct_sparse_system_pivot(system, 5);
        assert_true(pivot > 0.0 && pivot <= 4.0 * 1.2);
    } else {
        assert_int_equal(rct_sparse_system_small_pivots(system, 1e-9), 0);
        assert_int_equal(rct_sparse_system_small_pivots(system, 1e9), SIZE);
    }
    rct_sparse_system_free(system);
    rct_sparse_system_free(NULL);
}

static void test_definite(void **state)
{
    (void)state;
    check(1);
}

static void test_indefinite(void **state)
{
    (void)state;
    check(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definite),
        cmocka_unit_test(test_indefinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
