/* The lane kernels for lanes of 4. */
#define LANE_WIDTH 4
#include "kernels/lane/product_tile.h"
#include "kernels/sweeps/lanes.h"

const rct_lane_kernels rct_lane_kernels_w4 = {.lanes = LANE_WIDTH,
                                              .name = "avx2",
                                              .abi = &rct_abi_w4,
                                              .riccati = &rct_riccati_w4,
                                              .product = product_tile};
