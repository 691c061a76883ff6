/* Checks of one method of closing loops (method_trial.h). */
#include "tests/closure/method_trial.h"

#include "core/memory.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1 };

method_trial trial_begin(const rct_closure_method *method, const closed_system *s)
{
    method_trial t = {.method = method, .work = method->create(s->closures, NULL)};
    const size_t rows = (size_t)s->problem.rows->count + 1;
    t.gap = calloc(rows, sizeof *t.gap);
    t.lambda = calloc(rows, sizeof *t.lambda);
    t.change = calloc((size_t)s->rates, sizeof *t.change);
    assert_non_null(t.work);
    assert_true(t.gap != NULL && t.lambda != NULL && t.change != NULL);
    return t;
}

void trial_factor(method_trial *t, const closed_system *s)
{
    rct_error error;
    if (t->method->factor(t->work, &s->problem, &t->report, &error) != RCT_OK) {
        fail_msg("%s: %s", t->method->name, error.text);
    }
}

void trial_solve(method_trial *t)
{
    rct_error error;
    if (t->method->solve(t->work, t->gap, t->lambda, t->change, &t->report, &error) != RCT_OK) {
        fail_msg("%s: %s", t->method->name, error.text);
    }
}

void trial_end(method_trial *t)
{
    t->method->destroy(t->work);
    free(t->gap);
    free(t->lambda);
    free(t->change);
}

/* Largest difference over the largest number. */
double trial_apart(const double *a, const double *b, int64_t count)
{
    double difference = 0.0, size = 0.0;
    for (int64_t i = 0; i < count; i++) {
        difference = larger(difference, fabs(a[i] - b[i]));
        size = larger(size, fabs(b[i]));
    }
    return size > 0.0 ? difference / size : difference;
}

rct_model *trial_tree(uint64_t seed, int hinges)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = 14, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = hinges};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    return model;
}

/* A gap that some rates close: J x. */
void trial_draw_gap(method_trial *t, closed_system *s, uint64_t seed)
{
    const int64_t rates = s->rates, rows = s->problem.rows->count;
    double *J = closed_system_jacobian(s);
    uint64_t random = seed;
    draw_numbers(&random, t->change, (int)rates, 1.0);
    for (int64_t i = 0; i < rows; i++) {
        t->gap[i] = 0.0;
        for (int64_t r = 0; r < rates; r++) {
            t->gap[i] += J[i * rates + r] * t->change[r];
        }
    }
    free(J);
}

/* Rank, lambda and change of the method and of the slow answer. */
void trial_check_answer(const method_trial *t, const closed_system *s, uint64_t seed,
                        double tolerance)
{
    const int32_t rows = s->problem.rows->count;
    double *lambda = calloc((size_t)rows + 1, sizeof *lambda);
    double *change = calloc((size_t)s->rates, sizeof *change);
    const int32_t rank = closed_system_answer(s, t->gap, lambda, change);
    assert_int_equal(t->report.rank, rank);
    assert_int_equal(t->report.dependent >= 0, rank < rows);
    const double far = trial_apart(t->change, change, s->rates);
    const double force = trial_apart(t->lambda, lambda, rows);
    if (!(far <= tolerance) || !(force <= 10.0 * tolerance)) {
        fail_msg("%s, seed %d: off by %g, lambda by %g, rank %d of %d", t->method->name, (int)seed,
                 far, force, (int)rank, (int)rows);
    }
    free(lambda);
    free(change);
}

void trial_check_random(const rct_closure_method *method, uint64_t seed, int32_t loops,
                        double consistent, double inconsistent)
{
    rct_model *model = trial_tree(seed, ALL_HINGES);
    closed_add_random(model, loops, ALL_TYPES, seed + 100);
    closed_system s = closed_system_create(model, 0.0);
    method_trial t = trial_begin(method, &s);
    trial_draw_gap(&t, &s, seed);
    trial_factor(&t, &s);
    trial_solve(&t);
    assert_true(t.report.residual <= 1e-10);
    trial_check_answer(&t, &s, seed, consistent);
    uint64_t random = seed; /* and a gap that, with more rows than freedoms, nothing closes */
    draw_numbers(&random, t.gap, s.problem.rows->count, 1.0);
    trial_solve(&t);
    trial_check_answer(&t, &s, seed, inconsistent);
    if (t.report.rank < s.problem.rows->count) {
        assert_true(t.report.residual > 1e-3 && t.report.worst >= 0);
    }
    trial_end(&t);
    closed_system_free(&s);
    rct_model_free(model);
}

/* The first loop of a model once more. */
static void repeat(rct_model *model)
{
    rct_loop loop;
    assert_int_equal(rct_model_loop(model, 0, &loop, NULL), RCT_OK);
    loop.name = NULL;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
}

