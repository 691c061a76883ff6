/* The implicit stage, which is one sweep, against a dense solution with the mass matrix of the
 * operators; and stiff ropes against rk4. One file, because all cases are stages and steps of the
 * same few systems. */
#include "tests/support/cmocka_all.h"

#include "core/rotation.h"
#include "dynamics/closed/closed.h"
#include "tests/integrate/adaptive_case.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/one_in.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/closure.h>
#include <riccatree/operators.h>

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

/* x of A x = b by elimination with the largest pivot of a column; A and b are overwritten. */
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

/* Rows of J of the angular velocity of a body relative to its parent, in its own axes: S [3][n];
 * and the part of that acceleration besides S a, for which a0 gives `angular`, alpha0. J
 * [n][bodies][3]; `ground`: its acceleration. */
static void rows_of_ball(const rct_model *model, int32_t b, const double *q, const double *J,
                         const double *alpha0, const double *a0, const double ground[3], double *S,
                         double bias[3])
{
    const int64_t n = hinge_freedoms(model), bodies = rct_model_body_count(model);
    rct_body body = rct_body_default();
    double R[3][3], between[3];
    rct_model_body(model, b, &body, NULL);
    const int64_t up = body.parent;
    rct_rotation(q, R);
    for (int i = 0; i < 3; i++) {
        between[i] = alpha0[3 * b + i] - (up == RCT_GROUND ? ground[i] : alpha0[3 * up + i]);
    }
    rct_rotate_back(R, between, bias);
    for (int64_t j = 0; j < n; j++) {
        const double *own = J + 3 * (j * bodies + b), *of_up = J + 3 * (j * bodies + up);
        double column[3];
        for (int i = 0; i < 3; i++) {
            between[i] = own[i] - (up == RCT_GROUND ? 0.0 : of_up[i]);
        }
        rct_rotate_back(R, between, column);
        for (int i = 0; i < 3; i++) {
            S[i * n + j] = column[i];
            bias[i] -= column[i] * a0[j];
        }
    }
}

/* Adds the terms of springs and dampers of ball hinges to M + D, and subtracts their bias from the
 * forces b. */
static void add_balls(rct_solver *solver, const rct_model *model, double delta, const double *a0,
                      double *M, double *b)
{
    const int64_t n = hinge_freedoms(model), bodies = rct_model_body_count(model);
    double *J = row(3 * n * bodies), *alpha0 = row(3 * bodies), *q = row(4 * bodies);
    double *S = row(3 * n), *units = row(n * n);
    rct_base_motion base;
    rct_model_base_motion(model, rct_solver_time(solver), &base);
    for (int64_t j = 0; j < n; j++) {
        units[j * n + j] = 1.0;
    }
    assert_int_equal(rct_solver_jacobian_times(solver, (int32_t)n, units, NULL, J, NULL), RCT_OK);
    rct_solver_get_accelerations(solver, NULL, alpha0);
    rct_solver_get_state(solver, q, NULL, NULL, NULL);
    for (int32_t k = 0; k < bodies; k++) {
        rct_body body = rct_body_default();
        double bias[3];
        rct_model_body(model, k, &body, NULL);
        if (body.hinge != RCT_HINGE_BALL) {
            continue;
        }
        rows_of_ball(model, k, q + 4 * (int64_t)k, J, alpha0, a0, base.angular_acceleration, S,
                     bias);
        for (int i = 0; i < 3; i++) {
            const double d = delta * body.damping[i] + delta * delta * body.stiffness[i];
            for (int64_t r = 0; r < n; r++) {
                b[r] -= S[i * n + r] * d * bias[i];
                for (int64_t c = 0; c < n; c++) {
                    M[r * n + c] += S[i * n + r] * d * S[i * n + c];
                }
            }
        }
    }
    free(J), free(alpha0), free(q), free(S), free(units);
}

/* (M + D) a = M a0, with the accelerations a0 without D: the same forces act. Relative to the
 * largest number. */
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
    add_balls(solver, model, delta, a, M, b);
    dense_solve(n, M, b);
    solver->backend->set_delta(solver->run, delta, NULL, 0, NULL);
    assert_int_equal(rct_solver_evaluate_inside(solver, NULL), RCT_OK);
    rct_solver_get_rate_derivatives_inside(solver, a);
    for (int64_t i = 0; i < n; i++) {
        most = larger(most, fabs(a[i] - b[i]));
        size = larger(size, fabs(b[i]));
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
    for (uint64_t seed = 1; seed <= 15; seed += ONE_IN) {
        const hinge_system system = {
            .tree = {seed % 2 != 0 ? SHAPE_CHAIN : SHAPE_TREE, 24, 0.1, 1, 1.0, seed},
            .hinges = seed > 12       ? 1 << RCT_HINGE_BALL
                      : seed % 3 == 0 ? 1 << RCT_HINGE_REVOLUTE
                                      : ALL_HINGES,
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
            if (!(error < (deltas[k / 6] > 1.0 ? 1e-8 : 1e-9))) { /* there D is 1e9 M */
                fail_msg("seed %d, case %d: %.2e", (int)seed, k, error);
            }
        }
        rct_model_free(model);
    }
}

