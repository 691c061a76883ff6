/* Which lane kernels this machine can run: the widest first. */
#include "kernels/tile_widths.h"

#include <stddef.h>

#if defined(__x86_64__)
static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("fma");
}

static int has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
static int has_avx512(void)
{
    return 0;
}

static int has_avx2(void)
{
    return 0;
}
#endif

static const rct_tile_kernels *const all[] = {&rct_tile_kernels_w8, &rct_tile_kernels_w4,
                                              &rct_tile_kernels_w2, &rct_tile_kernels_w1, NULL};

const rct_tile_kernels *const *rct_tile_kernels_list(void)
{
    return all + (has_avx512() ? 0 : has_avx2() ? 1 : 2);
}
