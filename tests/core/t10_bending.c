/* The rotation vectors of ball hinges on the host, computed from the axes of links and hinge
 * frames. */
#include "tests/support/cmocka_all.h"

#include "core/bending.h"
#include "tests/support/draw.h"

#include <string.h>

/* The rotation by `angle` about an axis, as a quaternion. */
static void quaternion_about(const double axis[3], double angle, double q[4])
{
    const double size = sqrt(rct_dot(axis, axis));
    q[0] = cos(0.5 * angle);
    for (int i = 0; i < 3; i++) {
        q[1 + i] = sin(0.5 * angle) * axis[i] / size;
    }
}

static void test_rotation_vectors(void **state)
{
    (void)state;
    static const double near[] = {0.0, 1e-200, 1e-12, 1e-4, 1.0, 3.0, 3.14159};
    uint64_t random = 41;
    for (int n = 0; n < 20000; n++) {
        const double angle = n < 700 ? near[n % 7] : draw_between(&random, 0.0, 3.14159);
        double axis[3], q[4], up[4], frame[4], hinge[4], own[4], m[3][3], R[3][3], theta[3];
        draw_numbers(&random, axis, 3, 1.0);
        draw_numbers(&random, up, 4, 1.0);
        draw_numbers(&random, frame, 4, 1.0);
        quaternion_about(axis, angle, q);
        rct_quaternion_product(up, frame, hinge);
        rct_quaternion_product(hinge, q, own);
        rct_rotation(up, m);
        rct_rotation(own, R);
        double up_axes[9], own_axes[9];
        memcpy(up_axes, m, sizeof m);
        memcpy(own_axes, R, sizeof R);
        rct_bending_vector(up_axes, frame, own_axes, theta);
        const double size = sqrt(rct_dot(axis, axis));
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(theta[i] - angle * axis[i] / size) <= 1e-14);
        }
    }
}

/* A quaternion of small numbers, and both signs. */
static void test_quaternions_of_any_length(void **state)
{
    (void)state;
    const double q[3][4] = {
        {-0.5, 0.0, -0.5, 0.0}, {1e-100, 0.0, 1e-100, 0.0}, {3.0, 0.0, 3.0, 0.0}};
    for (int k = 0; k < 3; k++) {
        double theta[3];
        rct_rotation_vector(q[k], theta);
        assert_true(fabs(theta[1] - acos(0.0)) < 1e-15 && theta[0] == 0.0 && theta[2] == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotation_vectors),
        cmocka_unit_test(test_quaternions_of_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