/* The same ball loop up to three times: the same change, and the force shared equally. */
void trial_check_repeated(const rct_closure_method *method)
{
    rct_model *model = trial_tree(3, 1 << RCT_HINGE_BALL);
    double first[3] = {0.0}, *change = NULL;
    closed_add_random(model, 1, 1 << RCT_LOOP_BALL, 31);
    for (int times = 1; times <= 3; times++) {
        closed_system s = closed_system_create(model, 0.0);
        method_trial t = trial_begin(method, &s);
        for (int i = 0; i < 3 * times; i++) {
            t.gap[i] = 1.0 + i % 3;
        }
        trial_factor(&t, &s);
        trial_solve(&t);
        assert_int_equal(t.report.rank, 3);
        assert_true(t.report.residual <= 1e-12);
        if (times == 1) {
            assert_int_equal(t.report.dependent, -1);
            memcpy(first, t.lambda, sizeof first);
            change = t.change;
            t.change = NULL;
        } else {
            assert_in_range(t.report.dependent, 0, 3 * times - 1);
            assert_true(trial_apart(t.change, change, s.rates) <= 1e-12);
        }
        for (int i = 0; i < 3 * times; i++) {
            assert_true(fabs(t.lambda[i] * times - first[i % 3]) <= 1e-11 * fabs(first[i % 3]));
        }
        trial_end(&t);
        closed_system_free(&s);
        repeat(model);
    }
    free(change);
    rct_model_free(model);
}

/* The same loop twice with opposite gaps: the best change is zero, and the whole gap remains. */
void trial_check_contradiction(const rct_closure_method *method)
{
    rct_model *model = trial_tree(4, 1 << RCT_HINGE_BALL);
    closed_add_random(model, 1, 1 << RCT_LOOP_BALL, 41);
    repeat(model);
    closed_system s = closed_system_create(model, 0.0);
    method_trial t = trial_begin(method, &s);
    t.gap[1] = 2.0;
    t.gap[4] = -2.0;
    trial_factor(&t, &s);
    trial_solve(&t);
    assert_true(fabs(t.report.residual - 1.0) <= 1e-12);
    assert_true(t.report.worst == 1 || t.report.worst == 4);
    for (int64_t r = 0; r < s.rates; r++) {
        assert_true(fabs(t.change[r]) <= 1e-12);
    }
    trial_end(&t);
    closed_system_free(&s);
    rct_model_free(model);
}

void trial_check_none(const rct_closure_method *method)
{
    rct_model *model = trial_tree(5, ALL_HINGES);
    closed_system s = closed_system_create(model, 0.0);
    method_trial t = trial_begin(method, &s);
    memset(t.change, 1, (size_t)s.rates * sizeof *t.change);
    trial_factor(&t, &s);
    trial_solve(&t);
    assert_int_equal(t.report.rank, 0);
    assert_int_equal(t.report.dependent, -1);
    assert_int_equal(t.report.worst, -1);
    assert_true(t.report.residual == 0.0);
    for (int64_t r = 0; r < s.rates; r++) {
        assert_true(t.change[r] == 0.0);
    }
    trial_end(&t);
    closed_system_free(&s);
    rct_model_free(model);
}

/* A chain of two revolute hinges about an oblique axis, or of fixed ones. */
static rct_model *hinged_pair(rct_hinge_type hinge)
{
    rct_model *model = rct_model_create(NULL, NULL);
    for (int32_t b = 0; b < 2; b++) {
        rct_body body = rct_body_default();
        body.parent = b - 1;
        body.hinge = hinge;
        if (hinge == RCT_HINGE_REVOLUTE) {
            memcpy(body.hinge_axis, (const double[3]){0.3, -0.7, 0.4}, sizeof body.hinge_axis);
            body.position[0] = 0.4 + b;
        }
        memcpy(body.hinge_at, (const double[3]){0.9, 0.2, -0.3}, sizeof body.hinge_at);
        memcpy(body.com, (const double[3]){0.3, 0.5, 0.1}, sizeof body.com);
        memcpy(body.inertia, (const double[6]){0.2, 0.25, 0.3}, sizeof body.inertia);
        body.mass = 1.5;
        rct_error error;
        if (rct_model_add_body(model, &body, NULL, &error) != RCT_OK) {
            fail_msg("%s", error.text);
        }
    }
    return model;
}

/* A loop with exactly the constraints of a hinge: between a body and its parent, and to the
 * ground. */
