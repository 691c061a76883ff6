/* The lane kernels of trees, riccati method, for single lanes. */
#define METHOD_RICCATI
#define LANE_WIDTH 1
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_riccati_w1 = SWEEP_TABLE;
