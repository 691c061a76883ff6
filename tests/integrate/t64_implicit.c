/* The implicit stage, which is one sweep, against a dense solve with the mass matrix of the operators; and stiff ropes against rk4. */
#include "tests/support/cmocka_all.h"

#include "dynamics/solver.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rct_solver *made(const rct_model *model, rct_method method, int32_t lanes, int64_t segment)
{
    rct_solver_options options = rct_solver_options_default();
    rct_error error;
    options.method = method;
    options.lanes = lanes_up_to(lanes);
    options.segment = segment;
    options.integrator = RCT_INTEGRATOR_IMPLICIT;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static double *row(int64_t count)
{
    double *x = calloc((size_t)count, sizeof *x);
    assert_non_null(x);
    return x;
}

/* x of A x = b by elimination with the largest pivot of a column; A and b are lost. */
static void dense_solve(int64_t n, double *A, double *b)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t p = k;
        for (int64_t i = k + 1; i < n; i++) {
            p = fabs(A[i * n + k]) > fabs(A[p * n + k]) ? i : p;
        }
        for (int64_t j = 0; j < n; j++) {
            const double swap = A[k * n + j];
            A[k * n + j] = A[p * n + j], A[p * n + j] = swap;
        }
        const double swap = b[k];
        b[k] = b[p], b[p] = swap;
        for (int64_t i = k + 1; i < n; i++) {
            const double f = A[i * n + k] / A[k * n + k];
            for (int64_t j = k; j < n; j++) {
                A[i * n + j] -= f * A[k * n + j];
            }
            b[i] -= f * b[k];
        }
    }
    for (int64_t k = n; k-- > 0;) {
        for (int64_t j = k + 1; j < n; j++) {
            b[k] -= A[k * n + j] * b[j];
        }
        b[k] /= A[k * n + k];
    }
}

/* delta c + delta^2 k of hinges with axes, [dof]. */
static double *diagonal_of(const rct_model *model, double delta)
{
    double *d = row(hinge_freedoms(model));
    int64_t r = 0;
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body = rct_body_default();
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        const int absolute = body.hinge == RCT_HINGE_BALL || body.hinge == RCT_HINGE_FREE;
        for (int32_t i = 0; i < rct_hinge_freedoms(body.hinge); i++, r++) {
            d[r] = absolute ? 0.0 : delta * body.damping[i] + delta * delta * body.stiffness[i];
        }
    }
    return d;
}

/* (M + D) a = M a0, a0 being the accelerations without D: the same forces act. Parts of the largest one. */
static double stage_error(const rct_model *model, rct_method method, int32_t lanes, int64_t segment,
                          double delta)
{
    rct_solver *solver = made(model, method, lanes, segment);
    const int64_t n = hinge_freedoms(model);
    double *M = row(n * n), *unit = row(n), *b = row(n), *a = row(n),
           *d = diagonal_of(model, delta);
    double most = 0.0, size = 0.0;
    for (int64_t j = 0; j < n; j++) {
        memset(unit, 0, (size_t)n * sizeof *unit);
        unit[j] = 1.0;
        assert_int_equal(rct_solver_mass_times_inside(solver, 1, unit, a, NULL), RCT_OK);
        for (int64_t i = 0; i < n; i++) {
            M[i * n + j] = a[i];
        }
    }
    assert_int_equal(rct_solver_evaluate_inside(solver, NULL), RCT_OK);
    rct_solver_get_rate_derivatives_inside(solver, a);
    assert_int_equal(rct_solver_mass_times_inside(solver, 1, a, b, NULL), RCT_OK);
    for (int64_t i = 0; i < n; i++) {
        M[i * n + i] += d[i];
    }
    dense_solve(n, M, b);
    solver->backend->set_delta(solver->run, delta, NULL, 0, NULL);
    assert_int_equal(rct_solver_evaluate_inside(solver, NULL), RCT_OK);
    rct_solver_get_rate_derivatives_inside(solver, a);
    for (int64_t i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    free(M), free(unit), free(b), free(a), free(d);
    rct_solver_free(solver);
    return most / size;
}

static void test_a_stage_is_a_dense_solve(void **state)
{
    (void)state;
    static const double deltas[] = {0.0, 1e-3, 1.0, 1e4};
    static const int64_t segments[] = {0, 8, RCT_SEGMENT_WHOLE};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const hinge_system system = {
            .tree = {seed % 2 != 0 ? SHAPE_CHAIN : SHAPE_TREE, 24, 0.1, 1, 1.0, seed},
            .hinges = seed % 3 == 0 ? 1 << RCT_HINGE_REVOLUTE : ALL_HINGES,
            .joint_forces = 1,
            .no_rotors = seed % 4 == 0,
            .forces = 3,
            .ground_moves = 1};
        rct_model *model = hinge_system_create(&system);
        assert_non_null(model);
        for (int k = 0; k < 4 * 3 * 2; k++) {
            const double error =
                stage_error(model, k % 2 == 0 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI,
                            (int32_t)(seed % 4 == 1 ? 1 : 4), segments[k / 2 % 3], deltas[k / 6]);
            if (!(error < 1e-9)) {
                fail_msg("seed %d, case %d: %.2e", (int)seed, k, error);
            }
        }
        rct_model_free(model);
    }
}

