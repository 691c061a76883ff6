/* Rest. Random trees from random starts against accelerations of the reference lagrange; discrete
 * catenaries, whose directions have closed forms; unstable starts; systems without rest and refused
 * input, which leaves the state unchanged. */
#include "tests/support/cmocka_all.h"

#include "tests/analysis/found_rest.h"
#include "tests/analysis/held_tree.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_tree.h"
#include "tests/support/zeros.h"

#include <riccatree/analysis.h>
#include <riccatree/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rct_error error;

static rct_solver *solver_of(const rct_model *model, int user)
{
    rct_solver_options options = rct_solver_options_default();
    options.user_forces = user;
    return must_solver(model, &options);
}

/* ---- random trees ------------------------------------------------------------------------------ */

static void check_rest(rct_model *model)
{
    rct_solver *solver = solver_of(model, 0);
    const int64_t n = hinge_tree_freedoms(model), bodies = rct_model_body_count(model);
    double *q = zeros(hinge_tree_coordinates(model)), *u = zeros(n), most = 0.0;
    rct_reference_result result = {.linear = zeros(3 * bodies), .derivatives = zeros(n)};
    rct_measures before, after;
    rct_solver_set_coordinates(solver, q, u, NULL);
    rct_solver_set_time(solver, 0.5);
    rct_solver_measure(solver, &before);
    const rct_equilibrium found = must_rest(solver);
    rct_solver_measure(solver, &after);
    rct_solver_get_coordinates(solver, q, u);
    for (int64_t r = 0; r < n; r++) {
        assert_true(u[r] == 0.0);
    }
    assert_true(after.kinetic == 0.0 && rct_solver_time(solver) == 0.5);
    assert_true(found.residual <= 1e-9 && found.unstable == 0 && found.energy >= 0.0);
    assert_int_equal(
        rct_reference_evaluate_at(model, RCT_REFERENCE_LAGRANGE, 0.0, q, u, &result, &error),
        RCT_OK);
    for (int64_t i = 0; i < 3 * bodies; i++) {
        most = larger(most, fabs(result.linear[i]));
    }
    if (!(most <= 1e-6)) {
        fail_msg("%s: bodies accelerate by %.2e m/s^2 where they are to rest (residual %.2e)",
                 rct_model_name(model), most, found.residual);
    }
    const int32_t steps = must_rest(solver).steps; /* that rests already */
    assert_true(steps <= 3);
    rct_solver_free(solver);
    rct_model_free(model);
    free(q);
    free(u);
    free(result.linear);
    free(result.derivatives);
}

static void test_random_trees_come_to_rest(void **state)
{
    (void)state;
    for (int hinge = -1; hinge < RCT_HINGE_TYPES; hinge++) {
        for (uint64_t seed = 1; seed <= 5 && hinge != RCT_HINGE_FIXED; seed++) {
            check_rest(held_tree_create(1 + (int32_t)(seed * 7 % 12), hinge, seed));
        }
    }
}

