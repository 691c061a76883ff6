/* Modes about rest. Random trees against all eigenvalues by LAPACK of K, from central differences
 * of the reference lagrange; a hanging chain against Bessel's zeros, at the order of its
 * discretization, and a chain of 100,002 degrees of freedom; closed forms; growing motions and
 * motions of zero energy; states that do not rest, a missing plugin, failing allocations. One file,
 * because all cases ask for modes in the same way. */
#include "tests/support/cmocka_all.h"

#include "tests/analysis/found_modes.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/zeros.h"

#include <riccatree/analysis.h>
#include <riccatree/operators.h>
#include <riccatree/reference.h>

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81;
static rct_error error;

/* A hanging rod of length l and mass m, thin except for its spin. */
static rct_body rod(int32_t parent, double l, double m)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge_at[2] = parent == RCT_GROUND ? 0.0 : -l;
    body.mass = m;
    body.com[2] = -0.5 * l;
    body.inertia[0] = body.inertia[1] = m * l * l / 12.0;
    body.inertia[2] = 1e-3 * m * l * l;
    return body;
}

static rct_model *hanging(int32_t rods, double length, rct_hinge_type hinge)
{
    rct_model *model = rct_model_create("hanging", NULL);
    for (int32_t i = 0; i < rods; i++) {
        rct_body body = rod(i - 1, length / rods, 1.0 / rods);
        body.hinge = hinge;
        if (hinge == RCT_HINGE_REVOLUTE) {
            body.hinge_axis[1] = 1.0, body.hinge_axis[2] = 0.0;
        }
        must_add(model, &body);
    }
    return model;
}

/* ---- closed forms ------------------------------------------------------------------------------ */

