/* The lane kernels of trees and of the columns of loops, riccati method, for lanes of 2. */
#define METHOD_RICCATI
#define LANE_WIDTH 2
#include "kernels/sweeps/columns.h"
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_riccati_w2 = SWEEP_TABLE;
const rct_column_kernels rct_riccati_columns_w2 = COLUMN_TABLE;
