/* The trunk of a tree, riccati method, for the machines of trunk_abi_rows.c. */
#define METHOD_RICCATI
#define LANE_WIDTH 1
#define LANE_ROWS
#include "kernels/sweeps/trunk_sweeps.h"

const rct_trunk_kernels rct_trunk_riccati_rows = TRUNK_TABLE;
