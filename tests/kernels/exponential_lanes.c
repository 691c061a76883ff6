/* lane_exp and lane_tanh for one LANE_WIDTH; CMakeLists.txt compiles this file once per width.
 * EXPONENTIAL_LANES is the name of the function. */
#include "kernels/lane/exponential.h"

#include "tests/kernels/exponential_lanes.h"

void EXPONENTIAL_LANES(const double *x, double *e, double *t)
{
    lane_store(e, lane_exp(lane_load(x)));
    lane_store(t, lane_tanh(lane_load(x)));
}
