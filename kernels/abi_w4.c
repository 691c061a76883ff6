/* The lane kernels of mixed trees for lanes of 4. */
#define LANE_WIDTH 4
#include "kernels/mixed_lanes.h"

const rct_mixed_kernels rct_mixed_abi_w4 = MIXED_TABLE;
