/* Inertia: its principal moments, and which moments a rigid body can have, however small or
 * large. */
#include "tests/support/cmocka_all.h"

#include "model/families/draw.h"
#include "model/inertia.h"

#include <riccatree/model.h>

#include <math.h>
#include <string.h>

/* R diag(moments) R^T as xx yy zz xy xz yz, with R the rotation by q. */
static void turn(const double q[4], const double moments[3], double inertia[6])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double r[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
    };
    double m[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                m[i][j] += r[i][k] * moments[k] * r[j][k];
            }
        }
    }
    const double six[6] = {m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]};
    memcpy(inertia, six, sizeof six);
}

static void test_principal_moments(void **state)
{
    (void)state;
    const double q[4] = {0.4, 0.2, 0.4, 0.8}, given[3] = {1.0, 2.0, 3.0};
    double inertia[6], moments[3];
    turn(q, given, inertia);
    rct_principal_moments(inertia, moments);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(moments[i] - (i + 1)) < 1e-14);
    }
}

static rct_status add(const double inertia[6])
{
    rct_model *model = rct_model_create(NULL, NULL);
    rct_body body = rct_body_default();
    body.mass = 1.0;
    memcpy(body.inertia, inertia, sizeof body.inertia);
    const rct_status status = rct_model_add_body(model, &body, NULL, NULL);
    rct_model_free(model);
    return status;
}

/* The largest moment is just below or above the sum of the others; for a needle, whose least moment
 * is zero, the other two differ. */
static void test_the_triangle_inequality_is_met_to_nine_digits(void **state)
{
    (void)state;
    static const double sizes[] = {1.0, 1e-200, 1e200, 1e-300, 1e300};
    static const double offs[] = {-1e-3, -1e-8, 0.0, 1e-10, 1e-8, 1e-3};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        rct_draw draw = rct_draw_start(seed, 20);
        const double size = sizes[seed % 5];
        const double least = seed % 3 == 0 ? 0.0 : rct_draw_between(&draw, 0.01, 1.0);
        for (size_t c = 0; c < sizeof offs / sizeof offs[0]; c++) {
            const double off = least == 0.0 ? fabs(offs[c]) : offs[c];
            const double moments[3] = {size, least * size, (1.0 + least) * (1.0 + off) * size};
            double q[4], inertia[6];
            rct_draw_on_sphere(&draw, q, 4);
            turn(q, moments, inertia);
            assert_int_equal(add(inertia), off > 1e-9 ? RCT_ERROR_MODEL : RCT_OK);
        }
    }
}

/* In principal axes second moments below 0 become 0; the axes stay, and a valid inertia stays
 * unchanged. */
static void test_repaired_inertia(void **state)
{
    (void)state;
    static const struct {
        double moments[3], repaired[3];
    } cases[] = {{{1.0, 1.0, 4.0}, {2.0, 2.0, 4.0}},     /* second moments 2 2 -1 */
                 {{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}},     /* 2 1 0                 */
                 {{-1.0, 3.0, 3.0}, {0.0, 3.5, 3.5}},    /* 3.5 -0.5 -0.5         */
                 {{-2.0, -1.0, -3.0}, {0.0, 0.0, 0.0}}}; /* -1 -2 0               */
    static const double sizes[] = {1.0, 1e-200, 1e200};
    for (uint64_t seed = 0; seed < 200; seed++) {
        rct_draw draw = rct_draw_start(seed, 21);
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            const double size = sizes[seed % 3];
            double q[4], inertia[6], expected[6], given[3], repaired[3], moments[3];
            for (int i = 0; i < 3; i++) {
                given[i] = size * cases[c].moments[i];
                repaired[i] = size * cases[c].repaired[i];
            }
            rct_draw_on_sphere(&draw, q, 4);
            turn(q, given, inertia);
            turn(q, repaired, expected);
            rct_inertia_repair(inertia);
            for (int i = 0; i < 6; i++) {
                assert_true(fabs(inertia[i] - expected[i]) <= 1e-14 * size);
            }
            assert_int_equal(rct_inertia_trouble(inertia, moments), RCT_INERTIA_SOUND);
            assert_int_equal(add(inertia), RCT_OK);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_principal_moments),
        cmocka_unit_test(test_repaired_inertia),
        cmocka_unit_test(test_the_triangle_inequality_is_met_to_nine_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
