/* Independent rates of one aggregate against the singular values of J: rank, what X leaves of J,
 * solutions of least squares and of least length; and the conditions under which the choice is
 * kept. */
#include "tests/support/cmocka_all.h"

#include "closure/embedding.h"
#include "tests/support/draw.h"

#include <lapacke.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24 };

typedef struct room {
    rct_embed_choice choice;
    rct_embed_scratch scratch;
    double QR[MOST * MOST], X[MOST * MOST], tau[MOST], scale[MOST];
    double work[80 * 80], vector[MOST];
    int32_t order[MOST];
} room;

static void furnish(room *r, int32_t rows, int32_t rates)
{
    memset(r, 0, sizeof *r);
    r->choice = (rct_embed_choice){.rows = rows,
                                   .rates = rates,
                                   .QR = r->QR,
                                   .tau = r->tau,
                                   .scale = r->scale,
                                   .X = r->X,
                                   .order = r->order};
    r->scratch = (rct_embed_scratch){r->work, r->vector};
    assert_true((size_t)rct_embed_work(MOST) <= sizeof r->work / sizeof *r->work);
}

/* J [rates][rows] of a rank. */
static void draw_J(uint64_t *random, int32_t rows, int32_t rates, int32_t rank, double *J)
{
    memset(J, 0, (size_t)rows * (size_t)rates * sizeof *J);
    for (int32_t k = 0; k < rank; k++) {
        double left[MOST], right[MOST];
        draw_numbers(random, left, rows, 1.0);
        draw_numbers(random, right, rates, 1.0);
        for (int32_t c = 0; c < rows * rates; c++) {
            J[c] += left[c % rows] * right[c / rows];
        }
    }
}

/* theta in the order of the rates from (X, 1) xi + (x0, 0). */
static void spread(const rct_embed_choice *c, const double *xi, const double *x0, double *theta)
{
    for (int32_t k = 0; k < c->rates; k++) {
        double y = k < c->rank ? x0[k] : xi[k - c->rank];
        for (int32_t j = 0; j < c->rates - c->rank && k < c->rank; j++) {
            y += c->X[j * c->rates + k] * xi[j];
        }
        theta[c->order[k]] = c->scale[k] * y;
    }
}

/* Least squares and least length by singular values: x [columns] of |A x - b|, A
 * [columns][rows]. */
static void answer(const double *A, int32_t rows, int32_t columns, const double *b, double *x,
                   int32_t *rank)
{
    double copy[MOST * MOST], right[MOST] = {0.0}, values[MOST];
    memcpy(copy, A, (size_t)rows * (size_t)columns * sizeof *copy);
    memcpy(right, b, (size_t)rows * sizeof *right);
    assert_int_equal(LAPACKE_dgelsd(LAPACK_COL_MAJOR, rows, columns, 1, copy, rows, right, MOST,
                                    values, 1e-9, rank),
                     0);
    memcpy(x, right, (size_t)columns * sizeof *x);
}

static double product(const double *J, int32_t rows, int32_t rates, int32_t i, const double *theta)
{
    double sum = 0.0;
    for (int32_t j = 0; j < rates; j++) {
        sum += J[j * rows + i] * theta[j];
    }
    return sum;
}

/* J of every (X, 1) xi is zero; J of x0 is that of least squares. */
static void check_motion(room *r, const double *J, uint64_t *random)
{
    const rct_embed_choice *c = &r->choice;
    double xi[MOST], zero[MOST] = {0.0}, x0[MOST], theta[MOST], gap[MOST], best[MOST];
    int32_t rank;
    draw_numbers(random, xi, MOST, 1.0);
    draw_numbers(random, gap, MOST, 1.0);
    spread(c, xi, zero, theta);
    for (int32_t i = 0; i < c->rows; i++) {
        assert_true(fabs(product(J, c->rows, c->rates, i, theta)) <= 1e-9);
    }
    rct_embed_particular(c, gap, x0, &r->scratch);
    spread(c, xi, x0, theta);
    answer(J, c->rows, c->rates, gap, best, &rank);
    assert_int_equal(c->rank, rank);
    for (int32_t i = 0; i < c->rows; i++) {
        const double wanted = product(J, c->rows, c->rates, i, best);
        assert_true(fabs(product(J, c->rows, c->rates, i, theta) + wanted) <= 1e-9);
    }
}

/* lambda of least length of J* lambda = load. */
static void check_multipliers(room *r, const double *J, uint64_t *random)
{
    const rct_embed_choice *c = &r->choice;
    double some[MOST], load[MOST], placed[MOST], turned[MOST * MOST], lambda[MOST], best[MOST];
    int32_t rank;
    draw_numbers(random, some, MOST, 1.0);
    for (int32_t j = 0; j < c->rates; j++) {
        load[j] = 0.0;
        for (int32_t i = 0; i < c->rows; i++) {
            load[j] += J[j * c->rows + i] * some[i];
            turned[i * c->rates + j] = J[j * c->rows + i];
        }
    }
    for (int32_t k = 0; k < c->rates; k++) {
        placed[k] = c->scale[k] * load[c->order[k]];
    }
    rct_embed_multipliers(c, placed, lambda);
    answer(turned, c->rates, c->rows, load, best, &rank);
    for (int32_t i = 0; i < c->rows; i++) {
        assert_true(fabs(lambda[i] - best[i]) <= 1e-9);
    }
}

