/* lane_exp and lane_tanh for one LANE_WIDTH, compiled once each (CMakeLists.txt); EXPONENTIAL_LANES is its name. */
#include "kernels/lane/exponential.h"

#include "tests/kernels/exponential_lanes.h"

void EXPONENTIAL_LANES(const double *x, double *e, double *t)
{
    lane_store(e, lane_exp(lane_load(x)));
    lane_store(t, lane_tanh(lane_load(x)));
}
