/* The lane kernels of trees for lanes of 4. */
#define LANE_WIDTH 4
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_abi_w4 = SWEEP_TABLE;
