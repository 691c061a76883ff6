/* Springs whose ends meet. A spring of zero length holds equally in all directions, about the place
 * where it rests. For other springs, and for dampers, which have no direction there, modes, rest
 * and derivatives are refused. Cables about to pull. */
#include "tests/support/cmocka_all.h"

#include "tests/analysis/found_modes.h"
#include "tests/support/must.h"

#include <riccatree/analysis.h>
#include <riccatree/operators.h>

#include <math.h>
#include <string.h>

static rct_error error;

/* `bodies` of 2 kg that float at the origin, without gravity. */
static rct_model *floating(int32_t bodies)
{
    static const double none[3] = {0.0};
    rct_model *model = rct_model_create("floating", NULL);
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_FREE;
    body.parent = RCT_GROUND;
    body.mass = 2.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    for (int32_t b = 0; b < bodies; b++) {
        must_add(model, &body);
    }
    assert_int_equal(rct_model_set_gravity(model, none, &error), RCT_OK);
    return model;
}

/* A spring of 8 N/m from the first body to `other`. */
static void add(rct_model *model, int32_t other, rct_force_type type, double length, double damping)
{
    rct_force f = rct_force_default();
    f.type = type;
    f.body = 0;
    f.other = other;
    f.stiffness = 8.0;
    f.length = length;
    f.damping = damping;
    assert_int_equal(rct_model_add_force(model, &f, NULL, &error), RCT_OK);
}

/* omega^2 of the three translations, k over the mass or the reduced mass; rotations and common
 * motions have zero energy. */
static void test_modes(void **state)
{
    (void)state;
    for (int two = 0; two < 2; two++) {
        rct_model *model = floating(1 + two);
        add(model, two ? 1 : RCT_GROUND, RCT_FORCE_SPRING, 0.0, 5.0);
        rct_solver *solver = must_solver(model, NULL);
        double square[4], shape[4 * 12];
        const rct_modes modes = must_find(solver, 4, square, shape);
        assert_int_equal(modes.found, 3);
        assert_int_equal(modes.indifferent, two ? 9 : 3);
        for (int i = 0; i < 3; i++) {
            expect_near(square[i], two ? 8.0 : 4.0, 1e-13);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

static void test_derivatives(void **state)
{
    (void)state;
    rct_model *model = floating(1);
    const double dq[6] = {0.0, 0.0, 0.0, 0.1, -0.2, 0.3};
    double da[6];
    add(model, RCT_GROUND, RCT_FORCE_SPRING, 0.0, 0.0);
    add(model, RCT_GROUND, RCT_FORCE_CABLE, 1.0, 3.0); /* slack */
    rct_solver *solver = must_solver(model, NULL);
    assert_int_equal(rct_solver_acceleration_tangent(solver, 1, dq, NULL, NULL, da, &error),
                     RCT_OK);
    for (int i = 0; i < 6; i++) {
        assert_true(fabs(da[i] + 4.0 * dq[i]) <= 1e-15);
    }
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_what_has_no_direction(void **state)
{
    (void)state;
    for (int damped = 0; damped < 2; damped++) {
        rct_model *model = floating(1);
        const double dq[6] = {0.0, 0.0, 0.0, 0.1};
        double square[1], da[6];
        rct_modes modes;
        add(model, RCT_GROUND, RCT_FORCE_SPRING, damped ? 0.0 : 0.5, damped ? 2.0 : 0.0);
        rct_solver *solver = must_solver(model, NULL);
        assert_int_equal(rct_solver_acceleration_tangent(solver, 1, dq, NULL, NULL, da, &error),
                         RCT_ERROR_UNSUPPORTED);
        assert_non_null(
            strstr(error.text, "force 0: the ends of this spring meet, so that its direction"));
        if (!damped) { /* modes and rest take no account of dampers */
            rct_equilibrium rest;
            assert_int_equal(rct_solver_equilibrium(solver, &rest, &error), RCT_ERROR_UNSUPPORTED);
            assert_non_null(
                strstr(error.text, "force 0: the ends of this spring meet, so that its direction"));
            assert_int_equal(rct_solver_modes(solver, 1, square, NULL, &modes, &error),
                             RCT_ERROR_UNSUPPORTED);
            assert_non_null(
                strstr(error.text, "force 0: the ends of this spring meet, so that its direction"));
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* 1 m from its end, a cable of 1 m is neither taut nor slack to the precision of places. */
static void test_cables_at_their_length(void **state)
{
    (void)state;
    static const double stretch[] = {0.0, -2e-16, 3e-16, 1e-12, -1e-12};
    for (int i = 0; i < 5; i++) {
        rct_model *model = floating(1);
        rct_force cable = rct_force_default();
        rct_modes modes;
        rct_equilibrium rest;
        cable.type = RCT_FORCE_CABLE;
        cable.body = 0;
        cable.other = RCT_GROUND;
        cable.other_at[1] = 1.0;
        cable.stiffness = 8.0;
        cable.length = 1.0 - stretch[i];
        assert_int_equal(rct_model_add_force(model, &cable, NULL, &error), RCT_OK);
        cable.other_at[1] = -1.0; /* and a force that pulls against it */
        assert_int_equal(rct_model_add_force(model, &cable, NULL, &error), RCT_OK);
        rct_solver *solver = must_solver(model, NULL);
        const rct_status status = rct_solver_modes(solver, 0, NULL, NULL, &modes, &error);
        if (i < 3) {
            assert_int_equal(status, RCT_ERROR_UNSUPPORTED);
            assert_non_null(strstr(error.text, "force 0: this cable is just at its length"));
        } else {
            assert_int_equal(status, RCT_OK);
            assert_int_equal(modes.unstable, 0);
            assert_int_equal(modes.indifferent, i == 3 ? 3 : 6);
        }
        assert_int_equal(rct_solver_equilibrium(solver, &rest, &error), RCT_OK);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_what_has_no_direction),
        cmocka_unit_test(test_cables_at_their_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
