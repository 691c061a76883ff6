/* The kernels of mixed trees that sweep groups, without rotors at hinges. */
#define MIXED_ARMED   0
#define MIXED_NAME(x) rct_mixed_##x

#include "kernels/cuda/mixed_groups.h"

extern "C" const rct_mixed_launches rct_mixed_plain = MIXED_LAUNCHES;
