/* The junction on the device, for any hinges and paths: method riccati. */
#define METHOD_RICCATI
#define JUNCTION_NAME(x) rct_any_##x##_riccati

#include "kernels/cuda/junction.h"

extern "C" const rct_junction_launches rct_any_junction_riccati = JUNCTION_LAUNCHES;