/* ---- ropes -------------------------------------------------------------------------------- */

/* Rods of 0.1 m and 1 kg on revolute hinges, let go horizontally. */
static rct_model *rope(int32_t links, double stiffness, double damping)
{
    rct_model *model = rct_model_create("rope", NULL);
    for (int32_t b = 0; b < links; b++) {
        rct_body body = rct_body_default();
        body.parent = b > 0 ? b - 1 : RCT_GROUND;
        body.hinge = RCT_HINGE_REVOLUTE;
        body.hinge_axis[0] = body.hinge_axis[2] = 0.0;
        body.hinge_axis[1] = 1.0;
        body.hinge_at[0] = b > 0 ? 0.1 : 0.0;
        body.mass = 1.0;
        body.com[0] = 0.05;
        body.inertia[0] = 1e-4;
        body.inertia[1] = body.inertia[2] = 0.01 / 12;
        body.stiffness[0] = stiffness;
        body.damping[0] = damping;
        must_add(model, &body);
    }
    return model;
}

static double *angles(const rct_solver *solver, int32_t links)
{
    double *q = row(links);
    rct_solver_get_coordinates(solver, q, NULL);
    return q;
}

/* 300 of the steps of rk4 that a rope of 20 links allows, and few implicit ones to the same end. */
static void test_a_stiff_rope_takes_few_steps(void **state)
{
    (void)state;
    enum { LINKS = 20, SHORT = 60000 };
    rct_model *model = rope(LINKS, 1e4, 10.0);
    rct_stepping s;
    rct_solver *implicit = made(model, RCT_METHOD_ABI, 1, RCT_SEGMENT_AUTO);
    rct_solver *fixed = rct_solver_create(model, NULL, NULL);
    must_step(implicit, 0.3, 1);
    must_step(fixed, 5e-6, SHORT);
    rct_solver_get_stepping(implicit, &s);
    assert_true(s.evaluations < 4 * SHORT / 100);
    double *found = angles(implicit, LINKS), *truth = angles(fixed, LINKS), sum = 0.0;
    for (int i = 0; i < LINKS; i++) { /* turns of links */
        sum += found[i] - truth[i];
        assert_true(fabs(sum) < 1e-5);
    }
    assert_true(fabs(truth[0]) > 1e-3);
    free(found), free(truth);
    rct_solver_free(implicit);
    rct_solver_free(fixed);
    rct_model_free(model);
}

