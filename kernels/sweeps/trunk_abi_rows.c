/* The trunk of a tree, the matrices of a link in rows of the machine's vectors. */
#define LANE_WIDTH 1
#define LANE_ROWS
#include "kernels/sweeps/trunk_sweeps.h"

const rct_trunk_kernels rct_trunk_abi_rows = TRUNK_TABLE;
