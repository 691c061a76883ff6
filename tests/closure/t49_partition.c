/* Coordinate partitioning: a change of the dependent coordinates alone closes a gap, and there are
 * as many dependent coordinates as independent constraints. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/closure/method_trial.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ANY_TYPE = (1 << RCT_LOOP_TYPES) - 1 };

/* |J change + gap| over the largest |gap|, by an explicit J. */
static double left_of(closed_system *s, const method_trial *t)
{
    double *J = closed_system_jacobian(s), left = 0.0, size = 0.0;
    for (int64_t i = 0; i < s->problem.rows->count; i++) {
        double sum = t->gap[i];
        for (int64_t r = 0; r < s->rates; r++) {
            sum += J[i * s->rates + r] * t->change[r];
        }
        left = larger(left, fabs(sum));
        size = larger(size, fabs(t->gap[i]));
    }
    free(J);
    return left / size;
}

static int64_t kept(const closed_system *s, const method_trial *t)
{
    int64_t count = 0;
    for (int64_t r = 0; r < s->rates; r++) {
        count += t->change[r] == 0.0;
    }
    return count;
}

/* The rank by singular values in the metric of M. */
static int32_t rank_of(const closed_system *s, const method_trial *t)
{
    double *lambda = calloc((size_t)(s->problem.rows->count + s->rates), sizeof *lambda);
    const int32_t rank = closed_system_answer(s, t->gap, lambda, lambda + s->problem.rows->count);
    free(lambda);
    return rank;
}

static void check_random(uint64_t seed, int32_t loops)
{
    rct_model *model = trial_tree(seed, ALL_HINGES);
    closed_add_random(model, loops, ANY_TYPE, seed + 100);
    closed_system s = closed_system_create(model, 0.0);
    method_trial t = trial_begin(&rct_closure_partition, &s);
    trial_draw_gap(&t, &s, seed);
    trial_factor(&t, &s);
    trial_solve(&t);
    assert_int_equal(t.report.rank, rank_of(&s, &t));
    if (!(left_of(&s, &t) <= 1e-10) || !(t.report.residual <= 1e-10)) {
        fail_msg("seed %d: %g of the gap is left, %g by itself", (int)seed, left_of(&s, &t),
                 t.report.residual);
    }
    assert_int_equal(kept(&s, &t), s.rates - t.report.rank);
    uint64_t random = seed; /* and a gap that, with more rows than freedoms, nothing closes */
    draw_numbers(&random, t.gap, s.problem.rows->count, 1.0);
    trial_solve(&t);
    assert_true(fabs(left_of(&s, &t) - t.report.residual) <= 1e-9);
    assert_true(t.report.rank == s.problem.rows->count ? t.report.residual <= 1e-9
                                                       : t.report.residual > 1e-3);
    trial_end(&t);
    closed_system_free(&s);
    rct_model_free(model);
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        check_random(seed, 2);
        check_random(seed, 5);
        check_random(seed, 20);
    }
}

static void test_none(void **state)
{
    (void)state;
    trial_check_none(&rct_closure_partition);
}

static void test_not_finite(void **state)
{
    (void)state;
    trial_check_not_finite(&rct_closure_partition);
}

/* Every failing allocation gives RCT_ERROR_MEMORY, and the next factor is complete. */
static void test_memory(void **state)
{
    (void)state;
    rct_model *model = trial_tree(9, ALL_HINGES);
    closed_add_random(model, 3, ANY_TYPE, 91);
    closed_system s = closed_system_create(model, 0.0);
    method_trial t = trial_begin(&rct_closure_partition, &s);
    rct_status status = RCT_ERROR_MEMORY;
    int failures = 0;
    for (; status == RCT_ERROR_MEMORY; failures++) {
        rct_allocate_fail_after(failures);
        status = t.method->factor(t.work, &s.problem, &t.report, NULL);
        rct_allocate_fail_after(-1);
    }
    assert_int_equal(status, RCT_OK);
    assert_in_range(failures, 8, 20);
    rct_allocate_fail_after(0); /* no allocation while rows stay the same */
    trial_factor(&t, &s);
    rct_allocate_fail_after(-1);
    trial_draw_gap(&t, &s, 6);
    trial_solve(&t);
    assert_true(left_of(&s, &t) <= 1e-10);
    trial_end(&t);
    closed_system_free(&s);
    rct_model_free(model);
}

/* 11,586 rates and as many constraints need a little more than 1 GiB; refused before any
 * allocation. */
static void test_too_large(void **state)
{
    (void)state;
    enum { BODIES = 11586 };
    rct_family family = rct_family_default();
    family.bodies = BODIES;
    family.hinge = RCT_HINGE_REVOLUTE;
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    for (int32_t b = 0; b < BODIES; b++) {
        rct_loop loop = rct_loop_default();
        loop.type = RCT_LOOP_DISTANCE;
        loop.length = 1.0;
        loop.body = b;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    closed_system s = closed_system_create(model, 0.0);
    method_trial t = trial_begin(&rct_closure_partition, &s);
    rct_error error;
    rct_allocate_fail_after(0);
    const rct_status status = t.method->factor(t.work, &s.problem, &t.report, &error);
    rct_allocate_fail_after(-1);
    assert_int_equal(status, RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "11586 constraints"));
    assert_non_null(strstr(error.text, "projection"));
    trial_end(&t);
    closed_system_free(&s);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),    cmocka_unit_test(test_none),
        cmocka_unit_test(test_memory),    cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
