/* Many closures on one body: every method on hubs, with an order of elimination that takes account
 * of the hub and without; duplicate closures, and more closures than the hub has freedoms.
 * t49_admittance_large.c has a thousand closures. */
#include "tests/support/cmocka_all.h"

#include "closure/admittance.h"
#include "tests/closure/admittance_check.h"
#include "tests/support/systems/closed_system.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rct_model *hub(int32_t arms, rct_hinge_type hinge, double perturb)
{
    rct_family family = rct_family_default();
    family.family = "hub";
    family.bodies = 2 * arms + 1;
    family.hinge = hinge;
    family.perturb = perturb;
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    return model;
}

/* The first `count` closures once more. */
static void repeat(rct_model *model, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        rct_loop loop;
        assert_int_equal(rct_model_loop(model, i, &loop, NULL), RCT_OK);
        loop.name = NULL;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
}

/* Against dense singular values: small hubs without a front, then with one. */
static void test_against_dense(void **state)
{
    static const int32_t arms[] = {1, 4, 20, 33, 50};
    (void)state;
    for (int i = 0; i < 10; i++) {
        double gap[MOST_ROWS];
        const int flat = i % 2, per = flat ? 2 : 3;
        rct_model *model = hub(arms[i / 2], flat ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL, 0.2);
        closed_system s = closed_system_create(model, 0.0);
        admittance_draw_gap(&s, 3, gap);
        const difference d = admittance_compare(&s, &usual, gap);
        assert_int_equal(d.rank, per * arms[i / 2]);
        assert_int_equal(d.front, per * arms[i / 2] > 96);
        admittance_check(&s, gap, 1, i);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* Duplicate closures: few, whose rank is found by null vectors, and all, by pivots. Duplicates
 * share the multipliers, and the named row is one of a duplicate. */
static void test_twice(void **state)
{
    static const int32_t again[] = {1, 7, 33};
    (void)state;
    for (int i = 0; i < 6; i++) {
        const int32_t arms = 33, twice = again[i / 2], rows = 3 * (arms + twice);
        double gap[MOST_ROWS], lambda[MOST_ROWS];
        rct_closure_report report, solved;
        rct_model *model = hub(arms, RCT_HINGE_BALL, i % 2 ? 0.3 : 0.0);
        repeat(model, twice);
        closed_system s = closed_system_create(model, 0.0);
        double *change = calloc((size_t)s.rates, sizeof *change);
        void *work = rct_closure_admittance.create(s.closures, NULL);
        admittance_draw_gap(&s, 5, gap);
        assert_int_equal(rct_closure_admittance.factor(work, &s.problem, &report, NULL), RCT_OK);
        assert_int_equal(s.problem.rows->count, rows);
        assert_int_equal(report.rank, 3 * arms);
        assert_true(report.dependent >= 0 && report.dependent % (3 * arms) < 3 * twice);
        assert_int_equal(rct_closure_admittance.solve(work, gap, lambda, change, &solved, NULL),
                         RCT_OK);
        assert_true(solved.residual <= 1e-12);
        for (int32_t k = 0; k < 3 * twice; k++) {
            assert_true(fabs(lambda[k] - lambda[3 * arms + k]) <= 1e-10 * norm(lambda, rows));
        }
        admittance_check(&s, gap, 1, i);
        rct_closure_admittance.destroy(work);
        free(change);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* The ground also holds the disc in many points, in more than its freedoms: rows that nothing but
 * the hub resists. */
static void test_held_by_the_ground(void **state)
{
    (void)state;
    for (int32_t arms = 1; arms <= 11; arms += 10) {
        double gap[MOST_ROWS];
        rct_model *model = hub(arms, RCT_HINGE_BALL, 0.0);
        for (int i = 0; i < 33; i++) {
            rct_loop loop = rct_loop_default();
            loop.at[i % 3] = loop.other_at[i % 3] = 0.5 + 0.1 * i;
            assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
        }
        closed_system s = closed_system_create(model, 0.0);
        admittance_draw_gap(&s, 9, gap);
        const difference d = admittance_compare(&s, &usual, gap);
        assert_true(d.front && d.rank == 6 + 3 * arms);
        admittance_check(&s, gap, 1, arms);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* lambda of a method, then change. */
static double *answer(const rct_closure_method *method, const closed_system *s, const double *gap)
{
    const int32_t rows = s->problem.rows->count;
    rct_closure_report report;
    double *found = calloc((size_t)(rows + s->rates), sizeof *found);
    void *work = method->create(s->closures, NULL);
    assert_int_equal(method->factor(work, &s->problem, &report, NULL), RCT_OK);
    assert_int_equal(report.rank, rows);
    assert_int_equal(method->solve(work, gap, found, found + rows, &report, NULL), RCT_OK);
    if (!(report.residual <= 1e-11)) {
        fail_msg("%s leaves %g of the gap", method->name, report.residual);
    }
    method->destroy(work);
    return found;
}

/* Sparse systems of all bodies give the same. */
static void test_against_multipliers(void **state)
{
    (void)state;
    for (int flat = 0; flat < 2; flat++) {
        rct_model *model = hub(50, flat ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL, 0.1);
        closed_system s = closed_system_create(model, 0.0);
        const int32_t rows = s.problem.rows->count;
        double *gap = calloc((size_t)rows, sizeof *gap);
        assert_int_equal(rows, flat ? 100 : 150);
        admittance_draw_gap(&s, 7, gap);
        double *one = answer(&rct_closure_admittance, &s, gap);
        double *other = answer(&rct_closure_multipliers, &s, gap);
        assert_true(distance(one, other, rows) <= 1e-10 * norm(other, rows));
        assert_true(distance(one + rows, other + rows, s.rates) <=
                    1e-10 * norm(other + rows, s.rates));
        free(gap);
        free(one);
        free(other);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_dense),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_held_by_the_ground),
        cmocka_unit_test(test_against_multipliers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
