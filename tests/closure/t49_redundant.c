/* Closing of loops by singular values and by QR: the checks for every method (method_trial.h), and
 * systems too large for them. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/closure/method_trial.h"
#include "tests/support/draw.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rct_closure_method *const methods[] = {&rct_closure_svd, &rct_closure_qr};
enum { METHODS = 2 };

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        for (int m = 0; m < METHODS; m++) {
            trial_check_random(methods[m], seed, 2, 1e-10, 1e-10);
            trial_check_random(methods[m], seed, 5, 1e-10, 1e-10);
            trial_check_random(methods[m], seed, 20, 1e-10, 1e-10);
        }
    }
}

static void test_repeated(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        trial_check_repeated(methods[m]);
    }
}

static void test_contradiction(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        trial_check_contradiction(methods[m]);
    }
}

static void test_none(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        trial_check_none(methods[m]);
    }
}

static void test_held(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        trial_check_held(methods[m]);
    }
}

static void test_again(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        trial_check_again(methods[m]);
    }
}

static void test_memory(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        trial_check_memory(methods[m]);
    }
}

static void test_not_finite(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        trial_check_not_finite(methods[m]);
    }
}

/* As many constraints as rates, without memory: a size that fits asks for memory, a size that does
 * not is refused before. */
static void check_limit(const rct_closure_method *method, int32_t bodies, rct_status expected)
{
    rct_family family = rct_family_default();
    family.bodies = bodies;
    family.hinge = RCT_HINGE_REVOLUTE;
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    for (int32_t b = 0; b < bodies; b++) {
        rct_loop loop = rct_loop_default();
        loop.type = RCT_LOOP_DISTANCE;
        loop.length = 1.0;
        loop.body = b;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    closed_system s = closed_system_create(model, 0.0);
    assert_int_equal(s.rates, bodies);
    assert_int_equal(s.problem.rows->count, bodies);
    rct_error error;
    method_trial t = trial_begin(method, &s);
    rct_allocate_fail_after(0);
    const rct_status status = method->factor(t.work, &s.problem, &t.report, &error);
    rct_allocate_fail_after(-1);
    assert_int_equal(status, expected);
    if (expected == RCT_ERROR_UNSUPPORTED) {
        char rows[32];
        snprintf(rows, sizeof rows, "%d constraints", (int)bodies);
        assert_non_null(strstr(error.text, rows));
        assert_non_null(strstr(error.text, "admittance"));
    }
    trial_end(&t);
    closed_system_free(&s);
    rct_model_free(model);
}

/* 1 GiB holds two matrices of 8,192 x 8,192, and a little less than three of 6,688 x 6,688. */
static void test_too_large(void **state)
{
    (void)state;
    check_limit(&rct_closure_qr, 8192, RCT_ERROR_MEMORY);
    check_limit(&rct_closure_qr, 8193, RCT_ERROR_UNSUPPORTED);
    check_limit(&rct_closure_svd, 6688, RCT_ERROR_MEMORY);
    check_limit(&rct_closure_svd, 6689, RCT_ERROR_UNSUPPORTED);
}

/* |N^-1 x|^2 = x . M^-1 x */
static void test_halves(void **state)
{
    (void)state;
    rct_model *model = trial_tree(11, ALL_HINGES);
    closed_system s = closed_system_create(model, 0.0);
    const int64_t v = s.rates;
    double *x = calloc((size_t)(3 * v), sizeof *x), *half = x + v, *whole = half + v;
    uint64_t random = 12;
    for (int k = 0; k < 10; k++) {
        double square = 0.0, power = 0.0;
        draw_numbers(&random, x, (int)v, 1.0);
        rct_operator_inward(s.problem.operators, 1, x, half);
        rct_operator_solve(s.problem.operators, 1, x, whole);
        for (int64_t r = 0; r < v; r++) {
            square += half[r] * half[r];
            power += x[r] * whole[r];
        }
        assert_true(fabs(square - power) <= 1e-12 * power);
    }
    free(x);
    closed_system_free(&s);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_contradiction), cmocka_unit_test(test_none),
        cmocka_unit_test(test_held),          cmocka_unit_test(test_again),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_too_large),     cmocka_unit_test(test_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
