/* Integrators with error control: the error that a tolerance gives, the order, frames at exact
 * times whatever the calls, continuation from a stored state, loops, and failures. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "dynamics/raw_state.h"
#include "tests/support/answers/whole_state.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rct_integrator adaptive[] = {RCT_INTEGRATOR_DOPRI5, RCT_INTEGRATOR_IMPLICIT};
enum { ADAPTIVE = 2 };

static rct_solver *made(const rct_model *model, rct_integrator integrator, double tolerance)
{
    rct_solver_options options = rct_solver_options_default();
    rct_error error;
    options.integrator = integrator;
    options.tolerance = tolerance;
    options.user_forces = 1;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static rct_model *tree(int32_t bodies, int hinges, uint64_t seed)
{
    const hinge_system system = {.tree = {SHAPE_TREE, bodies, 0.1, 1, 1.0, seed},
                                 .hinges = hinges,
                                 .joint_forces = 1,
                                 .forces = 4,
                                 .ground_moves = 1};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    return model;
}

/* ---- how far two states are apart --------------------------------------------------------- */

typedef struct numbers {
    int64_t count;
    double *all; /* coordinates, rates */
} numbers;

static numbers numbers_of(const rct_solver *solver)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    numbers x = {info.coordinates + info.dof, NULL};
    x.all = calloc((size_t)x.count, sizeof *x.all);
    assert_non_null(x.all);
    rct_solver_get_coordinates(solver, x.all, x.all + info.coordinates);
    return x;
}

/* The largest difference, relative for numbers above 1. */
static double apart(const rct_solver *solver, const numbers *truth)
{
    numbers x = numbers_of(solver);
    double most = 0.0;
    assert_int_equal(x.count, truth->count);
    for (int64_t i = 0; i < x.count; i++) {
        most = larger(most, fabs(x.all[i] - truth->all[i]) / fmax(1.0, fabs(truth->all[i])));
    }
    free(x.all);
    return most;
}

/* With rk4, which shares the sweeps but no step. */
static numbers by_rk4(const rct_model *model, double end, int64_t steps)
{
    rct_solver *solver = made(model, RCT_INTEGRATOR_RK4, 1e-6);
    must_step(solver, end / (double)steps, steps);
    const numbers truth = numbers_of(solver);
    rct_solver_free(solver);
    return truth;
}

/* ---- tolerance and error ------------------------------------------------------------------ */

static rct_model *pendulum(void)
{
    rct_model *model = rct_model_create("pendulum", NULL);
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_REVOLUTE;
    body.hinge_axis[0] = body.hinge_axis[2] = 0.0;
    body.hinge_axis[1] = 1.0;
    body.mass = 1.0;
    body.com[2] = -0.5;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.position[0] = 1.5;
    must_add(model, &body);
    return model;
}

static rct_model *springs(void)
{
    const rct_family family = {.family = "chain",
                               .bodies = 3,
                               .hinge = RCT_HINGE_REVOLUTE,
                               .seed = 1,
                               .perturb = 0.4,
                               .systems = 1};
    rct_model *model = must_generate(&family);
    for (int32_t b = 0; b < 3; b++) {
        rct_body body = rct_body_default();
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        body.stiffness[0] = 30.0;
        body.damping[0] = 0.5;
        must_put(model, b, &body);
    }
    return model;
}

static rct_model *balls(void)
{
    const rct_family family = {.family = "chain",
                               .bodies = 3,
                               .hinge = RCT_HINGE_BALL,
                               .seed = 1,
                               .perturb = 0.4,
                               .systems = 1};
    return must_generate(&family);
}

static rct_model *ladder(void)
{
    const rct_family family = {.family = "ladder",
                               .bodies = 9,
                               .hinge = RCT_HINGE_BALL,
                               .seed = 1,
                               .perturb = 0.4,
                               .systems = 1};
    return must_generate(&family);
}

/* Over seven decades the error is a tenth of the tolerance to ten times it. */
static void expect_tolerances(rct_model *model, rct_integrator integrator, double end)
{
    const numbers truth = by_rk4(model, end, 20000);
    for (int k = 3; k <= 10; k++) {
        const double tolerance = pow(10.0, -k);
        rct_solver *solver = made(model, integrator, tolerance);
        must_step(solver, end, 1);
        const double error = apart(solver, &truth);
        if (!(error < 10.0 * tolerance && error > 0.1 * tolerance)) {
            fail_msg("%s: tolerance 1e-%d, error %.2e", rct_integrator_name(integrator), k, error);
        }
        rct_solver_free(solver);
    }
    free(truth.all);
    rct_model_free(model);
}

