/* The lane kernels of trees for lanes of 8. */
#define LANE_WIDTH 8
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_abi_w8 = SWEEP_TABLE;