/* ---- ropes -------------------------------------------------------------------------------- */

/* Rods of 0.1 m and 1 kg on revolute hinges, released horizontally. */
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

/* The same for ball hinges that bend and twist, on ball and on universal hinges, on a rotating
 * ground; all frames are rotated against the rods, which start bent. */
static rct_model *elastic_rope(int32_t links, int on_ground, double stiffness)
{
    rct_model *model = rope(links, 0.0, 0.0);
    rct_base base = rct_base_default();
    base.rate = 2.0;
    base.angular_acceleration = 3.0;
    for (int32_t b = 0; b < links; b++) {
        const double bent = 0.002 * b, bends[3] = {stiffness, 0.7 * stiffness, 0.2 * stiffness};
        rct_body body = rct_body_default();
        rct_model_body(model, b, &body, NULL);
        memset(body.stiffness, 0, sizeof body.stiffness);
        memset(body.damping, 0, sizeof body.damping);
        if (b == 0 || b == links / 2) {
            body.hinge = RCT_HINGE_UNIVERSAL;
            body.hinge_axis2[0] = 0.0;
            body.hinge_axis2[2] = 1.0;
            body.rate[0] = 1.0, body.rate[1] = -2.0;
        } else {
            const rct_body plain = rct_body_default();
            memcpy(body.hinge_axis, plain.hinge_axis, sizeof body.hinge_axis);
            body.hinge = RCT_HINGE_BALL;
            body.orientation[0] = cos(0.5 * bent), body.orientation[2] = sin(0.5 * bent);
            memcpy(body.stiffness, bends, sizeof bends);
            for (int i = 0; i < 3; i++) {
                body.damping[i] = 1e-3 * bends[i];
            }
            body.hinge_orientation[0] = 1.0, body.hinge_orientation[1] = 0.001 * b;
        }
        must_put(model, b, &body);
    }
    assert_true(!on_ground || rct_model_set_base(model, &base, NULL) == RCT_OK);
    return model;
}

static void test_ball_hinges_yield(void **state)
{
    (void)state;
    enum { LINKS = 12, SHORT = 60000 };
    for (int turning = 0; turning < 2; turning++) {
        rct_model *model = elastic_rope(LINKS, turning, 3000.0);
        rct_solver_options options = rct_solver_options_default();
        rct_stepping s;
        options.integrator = RCT_INTEGRATOR_IMPLICIT;
        options.tolerance = 1e-5;
        rct_solver *implicit = rct_solver_create(model, &options, NULL);
        rct_solver *fixed = rct_solver_create(model, NULL, NULL);
        must_step(implicit, 0.3, 1);
        must_step(fixed, 5e-6, SHORT);
        rct_solver_get_stepping(implicit, &s);
        const double off = apart(implicit, fixed);
        if (!(off < 2e-5 && s.evaluations < 4 * SHORT / 100)) {
            fail_msg("turning %d: off by %.2e, %lld evaluations", turning, off,
                     (long long)s.evaluations);
        }
        rct_solver_free(implicit);
        rct_solver_free(fixed);
        rct_model_free(model);
    }
}

/* Efforts of the user act in every stage, and remain after it. */
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

static const rct_closing closings[] = {RCT_CLOSING_ADMITTANCE, RCT_CLOSING_EMBEDDING,
                                       RCT_CLOSING_MULTIPLIERS, RCT_CLOSING_QR, RCT_CLOSING_SVD};

/* Springs and dampers at the hinges of loops, stiff ones too, with all ways of closing against rk4;
 * enough of them in large trees that operators close them. */
static void expect_loops(const char *name, int32_t bodies, double stiffness, double damping,
                         double dt)
{
    const rct_family family = {.family = name,
                               .bodies = bodies,
                               .hinge = RCT_HINGE_REVOLUTE,
                               .seed = 1,
                               .perturb = bodies < 100 ? 0.1 : 0.001,
                               .systems = 1};
    rct_model *model = must_generate(&family);
    rct_solver_options options = rct_solver_options_default();
    const double interval = bodies < 100 ? 0.1 : 0.01;
    for (int32_t b = 0; b < bodies; b++) {
        rct_body body = rct_body_default();
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        body.stiffness[0] = stiffness;
        body.damping[0] = damping;
        must_put(model, b, &body);
    }
    rct_solver *fixed = rct_solver_create(model, &options, NULL);
    must_step(fixed, dt, (int64_t)(2.0 * interval / dt + 0.5));
    for (int k = 0; k < (bodies < 100 ? 5 : 1); k++) {
        rct_error error;
        options.closing = closings[k];
        options.integrator = RCT_INTEGRATOR_IMPLICIT;
        options.tolerance = 1e-8;
        rct_solver *solver = rct_solver_create(model, &options, &error);
        if (solver == NULL) {
            fail_msg("%s", error.text);
        }
        assert_true(bodies < 100 || !rct_closed_is_held(solver->closed));
        must_step(solver, interval, 2);
        const double off = apart(fixed, solver);
        if (!(off < 1e-6)) {
            fail_msg("%s of %d, %s: off by %.2e", name, (int)bodies, rct_closing_name(closings[k]),
                     off);
        }
        rct_solver_free(solver);
    }
    rct_solver_free(fixed);
    rct_model_free(model);
}

