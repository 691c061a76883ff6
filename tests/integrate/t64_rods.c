/* Elastic rods against closed forms, with errors that fall as the square of the length of a body: a
 * clamped rod under small and large forces and moments at its tip; its frequencies of bending and
 * twist; and its energy while it swings. */
#include "tests/support/cmocka_all.h"

#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/force.h>
#include <riccatree/rod.h>
#include <riccatree/solver.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 1 m, 1 kg/m, 1 N m^2, along z, without gravity; at its tip a force along y and a moment about x. */
static rct_model *clamped(int32_t bodies, double delay, double force, double moment)
{
    rct_model *model = rct_model_create("rod", NULL);
    rct_rod rod = rct_rod_default();
    rct_force tip = rct_force_default();
    const double none[3] = {0.0, 0.0, 0.0};
    assert_int_equal(rct_model_set_gravity(model, none, NULL), RCT_OK);
    rod.bodies = bodies;
    rod.delay = delay;
    rod.twist = 0.7;
    assert_int_equal(rct_model_add_rod(model, &rod, NULL, NULL), RCT_OK);
    tip.body = bodies - 1;
    tip.at[2] = 1.0 / bodies;
    tip.force[1] = force;
    tip.moment[0] = moment;
    assert_int_equal(rct_model_add_force(model, &tip, NULL, NULL), RCT_OK);
    return model;
}

