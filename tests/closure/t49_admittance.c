/* Closing loops by the admittance of seed 001 against dense singular values, on random systems. */
#include "tests/support/cmocka_all.h"

#include "tests/closure/admittance_check.h"
#include "tests/support/draw.h"
#include "tests/support/systems/closed_system.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rct_closure_method *const method = &rct_closure_admittance;

/* Up to 12 loops of all types among 14 bodies: far more rows than rates; most gaps cannot be
 * cancelled. */
static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        rct_model *model =
            admittance_model(seed, 14, ALL_HINGES, 1 + (int32_t)(seed % 12), ALL_TYPES);
        closed_system s = closed_system_create(model, 0.0);
        double gap[MOST_ROWS];
        uint64_t random = seed;
        draw_numbers(&random, gap, s.problem.rows->count, 1.0);
        admittance_check(&s, gap, 0, (int)seed);
        admittance_draw_gap(&s, seed, gap);
        admittance_check(&s, gap, 1, (int)seed);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* Trees without support: a free hinge passes no wrench inward. */
static void test_floating(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const hinge_system system = {
            .tree = {.shape = SHAPE_TREE, .bodies = 20, .shuffled = 1, .spin = 1.0, .seed = seed},
            .hinges = ALL_HINGES,
            .floating = 1};
        rct_model *model = hinge_system_create(&system);
        closed_add_random(model, 4, ALL_TYPES, seed);
        closed_system s = closed_system_create(model, 0.0);
        double gap[MOST_ROWS];
        admittance_draw_gap(&s, seed, gap);
        admittance_check(&s, gap, 1, (int)seed);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

static void test_relations(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rct_model *model = admittance_model(seed, 30, ALL_HINGES, 8, 1 << RCT_LOOP_RELATION);
        closed_system s = closed_system_create(model, 0.0);
        double gap[MOST_ROWS];
        assert_int_equal(s.problem.rows->count, 8);
        admittance_draw_gap(&s, seed, gap);
        admittance_check(&s, gap, 1, (int)seed);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* The same loop twice: the two share the multipliers, which is the least length; then the gaps of
 * the two differ. */
static void test_twice(void **state)
{
    (void)state;
    rct_model *model = admittance_model(6, 20, 1 << RCT_HINGE_BALL, 1, 1 << RCT_LOOP_BALL);
    rct_loop loop;
    rct_model_loop(model, 0, &loop, NULL);
    loop.name = NULL;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    closed_system s = closed_system_create(model, 0.0);
    double lambda[6], gap[6] = {0.3, -0.2, 0.5, 0.3, -0.2, 0.5};
    double *change = calloc((size_t)s.rates, sizeof *change);
    rct_closure_report report;
    void *work = method->create(s.closures, NULL);
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    assert_int_equal(report.rank, 3);
    assert_true(report.dependent >= 0 && report.dependent < 6);
    assert_int_equal(method->solve(work, gap, lambda, change, &report, NULL), RCT_OK);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(lambda[i] - lambda[i + 3]) <= 1e-11 * norm(lambda, 6));
    }
    assert_true(report.residual <= 1e-12);
    admittance_check(&s, gap, 1, 0);
    gap[3] = 0.7; /* 0.5 in both directions is the best possible */
    assert_int_equal(method->solve(work, gap, lambda, change, &report, NULL), RCT_OK);
    assert_true(fabs(report.residual - 0.2 / 0.7) <= 1e-10);
    assert_true(report.worst == 0 || report.worst == 3);
    admittance_check(&s, gap, 0, 0);
    method->destroy(work);
    free(change);
    closed_system_free(&s);
    rct_model_free(model);
}

/* No loop, then one, then none again. */
static void test_none(void **state)
{
    (void)state;
    rct_model *model = admittance_model(6, 20, 1 << RCT_HINGE_BALL, 1, 1 << RCT_LOOP_BALL);
    closed_system s = closed_system_create(model, 0.0);
    void *work = method->create(s.closures, NULL);
    double lambda[3], gap[3] = {1.0, 2.0, 3.0};
    double *change = calloc((size_t)s.rates, sizeof *change);
    rct_closure_report report;
    for (int round = 0; round < 4; round++) {
        const int active = round % 2;
        rct_closures_set_active(s.closures, 0, active);
        closed_system_renew(&s, 0.0);
        change[0] = 7.0;
        assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
        assert_int_equal(report.rank, 3 * active);
        assert_int_equal(method->solve(work, gap, lambda, change, &report, NULL), RCT_OK);
        assert_true(report.residual <= 1e-13);
        assert_true(active ? norm(change, s.rates) > 0.0 : norm(change, s.rates) == 0.0);
        assert_true(method->bytes(work) >= (active ? 1000 : 100));
    }
    method->destroy(work);
    method->destroy(NULL);
    free(change);
    closed_system_free(&s);
    rct_model_free(model);
}

