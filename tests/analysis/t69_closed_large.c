/* Cables of thousands of rods between two points: their rest, found from a distant start, and their
 * lowest modes. */
#include "tests/support/cmocka_all.h"

#include "tests/analysis/closed_models.h"
#include "tests/analysis/found_modes.h"
#include "tests/support/must.h"
#include "tests/support/zeros.h"

#include <riccatree/analysis.h>
#include <riccatree/operators.h>

#include <math.h>
#include <stdlib.h>

static rct_error error;

enum { MODES = 6 };

/* Finds modes, which must keep loops closed, have x . M x = 1 and be orthogonal; their squares.
 * Frees the model. */
static rct_modes check_large(rct_model *model, int64_t rates, double *square)
{
    rct_solver *solver = must_solver(model, NULL);
    double *shape = zeros(MODES * rates), *product = zeros(MODES * rates);
    if (rct_solver_equilibrium(solver, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    const rct_modes modes = must_find(solver, MODES, square, shape);
    assert_int_equal(modes.found, MODES);
    assert_int_equal(modes.unstable, 0);
    assert_true(modes.largest <= 1e-8);
    rct_solver_mass_times(solver, MODES, shape, product, NULL);
    for (int k = 0; k < MODES; k++) {
        for (int j = 0; j < MODES; j++) {
            double sum = 0.0;
            for (int64_t r = 0; r < rates; r++) {
                sum += shape[rates * k + r] * product[rates * j + r];
            }
            assert_true(fabs(sum - (j == k)) <= 1e-8);
        }
    }
    free(shape);
    free(product);
    rct_solver_free(solver);
    rct_model_free(model);
    return modes;
}

/* A cable of 5,000 and of 10,000 rods: frequencies at the second order of the rod length, those of
 * one cable. */
static void test_cables_of_10000_rods(void **state)
{
    (void)state;
    double square[2][MODES];
    for (int k = 0; k < 2; k++) {
        const int32_t rods = 5000 << k;
        const double l = 1.0 / rods, to[2] = {0.7, 0.0};
        const rct_modes modes =
            check_large(closed_cable(rods, l, to, RCT_HINGE_BALL), 3 * (int64_t)rods, square[k]);
        assert_int_equal(modes.indifferent, rods);
    }
    for (int i = 0; i < MODES; i++) {
        expect_near(square[0][i], square[1][i], 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cables_of_10000_rods)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