/* Efforts of the user act in every stage, and are there again after it. */
static void test_efforts_of_the_user(void **state)
{
    (void)state;
    enum { LINKS = 5 };
    rct_model *model = rope(LINKS, 100.0, 1.0);
    rct_solver_options options = rct_solver_options_default();
    const double efforts[LINKS] = {30.0, -20.0, 10.0, 5.0, -5.0};
    double derivatives[2][LINKS];
    rct_solver *solvers[2];
    options.user_forces = 1;
    for (int k = 0; k < 2; k++) {
        options.integrator = k == 0 ? RCT_INTEGRATOR_RK4 : RCT_INTEGRATOR_IMPLICIT;
        options.tolerance = 1e-9;
        solvers[k] = rct_solver_create(model, &options, NULL);
        assert_int_equal(rct_solver_set_efforts(solvers[k], efforts, NULL), RCT_OK);
        must_step(solvers[k], k == 0 ? 1e-5 : 0.05, k == 0 ? 5000 : 1);
        assert_int_equal(rct_solver_evaluate(solvers[k], NULL), RCT_OK);
        rct_solver_get_rate_derivatives(solvers[k], derivatives[k]);
    }
    for (int i = 0; i < LINKS; i++) {
        assert_true(fabs(derivatives[0][i] - derivatives[1][i]) <
                    1e-4 * (1.0 + fabs(derivatives[0][i])));
    }
    rct_solver_free(solvers[0]);
    rct_solver_free(solvers[1]);
    rct_model_free(model);
}

/* Springs and dampers at the hinges of loops, stiff ones too, against rk4; closings that factor the tree by operators, which know of
 * no stage, are refused. */
static void expect_loops(double stiffness, double damping, double dt)
{
    enum { BODIES = 5 };
    const rct_family family = {"fourbars", BODIES, RCT_HINGE_REVOLUTE, 1, 0.1, 1};
    rct_model *model = must_generate(&family);
    rct_error error;
    double x[2][BODIES];
    for (int32_t b = 0; b < BODIES; b++) {
        rct_body body = rct_body_default();
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        body.stiffness[0] = stiffness;
        body.damping[0] = damping;
        must_put(model, b, &body);
    }
    for (int k = 0; k < 2; k++) {
        rct_solver_options options = rct_solver_options_default();
        options.integrator = k == 0 ? RCT_INTEGRATOR_RK4 : RCT_INTEGRATOR_IMPLICIT;
        options.tolerance = 1e-8;
        rct_solver *solver = rct_solver_create(model, &options, &error);
        if (solver == NULL) {
            fail_msg("%s", error.text);
        }
        must_step(solver, k == 0 ? dt : 0.1, k == 0 ? (int64_t)(0.2 / dt + 0.5) : 2);
        rct_solver_get_coordinates(solver, x[k], NULL);
        rct_solver_free(solver);
        options.closing = RCT_CLOSING_MULTIPLIERS;
        solver = rct_solver_create(model, &options, &error);
        assert_true((solver == NULL) == (k == 1));
        assert_true(k == 0 || error.status == RCT_ERROR_UNSUPPORTED);
        assert_true(k == 0 || strstr(error.text, "use the closing admittance") != NULL);
        rct_solver_free(solver);
    }
    for (int i = 0; i < BODIES; i++) {
        if (!(fabs(x[0][i] - x[1][i]) < 1e-6)) {
            fail_msg("coordinate %d: %.9g, not %.9g", i, x[1][i], x[0][i]);
        }
    }
    rct_model_free(model);
}

static void test_loops(void **state)
{
    (void)state;
    expect_loops(30.0, 0.5, 1e-3);
    expect_loops(1e4, 30.0, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stage_is_a_dense_solve),
        cmocka_unit_test(test_a_stiff_rope_takes_few_steps),
        cmocka_unit_test(test_efforts_of_the_user),
        cmocka_unit_test(test_loops),
    };
    return cmocka_run_group_tests_name("implicit stages", tests, NULL, NULL);
}
