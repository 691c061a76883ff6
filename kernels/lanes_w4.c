/* The lane kernels for lanes of 4. */
#define LANE_WIDTH 4
#include "kernels/lanes.h"
#include "kernels/product_tile.h"

const rct_lane_kernels rct_lane_kernels_w4 = {.lanes = LANE_WIDTH,
                                              .name = "avx2",
                                              .abi = &rct_mixed_abi_w4,
                                              .riccati = &rct_mixed_riccati_w4,
                                              .product = product_tile};
