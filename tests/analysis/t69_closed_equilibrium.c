/* Rest of systems with loops and with springs between bodies. Discrete catenaries between two
 * points against their closed form; nets of cables, mechanisms, gears, redundant loops and random
 * systems against accelerations of the reference lagrange; unstable rest; systems without rest,
 * loops that do not close, and refused input, which leaves the state unchanged. */
#include "tests/support/cmocka_all.h"

#include "tests/analysis/closed_models.h"
#include "tests/analysis/dense_motions.h"
#include "tests/analysis/found_modes.h"
#include "tests/analysis/found_rest.h"
#include "tests/analysis/held_tree.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/example.h"
#include "tests/support/zeros.h"

#include <riccatree/analysis.h>
#include <riccatree/closure.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rct_error error;

static rct_solver *solver_of(const rct_model *model, int as_given)
{
    rct_solver_options options = rct_solver_options_default();
    options.as_given = as_given;
    return must_solver(model, &options);
}

static void expect_closed(const rct_solver *solver)
{
    rct_loop_info info;
    rct_solver_get_loop_info(solver, &info);
    assert_true(info.position <= 1e-10);
}

/* ---- catenaries ------------------------------------------------------------------------------------ */

/* A cable of equal rods of weight 1 whose lowest horizontal force is H and whose first end lifts by
 * V: the place of the other end, and the first end of each rod. The tangent of rod i against the
 * horizontal is (V - i - 1/2) / H. */
static void hang(int32_t rods, long double l, long double H, long double V, long double end[2],
                 double (*place)[2])
{
    end[0] = end[1] = 0.0L;
    for (int32_t i = 0; i < rods; i++) {
        const long double lift = V - i - 0.5L, size = sqrtl(H * H + lift * lift);
        if (place != NULL) {
            place[i][0] = (double)end[0];
            place[i][1] = (double)end[1];
        }
        end[0] += l * H / size;
        end[1] -= l * lift / size;
    }
}

/* Finds H and V by Newton's method for a given place of the other end. */
static void solve_catenary(int32_t rods, long double l, const double to[2], double (*place)[2])
{
    long double H = rods, V = 0.5L * rods, at[2], h[2], v[2];
    for (int k = 0; k < 200; k++) {
        const long double step = 1e-9L * rods;
        hang(rods, l, H, V, at, NULL);
        hang(rods, l, H + step, V, h, NULL);
        hang(rods, l, H, V + step, v, NULL);
        const long double a = (h[0] - at[0]) / step, b = (v[0] - at[0]) / step;
        const long double c = (h[1] - at[1]) / step, d = (v[1] - at[1]) / step;
        const long double x = to[0] - at[0], y = to[1] - at[1], D = a * d - b * c;
        long double dH = (x * d - b * y) / D, dV = (a * y - c * x) / D;
        dH = dH < -0.5L * H ? -0.5L * H : dH;
        H += dH;
        V += dV;
    }
    hang(rods, l, H, V, at, place);
    assert_true(fabsl(at[0] - to[0]) + fabsl(at[1] - to[1]) <= 1e-14L * rods);
}

