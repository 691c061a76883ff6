/* The junction on the device, for ball hinges and narrow paths: method riccati. */
#define METHOD_RICCATI
#define ONE_HINGE        RCT_HINGE_BALL
#define JUNCTION_NAME(x) rct_ball_##x##_riccati

#include "kernels/cuda/junction.h"

extern "C" const rct_junction_launches rct_ball_junction_riccati = JUNCTION_LAUNCHES;
