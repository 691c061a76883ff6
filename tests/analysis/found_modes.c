/* Modes that must be found (found_modes.h). */
#include "tests/analysis/found_modes.h"

#include "tests/support/cmocka_all.h"

#include <math.h>

static rct_error error;

rct_solver *solver_of(const rct_model *model)
{
    const rct_solver_options options = rct_solver_options_default();
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

rct_modes must_find(rct_solver *solver, int32_t count, double *square, double *shape)
{
    rct_modes modes;
    if (rct_solver_modes(solver, count, square, shape, &modes, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    return modes;
}

void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected))) {
        fail_msg("%.15g is not %.15g, by %.2e of it", value, expected,
                 fabs(value - expected) / fabs(expected));
    }
}
