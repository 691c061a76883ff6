/* Decimal numbers as doubles, rounded to the nearest, ties to even. With m the digits as an integer and p a power of ten that is
 * a double, m p or m / p is found as a sum q + r of two doubles; if r is far enough from where q would be rounded otherwise, q
 * is the number. What is left goes to strtod, without a point, whatever the locale. */
#include "model/json/scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POWERS = 23, /* of ten, that are doubles                                              */
    DIGITS = 780 /* of a decimal, that can matter: no tie of two doubles has as many      */
};

static const int64_t most = 100000000000000000; /* 10^17: another digit still fits */

/* `digits` 10^exponent. */
typedef struct decimal {
    int64_t digits;
    int64_t exponent;
    int more; /* and other digits behind, that are not all 0 */
} decimal;

static int is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static const char *skip_digits(const char *at, const char *end)
{
    while (is_digit(at, end)) {
        at++;
    }
    return at;
}

/* The digits that start at `at`; they stand behind the point: `places`. */
static const char *take_digits(const char *at, const char *end, int places, decimal *x)
{
    const char *first = at;
    int64_t digits = x->digits;
    for (; digits < most && is_digit(at, end); at++) {
        digits = 10 * digits + (*at - '0');
    }
    x->digits = digits;
    x->exponent -= places ? at - first : 0;
    for (; is_digit(at, end); at++) {
        x->more = x->more || *at != '0';
        x->exponent += !places;
    }
    return at;
}

/* The exponent behind the digits, which end at `at`; 0: there is none. */
static int64_t exponent_at(const char *at, const char *end)
{
    int64_t exponent = 0;
    const int sign = end - at > 1 && (at[1] == '-' || at[1] == '+');
    for (const char *c = at + 1 + sign; is_digit(c, end); c++) {
        exponent = exponent < most ? 10 * exponent + (*c - '0') : exponent;
    }
    return sign && at[1] == '-' ? -exponent : exponent;
}

/* Whether the decimal is found so. */
static int scale(const decimal *x, double *number)
{
    static const double power[POWERS] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int64_t e = x->exponent;
    *number = 0.0;
    if (x->digits == 0 || x->more || e <= -POWERS || e >= POWERS) {
        return x->digits == 0;
    }
    const double high = (double)x->digits, low = (double)(x->digits - (int64_t)high);
    const double p = power[e < 0 ? -e : e];
    const double q = e < 0 ? high / p : high * p;
    const double left = e < 0 ? fma(-q, p, high) : fma(high, p, -q);
    const double rest = e < 0 ? (left + low) / p : left + low * p;
    const double doubt = q * 0x1p-98;
    *number = q + (rest - doubt);
    return *number == q + (rest + doubt);
}

/* By strtod: the digits in one piece, those that cannot matter as a 1 behind the others. */
static double search(const char *at, const char *end)
{
    char text[DIGITS + 32];
    int size = 0, point = 0, more = 0;
    int64_t exponent = 0;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        const int kept = *at != '.' && (size > 0 || *at != '0') && size < DIGITS;
        point = point || *at == '.';
        more = more || (size == DIGITS && *at != '.' && *at != '0');
        exponent += *at == '.' ? 0 : (!kept && size == DIGITS) - point;
        if (kept) {
            text[size++] = *at;
        }
    }
    exponent += exponent_at(at, end);
    if (more) {
        text[size++] = '1';
        exponent--;
    }
    snprintf(text + size, sizeof text - (size_t)size, "e%lld", (long long)exponent);
    return strtod(text, NULL);
}

/* What the digits from `at` on and their exponent say. */
static double convert(const char *at, const char *end)
{
    decimal x = {.digits = 0};
    double number;
    const char *c = take_digits(at, end, 0, &x);
    c = c < end && *c == '.' ? take_digits(c + 1, end, 1, &x) : c;
    x.exponent += c < end ? exponent_at(c, end) : 0;
    return scale(&x, &number) ? number : search(at, end);
}

const char *rct_json_scan_number(const char *from, const char *end, int keep, double *number,
                                 int *good)
{
    const int negative = *from == '-';
    const char *first = from + negative, *at = skip_digits(first, end);
    int64_t large = at - first; /* no number is as large as a power of ten with so many zeros */
    *good = at > first;
    if (*good && *first == '0' && at > first + 1) {
        at = first + 1;
        *good = 0;
    }
    if (*good && at < end && *at == '.') {
        const char *point = at++;
        at = skip_digits(at, end);
        *good = at > point + 1;
    }
    if (*good && at < end && (*at == 'e' || *at == 'E')) {
        const char *e = at++;
        at += at < end && (*at == '+' || *at == '-');
        *good = is_digit(at, end);
        at = skip_digits(at, end);
        large += *good ? exponent_at(e, at) : 0;
    }
    const double size = *good && (keep || large > 300) ? convert(first, at) : 0.0;
    *number = negative ? -size : size;
    return at;
}