static rct_solver *made(const rct_model *model, rct_integrator integrator)
{
    rct_solver_options options = rct_solver_options_default();
    rct_error error;
    options.integrator = integrator;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* The rest position of the tip: dampers remove the motion, and then steps get long. */
static void settle(int32_t bodies, double force, double moment, double tip[3])
{
    rct_model *model = clamped(bodies, 0.5, force, moment);
    rct_solver *solver = made(model, RCT_INTEGRATOR_IMPLICIT);
    double *q = calloc(4 * (size_t)bodies, sizeof *q), *x = calloc(3 * (size_t)bodies, sizeof *x);
    assert_true(q != NULL && x != NULL);
    must_step(solver, 25.0, 1);
    rct_solver_get_state(solver, q, NULL, x, NULL);
    const double *last = q + 4 * (int64_t)(bodies - 1), h = 1.0 / bodies;
    const double z[3] = {2.0 * (last[1] * last[3] + last[0] * last[2]),
                         2.0 * (last[2] * last[3] - last[0] * last[1]),
                         1.0 - 2.0 * (last[1] * last[1] + last[2] * last[2])};
    for (int i = 0; i < 3; i++) {
        tip[i] = x[3 * (int64_t)(bodies - 1) + i] + h * z[i];
    }
    free(q), free(x);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* The slope at the end of the elastica that starts with curvature k under a force across its start,
 * and its end point: theta'' = -force cos(theta), by rk4 in small steps. */
static double shoot(double force, double k, double tip[3])
{
    enum { STEPS = 4000 };
    const double s = 1.0 / STEPS;
    double y[4] = {0.0, k, 0.0, 0.0}; /* theta, theta', across, along */
    for (int n = 0; n < STEPS; n++) {
        double slope[4][4];
        for (int stage = 0; stage < 4; stage++) {
            const double part = stage == 0 ? 0.0 : stage == 3 ? s : 0.5 * s;
            double at[4];
            for (int i = 0; i < 4; i++) {
                at[i] = y[i] + (stage > 0 ? part * slope[stage - 1][i] : 0.0);
            }
            slope[stage][0] = at[1];
            slope[stage][1] = -force * cos(at[0]);
            slope[stage][2] = sin(at[0]);
            slope[stage][3] = cos(at[0]);
        }
        for (int i = 0; i < 4; i++) {
            y[i] += s / 6.0 * (slope[0][i] + 2.0 * slope[1][i] + 2.0 * slope[2][i] + slope[3][i]);
        }
    }
    tip[0] = 0.0, tip[1] = y[2], tip[2] = y[3];
    return y[1];
}

static void elastica(double force, double tip[3])
{
    double low = 0.0, high = force;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (shoot(force, middle, tip) > 0.0) {
            high = middle;
        } else {
            low = middle;
        }
    }
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* Errors of rods of 6, 12 and 24 bodies, each a quarter of the one before. */
static void expect_second_order(const double error[3], double most, const char *what)
{
    for (int k = 0; k < 2; k++) {
        const double order = log2(error[k] / error[k + 1]);
        if (!(order > 1.9 && order < 2.1)) {
            fail_msg("%s: off by %.3e and %.3e: order %.3f", what, error[k], error[k + 1], order);
        }
    }
    if (!(error[2] < most)) {
        fail_msg("%s: off by %.3e", what, error[2]);
    }
}

static void test_a_force_at_the_tip(void **state)
{
    (void)state;
    static const double forces[] = {0.01, 1.0, 10.0};
    for (int f = 0; f < 3; f++) {
        double truth[3], error[3];
        elastica(forces[f], truth);
        if (f == 0) { /* F L^3 / 3 EI of small deflections */
            assert_true(fabs(truth[1] - forces[f] / 3.0) < 1e-6);
        }
        for (int k = 0; k < 3; k++) {
            double tip[3];
            settle(6 << k, forces[f], 0.0, tip);
            error[k] = distance(tip, truth) / truth[1];
        }
        expect_second_order(error, 2e-3, "a force");
    }
}

/* A rod under a moment alone is an arc, here of 120 degrees. */
static void test_a_moment_at_the_tip(void **state)
{
    (void)state;
    const double angle = 4.0 * acos(0.5) / 2.0;
    const double truth[3] = {0.0, (1.0 - cos(angle)) / angle, sin(angle) / angle};
    double error[3];
    for (int k = 0; k < 3; k++) {
        double tip[3];
        settle(6 << k, 0.0, -angle, tip);
        error[k] = distance(tip, truth);
    }
    expect_second_order(error, 2e-3, "a moment");
}

/* ---- frequencies -------------------------------------------------------------------------- */

/* Writes the angular accelerations about axis `axis`, of bodies rotated by `turn` about it, to a
 * column. */
static void accelerate(rct_solver *solver, int32_t n, int axis, int32_t turned, double turn,
                       double *column)
{
    double *q = calloc(4 * (size_t)n, sizeof *q), *w = calloc(3 * (size_t)n, sizeof *w);
    assert_true(q != NULL && w != NULL);
    for (int32_t b = 0; b < n; b++) {
        q[4 * (int64_t)b] = b == turned ? cos(0.5 * turn) : 1.0;
        q[4 * (int64_t)b + 1 + axis] = b == turned ? sin(0.5 * turn) : 0.0;
    }
    assert_int_equal(rct_solver_set_coordinates(solver, q, w, NULL), RCT_OK);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_rate_derivatives(solver, w);
    for (int32_t b = 0; b < n; b++) {
        column[b] = w[3 * (int64_t)b + axis];
    }
    free(q), free(w);
}

/* The smallest eigenvalue of A [n][n] by inverse iteration; A is overwritten. */
static double smallest(int32_t n, double *A)
{
    double *x = calloc((size_t)n, sizeof *x), size = 0.0;
    assert_non_null(x);
    for (int32_t k = 0; k < n; k++) { /* L U without pivots */
        for (int32_t i = k + 1; i < n; i++) {
            A[i * n + k] /= A[k * n + k];
            for (int32_t j = k + 1; j < n; j++) {
                A[i * n + j] -= A[i * n + k] * A[k * n + j];
            }
        }
        x[k] = 1.0 + k;
    }
    for (int turn = 0; turn < 40; turn++) {
        size = 0.0;
        for (int32_t i = 0; i < n; i++) {
            for (int32_t j = 0; j < i; j++) {
                x[i] -= A[i * n + j] * x[j];
            }
        }
        for (int32_t i = n; i-- > 0;) {
            for (int32_t j = i + 1; j < n; j++) {
                x[i] -= A[i * n + j] * x[j];
            }
            x[i] /= A[i * n + i];
            size = larger(size, fabs(x[i]));
        }
        for (int32_t i = 0; i < n; i++) {
            x[i] /= size;
        }
    }
    free(x);
    return 1.0 / size;
}

/* The lowest frequency of motion about an axis, rad/s, by central differences of accelerations. */
static double frequency(int32_t n, int axis)
{
    rct_model *model = clamped(n, 0.0, 0.0, 0.0);
    rct_solver *solver = made(model, RCT_INTEGRATOR_RK4);
    double *A = calloc((size_t)n * (size_t)n, sizeof *A), *plus = calloc((size_t)n, sizeof *plus);
    double *minus = calloc((size_t)n, sizeof *minus);
    const double turn =
        3e-6; /* third powers and rounding are both far below 1 in the stiffest motion */
    assert_true(A != NULL && plus != NULL && minus != NULL);
    for (int32_t j = 0; j < n; j++) {
        accelerate(solver, n, axis, j, turn, plus);
        accelerate(solver, n, axis, j, -turn, minus);
        for (int32_t i = 0; i < n; i++) {
            A[i * n + j] = (minus[i] - plus[i]) / (2.0 * turn);
        }
    }
    const double lowest = sqrt(smallest(n, A));
    free(A), free(plus), free(minus);
    rct_solver_free(solver);
    rct_model_free(model);
    return lowest;
}

/* The first root of cos x cosh x = -1 squared, but for the inertia of cross-sections of 1 cm; sqrt(GJ / (density r^2 / 2)) pi / 2. */
static void test_frequencies(void **state)
{
    (void)state;
    const double bending = 1.8751040687119611, twisting = acos(0.0) * sqrt(0.7 / (0.5 * 1e-4));
    double error[3][3];
    for (int k = 0; k < 3; k++) {
        const int32_t n = 6 << k;
        error[0][k] = fabs(frequency(n, 0) / (bending * bending) - 1.0);
        error[1][k] = fabs(frequency(n, 1) / (bending * bending) - 1.0);
        error[2][k] = fabs(frequency(n, 2) / twisting - 1.0);
    }
    expect_second_order(error[2], 1e-3, "twist");
    for (int axis = 0; axis < 2; axis++) { /* Rayleigh's 1e-4 is part of it */
        const double order = log2(error[axis][0] / error[axis][1]);
        if (!(order > 1.8 && order < 2.2 && error[axis][2] < 2e-3)) {
            fail_msg("bending: off by %.3e, %.3e, %.3e", error[axis][0], error[axis][1],
                     error[axis][2]);
        }
    }
}

/* ---- energy ------------------------------------------------------------------------------- */

static double energy(const rct_solver *solver)
{
    rct_measures m;
    rct_solver_measure(solver, &m);
    return m.kinetic + m.potential;
}

/* A rod that swings from a bent start: at the start all its energy is in springs. */
static void test_energy_of_a_swing(void **state)
{
    (void)state;
    enum { N = 10 };
    rct_model *model = clamped(N, 0.0, 0.0, 0.0);
    double q[4 * N], w[3 * N] = {0.0}, bent = 0.0;
    for (int b = 0; b < N; b++) {
        const double turn = 0.15 * (b + 0.5);
        memset(q + 4 * (int64_t)b, 0, 4 * sizeof *q);
        q[4 * b] = cos(0.5 * turn);
        q[4 * b + 1] = sin(0.5 * turn) * 0.8, q[4 * b + 3] = sin(0.5 * turn) * 0.6;
        bent += 0.5 * (b == 0 ? 2.0 * 10.0 * 0.075 * 0.075 : 10.0 * 0.15 * 0.15) *
                (0.8 * 0.8 + 0.7 * 0.6 * 0.6);
    }
    static const rct_integrator all[] = {RCT_INTEGRATOR_RK4, RCT_INTEGRATOR_DOPRI5,
                                         RCT_INTEGRATOR_IMPLICIT, RCT_INTEGRATOR_CONSERVING};
    for (int k = 0; k < 4; k++) {
        rct_solver *solver = made(model, all[k]);
        const int fixed = all[k] == RCT_INTEGRATOR_RK4 || all[k] == RCT_INTEGRATOR_CONSERVING;
        const double straight = energy(solver);
        assert_int_equal(rct_solver_set_coordinates(solver, q, w, NULL), RCT_OK);
        const double start = energy(solver) - straight;
        assert_true(fabs(start - bent) < 1e-13 * bent);
        must_step(solver, fixed ? 2e-5 : 0.05, fixed ? 2500 : 1);
        const double off = fabs(energy(solver) - straight - bent);
        if (!(off < 1e-4 * bent)) {
            fail_msg("integrator %d: energy off by %.2e of %g J", (int)all[k], off, bent);
        }
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_force_at_the_tip),
        cmocka_unit_test(test_a_moment_at_the_tip),
        cmocka_unit_test(test_frequencies),
        cmocka_unit_test(test_energy_of_a_swing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
