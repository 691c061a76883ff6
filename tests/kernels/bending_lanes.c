/* bending_moment for one LANE_WIDTH; CMakeLists.txt compiles this file once per width.
 * BENDING_LANES is the name of the function. */
#include "kernels/laws/bending.h"

#include "tests/kernels/bending_lanes.h"

void BENDING_LANES(const double *turn, const double *frame, const double *stiffness, double *moment)
{
    const vec3 m = bending_moment(mat3_load(turn, LANE_WIDTH), quat_load(frame, LANE_WIDTH),
                                  vec3_load(stiffness, LANE_WIDTH));
    vec3_store(moment, LANE_WIDTH, m);
}