static void test_the_error_is_about_the_tolerance(void **state)
{
    (void)state;
    for (int i = 0; i < ADAPTIVE; i++) {
        expect_tolerances(pendulum(), adaptive[i], 2.0);
        expect_tolerances(balls(), adaptive[i], 1.0);
        expect_tolerances(springs(), adaptive[i], 1.0);
        expect_tolerances(ladder(), adaptive[i], 1.0);
    }
}

/* ---- order -------------------------------------------------------------------------------- */

/* A tolerance that every step meets, in steps of dt. */
static double error_of(const rct_model *model, rct_integrator integrator, const numbers *truth,
                       double end, int64_t steps)
{
    rct_stepping s;
    rct_solver *solver = made(model, integrator, 1.0);
    must_step(solver, end / (double)steps, steps);
    rct_solver_get_stepping(solver, &s);
    assert_true(s.steps == steps && s.rejected == 0);
    const double error = apart(solver, truth);
    rct_solver_free(solver);
    return error;
}

static void expect_order(rct_model *model, rct_integrator integrator, double end, int64_t steps)
{
    const double order = integrator == RCT_INTEGRATOR_DOPRI5 ? 5.0 : 4.0;
    const numbers truth = by_rk4(model, end, 40 * steps);
    const double coarse = error_of(model, integrator, &truth, end, steps);
    const double fine = error_of(model, integrator, &truth, end, 2 * steps);
    const double found = log2(coarse / fine);
    if (!(found > order - 0.5 && found < order + 0.5)) {
        fail_msg("%s: order %.2f (%.2e, %.2e)", rct_integrator_name(integrator), found, coarse,
                 fine);
    }
    free(truth.all);
    rct_model_free(model);
}

static void test_the_order(void **state)
{
    (void)state;
    for (int i = 0; i < ADAPTIVE; i++) {
        expect_order(springs(), adaptive[i], 0.4, 32);
        expect_order(balls(), adaptive[i], 0.4, 32);
        expect_order(tree(12, ALL_HINGES, 3), adaptive[i], 0.02, 20);
        expect_order(ladder(), adaptive[i], 0.4, 32);
    }
}

/* ---- calls, and states put away ----------------------------------------------------------- */

static rct_model *model_of(int k)
{
    return k == 0 ? springs() : k == 1 ? tree(30, ALL_HINGES, 5) : k == 2 ? balls() : ladder();
}

enum { MODELS = 4 };

/* A number of steps of dt in one call, in two, and in two with the state set in another solver
 * between: the same bits, times that are sums of dt, and counts. */
static void test_calls_and_checkpoints_change_no_bit(void **state)
{
    (void)state;
    enum { STEPS = 7, BEFORE = 3 };
    const double dt = 0.013;
    for (int k = 0; k < MODELS * ADAPTIVE; k++) {
        rct_model *model = model_of(k % MODELS);
        rct_stepping whole, parts;
        rct_solver *once = made(model, adaptive[k / MODELS], 1e-8);
        rct_solver *first = made(model, adaptive[k / MODELS], 1e-8);
        rct_solver *then = made(model, adaptive[k / MODELS], 1e-8);
        double *raw = calloc((size_t)rct_raw_count(first), sizeof *raw);
        must_step(once, dt, STEPS);
        must_step(first, dt, BEFORE);
        rct_raw_read(first, raw);
        assert_int_equal(rct_raw_write(then, rct_solver_time(first), raw, NULL), RCT_OK);
        must_step(first, dt, STEPS - BEFORE);
        for (int i = BEFORE; i < STEPS; i++) {
            must_step(then, dt, 1);
        }
        assert_true(rct_solver_time(once) == STEPS * dt);
        whole_state all = whole_state_take(once);
        whole_state_expect(first, &all);
        whole_state_expect(then, &all);
        whole_state_free(&all);
        rct_solver_get_stepping(once, &whole);
        rct_solver_get_stepping(then, &parts);
        assert_int_equal(whole.steps, parts.steps);
        assert_int_equal(whole.rejected, parts.rejected);
        free(raw);
        rct_solver_free(once);
        rct_solver_free(first);
        rct_solver_free(then);
        rct_model_free(model);
    }
}

/* ---- failures ----------------------------------------------------------------------------- */

/* A force that is not finite from some time on, or that changes at every call: no step is good
 * enough. */
typedef struct trouble {
    double from; /* s */
    int calls;
    int flickers;
} trouble;

static void push(void *context, double time, int32_t bodies, const double *orientation,
                 const double *angular_velocity, const double *position, const double *velocity,
                 double *force, double *moment)
{
    trouble *t = context;
    (void)bodies, (void)orientation, (void)angular_velocity, (void)position, (void)velocity;
    t->calls++;
    if (time >= t->from) {
        moment[1] += !t->flickers ? (double)NAN : t->calls % 2 != 0 ? 1e12 : -1e12;
        force[0] += 0.0;
    }
}

