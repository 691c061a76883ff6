/* Decimal numbers to doubles, rounded to nearest, ties to even. With m the digits as an integer
 * and p a power of ten that is a double, m p or m / p is found as a sum q + r of two doubles; if
 * r is far enough from where q would round otherwise, q is the number. All other numbers go to
 * strtod, without a point, whatever the locale. */
#include "model/json/scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POWERS = 23, /* powers of ten that are doubles                                        */
    MOST = 18,   /* digits that fit an int64_t; one more fits an uint64_t                 */
    DIGITS = 780 /* digits of a decimal that can matter: no tie of two doubles has as many */
};

static const uint64_t limit = 1000000000000000000; /* 10^MOST */

/* `digits` 10^exponent, if there are not too many digits. */
typedef struct decimal {
    uint64_t digits;
    int64_t exponent;
} decimal;

static int is_digit(const char *at, const char *end)
{
    return at < end && (unsigned char)(*at - '0') < 10;
}

/* Eight characters as a number whose lowest byte is the first; whether all are digits; the
 * number they write, by sums of neighbours, then of pairs, then of fours. */
static uint64_t eight_at(const char *at)
{
    uint64_t eight;
    memcpy(&eight, at, sizeof eight);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? eight : __builtin_bswap64(eight);
}

static int are_digits(uint64_t eight)
{
    const uint64_t high = 0xf0f0f0f0f0f0f0f0, zeros = 0x3030303030303030;
    return (eight & high) == zeros && ((eight + 0x0606060606060606) & high) == zeros;
}

static uint64_t number_of(uint64_t eight)
{
    const uint64_t ones = eight - 0x3030303030303030;
    const uint64_t twos = (10 * ones + (ones >> 8)) & 0x00ff00ff00ff00ff;
    const uint64_t fours = (100 * twos + (twos >> 16)) & 0x0000ffff0000ffff;
    return (10000 * fours + (fours >> 32)) & 0xffffffff;
}

/* Append the digits that start at `at` to `digits`. */
static const char *take_digits(const char *at, const char *end, uint64_t *digits)
{
    uint64_t all = *digits;
    while (end - at >= 8 && are_digits(eight_at(at))) {
        all = 100000000 * all + number_of(eight_at(at));
        at += 8;
    }
    for (; is_digit(at, end); at++) {
        all = 10 * all + (uint64_t)(*at - '0');
    }
    *digits = all;
    return at;
}

static const char *skip_digits(const char *at, const char *end)
{
    while (is_digit(at, end)) {
        at++;
    }
    return at;
}

/* The exponent whose letter is at `at`; its digits end at `end`. An exponent too large for any
 * number stays too large. */
static int64_t exponent_at(const char *at, const char *end)
{
    const int64_t most = 100000000000000000;
    const int sign = at[1] == '-' || at[1] == '+';
    int64_t exponent = 0;
    for (const char *c = at + 1 + sign; c < end; c++) {
        exponent = exponent < most ? 10 * exponent + (*c - '0') : exponent;
    }
    return at[1] == '-' ? -exponent : exponent;
}

/* Whether there are at most MOST + 1 digits from `first` to `end`, perhaps with a point among
 * them. */
static int are_few(const char *first, const char *end)
{
    while (end - first > MOST + 1 && (*first == '0' || *first == '.')) {
        first++;
    }
    return end - first <= MOST + 1;
}

/* Find the double of a decimal by the method above. Returns whether it succeeded. */
static int scale(const decimal *x, double *number)
{
    static const double power[POWERS] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int64_t e = x->exponent, digits = (int64_t)x->digits;
    *number = 0.0;
    if (digits == 0 || x->digits >= limit || e <= -POWERS || e >= POWERS) {
        return digits == 0;
    }
    const double high = (double)digits, low = (double)(digits - (int64_t)high);
    const double p = power[e < 0 ? -e : e];
    const double q = e < 0 ? high / p : high * p;
    const double left = e < 0 ? fma(-q, p, high) : fma(high, p, -q);
    const double rest = e < 0 ? (left + low) / p : left + low * p;
    const double doubt = q * 0x1p-98;
    *number = q + (rest - doubt);
    return *number == q + (rest + doubt);
}

/* By strtod: the digits in one piece; digits that cannot matter become a 1 behind the others. */
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
    exponent += at < end ? exponent_at(at, end) : 0;
    if (more) {
        text[size++] = '1';
        exponent--;
    }
    snprintf(text + size, sizeof text - (size_t)size, "e%lld", (long long)exponent);
    return strtod(text, NULL);
}

const char *rct_json_scan_number(const char *from, const char *end, double *number, int *good)
{
    decimal x = {.digits = 0};
    const int negative = *from == '-';
    const char *first = from + negative, *at = take_digits(first, end, &x.digits);
    *good = at > first;
    if (*good && *first == '0' && at > first + 1) {
        at = first + 1;
        *good = 0;
    }
    if (*good && at < end && *at == '.') {
        const char *place = at + 1;
        at = take_digits(place, end, &x.digits);
        x.exponent = place - at;
        *good = at > place;
    }
    const char *last = at;
    if (*good && at < end && (*at == 'e' || *at == 'E')) {
        at += 1 + (at + 1 < end && (at[1] == '+' || at[1] == '-'));
        *good = is_digit(at, end);
        at = skip_digits(at, end);
        x.exponent += *good ? exponent_at(last, at) : 0;
    }
    double size = 0.0;
    if (*good && !(are_few(first, last) && scale(&x, &size))) {
        size = search(first, at);
    }
    *number = negative ? -size : size;
    return at;
}
