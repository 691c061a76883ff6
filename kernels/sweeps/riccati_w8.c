/* The lane kernels of trees and of the columns of loops, riccati method, for lanes of 8. */
#define METHOD_RICCATI
#define LANE_WIDTH 8
#include "kernels/sweeps/columns.h"
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_riccati_w8 = SWEEP_TABLE;
const rct_column_kernels rct_riccati_columns_w8 = COLUMN_TABLE;
