/* One tile of a product (product.h) on `real`. */
#include "kernels/lane/lane.h"
#include "kernels/lane/product.h"

enum { TILE_REALS = RCT_PRODUCT_ROWS / LANE_WIDTH };

static void product_tile(int64_t depth, const double *a, const double *b, double *sums)
{
    real sum[RCT_PRODUCT_COLUMNS][TILE_REALS];
    LANE_UNROLL_ALL
    for (int j = 0; j < RCT_PRODUCT_COLUMNS; j++) {
        LANE_UNROLL_ALL
        for (int i = 0; i < TILE_REALS; i++) {
            sum[j][i] = lane_set(0.0);
        }
    }
    for (int64_t k = 0; k < depth; k++) {
        LANE_UNROLL_ALL
        for (int j = 0; j < RCT_PRODUCT_COLUMNS; j++) {
            const real factor = lane_set(b[RCT_PRODUCT_COLUMNS * k + j]);
            LANE_UNROLL_ALL
            for (int i = 0; i < TILE_REALS; i++) {
                sum[j][i] += factor * lane_load(a + RCT_PRODUCT_ROWS * k + LANE_WIDTH * i);
            }
        }
    }
    LANE_UNROLL_ALL
    for (int j = 0; j < RCT_PRODUCT_COLUMNS; j++) {
        LANE_UNROLL_ALL
        for (int i = 0; i < TILE_REALS; i++) {
            lane_store(sums + RCT_PRODUCT_ROWS * j + LANE_WIDTH * i, sum[j][i]);
        }
    }
}