/* From any start: families rotated by several turns. */
static void test_chains_come_to_rest_from_anywhere(void **state)
{
    (void)state;
    static const struct {
        const char *family;
        int64_t bodies;
        rct_hinge_type hinge;
    } of[] = {{"chain", 200, RCT_HINGE_BALL},     {"chain", 60, RCT_HINGE_REVOLUTE},
              {"chain", 40, RCT_HINGE_UNIVERSAL}, {"branch", 40, RCT_HINGE_REVOLUTE},
              {"binary", 63, RCT_HINGE_BALL},     {"random", 50, RCT_HINGE_REVOLUTE}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        rct_family family = rct_family_default();
        family.family = of[i].family, family.bodies = of[i].bodies, family.hinge = of[i].hinge;
        family.perturb = 3.0;
        rct_model *model = must_generate(&family);
        rct_solver *solver = solver_of(model, 0);
        const rct_equilibrium found = must_rest(solver);
        assert_true(found.residual <= 1e-10 && found.unstable == 0 && found.energy > 0.0);
        assert_int_equal(found.indifferent, of[i].hinge == RCT_HINGE_BALL ? of[i].bodies : 0);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* ---- catenaries ------------------------------------------------------------------------------------ */

/* A chain on the ground whose last rod is pulled sideways by H: the angle of rod i to the vertical
 * has the tangent H over the weight beyond it plus half its own. Ball hinges, or revolute ones
 * about y. */
static void check_catenary(int32_t rods, rct_hinge_type hinge)
{
    static const double l = 0.1, m = 0.3, g = 9.81, H = 5.0;
    rct_model *model = rct_model_create("catenary", NULL);
    rct_force pull = rct_force_default();
    double *position = zeros(3 * (int64_t)rods), *orientation = zeros(4 * (int64_t)rods), x = 0.0,
           z = 0.0, off = 0.0;
    for (int32_t i = 0; i < rods; i++) {
        rct_body body = rct_body_default();
        body.hinge = hinge;
        body.hinge_axis[1] = hinge == RCT_HINGE_REVOLUTE,
        body.hinge_axis[2] = 1.0 - body.hinge_axis[1];
        body.parent = i - 1;
        body.hinge_at[2] = i > 0 ? -l : 0.0;
        body.mass = m;
        body.com[2] = -0.5 * l;
        body.inertia[0] = body.inertia[1] = m * l * l / 12.0;
        body.inertia[2] = 1e-3 * m * l * l;
        must_add(model, &body);
    }
    pull.body = rods - 1;
    pull.at[2] = -l;
    pull.force[0] = H;
    assert_int_equal(rct_model_add_force(model, &pull, NULL, NULL), RCT_OK);
    rct_solver *solver = solver_of(model, 0);
    assert_int_equal(must_rest(solver).unstable, 0);
    rct_solver_get_state(solver, orientation, NULL, position, NULL);
    for (int32_t i = 0; i < rods; i++) {
        const double weight = m * g * (rods - i - 0.5), size = hypot(weight, H);
        off = larger(off, hypot(position[3 * i] - x, position[3 * i + 2] - z));
        off = larger(off, fabs(position[3 * i + 1]));
        x += l * H / size;
        z -= l * weight / size;
    }
    if (!(off <= 1e-10 * l * rods)) {
        fail_msg("a catenary of %d rods is off by %.2e of its length", (int)rods, off / (l * rods));
    }
    rct_solver_free(solver);
    rct_model_free(model);
    free(position);
    free(orientation);
}

static void test_catenaries(void **state)
{
    (void)state;
    for (int32_t rods = 1; rods <= 1000; rods *= 10) {
        check_catenary(rods, RCT_HINGE_BALL);
        check_catenary(rods, RCT_HINGE_REVOLUTE);
    }
}

/* ---- starts that rest, and those that never do ------------------------------------------------------- */

/* A chain that stands on its hinge: every rod can fall in two directions. */
static void test_an_unstable_rest_is_told(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("standing", NULL);
    const double up[3] = {0.0, 0.0, 9.81};
    for (int32_t i = 0; i < 5; i++) {
        rct_body body = rct_body_default();
        body.parent = i - 1;
        body.hinge_at[2] = i > 0 ? -1.0 : 0.0;
        body.mass = 1.0;
        body.com[2] = -0.5;
        body.inertia[0] = body.inertia[1] = 0.1, body.inertia[2] = 0.01;
        must_add(model, &body);
    }
    assert_int_equal(rct_model_set_gravity(model, up, NULL), RCT_OK);
    rct_solver *solver = solver_of(model, 0);
    const rct_equilibrium found = must_rest(solver);
    assert_int_equal(found.steps, 0);
    assert_int_equal(found.unstable, 10);
    assert_int_equal(found.indifferent, 5);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_where_nothing_holds_there_is_no_rest(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 3, RCT_HINGE_PRISMATIC);
    rct_body body;
    rct_model_body(model, 1, &body, NULL);
    body.rate[0] = 0.5; /* to be kept */
    must_put(model, 1, &body);
    body = rct_body_default();
    body.mass = 1.0, body.hinge = RCT_HINGE_FREE;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    body.name = "stone";
    must_add(model, &body);
    expect_no_rest(solver_of(model, 0), RCT_ERROR_DIVERGED, "no equilibrium found");
    rct_model_free(model);
}

static void nothing(void *context, double time, int32_t bodies, const double *orientation,
                    const double *angular_velocity, const double *position, const double *velocity,
                    double *force, double *moment)
{
    (void)context, (void)time, (void)bodies, (void)orientation, (void)angular_velocity;
    (void)position, (void)velocity, (void)force, (void)moment;
}

static void expect_force_refused(const rct_force *force, const char *words)
{
    rct_model *model = must_family("chain", 3, RCT_HINGE_BALL);
    assert_int_equal(rct_model_add_force(model, force, NULL, NULL), RCT_OK);
    expect_no_rest(solver_of(model, 0), RCT_ERROR_UNSUPPORTED, words);
    rct_model_free(model);
}

static void test_what_has_no_potential_is_refused(void **state)
{
    (void)state;
    rct_force force = rct_force_default();
    force.moment[0] = 1.0;
    expect_force_refused(&force, "force 0: a constant moment on a body has no potential");
    force = rct_force_default();
    force.force[0] = 1.0, force.in_body_axes = 1;
    expect_force_refused(&force, "force 0: a force that turns with its body has no potential");
    force = rct_force_default();
    force.type = RCT_FORCE_DRAG,
    force.end[0] = force.diameter = force.density = force.current[1] = 1.0;
    expect_force_refused(&force, "force 0: the drag of a current has no potential");

    rct_model *model = must_family("chain", 2, RCT_HINGE_BALL);
    double efforts[6] = {0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    rct_solver *solver = solver_of(model, 1);
    assert_int_equal(rct_solver_set_efforts(solver, efforts, NULL), RCT_OK);
    expect_no_rest(solver, RCT_ERROR_UNSUPPORTED, "efforts set at its ball hinge");
    solver = solver_of(model, 1);
    assert_int_equal(rct_solver_set_force_function(solver, nothing, NULL, NULL), RCT_OK);
    expect_no_rest(solver, RCT_ERROR_UNSUPPORTED, "a force function is set");
    rct_base base = rct_base_default();
    base.velocity[0] = 1.0;
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
    expect_no_rest(solver_of(model, 0), RCT_ERROR_UNSUPPORTED, "the ground of this model moves");
    rct_model_free(model);
}

/* A model takes the state of a solver as its start; an invalid state is refused and leaves the
 * model unchanged. */
static void test_a_start_at_rest(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 2, RCT_HINGE_BALL);
    rct_solver *solver = solver_of(model, 0), *again;
    double q[2][8], u[2][6];
    must_rest(solver);
    rct_solver_get_coordinates(solver, q[0], u[0]);
    assert_int_equal(rct_model_set_start(model, q[0], u[0], &error), RCT_OK);
    q[0][5] = (double)NAN;
    assert_int_equal(rct_model_set_start(model, q[0], u[0], &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, ": its start is not a valid state"));
    assert_int_equal(error.body, 1);
    memset(q[0], 0, sizeof q[0]);
    assert_int_equal(rct_model_set_start(model, q[0], u[0], &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(error.body, 0);
    again = solver_of(model, 0);
    rct_solver_get_coordinates(solver, q[0], u[0]);
    rct_solver_get_coordinates(again, q[1], u[1]);
    for (int i = 0; i < 8; i++) {
        assert_true(fabs(q[0][i] - q[1][i]) <= 1e-15);
    }
    assert_int_equal(must_rest(again).steps, 0);
    rct_solver_free(solver);
    rct_solver_free(again);
    rct_model_free(model);
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 5, RCT_HINGE_REVOLUTE);
    expect_rest_or_memory(model);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_trees_come_to_rest),
        cmocka_unit_test(test_chains_come_to_rest_from_anywhere),
        cmocka_unit_test(test_catenaries),
        cmocka_unit_test(test_an_unstable_rest_is_told),
        cmocka_unit_test(test_where_nothing_holds_there_is_no_rest),
        cmocka_unit_test(test_what_has_no_potential_is_refused),
        cmocka_unit_test(test_a_start_at_rest),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
