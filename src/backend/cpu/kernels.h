/* The lane kernels of a CPU run. */
#ifndef RCT_BACKEND_CPU_KERNELS_H
#define RCT_BACKEND_CPU_KERNELS_H

#include "kernels/sweeps/lanes.h"

#include <riccatree/status.h>

/* The kernels of `lanes` lanes, 0: the widest of this machine. NULL: RCT_ERROR_UNSUPPORTED. */
const rct_lane_kernels *rct_cpu_kernels(int32_t lanes, rct_error *error);

#endif