static void check_held(const rct_closure_method *method, rct_hinge_type hinge, int32_t body)
{
    rct_model *model = hinged_pair(hinge);
    rct_body own;
    rct_loop loop = rct_loop_default();
    assert_int_equal(rct_model_body(model, body, &own, NULL), RCT_OK);
    loop.type = hinge == RCT_HINGE_REVOLUTE ? RCT_LOOP_REVOLUTE : RCT_LOOP_FIXED;
    loop.body = body;
    loop.other = own.parent;
    memcpy(loop.other_at, own.hinge_at, sizeof loop.other_at);
    if (hinge == RCT_HINGE_REVOLUTE) {
        memcpy(loop.axis, own.hinge_axis, sizeof loop.axis);
    }
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    closed_system s = closed_system_create(model, 0.0);
    method_trial t = trial_begin(method, &s);
    t.gap[1] = 1.0;
    trial_factor(&t, &s);
    trial_solve(&t);
    assert_int_equal(t.report.rank, 0);
    assert_in_range(t.report.dependent, 0, s.problem.rows->count - 1);
    assert_true(t.report.residual == 1.0);
    assert_int_equal(t.report.worst, 1);
    for (int64_t r = 0; r < s.rates; r++) {
        assert_true(t.change[r] == 0.0);
    }
    for (int32_t i = 0; i < s.problem.rows->count; i++) {
        assert_true(fabs(t.lambda[i]) <= 1e-12);
    }
    trial_end(&t);
    closed_system_free(&s);
    rct_model_free(model);
}

void trial_check_held(const rct_closure_method *method)
{
    for (int32_t body = 0; body < 2; body++) {
        check_held(method, RCT_HINGE_REVOLUTE, body);
        check_held(method, RCT_HINGE_FIXED, body);
    }
}

/* In other states of the same rows, and with other active loops, the answers are those of a new
 * method. */
void trial_check_again(const rct_closure_method *method)
{
    rct_model *model = trial_tree(8, ALL_HINGES);
    closed_add_random(model, 6, ALL_TYPES, 81);
    closed_system s = closed_system_create(model, 0.0);
    method_trial t = trial_begin(method, &s);
    const int64_t empty = method->bytes(t.work);
    trial_factor(&t, &s);
    const int64_t full = method->bytes(t.work);
    assert_true(full > empty + s.rates * s.problem.rows->count * (int64_t)sizeof(double));
    rct_allocate_fail_after(0); /* no allocation while rows stay the same */
    trial_factor(&t, &s);
    trial_draw_gap(&t, &s, 5);
    trial_solve(&t);
    rct_allocate_fail_after(-1);
    trial_check_answer(&t, &s, 8, 1e-9);
    rct_closures_set_active(s.closures, 3, 0);
    closed_system_renew(&s, 0.0);
    trial_factor(&t, &s);
    trial_solve(&t);
    trial_check_answer(&t, &s, 8, 1e-9);
    assert_true(method->bytes(t.work) < full);
    trial_end(&t);
    closed_system_free(&s);
    rct_model_free(model);
}

/* Every failing allocation gives RCT_ERROR_MEMORY, and the next factor is complete. */
void trial_check_memory(const rct_closure_method *method)
{
    rct_model *model = trial_tree(9, ALL_HINGES);
    closed_add_random(model, 3, ALL_TYPES, 91);
    closed_system s = closed_system_create(model, 0.0);
    method_trial t = trial_begin(method, &s);
    rct_error error;
    rct_status status = RCT_ERROR_MEMORY;
    int failures = 0;
    for (; status == RCT_ERROR_MEMORY; failures++) {
        rct_allocate_fail_after(failures);
        status = method->factor(t.work, &s.problem, &t.report, &error);
        rct_allocate_fail_after(-1);
    }
    assert_int_equal(status, RCT_OK);
    assert_in_range(failures, 8, 40);
    trial_draw_gap(&t, &s, 6);
    trial_solve(&t);
    trial_check_answer(&t, &s, 9, 1e-9);
    rct_allocate_fail_after(0);
    assert_null(method->create(s.closures, &error));
    rct_allocate_fail_after(-1);
    trial_end(&t);
    closed_system_free(&s);
    rct_model_free(model);
    method->destroy(NULL);
}

/* Input that is not finite is reported. */
void trial_check_not_finite(const rct_closure_method *method)
{
    rct_model *model = trial_tree(10, ALL_HINGES);
    closed_add_random(model, 2, 1 << RCT_LOOP_BALL, 101);
    closed_system s = closed_system_create(model, 0.0);
    rct_closure_end *end_of_row = (rct_closure_end *)(uintptr_t)s.problem.rows->ends;
    end_of_row[0].wrench[4] = NAN;
    rct_error error;
    method_trial t = trial_begin(method, &s);
    assert_int_equal(method->factor(t.work, &s.problem, &t.report, &error), RCT_ERROR_DIVERGED);
    assert_non_null(strstr(error.text, "finite"));
    trial_end(&t);
    closed_system_free(&s);
    rct_model_free(model);
}
