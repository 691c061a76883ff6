/* Modes of systems with loops and with springs between bodies. Two masses, a cable between two
 * points, mechanisms and random systems with loops of every type, against all eigenvalues of
 * differences of the reference lagrange or closed forms; redundant loops against the same system
 * without the redundant ones; open loops, states that do not rest, and refused input. */
#include "tests/support/cmocka_all.h"

#include "tests/analysis/closed_models.h"
#include "tests/analysis/dense_motions.h"
#include "tests/analysis/found_modes.h"
#include "tests/analysis/found_rest.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_tree.h"
#include "tests/support/zeros.h"

#include <riccatree/analysis.h>
#include <riccatree/closure.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rct_error error;

/* ---- against all motions --------------------------------------------------------------------------- */

/* Counts the modes of the slow method above rounding; sets the number of those below 0. */
static int64_t leave_zeros(double *lambda, int64_t n, int64_t *negative)
{
    const double size = larger(fabs(lambda[0]), fabs(lambda[n - 1]));
    int64_t count = 0;
    *negative = 0;
    for (int64_t i = 0; i < n; i++) {
        if (fabs(lambda[i]) > 1e-8 * size) {
            *negative += lambda[i] < 0.0;
            lambda[count++] = lambda[i];
        }
    }
    return count;
}

/* At rest. */
static void expect_all(const rct_model *model, rct_solver *solver)
{
    const int64_t n = hinge_tree_freedoms(model);
    double *lambda = zeros(n), *square = zeros(n), off = 0.0, size = 0.0;
    int64_t negative;
    const rct_modes modes = must_find(solver, (int32_t)n, square, NULL);
    dense_motions(model, solver, lambda);
    const int64_t count = leave_zeros(lambda, n, &negative);
    if (modes.found != count || modes.unstable != negative) {
        fail_msg("%s: %d modes, %d of which grow, not %d and %d", rct_model_name(model),
                 (int)modes.found, (int)modes.unstable, (int)count, (int)negative);
    }
    for (int64_t k = 0; k < count; k++) {
        off = larger(off, fabs(square[k] - lambda[k]));
        size = larger(size, fabs(lambda[k]));
    }
    if (!(off <= 1e-8 * size)) {
        fail_msg("%s: eigenvalues off by %.2e of %.2e", rct_model_name(model), off, size);
    }
    free(lambda);
    free(square);
}

static void check_model(rct_model *model)
{
    rct_solver *solver = must_solver(model, NULL);
    must_rest(solver);
    expect_all(model, solver);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_small_systems(void **state)
{
    (void)state;
    static const double to[2] = {0.6, 0.1};
    check_model(closed_cable(10, 0.1, to, RCT_HINGE_BALL));
    check_model(closed_cable(11, 0.1, to, RCT_HINGE_REVOLUTE));
    check_model(closed_four_bar(0.0));
    check_model(closed_four_bar(40.0));
    check_model(closed_geared());
    check_model(closed_net(4, 1.3));
}

/* Loops of every type except relations, if they come to rest (t69_closed_equilibrium). */
static void test_random_systems_with_loops_of_every_type(void **state)
{
    (void)state;
    for (int type = 0; type < RCT_LOOP_TYPES; type++) {
        int compared = 0;
        for (uint64_t seed = 1; seed <= 8 && type != RCT_LOOP_RELATION; seed++) {
            rct_model *model = closed_random((rct_loop_type)type, seed);
            rct_solver *solver = model != NULL ? must_solver(model, NULL) : NULL;
            if (solver != NULL && rct_solver_equilibrium(solver, NULL, &error) == RCT_OK) {
                expect_all(model, solver);
                compared++;
            }
            rct_solver_free(solver);
            rct_model_free(model);
        }
        assert_true(compared >= 2 || type == RCT_LOOP_RELATION);
    }
}

/* ---- closed forms ------------------------------------------------------------------------------------ */

/* Two floating masses, tied by a spring: omega^2 = k (1 / m + 1 / M), and all other motions have
 * zero energy. */
static void test_two_masses(void **state)
{
    (void)state;
    static const double none[3] = {0.0, 0.0, 0.0};
    rct_model *model = rct_model_create("two masses", NULL);
    rct_force spring = rct_force_default();
    double square[12], *shape = zeros(144);
    assert_int_equal(rct_model_set_gravity(model, none, NULL), RCT_OK);
    for (int i = 0; i < 2; i++) {
        rct_body body = rct_body_default();
        body.hinge = RCT_HINGE_FREE;
        body.mass = 2.0 + i;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
        body.position[0] = 3.0 * i, body.position[1] = 4.0 * i;
        must_add(model, &body);
    }
    spring.type = RCT_FORCE_SPRING;
    spring.other = 1;
    spring.stiffness = 30.0, spring.length = 5.0;
    assert_int_equal(rct_model_add_force(model, &spring, NULL, NULL), RCT_OK);
    rct_solver *solver = must_solver(model, NULL);
    const rct_modes modes = must_find(solver, 12, square, shape);
    assert_int_equal(modes.found, 1);
    assert_int_equal(modes.unstable, 0);
    assert_int_equal(modes.indifferent, 11);
    expect_near(square[0], 30.0 * (1.0 / 2.0 + 1.0 / 3.0), 1e-12);
    expect_near(shape[3] / shape[9], -1.5, 1e-12);
    expect_near(shape[3] / shape[4], 0.75, 1e-12);
    rct_solver_free(solver);
    rct_model_free(model);
    free(shape);
}

/* ---- loops that follow from others -------------------------------------------------------------------- */

/* A spatial hinge in a planar mechanism has constraints that the plane already satisfies. */
static void test_redundant_loops(void **state)
{
    (void)state;
    double square[2][3], q[2][3];
    for (int k = 0; k < 2; k++) {
        rct_model *model = closed_four_bar(40.0), *other = rct_model_create("again", NULL);
        rct_loop loop;
        rct_model_loop(model, 0, &loop, NULL);
        loop.type = k == 0 ? RCT_LOOP_PLANAR_REVOLUTE : RCT_LOOP_REVOLUTE;
        for (int32_t b = 0; b < 3; b++) {
            rct_body body;
            rct_model_body(model, b, &body, NULL);
            must_add(other, &body);
        }
        rct_force spring;
        rct_model_force(model, 0, &spring, NULL);
        assert_int_equal(rct_model_add_force(other, &spring, NULL, NULL), RCT_OK);
        assert_int_equal(rct_model_add_loop(other, &loop, NULL, NULL), RCT_OK);
        rct_solver *solver = must_solver(other, NULL);
        must_rest(solver);
        rct_solver_get_coordinates(solver, q[k], NULL);
        const rct_modes modes = must_find(solver, 3, square[k], NULL);
        assert_int_equal(modes.found, 1);
        assert_int_equal(modes.unstable + modes.indifferent, 0);
        rct_solver_free(solver);
        rct_model_free(model);
        rct_model_free(other);
    }
    expect_near(square[1][0], square[0][0], 1e-9);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(q[1][i] - q[0][i]) <= 1e-9);
    }
}

