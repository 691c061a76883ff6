/* The lane kernels for lanes of 1 on machines with vectors of 4. */
#define LANE_WIDTH 1
#include "kernels/lane/product_tile.h"
#include "kernels/sweeps/coordinates.h"
#include "kernels/sweeps/lanes.h"
#include "kernels/sweeps/measures.h"

static const rct_coordinate_kernels coordinates = COORDINATE_TABLE;

const rct_lane_kernels rct_lane_kernels_rows = {.lanes = LANE_WIDTH,
                                                .name = "avx2 rows",
                                                .abi = &rct_abi_rows,
                                                .riccati = &rct_riccati_w1,
                                                .abi_trunk = &rct_trunk_abi_rows,
                                                .riccati_trunk = &rct_trunk_riccati_rows,
                                                .coordinates = &coordinates,
                                                .measure = measure_links,
                                                .sum = sum_measures,
                                                .product = product_tile};
