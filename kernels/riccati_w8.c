/* The lane kernels of mixed trees, riccati method, for lanes of 8. */
#define MIXED_RICCATI
#define LANE_WIDTH 8
#include "kernels/mixed_lanes.h"

const rct_mixed_kernels rct_mixed_riccati_w8 = MIXED_TABLE;
