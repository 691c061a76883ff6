/* The lane kernels for lanes of 8. */
#define LANE_WIDTH 8
#include "kernels/bush_abi.h"
#include "kernels/bush_riccati.h"
#include "kernels/mixed_sheaves.h"
#include "kernels/product_tile.h"
#include "kernels/tile_abi.h"
#include "kernels/tile_riccati.h"
#include "kernels/tile_widths.h"

const rct_tile_kernels rct_tile_kernels_w8 = {
    .lanes = LANE_WIDTH,
    .name = "avx512",
    .abi = {tile_abi_condense, tile_abi_accelerate},
    .riccati = {tile_riccati_condense, tile_riccati_accelerate},
    .bush_abi = {bush_abi_condense, bush_abi_accelerate},
    .bush_riccati = {bush_riccati_condense, bush_riccati_accelerate},
    .mixed_abi = &rct_mixed_abi_w8,
    .mixed_riccati = &rct_mixed_riccati_w8,
    .product = product_tile,
};
