/* The larger of two numbers, and NaN if either is NaN, so that no comparison hides it. */
#ifndef RCT_TESTS_LARGER_H
#define RCT_TESTS_LARGER_H

static inline double larger(double a, double b)
{
    return a >= b || a != a ? a : b;
}

static inline long double larger_l(long double a, long double b)
{
    return a >= b || a != a ? a : b;
}

#endif
