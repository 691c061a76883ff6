/* The lane kernels for lanes of 1. */
#define LANE_WIDTH 1
#include "kernels/lane/product_tile.h"
#include "kernels/sweeps/lanes.h"

const rct_lane_kernels rct_lane_kernels_w1 = {.lanes = LANE_WIDTH,
                                              .name = "scalar",
                                              .abi = &rct_abi_w1,
                                              .riccati = &rct_riccati_w1,
                                              .product = product_tile};
