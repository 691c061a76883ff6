/* The lane kernels of trees, riccati method, for lanes of 8. */
#define METHOD_RICCATI
#define LANE_WIDTH 8
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_riccati_w8 = SWEEP_TABLE;
