/* The lane kernels of mixed trees, riccati method, for single lanes. */
#define MIXED_RICCATI
#define LANE_WIDTH 1
#include "kernels/mixed_lanes.h"

const rct_mixed_kernels rct_mixed_riccati_w1 = MIXED_TABLE;
