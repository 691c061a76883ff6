/* Numbers in memory: allocation, sorting, vectors. */
#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Texts of at most this many digits do not become whole by rounding. */
enum { MOST_DIGITS = 15 };

bool cli_whole(const char *text, int64_t *whole, bool *too_large)
{
    static const double beyond = 9223372036854775808.0; /* INT64_MAX + 1 */
    char *end = NULL;
    errno = 0;
    *whole = strtoll(text, &end, 10);
    *too_large = errno == ERANGE && *whole > 0;
    if (*end == '\0') {
        return end != text && errno == 0 && strspn(text, "-0123456789") == strlen(text);
    }
    const double real = strtod(text, &end);
    const size_t digits = strspn(text, "-.0123456789");
    const bool good = strspn(text, "+-.0123456789eE") == strlen(text) && text[0] != '+' &&
                      *end == '\0' && digits <= MOST_DIGITS && real == floor(real);
    *too_large = good && real >= beyond;
    if (!good || *too_large || real <= -beyond) {
        return false;
    }
    *whole = (int64_t)real;
    return true;
}

double *cli_numbers(int64_t count, const char *what)
{
    double *numbers = calloc((size_t)count, sizeof *numbers);
    if (numbers == NULL) {
        cli_fail(CLI_FAILED, "out of memory: %" PRId64 " bytes for %s; make the model smaller",
                 count * (int64_t)sizeof *numbers, what);
    }
    return numbers;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void cli_sort(double *numbers, int64_t count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
}

double cli_quantile(const double *numbers, int64_t count, double share)
{
    if (count == 0) {
        return NAN;
    }
    const double at = share * (double)(count - 1);
    const int64_t below = (int64_t)at, above = below + 1 < count ? below + 1 : below;
    const double part = at - (double)below;
    return part == 0.0 ? numbers[below] : numbers[below] * (1.0 - part) + numbers[above] * part;
}

double cli_length(const double v[3])
{
    return hypot(hypot(v[0], v[1]), v[2]); /* squares may overflow */
}

double cli_distance(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return cli_length(d);
}
