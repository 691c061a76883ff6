/* The trunk of a tree, riccati method. */
#define METHOD_RICCATI
#define LANE_WIDTH 1
#include "kernels/sweeps/trunk_sweeps.h"

const rct_trunk_kernels rct_trunk_riccati = TRUNK_TABLE;
