/* What is asked of several numbers at once when input is checked. */
#ifndef RCT_CORE_NUMBERS_H
#define RCT_CORE_NUMBERS_H

#include <math.h>
#include <stdint.h>

static inline int rct_all_finite(const double *x, int64_t count)
{
    int finite = 1;
    for (int64_t i = 0; i < count; i++) {
        finite = finite && isfinite(x[i]);
    }
    return finite;
}

/* 0 and -0 are zero. */
static inline int rct_all_zero(const double *x, int64_t count)
{
    int zero = 1;
    for (int64_t i = 0; i < count; i++) {
        zero = zero && x[i] == 0.0;
    }
    return zero;
}

/* 0 equals -0. */
static inline int rct_all_equal(const double *a, const double *b, int64_t count)
{
    int same = 1;
    for (int64_t i = 0; i < count; i++) {
        same = same && a[i] == b[i];
    }
    return same;
}

#endif
