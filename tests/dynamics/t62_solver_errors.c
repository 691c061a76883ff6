/* Input that the solver refuses: invalid states, invalid steps, unknown options. Its state survives
 * each refusal, bit for bit, and the error names the body. */
#include "tests/support/cmocka_all.h"

#include "tests/dynamics/snapshot.h"
#include "tests/support/draw.h"

#include <math.h>
#include <string.h>

static void expect_refused(rct_solver *solver, const snapshot *wrong, int32_t body)
{
    const snapshot before = snapshot_take(solver);
    rct_error error = {.status = RCT_OK};
    assert_int_equal(snapshot_set(solver, wrong, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    assert_int_equal(error.body, body);
    assert_int_equal(snapshot_set(solver, wrong, NULL), RCT_ERROR_ARGUMENT);
    snapshot_expect(solver, &before);
}

static void test_wrong_states_are_refused(void **state)
{
    (void)state;
    rct_model *model = snapshot_tree();
    rct_solver *solver = snapshot_solver(model, RCT_METHOD_ABI);
    const int32_t b = snapshot_find(model, RCT_HINGE_BALL),
                  f = snapshot_find(model, RCT_HINGE_FIXED);
    const snapshot good = snapshot_take(solver);
    const double wrong_numbers[3] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    snapshot wrong = good;
    memset(wrong.orientation[b], 0, sizeof wrong.orientation[b]);
    expect_refused(solver, &wrong, b);
    for (int i = 0; i < 21; i++) {
        wrong = good;
        *(i / 3 < 4 ? &wrong.orientation[b][i / 3] : &wrong.rate[b][i / 3 - 4]) =
            wrong_numbers[i % 3];
        expect_refused(solver, &wrong, b);
    }
    wrong = good; /* rows of fixed bodies are not read */
    memset(wrong.orientation[f], 0, sizeof wrong.orientation[f]);
    wrong.rate[f][1] = (double)NAN;
    assert_int_equal(snapshot_set(solver, &wrong, NULL), RCT_OK);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Any length except zero is valid, and unit quaternions keep their bits. */
static void test_quaternions_of_any_length(void **state)
{
    (void)state;
    rct_model *model = snapshot_tree();
    rct_solver *solver = snapshot_solver(model, RCT_METHOD_ABI);
    const int32_t b = snapshot_find(model, RCT_HINGE_BALL);
    const double sizes[] = {1e-310, 1e-200, 1e-160, 1e-3, 1.0, 7.0, 1e160, 1e300};
    uint64_t random = 1;
    for (int k = 0; k < 8000; k++) {
        snapshot s = snapshot_take(solver);
        double q[4], length = 0.0;
        draw_numbers(&random, q, 4, 1.0);
        for (int i = 0; i < 4; i++) {
            s.orientation[b][i] = q[i] * sizes[k % 8];
            length += q[i] * q[i];
        }
        assert_int_equal(snapshot_set(solver, &s, NULL), RCT_OK);
        const snapshot first = snapshot_take(solver);
        for (int i = 0; i < 4; i++) {
            assert_true(fabs(first.orientation[b][i] - q[i] / sqrt(length)) <
                        (k % 8 == 0 ? 1e-10 : 1e-15)); /* fewer bits are left at 1e-310 */
        }
        assert_int_equal(snapshot_set(solver, &first, NULL), RCT_OK);
        const snapshot again = snapshot_take(solver);
        assert_memory_equal(first.orientation[b], again.orientation[b], sizeof q);
    }
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_wrong_steps_are_refused(void **state)
{
    (void)state;
    rct_model *model = snapshot_tree();
    rct_solver *solver = snapshot_solver(model, RCT_METHOD_RICCATI);
    const double wrong[] = {0.0, -0.0, -1e-3, (double)NAN, (double)INFINITY, -(double)INFINITY};
    rct_error error;
    assert_int_equal(rct_solver_step(solver, 1e-3, 2, &error), RCT_OK);
    const snapshot before = snapshot_take(solver);
    for (int i = 0; i < 6; i++) {
        error.status = RCT_OK;
        assert_int_equal(rct_solver_step(solver, wrong[i], 1, &error), RCT_ERROR_ARGUMENT);
        assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
        assert_int_equal(error.step, -1);
    }
    assert_int_equal(rct_solver_step(solver, 1e-3, -1, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_solver_step(solver, 1e-3, -1, NULL), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_solver_step(solver, 1e-3, 0, &error), RCT_OK);
    snapshot_expect(solver, &before);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Whether all results are numbers; if not, all must be NaN. */
static int has_results(const rct_solver *solver)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    double rows[2 * 12 * SNAPSHOT_BODIES];
    int64_t count = 0, numbers = 0;
    double *at = rows;
    rct_solver_get_accelerations(solver, at, at + 3 * info.bodies);
    count += 6 * info.bodies;
    rct_solver_get_hinge_forces(solver, at + count, at + count + 3 * info.bodies);
    count += 6 * info.bodies;
    rct_solver_get_rate_derivatives(solver, at + count);
    count += info.dof;
    for (int64_t i = 0; i < count; i++) {
        numbers += isfinite(rows[i]) != 0;
    }
    rct_solver_get_state_vectors(solver, rows, rows + 12 * info.bodies);
    for (int64_t i = 0; i < 24 * info.bodies; i++) {
        numbers += isfinite(rows[i]) != 0;
    }
    assert_true(numbers == 0 || numbers == count + 24 * info.bodies);
    return numbers > 0;
}

/* Results are those of the present state, or NaN. */
static void test_results_go_with_their_state(void **state)
{
    (void)state;
    rct_model *model = snapshot_tree();
    rct_solver *solver = snapshot_solver(model, RCT_METHOD_ABI);
    snapshot own = snapshot_take(solver), wrong = own;
    memset(wrong.orientation[snapshot_find(model, RCT_HINGE_BALL)], 0, sizeof wrong.orientation[0]);
    assert_false(has_results(solver));
    for (int k = 0; k < 4; k++) {
        assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        assert_true(has_results(solver));
        switch (k) {
        case 0: /* what is refused changes nothing */
            assert_int_equal(snapshot_set(solver, &wrong, NULL), RCT_ERROR_ARGUMENT);
            assert_int_equal(rct_solver_step(solver, -1.0, 1, NULL), RCT_ERROR_ARGUMENT);
            assert_int_equal(rct_solver_step(solver, 1.0, 0, NULL), RCT_OK);
            assert_true(has_results(solver));
            assert_int_equal(snapshot_set(solver, &own, NULL), RCT_OK);
            break;
        case 1: rct_solver_set_time(solver, 1.0); break;
        case 2: assert_int_equal(rct_solver_step(solver, 1e-3, 1, NULL), RCT_OK); break;
        default: rct_solver_set_time(solver, (double)NAN);
        }
        assert_false(has_results(solver));
    }
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_ERROR_ARGUMENT);
    assert_false(has_results(solver));
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_unknown_options_are_refused(void **state)
{
    (void)state;
    rct_model *model = snapshot_tree();
    rct_solver_options options = rct_solver_options_default();
    rct_error error;
    options.backend = "abacus";
    assert_null(rct_solver_create(model, &options, &error));
    assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "abacus"));
    options.backend = "";
    assert_null(rct_solver_create(model, &options, &error));
    assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
    options.backend = NULL; /* as "auto" */
    options.method = (rct_method)7;
    assert_null(rct_solver_create(model, &options, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "7"));
    assert_string_equal(rct_method_name((rct_method)7), "unknown");
    options.method = RCT_METHOD_ABI;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    assert_non_null(solver);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_states_are_refused),
        cmocka_unit_test(test_quaternions_of_any_length),
        cmocka_unit_test(test_wrong_steps_are_refused),
        cmocka_unit_test(test_results_go_with_their_state),
        cmocka_unit_test(test_unknown_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