static void test_loops(void **state)
{
    (void)state;
    expect_loops("fourbars", 5, 30.0, 0.5, 1e-3);
    expect_loops("fourbars", 5, 1e4, 30.0, 1e-4);
    expect_loops("ladder", 300, 30.0, 3.0, 1e-3);
}

/* In a stage whose rotors are much of all inertia, operators close loops as columns do, without
 * spare corrections. */
static void test_closings_agree_in_a_stage(void **state)
{
    (void)state;
    enum { BODIES = 5 };
    const rct_family family = {.family = "fourbars",
                               .bodies = BODIES,
                               .hinge = RCT_HINGE_REVOLUTE,
                               .seed = 1,
                               .perturb = 0.1,
                               .systems = 1};
    rct_model *model = must_generate(&family);
    double stiffness[BODIES], damping[BODIES], a[2][BODIES];
    for (int32_t b = 0; b < BODIES; b++) {
        rct_body body = rct_body_default();
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        body.stiffness[0] = stiffness[b] = 1e4 * (1 + b % 3);
        body.damping[0] = damping[b] = 30.0;
        must_put(model, b, &body);
    }
    for (int k = 0; k < 5; k++) {
        rct_solver_options options = rct_solver_options_default();
        options.closing = closings[k];
        options.integrator = RCT_INTEGRATOR_IMPLICIT;
        rct_solver *solver = must_solver(model, &options);
        rct_solver_set_delta(solver, 0.1, stiffness, damping);
        assert_int_equal(rct_solver_evaluate_inside(solver, NULL), RCT_OK);
        rct_solver_get_rate_derivatives_inside(solver, a[k > 0]);
        for (int i = 0; i < BODIES; i++) {
            if (k > 0 && !(fabs(a[1][i] - a[0][i]) < 1e-9 * (1.0 + fabs(a[0][i])))) {
                fail_msg("%s: %.12g, not %.12g", rct_closing_name(closings[k]), a[1][i], a[0][i]);
            }
        }
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* A ring of elastic balls; ways of closing with a factor of their own do not include rotors
 * there. */
static void test_loops_of_balls(void **state)
{
    (void)state;
    enum { BODIES = 6 };
    const rct_family family = {.family = "necklace",
                               .bodies = BODIES,
                               .hinge = RCT_HINGE_BALL,
                               .seed = 1,
                               .perturb = 0.0,
                               .systems = 1};
    rct_model *model = must_generate(&family);
    for (int32_t b = 0; b < BODIES; b++) {
        rct_body body = rct_body_default();
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        body.stiffness[0] = 200.0, body.stiffness[1] = 300.0, body.stiffness[2] = 100.0;
        body.damping[0] = 1.0;
        must_put(model, b, &body);
    }
    rct_solver_options options = rct_solver_options_default();
    rct_solver *fixed = rct_solver_create(model, &options, NULL);
    must_step(fixed, 1e-4, 2000);
    options.integrator = RCT_INTEGRATOR_IMPLICIT;
    options.tolerance = 1e-8;
    for (int k = 0; k < 5; k++) {
        rct_error error = {.body = -1};
        options.closing = closings[k];
        rct_solver *solver = rct_solver_create(model, &options, &error);
        if (closings[k] == RCT_CLOSING_EMBEDDING || closings[k] == RCT_CLOSING_MULTIPLIERS) {
            assert_true(solver == NULL && error.status == RCT_ERROR_UNSUPPORTED);
            assert_non_null(strstr(error.text, "use the closing admittance"));
            continue;
        }
        if (solver == NULL) {
            fail_msg("%s", error.text);
        }
        must_step(solver, 0.1, 2);
        const double off = apart(fixed, solver);
        if (!(off < 1e-6)) {
            fail_msg("%s: off by %.2e", rct_closing_name(closings[k]), off);
        }
        rct_solver_free(solver);
    }
    rct_solver_free(fixed);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stage_is_a_dense_solve),
        cmocka_unit_test(test_a_stiff_rope_takes_few_steps),
        cmocka_unit_test(test_ball_hinges_yield),
        cmocka_unit_test(test_efforts_of_the_user),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_closings_agree_in_a_stage),
        cmocka_unit_test(test_loops_of_balls),
    };
    return cmocka_run_group_tests_name("implicit stages", tests, NULL, NULL);
}
