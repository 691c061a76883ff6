/* The lane kernels of trees for single lanes. */
#define LANE_WIDTH 1
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_abi_w1 = SWEEP_TABLE;
