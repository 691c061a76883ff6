/* The lane kernels for lanes of 4. */
#define LANE_WIDTH 4
#include "kernels/tile_abi.h"
#include "kernels/tile_widths.h"

const rct_tile_kernels rct_tile_kernels_w4 = {
    .lanes = LANE_WIDTH,
    .name = "avx2",
    .condense = tile_condense,
    .accelerate = tile_accelerate,
};
