/* Checks of several numbers at once, for input. */
#ifndef RCT_CORE_NUMBERS_H
#define RCT_CORE_NUMBERS_H

#include "core/error.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline int rct_all_finite(const double *x, int64_t count)
{
    int finite = 1;
    for (int64_t i = 0; i < count; i++) {
        finite &= isfinite(x[i]) != 0; /* vectorized */
    }
    return finite;
}

/* The whole number at the start of a text that is known to be a number: in any count of digits, or
 * as 1e6 or 2.5e3 with at most 15 digits, so few that rounding makes none whole. Returns whether
 * there is one that fits; `end`: the text behind it. */
static inline int rct_whole_number(const char *text, int64_t *whole, char **end)
{
    const double beyond = 9223372036854775808.0; /* INT64_MAX + 1 */
    errno = 0;
    *whole = strtoll(text, end, 10);
    if (strspn(*end, ".eE") == 0) {
        return errno == 0 && *end != text;
    }
    const double real = strtod(text, end);
    *whole = fabs(real) < beyond ? (int64_t)real : 0;
    return strspn(text, "-.0123456789") <= 15 && (double)*whole == real;
}

/* The bits of |x|: in the order of sizes, NaN above all, so that the largest is chosen without a
 * branch. */
static inline uint64_t rct_size_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & INT64_MAX;
}

/* The size of these bits. */
static inline double rct_size_of_bits(uint64_t bits)
{
    double size;
    memcpy(&size, &bits, sizeof size);
    return size;
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

/* RCT_ERROR_ARGUMENT names the first number that is not finite; x NULL: none. */
static inline rct_status rct_check_finite(const char *name, const double *x, int64_t count,
                                          rct_error *error)
{
    for (int64_t i = 0; x != NULL && i < count; i++) {
        if (!isfinite(x[i])) {
            return rct_fail(error, RCT_ERROR_ARGUMENT, "%s[%" PRId64 "] is %g; give finite numbers",
                            name, i, x[i]);
        }
    }
    return RCT_OK;
}

#endif
