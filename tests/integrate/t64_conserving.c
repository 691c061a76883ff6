/* The integrator conserving: its order, its conserved quantities (the symplectic form, momenta,
 * energy over long times, the way back), bits, and refused input. One file, because all cases share
 * the undamped models; its momenta are those of t68_momenta. */
#include "tests/support/cmocka_all.h"

#include "dynamics/raw_state.h"
#include "tests/support/answers/whole_state.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/one_in.h"
#include "tests/support/systems/hinge_tree.h"

#include <riccatree/operators.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *numbers(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* Springs and rotors at hinges with axes, and a spring between two bodies. */
static rct_model *tree(int32_t bodies, int hinge, int floating, uint64_t seed)
{
    const hinge_tree what = {.bodies = bodies, .hinge = hinge, .floating = floating, .seed = seed};
    rct_model *model = hinge_tree_create(&what);
    uint64_t random = seed;
    for (int32_t b = 0; b < bodies; b++) {
        rct_body body = rct_body_default();
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        const int axes = body.hinge != RCT_HINGE_BALL && body.hinge != RCT_HINGE_FREE;
        for (int i = 0; axes && i < rct_hinge_freedoms(body.hinge); i++) {
            body.stiffness[i] = draw_between(&random, 0.0, 10.0);
            body.armature[i] = seed % 2 == 0 ? draw_between(&random, 0.0, 0.1) : 0.0;
        }
        must_put(model, b, &body);
    }
    if (bodies > 1) {
        rct_force spring = rct_force_default();
        spring.type = RCT_FORCE_SPRING;
        spring.body = 0;
        spring.other = bodies - 1;
        spring.other_at[2] = 0.3;
        spring.stiffness = 5.0;
        spring.length = 1.0;
        assert_int_equal(rct_model_add_force(model, &spring, NULL, NULL), RCT_OK);
    }
    return model;
}

/* Loops, some of them redundant. */
static rct_model *closed(int k)
{
    static const char *const names[] = {"necklace", "ladder", "hub"};
    const rct_family family = {.family = names[k],
                               .bodies = 9,
                               .hinge = RCT_HINGE_BALL,
                               .seed = 1,
                               .perturb = 0.4,
                               .systems = 1};
    return must_generate(&family);
}

enum { CLOSED = 3 };

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

/* Coordinates and rates. */
typedef struct phase {
    int64_t coordinates, rates;
    double *q, *u;
} phase;

static phase phase_of(const rct_solver *solver)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    phase x = {.coordinates = info.coordinates, .rates = info.dof};
    x.q = numbers(x.coordinates + x.rates);
    x.u = x.q + x.coordinates;
    rct_solver_get_coordinates(solver, x.q, x.u);
    return x;
}

/* The largest difference of all numbers; quaternions take the closer sign. */
static double apart(const rct_solver *solver, const phase *from)
{
    phase x = phase_of(solver);
    double most = 0.0;
    for (int64_t i = 0; i < x.coordinates + x.rates; i++) {
        most = larger(most, fabs(x.q[i] - from->q[i]));
    }
    free(x.q);
    return most;
}

/* ---- order -------------------------------------------------------------------------------- */

static double error_of(const rct_model *model, const phase *truth, double end, int64_t steps)
{
    rct_solver *solver = made(model, RCT_INTEGRATOR_CONSERVING);
    must_step(solver, end / (double)steps, steps);
    const double error = apart(solver, truth);
    rct_solver_free(solver);
    return error;
}

static void expect_order(rct_model *model, double end, int64_t steps)
{
    rct_solver *by_rk4 = made(model, RCT_INTEGRATOR_RK4);
    must_step(by_rk4, end / 4000.0, 4000);
    phase truth = phase_of(by_rk4);
    const double coarse = error_of(model, &truth, end, steps);
    const double fine = error_of(model, &truth, end, 2 * steps), order = log2(coarse / fine);
    if (!(order > 3.6 && order < 4.6)) {
        fail_msg("order %.2f (%.2e, %.2e)", order, coarse, fine);
    }
    free(truth.q);
    rct_solver_free(by_rk4);
    rct_model_free(model);
}

