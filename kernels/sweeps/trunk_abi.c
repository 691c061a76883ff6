/* The trunk of a tree. */
#define LANE_WIDTH 1
#include "kernels/sweeps/trunk_sweeps.h"

const rct_trunk_kernels rct_trunk_abi = TRUNK_TABLE;
