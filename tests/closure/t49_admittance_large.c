/* Closing loops by the admittance of seed 001 on chains and trees of many loops: against dense
 * singular values, and for more loops than these can take, against the equations that define a
 * solution. */
#include "tests/support/cmocka_all.h"

#include "closure/admittance.h"
#include "tests/closure/admittance_check.h"
#include "tests/support/draw.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/loop_models.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rct_closure_method *const method = &rct_closure_admittance;

static rct_model *four_bars(int32_t loops, rct_loop_type type)
{
    rct_model *model = loop_model_four_bars(loops, type, NULL);
    assert_non_null(model);
    return model;
}

/* Four-bars side by side, closed in the plane and in space, where three rows of five are
 * redundant. */
static void test_four_bars(void **state)
{
    (void)state;
    static const int32_t loops[] = {1, 5, 40};
    for (int i = 0; i < 6; i++) {
        const int spatial = i % 2;
        rct_model *model =
            four_bars(loops[i / 2], spatial ? RCT_LOOP_REVOLUTE : RCT_LOOP_PLANAR_REVOLUTE);
        closed_system s = closed_system_create(model, 0.0);
        double gap[MOST_ROWS];
        admittance_draw_gap(&s, 4, gap);
        const difference d = admittance_compare(&s, &usual, gap);
        assert_int_equal(d.rank, 2 * loops[i / 2]);
        admittance_check(&s, gap, 1, i);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* For a large system: the gap is closed, the change is M^-1 J* lambda, Lambda is symmetric, and
 * repeated factors are the same, as those of stages are. Returns the rank. */
static int32_t check_large(const rct_model *model, const int32_t *most, double tolerance)
{
    closed_system s = closed_system_create(model, 0.0);
    const int32_t rows = s.problem.rows->count;
    const int64_t n = s.n, rates = s.rates;
    double *x = calloc((size_t)(6 * rows + 4 * rates + 6 * n), sizeof *x);
    double *gap[2] = {x, x + rows}, *lambda[2] = {x + 2 * rows, x + 3 * rows},
           *again = x + 4 * rows;
    double *change = x + 6 * rows, *force = change + 2 * rates, *moment = force + 3 * n;
    double *effort = moment + 3 * n, *whole = effort + rates;
    rct_closure_report report, solved;
    rct_admittance *work = rct_admittance_create(most, NULL);
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    for (int k = 0; k < 2; k++) {
        admittance_draw_gap(&s, 10 + (uint64_t)k, gap[k]);
        assert_int_equal(method->solve(work, gap[k], lambda[k], change, &solved, NULL), RCT_OK);
        if (!(solved.residual <= tolerance)) {
            fail_msg("%d rows: %g of the gap is left", (int)rows, solved.residual);
        }
    }
    rct_closure_give(s.problem.rows, lambda[1], force, moment, effort); /* M change = J* lambda */
    rct_operator_gather(s.problem.operators, 1, force, moment, whole);
    rct_operator_mass(s.problem.operators, 1, change, change);
    for (int64_t i = 0; i < rates; i++) {
        whole[i] += effort[i];
    }
    assert_true(distance(whole, change, rates) <= 1e-9 * norm(whole, rates));
    double cross[2] = {0.0, 0.0};
    for (int32_t i = 0; i < rows; i++) {
        cross[0] += gap[0][i] * lambda[1][i];
        cross[1] += gap[1][i] * lambda[0][i];
    }
    assert_true(fabs(cross[0] - cross[1]) <=
                1e3 * tolerance * norm(gap[0], rows) * norm(lambda[1], rows));
    for (int open = 0; open <= RCT_STAGE_FOLLOWS; open++) {
        s.problem.open = open;
        assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
        assert_int_equal(method->solve(work, gap[1], again, change, &solved, NULL), RCT_OK);
        assert_memory_equal(again, lambda[1], (size_t)rows * sizeof *again);
    }
    method->destroy(work);
    free(x);
    closed_system_free(&s);
    return report.rank;
}

static void test_large(void **state)
{
    (void)state;
    rct_model *model = four_bars(1000, RCT_LOOP_PLANAR_REVOLUTE);
    assert_int_equal(check_large(model, &usual, 1e-11), 2000);
    rct_model_free(model);
    model = four_bars(1000, RCT_LOOP_REVOLUTE);
    assert_int_equal(check_large(model, &usual, 1e-11), 2000);
    rct_model_free(model);
    model = loop_model_ladder(8, RCT_LOOP_PLANAR_REVOLUTE, NULL);
    assert_int_equal(check_large(model, &tight, 1e-11), 16);
    rct_model_free(model);
    model = loop_model_ladder(300, RCT_LOOP_PLANAR_REVOLUTE, NULL);
    assert_int_equal(check_large(model, &usual, 1e-10), 600);
    rct_model_free(model);
    model = loop_model_necklace(10000, NULL);
    assert_int_equal(check_large(model, &usual, 1e-9), 3);
    rct_model_free(model);
}

/* A thousand closures on one body, in the given orientation and rotated a little. */
static void test_hub(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        rct_family family = rct_family_default();
        family.family = "hub";
        family.bodies = 2001;
        family.hinge = i % 2 ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL;
        family.perturb = i < 2 ? 0.0 : 0.1;
        rct_model *model = rct_model_generate(&family, NULL);
        assert_non_null(model);
        assert_int_equal(check_large(model, &usual, 1e-10), i % 2 ? 2000 : 3000);
        rct_model_free(model);
    }
}

/* Two hundred closures along one chain; then fifty, two of them repeated among five others. */
static void test_one_chain(void **state)
{
    (void)state;
    rct_family family = rct_family_default();
    family.bodies = 2000;
    family.perturb = 0.5;
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    assert_int_equal(loop_model_close(model, 200, 7, NULL), RCT_OK);
    assert_int_equal(check_large(model, &usual, 1e-10), 600);
    rct_model_free(model);
    model = rct_model_generate(&family, NULL);
    assert_int_equal(loop_model_close(model, 50, 7, NULL), RCT_OK);
    assert_int_equal(loop_model_close(model, 5, 7, NULL), RCT_OK);
    assert_int_equal(check_large(model, &usual, 1e-10), 165 - 6);
    rct_model_free(model);
}

static rct_model *closed_family(const char *name, int32_t bodies, int32_t closures)
{
    rct_family family = rct_family_default();
    family.family = name;
    family.bodies = bodies;
    family.perturb = 0.5;
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    assert_int_equal(loop_model_close(model, closures, 12, NULL), RCT_OK);
    return model;
}

/* Branching trees. The hub of the star has more arms that can be held in two directions of three
 * than there are searched null vectors. */
static void test_trees(void **state)
{
    (void)state;
    static const char *const families[] = {"binary", "random", "comb", "star"};
    for (int i = 0; i < 4; i++) {
        double gap[MOST_ROWS];
        rct_model *model = closed_family(families[i], 121, 40);
        closed_system s = closed_system_create(model, 0.0);
        admittance_draw_gap(&s, 4, gap);
        assert_true(admittance_compare(&s, &usual, gap).front);
        admittance_check(&s, gap, 1, i);
        closed_system_free(&s);
        rct_model_free(model);
        model = closed_family(families[i], 901, 300);
        check_large(model, &usual, 1e-9);
        rct_model_free(model);
    }
}

static void gear(rct_model *model, int32_t wheel, int32_t other, double ratio)
{
    const rct_loop_term terms[2] = {{.body = wheel, .factor = 1.0 / hypot(1.0, ratio)},
                                    {.body = other, .factor = -ratio / hypot(1.0, ratio)}};
    rct_loop loop = rct_loop_default();
    loop.type = RCT_LOOP_RELATION;
    loop.terms = terms;
    loop.term_count = 2;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
}

/* Wheels on the ground, each geared to the one before, and one of them also to the first,
 * consistently with the others: the share of rows in the dependent constraint decreases from wheel
 * to wheel, so that no pivot shows it. */
static void test_hidden(void **state)
{
    (void)state;
    enum { WHEELS = 57, CLOSED = 14, SLOW = 30 };
    uint64_t seed = 1;
    for (int trial = 0; trial < 12; trial++) {
        double gap[MOST_ROWS], ratio[WHEELS], whole = 1.0;
        rct_model *model = rct_model_create("wheels", NULL);
        for (int i = 0; i < WHEELS; i++) {
            rct_body body = rct_body_default();
            body.hinge = RCT_HINGE_REVOLUTE;
            body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
            assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
            ratio[i] = i <= CLOSED ? draw_between(&seed, 2.4, 2.9)
                       : i <= SLOW ? draw_between(&seed, 0.38, 0.47)
                                   : draw_between(&seed, 0.7, 1.1);
            whole *= i > 0 && i <= CLOSED ? ratio[i] : 1.0;
        }
        for (int i = WHEELS - 1; i > 0; i--) {
            if (i == CLOSED) {
                gear(model, 0, CLOSED, 1.0 / whole);
            }
            gear(model, i, i - 1, ratio[i]);
        }
        closed_system s = closed_system_create(model, 0.0);
        admittance_draw_gap(&s, 4, gap);
        assert_int_equal(admittance_compare(&s, &usual, gap).rank, WHEELS - 1);
        admittance_check(&s, gap, 1, trial);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* What a wrong lambda leaves of a gap shows how wrong it is, also where the error lies along the
 * least eigenvectors, as that of Lambda^-1 b does. Returns whether nothing is doubted. */
static int check_error(const rct_model *model)
{
    closed_system s = closed_system_create(model, 0.0);
    const int32_t rows = s.problem.rows->count;
    double *lambda = calloc((size_t)(3 * rows), sizeof *lambda);
    double *rest = lambda + rows, *wrong = rest + rows;
    rct_closure_report report;
    rct_admittance *work = rct_admittance_create(&usual, NULL);
    assert_int_equal(method->factor(work, &s.problem, &report, NULL), RCT_OK);
    const int plain = work->plain;
    uint64_t seed = 5;
    draw_numbers(&seed, lambda, rows, 10.0);
    for (int k = 0; k < 20 && plain; k++) {
        draw_numbers(&seed, rest, rows, 1e-6);
        rct_admittance_respond(work, rest, wrong);
        const double told = rct_admittance_error(work, rest, lambda);
        const double true_error = norm(wrong, rows) / norm(lambda, rows);
        if (!(told >= 0.5 * true_error && told <= 1e3 * true_error)) {
            fail_msg("%d rows: an error of %g is told as %g", (int)rows, true_error, told);
        }
    }
    method->destroy(work);
    free(lambda);
    closed_system_free(&s);
    return plain;
}

static void test_errors(void **state)
{
    (void)state;
    static const char *const families[] = {"chain", "branch", "binary", "random", "comb"};
    int plain = 0;
    for (int i = 0; i < 10; i++) {
        rct_model *model = closed_family(families[i / 2], 900, i % 2 ? 60 : 200);
        plain += check_error(model);
        rct_model_free(model);
    }
    assert_true(plain >= 5); /* others have dependent rows */
    rct_model *model = four_bars(300, RCT_LOOP_PLANAR_REVOLUTE);
    assert_true(check_error(model));
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_bars), cmocka_unit_test(test_large),
        cmocka_unit_test(test_hub),       cmocka_unit_test(test_one_chain),
        cmocka_unit_test(test_trees),     cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
