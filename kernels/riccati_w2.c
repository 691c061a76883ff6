/* The lane kernels of mixed trees, riccati method, for lanes of 2. */
#define MIXED_RICCATI
#define LANE_WIDTH 2
#include "kernels/mixed_lanes.h"

const rct_mixed_kernels rct_mixed_riccati_w2 = MIXED_TABLE;
