/* Input that the references refuse: invalid states, undetermined accelerations, failing
 * allocations; and input that they must accept: quaternions of any length, rows of bodies that have
 * no state. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/answers/reference_case.h"
#include "tests/support/systems/random_system.h"

#include <math.h>
#include <string.h>

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(rct_reference_name(RCT_REFERENCE_LAGRANGE), "lagrange");
    assert_string_equal(rct_reference_name(RCT_REFERENCE_TRANSFER), "transfer");
    assert_string_equal(rct_reference_name(RCT_REFERENCE_DENSE), "dense");
    assert_string_equal(rct_reference_name((rct_reference)99), "unknown");
    reference_case *r = reference_swinging_chain(1);
    assert_int_equal(reference_case_run(r, (rct_reference)99), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(r->error.text, "99 is unknown"));
    reference_case_free(r);
}

static void test_invalid_models_are_refused(void **state)
{
    (void)state;
    reference_case *empty = reference_case_of(NULL, 0);
    assert_int_equal(reference_case_run(empty, RCT_REFERENCE_LAGRANGE), RCT_ERROR_MODEL);
    reference_case_free(empty);
    const rct_body bodies[2] = {reference_rod(1, 1.0), reference_rod(0, 1.0)};
    reference_case *cycle = reference_case_of(bodies, 2);
    assert_int_equal(reference_case_run(cycle, RCT_REFERENCE_LAGRANGE), RCT_ERROR_MODEL);
    reference_case_free(cycle);
}

static void test_bad_states_are_refused(void **state)
{
    (void)state;
    const struct {
        double q, w;
        const char *says;
    } cases[] = {
        {0.0, 0.0, "zero length"}, {NAN, 0.0, "not finite"},       {INFINITY, 0.0, "not finite"},
        {1.0, NAN, "not finite"},  {1.0, -INFINITY, "not finite"},
    };
    reference_case *r = reference_swinging_chain(2);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        for (int reference = 0; reference < 2; reference++) {
            const double q[8] = {1, 0, 0, 0, 0, 0, cases[k].q, 0};
            const double w[6] = {0, 0, 0, 0, cases[k].w, 0};
            assert_int_equal(rct_reference_evaluate(r->model, (rct_reference)reference, q, w,
                                                    &r->result, &r->error),
                             RCT_ERROR_ARGUMENT);
            assert_int_equal(r->error.body, 1);
            assert_non_null(strstr(r->error.text, cases[k].says));
            assert_true(isnan(r->linear[0])); /* nothing was written */
        }
    }
    assert_int_equal(rct_reference_evaluate(r->model, RCT_REFERENCE_LAGRANGE,
                                            (const double[8]){1, 0, 0, 0, 0, 0, 0, 0}, NULL,
                                            &r->result, NULL),
                     RCT_ERROR_ARGUMENT);
    reference_case_free(r);
}

/* The passed state is used, with any length of the quaternions; rows of fixed bodies are not read,
 * and each array of the result is optional. */
static void test_states_are_passed(void **state)
{
    (void)state;
    rct_body bodies[3] = {reference_rod(-1, 1.0), reference_rod(0, 2.0), reference_rod(1, 3.0)};
    bodies[1].hinge = RCT_HINGE_FIXED;
    reference_case *passed = reference_case_of(bodies, 3);
    const double q[12] = {3e-160, 4e-160, 0, 0, NAN, NAN, NAN, NAN, 0, 0, 1e160, 0};
    const double w[9] = {1, 2, 3, NAN, NAN, NAN, -1, 0, 0.5};
    assert_int_equal(
        rct_reference_evaluate(passed->model, RCT_REFERENCE_LAGRANGE, q, w, &passed->result, NULL),
        RCT_OK);
    bodies[0].orientation[0] = 0.6;
    bodies[0].orientation[1] = 0.8;
    bodies[2].orientation[0] = 0.0;
    bodies[2].orientation[2] = 1.0;
    for (int a = 0; a < 3; a++) {
        bodies[0].angular_velocity[a] = w[a];
        bodies[2].angular_velocity[a] = w[6 + a];
    }
    reference_case *initial = reference_case_of(bodies, 3);
    assert_int_equal(reference_case_run(initial, RCT_REFERENCE_LAGRANGE), RCT_OK);
    assert_true(reference_case_difference(passed, initial) < 1e-14);
    rct_reference_result none = {.residual = NAN};
    assert_int_equal(
        rct_reference_evaluate(passed->model, RCT_REFERENCE_LAGRANGE, q, w, &none, NULL), RCT_OK);
    assert_true(none.residual < 1e-20);
    reference_case_free(initial);
    reference_case_free(passed);
}

/* Nothing determines the spin of a line that hangs on its own axis, in any orientation; with a
 * child off the axis or a fixed hinge it is determined. */