static void test_the_order_is_four(void **state)
{
    (void)state;
    const rct_family balls = {.family = "chain",
                              .bodies = 4,
                              .hinge = RCT_HINGE_BALL,
                              .seed = 1,
                              .perturb = 0.4,
                              .systems = 1};
    expect_order(must_generate(&balls), 0.4, 16);
    for (uint64_t seed = 1; seed <= 6; seed += ONE_IN) {
        expect_order(tree(6, -1, seed % 2 == 0, seed), 0.1, 16);
    }
    for (int k = 0; k < CLOSED; k++) {
        expect_order(closed(k), 0.4, 32);
    }
}

/* ---- what is kept ------------------------------------------------------------------------- */

/* (q, M u) after one step from (q, M u) moved along direction k by e. */
static void mapped(rct_solver *solver, const phase *at, double dt, int64_t k, double e, double *out)
{
    const int64_t n = at->rates;
    double *q = numbers(2 * n), *p = q + n;
    memcpy(q, at->q, (size_t)n * sizeof *q);
    q[k < n ? k : 0] += k < n ? e : 0.0;
    assert_int_equal(rct_solver_set_coordinates(solver, at->q, at->u, NULL), RCT_OK);
    assert_int_equal(rct_solver_mass_times(solver, 1, at->u, p, NULL), RCT_OK);
    p[k < n ? 0 : k - n] += k < n ? 0.0 : e;
    assert_int_equal(rct_solver_set_coordinates(solver, q, at->u, NULL), RCT_OK);
    assert_int_equal(rct_solver_mass_solve(solver, 1, p, p, NULL), RCT_OK);
    assert_int_equal(rct_solver_set_coordinates(solver, q, p, NULL), RCT_OK);
    must_step(solver, dt, 1);
    rct_solver_get_coordinates(solver, out, p);
    assert_int_equal(rct_solver_mass_times(solver, 1, p, out + n, NULL), RCT_OK);
    free(q);
}

/* The difference between D* W D and W, with the symplectic form W and the derivative D of a
 * step. */
static double off_symplectic(const rct_model *model, rct_integrator integrator, double dt)
{
    static const double e = 1e-3;
    rct_solver *solver = made(model, integrator);
    phase at = phase_of(solver);
    const int64_t n = at.rates, m = 2 * n;
    double *D = numbers(m * m), *more = numbers(m), *less = numbers(m), most = 0.0;
    assert_int_equal(at.coordinates, n);
    for (int64_t k = 0; k < m; k++) {
        static const double weight[2] = {8.0 / 12.0, -1.0 / 12.0};
        for (int w = 0; w < 2; w++) { /* fourth order */
            mapped(solver, &at, dt, k, (w + 1) * e, more);
            mapped(solver, &at, dt, k, -(w + 1) * e, less);
            for (int64_t i = 0; i < m; i++) {
                D[i * m + k] += weight[w] * (more[i] - less[i]) / e;
            }
        }
    }
    for (int64_t j = 0; j < m; j++) {
        for (int64_t k = 0; k < m; k++) {
            double sum = 0.0;
            for (int64_t i = 0; i < n; i++) {
                sum += D[i * m + j] * D[(i + n) * m + k] - D[(i + n) * m + j] * D[i * m + k];
            }
            most = larger(most, fabs(sum - (k == j + n ? 1.0 : j == k + n ? -1.0 : 0.0)));
        }
    }
    free(D);
    free(more);
    free(less);
    free(at.q);
    rct_solver_free(solver);
    return most;
}

static void test_steps_are_symplectic(void **state)
{
    (void)state;
    static const rct_hinge_type hinges[] = {RCT_HINGE_REVOLUTE, RCT_HINGE_UNIVERSAL,
                                            RCT_HINGE_HELICAL, RCT_HINGE_PLANAR};
    for (int k = 0; k < 4; k++) {
        rct_model *model = tree(3, (int)hinges[k], 0, 11 + (uint64_t)k);
        const double own = off_symplectic(model, RCT_INTEGRATOR_CONSERVING, 0.05);
        const double other = off_symplectic(model, RCT_INTEGRATOR_RK4, 0.05);
        if (!(own < 1e-8 && other > 10.0 * own)) {
            fail_msg("%s: off by %.2e, rk4 by %.2e", rct_hinge_name(hinges[k]), own, other);
        }
        rct_model_free(model);
    }
}

