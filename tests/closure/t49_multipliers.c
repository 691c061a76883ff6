/* Closing of loops by multipliers: the checks for every method (method_trial.h). */
#include "tests/support/cmocka_all.h"

#include "tests/closure/method_trial.h"
#include "tests/support/draw.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rct_closure_method *const method = &rct_closure_multipliers;

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        trial_check_random(method, seed, 2, 1e-10, 1e-9);
        trial_check_random(method, seed, 5, 1e-10, 1e-9);
        trial_check_random(method, seed, 20, 1e-10, 1e-9);
    }
}

static void test_repeated(void **state)
{
    (void)state;
    trial_check_repeated(method);
}

static void test_contradiction(void **state)
{
    (void)state;
    trial_check_contradiction(method);
}

static void test_none(void **state)
{
    (void)state;
    trial_check_none(method);
}

static void test_held(void **state)
{
    (void)state;
    trial_check_held(method);
}

static void test_again(void **state)
{
    (void)state;
    trial_check_again(method);
}

static void test_memory(void **state)
{
    (void)state;
    trial_check_memory(method);
}

static void test_not_finite(void **state)
{
    (void)state;
    trial_check_not_finite(method);
}

/* Two rails hang side by side, and every link of the left one carries a rung that a loop ties to
 * the matching link on the right: a mesh in which every loop shares bodies with its neighbours. */
static rct_model *ladder(int32_t rungs, rct_hinge_type hinge, rct_loop_type type)
{
    rct_model *model = rct_model_create(NULL, NULL);
    uint64_t random = 3;
    for (int32_t b = 0; b < 3 * rungs; b++) {
        const int rung = b % 3 == 2, right = b % 3 == 1;
        rct_body body = rct_body_default();
        body.parent = rung ? b - 2 : b < 3 ? RCT_GROUND : b - 3;
        body.hinge = hinge;
        body.hinge_at[0] = b < 3 && right ? 1.0 : 0.0;
        body.hinge_at[2] = rung || b >= 3 ? -1.0 : 0.0;
        body.mass = draw_between(&random, 0.5, 2.0);
        body.com[rung ? 0 : 2] = rung ? 0.5 : -0.5;
        memcpy(body.inertia, (const double[6]){0.1, 0.11, 0.12}, sizeof body.inertia);
        if (hinge == RCT_HINGE_REVOLUTE) {
            memcpy(body.hinge_axis, (const double[3]){0.0, 1.0, 0.0}, sizeof body.hinge_axis);
        }
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    for (int32_t i = 0; i < rungs; i++) {
        rct_loop loop = rct_loop_default();
        loop.type = type;
        loop.body = 3 * i + 2;
        loop.at[0] = 1.0;
        loop.other = 3 * i + 1;
        loop.other_at[2] = -1.0;
        if (type != RCT_LOOP_BALL) {
            memcpy(loop.axis, (const double[3]){0.0, 1.0, 0.0}, sizeof loop.axis);
        }
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    return model;
}

/* As in admittance, which works on J M^-1 J*. */
static void check_other(const method_trial *t, const closed_system *s, double tolerance)
{
    method_trial other = trial_begin(&rct_closure_admittance, s);
    memcpy(other.gap, t->gap, (size_t)s->problem.rows->count * sizeof *other.gap);
    trial_factor(&other, s);
    trial_solve(&other);
    const double far = trial_apart(t->change, other.change, s->rates);
    const double force = trial_apart(t->lambda, other.lambda, s->problem.rows->count);
    if (!(far <= tolerance) || !(force <= tolerance)) {
        fail_msg("%g from the change of admittance, %g from its lambda", far, force);
    }
    trial_end(&other);
}

/* A gap that some rates close is closed, whatever constraints are dependent. */
static void check_ladder(int32_t rungs, rct_hinge_type hinge, rct_loop_type type, int32_t rank)
{
    rct_model *model = ladder(rungs, hinge, type);
    closed_system s = closed_system_create(model, 0.0);
    method_trial t = trial_begin(method, &s);
    double *motion = calloc((size_t)(6 * s.n), sizeof *motion);
    uint64_t random = 17;
    draw_numbers(&random, t.change, (int)s.rates, 1.0);
    rct_operator_velocities(s.problem.operators, 1, t.change, motion, motion + 3 * s.n);
    rct_closure_take(s.problem.rows, motion + 3 * s.n, motion, t.change, t.gap);
    trial_factor(&t, &s);
    trial_solve(&t);
    assert_int_equal(t.report.rank, rank);
    if (!(t.report.residual <= 1e-12)) {
        fail_msg("%g of the gap is left", t.report.residual);
    }
    check_other(&t, &s, 1e-9);
    free(motion);
    trial_end(&t);
    closed_system_free(&s);
    rct_model_free(model);
}

static void test_ladder(void **state)
{
    (void)state;
    check_ladder(700, RCT_HINGE_BALL, RCT_LOOP_BALL, 2100);
    check_ladder(700, RCT_HINGE_REVOLUTE, RCT_LOOP_PLANAR_REVOLUTE, 1400);
    check_ladder(700, RCT_HINGE_REVOLUTE, RCT_LOOP_REVOLUTE, 1400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_contradiction), cmocka_unit_test(test_none),
        cmocka_unit_test(test_held),          cmocka_unit_test(test_again),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_ladder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
