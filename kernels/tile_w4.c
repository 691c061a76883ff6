/* The lane kernels for lanes of 4. */
#define LANE_WIDTH 4
#include "kernels/bush_abi.h"
#include "kernels/bush_riccati.h"
#include "kernels/mixed_sheaves.h"
#include "kernels/product_tile.h"
#include "kernels/tile_abi.h"
#include "kernels/tile_riccati.h"
#include "kernels/tile_widths.h"

const rct_tile_kernels rct_tile_kernels_w4 = {
    .lanes = LANE_WIDTH,
    .name = "avx2",
    .abi = {tile_abi_condense, tile_abi_accelerate},
    .riccati = {tile_riccati_condense, tile_riccati_accelerate},
    .bush_abi = {bush_abi_condense, bush_abi_accelerate},
    .bush_riccati = {bush_riccati_condense, bush_riccati_accelerate},
    .mixed_abi = &rct_mixed_abi_w4,
    .mixed_riccati = &rct_mixed_riccati_w4,
    .product = product_tile,
};
