/* Groups of any hinges, without rotors: method riccati. */
#define METHOD_RICCATI
#define WITH_ROTORS   0
#define GROUP_NAME(x) rct_##x##_riccati

#include "kernels/cuda/groups.h"

extern "C" const rct_group_launches rct_plain_groups_riccati = GROUP_LAUNCHES;
