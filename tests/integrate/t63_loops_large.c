/* Closed systems of more than 10,000 bodies. Their steps project velocities with the factor of the
 * last stage, to 1e-11 of their terms (src/dynamics/closed/velocities.c), by the junction and by
 * operators of the host, and stay closed. Also long rows of coupled loops. */
#include "tests/support/cmocka_all.h"

#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/loop_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 12000, STEPS = 5 };

/* A chain on revolute hinges, rotated and rotating, whose last hinge stays in its place. */
static rct_model *held_chain(void)
{
    const rct_family family = {.family = "chain",
                               .bodies = BODIES,
                               .hinge = RCT_HINGE_REVOLUTE,
                               .seed = 1,
                               .perturb = 0.3,
                               .systems = 1};
    rct_model *model = must_generate(&family);
    rct_solver *open = must_solver(model, NULL);
    double *position = calloc(3 * (size_t)BODIES, sizeof *position);
    rct_loop loop = rct_loop_default();
    assert_non_null(position);
    rct_solver_get_state(open, NULL, NULL, position, NULL);
    loop.body = BODIES - 1;
    memcpy(loop.other_at, position + 3 * (int64_t)loop.body, sizeof loop.other_at);
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    rct_solver_free(open);
    free(position);
    return model;
}

/* Angles and rates after the steps; `held`: whether in the junction. */
static double *moved(const rct_model *model, int64_t segment, int held, double dt)
{
    rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    options.segment = segment;
    rct_solver *solver = loop_solver(model, &options);
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    assert_int_equal(info.segments > 0, held);
    must_step(solver, dt, STEPS);
    double *x = calloc(2 * (size_t)BODIES, sizeof *x),
           *speed = calloc(3 * (size_t)BODIES, sizeof *x);
    assert_true(x != NULL && speed != NULL);
    rct_solver_get_coordinates(solver, x, x + BODIES);
    rct_solver_get_state(solver, NULL, NULL, NULL, speed);
    double most = 0.0;
    for (int64_t i = 0; i < 3 * (int64_t)BODIES; i++) {
        most = larger(most, fabs(speed[i]));
    }
    const rct_loop_info closed = loop_info(solver);
    assert_true(closed.velocity <= 1e-11 * most);
    assert_true(closed.position <= 1e-12 * BODIES);
    rct_solver_free(solver);
    free(speed);
    return x;
}

static void test_steps(void **state)
{
    static const double steps[] = {1e-6, 1e-4};
    (void)state;
    rct_model *model = held_chain();
    for (int k = 0; k < 2; k++) {
        double *x = moved(model, RCT_SEGMENT_AUTO, 1, steps[k]), *y = moved(model, 0, 0, steps[k]);
        double most = 0.0;
        for (int64_t i = 0; i < 2 * (int64_t)BODIES; i++) {
            most = larger(most, fabs(x[i] - y[i]) / fmax(1.0, fabs(y[i])));
        }
        assert_true(most < 1e-8);
        free(x), free(y);
    }
    rct_model_free(model);
}

/* Derivatives of rates of a moving row of four-bars, by one method; the first method writes its
 * state to `x`. */
static double *row_derivatives(const rct_model *model, rct_closing closing, double *x)
{
    const rct_solver_options options = loop_options(closing);
    rct_solver *solver = loop_solver(model, &options);
    const int32_t n = rct_model_body_count(model);
    double *derivatives = calloc((size_t)n, sizeof *derivatives);
    assert_non_null(derivatives);
    if (closing == RCT_CLOSING_ADMITTANCE) {
        must_step(solver, 1e-3, STEPS);
        rct_solver_get_coordinates(solver, x, x + n);
    }
    assert_int_equal(rct_solver_set_coordinates(solver, x, x + n, NULL), RCT_OK);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_rate_derivatives(solver, derivatives);
    rct_solver_free(solver);
    return derivatives;
}

/* Coupled loops in a row of this length are as compliant as E (src/closure/admittance_proximal.c):
 * by admittance as by a saddle-point system. */
static void test_coupled_rows(void **state)
{
    (void)state;
    const int32_t n = 3 * 16000 + 1;
    const rct_family family = {.family = "fourbars", .bodies = n, .hinge = RCT_HINGE_REVOLUTE};
    rct_model *model = must_generate(&family);
    double *x = calloc(2 * (size_t)n, sizeof *x), most = 0.0, largest = 0.0;
    assert_non_null(x);
    double *a = row_derivatives(model, RCT_CLOSING_ADMITTANCE, x);
    double *b = row_derivatives(model, RCT_CLOSING_MULTIPLIERS, x);
    for (int32_t i = 0; i < n; i++) {
        most = larger(most, fabs(a[i] - b[i]));
        largest = larger(largest, fabs(b[i]));
    }
    assert_true(largest > 0.01 && most < 1e-10 * largest);
    free(a), free(b), free(x);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_coupled_rows)};
    return cmocka_run_group_tests_name("large closed systems", tests, NULL, NULL);
}
