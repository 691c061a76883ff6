/* Sine and cosine on lanes of every width against long double, for random and awkward angles:
 * within 1.5 ulp up to a thousand radians, 2.5 ulp up to a million; arguments that are not finite
 * give NaN. */
#include "tests/support/cmocka_all.h"

#include "tests/kernels/angle_lanes.h"
#include "tests/support/draw.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct width {
    int lanes;
    void (*of)(const double *x, double *s, double *c);
} widths[] = {{1, angle_lanes_1}, {2, angle_lanes_2}, {4, angle_lanes_4}, {8, angle_lanes_8}};

enum { WIDTHS = sizeof widths / sizeof widths[0] };

/* Where a sine almost vanishes it loses its last bits as multiples of pi / 2 do. */
static const double lost = 0x1p-100;

/* |is - should| in units of the last place of `should`. */
static double ulps(double is, long double should)
{
    int exponent;
    (void)frexpl(should, &exponent);
    const double off = (double)fabsl(is - should) - lost;
    return off > 0.0 ? ldexp(off, 53 - exponent) : 0.0;
}

static void expect_angles(const double x[8])
{
    for (int k = 0; k < WIDTHS; k++) {
        double s[8], c[8];
        for (int i = 0; i < 8; i += widths[k].lanes) {
            widths[k].of(x + i, s + i, c + i);
        }
        for (int i = 0; i < 8; i++) {
            const double off_s = ulps(s[i], sinl(x[i])), off_c = ulps(c[i], cosl(x[i]));
            const double limit = fabs(x[i]) <= 1e3 ? 1.5 : 2.5;
            if (!(off_s <= limit && off_c <= limit)) {
                fail_msg("%d lanes, %a: sine %a off by %g ulp, cosine %a by %g", widths[k].lanes,
                         x[i], s[i], off_s, c[i], off_c);
            }
        }
    }
}

/* Angles of every size, and evenly spaced ones. */
static void test_random_angles(void **state)
{
    (void)state;
    uint64_t random = 40;
    for (int n = 0; n < 40000; n++) {
        double x[8];
        for (int i = 0; i < 8; i++) {
            x[i] = draw_between(&random, -1.0, 1.0) * (n % 2 ? 1e6 : pow(10.0, n % 12 - 5));
        }
        expect_angles(x);
    }
}

/* Near multiples of an eighth of a turn, where the series change, and one of the two vanishes. */
static void test_awkward_angles(void **state)
{
    (void)state;
    const long double eighth = atanl(1.0L);
    double x[8];
    int count = 0;
    for (int32_t n = 0; n < 1273239; n += n < 4000 ? 1 : 97) {
        double near = (double)(n * eighth);
        for (int i = 0; i < 3; i++) {
            x[count] = count % 2 ? -near : near;
            near = nextafter(near, i == 0 ? -1.0 : 2e6);
            if (++count == 8) {
                expect_angles(x);
                count = 0;
            }
        }
    }
}

static void test_zero_and_what_is_tiny(void **state)
{
    (void)state;
    const double x[8] = {0.0, -0.0, DBL_MIN, -DBL_MIN, DBL_TRUE_MIN, 1e-300, -1e-170, 1e-20};
    for (int k = 0; k < WIDTHS; k++) {
        double s[8], c[8];
        for (int i = 0; i < 8; i += widths[k].lanes) {
            widths[k].of(x + i, s + i, c + i);
        }
        for (int i = 0; i < 8; i++) {
            assert_true(s[i] == x[i] && c[i] == 1.0);
        }
    }
}

static void test_what_is_no_number(void **state)
{
    (void)state;
    const double x[8] = {
        (double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, -1e300, 1.0, (double)NAN, -2.0};
    for (int k = 0; k < WIDTHS; k++) {
        double s[8], c[8];
        for (int i = 0; i < 8; i += widths[k].lanes) {
            widths[k].of(x + i, s + i, c + i);
        }
        for (int i = 0; i < 8; i++) {
            assert_int_equal(isfinite(s[i]) && isfinite(c[i]), i == 5 || i == 7);
        }
    }
}

/* Up to 2^50 the results are sine and cosine of an angle within some last digits of the given one;
 * beyond, NaN. */
static void test_huge_angles(void **state)
{
    (void)state;
    for (int k = 0; k < WIDTHS; k++) {
        for (int e = 20; e < 120; e++) {
            const double size = ldexp(1.0, e), below = nextafter(size, 0.0);
            const double x[8] = {below, -below,      0.75 * size, size,
                                 -size, 1.2 * below, 0.6 * size,  size};
            double s[8], c[8];
            for (int i = 0; i < 8; i += widths[k].lanes) {
                widths[k].of(x + i, s + i, c + i);
            }
            for (int i = 0; i < 8; i++) {
                const double square = s[i] * s[i] + c[i] * c[i];
                assert_true(fabs(x[i]) < 0x1p50 ? fabs(square - 1.0) < 1e-15
                                                : isnan(s[i]) && isnan(c[i]));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_angles),         cmocka_unit_test(test_awkward_angles),
        cmocka_unit_test(test_zero_and_what_is_tiny), cmocka_unit_test(test_what_is_no_number),
        cmocka_unit_test(test_huge_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
