/* The lane kernels of mixed trees for lanes of 8. */
#define LANE_WIDTH 8
#include "kernels/mixed_lanes.h"

const rct_mixed_kernels rct_mixed_abi_w8 = MIXED_TABLE;
