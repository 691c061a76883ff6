/* The lane kernels for lanes of 8. */
#define LANE_WIDTH 8
#include "kernels/lane/block_rows.h"
#include "kernels/lane/product_tile.h"
#include "kernels/laws/banded.h"
#include "kernels/laws/closure_bends.h"
#include "kernels/laws/measures.h"
#include "kernels/laws/small_systems.h"
#include "kernels/sweeps/columns.h"
#include "kernels/sweeps/lanes.h"
#include "kernels/sweeps/moves.h"

static const rct_coordinate_kernels coordinates = COORDINATE_TABLE;
static const rct_column_kernels columns = COLUMN_TABLE;

const rct_lane_kernels rct_lane_kernels_w8 = {.lanes = LANE_WIDTH,
                                              .name = "avx512",
                                              .abi = &rct_abi_w8,
                                              .riccati = &rct_riccati_w8,
                                              .abi_trunk = &rct_trunk_abi_rows,
                                              .riccati_trunk = &rct_trunk_riccati_rows,
                                              .coordinates = &coordinates,
                                              .measure = measure_links,
                                              .sum = sum_measures,
                                              .closures = closures_write,
                                              .bends = closures_bend,
                                              .small = &small_systems,
                                              .bands = &band_kernels,
                                              .abi_columns = &columns,
                                              .riccati_columns = &rct_riccati_columns_w8,
                                              .product = product_tile,
                                              .blocks = &block_rows};
