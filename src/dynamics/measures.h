/* Sums over links, for energies and momenta, that carry their rounding errors along. */
#ifndef RCT_DYNAMICS_MEASURES_H
#define RCT_DYNAMICS_MEASURES_H

#include "kernels/records/measures.h"

/* The number of links that threads measure at once. */
static inline int64_t rct_measured_at_once(int64_t links)
{
    const int64_t most = 16384;
    return links < most ? links : most;
}

/* Add x to a sum, and the rounding error of that to `rest` (Knuth's two-sum). */
static inline void exact_add(double *sum, double *rest, double x)
{
    const double t = *sum + x, added = t - *sum;
    *rest += (*sum - (t - added)) + (x - added);
    *sum = t;
}

#endif
