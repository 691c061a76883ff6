/* Motions that cost nothing, told from those that grow: of a body that hangs from a ball hinge the turn about the vertical, wherever its
 * centre of mass is in it. */
#include "tests/support/cmocka_all.h"

#include "tests/analysis/found_modes.h"
#include "tests/support/draw.h"
#include "tests/support/must.h"

#include <riccatree/analysis.h>

static void test_a_body_that_hangs_aside_of_its_axes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t draw = seed;
        rct_model *model = rct_model_create("hanging", NULL);
        rct_body body = rct_body_default();
        rct_equilibrium rest;
        rct_error error;
        double square[3];
        body.mass = 1.0;
        draw_numbers(&draw, body.com, 3, 2.0);
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1e-3;
        must_add(model, &body);
        rct_solver *solver = must_solver(model, NULL);
        assert_int_equal(rct_solver_equilibrium(solver, &rest, &error), RCT_OK);
        const rct_modes modes = must_find(solver, 3, square, NULL);
        assert_int_equal(rest.unstable, 0);
        assert_int_equal(rest.indifferent, 1);
        assert_int_equal(modes.unstable, 0);
        assert_int_equal(modes.indifferent, 1);
        assert_int_equal(modes.found, 2);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_body_that_hangs_aside_of_its_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
