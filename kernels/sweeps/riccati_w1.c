/* The lane kernels of trees and of the columns of loops, riccati method, for single lanes. */
#define METHOD_RICCATI
#define LANE_WIDTH 1
#include "kernels/sweeps/columns.h"
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_riccati_w1 = SWEEP_TABLE;
const rct_column_kernels rct_riccati_columns_w1 = COLUMN_TABLE;
