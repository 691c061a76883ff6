/* The lane kernels of trees, riccati method, for lanes of 2. */
#define METHOD_RICCATI
#define LANE_WIDTH 2
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_riccati_w2 = SWEEP_TABLE;
