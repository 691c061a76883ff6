/* The lane kernels of mixed trees, riccati method, for lanes of 4. */
#define MIXED_RICCATI
#define LANE_WIDTH 4
#include "kernels/mixed_lanes.h"

const rct_mixed_kernels rct_mixed_riccati_w4 = MIXED_TABLE;
