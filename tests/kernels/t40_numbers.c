/* Collecting and spreading the numbers of lanes of every width, against plain loops over lanes and numbers: each number
 * arrives where it belongs, and no number beside them is touched. */
#include "tests/support/cmocka_all.h"

#include "tests/kernels/numbers_lanes.h"

#include <string.h>

enum { MOST = 8, ROOM = 32 };

static const struct width {
    int lanes;
    numbers_of_lanes *of;
} widths[] = {
    {1, numbers_lanes_1}, {2, numbers_lanes_2}, {4, numbers_lanes_4}, {8, numbers_lanes_8}};
static const int counts[] = {1, 2, 3, 4, 7, 10, 18, 21};

/* A number of its own for each place of each lane. */
static double number_at(int lane, int i)
{
    return 100.0 * lane + i + 1.0;
}

/* Places of lanes in an order that is not theirs, one number off from any alignment. */
static void expect_numbers(const struct width *width, int first, int count)
{
    static double source[MOST * ROOM + 1], target[MOST * ROOM + 1];
    const double *from[MOST];
    double *to[MOST], fields[21 * MOST];
    memset(target, 0, sizeof target);
    for (int l = 0; l < width->lanes; l++) {
        const int place = 1 + ROOM * ((5 * l + 3) % MOST);
        from[l] = source + place;
        to[l] = target + place;
        for (int i = 0; i < ROOM && place + i <= MOST * ROOM; i++) {
            source[place + i] = number_at(l, i);
        }
    }
    width->of(from, first, count, fields, to);
    for (int l = 0; l < width->lanes; l++) {
        for (int i = 0; i < ROOM - 1; i++) {
            const int in = i >= first && i < first + count;
            assert_true(to[l][i] == (in ? number_at(l, i) : 0.0));
            assert_true(!in || fields[(i - first) * width->lanes + l] == number_at(l, i));
        }
    }
}

static void test_numbers(void **state)
{
    (void)state;
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            for (int first = 0; first < 5; first++) {
                expect_numbers(&widths[w], first, counts[k]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
