/* Which lane kernels this machine can run: the widest first. */
#include "kernels/sweeps/lanes.h"

#include <stddef.h>

static const rct_lane_kernels *const plain[] = {&rct_lane_kernels_w2, &rct_lane_kernels_w1, NULL};

#if RCT_MOST_LANES >= 4
/* The most lanes of this machine. */
static int32_t most_lanes(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("fma")) {
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
            return 8;
        }
        if (__builtin_cpu_supports("avx2")) {
            return 4;
        }
    }
#endif
    return 2;
}

static const rct_lane_kernels *const all[] = {
#if RCT_MOST_LANES >= 8
    &rct_lane_kernels_w8,
#endif
    &rct_lane_kernels_w4, &rct_lane_kernels_w2, &rct_lane_kernels_rows, NULL};
#endif

const rct_lane_kernels *const *rct_lane_kernels_list(void)
{
#if RCT_MOST_LANES >= 4
    const int32_t most = most_lanes();
    if (most >= 4) {
        return all + (all[0]->lanes > most);
    }
#endif
    return plain;
}
