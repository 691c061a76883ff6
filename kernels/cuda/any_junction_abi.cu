/* The junction on the device, for any hinges and paths: method abi. */
#define JUNCTION_NAME(x) rct_any_##x##_abi

#include "kernels/cuda/junction.h"

extern "C" const rct_junction_launches rct_any_junction_abi = JUNCTION_LAUNCHES;
