/* The kernels of mixed trees that sweep groups, with rotors at hinges. */
#define MIXED_ARMED   1
#define MIXED_NAME(x) rct_mixed_##x##_armed

#include "kernels/cuda/mixed_groups.h"

extern "C" const rct_mixed_launches rct_mixed_armed = MIXED_LAUNCHES;
