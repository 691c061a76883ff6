/* The tables of the integrators with error control against the order conditions: one condition per
 * rooted tree, and for a pair of tables one for every choice of a table at each inner node. */
#include "tests/support/cmocka_all.h"

#include "integrate/tables.h"

#include <math.h>

enum { MOST_TABLES = 2 };

static const double rounding = 4e-15;

/* One or two tables with the same c and weights. */
typedef struct pair {
    int stages, tables;
    const double *a[MOST_TABLES]; /* [stages][stages] by rows */
    const double *c;
} pair;

static void times(const pair *p, int table, const double *x, double *y)
{
    for (int i = 0; i < p->stages; i++) {
        y[i] = 0.0;
        for (int j = 0; j < p->stages; j++) {
            y[i] += p->a[table][i * p->stages + j] * x[j];
        }
    }
}

static void by_c(const pair *p, const double *x, double *y)
{
    for (int i = 0; i < p->stages; i++) {
        y[i] = p->c[i] * x[i];
    }
}

static void expect_sum(const pair *p, const double *b, const double *x, double whole)
{
    double sum = 0.0;
    for (int i = 0; i < p->stages; i++) {
        sum += b[i] * x[i];
    }
    assert_true(fabs(sum - 1.0 / whole) < rounding);
}

/* Conditions of the trees that begin with c^k: of A c^k and the larger trees that contain it, up to
 * `order`. */
static void expect_inner(const pair *p, const double *b, const double *power, int k, int order)
{
    double inner[DOPRI5_STAGES], more[DOPRI5_STAGES], all[DOPRI5_STAGES];
    for (int t = 0; t < p->tables && k + 2 <= order; t++) {
        times(p, t, power, inner); /* c^(k+1) / (k+1) in an exact method */
        expect_sum(p, b, inner, (k + 1.0) * (k + 2.0));
        if (k + 3 <= order) {
            by_c(p, inner, more);
            expect_sum(p, b, more, (k + 1.0) * (k + 3.0));
            for (int other = 0; other < p->tables; other++) {
                times(p, other, inner, more);
                expect_sum(p, b, more, (k + 1.0) * (k + 2.0) * (k + 3.0));
            }
        }
        if (k + 4 <= order) { /* a single table */
            by_c(p, more, all);
            expect_sum(p, b, all, (k + 1.0) * (k + 2.0) * (k + 4.0));
            by_c(p, inner, more);
            times(p, t, more, all);
            expect_sum(p, b, all, (k + 1.0) * (k + 3.0) * (k + 4.0));
            by_c(p, more, all);
            expect_sum(p, b, all, (k + 1.0) * (k + 4.0));
            times(p, t, inner, more);
            times(p, t, more, all);
            expect_sum(p, b, all, (k + 1.0) * (k + 2.0) * (k + 3.0) * (k + 4.0));
            for (int i = 0; i < p->stages; i++) {
                all[i] = inner[i] * inner[i];
            }
            expect_sum(p, b, all, (k + 1.0) * (k + 1.0) * (2.0 * k + 3.0));
        }
    }
}

static void expect_order(const pair *p, const double *b, int order)
{
    double power[DOPRI5_STAGES], next[DOPRI5_STAGES];
    for (int i = 0; i < p->stages; i++) {
        power[i] = 1.0;
    }
    expect_sum(p, b, power, 1.0);
    for (int k = 1; k < order; k++) {
        by_c(p, power, next);
        for (int i = 0; i < p->stages; i++) {
            power[i] = next[i];
        }
        expect_sum(p, b, power, k + 1.0);
        expect_inner(p, b, power, k, order);
    }
}

/* Rows of every table sum to c. The differences of the weights sum to zero, and are not of a higher
 * order: an estimate that vanishes has no information. */
static void expect_pair(const pair *p, const double *b, const double *e, int order)
{
    double lower[DOPRI5_STAGES], ones[DOPRI5_STAGES], sums[DOPRI5_STAGES], error = 0.0;
    for (int i = 0; i < p->stages; i++) {
        lower[i] = b[i] - e[i];
        ones[i] = 1.0;
    }
    for (int t = 0; t < p->tables; t++) {
        times(p, t, ones, sums);
        for (int i = 0; i < p->stages; i++) {
            assert_true(fabs(sums[i] - p->c[i]) < rounding);
        }
    }
    expect_order(p, b, order);
    expect_order(p, lower, order - 1);
    for (int i = 0; i < p->stages; i++) {
        error += e[i] * pow(p->c[i], order - 1.0);
    }
    assert_true(fabs(error) > 1e-5);
}

static void test_dormand_and_prince(void **state)
{
    (void)state;
    const pair p = {DOPRI5_STAGES, 1, {&rct_dopri5_a[0][0]}, rct_dopri5_c};
    expect_pair(&p, rct_dopri5_a[DOPRI5_STAGES - 1], rct_dopri5_e, 5);
}

static void test_kennedy_and_carpenter(void **state)
{
    (void)state;
    const pair p = {
        ARK4_STAGES, 2, {&rct_ark4_explicit[0][0], &rct_ark4_implicit[0][0]}, rct_ark4_c};
    expect_pair(&p, rct_ark4_implicit[ARK4_STAGES - 1], rct_ark4_e, 4);
    for (int i = 0; i < ARK4_STAGES; i++) {
        assert_true(rct_ark4_implicit[i][i] == (i > 0 ? RCT_ARK4_GAMMA : 0.0));
        for (int j = i; j < ARK4_STAGES; j++) {
            assert_true(rct_ark4_explicit[i][j] == 0.0);
            assert_true(j == i || rct_ark4_implicit[i][j] == 0.0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dormand_and_prince),
        cmocka_unit_test(test_kennedy_and_carpenter),
    };
    return cmocka_run_group_tests_name("tables of integrators", tests, NULL, NULL);
}
