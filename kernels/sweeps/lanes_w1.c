/* The lane kernels for lanes of 1; where vectors hold four numbers, also those with the matrices of
 * a link in rows; and the list of all tables that this machine can run. */
#define LANE_WIDTH 1
#include "kernels/lane/block_rows.h"
#include "kernels/lane/product_tile.h"
#include "kernels/laws/banded.h"
#include "kernels/laws/closure_bends.h"
#include "kernels/laws/measures.h"
#include "kernels/laws/small_systems.h"
#include "kernels/sweeps/columns.h"
#include "kernels/sweeps/lanes.h"
#include "kernels/sweeps/moves.h"

#include <stddef.h>

static const rct_coordinate_kernels coordinates = COORDINATE_TABLE;
static const rct_column_kernels columns = COLUMN_TABLE;

#define SINGLE_LANES(instructions, sweeps, numbers, abi_nodes, riccati_nodes)                      \
    {                                                                                              \
        .lanes = LANE_WIDTH, .name = (instructions), .abi = &(sweeps), .riccati = &rct_riccati_w1, \
        .abi_trunk = &(abi_nodes), .riccati_trunk = &(riccati_nodes), .coordinates = &(numbers),   \
        .measure = measure_links, .sum = sum_measures, .closures = closures_write,                 \
        .small = &small_systems, .bands = &band_kernels, .abi_columns = &columns,                  \
        .riccati_columns = &rct_riccati_columns_w1, .product = product_tile, .blocks = &block_rows \
    }

const rct_lane_kernels rct_lane_kernels_w1 =
    SINGLE_LANES("scalar", rct_abi_w1, coordinates, rct_trunk_abi, rct_trunk_riccati);

#if RCT_MOST_LANES >= 4
const rct_lane_kernels rct_lane_kernels_rows = SINGLE_LANES(
    "avx2 rows", rct_abi_rows, rct_coordinates_rows, rct_trunk_abi_rows, rct_trunk_riccati_rows);
#endif

/* ---- all of them, the widest first ---------------------------------------------------------- */

static const rct_lane_kernels *const plain[] = {&rct_lane_kernels_w2, &rct_lane_kernels_w1, NULL};

#if RCT_MOST_LANES >= 4
/* The most lanes that this machine can run. */
static int32_t most_lanes(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("fma")) {
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
            return 8;
        }
        if (__builtin_cpu_supports("avx2")) {
            return 4;
        }
    }
#endif
    return 2;
}

static const rct_lane_kernels *const all[] = {
#if RCT_MOST_LANES >= 8
    &rct_lane_kernels_w8,
#endif
    &rct_lane_kernels_w4, &rct_lane_kernels_w2, &rct_lane_kernels_rows, NULL};
#endif

const rct_lane_kernels *const *rct_lane_kernels_list(void)
{
#if RCT_MOST_LANES >= 4
    const int32_t most = most_lanes();
    if (most >= 4) {
        return all + (all[0]->lanes > most);
    }
#endif
    return plain;
}