static void test_the_way_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6 + CLOSED; seed++) {
        rct_model *model = seed > 6 ? closed((int)seed - 7) : tree(7, -1, seed % 2 == 0, seed);
        rct_solver *solver = made(model, RCT_INTEGRATOR_CONSERVING);
        phase start = phase_of(solver);
        for (int way = 0; way < 2; way++) {
            must_step(solver, 0.01, 20);
            phase x = phase_of(solver);
            if (way == 0) {
                assert_true(apart(solver, &start) > 0.01);
            }
            for (int64_t r = 0; r < x.rates; r++) {
                x.u[r] = -x.u[r];
            }
            assert_int_equal(rct_solver_set_coordinates(solver, x.q, x.u, NULL), RCT_OK);
            free(x.q);
        }
        const double error = apart(solver, &start);
        if (!(error < 1e-10)) {
            fail_msg("the way back ends %.2e from the start", error);
        }
        free(start.q);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* For a floating tree without weight both momenta; for a tree on ball hinges, with and without
 * loops, the angular momentum about the vertical. */
static void test_momenta_are_kept_to_rounding(void **state)
{
    (void)state;
    static const double none[3] = {0.0, 0.0, 0.0};
    const rct_family balls = {.family = "branch",
                              .bodies = 12,
                              .hinge = RCT_HINGE_BALL,
                              .seed = 1,
                              .perturb = 0.4,
                              .systems = 1};
    for (uint64_t seed = 0; seed <= 7; seed += ONE_IN) {
        rct_model *model = seed == 0   ? must_generate(&balls)
                           : seed == 7 ? closed(0)
                                       : tree(8, -1, 1, seed);
        const int hangs = seed == 0 || seed == 7;
        rct_measures start, end;
        double most = 0.0, size = 0.0;
        assert_int_equal(hangs ? RCT_OK : rct_model_set_gravity(model, none, NULL), RCT_OK);
        rct_solver *solver = made(model, RCT_INTEGRATOR_CONSERVING);
        rct_solver_measure(solver, &start);
        must_step(solver, 0.005, 400);
        rct_solver_measure(solver, &end);
        for (int i = hangs ? 2 : 0; i < 3; i++) {
            const double linear = end.momentum[i] - start.momentum[i];
            most = larger(most, fabs(end.angular_momentum[i] - start.angular_momentum[i]));
            most = larger(most, hangs ? 0.0 : fabs(linear));
        }
        for (int i = 0; i < 3; i++) {
            size += fabs(end.angular_momentum[i]) + fabs(end.momentum[i]);
        }
        if (!(most < 1e-11 * size)) {
            fail_msg("seed %d: momenta are off by %.2e of %.2e", (int)seed, most, size);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* J, the largest error of the energy in each of two halves of a long motion. */
static void drifts_of(const rct_model *model, rct_integrator integrator, double dt, int64_t steps,
                      double drift[2])
{
    rct_solver *solver = made(model, integrator);
    rct_measures start, now;
    rct_solver_measure(solver, &start);
    drift[0] = drift[1] = 0.0;
    for (int64_t k = 0; k < steps; k += 10) {
        must_step(solver, dt, 10);
        rct_solver_measure(solver, &now);
        double *own = &drift[2 * k >= steps];
        *own = larger(*own, fabs(now.kinetic + now.potential - start.kinetic - start.potential));
    }
    rct_solver_free(solver);
}

/* Two swinging bars: rk4 loses energy all the time, conserving does not. */
static void test_energy_is_bounded_over_long_times(void **state)
{
    (void)state;
    const rct_family bars = {.family = "chain",
                             .bodies = 2,
                             .hinge = RCT_HINGE_REVOLUTE,
                             .seed = 1,
                             .perturb = 0.3,
                             .systems = 2};
    rct_model *model = must_generate(&bars);
    double own[2], other[2];
    drifts_of(model, RCT_INTEGRATOR_CONSERVING, 0.02, 16000, own);
    drifts_of(model, RCT_INTEGRATOR_RK4, 0.02, 16000, other);
    if (!(own[1] < 1.2 * own[0] && other[1] > 1.5 * other[0] && other[1] > 3.0 * own[1])) {
        fail_msg("energy is off by %.2e, then %.2e J; by rk4 %.2e, %.2e J", own[0], own[1],
                 other[0], other[1]);
    }
    rct_model_free(model);
}

/* ---- calls, methods, threads -------------------------------------------------------------- */

static void test_calls_and_states_put_away_change_no_bit(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8 + CLOSED; seed++) {
        rct_model *model = seed > 8 ? closed((int)seed - 9) : tree(20, -1, seed % 2 == 0, seed);
        rct_solver *once = made(model, RCT_INTEGRATOR_CONSERVING);
        rct_solver *first = made(model, RCT_INTEGRATOR_CONSERVING);
        rct_solver *then = made(model, RCT_INTEGRATOR_CONSERVING);
        double *raw = numbers(rct_raw_count(first));
        must_step(once, 0.004, 6);
        must_step(first, 0.004, 2);
        rct_raw_read(first, raw);
        assert_int_equal(rct_raw_write(then, rct_solver_time(first), raw, NULL), RCT_OK);
        must_step(first, 0.004, 4);
        for (int i = 0; i < 4; i++) {
            must_step(then, 0.004, 1);
        }
        whole_state all = whole_state_take(once);
        whole_state_expect(first, &all);
        whole_state_expect(then, &all);
        whole_state_free(&all);
        free(raw);
        rct_solver_free(once);
        rct_solver_free(first);
        rct_solver_free(then);
        rct_model_free(model);
    }
}

static void test_both_methods(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed += ONE_IN) {
        rct_model *model = tree(9, -1, seed % 2 == 0, seed);
        rct_solver_options options = rct_solver_options_default();
        options.integrator = RCT_INTEGRATOR_CONSERVING;
        options.method = RCT_METHOD_RICCATI;
        rct_solver *abi = made(model, RCT_INTEGRATOR_CONSERVING);
        rct_solver *riccati = rct_solver_create(model, &options, NULL);
        assert_non_null(riccati);
        must_step(abi, 0.005, 20);
        must_step(riccati, 0.005, 20);
        phase x = phase_of(abi);
        assert_true(apart(riccati, &x) < 1e-9);
        free(x.q);
        rct_solver_free(abi);
        rct_solver_free(riccati);
        rct_model_free(model);
    }
}

/* Steps of any length, also from rest: they may move loops by less than the rounding of places. */
static void test_short_steps_of_loops(void **state)
{
    (void)state;
    for (int k = 0; k < 4 * CLOSED; k++) {
        static const char *const names[] = {"necklace", "ladder", "hub"};
        const rct_family rests = {.family = names[k % CLOSED],
                                  .bodies = k % CLOSED == 2 ? 25 : 24,
                                  .hinge = RCT_HINGE_BALL,
                                  .seed = 1,
                                  .perturb = 0.0,
                                  .systems = 1};
        rct_model *model = k < 2 * CLOSED ? closed(k % CLOSED) : must_generate(&rests);
        const double dt = k / CLOSED % 2 == 0 ? 1e-4 : 1e-6;
        rct_solver *solver = made(model, RCT_INTEGRATOR_CONSERVING);
        rct_solver *other = made(model, RCT_INTEGRATOR_RK4);
        must_step(solver, dt, 40);
        must_step(other, dt, 40);
        phase x = phase_of(other);
        const double error = apart(solver, &x);
        if (!(error < 1e-15 / dt + 1e-10)) {
            fail_msg("%s by %g s: off by %.2e", rct_model_name(model), dt, error);
        }
        free(x.q);
        rct_solver_free(solver);
        rct_solver_free(other);
        rct_model_free(model);
    }
}

/* ---- what is refused, and fails ----------------------------------------------------------- */

static void expect_refusal(rct_model *model, int user_forces, const char *words)
{
    rct_solver_options options = rct_solver_options_default();
    rct_error error;
    options.integrator = RCT_INTEGRATOR_CONSERVING;
    options.user_forces = user_forces;
    assert_null(rct_solver_create(model, &options, &error));
    assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
    if (strstr(error.text, words) == NULL || strstr(error.text, "use the integrator") == NULL) {
        fail_msg("%s", error.text);
    }
    rct_model_free(model);
}

static void test_what_it_is_not_for(void **state)
{
    (void)state;
    const rct_loop_term term = {0, 0, 1.0};
    rct_loop driven = rct_loop_default();
    rct_model *turned = tree(3, RCT_HINGE_REVOLUTE, 0, 5), *ring = closed(0);
    rct_model *damped = tree(4, RCT_HINGE_BALL, 0, 1), *spring = tree(4, -1, 0, 2);
    rct_model *moving = tree(3, -1, 0, 3);
    rct_base base = rct_base_default();
    rct_body body;
    rct_force force = rct_force_default();
    rct_model_body(damped, 2, &body, NULL);
    body.damping[0] = 0.1;
    must_put(damped, 2, &body);
    force.type = RCT_FORCE_SPRING;
    force.body = 1;
    force.damping = 0.2;
    assert_int_equal(rct_model_add_force(spring, &force, NULL, NULL), RCT_OK);
    base.rate = 1.0;
    assert_int_equal(rct_model_set_base(moving, &base, NULL), RCT_OK);
    driven.type = RCT_LOOP_RELATION;
    driven.terms = &term;
    driven.term_count = 1;
    driven.rate = 1.0;
    assert_int_equal(rct_model_add_loop(turned, &driven, NULL, NULL), RCT_OK);
    expect_refusal(turned, 0, "loop 0: it prescribes a motion");
    rct_solver_options drifts = rct_solver_options_default();
    drifts.integrator = RCT_INTEGRATOR_CONSERVING;
    drifts.drift = RCT_DRIFT_NONE;
    rct_error error;
    assert_null(rct_solver_create(ring, &drifts, &error));
    assert_non_null(strstr(error.text, "drift none: the integrator conserving"));
    rct_model_free(ring);
    expect_refusal(damped, 0, "its hinge is damped");
    expect_refusal(spring, 0, "force 1: this spring is damped");
    expect_refusal(moving, 0, "a ground that moves");
    expect_refusal(tree(3, -1, 0, 4), 1, "forces of the user");
}

static void test_a_step_too_long_keeps_the_state(void **state)
{
    (void)state;
    const rct_family family = {.family = "chain",
                               .bodies = 5,
                               .hinge = RCT_HINGE_BALL,
                               .seed = 1,
                               .perturb = 1.0,
                               .systems = 1};
    rct_model *model = must_generate(&family);
    rct_solver *solver = made(model, RCT_INTEGRATOR_CONSERVING);
    rct_solver *plain = made(model, RCT_INTEGRATOR_CONSERVING);
    rct_error error;
    must_step(solver, 0.005, 3);
    must_step(plain, 0.005, 3);
    assert_int_equal(rct_solver_step(solver, 5.0, 2, &error), RCT_ERROR_DIVERGED);
    assert_non_null(strstr(error.text, "the step is too long"));
    assert_int_equal(error.step, 0);
    must_step(solver, 0.005, 3);
    must_step(plain, 0.005, 3);
    whole_state all = whole_state_take(plain);
    whole_state_expect(solver, &all);
    whole_state_free(&all);
    rct_solver_free(solver);
    rct_solver_free(plain);
    rct_model_free(model);
}

static void test_counts(void **state)
{
    (void)state;
    rct_model *model = tree(3, -1, 0, 1);
    rct_solver *solver = made(model, RCT_INTEGRATOR_CONSERVING);
    rct_stepping s;
    must_step(solver, 0.001, 4);
    rct_solver_get_stepping(solver, &s);
    assert_string_equal(s.integrator, "conserving");
    assert_true(isnan(s.tolerance) && s.longest == 0.001 && s.shortest == 0.001);
    assert_int_equal(s.steps, 4);
    assert_int_equal(s.evaluations, 4 * 6);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_order_is_four),
        cmocka_unit_test(test_steps_are_symplectic),
        cmocka_unit_test(test_the_way_back),
        cmocka_unit_test(test_momenta_are_kept_to_rounding),
        cmocka_unit_test(test_energy_is_bounded_over_long_times),
        cmocka_unit_test(test_calls_and_states_put_away_change_no_bit),
        cmocka_unit_test(test_both_methods),
        cmocka_unit_test(test_short_steps_of_loops),
        cmocka_unit_test(test_what_it_is_not_for),
        cmocka_unit_test(test_a_step_too_long_keeps_the_state),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
