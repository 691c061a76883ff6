/* The error of a step (rct_solver_check_step): against closed forms, and by the order of the
 * method, without changing the state; and the message of a step that fails because it is too
 * long. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/answers/whole_state.h"
#include "tests/support/must.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A mass of 2 kg on a slide with a spring, off its rest by 0.1 m. */
static rct_model *oscillator(double stiffness)
{
    rct_model *model = rct_model_create("oscillator", NULL);
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_PRISMATIC;
    body.hinge_axis[0] = 1.0;
    body.hinge_axis[2] = 0.0;
    body.mass = 2.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    body.stiffness[0] = stiffness;
    body.position[0] = 0.1;
    must_add(model, &body);
    return model;
}

static rct_solver *solver_of(rct_model *model)
{
    rct_solver *solver = rct_solver_create(model, NULL, NULL);
    assert_non_null(solver);
    rct_model_free(model);
    return solver;
}

static rct_step_report checked(rct_solver *solver, double dt)
{
    rct_step_report report;
    rct_error error;
    if (rct_solver_check_step(solver, dt, &report, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    assert_true(report.dt == dt);
    return report;
}

/* (x, v) after a step of the method on x'' = -w^2 x: the Taylor series up to the fourth power. */
static void taylor(double w, double h, double x[2])
{
    double term[2] = {x[0], x[1]};
    for (int k = 1; k <= 4; k++) {
        const double next[2] = {h / k * term[1], -h / k * w * w * term[0]};
        memcpy(term, next, sizeof term);
        x[0] += term[0];
        x[1] += term[1];
    }
}

static void test_an_oscillator_in_closed_form(void **state)
{
    (void)state;
    const double w = 10.0, dt = 0.05;
    rct_solver *solver = solver_of(oscillator(2.0 * w * w));
    double once[2] = {0.1, 0.0}, twice[2] = {0.1, 0.0};
    taylor(w, dt, once);
    taylor(w, 0.5 * dt, twice);
    taylor(w, 0.5 * dt, twice);
    const double gap = once[1] - twice[1];
    const rct_step_report report = checked(solver, dt);
    assert_true(fabs(report.kinetic / (twice[1] * twice[1]) - 1.0) < 1e-12);
    assert_true(fabs(report.difference / (gap * gap) - 1.0) < 1e-9);
    assert_true(fabs(report.error - sqrt(report.difference / report.kinetic)) <=
                1e-15 * report.error);
    rct_solver_free(solver);
}

/* The velocity of a step has an error of dt^5, so half the step has 1/32 of it; the advised step is
 * good. */
static void expect_order(rct_solver *solver, double dt)
{
    const rct_step_report whole = checked(solver, dt), half = checked(solver, 0.5 * dt);
    const double ratio = sqrt(whole.difference / half.difference);
    assert_true(ratio > 26.0 && ratio < 39.0);
    const rct_step_report advised = checked(solver, checked(solver, 30.0 * dt).advised);
    assert_true(advised.error < 3e-4 && advised.error > 1e-8);
}

static void test_the_order_and_the_advice(void **state)
{
    (void)state;
    static const struct {
        const char *family;
        rct_hinge_type hinge;
    } cases[] = {
        {"chain", RCT_HINGE_BALL}, {"comb", RCT_HINGE_REVOLUTE}, {"ladder", RCT_HINGE_BALL}};
    for (int k = 0; k < 3; k++) {
        const rct_family family = {.family = cases[k].family,
                                   .bodies = 12,
                                   .hinge = cases[k].hinge,
                                   .seed = 1,
                                   .perturb = 0.3,
                                   .systems = 1};
        rct_solver *solver = solver_of(must_generate(&family));
        must_step(solver, 1e-3, 100);
        expect_order(solver, 0.01);
        rct_solver_free(solver);
    }
}

/* Two solvers with the same motion, one of which checks steps, good ones and failing ones. */
static void test_the_state_stays_and_the_way_goes_on(void **state)
{
    (void)state;
    static const char *const families[] = {"chain", "comb", "ladder"};
    for (int k = 0; k < 3; k++) {
        const rct_family family = {.family = families[k],
                                   .bodies = 9,
                                   .hinge = k == 1 ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL,
                                   .seed = 1,
                                   .perturb = 1.0,
                                   .systems = 1};
        rct_solver *looking = solver_of(must_generate(&family));
        rct_solver *plain = solver_of(must_generate(&family));
        for (int step = 0; step < 4; step++) {
            whole_state before = whole_state_take(looking);
            checked(looking, step % 2 == 0 ? 1e-3 : 10.0);
            whole_state_expect(looking, &before);
            whole_state_free(&before);
            must_step(looking, 1e-3, 3);
            must_step(plain, 1e-3, 3);
            before = whole_state_take(plain);
            whole_state_expect(looking, &before);
            whole_state_free(&before);
        }
        rct_solver_free(looking);
        rct_solver_free(plain);
    }
}

static void test_nothing_that_moves(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("still", NULL);
    rct_body body = rct_body_default();
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    must_add(model, &body);
    rct_solver *solver = solver_of(model);
    const rct_step_report report = checked(solver, 0.1);
    assert_true(report.error == 0.0 && report.kinetic == 0.0 && report.advised == 0.1);
    rct_solver_free(solver);
}

static void test_steps_that_are_none(void **state)
{
    (void)state;
    const double bad[] = {0.0, -1.0, NAN, INFINITY};
    rct_solver *solver = solver_of(oscillator(1.0));
    for (int k = 0; k < 4; k++) {
        rct_step_report report;
        rct_error error;
        assert_int_equal(rct_solver_check_step(solver, bad[k], &report, &error),
                         RCT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.text, "give a positive one"));
    }
    rct_solver_free(solver);
}

static void test_memory_that_fails(void **state)
{
    (void)state;
    rct_solver *solver = solver_of(oscillator(1.0));
    whole_state before = whole_state_take(solver);
    for (int64_t k = 0; k < 2; k++) {
        rct_step_report report;
        rct_allocate_fail_after(k);
        assert_int_equal(rct_solver_check_step(solver, 0.1, &report, NULL), RCT_ERROR_MEMORY);
        rct_allocate_fail_after(-1);
        whole_state_expect(solver, &before);
    }
    whole_state_free(&before);
    rct_solver_free(solver);
}

static void test_round_steps(void **state)
{
    (void)state;
    static const struct {
        double dt, share;
        int32_t order;
        double advised;
    } cases[] = {{1e-3, 1.0, 5, 1e-3}, {1e-3, 7.0, 5, 1e-3}, {1e-3, 1e-4, 4, 1e-4},
                 {3e-3, 1.0, 4, 2e-3}, {0.5, 1e-3, 4, 0.05}, {8e-6, 0.2, 1, 1e-6},
                 {1.0, 1e-5, 5, 0.1},  {1.0, 0.0, 5, 0.0},   {1.0, 0.51, 1, 0.5}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double got = rct_step_advised(cases[k].dt, cases[k].share, cases[k].order);
        assert_true(fabs(got - cases[k].advised) <= 1e-15 * cases[k].advised);
    }
}

/* ---- steps that fail ---------------------------------------------------------------------- */

/* A rope of 20 short rods on hinges that are stiff, damped or both; gravity bends it. */
static rct_model *rope(double stiffness, double damping)
{
    rct_model *model = rct_model_create("rope", NULL);
    for (int32_t i = 0; i < 20; i++) {
        rct_body body = rct_body_default();
        body.hinge = RCT_HINGE_REVOLUTE;
        body.hinge_axis[1] = 1.0;
        body.hinge_axis[2] = 0.0;
        body.parent = i == 0 ? RCT_GROUND : i - 1;
        body.hinge_at[0] = i == 0 ? 0.0 : 0.1;
        body.mass = 0.1;
        body.com[0] = 0.05;
        body.inertia[0] = 1e-6;
        body.inertia[1] = body.inertia[2] = 8.4e-5;
        body.stiffness[0] = stiffness;
        body.damping[0] = damping;
        must_add(model, &body);
    }
    return model;
}

/* The step that the message of a failing step of dt advises, relative to dt. */
static double blamed(rct_model *model, double dt)
{
    rct_solver *solver = solver_of(model);
    rct_error error;
    double advised = 0.0, given = 0.0;
    assert_int_not_equal(rct_solver_step(solver, dt, 1000, &error), RCT_OK);
    assert_true(error.body >= 0 && error.step >= 0);
    if (sscanf(error.text, "the step of %lf s is too long; take a smaller step, %lf s: body ",
               &given, &advised) != 2 ||
        given != dt || strstr(error.text, "more inertia") != NULL) {
        fail_msg("%s", error.text);
    }
    whole_state before = whole_state_take(solver);
    assert_int_not_equal(rct_solver_step(solver, dt, 1, &error), RCT_OK);
    whole_state_expect(solver, &before);
    rct_allocate_fail_after(0); /* without memory what failed is said as it is */
    assert_int_not_equal(rct_solver_step(solver, dt, 1, &error), RCT_OK);
    rct_allocate_fail_after(-1);
    assert_int_equal(strncmp(error.text, "body ", 5), 0);
    whole_state_expect(solver, &before);
    whole_state_free(&before);
    rct_solver_free(solver);
    return advised;
}

/* If the start shows that the step is too long, the advised step succeeds. */
static void test_a_step_too_long_is_what_is_blamed(void **state)
{
    (void)state;
    static const struct {
        double stiffness, damping;
    } ropes[] = {{1e4, 0.0}, {1e4, 10.0}, {0.0, 10.0}};
    for (int k = 0; k < 3; k++) {
        const double dt = blamed(rope(ropes[k].stiffness, ropes[k].damping), 1e-3);
        rct_solver *solver = solver_of(rope(ropes[k].stiffness, ropes[k].damping));
        must_step(solver, dt, 1000);
        rct_solver_free(solver);
    }
    const rct_family family = {.family = "chain",
                               .bodies = 5,
                               .hinge = RCT_HINGE_BALL,
                               .seed = 1,
                               .perturb = 0.0,
                               .systems = 1};
    assert_true(blamed(must_generate(&family), 0.5) <= 0.1);
    static const char four_bar[] = RCT_EXAMPLES "/four-bar.json";
    const double closed = blamed(rct_model_read(four_bar, NULL), 2.0);
    rct_solver *solver = solver_of(rct_model_read(four_bar, NULL));
    assert_true(closed <= 0.1);
    must_step(solver, closed, 200);
    rct_solver_free(solver);
}

/* A hinge that nothing resists fails at any step, and the error names it. */
static void test_a_hinge_that_nothing_resists_is_blamed_itself(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("dust", NULL);
    rct_body dust = rct_body_default();
    dust.hinge = RCT_HINGE_REVOLUTE;
    dust.hinge_at[0] = 0.5;
    dust.mass = 1.0;
    dust.inertia[0] = dust.inertia[1] = 1.0;
    dust.inertia[2] = 1e-20;
    dust.rate[0] = 1.0;
    must_add(model, &dust);
    rct_body heavy = dust;
    heavy.parent = 0;
    heavy.inertia[2] = 1.0;
    heavy.hinge_at[0] = 0.0;
    must_add(model, &heavy);
    rct_solver *solver = solver_of(model);
    rct_error error;
    assert_int_equal(rct_solver_step(solver, 1e-3, 4, &error), RCT_ERROR_SINGULAR);
    assert_int_equal(strncmp(error.text, "body 0: nothing resists its turn", 32), 0);
    const rct_step_report report = checked(solver, 1e-3);
    assert_true(isinf(report.error) && isnan(report.kinetic) && report.advised == 0.0);
    rct_solver_free(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_oscillator_in_closed_form),
        cmocka_unit_test(test_the_order_and_the_advice),
        cmocka_unit_test(test_the_state_stays_and_the_way_goes_on),
        cmocka_unit_test(test_nothing_that_moves),
        cmocka_unit_test(test_steps_that_are_none),
        cmocka_unit_test(test_memory_that_fails),
        cmocka_unit_test(test_round_steps),
        cmocka_unit_test(test_a_step_too_long_is_what_is_blamed),
        cmocka_unit_test(test_a_hinge_that_nothing_resists_is_blamed_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
