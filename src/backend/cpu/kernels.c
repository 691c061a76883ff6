/* The choice of lane kernels. */
#include "backend/cpu/kernels.h"
#include "core/error.h"

#include <stddef.h>

const rct_lane_kernels *rct_cpu_kernels(int32_t lanes, rct_error *error)
{
    const rct_lane_kernels *const *list = rct_lane_kernels_list();
    for (int i = 0; list[i] != NULL; i++) {
        if (lanes == 0 || list[i]->lanes == lanes) {
            return list[i];
        }
    }
    rct_fail(
        error, RCT_ERROR_UNSUPPORTED,
        "%d lanes are not available on this machine; give 1, 2, 4 or 8, at most %d, or 0 to let "
        "the solver choose",
        lanes, list[0]->lanes);
    return NULL;
}
