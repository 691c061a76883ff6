/* The trunk of a mixed tree. */
#define LANE_WIDTH 1
#include "kernels/mixed_trunk_sweeps.h"

const rct_mixed_trunk_kernels rct_mixed_trunk_abi = MIXED_TRUNK_TABLE;
