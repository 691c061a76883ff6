/* The lane kernels for lanes of 1. */
#define LANE_WIDTH 1
#include "kernels/lane/product_tile.h"
#include "kernels/sweeps/coordinates.h"
#include "kernels/sweeps/lanes.h"
#include "kernels/sweeps/measures.h"

static const rct_coordinate_kernels coordinates = COORDINATE_TABLE;

const rct_lane_kernels rct_lane_kernels_w1 = {.lanes = LANE_WIDTH,
                                              .name = "scalar",
                                              .abi = &rct_abi_w1,
                                              .riccati = &rct_riccati_w1,
                                              .abi_trunk = &rct_trunk_abi,
                                              .riccati_trunk = &rct_trunk_riccati,
                                              .coordinates = &coordinates,
                                              .measure = measure_links,
                                              .sum = sum_measures,
                                              .product = product_tile};
