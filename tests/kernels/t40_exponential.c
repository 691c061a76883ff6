/* Exponential and hyperbolic tangent on lanes of every width against long double, for random and
 * awkward numbers: within 1.5 and 2.5 ulp; the same bits for every width; NaN stays NaN. */
#include "tests/support/cmocka_all.h"

#include "tests/kernels/exponential_lanes.h"
#include "tests/support/draw.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct width {
    int lanes;
    void (*of)(const double *x, double *e, double *t);
} widths[] = {{1, exponential_lanes_1},
              {2, exponential_lanes_2},
              {4, exponential_lanes_4},
              {8, exponential_lanes_8}};

enum { WIDTHS = sizeof widths / sizeof widths[0] };

/* |is - should| in units of the last place of `should`. */
static double ulps(double is, long double should)
{
    int exponent;
    (void)frexpl(should, &exponent);
    return (double)ldexpl(fabsl(is - should), 53 - exponent);
}

static void find(int k, const double x[8], double e[8], double t[8])
{
    for (int i = 0; i < 8; i += widths[k].lanes) {
        widths[k].of(x + i, e + i, t + i);
    }
}

static void expect(const double x[8])
{
    double first[2][8];
    for (int k = 0; k < WIDTHS; k++) {
        double e[8], t[8];
        find(k, x, e, t);
        for (int i = 0; i < 8; i++) {
            const double off_e = ulps(e[i], expl(x[i])), off_t = ulps(t[i], tanhl(x[i]));
            if (!((fabs(x[i]) > 708.0 || off_e <= 1.5) && off_t <= 2.5)) {
                fail_msg("%d lanes, %a: exp %a off by %g ulp, tanh %a by %g", widths[k].lanes, x[i],
                         e[i], off_e, t[i], off_t);
            }
        }
        if (k == 0) {
            memcpy(first[0], e, sizeof e);
            memcpy(first[1], t, sizeof t);
        }
#ifdef RCT_STRICT
        assert_memory_equal(first[0], e, sizeof e);
        assert_memory_equal(first[1], t, sizeof t);
#endif
    }
}

/* Numbers of every size, and evenly spaced ones. */
static void test_random_numbers(void **state)
{
    (void)state;
    uint64_t random = 41;
    for (int n = 0; n < 40000; n++) {
        const double size = n % 3 == 0 ? 708.0 : n % 3 == 1 ? 3.0 : pow(10.0, n % 18 - 15);
        double x[8];
        for (int i = 0; i < 8; i++) {
            x[i] = draw_between(&random, -size, size);
        }
        expect(x);
    }
}

/* Near odd multiples of log(2) / 2, where the power of two changes, for exp and tanh. */
static void test_awkward_numbers(void **state)
{
    (void)state;
    double x[8];
    for (int n = -1020; n < 1020; n++) {
        double near = 0.25 * n * (double)logl(2.0L);
        for (int i = 0; i < 8; i++) {
            x[i] = i % 2 ? 2.0 * near : near;
            near = nextafter(near, i < 4 ? -800.0 : 800.0);
        }
        expect(x);
    }
}

static void test_ends(void **state)
{
    (void)state;
    const double x[8] = {0.0, DBL_TRUE_MIN, -1e-300, 710.0, -1e4, (double)INFINITY, 19.5, -22.0};
    for (int k = 0; k < WIDTHS; k++) {
        double e[8], t[8];
        find(k, x, e, t);
        assert_true(e[0] == 1.0 && t[0] == 0.0 && t[1] == DBL_TRUE_MIN && t[2] == -1e-300);
        assert_true(e[1] == 1.0 && e[3] == e[5] && e[3] > 1e307 && e[4] > 0.0 && e[4] < 1e-307);
        assert_true(t[3] == 1.0 && t[4] == -1.0 && t[5] == 1.0 && t[6] <= 1.0 && t[7] == -1.0);
        assert_true(isfinite(e[3]));
    }
}

static void test_what_is_no_number(void **state)
{
    (void)state;
    const double x[8] = {(double)NAN, 1.0,  -(double)NAN, 0.5,
                         (double)NAN, -1.0, (double)NAN,  700.0};
    for (int k = 0; k < WIDTHS; k++) {
        double e[8], t[8];
        find(k, x, e, t);
        for (int i = 0; i < 8; i++) {
            assert_int_equal(isnan(e[i]), i % 2 == 0);
            assert_int_equal(isnan(t[i]), i % 2 == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_awkward_numbers),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_what_is_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
