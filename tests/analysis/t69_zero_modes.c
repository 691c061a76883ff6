/* Motions of zero energy, told apart from growing ones: the rotation about the vertical of a body
 * that hangs from a ball hinge, wherever its centre of mass is; the five motions that a spring does
 * not resist, of a free body whose spring is off its rest length by a hundred-millionth. */
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

static void test_a_spring_that_all_but_rests(void **state)
{
    (void)state;
    static const double none[3] = {0.0};
    for (int way = -1; way <= 1; way++) {
        rct_model *model = rct_model_create("floating", NULL);
        rct_body body = rct_body_default();
        rct_force spring = rct_force_default();
        rct_error error;
        double square[6];
        body.hinge = RCT_HINGE_FREE;
        body.mass = 2.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        body.position[2] = 1.0 + 1e-8 * way;
        must_add(model, &body);
        spring.type = RCT_FORCE_SPRING;
        spring.body = 0;
        spring.other = RCT_GROUND;
        spring.stiffness = 8.0;
        spring.length = 1.0;
        assert_int_equal(rct_model_add_force(model, &spring, NULL, &error), RCT_OK);
        assert_int_equal(rct_model_set_gravity(model, none, &error), RCT_OK);
        rct_solver *solver = must_solver(model, NULL);
        const rct_modes modes = must_find(solver, 6, square, NULL);
        assert_int_equal(modes.unstable, 0);
        assert_int_equal(modes.indifferent, 5);
        assert_int_equal(modes.found, 1);
        expect_near(square[0], 4.0, 1e-7);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_body_that_hangs_aside_of_its_axes),
        cmocka_unit_test(test_a_spring_that_all_but_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