/* Without the named row the rank is lower. */
static void check_dependent(room *r, const double *J)
{
    const rct_embed_choice *c = &r->choice;
    const int32_t row = rct_embed_dependent(c, &r->scratch);
    double others[MOST * MOST], right[MOST] = {0.0}, x[MOST];
    int32_t rank;
    assert_int_equal(row < 0, c->rank == c->rows);
    if (row < 0 || c->rows == 1) {
        return;
    }
    for (int32_t j = 0; j < c->rates; j++) {
        for (int32_t i = 0; i < c->rows - 1; i++) {
            others[j * (c->rows - 1) + i] = J[j * c->rows + i + (i >= row)];
        }
    }
    answer(others, c->rows - 1, c->rates, right, x, &rank);
    assert_int_equal(rank, c->rank);
}

static void test_random(void **state)
{
    static room r;
    double J[MOST * MOST], scale[MOST];
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        uint64_t random = seed;
        const int32_t rows = 1 + (int32_t)(draw_bits(&random) % 12);
        const int32_t rates = 1 + (int32_t)(draw_bits(&random) % 12);
        const int32_t fewer = rows < rates ? rows : rates;
        const int32_t rank = (int32_t)(draw_bits(&random) % (uint64_t)(fewer + 1));
        draw_J(&random, rows, rates, rank, J);
        for (int32_t j = 0; j < rates; j++) {
            scale[j] = draw_between(&random, 0.5, 2.0);
        }
        furnish(&r, rows, rates);
        rct_embed_choose(&r.choice, J, scale, 0, &r.scratch);
        assert_int_equal(r.choice.rank, rank);
        check_motion(&r, J, &random);
        check_multipliers(&r, J, &random);
        check_dependent(&r, J);
    }
}

/* One constraint cos t theta_1 + sin t theta_2 + 0.02 theta_3: the dependent rate is the leading
 * one, whatever the states before. */
static void test_chosen_by_the_state(void **state)
{
    static room r;
    const double scale[3] = {1.0, 1.0, 1.0};
    (void)state;
    furnish(&r, 1, 3);
    for (int step = 0; step <= 10000; step++) {
        const double t = 6.283185307179586e-4 * step, J[3] = {cos(t), sin(t), 0.02};
        rct_embed_choose(&r.choice, J, scale, 0, &r.scratch);
        assert_int_equal(r.choice.rank, 1);
        assert_int_equal(r.choice.order[0], fabs(J[0]) >= fabs(J[1]) ? 0 : 1);
        assert_true(fabs(r.choice.X[0]) <= 1.0 && fabs(r.choice.X[3]) <= 1.0);
    }
}

/* Two constraints that become one in a pose: the rank drop is found there, above 1e-9, and after
 * it. */
static void test_rank_in_a_pose(void **state)
{
    static room r;
    const double scale[3] = {1.0, 1.0, 1.0};
    (void)state;
    furnish(&r, 2, 3);
    for (int k = -12; k <= 12; k++) {
        const double t = k == 0 ? 0.0 : copysign(pow(10.0, abs(k) - 13), k);
        const double J[6] = {1.0, 1.0, 0.5, 0.5 + t, -0.3, -0.3 + t};
        rct_embed_choose(&r.choice, J, scale, 0, &r.scratch);
        if (fabs(t) < 0.9e-9 || fabs(t) > 1.1e-8) {
            assert_int_equal(r.choice.rank, fabs(t) > 1e-9 ? 2 : 1);
        }
        assert_int_equal(rct_embed_dependent(&r.choice, &r.scratch), r.choice.rank == 2 ? -1 : 1);
    }
}

/* Elements that are rounding of zero add no rank, with and without a choice; and back. */
static void test_rounding(void **state)
{
    static room r;
    const double scale[3] = {1.0, 1.0, 1.0}, sound[3] = {0.0, 1e-3, 1e-4};
    const double none[3] = {1e-17, 0.0, -2e-17};
    (void)state;
    furnish(&r, 1, 3);
    r.choice.most = 1.0;
    for (int k = 0; k < 6; k++) {
        rct_embed_choose(&r.choice, k % 2 ? sound : none, scale, 0, &r.scratch);
        assert_int_equal(r.choice.rank, k % 2);
        assert_int_equal(rct_embed_dependent(&r.choice, &r.scratch), k % 2 ? -1 : 0);
    }
}

/* Nothing can move: every constraint is dependent. */
static void test_without_rates(void **state)
{
    static room r;
    double lambda[3] = {1.0, 1.0, 1.0};
    (void)state;
    furnish(&r, 3, 0);
    rct_embed_choose(&r.choice, NULL, NULL, 0, &r.scratch);
    rct_embed_multipliers(&r.choice, lambda, lambda);
    assert_true(lambda[0] == 0.0 && lambda[1] == 0.0 && lambda[2] == 0.0);
    assert_true(rct_embed_dependent(&r.choice, &r.scratch) >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),         cmocka_unit_test(test_chosen_by_the_state),
        cmocka_unit_test(test_rank_in_a_pose), cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_without_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
