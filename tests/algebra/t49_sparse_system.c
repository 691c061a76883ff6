/* Sparse symmetric systems, positive definite and indefinite, against LAPACK; numeric factors of
 * singular matrices. */
#include "tests/support/cmocka_all.h"

#include "algebra/sparse_system.h"
#include "tests/support/draw.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SIZE = 40, MOST = SIZE * (SIZE + 1) / 2 + SIZE };

/* Places and numbers, the first entry twice, and the same matrix as dense. */
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

/* A band and a few other entries off the diagonal; the indefinite matrix has pairs of unknowns with
 * zeros on the diagonal. */
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
         round++) { /* other numbers in the same places, finally many zeros */
        memset(&other, 0, sizeof other);
        for (int64_t k = 0; k < m.count; k++) {
            const int zero = round == 2 && fabs(m.value[k]) < 0.25;
            put(&other, m.row[k], m.column[k], zero ? 0.0 : m.value[k] * (1.0 + 0.1 * round));
        }
        assert_int_equal(rct_sparse_system_factor(system, other.value, &error), RCT_OK);
        check_answer(&other, system, (uint64_t)round);
    }
    assert_true(rct_sparse_system_bytes(system) > 16 * m.count);
    if (definite) { /* a pivot is at most the diagonal entry */
        double pivots[SIZE];
        rct_sparse_system_pivots(system, pivots);
        for (int i = 0; i < SIZE; i++) {
            assert_true(pivots[i] > 0.0 && pivots[i] <= 4.0 * 1.2);
        }
    } else {
        const double least = rct_sparse_system_least_pivot(system);
        assert_true(least > 1e-9 && least <= 1.0);
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

/* ---- dense tails ---------------------------------------------------------------------------- */

enum { LARGE = 240, MANY = LARGE * (LARGE + 1) / 2 };

typedef struct tailed {
    int64_t count, row[MANY], column[MANY];
    double value[MANY], dense[LARGE * LARGE];
} tailed;

/* The first unknowns form a band, each coupled with one of the last ones, which are coupled with
 * all. The last diagonal entries are negative if the matrix is to be indefinite. */
static void draw_tailed(tailed *m, int64_t last, double diagonal, uint64_t seed)
{
    memset(m, 0, sizeof *m);
    for (int64_t i = 0; i < LARGE; i++) {
        for (int64_t j = i; j < LARGE; j++) {
            const int both = i >= LARGE - last;
            const int tied = last > 0 && j == LARGE - 1 - i % last;
            if (i == j || j == i + 1 || both || tied) {
                const double value = i != j ? draw_between(&seed, -0.3, 0.3)
                                     : both ? diagonal
                                            : 4.0;
                m->row[m->count] = i;
                m->column[m->count] = j;
                m->value[m->count++] = value;
                m->dense[LARGE * i + j] = m->dense[LARGE * j + i] = value;
            }
        }
    }
}

static rct_sparse_system *system_of(const tailed *m)
{
    const rct_sparse_places places = {.what = "a matrix",
                                      .size = LARGE,
                                      .count = m->count,
                                      .row = m->row,
                                      .column = m->column,
                                      .definite = 1};
    rct_sparse_system *system = rct_sparse_system_create(&places, NULL);
    assert_non_null(system);
    return system;
}

/* Answers, and the determinant by pivots, against LAPACK; repeated factors are the same. */
static void check_tailed(const tailed *m, rct_sparse_system *system, uint64_t seed)
{
    static double slow[LARGE * LARGE];
    double x[LARGE], y[LARGE], again[LARGE], pivots[LARGE], logarithm = 0.0;
    draw_numbers(&seed, x, LARGE, 1.0);
    memcpy(y, x, sizeof x);
    memcpy(again, x, sizeof x);
    memcpy(slow, m->dense, sizeof slow);
    assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', LARGE, 1, slow, LARGE, y, LARGE), 0);
    assert_int_equal(rct_sparse_system_factor(system, m->value, NULL), RCT_OK);
    rct_sparse_system_solve(system, x);
    rct_sparse_system_pivots(system, pivots);
    for (int i = 0; i < LARGE; i++) {
        assert_true(fabs(x[i] - y[i]) <= 1e-12);
        logarithm += log(pivots[i]) - 2.0 * log(slow[i * (LARGE + 1)]);
    }
    assert_true(fabs(logarithm) <= 1e-11);
    assert_int_equal(rct_sparse_system_factor(system, m->value, NULL), RCT_OK);
    rct_sparse_system_solve(system, again);
    assert_memory_equal(again, x, sizeof x);
}

/* No unknowns, too few for a dense tail, a part, nearly all and all. */
static void test_dense_tails(void **state)
{
    static const int64_t last[] = {0, 10, 60, 200, LARGE};
    static tailed m;
    (void)state;
    for (int i = 0; i < 5; i++) {
        rct_error error;
        draw_tailed(&m, last[i], 40.0, 5);
        rct_sparse_system *system = system_of(&m);
        check_tailed(&m, system, 1);
        draw_tailed(&m, last[i], 50.0, 6);
        check_tailed(&m, system, 2);
        m.value[m.count - 1] = -1e3;
        if (last[i] >= 60) { /* the dense factor refuses a matrix that is not definite */
            assert_int_equal(rct_sparse_system_factor(system, m.value, &error), RCT_ERROR_SINGULAR);
            assert_non_null(strstr(error.text, "pivot of 0"));
        }
        m.value[m.count - 1] = NAN;
        assert_int_equal(rct_sparse_system_factor(system, m.value, &error), RCT_ERROR_SINGULAR);
        draw_tailed(&m, last[i], 40.0, 5);
        check_tailed(&m, system, 3);
        rct_sparse_system_free(system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definite),
        cmocka_unit_test(test_indefinite),
        cmocka_unit_test(test_dense_tails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
