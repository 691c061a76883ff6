/* The speed of the machine with lanes of 2. */
#define LANE_WIDTH 2
#include "bench/machine_lanes.h"

const machine_lanes machine_lanes_w2 = {LANE_WIDTH, machine_multiply_add, machine_copy};
