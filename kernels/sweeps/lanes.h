/* The kernels of vector lanes: one table and one translation unit for each width of this build; two
 * for lanes of 1. */
#ifndef RCT_KERNELS_SWEEPS_LANES_H
#define RCT_KERNELS_SWEEPS_LANES_H

#include "kernels/lane/blocks.h"
#include "kernels/lane/product.h"
#include "kernels/records/bands.h"
#include "kernels/records/closures.h"
#include "kernels/records/columns.h"
#include "kernels/records/coordinates.h"
#include "kernels/records/measures.h"
#include "kernels/records/small_systems.h"
#include "kernels/records/trunk.h"

typedef struct rct_lane_kernels {
    int32_t lanes;
    const char *name; /* of the instruction set */
    const rct_sweep_kernels *abi;
    const rct_sweep_kernels *riccati;
    const rct_trunk_kernels *abi_trunk;
    const rct_trunk_kernels *riccati_trunk;
    const rct_coordinate_kernels *coordinates;
    rct_measure_kernel *measure;
    rct_sum_kernel *sum;
    rct_closure_kernel *closures;
    rct_closure_bend_kernel *bends;
    const rct_small_kernels *small;
    const rct_band_kernels *bands;
    const rct_column_kernels *abi_columns;
    const rct_column_kernels *riccati_columns;
    rct_product_kernel *product; /* of dense matrices */
    const rct_block_kernels *blocks;
} rct_lane_kernels;

extern const rct_lane_kernels rct_lane_kernels_w1;
extern const rct_lane_kernels rct_lane_kernels_rows; /* lanes of 1 where there are vectors of 4 */
extern const rct_lane_kernels rct_lane_kernels_w2;
extern const rct_lane_kernels rct_lane_kernels_w4;
extern const rct_lane_kernels rct_lane_kernels_w8;

/* The tables this machine can run, widest first; NULL at the end. */
const rct_lane_kernels *const *rct_lane_kernels_list(void);

#endif
