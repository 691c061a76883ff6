/* Constraint embedding of long loops against the equations that define a solution, M change = J*
 * lambda, J change + gap = 0; and loops that are too large for it. */
#include "tests/support/cmocka_all.h"

#include "tests/closure/embedding_case.h"
#include "tests/support/systems/closed_system.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rct_closure_method *const method = &rct_closure_embedding;

/* A chain of ball hinges whose last hinge point is pinned in its place. */
static rct_model *pinned_chain(int32_t bodies)
{
    const hinge_system chain = {.tree = {.shape = SHAPE_CHAIN, .bodies = bodies, .seed = 5},
                                .hinges = 1 << RCT_HINGE_BALL};
    rct_model *model = hinge_system_create(&chain);
    closed_system s = closed_system_create(model, 0.0);
    rct_loop pin = rct_loop_default();
    pin.body = bodies - 1;
    memcpy(pin.other_at, s.state.position + 3 * ((int64_t)bodies - 1), sizeof pin.other_at);
    assert_int_equal(rct_model_add_loop(model, &pin, NULL, NULL), RCT_OK);
    closed_system_free(&s);
    return model;
}

/* |M change - J* lambda| over |M change|. */
static double imbalance(const closed_system *s, const solution *x)
{
    const int64_t n = s->n, v = s->rates;
    double *load = zeros(6 * n), *effort = zeros(v), *given = zeros(v), *taken = zeros(v);
    rct_closure_give(s->problem.rows, x->lambda, load, load + 3 * n, effort);
    rct_operator_gather(s->problem.operators, 1, load, load + 3 * n, given);
    rct_operator_mass(s->problem.operators, 1, x->change, taken);
    for (int64_t i = 0; i < v; i++) {
        given[i] += effort[i];
    }
    const double off = differ(given, taken, v);
    free(load);
    free(effort);
    free(given);
    free(taken);
    return off;
}

static void test_long_loop(void **state)
{
    (void)state;
    rct_model *model = pinned_chain(660);
    closed_system s = closed_system_create(model, 0.0);
    solution x = embed_begin(&s);
    assert_int_equal(s.rates, 1980);
    x.gap[0] = 1.0;
    x.gap[1] = -2.0;
    x.gap[2] = 0.5;
    embed_solve(&x);
    assert_int_equal(x.report.rank, 3);
    assert_true(x.report.residual <= 1e-11);
    assert_true(imbalance(&s, &x) <= 1e-10);
    embed_end(&x);
    closed_system_free(&s);
    rct_model_free(model);
}

/* |change - M^-1 J* lambda|: lambda applied as loads moves the tree as the solution does. */
static double unlike_loads(const closed_system *s, const solution *x)
{
    double *load = zeros(6 * (int64_t)s->n), *effort = zeros(s->rates);
    double *moved = zeros(s->rates);
    rct_closure_give(s->problem.rows, x->lambda, load, load + 3 * (int64_t)s->n, effort);
    rct_operator_gather(s->problem.operators, 1, load, load + 3 * (int64_t)s->n, moved);
    for (int64_t i = 0; i < s->rates; i++) {
        moved[i] += effort[i];
    }
    rct_operator_solve(s->problem.operators, 1, moved, moved);
    const double off = differ(x->change, moved, s->rates);
    free(load);
    free(effort);
    free(moved);
    return off;
}

/* Long and nearly straight: a dense mass matrix in relative rates leaves seven digits at 640
 * rods. */
static void test_straight_loops(void **state)
{
    (void)state;
    for (int32_t rods = 10; rods <= 640; rods *= 2) {
        rct_model *model = upright();
        for (int32_t k = 0; k < rods; k++) {
            add_rod(model, k - 1, k > 0 ? 1.0 : 0.0, 1.0, 1.0, 0.001, 0.0);
        }
        closed_system open = closed_system_create(model, 0.0);
        rct_loop pin = rct_loop_default();
        pin.type = RCT_LOOP_PLANAR_REVOLUTE;
        pin.body = rods - 1;
        memcpy(pin.other_at, open.state.position + 3 * ((int64_t)rods - 1), sizeof pin.other_at);
        assert_int_equal(rct_model_add_loop(model, &pin, NULL, NULL), RCT_OK);
        closed_system s = closed_system_create(model, 0.0);
        solution x = embed_begin(&s);
        x.gap[0] = 1.0;
        x.gap[1] = -2.0;
        embed_solve(&x);
        assert_true(x.report.residual <= 1e-11);
        assert_true(unlike_loads(&s, &x) <= 1e-12 * rods); /* 5e-7 at 640 without refinement */
        embed_end(&x);
        closed_system_free(&s);
        closed_system_free(&open);
        rct_model_free(model);
    }
}

