/* The lane kernels of trees, riccati method, for lanes of 4. */
#define METHOD_RICCATI
#define LANE_WIDTH 4
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_riccati_w4 = SWEEP_TABLE;