static void check_catenary(int32_t rods, rct_hinge_type hinge, double span, double rise)
{
    static const double l = 0.1;
    const double to[2] = {span * l * rods, rise * l * rods};
    rct_model *model = closed_cable(rods, l, to, hinge);
    rct_solver *solver = solver_of(model, 0);
    double *position = zeros(3 * (int64_t)rods), off = 0.0;
    double(*place)[2] = calloc((size_t)rods, sizeof *place);
    const rct_equilibrium found = must_rest(solver);
    assert_non_null(place);
    assert_int_equal(found.unstable, 0);
    assert_int_equal(found.indifferent, hinge == RCT_HINGE_BALL ? rods : 0);
    solve_catenary(rods, l, to, place);
    rct_solver_get_state(solver, NULL, NULL, position, NULL);
    for (int32_t i = 0; i < rods; i++) {
        off = larger(off, hypot(position[3 * i] - place[i][0], position[3 * i + 2] - place[i][1]));
        off = larger(off, fabs(position[3 * i + 1]));
    }
    if (!(off <= 1e-10 * l * rods)) {
        fail_msg("a catenary of %d rods on %s hinges to (%g, %g) is off by %.2e of its length",
                 (int)rods, rct_hinge_name(hinge), span, rise, off / (l * rods));
    }
    expect_closed(solver);
    free(position);
    free(place);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_catenaries_between_two_points(void **state)
{
    (void)state;
    for (int32_t rods = 10; rods <= 1000; rods *= 10) {
        check_catenary(rods, RCT_HINGE_BALL, 0.6, 0.0);
        check_catenary(rods, RCT_HINGE_BALL, 0.5, 0.3);
        check_catenary(rods, RCT_HINGE_REVOLUTE, 0.8, -0.2);
    }
}

/* ---- mechanisms ------------------------------------------------------------------------------------ */

/* Finds rest, at which the reference has zero accelerations; returns the result. Frees the
 * model. */
static rct_equilibrium expect_rest(rct_model *model, double tolerance)
{
    rct_solver *solver = solver_of(model, 0);
    const rct_equilibrium found = must_rest(solver);
    const double acceleration = dense_acceleration(model, solver);
    if (!(found.residual <= 1e-9 && acceleration <= tolerance)) {
        fail_msg("%s: accelerations of %.2e where it is to rest (residual %.2e)",
                 rct_model_name(model), acceleration, found.residual);
    }
    expect_closed(solver);
    assert_true(must_rest(solver).steps <= 3);
    rct_solver_free(solver);
    rct_model_free(model);
    return found;
}

static void test_mechanisms(void **state)
{
    (void)state;
    static const char *const examples[] = {"four-bar", "four-bar-internal", "ladder"};
    for (int i = 0; i < 3; i++) {
        const rct_equilibrium found = expect_rest(example(examples[i]), 1e-7);
        assert_int_equal(found.unstable, 0);
    }
    assert_int_equal(expect_rest(closed_four_bar(0.0), 1e-8).unstable, 0);
    assert_int_equal(expect_rest(closed_four_bar(40.0), 1e-8).unstable, 0);
    assert_int_equal(expect_rest(closed_geared(), 1e-8).unstable, 0);
}

/* Masses that rotate freely and are held by cables, some of which are slack at the start. */
static void test_a_hanging_net(void **state)
{
    (void)state;
    rct_model *model = closed_net(6, 1.3);
    const rct_equilibrium found = expect_rest(model, 1e-6);
    assert_int_equal(found.unstable, 0);
    assert_int_equal(found.indifferent, 3 * 16);
}

/* A ring of five hangs by a corner; its redundant constraints leave some 1e-8 of the forces. */
static void test_a_residual_that_no_longer_falls(void **state)
{
    (void)state;
    rct_model *model = must_family("necklace", 5, RCT_HINGE_BALL);
    rct_solver *solver = solver_of(model, 0);
    assert_true(must_rest(solver).steps <= 100);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Loops of every type except relations; a planar loop that rotates in space is reported. */
static void test_random_systems_come_to_rest(void **state)
{
    (void)state;
    for (int type = 0; type < RCT_LOOP_TYPES; type++) {
        int rested = 0;
        for (uint64_t seed = 1; seed <= 8 && type != RCT_LOOP_RELATION; seed++) {
            rct_model *model = closed_random((rct_loop_type)type, seed);
            if (model == NULL) {
                continue;
            }
            rct_solver *solver = solver_of(model, 0);
            const rct_status status = rct_solver_equilibrium(solver, NULL, &error);
            rct_solver_free(solver);
            if (status == RCT_OK) {
                expect_rest(model, 1e-6);
                rested++;
                continue;
            }
            if (status != RCT_ERROR_LOOP || strstr(error.text, "turned round") == NULL) {
                fail_msg("%s, %d: %s", rct_loop_type_name((rct_loop_type)type), (int)seed,
                         error.text);
            }
            rct_model_free(model);
        }
        assert_true(rested >= 2 || type == RCT_LOOP_RELATION);
    }
}

/* The last steps of this system change only multipliers, and the slope of the energy along them is
 * rounding: for masses 1e-14 apart, every fifth of which slopes upward, all come to rest. */
static void test_slopes_that_are_rounding(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        rct_model *model = closed_random(RCT_LOOP_PLANAR_FIXED, 4);
        for (int32_t b = 0; b < rct_model_body_count(model); b++) {
            rct_body body;
            rct_model_body(model, b, &body, NULL);
            body.mass *= 1.0 + 1e-15 * ((7 * k + 3 * b) % 11 - 5);
            must_put(model, b, &body);
        }
        expect_rest(model, 1e-6);
    }
}

/* A planar loop on a held tree, with one constraint that follows from the others. */
static void expect_the_counts_of_modes(int32_t bodies, uint64_t seed)
{
    rct_model *model = held_tree_create(bodies, -1, seed);
    closed_add_random(model, 1, 1 << RCT_LOOP_PLANAR, seed);
    rct_solver *solver = solver_of(model, 0);
    const rct_equilibrium found = must_rest(solver);
    const rct_modes modes = must_find(solver, 0, NULL, NULL);
    rct_loop_info info;
    rct_solver_get_loop_info(solver, &info);
    assert_int_equal(info.redundant, 1);
    assert_int_equal(found.unstable, 0);
    assert_int_equal(modes.unstable, 0);
    assert_int_equal(found.indifferent, modes.indifferent);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_constraints_that_follow_from_others(void **state)
{
    (void)state;
    expect_the_counts_of_modes(2, 45);
    expect_the_counts_of_modes(3, 53);
}

/* Adds the bodies of the four-bar, with a free crank, after `body`, to which its loop is closed. */
static void add_four_bar(rct_model *model, rct_loop_type type)
{
    rct_model *bars = closed_four_bar(0.0);
    rct_loop loop;
    for (int32_t b = 0; b < 3; b++) {
        rct_body body;
        rct_model_body(bars, b, &body, NULL);
        body.parent++;
        body.stiffness[0] = 0.0;
        must_add(model, &body);
    }
    rct_model_loop(bars, 0, &loop, NULL);
    loop.type = type;
    loop.body = 3, loop.other = 0;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, &error), RCT_OK);
    rct_model_free(bars);
}

