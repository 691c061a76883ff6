/* The speed of the machine with lanes of 1. */
#define LANE_WIDTH 1
#include "bench/machine_lanes.h"

const machine_lanes machine_lanes_w1 = {LANE_WIDTH, machine_multiply_add, machine_copy};
