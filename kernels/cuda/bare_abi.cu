/* Narrow groups whose links have only twigs on them and nothing acting: method abi. */
#define NARROW_ALL
#define WITH_ROTORS   0
#define GROUP_WHAT    (HAS_START | HAS_TWIGS)
#define GROUP_NAME(x) rct_bare_##x##_abi

#include "kernels/cuda/groups.h"

extern "C" const rct_group_launches rct_bare_groups_abi = GROUP_LAUNCHES;