static void refuse(const rct_model *model, const char *words)
{
    closed_system s = closed_system_create(model, 0.0);
    rct_closure_report report;
    rct_error error;
    void *work = method->create(s.closures, NULL);
    assert_int_equal(method->factor(work, &s.problem, &report, &error), RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, words));
    assert_non_null(strstr(error.text, "admittance"));
    assert_true(error.body >= 0);
    method->destroy(work);
    closed_system_free(&s);
}

static void test_too_large(void **state)
{
    (void)state;
    rct_model *model = pinned_chain(700);
    refuse(model, "2097 of the rates are independent");
    rct_model_free(model);
}

/* The error names the first loop of the part that is too large, not the first loop of the model. */
static void test_too_large_is_named(void **state)
{
    (void)state;
    rct_model *model = upright();
    rct_loop clamp = rct_loop_default();
    add_rod(model, RCT_GROUND, 0.0, 1.0, 1.0, 0.0, 0.0);
    add_closure(model, RCT_LOOP_SLOT, 0, 1.0, RCT_GROUND, 1.0);
    for (int32_t k = 0; k < 2100; k++) {
        add_rod(model, k == 0 ? RCT_GROUND : k, 1.0, 1.0, 1.0, 0.0, 0.0);
    }
    clamp.name = "clamp";
    clamp.type = RCT_LOOP_PLANAR_REVOLUTE;
    clamp.body = 2100;
    clamp.other_at[0] = 2100.0;
    assert_int_equal(rct_model_add_loop(model, &clamp, NULL, NULL), RCT_OK);
    refuse(model, "loop \"clamp\" and those that share bodies with it are 2 constraints on 2100 "
                  "bodies with 2100 rates, from body 1 outward: 2098 of the rates are independent");
    rct_model_free(model);
    model = pinned_chain(700);
    refuse(model, "loop \"loop0\" and those that share bodies with it are 3 constraints");
    rct_model_free(model);
}

/* More rows on one rod than a dense aggregate takes. */
static void test_many_rows(void **state)
{
    (void)state;
    rct_model *model = upright();
    add_rod(model, RCT_GROUND, 0.0, 1.0, 1.0, 0.0, 0.0);
    for (int k = 0; k < 1366; k++) {
        add_closure(model, RCT_LOOP_FIXED, 0, 0.0, RCT_GROUND, 0.0);
    }
    closed_system s = closed_system_create(model, 0.0);
    solution x = embed_begin(&s);
    assert_int_equal(s.problem.rows->count, 8196);
    assert_non_null(((const rct_embedding *)x.work)->block[0].sparse);
    assert_int_equal(x.report.rank, 1);
    assert_int_equal(x.report.dependent, 8195);
    for (int32_t i = 0; i < 8196; i++) {
        x.gap[i] = s.problem.rows->ends[i].wrench[2]; /* of a turn about z */
    }
    embed_solve(&x);
    assert_true(fabs(x.change[0] + 1.0) <= 1e-14);
    assert_true(imbalance(&s, &x) <= 1e-12);
    const double each = largest(x.lambda, 8196); /* of least length: all equal */
    for (int32_t i = 0; i < 8196; i++) {
        assert_true(x.lambda[i] == 0.0 || fabs(fabs(x.lambda[i]) - each) <= 1e-12 * each);
    }
    embed_end(&x);
    closed_system_free(&s);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_loop),          cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_too_large_is_named), cmocka_unit_test(test_straight_loops),
        cmocka_unit_test(test_many_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