static void test_undetermined_spin_is_singular(void **state)
{
    (void)state;
    const double turns[3][4] = {{1, 0, 0, 0}, {0.6, 0.8, 0, 0}, {0.1, 0.7, -0.4, 0.5}};
    for (int k = 0; k < 3; k++) {
        rct_body bodies[60];
        for (int i = 0; i < 60; i++) {
            bodies[i] = reference_rod(i - 1, 1.0);
        }
        bodies[0].inertia[0] = bodies[0].inertia[1] = 1.0 / 12.0;
        bodies[0].inertia[2] = 0.0;
        memcpy(bodies[0].orientation, turns[k], sizeof turns[k]);
        for (int n = 1; n <= 60; n += n < 3 ? 1 : 57) { /* dense and sparse */
            reference_case *r = reference_case_of(bodies, n);
            assert_int_equal(reference_case_run(r, RCT_REFERENCE_LAGRANGE), RCT_ERROR_SINGULAR);
            assert_int_equal(r->error.body, -1);
            assert_non_null(strstr(r->error.text, "undetermined"));
            reference_case_free(r);
        }
        bodies[1].hinge_at[0] = 0.1;
        reference_case *determined = reference_case_of(bodies, 60);
        assert_int_equal(reference_case_run(determined, RCT_REFERENCE_LAGRANGE), RCT_OK);
        reference_case_free(determined);
    }
}

/* Masses from milligrams to a thousand tonnes must not count as singular. */
static void test_masses_over_many_decades(void **state)
{
    (void)state;
    rct_body bodies[20];
    for (int i = 0; i < 20; i++) {
        bodies[i] = reference_rod(i - 1, i % 3 == 0 ? 1e-6 : i % 3 == 1 ? 1e6 : 1.0);
        bodies[i].orientation[1] = 0.1 * i;
    }
    reference_case *r = reference_case_of(bodies, 20);
    assert_int_equal(reference_case_run(r, RCT_REFERENCE_LAGRANGE), RCT_OK);
    assert_true(r->result.residual < 1e-20);
    reference_case_free(r);
}

/* Orientations are not the state of a slider; a passed state is used if it is complete. */
static void test_states_of_models(void **state)
{
    (void)state;
    rct_body bodies[2] = {reference_rod(-1, 1.0), reference_rod(0, 1.0)};
    bodies[1].hinge = RCT_HINGE_HELICAL;
    bodies[1].hinge_pitch = 0.2;
    bodies[1].hinge_axis[0] = 1.0;
    reference_case *r = reference_case_of(bodies, 2);
    const double w[6] = {0.0};
    double q[5] = {0.6, 0.8, 0.0, 0.0, 0.3}, u[4] = {1.0, 2.0, 3.0, 4.0}, derivatives[4];
    assert_int_equal(
        rct_reference_evaluate(r->model, RCT_REFERENCE_LAGRANGE, NULL, w, &r->result, &r->error),
        RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(r->error.text, "has a helical hinge"));
    r->result.derivatives = derivatives;
    assert_int_equal(rct_reference_evaluate_at(r->model, RCT_REFERENCE_LAGRANGE, 0.0, q, u,
                                               &r->result, &r->error),
                     RCT_OK);
    memcpy(bodies[0].orientation, q, 4 * sizeof *q);
    memcpy(bodies[0].angular_velocity, u, 3 * sizeof *u);
    bodies[1].position[0] = q[4];
    bodies[1].rate[0] = u[3];
    reference_case *initial = reference_case_of(bodies, 2);
    assert_int_equal(reference_case_run(initial, RCT_REFERENCE_LAGRANGE), RCT_OK);
    assert_true(reference_case_difference(r, initial) < 1e-14);
    for (int a = 0; a < 3; a++) {
        assert_true(derivatives[a] == r->angular[a]);
    }
    u[3] = NAN;
    assert_int_equal(rct_reference_evaluate_at(r->model, RCT_REFERENCE_LAGRANGE, 0.0, q, u,
                                               &r->result, &r->error),
                     RCT_ERROR_ARGUMENT);
    assert_int_equal(r->error.body, 1);
    assert_non_null(strstr(r->error.text, "coordinates or rates are not finite"));
    assert_int_equal(rct_reference_evaluate_at(r->model, RCT_REFERENCE_LAGRANGE, NAN, NULL, NULL,
                                               &r->result, &r->error),
                     RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(r->error.text, "the time is nan"));
    reference_case_free(initial);
    reference_case_free(r);
}

static void test_short_memory_is_an_error(void **state)
{
    (void)state;
    const int sizes[2] = {10, 60}; /* dense, sparse */
    for (int size = 0; size < 2; size++) {
        for (int reference = 0; reference < 2; reference++) {
            reference_case *r = reference_swinging_chain(reference == 1 ? 5 : sizes[size]);
            rct_status status = RCT_ERROR_MEMORY;
            int64_t k = 0;
            for (; status == RCT_ERROR_MEMORY && k < 100; k++) {
                r->error.status = RCT_OK;
                rct_allocate_fail_after(k);
                status = reference_case_run(r, (rct_reference)reference);
                rct_allocate_fail_after(-1);
                assert_int_equal(r->error.status, status);
            }
            assert_int_equal(status, RCT_OK);
            assert_true(k > 3);
            reference_case_free(r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_invalid_models_are_refused),
        cmocka_unit_test(test_bad_states_are_refused),
        cmocka_unit_test(test_states_are_passed),
        cmocka_unit_test(test_undetermined_spin_is_singular),
        cmocka_unit_test(test_masses_over_many_decades),
        cmocka_unit_test(test_states_of_models),
        cmocka_unit_test(test_short_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