/* Without gravity no force acts in a four-bar on a body that a spring and a force hold: all its
 * forces are rounding of these two. */
static void test_loops_that_carry_nothing(void **state)
{
    (void)state;
    static const double none[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; k++) {
        rct_model *model = rct_model_create("weightless", NULL);
        rct_body body = rct_body_default();
        rct_force force = rct_force_default(), spring = rct_force_default();
        assert_int_equal(rct_model_set_gravity(model, none, NULL), RCT_OK);
        body.hinge = RCT_HINGE_REVOLUTE;
        body.hinge_axis[0] = 0.3, body.hinge_axis[1] = 0.5;
        body.mass = 30.0, body.com[0] = 0.3;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        body.stiffness[0] = 70.0, body.applied[0] = 20.0;
        must_add(model, &body);
        force.at[0] = 0.2 + 0.1 * (k % 2), force.at[1] = 0.3, force.at[2] = -0.4;
        force.force[0] = 5.0, force.force[1] = 8.0, force.force[2] = 9.0;
        must_force(model, &force);
        spring.type = RCT_FORCE_SPRING, spring.stiffness = 170.0;
        spring.at[0] = 0.3, spring.at[1] = -0.3;
        spring.other_at[0] = 1.0;
        must_force(model, &spring);
        add_four_bar(model, k < 2 ? RCT_LOOP_PLANAR_REVOLUTE : RCT_LOOP_REVOLUTE);
        rct_solver *solver = solver_of(model, 0);
        const rct_equilibrium found = must_rest(solver);
        assert_int_equal(found.unstable, 0);
        assert_int_equal(found.indifferent, 1);
        assert_int_equal(must_find(solver, 0, NULL, NULL).indifferent, 1);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* ---- unstable rest, and none ----------------------------------------------------------------------- */

/* Four-bars that stand upright have one motion, downward. */
static void test_an_unstable_rest_is_told(void **state)
{
    (void)state;
    rct_model *model = must_family("fourbars", 5, RCT_HINGE_REVOLUTE);
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        body.rate[0] = 0.0;
        must_put(model, b, &body);
    }
    rct_solver *solver = solver_of(model, 0);
    const rct_equilibrium found = must_rest(solver);
    assert_int_equal(found.steps, 0);
    assert_int_equal(found.unstable, 1);
    assert_int_equal(found.indifferent, 0);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* A slide with a tree on it, whose loop has dependent constraints: it falls for ever, and
 * multipliers must not hide this. */
static void test_what_falls_is_no_rest(void **state)
{
    (void)state;
    static const struct {
        rct_loop_type type;
        uint64_t seed;
    } fall[] = {{RCT_LOOP_UNIVERSAL, 11}, {RCT_LOOP_CYLINDRICAL, 9}};
    for (int k = 0; k < 2; k++) {
        rct_model *tree = held_tree_create(2, -1, fall[k].seed);
        rct_model *model = rct_model_create("falling", NULL);
        rct_body body = rct_body_default();
        body.hinge = RCT_HINGE_PRISMATIC;
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        must_add(model, &body);
        for (int32_t b = 0; b < 2; b++) {
            rct_model_body(tree, b, &body, NULL);
            body.parent++;
            body.name = NULL;
            must_add(model, &body);
        }
        closed_add_random(model, 1, 1 << fall[k].type, fall[k].seed);
        expect_no_rest(solver_of(model, 0), RCT_ERROR_DIVERGED, "no equilibrium found");
        rct_model_free(tree);
        rct_model_free(model);
    }
}

static void test_what_is_refused(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("falling", NULL);
    rct_loop loop = rct_loop_default();
    for (int i = 0; i < 2; i++) { /* two stones tied together */
        rct_body body = rct_body_default();
        body.hinge = RCT_HINGE_FREE;
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        body.position[0] = i;
        must_add(model, &body);
    }
    loop.other = 1, loop.at[0] = 1.0;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    expect_no_rest(solver_of(model, 0), RCT_ERROR_DIVERGED, "no equilibrium found");
    rct_model_free(model);

    model = closed_cable(4, 0.1, (const double[2]){0.3, 0.0}, RCT_HINGE_BALL);
    loop = rct_loop_default();
    loop.name = "far", loop.body = 1, loop.other_at[0] = 5.0;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    expect_no_rest(solver_of(model, 1), RCT_ERROR_LOOP, "it cannot be closed");
    rct_model_free(model);

    model = closed_net(30, 0.9);
    expect_no_rest(solver_of(model, 0), RCT_ERROR_UNSUPPORTED, "one dense matrix of at most 2048");
    rct_model_free(model);
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    rct_model *model = closed_four_bar(40.0);
    expect_rest_or_memory(model);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catenaries_between_two_points),
        cmocka_unit_test(test_mechanisms),
        cmocka_unit_test(test_a_hanging_net),
        cmocka_unit_test(test_a_residual_that_no_longer_falls),
        cmocka_unit_test(test_random_systems_come_to_rest),
        cmocka_unit_test(test_slopes_that_are_rounding),
        cmocka_unit_test(test_constraints_that_follow_from_others),
        cmocka_unit_test(test_loops_that_carry_nothing),
        cmocka_unit_test(test_an_unstable_rest_is_told),
        cmocka_unit_test(test_what_falls_is_no_rest),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
