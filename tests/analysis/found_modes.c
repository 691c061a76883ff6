/* Checks of modes that exist or must not exist (found_modes.h). */
#include "tests/analysis/found_modes.h"

#include "tests/support/cmocka_all.h"

#include "core/memory.h"

#include <math.h>
#include <string.h>

static rct_error error;

rct_modes must_find(rct_solver *solver, int32_t count, double *square, double *shape)
{
    rct_modes modes;
    if (rct_solver_modes(solver, count, square, shape, &modes, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    return modes;
}

void expect_no_modes(rct_solver *solver, rct_status status, const char *words)
{
    double square[2] = {-7.0, -7.0};
    rct_modes modes = {.found = -7};
    assert_int_equal(rct_solver_modes(solver, 2, square, NULL, &modes, &error), status);
    if (strstr(error.text, words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    }
    assert_true(square[0] == -7.0 && modes.found == -7);
}

void expect_modes_or_memory(rct_solver *solver)
{
    double square[3];
    rct_status status = RCT_ERROR_MEMORY;
    for (int64_t k = 0; status != RCT_OK; k++) {
        rct_allocate_fail_after(k);
        status = rct_solver_modes(solver, 3, square, NULL, NULL, &error);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
        assert_true(k < 200);
    }
}

void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected))) {
        fail_msg("%.15g is not %.15g, by %.2e of it", value, expected,
                 fabs(value - expected) / fabs(expected));
    }
}
