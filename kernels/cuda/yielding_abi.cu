/* Groups of any hinges, in implicit stages, balls too: method abi. */
#define WITH_ROTORS   2
#define GROUP_NAME(x) rct_yielding_##x##_abi

#include "kernels/cuda/groups.h"

extern "C" const rct_group_launches rct_yielding_groups_abi = GROUP_LAUNCHES;
