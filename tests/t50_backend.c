/* What every backend must do, with every method: keep states bit for bit, give the same bits again, take
 * a step back. Backends that are not available are skipped. */
#include "cmocka_all.h"

#include "backend/backend.h"
#include "support/random_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 60 };

/* One backend with one method on one random tree. */
typedef struct suite {
    const rct_backend *backend;
    rct_method method;
    rct_model *model;
    rct_plan *plan;
    rct_run *run;
    int64_t numbers; /* of a state */
} suite;

static suite open_suite(const rct_backend *backend, rct_method method)
{
    const random_system system = {
        .bodies = BODIES, .fixed = 0.2, .shuffled = 1, .spin = 2.0, .seed = 11};
    suite s = {.backend = backend, .method = method, .model = random_system_create(&system)};
    rct_error error;
    assert_non_null(s.model);
    s.plan = rct_plan_create(s.model, &error);
    assert_non_null(s.plan);
    s.run = backend->create(s.plan, method, &error);
    assert_non_null(s.run);
    s.numbers = (int64_t)s.plan->links.count * STATE_FIELDS;
    return s;
}

static void close_suite(suite *s)
{
    s->backend->destroy(s->run);
    rct_plan_free(s->plan);
    rct_model_free(s->model);
}

static double *room(int64_t numbers)
{
    double *x = malloc((size_t)numbers * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < numbers; i++) {
        x[i] = NAN;
    }
    return x;
}

/* A state of quaternions near unit length and rates up to 2 rad/s, another for each `k`. */
static double *state_of(const suite *s, int k)
{
    double *x = room(s->numbers);
    for (int64_t i = 0; i < s->numbers; i++) {
        x[i] = (i % STATE_FIELDS < STATE_RATE ? 0.9 : 2.0) * sin(1.7 * (double)i + 0.9 * k + 1.0);
    }
    return x;
}

static void assert_same_bits(const double *a, const double *b, int64_t numbers)
{
    assert_memory_equal(a, b, (size_t)numbers * sizeof *a);
}

/* All results of an evaluation of state `x`: accelerations, forces, points, sums. */
static double *results_of(const suite *s, const double *x)
{
    const int64_t rows = 6 * (int64_t)s->plan->links.count;
    double *results = room(3 * rows + 8);
    rct_sums sums;
    s->backend->write_state(s->run, x);
    assert_int_equal(s->backend->evaluate(s->run).end, SWEEP_DONE);
    s->backend->read_accelerations(s->run, results);
    s->backend->read_forces(s->run, results + rows);
    s->backend->read_points(s->run, results + 2 * rows);
    s->backend->sums(s->run, &sums);
    memcpy(results + 3 * rows, &sums, sizeof sums);
    for (int64_t i = 0; i < 3 * rows + 8; i++) {
        assert_true(isfinite(results[i]));
    }
    return results;
}

static void check_state_keeps_its_bits(const suite *s)
{
    double *x = state_of(s, 1), *y = room(s->numbers);
    s->backend->write_state(s->run, x);
    s->backend->read_state(s->run, y);
    assert_same_bits(x, y, s->numbers);
    assert_int_equal(s->backend->evaluate(s->run).end, SWEEP_DONE);
    s->backend->read_state(s->run, y);
    assert_same_bits(x, y, s->numbers);
    free(x);
    free(y);
}

/* The same bits again, whatever was done in between, and from a run that did nothing before. */
static void check_results_depend_on_the_state_alone(const suite *s)
{
    const int64_t numbers = 18 * (int64_t)s->plan->links.count + 8;
    double *x = state_of(s, 1), *y = state_of(s, 2);
    suite fresh = *s;
    s->backend->write_state(s->run, x);
    s->backend->set_reference(s->run);
    double *first = results_of(s, x), *other = results_of(s, y);
    for (int stage = 0; stage < 4; stage++) {
        s->backend->rk4_stage(s->run, stage, 1e-2);
        s->backend->evaluate(s->run);
    }
    double *again = results_of(s, x);
    fresh.run = s->backend->create(s->plan, s->method, NULL);
    assert_non_null(fresh.run);
    s->backend->write_state(fresh.run, x);
    s->backend->set_reference(fresh.run);
    double *alone = results_of(&fresh, x);
    assert_same_bits(first, again, numbers);
    assert_same_bits(first, alone, numbers);
    assert_memory_not_equal(first, other, (size_t)numbers * sizeof *first);
    s->backend->destroy(fresh.run);
    free(first);
    free(other);
    free(again);
    free(alone);
    free(x);
    free(y);
}

/* rewind takes back a step after any of its stages. */
static void check_rewind(const suite *s)
{
    double *x = state_of(s, 3), *y = room(s->numbers);
    for (int last = 0; last < 4; last++) {
        s->backend->write_state(s->run, x);
        for (int stage = 0; stage <= last; stage++) {
            assert_int_equal(s->backend->evaluate(s->run).end, SWEEP_DONE);
            assert_int_equal(s->backend->rk4_stage(s->run, stage, 1e-2).end, SWEEP_DONE);
        }
        s->backend->read_state(s->run, y);
        assert_memory_not_equal(x, y, (size_t)s->numbers * sizeof *x);
        s->backend->rewind(s->run);
        s->backend->read_state(s->run, y);
        assert_same_bits(x, y, s->numbers);
    }
    free(x);
    free(y);
}

static void check_facts(const suite *s)
{
    const rct_backend *found = rct_backend_find(s->backend->name, NULL);
    assert_ptr_equal(found, s->backend);
    assert_true(s->backend->bytes(s->run) >= s->numbers * (int64_t)sizeof(double));
    assert_true(s->backend->threads(s->run) >= 1);
}

/* ---- the suite ---------------------------------------------------------------------------- */

static void on_every_backend(void (*check)(const suite *))
{
    int ran = 0;
    for (int i = 0; rct_backend_list()[i] != NULL; i++) {
        const rct_backend *backend = rct_backend_list()[i];
        const char *reason = backend->unavailable();
        if (reason != NULL) {
            print_message("%s skipped: %s\n", backend->name, reason);
            continue;
        }
        for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
            suite s = open_suite(backend, (rct_method)method);
            check(&s);
            close_suite(&s);
            ran++;
        }
    }
    assert_true(ran >= 2);
}

static void test_state_keeps_its_bits(void **state)
{
    (void)state;
    on_every_backend(check_state_keeps_its_bits);
}

static void test_results_depend_on_the_state_alone(void **state)
{
    (void)state;
    on_every_backend(check_results_depend_on_the_state_alone);
}

static void test_rewind(void **state)
{
    (void)state;
    on_every_backend(check_rewind);
}

static void test_facts(void **state)
{
    (void)state;
    on_every_backend(check_facts);
}

static void test_list(void **state)
{
    (void)state;
    rct_error error;
    assert_non_null(rct_backend_list()[0]);
    assert_non_null(rct_backend_find(NULL, NULL));
    assert_ptr_equal(rct_backend_find("auto", NULL), rct_backend_find(NULL, NULL));
    assert_null(rct_backend_find("abacus", &error));
    assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "abacus"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_state_keeps_its_bits),
        cmocka_unit_test(test_results_depend_on_the_state_alone),
        cmocka_unit_test(test_rewind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
