/* Small components of Lambda, closed one per lane (admittance_small.h), against singular values: of
 * all sizes and ranks, with widely different scales, full matrices and band matrices, and the same
 * bits whatever components stand beside. */
#include "tests/support/cmocka_all.h"

#include "closure/admittance.h"
#include "tests/support/draw.h"

#include <lapacke.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENTS = 150, MOST = 24 };

/* Lambda of one component: B B*, B [rows][rank]. If it is `narrow`, a column of B is 0 except in a
 * few rows, which come later for later columns. */
typedef struct component {
    int32_t rows, rank, first;
    int narrow;
    double matrix[MOST * MOST];
} component;

typedef struct all_components {
    component of[COMPONENTS];
    int32_t count, rows;
} all_components;

static void draw_component(component *c, int32_t rows, int32_t rank, double scale, uint64_t *random)
{
    double B[MOST * MOST];
    draw_numbers(random, B, rows * rank, 1.0);
    for (int32_t k = 0; k < rank && c->narrow; k++) {
        const int32_t first = k * (rows - 1) / rank, end = first + rows / rank + 2;
        for (int32_t i = 0; i < rows; i++) {
            B[i * rank + k] = i < first || i > end ? 0.0 : B[i * rank + k];
        }
    }
    c->rows = rows;
    c->rank = rank;
    for (int32_t i = 0; i < rows; i++) {
        for (int32_t j = 0; j < rows; j++) {
            double sum = 0.0;
            for (int32_t k = 0; k < rank; k++) {
                sum += B[i * rank + k] * B[j * rank + k];
            }
            c->matrix[i * rows + j] = scale * sum;
        }
    }
}

/* Rows of the components in turn, so that no component has consecutive rows. */
static int32_t row_of(const all_components *all, int32_t number, int32_t i)
{
    int32_t row = 0;
    for (int32_t k = 0; k < all->count; k++) {
        const int32_t before = all->of[k].rows;
        row += before < i ? before : i;
        row += k < number && before > i;
    }
    return row;
}

/* Only numbers on the diagonal of a component, or not 0, are passed. */
static int is_told(const component *c, int32_t i, int32_t j)
{
    return i == j || c->matrix[i * c->rows + j] != 0.0;
}

static int64_t places(const void *context, int64_t *row, int64_t *column)
{
    const all_components *all = context;
    int64_t count = 0;
    for (int32_t k = 0; k < all->count; k++) {
        for (int32_t i = 0; i < all->of[k].rows; i++) {
            for (int32_t j = 0; j <= i; j++) {
                const int told = is_told(&all->of[k], i, j);
                if (told && row != NULL) {
                    row[count] = row_of(all, k, j);
                    column[count] = row_of(all, k, i);
                }
                count += told;
            }
        }
    }
    return count;
}

static void numbers(const void *context, double *Lambda)
{
    const all_components *all = context;
    for (int32_t k = 0; k < all->count; k++) {
        const int32_t m = all->of[k].rows;
        for (int32_t i = 0; i < m; i++) {
            for (int32_t j = 0; j <= i; j++) {
                if (is_told(&all->of[k], i, j)) {
                    *Lambda++ = all->of[k].matrix[i * m + j];
                }
            }
        }
    }
}

/* lambda of least length by singular values; those below 1e-9 of the largest count as zero. */
static void slow_answer(const component *c, const double *gap, double *lambda)
{
    double A[MOST * MOST], values[MOST];
    lapack_int rank;
    memcpy(A, c->matrix, sizeof A);
    for (int32_t i = 0; i < c->rows; i++) {
        lambda[i] = -gap[i];
    }
    assert_int_equal(LAPACKE_dgelsd(LAPACK_ROW_MAJOR, c->rows, c->rows, 1, A, c->rows, lambda, 1,
                                    values, 1e-9, &rank),
                     0);
    assert_int_equal(rank, c->rank);
}

typedef struct solved {
    double *gap, *lambda;
    rct_closure_report factor, solve;
} solved;

static void close_all(const all_components *all, solved *out)
{
    const rct_mobility mobility = {
        .context = (void *)(uintptr_t)all, .places = places, .numbers = numbers};
    int64_t *none = calloc((size_t)all->rows + 1, sizeof *none);
    rct_closure_rows rows = {.count = all->rows, .rates_at = none, .version = 1};
    const rct_closure_problem problem = {.mobility = &mobility, .rows = &rows};
    void *work = rct_closure_admittance.create(NULL, NULL);
    rct_error error;
    assert_non_null(work);
    assert_int_equal(rct_closure_admittance.factor(work, &problem, &out->factor, &error), RCT_OK);
    assert_non_null(((rct_admittance *)work)->small);
    assert_int_equal(
        rct_closure_admittance.solve(work, out->gap, out->lambda, NULL, &out->solve, &error),
        RCT_OK);
    rct_closure_admittance.destroy(work);
    free(none);
}