/* ---- errors ---------------------------------------------------------------------------------------------- */

static void test_states_that_do_not_rest(void **state)
{
    (void)state;
    rct_model *model = closed_four_bar(40.0);
    rct_solver *solver = must_solver(model, NULL);
    double q[3], u[3] = {0.0, 0.0, 1e-3}, still[3] = {0.0};
    expect_no_modes(solver, RCT_ERROR_ARGUMENT, "this is not a state of rest");
    must_rest(solver);
    rct_solver_get_coordinates(solver, q, NULL);
    rct_solver_set_coordinates(solver, q, u, NULL);
    expect_no_modes(solver, RCT_ERROR_ARGUMENT, "body 2 moves");
    q[2] += 1e-3;
    rct_solver_set_coordinates(solver, q, still, NULL);
    expect_no_modes(solver, RCT_ERROR_LOOP, "loop \"loop0\" of body 2: it is open by");
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Rods that hang doubled from one point: their loop carries no weight there, and the direction of
 * its force is undetermined. */
static void test_loops_stretched_out(void **state)
{
    (void)state;
    static const char words[] =
        "of loop \"loop0\" follow from others in this pose, but not in poses close to it";
    for (int32_t rods = 4; rods <= 8; rods += 2) {
        for (int ball = 0; ball < 2; ball++) {
            rct_model *model = closed_cable(rods, 0.1, (const double[2]){0.0, 0.0},
                                            ball ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE);
            rct_solver *solver = must_solver(model, NULL);
            expect_no_modes(solver, RCT_ERROR_UNSUPPORTED, words);
            expect_no_rest(solver, RCT_ERROR_UNSUPPORTED, words);
            rct_model_free(model);
        }
    }
}

static void test_a_prescribed_motion_is_refused(void **state)
{
    (void)state;
    rct_model *model = closed_four_bar(0.0);
    const rct_loop_term term = {.body = 0, .factor = 1.0};
    rct_loop loop = rct_loop_default();
    loop.type = RCT_LOOP_RELATION, loop.name = "motor";
    loop.terms = &term, loop.term_count = 1;
    loop.offset = -0.4, loop.rate = 1.0;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    rct_solver *solver = must_solver(model, NULL);
    expect_no_modes(solver, RCT_ERROR_UNSUPPORTED, "loop \"motor\" prescribes a motion, and modes");
    assert_int_equal(rct_solver_set_loop_active(solver, 1, RCT_LOOP_RELEASED, &error), RCT_OK);
    must_rest(solver);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Two slides, the second a trillion times as stiff. */
static void test_modes_too_far_apart(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("apart", NULL);
    for (int32_t b = 0; b < 2; b++) {
        rct_body body = rct_body_default();
        body.parent = b - 1;
        body.hinge = RCT_HINGE_PRISMATIC;
        body.hinge_axis[0] = 1.0, body.hinge_axis[2] = 0.0;
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        body.stiffness[0] = b == 0 ? 0.3 : 1e12;
        must_add(model, &body);
    }
    rct_solver *solver = must_solver(model, NULL);
    double square;
    must_find(solver, 1, &square, NULL);
    expect_near(square, 0.15, 1e-9);
    expect_no_modes(solver, RCT_ERROR_DIVERGED, "too many powers of ten apart; ask for fewer");
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    rct_model *model = closed_net(4, 1.3);
    rct_solver *solver = must_solver(model, NULL);
    must_rest(solver);
    expect_modes_or_memory(solver);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_systems),
        cmocka_unit_test(test_random_systems_with_loops_of_every_type),
        cmocka_unit_test(test_two_masses),
        cmocka_unit_test(test_redundant_loops),
        cmocka_unit_test(test_states_that_do_not_rest),
        cmocka_unit_test(test_loops_stretched_out),
        cmocka_unit_test(test_a_prescribed_motion_is_refused),
        cmocka_unit_test(test_modes_too_far_apart),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
