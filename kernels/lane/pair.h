/* Two doubles at once on every processor, for small matrices of the host; the compiler finds few of
 * them by itself. */
#ifndef RCT_KERNELS_LANE_PAIR_H
#define RCT_KERNELS_LANE_PAIR_H

#include <string.h>

typedef double rct_pair __attribute__((vector_size(16)));

static inline rct_pair rct_pair_load(const double *x)
{
    rct_pair p;
    memcpy(&p, x, sizeof p);
    return p;
}

static inline void rct_pair_store(double *x, rct_pair p)
{
    memcpy(x, &p, sizeof p);
}

#endif
