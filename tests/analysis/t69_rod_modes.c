/* Modes of elastic rods on ball hinges that bend: the frequencies of a cantilever at the order of
 * its discretization, and the weight under which an upright rod buckles. */
#include "tests/support/cmocka_all.h"

#include "tests/analysis/found_modes.h"
#include "tests/support/must.h"

#include <riccatree/analysis.h>
#include <riccatree/rod.h>

#include <math.h>

static rct_error error;

static rct_solver *rod_solver(int32_t bodies, double radius, double g, rct_model **model)
{
    const double down[3] = {0.0, 0.0, -g};
    rct_rod rod = rct_rod_default(); /* clamped, along z, of EI 1 N m^2, 1 m and 1 kg */
    rod.bodies = bodies;
    rod.radius = radius;
    *model = rct_model_create("rod", NULL);
    assert_int_equal(rct_model_set_gravity(*model, down, NULL), RCT_OK);
    assert_int_equal(rct_model_add_rod(*model, &rod, NULL, &error), RCT_OK);
    return must_solver(*model, NULL);
}

/* The same frequencies of an elastic rod on ball hinges, three modes in each of two planes. */
static void test_an_elastic_rod_converges(void **state)
{
    (void)state;
    static const double root[3] = {1.875104068711961, 4.694091132974174, 7.854757438237613};
    double off[3][3], square[6];
    for (int n = 0; n < 3; n++) {
        rct_model *model;
        rct_solver *solver = rod_solver(20 << n, 1e-4, 0.0, &model);
        must_find(solver, 6, square, NULL);
        for (int k = 0; k < 3; k++) {
            off[n][k] = sqrt(square[2 * k]) / (root[k] * root[k]) - 1.0;
            expect_near(square[2 * k + 1], square[2 * k], 1e-6);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
    for (int k = 0; k < 3; k++) {
        for (int n = 0; n < 2; n++) {
            const double ratio = off[n][k] / off[n + 1][k];
            if (!(fabs(off[2][k]) < 0.01 && ratio > 3.5 && ratio < 4.5)) {
                fail_msg("mode %d is off by %.3e, then %.3e: not the second order", k, off[n][k],
                         off[n + 1][k]);
            }
        }
    }
}

/* An upright rod buckles under its own weight if the weight is 7.8373 EI / L^2. */
static void test_a_standing_rod_buckles(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        rct_model *model;
        double square[2];
        rct_solver *solver = rod_solver(80, 0.01, k == 0 ? 7.82 : 7.85, &model);
        const rct_modes modes = must_find(solver, 2, square, NULL);
        assert_int_equal(modes.unstable, k == 0 ? 0 : 2);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_elastic_rod_converges),
        cmocka_unit_test(test_a_standing_rod_buckles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
