/* Both methods against the refined Lagrangian system, normwise to 1e-12, and against Newton's and
 * Euler's equations of every body: all families, and random systems of every shape with welded and
 * shuffled bodies, masses over three decades, fast spins, any gravity. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/newton_euler.h"
#include "tests/support/answers/reference_case.h"
#include "tests/support/answers/solution.h"
#include "tests/support/systems/random_system.h"
#include "tests/support/systems/tree_families.h"

#include <math.h>
#include <string.h>

static const double limit = 1e-12;

/* The bound for Newton's and Euler's equations, whose terms cancel: on 1,200 random systems with
 * masses over three decades riccati leaves 1.2e-12 at the 99.9th percentile and 3.9e-12 at most,
 * abi 6e-13. */
static const double violation_limit = 5e-12;

/* `what` names the model in a failure. Frees the model. */
static void expect_agreement(rct_model *model, const char *what, int64_t number)
{
    assert_non_null(model);
    solution truth = solution_by_reference(model);
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        solution s = solution_by(model, (rct_method)method);
        const double difference = solution_difference(model, &s, &truth);
        const newton_euler n = {NULL, NULL, s.linear, s.angular, s.force, s.moment};
        const double violation = newton_euler_violation(model, &n);
        if (!(difference <= limit && violation <= violation_limit)) {
            fail_msg("%s %d, %s, %d bodies: %g from the reference, violation %g", what, (int)number,
                     rct_method_name((rct_method)method), (int)rct_model_body_count(model),
                     difference, violation);
        }
        solution_free(&s);
    }
    solution_free(&truth);
    rct_model_free(model);
}

static void test_families(void **state)
{
    (void)state;
    const char *const *names = tree_families;
    for (int f = 0; names[f] != NULL; f++) {
        for (int64_t n = 7; n <= 500; n += n / 2) {
            for (int k = 0; k < 3; k++) {
                const rct_family family = {.family = names[f],
                                           .bodies = n,
                                           .hinge = RCT_HINGE_BALL,
                                           .seed = (uint64_t)(n + k),
                                           .perturb = k == 0 ? 0.0 : 1.0};
                expect_agreement(rct_model_generate(&family, NULL), names[f], k);
            }
        }
    }
}

static void test_welded_families(void **state)
{
    (void)state;
    const char *const *names = tree_families;
    for (int f = 0; names[f] != NULL; f++) {
        for (int64_t n = 7; n <= 500; n *= 3) {
            const rct_family family = {.family = names[f],
                                       .bodies = n,
                                       .hinge = RCT_HINGE_FIXED,
                                       .seed = (uint64_t)n,
                                       .perturb = 1.0,
                                       .systems = 1};
            expect_agreement(rct_model_generate(&family, NULL), names[f], n);
        }
    }
}

static void test_families_of_500(void **state)
{
    (void)state;
    const char *const *names = tree_families;
    for (int f = 0; names[f] != NULL; f++) {
        const rct_family family = {.family = names[f],
                                   .bodies = 500,
                                   .hinge = RCT_HINGE_BALL,
                                   .seed = 500,
                                   .perturb = 1.0,
                                   .systems = 1};
        expect_agreement(rct_model_generate(&family, NULL), names[f], 500);
    }
}

/* Every combination of shape, welding, order and spin, with varying sizes and seeds. */
static void test_random_systems(void **state)
{
    (void)state;
    const double spins[3] = {0.0, 1.0, 50.0};
    for (int k = 0; k < 240; k++) {
        const random_system system = {
            .shape = (random_shape)(k % 4),
            .bodies = 1 + (k < 200 ? 7 * k % 150 : 10 * k % 500),
            .fixed = k / 4 % 2 == 0 ? 0.0 : 0.3,
            .shuffled = k / 8 % 2,
            .spin = spins[k / 16 % 3],
            .seed = (uint64_t)(1000 + k),
        };
        expect_agreement(random_system_create(&system), "random system", k);
    }
}

/* Bodies welded to the ground, to each other, and between ball hinges; several roots. */
static void test_mostly_welded(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        const random_system system = {(random_shape)(k % 4), 1 + 5 * k, 0.8, 1, 5.0, (uint64_t)k};
        expect_agreement(random_system_create(&system), "welded system", k);
    }
}

static void test_gravity_of_any_kind(void **state)
{
    (void)state;
    const double gravity[5][3] = {
        {0.0, 0.0, 0.0}, {9.81, 0.0, 0.0}, {0.0, -9.81, 0.0}, {3.0, -4.0, 5.0}, {0.0, 0.0, 1e6}};
    for (int k = 0; k < 40; k++) {
        const random_system system = {(random_shape)(k % 4), 1 + 3 * k, 0.2, k % 2, k % 3,
                                      (uint64_t)(77 + k)};
        rct_model *model = random_system_create(&system);
        assert_int_equal(rct_model_set_gravity(model, gravity[k % 5], NULL), RCT_OK);
        expect_agreement(model, "gravity", k % 5);
    }
}

/* No motion and no forces: all results are exactly zero. */
static void test_nothing_happens_without_a_reason(void **state)
{
    (void)state;
    const double none[3] = {0.0, 0.0, 0.0};
    const random_system system = {SHAPE_TREE, 200, 0.3, 1, 0.0, 3};
    rct_model *model = random_system_create(&system);
    assert_int_equal(rct_model_set_gravity(model, none, NULL), RCT_OK);
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        solution s = solution_by(model, (rct_method)method);
        for (int i = 0; i < 600; i++) {
            assert_true(s.linear[i] == 0.0 && s.angular[i] == 0.0);
            assert_true(s.force[i] == 0.0 && s.moment[i] == 0.0);
        }
        solution_free(&s);
    }
    rct_model_free(model);
}

/* The bodies of a weld and those of a hinge show the numbers that they would show alone: a rod
 * welded on the ground carries the whole chain that hangs on it. */
static void test_chain_on_a_bracket(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("bracket", NULL);
    for (int32_t i = 0; i < 5; i++) {
        rct_body body = reference_rod(i - 1, 2.0);
        body.hinge = i < 2 ? RCT_HINGE_FIXED : RCT_HINGE_BALL;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        solution s = solution_by(model, (rct_method)method);
        for (int32_t i = 0; i < 5; i++) {
            assert_true(fabs(s.force[3 * i + 2] - 2.0 * 9.81 * (5 - i)) < 1e-13);
            for (int a = 0; a < 3; a++) {
                assert_true(fabs(s.linear[3 * i + a]) < 1e-14 && s.moment[3 * i + a] == 0.0);
            }
        }
        solution_free(&s);
    }
    expect_agreement(model, "bracket", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_welded_families),
        cmocka_unit_test(test_families_of_500),
        cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_mostly_welded),
        cmocka_unit_test(test_gravity_of_any_kind),
        cmocka_unit_test(test_nothing_happens_without_a_reason),
        cmocka_unit_test(test_chain_on_a_bracket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
