/* Banded positive definite systems in lanes of every width, against LAPACK: sizes that end inside a
 * piece, a separator and at both ends, bands of every width, pivots, singular matrices, and the same
 * bits through lanes of any width where products and sums are not joined. */
#include "tests/support/cmocka_all.h"

#include "algebra/banded.h"
#include "tests/support/draw.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 700 };

/* A matrix in the places of its lower band, some of them twice; and for LAPACK, by columns. */
typedef struct matrix {
    int64_t size, band, count;
    int64_t *row, *column;
    double *value, *lower;
} matrix;

static matrix draw_matrix(int64_t size, int64_t band, uint64_t *seed)
{
    const int64_t most = size * (band + 2);
    matrix m = {.size = size,
                .band = band,
                .row = calloc((size_t)most, sizeof(int64_t)),
                .column = calloc((size_t)most, sizeof(int64_t)),
                .value = calloc((size_t)most, sizeof(double)),
                .lower = calloc((size_t)(size * (band + 1)), sizeof(double))};
    assert_true(m.row != NULL && m.column != NULL && m.value != NULL && m.lower != NULL);
    for (int64_t i = 0; i < size; i++) {
        for (int64_t j = i; j < size && j <= i + band; j++) {
            for (int twice = 0; twice < (i == j ? 2 : 1); twice++) {
                const double value =
                    i == j ? 0.55 * (double)band + 0.05 : draw_between(seed, -0.5, 0.5);
                m.row[m.count] = i;
                m.column[m.count] = j;
                m.value[m.count++] = value;
                m.lower[i * (band + 1) + j - i] += value;
            }
        }
    }
    return m;
}

static void forget(matrix *m)
{
    free(m->row);
    free(m->column);
    free(m->value);
    free(m->lower);
}

static rct_sparse_places places_of(const matrix *m)
{
    return (rct_sparse_places){.what = "a matrix",
                               .size = m->size,
                               .count = m->count,
                               .row = m->row,
                               .column = m->column,
                               .definite = 1,
                               .pieces = 1};
}

/* The solution of LAPACK, and the product of the pivots of its factor: the determinant. */
static void solve_slowly(const matrix *m, double *x, double *determinant)
{
    const lapack_int n = (lapack_int)m->size, band = (lapack_int)m->band;
    double *lower = malloc((size_t)(m->size * (m->band + 1)) * sizeof *lower);
    assert_non_null(lower);
    memcpy(lower, m->lower, (size_t)(m->size * (m->band + 1)) * sizeof *lower);
    assert_int_equal(LAPACKE_dpbsv(LAPACK_COL_MAJOR, 'L', n, band, 1, lower, band + 1, x, n), 0);
    *determinant = 0.0;
    for (int64_t i = 0; i < m->size; i++) {
        *determinant += 2.0 * log(lower[i * (m->band + 1)]);
    }
    free(lower);
}

static void check(const matrix *m, const rct_lane_kernels *kernels, uint64_t seed, double *out)
{
    double slow[MOST], pivots[MOST], expected, determinant = 0.0;
    rct_error error;
    const rct_sparse_places places = places_of(m);
    assert_true(rct_banded_suits(&places));
    rct_banded *banded = rct_banded_create(&places, kernels, &error);
    assert_non_null(banded);
    assert_true(rct_banded_bytes(banded) > 0);
    draw_numbers(&seed, out, (int)m->size, 1.0);
    memcpy(slow, out, (size_t)m->size * sizeof *slow);
    solve_slowly(m, slow, &expected);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(rct_banded_factor(banded, m->value, &error), RCT_OK);
    }
    rct_banded_solve(banded, out);
    rct_banded_pivots(banded, pivots);
    for (int64_t i = 0; i < m->size; i++) {
        assert_true(fabs(out[i] - slow[i]) <= 1e-13);
        determinant += log(pivots[i]);
    }
    assert_true(fabs(determinant - expected) <= 1e-12 * (double)m->size);
    rct_banded_free(banded);
}

static void bands_agree_with_lapack_in_lanes_of_any_width(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int64_t band = 1; band <= BAND_WIDEST; band++) {
        const int64_t step = rct_bands_step(band);
        const int64_t sizes[] = {96,
                                 4 * step,
                                 4 * step + BAND_LENGTH,
                                 4 * step + BAND_LENGTH + 1,
                                 8 * step + 1,
                                 9 * step - 1,
                                 577};
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            matrix m = draw_matrix(sizes[k] < 96 ? 96 : sizes[k], band, &seed);
            double first[MOST], other[MOST];
            for (int32_t w = 0; rct_lane_kernels_list()[w] != NULL; w++) {
                check(&m, rct_lane_kernels_list()[w], seed, w == 0 ? first : other);
#ifdef RCT_STRICT
                assert_memory_equal(first, w == 0 ? first : other, (size_t)m.size * sizeof *first);
#endif
            }
            forget(&m);
        }
    }
}

/* A row of zeros in a piece or in a separator, a number that is not finite, and a matrix that is
 * not positive definite but has all pivots. */
static void matrices_without_pivots_are_refused(void **state)
{
    (void)state;
    uint64_t seed = 3;
    matrix m = draw_matrix(200, 3, &seed);
    const rct_sparse_places places = places_of(&m);
    rct_error error;
    rct_banded *banded = rct_banded_create(&places, rct_lane_kernels_list()[0], &error);
    const int64_t empty[] = {0, 31, 33, 34, 100, 199};
    assert_non_null(banded);
    for (size_t k = 0; k < sizeof empty / sizeof *empty; k++) {
        double *value = malloc((size_t)m.count * sizeof *value);
        assert_non_null(value);
        memcpy(value, m.value, (size_t)m.count * sizeof *value);
        for (int64_t i = 0; i < m.count; i++) {
            const int there = m.row[i] == empty[k] || m.column[i] == empty[k];
            value[i] = there ? 0.0 : value[i];
        }
        assert_int_equal(rct_banded_factor(banded, value, &error), RCT_ERROR_SINGULAR);
        assert_non_null(strstr(error.text, "a matrix has a pivot of 0"));
        memcpy(value, m.value, (size_t)m.count * sizeof *value);
        value[4 * empty[k]] = NAN;
        assert_int_equal(rct_banded_factor(banded, value, &error), RCT_ERROR_SINGULAR);
        free(value);
    }
    assert_int_equal(rct_banded_factor(banded, m.value, &error), RCT_OK);
    rct_banded_free(banded);
    forget(&m);
}

/* Wide, small, indefinite systems and those that may not be cut are not for lanes. */
static void other_systems_do_not_suit(void **state)
{
    (void)state;
    uint64_t seed = 5;
    const int64_t size[] = {95, 300, 300, 300}, band[] = {2, BAND_WIDEST + 1, 2, 2};
    for (int k = 0; k < 4; k++) {
        matrix m = draw_matrix(size[k], band[k], &seed);
        rct_sparse_places places = places_of(&m);
        places.definite = k != 2;
        places.pieces = k != 3;
        assert_false(rct_banded_suits(&places));
        forget(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bands_agree_with_lapack_in_lanes_of_any_width),
        cmocka_unit_test(matrices_without_pivots_are_refused),
        cmocka_unit_test(other_systems_do_not_suit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
