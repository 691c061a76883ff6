/* Groups of any hinges, some with rotors: method abi. */
#define WITH_ROTORS   1
#define GROUP_NAME(x) rct_armed_##x##_abi

#include "kernels/cuda/groups.h"

extern "C" const rct_group_launches rct_armed_groups_abi = GROUP_LAUNCHES;
