/* Numbers of lanes collected and spread, for one LANE_WIDTH, compiled once each (CMakeLists.txt);
 * NUMBERS_LANES is the name. */
#include "kernels/lane/numbers.h"

#include "tests/kernels/numbers_lanes.h"

#define CASE(COUNT)                                                                                \
    case COUNT: {                                                                                  \
        real x[COUNT];                                                                             \
        lane_collect_all(from, first, COUNT, x);                                                   \
        for (int i = 0; i < COUNT; i++) {                                                          \
            lane_store(fields + i * LANE_WIDTH, x[i]);                                             \
        }                                                                                          \
        lane_spread_all(to, first, COUNT, x);                                                      \
        break;                                                                                     \
    }

void NUMBERS_LANES(const double *const *from, int first, int count, double *fields,
                   double *const *to)
{
    switch (count) {
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
        CASE(7)
        CASE(10)
        CASE(18)
        CASE(21)
    default: break;
    }
}
