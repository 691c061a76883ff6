/* lane_sine_cosine for one LANE_WIDTH; CMakeLists.txt compiles this file once per width.
 * ANGLE_LANES is the name of the function. */
#include "kernels/lane/angle.h"

#include "tests/kernels/angle_lanes.h"

void ANGLE_LANES(const double *x, double *s, double *c)
{
    const sine_cosine both = lane_sine_cosine(lane_load(x));
    lane_store(s, both.s);
    lane_store(c, both.c);
}