/* The rows of component k among those of all. */
static void pick(const all_components *all, int32_t k, const double *from, double *to)
{
    for (int32_t i = 0; i < all->of[k].rows; i++) {
        to[i] = from[row_of(all, k, i)];
    }
}

static double length(const double *v, int32_t n)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return sqrt(sum);
}

static void check(const all_components *all, const solved *s)
{
    int32_t rank = 0;
    for (int32_t k = 0; k < all->count; k++) {
        const component *c = &all->of[k];
        double gap[MOST], found[MOST], expected[MOST], off[MOST];
        pick(all, k, s->gap, gap);
        pick(all, k, s->lambda, found);
        slow_answer(c, gap, expected);
        for (int32_t i = 0; i < c->rows; i++) {
            off[i] = found[i] - expected[i];
        }
        if (!(length(off, c->rows) <= 1e-9 * length(expected, c->rows))) {
            fail_msg("component %d of %d rows, rank %d: off by %g", (int)k, (int)c->rows,
                     (int)c->rank, length(off, c->rows) / length(expected, c->rows));
        }
        rank += c->rank;
    }
    assert_int_equal(s->factor.rank, rank);
}

static all_components *draw_all(uint64_t seed, int singular)
{
    all_components *all = calloc(1, sizeof *all);
    uint64_t random = seed;
    assert_non_null(all);
    for (int32_t k = 0; k < COMPONENTS; k++) {
        const int32_t rows = 1 + (int32_t)(draw_bits(&random) % (k % 3 == 0 ? MOST : 4));
        const int32_t less = singular ? (int32_t)(draw_bits(&random) % (uint64_t)rows) : 0;
        const double scale = pow(10.0, draw_between(&random, -6.0, 6.0));
        all->of[k].narrow = k % 2;
        draw_component(&all->of[k], rows, rows - less, scale, &random);
        all->rows += rows;
    }
    all->count = COMPONENTS;
    return all;
}

static solved answer(const all_components *all, uint64_t seed)
{
    solved s = {.gap = calloc(2 * (size_t)all->rows, sizeof *s.gap)};
    uint64_t random = seed;
    assert_non_null(s.gap);
    s.lambda = s.gap + all->rows;
    draw_numbers(&random, s.gap, all->rows, 1.0);
    close_all(all, &s);
    return s;
}

/* Square factors of random numbers are sometimes badly conditioned: those whose least singular
 * value the slow method cannot tell from zero are drawn again. */
static int is_plain(const component *c)
{
    double A[MOST * MOST], values[MOST];
    memcpy(A, c->matrix, sizeof A);
    assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'L', c->rows, A, c->rows, values),
                     0); /* ascending */
    return values[c->rows - c->rank] > 1e-7 * values[c->rows - 1];
}

static void test_all(int singular)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        all_components *all = draw_all(seed, singular);
        uint64_t random = seed + 1000;
        for (int32_t k = 0; k < COMPONENTS; k++) {
            component *c = &all->of[k];
            while (!is_plain(c)) {
                draw_component(c, c->rows, c->rank, 1.0, &random);
            }
        }
        solved s = answer(all, seed);
        check(all, &s);
        assert_true(singular || s.solve.residual < 1e-9);
        free(s.gap);
        free(all);
    }
}

static void test_regular(void **state)
{
    (void)state;
    test_all(0);
}

/* The residue of a gap that cannot be closed is reported. */
static void test_singular(void **state)
{
    (void)state;
    test_all(1);
}

static void test_nothing_gives_way(void **state)
{
    (void)state;
    all_components *all = calloc(1, sizeof *all);
    all->count = 3;
    all->rows = 6;
    all->of[0].rows = 1;
    all->of[1].rows = 2;
    all->of[2].rows = 3;
    solved s = answer(all, 1);
    assert_int_equal(s.factor.rank, 0);
    assert_true(s.factor.dependent >= 0);
    assert_true(s.solve.residual == 1.0);
    for (int32_t i = 0; i < all->rows; i++) {
        assert_true(s.lambda[i] == 0.0);
    }
    free(s.gap);
    free(all);
}

/* One component has the same bits alone. */
static void test_alone(void **state)
{
    (void)state;
    all_components *all = draw_all(7, 1), *alone = calloc(1, sizeof *alone);
    solved s = answer(all, 7);
    for (int32_t k = 0; k < COMPONENTS; k++) {
        double found[MOST];
        solved own = {.gap = calloc(2 * MOST, sizeof *own.gap)};
        own.lambda = own.gap + MOST;
        alone->of[0] = all->of[k];
        alone->count = 1;
        alone->rows = all->of[k].rows;
        pick(all, k, s.gap, own.gap);
        pick(all, k, s.lambda, found);
        close_all(alone, &own);
        assert_memory_equal(own.lambda, found, (size_t)alone->rows * sizeof *found);
        free(own.gap);
    }
    free(s.gap);
    free(alone);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regular), cmocka_unit_test(test_singular),
        cmocka_unit_test(test_nothing_gives_way), cmocka_unit_test(test_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
