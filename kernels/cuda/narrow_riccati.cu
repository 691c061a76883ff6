/* Narrow groups: method riccati. */
#define METHOD_RICCATI
#define NARROW_ALL
#define WITH_ROTORS   0
#define GROUP_NAME(x) rct_narrow_##x##_riccati

#include "kernels/cuda/groups.h"

extern "C" const rct_group_launches rct_narrow_groups_riccati = GROUP_LAUNCHES;
