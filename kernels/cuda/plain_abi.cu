/* Groups of any hinges, without rotors: method abi. */
#define WITH_ROTORS   0
#define GROUP_NAME(x) rct_##x##_abi

#include "kernels/cuda/groups.h"

extern "C" const rct_group_launches rct_plain_groups_abi = GROUP_LAUNCHES;
