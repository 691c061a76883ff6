/* Vectors of six: rows of H, of inertias and of other arrays of the operators of trees. */
#ifndef RCT_OPERATORS_SIX_H
#define RCT_OPERATORS_SIX_H

#include "kernels/lane/pair.h"

static inline double rct_dot6(const double a[6], const double b[6])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

/* out += factor v */
static inline void rct_add6(double factor, const double v[6], double out[6])
{
    for (int i = 0; i < 6; i += 2) {
        rct_pair_store(out + i, rct_pair_load(out + i) + factor * rct_pair_load(v + i));
    }
}

/* v *= factor */
static inline void rct_scale6(double factor, double v[6])
{
    for (int i = 0; i < 6; i += 2) {
        rct_pair_store(v + i, factor * rct_pair_load(v + i));
    }
}

#endif
