/* The lane kernels of mixed trees for lanes of 2. */
#define LANE_WIDTH 2
#include "kernels/mixed_lanes.h"

const rct_mixed_kernels rct_mixed_abi_w2 = MIXED_TABLE;
