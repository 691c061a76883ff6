/* The lane kernels for lanes of 2. */
#define LANE_WIDTH 2
#include "kernels/lane/product_tile.h"
#include "kernels/sweeps/lanes.h"

const rct_lane_kernels rct_lane_kernels_w2 = {.lanes = LANE_WIDTH,
                                              .name = "baseline",
                                              .abi = &rct_abi_w2,
                                              .riccati = &rct_riccati_w2,
                                              .product = product_tile};