static void expect_failure(rct_integrator integrator, int flickers, const char *words)
{
    rct_error error;
    trouble t = {.from = 0.25, .flickers = flickers};
    rct_model *model = springs();
    rct_solver *solver = made(model, integrator, 1e-6), *plain = made(model, integrator, 1e-6);
    assert_int_equal(rct_solver_set_force_function(solver, push, &t, NULL), RCT_OK);
    assert_int_equal(rct_solver_step(solver, 0.1, 5, &error), RCT_ERROR_DIVERGED);
    assert_non_null(strstr(error.text, words));
    assert_int_equal(error.step, 2);
    must_step(plain, 0.1, 2);
    whole_state before = whole_state_take(plain);
    whole_state_expect(solver, &before);
    whole_state_free(&before);
    assert_int_equal(rct_solver_set_force_function(solver, NULL, NULL, NULL), RCT_OK);
    must_step(solver, 0.1, 1); /* continues from there */
    rct_solver_free(solver);
    rct_solver_free(plain);
    rct_model_free(model);
}

static void test_what_fails_says_so_and_keeps_the_state(void **state)
{
    (void)state;
    for (int i = 0; i < ADAPTIVE; i++) {
        expect_failure(adaptive[i], 0, "the step came down to");
        expect_failure(adaptive[i], 1, "times the tolerance of 1e-06");
    }
}

static void test_a_tolerance_that_cannot_be_met(void **state)
{
    (void)state;
    rct_error error;
    rct_model *model = springs();
    rct_solver *solver = made(model, RCT_INTEGRATOR_DOPRI5, 1e-30);
    assert_int_equal(rct_solver_step(solver, 0.1, 1, &error), RCT_ERROR_DIVERGED);
    assert_non_null(strstr(error.text, "give a larger tolerance"));
    assert_true(rct_solver_time(solver) == 0.0);
    rct_solver_set_time(solver, 1e6);
    assert_int_equal(rct_solver_step(solver, 1e-11, 1, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "does not change the time of 1000000 s"));
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_options_that_are_none(void **state)
{
    (void)state;
    rct_error error;
    rct_model *model = pendulum();
    static const double tolerances[] = {0.0, -1.0, 2.0, (double)NAN};
    rct_solver_options options = rct_solver_options_default();
    for (int i = 0; i < 4; i++) {
        options.integrator = RCT_INTEGRATOR_DOPRI5;
        options.tolerance = tolerances[i];
        assert_null(rct_solver_create(model, &options, &error));
        assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.text, "tolerance of"));
    }
    options = rct_solver_options_default();
    options.integrator = (rct_integrator)4;
    assert_null(rct_solver_create(model, &options, &error));
    assert_non_null(strstr(error.text, "unknown integrator 4"));
    assert_string_equal(rct_integrator_name((rct_integrator)4), "unknown");
    rct_model_free(model);
}

static void test_counts(void **state)
{
    (void)state;
    rct_stepping s;
    rct_model *model = pendulum();
    rct_solver *fixed = made(model, RCT_INTEGRATOR_RK4, 1e-6);
    must_step(fixed, 0.01, 12);
    rct_solver_get_stepping(fixed, &s);
    assert_string_equal(s.integrator, "rk4");
    assert_true(isnan(s.tolerance) && s.steps == 12 && s.rejected == 0 && s.evaluations == 48 &&
                s.shortest == 0.01 && s.longest == 0.01);
    rct_solver *free_one = made(model, RCT_INTEGRATOR_DOPRI5, 1e-9);
    rct_solver_get_stepping(free_one, &s);
    assert_true(s.steps == 0 && isnan(s.shortest));
    must_step(free_one, 1.0, 1);
    rct_solver_get_stepping(free_one, &s);
    assert_true(s.tolerance == 1e-9 && s.steps > 20 &&
                s.evaluations == 1 + 6 * (s.steps + s.rejected));
    assert_true(s.shortest > 0.0 && s.shortest < s.longest && s.longest < 0.1);
    rct_solver_free(fixed);
    rct_solver_free(free_one);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_error_is_about_the_tolerance),
        cmocka_unit_test(test_the_order),
        cmocka_unit_test(test_calls_and_checkpoints_change_no_bit),
        cmocka_unit_test(test_what_fails_says_so_and_keeps_the_state),
        cmocka_unit_test(test_a_tolerance_that_cannot_be_met),
        cmocka_unit_test(test_options_that_are_none),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests_name("steps with error control", tests, NULL, NULL);
}
