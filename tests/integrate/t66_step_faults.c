/* Steps that fail in each of their stages, in segments and beside them, because the stage is
 * singular or its state overflows. The error names body and step, the same ones for any method,
 * threads and lanes. The step is undone completely, bit for bit, and the solver continues
 * unharmed. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/plain_rk4.h"
#include "tests/support/answers/whole_state.h"
#include "tests/support/faults/fault_aim.h"
#include "tests/support/faults/fault_solver.h"
#include "tests/support/one_in.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a stage that is singular ------------------------------------------------------------- */

static void check_stages(const fault_tree *tree, int32_t i, int stage)
{
    const double dt = 3e-4;
    const int32_t n = tree->bodies;
    double *x = malloc((size_t)(PLAIN_ROW * n) * sizeof *x);
    rct_solver *plain = fault_solver(tree->model, RCT_METHOD_ABI, 0, 0);
    assert_non_null(x);
    plain_motion_get(plain, n, x);
    memset(x + PLAIN_ROW * i + 4, 0, 3 * sizeof *x);
    memcpy(x + PLAIN_ROW * tree->arm[i] + 4, (double[3]){12.0, -30.0, 25.0}, 3 * sizeof *x);
    assert_true(fault_aim(plain, tree, i, dt, 0, stage, x));
    for (int d = 0; d < 2 * DIVISIONS; d++) {
        rct_solver *solver = fault_solver(tree->model, (rct_method)(d % 2), 8, d / 2);
        if (solver != NULL) {
            rct_error error = {.status = RCT_OK};
            assert_int_equal(plain_motion_set(solver, n, x, NULL), RCT_OK);
            rct_solver_set_time(solver, 3.0);
            whole_state before = whole_state_take(solver);
            assert_int_equal(rct_solver_evaluate(solver, NULL),
                             stage > 0 ? RCT_OK : RCT_ERROR_SINGULAR);
            assert_int_equal(rct_solver_step(solver, dt, 3, &error), RCT_ERROR_SINGULAR);
            assert_int_equal(error.body, i);
            assert_int_equal(error.step, 0);
            whole_state_expect(solver, &before);
            whole_state_free(&before);
            fault_expect_sound(solver, tree, (rct_method)(d % 2), 8, d / 2);
        }
        rct_solver_free(solver);
    }
    rct_solver_free(plain);
    free(x);
}

static void test_each_stage_may_be_singular(void **state)
{
    (void)state;
    fault_tree *tree = fault_tree_branched((fault_kind){.period = 2});
    int32_t met = 0;
    for (int32_t i = 0; i < tree->bodies; i++) {
        if (tree->arm[i] >= 0 && met++ % (16 * ONE_IN) == 0) {
            for (int stage = 0; stage < 4; stage++) {
                check_stages(tree, i, stage);
            }
        }
    }
    fault_tree_free(tree);
}

/* ---- motion beyond all numbers ------------------------------------------------------------ */

static int32_t root_of(const fault_tree *tree, int32_t i)
{
    rct_body body;
    do {
        assert_int_equal(rct_model_body(tree->model, i, &body, NULL), RCT_OK);
        i = body.parent != RCT_GROUND ? body.parent : i;
    } while (body.parent != RCT_GROUND);
    return i;
}

/* A rate whose square overflows spoils everything from the root on. */
static void test_rates_beyond_all_numbers(void **state)
{
    (void)state;
    static const int64_t segments[] = {8, 3, 0};
    fault_tree *tree = fault_tree_branched(fault_kinds[0]);
    double *rate = malloc(3 * (size_t)tree->bodies * sizeof *rate);
    assert_non_null(rate);
    for (int d = 0; d < 6 * DIVISIONS; d++) {
        const rct_method method = (rct_method)(d % 2);
        const int64_t segment = segments[d / 2 % 3];
        rct_solver *solver = fault_solver(tree->model, method, segment, d / 6);
        for (int32_t b = d / 2 % 8; b < tree->bodies && solver != NULL; b += 8) {
            memcpy(rate, tree->rate, 3 * (size_t)tree->bodies * sizeof *rate);
            rate[3 * b + b % 3] = b % 2 == 0 ? 1e200 : -1e160;
            assert_int_equal(rct_solver_set_state(solver, tree->orientation, rate, NULL), RCT_OK);
            const int32_t body = fault_expect(solver, RCT_ERROR_DIVERGED);
            if (body != root_of(tree, b)) {
                fault_fail(solver, body, ", not the root");
            }
            rate[3 * b] = b % 2 == 0 ? (double)NAN : (double)INFINITY; /* no state at all */
            whole_state before = whole_state_take(solver);
            assert_int_equal(rct_solver_set_state(solver, tree->orientation, rate, NULL),
                             RCT_ERROR_ARGUMENT);
            whole_state_expect(solver, &before);
            whole_state_free(&before);
        }
        if (solver != NULL) {
            fault_expect_sound(solver, tree, method, segment, d / 6);
        }
        rct_solver_free(solver);
    }
    free(rate);
    fault_tree_free(tree);
}

/* The longer the step, the earlier the stage whose state overflows: with 1e160 s the second, 1e100
 * the third, 1e40 the fourth, 1e20 the result of the step. */
static void test_steps_beyond_all_numbers(void **state)
{
    (void)state;
    static const double sizes[] = {1e15, 1e20, 1e30, 1e40, 1e60, 1e100, 1e160, 1e200, 1e300};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    for (int k = 0; k < FAULT_KINDS; k += 2) {
        fault_tree *tree = fault_tree_branched(fault_kinds[k]);
        int32_t blamed[SIZES];
        memset(blamed, -1, sizeof blamed);
        for (int d = 0; d < 2 * DIVISIONS; d++) {
            const rct_method method = (rct_method)(d % 2);
            rct_solver *solver = fault_solver(tree->model, method, 8, d / 2);
            for (int i = 0; i < SIZES && solver != NULL; i++) {
                rct_error error = {.status = RCT_OK};
                whole_state before = whole_state_take(solver);
                assert_int_equal(rct_solver_step(solver, sizes[i], 2, &error), RCT_ERROR_DIVERGED);
                assert_int_equal(error.step, 0);
                blamed[i] = blamed[i] < 0 ? error.body : blamed[i];
                assert_int_equal(error.body, blamed[i]);
                whole_state_expect(solver, &before);
                whole_state_free(&before);
            }
            if (solver != NULL) {
                fault_expect_sound(solver, tree, method, 8, d / 2);
            }
            rct_solver_free(solver);
        }
        fault_tree_free(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_stage_may_be_singular),
        cmocka_unit_test(test_rates_beyond_all_numbers),
        cmocka_unit_test(test_steps_beyond_all_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
