/* The lane kernels for lanes of 1; and where vectors hold four, the same with the matrices of a link in rows. What passes in and
 * out is compiled for any machine: its bits are those of the host. */
#define LANE_WIDTH 1
#include "kernels/lane/product_tile.h"
#include "kernels/laws/closure_bends.h"
#include "kernels/laws/measures.h"
#include "kernels/laws/small_systems.h"
#include "kernels/sweeps/columns.h"
#include "kernels/sweeps/lanes.h"
#include "kernels/sweeps/moves.h"

static const rct_coordinate_kernels coordinates = COORDINATE_TABLE;
static const rct_column_kernels columns = COLUMN_TABLE;

#define SINGLE_LANES(instructions, sweeps, abi_nodes, riccati_nodes)                               \
    {                                                                                              \
        .lanes = LANE_WIDTH, .name = (instructions), .abi = &(sweeps), .riccati = &rct_riccati_w1, \
        .abi_trunk = &(abi_nodes), .riccati_trunk = &(riccati_nodes), .coordinates = &coordinates, \
        .measure = measure_links, .sum = sum_measures, .closures = closures_write,                 \
        .small = &small_systems, .abi_columns = &columns,                                          \
        .riccati_columns = &rct_riccati_columns_w1, .product = product_tile                        \
    }

const rct_lane_kernels rct_lane_kernels_w1 =
    SINGLE_LANES("scalar", rct_abi_w1, rct_trunk_abi, rct_trunk_riccati);

#if RCT_MOST_LANES >= 4
const rct_lane_kernels rct_lane_kernels_rows =
    SINGLE_LANES("avx2 rows", rct_abi_rows, rct_trunk_abi_rows, rct_trunk_riccati_rows);
#endif
