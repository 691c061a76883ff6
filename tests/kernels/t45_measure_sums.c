/* The sums of measures keep the rounding error of each addition; the bits are the same for every
 * number of lanes. */
#include "tests/support/cmocka_all.h"

#include "kernels/sweeps/lanes.h"

static void test_what_cancels_leaves_the_rest(void **state)
{
    enum { LINKS = 3 };
    double parts[LINKS * MEASURES];
    (void)state;
    for (int k = 0; k < MEASURES; k++) {
        parts[k] = 0x1p60;
        parts[MEASURES + k] = 1.0 + k;
        parts[2 * MEASURES + k] = -0x1p60;
    }
    for (const rct_lane_kernels *const *each = rct_lane_kernels_list(); *each != NULL; each++) {
        rct_measure_sums all = {.sum = {0.0}};
        (*each)->sum(parts, LINKS, &all);
        for (int k = 0; k < MEASURES; k++) {
            assert_true(all.sum[k] + all.rest[k] == 1.0 + k);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_cancels_leaves_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
