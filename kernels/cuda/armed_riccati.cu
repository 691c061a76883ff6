/* Groups of any hinges, some with rotors: method riccati. */
#define METHOD_RICCATI
#define WITH_ROTORS   1
#define GROUP_NAME(x) rct_armed_##x##_riccati

#include "kernels/cuda/groups.h"

extern "C" const rct_group_launches rct_armed_groups_riccati = GROUP_LAUNCHES;
