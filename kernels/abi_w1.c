/* The lane kernels of mixed trees for single lanes. */
#define LANE_WIDTH 1
#include "kernels/mixed_lanes.h"

const rct_mixed_kernels rct_mixed_abi_w1 = MIXED_TABLE;
