/* The lane kernels for lanes of 8. */
#define LANE_WIDTH 8
#include "kernels/lanes.h"
#include "kernels/product_tile.h"

const rct_lane_kernels rct_lane_kernels_w8 = {.lanes = LANE_WIDTH,
                                              .name = "avx512",
                                              .abi = &rct_mixed_abi_w8,
                                              .riccati = &rct_mixed_riccati_w8,
                                              .product = product_tile};
