/* The speed of the machine with lanes of 8. */
#define LANE_WIDTH 8
#include "bench/machine_lanes.h"

const machine_lanes machine_lanes_w8 = {LANE_WIDTH, machine_multiply_add, machine_copy};
