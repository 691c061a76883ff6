/* The trunk of a mixed tree, riccati method. */
#define MIXED_RICCATI
#define LANE_WIDTH 1
#include "kernels/mixed_trunk_sweeps.h"

const rct_mixed_trunk_kernels rct_mixed_trunk_riccati = MIXED_TRUNK_TABLE;
