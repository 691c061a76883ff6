/* Narrow groups: method abi. */
#define NARROW_ALL
#define WITH_ROTORS   0
#define GROUP_NAME(x) rct_narrow_##x##_abi

#include "kernels/cuda/groups.h"

extern "C" const rct_group_launches rct_narrow_groups_abi = GROUP_LAUNCHES;
