/* The lane kernels of trees for single lanes; the matrices of a link are in rows of the machine's
 * vectors. And the kernels that move numbers in and out, for the same machines. */
#define LANE_WIDTH 1
#define LANE_ROWS
#include "kernels/sweeps/moves.h"
#include "kernels/sweeps/table.h"

const rct_sweep_kernels rct_abi_rows = SWEEP_TABLE;
const rct_coordinate_kernels rct_coordinates_rows = COORDINATE_TABLE;
