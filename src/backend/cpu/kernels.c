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
    rct_fail(error, RCT_ERROR_UNSUPPORTED,
             "no lanes of %d on this machine; it has up to %d, 0 chooses", lanes, list[0]->lanes);
    return NULL;
}
