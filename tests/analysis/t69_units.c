/* Rest in other units: the solver finds the same rest as in kg, m and s, in the same number of
 * steps, and recognizes in small units a state that does not rest. */
#include "tests/support/cmocka_all.h"

#include "tests/analysis/closed_models.h"
#include "tests/analysis/found_rest.h"
#include "tests/analysis/held_tree.h"
#include "tests/support/must.h"
#include "tests/support/systems/units.h"

#include <riccatree/analysis.h>

#include <math.h>

/* kg, m, s: powers of two. */
static const int units[][3] = {{0, 20, 0},   {0, -20, 0}, {-60, -20, 0},
                               {30, 20, 10}, {0, 60, 0},  {0, 0, 50}};
enum { UNITS = sizeof units / sizeof *units };

static rct_equilibrium rest_of(const rct_model *model)
{
    const rct_solver_options options = rct_solver_options_default();
    rct_solver *solver = must_solver(model, &options);
    const rct_equilibrium found = must_rest(solver);
    rct_solver_free(solver);
    return found;
}

/* The energy identifies the state of rest. */
static void expect_the_same(rct_model *model, uint64_t seed)
{
    const rct_equilibrium truth = rest_of(model);
    for (int k = 0; k < UNITS; k++) {
        const test_units u = test_units_of(units[k]);
        const double joule = u.mass * u.length * u.length / (u.time * u.time);
        rct_model *other = in_units(model, &u);
        const rct_equilibrium found = rest_of(other);
        if (!(fabs(found.energy / joule - truth.energy) <= 1e-9 * fabs(truth.energy)) ||
            found.unstable != truth.unstable || found.indifferent != truth.indifferent) {
            fail_msg("seed %d, units %d: %.9g J less, not %.9g", (int)seed, k, found.energy / joule,
                     truth.energy);
        }
        rct_model_free(other);
    }
    rct_model_free(model);
}

static void test_trees(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 80; seed++) {
        expect_the_same(held_tree_create(2 + (int32_t)(seed % 8), -1, seed), seed);
    }
}

static void test_loops(void **state)
{
    (void)state;
    static const rct_loop_type types[] = {RCT_LOOP_BALL, RCT_LOOP_REVOLUTE, RCT_LOOP_CYLINDRICAL,
                                          RCT_LOOP_UNIVERSAL};
    for (uint64_t seed = 1; seed <= 110; seed++) {
        rct_model *model = closed_random(types[seed % 4], seed);
        if (model != NULL) {
            expect_the_same(model, seed);
        }
    }
}

/* A servo holds a slide of some micrometres: it sinks by a hundredth of the length of the
 * system. */
static void test_what_does_not_rest_is_seen(void **state)
{
    (void)state;
    const rct_solver_options options = rct_solver_options_default();
    rct_model *model = rct_model_create("slide", NULL);
    rct_body body = rct_body_default();
    rct_force servo = rct_force_default();
    rct_error error;
    body.hinge = RCT_HINGE_PRISMATIC;
    body.mass = 1e-9;
    body.com[0] = 1e-6;
    must_add(model, &body);
    servo.type = RCT_FORCE_SERVO;
    servo.stiffness = 1.0;
    must_force(model, &servo);
    rct_solver *solver = must_solver(model, &options);
    assert_int_equal(rct_solver_modes(solver, 0, NULL, NULL, NULL, &error), RCT_ERROR_ARGUMENT);
    must_rest(solver);
    assert_int_equal(rct_solver_modes(solver, 0, NULL, NULL, NULL, &error), RCT_OK);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_what_does_not_rest_is_seen),
    };
    return cmocka_run_group_tests_name("rest in other units", tests, NULL, NULL);
}
