/* The lane kernels of trees for lanes of 2. */
#define LANE_WIDTH 2
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_abi_w2 = SWEEP_TABLE;