/* A pendulum of a rod on a spring at its hinge: omega^2 = (m g l / 2 + k) / (m l^2 / 3 + rotor). */
static void test_a_pendulum_with_a_spring(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("pendulum", NULL);
    rct_body body = rod(RCT_GROUND, 2.0, 3.0);
    double square[2], shape[2], u[1];
    body.hinge = RCT_HINGE_REVOLUTE;
    body.hinge_axis[0] = 1.0, body.hinge_axis[2] = 0.0;
    body.stiffness[0] = 7.0, body.armature[0] = 0.5, body.damping[0] = 4.0;
    must_add(model, &body);
    rct_solver *solver = must_solver(model, NULL);
    const rct_modes modes = must_find(solver, 2, square, shape);
    assert_int_equal(modes.found, 1);
    assert_int_equal(modes.unstable + modes.indifferent, 0);
    expect_near(square[0], (3.0 * gravity + 7.0) / 4.5, 1e-14);
    expect_near(shape[0], 1.0 / sqrt(4.5), 1e-14);
    assert_true(isnan(square[1]) && isnan(shape[1]));
    rct_solver_get_coordinates(solver, NULL, u);
    assert_true(u[0] == 0.0);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Two equal rods: det([2/3 1/... ]) gives g / l (3 -+ 6 / sqrt 7), twice each, and two spins of
 * zero energy. */
static void test_two_rods(void **state)
{
    (void)state;
    rct_model *model = hanging(2, 2.0, RCT_HINGE_BALL);
    rct_solver *solver = must_solver(model, NULL);
    double square[4];
    const rct_modes modes = must_find(solver, 4, square, NULL);
    assert_int_equal(modes.indifferent, 2);
    for (int i = 0; i < 4; i++) {
        expect_near(square[i], gravity * (3.0 + (i < 2 ? -6.0 : 6.0) / sqrt(7.0)), 1e-12);
    }
    rct_solver_free(solver);
    rct_model_free(model);
}

/* The same upside down: oscillations become growing motions, the fastest first. */
static void test_what_stands_falls(void **state)
{
    (void)state;
    static const double up[3] = {0.0, 0.0, 9.81};
    rct_model *model = hanging(2, 2.0, RCT_HINGE_BALL);
    rct_body body = rct_body_default(); /* and a hanging pendulum, which oscillates */
    double square[6];
    assert_int_equal(rct_model_set_gravity(model, up, NULL), RCT_OK);
    body = rod(RCT_GROUND, 1.0, 1.0);
    body.com[2] = 0.5;
    must_add(model, &body);
    rct_solver *solver = must_solver(model, NULL);
    const rct_modes modes = must_find(solver, 6, square, NULL);
    assert_int_equal(modes.unstable, 4);
    assert_int_equal(modes.indifferent, 3);
    assert_int_equal(modes.found, 6);
    for (int i = 0; i < 4; i++) {
        expect_near(square[i], -gravity * (3.0 + (i < 2 ? 6.0 : -6.0) / sqrt(7.0)), 1e-12);
    }
    expect_near(square[4], 1.5 * gravity, 1e-12);
    expect_near(square[5], 1.5 * gravity, 1e-12);
    assert_int_equal(must_find(solver, 1, square, NULL).found, 1);
    expect_near(square[0], -gravity * (3.0 + 6.0 / sqrt(7.0)), 1e-12);
    assert_int_equal(must_find(solver, 0, NULL, NULL).unstable, 4);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* A floating body without forces: exactly six motions of zero energy. */
static void test_a_body_that_floats_has_no_modes(void **state)
{
    (void)state;
    static const double none[3] = {0.0, 0.0, 0.0};
    rct_model *model = rct_model_create("floating", NULL);
    rct_body body = rod(RCT_GROUND, 1.0, 1.0);
    double square[2];
    body.hinge = RCT_HINGE_FREE;
    must_add(model, &body);
    assert_int_equal(rct_model_set_gravity(model, none, NULL), RCT_OK);
    rct_solver *solver = must_solver(model, NULL);
    const rct_modes modes = must_find(solver, 2, square, NULL);
    assert_int_equal(modes.indifferent, 6);
    assert_int_equal(modes.found, 0);
    assert_true(isnan(square[0]) && isnan(square[1]));
    rct_solver_free(solver);
    rct_model_free(model);
}

/* ---- hanging chains ---------------------------------------------------------------------------- */

/* Zeros of J0. */
static const double zeros_of_j0[5] = {2.404825557695773, 5.520078110286311, 8.653727912911012,
                                      11.79153443901428, 14.93091770848779};

/* omega_k = j_k / 2 sqrt(g / L); rods reach it with the square of their length. */
static void test_a_hanging_chain_comes_to_bessels_zeros(void **state)
{
    (void)state;
    double off[3][5], square[10];
    for (int n = 0; n < 3; n++) {
        const double length = 3.0;
        rct_model *model = hanging(64 << n, length, n == 1 ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL);
        rct_solver *solver = must_solver(model, NULL);
        const int each = n == 1 ? 1 : 2; /* a ball hinge swings in both directions */
        must_find(solver, 5 * each, square, NULL);
        for (int k = 0; k < 5; k++) {
            const double exact = 0.5 * zeros_of_j0[k] * sqrt(gravity / length);
            off[n][k] = sqrt(square[each * k]) / exact - 1.0;
            expect_near(square[each * k + each - 1], square[each * k], 1e-9);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
    for (int k = 0; k < 5; k++) {
        for (int n = 0; n < 2; n++) {
            const double ratio = off[n][k] / off[n + 1][k];
            if (!(ratio > 3.7 && ratio < 4.3)) {
                fail_msg("mode %d is off by %.3e, then %.3e: not the second order", k, off[n][k],
                         off[n + 1][k]);
            }
        }
    }
}

/* A beam of n rods on universal hinges with springs EI / l, fixed at one end: omega_1 = 1.8751^2 sqrt(EI / (m L^3)); gravity off. */
static void test_a_beam_converges(void **state)
{
    (void)state;
    static const double none[3] = {0.0, 0.0, 0.0};
    static const double root[2] = {1.875104068711961, 4.694091132974174};
    double off[3][2], square[4];
    for (int n = 0; n < 3; n++) {
        const int32_t rods = 16 << n;
        const double l = 1.0 / rods, EI = 2.0;
        rct_model *model = rct_model_create("beam", NULL);
        assert_int_equal(rct_model_set_gravity(model, none, NULL), RCT_OK);
        for (int32_t i = 0; i < rods; i++) {
            rct_body body = rod(i - 1, l, l);
            body.hinge = RCT_HINGE_UNIVERSAL;
            body.hinge_axis[0] = 1.0, body.hinge_axis[2] = 0.0;
            body.hinge_axis2[0] = 0.0, body.hinge_axis2[1] = 1.0;
            body.inertia[0] = body.inertia[1] =
                0.0; /* Euler and Bernoulli: rotary inertia of points only */
            body.inertia[2] = 0.0;
            body.stiffness[0] = body.stiffness[1] = EI / (i > 0 ? l : 0.5 * l);
            must_add(model, &body);
        }
        rct_solver *solver = must_solver(model, NULL);
        must_find(solver, 4, square, NULL);
        for (int k = 0; k < 2; k++) {
            off[n][k] = sqrt(square[2 * k]) / (root[k] * root[k] * sqrt(EI)) - 1.0;
            expect_near(square[2 * k + 1], square[2 * k], 1e-6);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
    for (int k = 0; k < 2; k++) {
        for (int n = 0; n < 2; n++) {
            const double ratio = off[n][k] / off[n + 1][k];
            if (!(fabs(off[2][k]) < 0.01 && ratio > 3.5 && ratio < 4.5)) {
                fail_msg("mode %d is off by %.3e, then %.3e: not the second order", k, off[n][k],
                         off[n + 1][k]);
            }
        }
    }
}

/* The lowest modes of the branch of 33,334 bodies on ball hinges, mostly two chains, with one spin
 * of zero energy per body. */
static void test_100_002_degrees_of_freedom(void **state)
{
    (void)state;
    enum { RODS = 33334, MODES = 10 };
    rct_model *model = must_family("branch", RODS, RCT_HINGE_BALL);
    rct_solver *solver = must_solver(model, NULL);
    assert_int_equal(rct_solver_equilibrium(solver, NULL, &error), RCT_OK);
    double square[MODES], *shape = zeros((int64_t)MODES * 3 * RODS),
                          *product = zeros((int64_t)MODES * 3 * RODS);
    const rct_modes modes = must_find(solver, MODES, square, shape);
    assert_int_equal(modes.indifferent, RODS);
    assert_int_equal(modes.unstable, 0);
    assert_int_equal(modes.found, MODES);
    assert_true(modes.largest <= 1e-10);
    rct_solver_mass_times(solver, MODES, shape, product, NULL);
    for (int k = 0; k < MODES; k++) {
        const double exact = 0.5 * zeros_of_j0[k / 2] * sqrt(gravity / RODS);
        expect_near(sqrt(square[k]), exact, 1e-5);
        for (int j = 0; j < MODES; j++) {
            double sum = 0.0;
            for (int64_t r = 0; r < (int64_t)3 * RODS; r++) {
                sum += shape[(int64_t)3 * RODS * k + r] * product[(int64_t)3 * RODS * j + r];
            }
            assert_true(fabs(sum - (j == k)) <= 1e-9);
        }
    }
    free(shape);
    free(product);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* ---- random trees --------------------------------------------------------------------------------- */

/* -M a of lagrange at rest, with q moved by h along rate r. */
static void gradient_at(const rct_model *model, rct_solver *solver, const double *q, int64_t r,
                        double h, double *gradient)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    double *moved = zeros(info.coordinates), *still = zeros(info.dof);
    rct_reference_result result = {.derivatives = gradient};
    memcpy(moved, q, (size_t)info.coordinates * sizeof *q);
    moved[r] += h; /* hinges with axes: a rate belongs to a coordinate */
    assert_int_equal(rct_reference_evaluate_at(model, RCT_REFERENCE_LAGRANGE, 0.0, moved, still,
                                               &result, &error),
                     RCT_OK);
    assert_int_equal(rct_solver_set_coordinates(solver, moved, still, NULL), RCT_OK);
    assert_int_equal(rct_solver_mass_times(solver, 1, gradient, gradient, NULL), RCT_OK);
    free(moved);
    free(still);
}

/* All eigenvalues of a tree at rest, by differences of the fourth order. */
static void dense_modes(const rct_model *model, rct_solver *solver, int64_t n, double *lambda)
{
    double *q = zeros(n), *K = zeros(n * n), *M = zeros(n * n), *g = zeros(4 * n), *u = zeros(n);
    static const double h[4] = {1e-3, -1e-3, 2e-3, -2e-3};
    rct_solver_get_coordinates(solver, q, NULL);
    for (int64_t r = 0; r < n; r++) {
        for (int k = 0; k < 4; k++) {
            gradient_at(model, solver, q, r, h[k], g + k * n);
        }
        for (int64_t i = 0; i < n; i++) {
            K[r * n + i] = -(8.0 * (g[i] - g[n + i]) - (g[2 * n + i] - g[3 * n + i])) / 12e-3;
        }
    }
    assert_int_equal(rct_solver_set_coordinates(solver, q, u, NULL), RCT_OK);
    for (int64_t r = 0; r < n; r++) {
        M[r * n + r] = 1.0;
    }
    assert_int_equal(rct_solver_mass_times(solver, (int32_t)n, M, M, NULL), RCT_OK);
    const lapack_int rows = (lapack_int)n;
    assert_int_equal(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'U', rows, K, rows, M, rows, lambda),
                     0);
    free(q);
    free(K);
    free(M);
    free(g);
    free(u);
}

/* With few rates all modes, by LAPACK in the plugin; with 98 some, by ARPACK. */
static void test_random_trees_against_all_their_eigenvalues(void **state)
{
    (void)state;
    static const struct {
        rct_hinge_type hinge;
        int64_t bodies;
        int32_t modes;
    } of[] = {
        {RCT_HINGE_REVOLUTE, 30, 30}, {RCT_HINGE_UNIVERSAL, 12, 24}, {RCT_HINGE_REVOLUTE, 98, 12}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        rct_family family = rct_family_default();
        family.family = "random", family.bodies = of[i].bodies, family.hinge = of[i].hinge;
        family.perturb = 1.0, family.seed = i + 1;
        rct_model *model = must_generate(&family);
        rct_solver *solver = must_solver(model, NULL);
        rct_solver_info info;
        rct_solver_get_info(solver, &info);
        double *lambda = zeros(info.dof), *square = zeros(of[i].modes);
        assert_int_equal(rct_solver_equilibrium(solver, NULL, &error), RCT_OK);
        dense_modes(model, solver, info.dof, lambda);
        assert_int_equal(must_find(solver, of[i].modes, square, NULL).found, of[i].modes);
        for (int32_t k = 0; k < of[i].modes; k++) {
            if (!(fabs(square[k] - lambda[k]) <= 1e-9 * lambda[info.dof - 1] + 1e-7 * lambda[k])) {
                fail_msg("mode %d of %d: %.12g, not %.12g", (int)k, (int)info.dof, square[k],
                         lambda[k]);
            }
        }
        free(lambda);
        free(square);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* ---- errors --------------------------------------------------------------------------------------- */

static void test_states_that_do_not_rest(void **state)
{
    (void)state;
    rct_model *model = hanging(2, 2.0, RCT_HINGE_REVOLUTE);
    rct_solver *solver = must_solver(model, NULL);
    const double q[2] = {0.0, 1e-3}, u[2] = {0.0, 1e-3}, still[2] = {0.0, 0.0};
    rct_solver_set_coordinates(solver, still, u, NULL);
    expect_no_modes(solver, RCT_ERROR_ARGUMENT, "body 1 moves: modes need a state of rest");
    rct_solver_set_coordinates(solver, q, still, NULL);
    expect_no_modes(solver, RCT_ERROR_ARGUMENT,
                    "this is not a state of rest: the forces on body 1");
    assert_int_equal(rct_solver_modes(solver, -1, NULL, NULL, NULL, &error), RCT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "-1 modes: give 0 or more");
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_without_the_plugin(void **state)
{
    (void)state;
    rct_model *model = hanging(2, 2.0, RCT_HINGE_REVOLUTE);
    rct_solver *solver = must_solver(model, NULL);
    char *folder = strdup(getenv("RICCATREE_PLUGINS"));
    assert_non_null(folder);
    assert_int_equal(setenv("RICCATREE_PLUGINS", "/nowhere", 1), 0);
    expect_no_modes(solver, RCT_ERROR_UNSUPPORTED, "modes need ARPACK, which is not available");
    assert_int_equal(setenv("RICCATREE_PLUGINS", folder, 1), 0);
    free(folder);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    rct_model *model = hanging(120, 2.0, RCT_HINGE_REVOLUTE);
    rct_solver *solver = must_solver(model, NULL);
    expect_modes_or_memory(solver);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pendulum_with_a_spring),
        cmocka_unit_test(test_two_rods),
        cmocka_unit_test(test_what_stands_falls),
        cmocka_unit_test(test_a_body_that_floats_has_no_modes),
        cmocka_unit_test(test_a_hanging_chain_comes_to_bessels_zeros),
        cmocka_unit_test(test_a_beam_converges),
        cmocka_unit_test(test_100_002_degrees_of_freedom),
        cmocka_unit_test(test_random_trees_against_all_their_eigenvalues),
        cmocka_unit_test(test_states_that_do_not_rest),
        cmocka_unit_test(test_without_the_plugin),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
