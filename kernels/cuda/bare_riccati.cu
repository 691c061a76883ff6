/* Narrow groups whose links have only twigs on them and nothing acting: method riccati. */
#define METHOD_RICCATI
#define NARROW_ALL
#define WITH_ROTORS   0
#define GROUP_WHAT    (HAS_START | HAS_TWIGS)
#define GROUP_NAME(x) rct_bare_##x##_riccati

#include "kernels/cuda/groups.h"

extern "C" const rct_group_launches rct_bare_groups_riccati = GROUP_LAUNCHES;
