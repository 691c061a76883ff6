/* The speed of the machine with lanes of 4. */
#define LANE_WIDTH 4
#include "bench/machine_lanes.h"

const machine_lanes machine_lanes_w4 = {LANE_WIDTH, machine_multiply_add, machine_copy};
