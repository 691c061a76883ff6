/* Arrays of numbers (zeros.h). */
#include "tests/support/zeros.h"

#include "tests/support/cmocka_all.h"

#include <stdlib.h>

double *zeros(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}
