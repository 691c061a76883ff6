/* Groups of any hinges, in implicit stages, balls too: method riccati. */
#define METHOD_RICCATI
#define WITH_ROTORS   2
#define GROUP_NAME(x) rct_yielding_##x##_riccati

#include "kernels/cuda/groups.h"

extern "C" const rct_group_launches rct_yielding_groups_riccati = GROUP_LAUNCHES;
