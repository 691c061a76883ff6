/* The lane kernels of trees for single lanes; the matrices of a link are in rows of the machine's
 * vectors. */
#define LANE_WIDTH 1
#define LANE_ROWS
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_abi_rows = SWEEP_TABLE;