/* All rows on one body, more rows than it has freedoms. */
static void test_one_body(void **state)
{
    (void)state;
    rct_model *model = admittance_model(5, 3, 1 << RCT_HINGE_UNIVERSAL, 0, ALL_TYPES);
    for (int i = 0; i < 4; i++) {
        rct_loop loop = rct_loop_default();
        loop.body = 2;
        loop.at[i % 3] = 0.5 + 0.1 * i;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    closed_system s = closed_system_create(model, 0.0);
    double gap[12];
    admittance_draw_gap(&s, 8, gap);
    admittance_check(&s, gap, 1, 0);
    closed_system_free(&s);
    rct_model_free(model);
}

/* A revolute loop along a revolute hinge: all its constraints are already satisfied. */
static void test_held(void **state)
{
    (void)state;
    rct_model *model = admittance_model(5, 3, 1 << RCT_HINGE_REVOLUTE, 0, ALL_TYPES);
    rct_loop loop = rct_loop_default();
    rct_body body;
    rct_model_body(model, 1, &body, NULL);
    loop.type = RCT_LOOP_REVOLUTE;
    loop.body = 1;
    loop.other = body.parent;
    memcpy(loop.other_at, body.hinge_at, sizeof loop.other_at);
    memcpy(loop.other_orientation, body.hinge_orientation, sizeof loop.other_orientation);
    memcpy(loop.axis, body.hinge_axis, sizeof loop.axis);
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    closed_system s = closed_system_create(model, 0.0);
    double lambda[5], gap[5] = {0.0, 1.0, 0.0, 0.5, 0.0}, change[3];
    rct_closure_report report;
    void *work = method->create(s.closures, NULL);
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    assert_int_equal(report.rank, 0);
    assert_in_range(report.dependent, 0, 4);
    assert_int_equal(method->solve(work, gap, lambda, change, &report, NULL), RCT_OK);
    assert_true(norm(lambda, 5) == 0.0 && norm(change, 3) == 0.0);
    assert_true(report.residual == 1.0);
    assert_int_equal(report.worst, 1);
    method->destroy(work);
    closed_system_free(&s);
    rct_model_free(model);
}

static void test_not_finite(void **state)
{
    (void)state;
    rct_model *model = admittance_model(6, 20, 1 << RCT_HINGE_BALL, 1, 1 << RCT_LOOP_BALL);
    closed_system s = closed_system_create(model, 0.0);
    rct_closure_end *end = (rct_closure_end *)(uintptr_t)s.problem.rows->ends;
    rct_closure_report report;
    rct_error error;
    void *work = method->create(s.closures, NULL);
    end[1].wrench[4] = NAN;
    assert_int_equal(method->factor(work, &s.problem, &report, &error), RCT_ERROR_DIVERGED);
    assert_non_null(strstr(error.text, "finite"));
    end[1].wrench[4] = 0.1;
    assert_int_equal(method->factor(work, &s.problem, &report, &error), RCT_OK);
    method->destroy(work);
    closed_system_free(&s);
    rct_model_free(model);
}

/* Two ball loops, and the first one again: multipliers without effect are rows 0 to 2 against rows
 * 6 to 8. */
static rct_model *twice_beside_one(void)
{
    rct_model *model = admittance_model(6, 20, 1 << RCT_HINGE_BALL, 2, 1 << RCT_LOOP_BALL);
    rct_loop loop;
    rct_model_loop(model, 0, &loop, NULL);
    loop.name = NULL;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    return model;
}

/* A body whose hinge has a heavy rotor and hardly turns holds the loop. Rows move like the free
 * body that carries it, ten million times as much as by the path of their end alone, and E is
 * scaled by that. */
static void test_carried(void **state)
{
    (void)state;
    rct_model *model = rct_model_create(NULL, NULL);
    assert_non_null(model);
    rct_body body = rct_body_default();
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.4;
    body.hinge = RCT_HINGE_FREE;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    body.hinge = RCT_HINGE_REVOLUTE;
    body.parent = 0;
    body.hinge_at[0] = 1.0;
    body.com[1] = 0.3;
    body.armature[0] = 1e7;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    for (int i = 0; i < 2; i++) {
        rct_loop loop = rct_loop_default();
        loop.body = 1;
        loop.at[i] = 0.5;
        loop.other_at[0] = 1.0 + loop.at[0];
        loop.other_at[1] = loop.at[1];
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    double gap[MOST_ROWS];
    closed_system s = closed_system_create(model, 0.0);
    admittance_draw_gap(&s, 4, gap);
    admittance_check(&s, gap, 1, 0);
    rct_closure_report report;
    rct_admittance *work = rct_admittance_create(&tight, NULL);
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    assert_true(work->components.scale[0] > 0.1);
    method->destroy(work);
    closed_system_free(&s);
    rct_model_free(model);
}

/* Rows so weak that their Lambda is of the order of E, beside dependent rows: powers of the
 * projection separate them slowly, but they do. */
static void test_weak_rows(void **state)
{
    (void)state;
    rct_model *model = twice_beside_one();
    for (int k = 0; k < 8; k++) {
        const double weak[] = {1e-6, 2e-6, 4e-6, 1e-5};
        closed_system s = closed_system_create(model, 0.0);
        const rct_closure_rows *rows = s.problem.rows;
        rct_closure_end *end = (rct_closure_end *)(uintptr_t)rows->ends;
        for (int32_t e = rows->ends_at[3]; e < rows->ends_at[6]; e++) {
            for (int j = 0; j < 6; j++) {
                end[e].wrench[j] *= weak[k / 2];
            }
        }
        rct_closure_report report;
        rct_error error;
        double v[9], null[9];
        uint64_t random = 3;
        draw_numbers(&random, v, 9, 1.0);
        rct_admittance *work = rct_admittance_create(k % 2 ? &tight : &usual, NULL);
        assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
        assert_int_equal(rct_admittance_null_part(work, v, null, &error), RCT_OK);
        for (int i = 0; i < 9; i++) {
            const double expected = i / 3 == 1 ? 0.0 : 0.5 * (v[i] - v[i < 3 ? i + 6 : i - 6]);
            if (!(fabs(null[i] - expected) <= 1e-2)) {
                fail_msg("%g, row %d: %g, not %g", weak[k / 2], i, null[i], expected);
            }
        }
        method->destroy(work);
        closed_system_free(&s);
    }
    rct_model_free(model);
}

static void expect_doubt(rct_status status, const rct_error *error)
{
    assert_int_equal(status, RCT_ERROR_LOOP);
    assert_non_null(strstr(error->text, "9 constraints"));
    assert_non_null(strstr(error->text, "multipliers"));
}

/* Extreme rounding, here an E that is not that of the factors: powers grow or never converge. */
static void test_in_doubt(void **state)
{
    (void)state;
    rct_model *model = twice_beside_one();
    closed_system s = closed_system_create(model, 0.0);
    rct_closure_report report;
    rct_error error;
    double lambda[9], gap[9] = {0.3, -0.2, 0.5, 0.1, 0.7, -0.4, 0.6, 0.2, -0.1};
    double *change = calloc((size_t)s.rates, sizeof *change);
    for (int k = 0; k < 4; k++) {
        rct_admittance *work = rct_admittance_create(k % 2 ? &tight : &usual, NULL);
        assert_int_equal(method->factor(work, &s.problem, &report, &error), RCT_OK);
        assert_int_equal(method->solve(work, gap, lambda, change, &report, &error), RCT_OK);
        for (int i = 0; i < 9; i++) {
            work->shift[i] *= k < 2 ? 1.05 : i % 2 ? 1.04 : 0.96;
        }
        expect_doubt(method->solve(work, gap, lambda, change, &report, &error), &error);
        if (k % 2) {
            assert_true(work->reduced->front != NULL);
            expect_doubt(rct_admittance_rank(work, &report, &error), &error);
        }
        method->destroy(work);
    }
    free(change);
    closed_system_free(&s);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),    cmocka_unit_test(test_floating),
        cmocka_unit_test(test_relations), cmocka_unit_test(test_twice),
        cmocka_unit_test(test_none),      cmocka_unit_test(test_one_body),
        cmocka_unit_test(test_held),      cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_carried),   cmocka_unit_test(test_weak_rows),
        cmocka_unit_test(test_in_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
