/* The lane kernels for lanes of 1. */
#define LANE_WIDTH 1
#include "kernels/lanes.h"
#include "kernels/product_tile.h"

const rct_lane_kernels rct_lane_kernels_w1 = {.lanes = LANE_WIDTH,
                                              .name = "scalar",
                                              .abi = &rct_mixed_abi_w1,
                                              .riccati = &rct_mixed_riccati_w1,
                                              .product = product_tile};
