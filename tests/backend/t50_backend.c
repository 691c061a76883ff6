/* The contract of every backend, with every method, with and without segments: keep states bit for
 * bit, repeat the same bits, undo a failed step, describe how it divides the plan. Unavailable
 * backends are skipped. */
#include "tests/support/cmocka_all.h"

#include "backend/backend.h"
#include "tests/support/systems/random_system.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 60 };

static const rct_solver_options variants[] = {
    {.method = RCT_METHOD_ABI},
    {.method = RCT_METHOD_ABI, .threads = 3, .lanes = 1, .segment = 3},
    {.method = RCT_METHOD_ABI, .threads = 2, .segment = 7},
    {.method = RCT_METHOD_ABI, .segment = RCT_SEGMENT_AUTO},
    {.method = RCT_METHOD_RICCATI, .threads = 2, .segment = 5},
};

enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* One backend with one method on one random system. */
typedef struct suite {
    const rct_backend *backend;
    const rct_solver_options *options;
    rct_model *model;
    rct_plan *plan;
    rct_run *run;
    int64_t numbers; /* of a state */
} suite;

/* ---- the operations ----------------------------------------------------------------------- */

static const rct_ground at_rest = {.orientation = {1.0, 0.0, 0.0, 0.0},
                                   .rotation = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0},
                                   .linear = {0.0, 0.0, 9.81}};

static void create_run(suite *s)
{
    rct_error error;
    s->run = s->backend->create(s->plan, s->options, 0, &error);
    assert_non_null(s->run);
    s->backend->set_ground(s->run, &at_rest);
}

static void destroy_run(suite *s)
{
    s->backend->destroy(s->run);
}

static void write_state(const suite *s, const double *x)
{
    s->backend->write_state(s->run, x);
}

static void read_state(const suite *s, double *x)
{
    s->backend->read_state(s->run, x);
}

static rct_sweep_result evaluate(const suite *s)
{
    return s->backend->evaluate(s->run);
}

static rct_sweep_result rk4_stage(const suite *s, int stage, double dt)
{
    return s->backend->rk4_stage(s->run, stage, dt);
}

static rct_run_info describe(const suite *s)
{
    rct_run_info info;
    s->backend->describe(s->run, &info);
    return info;
}

/* The arrays that can be read of an evaluation: accelerations, derivatives of rates, forces. */
static int64_t results_count(const suite *s)
{
    return (6 + 3 + 6) * (int64_t)s->plan->links.count;
}

/* All of them; zeros for missing forces. */
static void read_results(const suite *s, double *results)
{
    const int64_t links = s->plan->links.count;
    s->backend->read_accelerations(s->run, results);
    s->backend->read_derivatives(s->run, results + 6 * links);
    if (s->backend->read_forces != NULL) {
        s->backend->read_forces(s->run, results + 9 * links);
    }
}

/* ---- systems ------------------------------------------------------------------------------ */

static suite open_suite(const rct_backend *backend, const rct_solver_options *options,
                        random_shape shape)
{
    const random_system system = {
        .shape = shape, .bodies = BODIES, .fixed = 0.2, .shuffled = 1, .spin = 2.0, .seed = 11};
    suite s = {.backend = backend, .options = options, .model = random_system_create(&system)};
    rct_error error;
    assert_non_null(s.model);
    s.plan = rct_plan_create(s.model, &error);
    assert_non_null(s.plan);
    create_run(&s);
    s.numbers = (int64_t)s.plan->links.count * STATE_FIELDS;
    return s;
}

static void close_suite(suite *s)
{
    destroy_run(s);
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

/* A state with quaternions near unit length and rates up to 2 rad/s, a different one for each
 * `k`. */
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

/* All results of an evaluation of state `x`. */
static double *results_of(const suite *s, const double *x)
{
    const int64_t numbers = results_count(s);
    double *results = room(numbers);
    memset(results, 0, (size_t)numbers * sizeof *results);
    write_state(s, x);
    assert_int_equal(evaluate(s).end, SWEEP_DONE);
    read_results(s, results);
    for (int64_t i = 0; i < numbers; i++) {
        assert_true(isfinite(results[i]));
    }
    return results;
}

static void check_state_keeps_its_bits(const suite *s)
{
    double *x = state_of(s, 1), *y = room(s->numbers);
    write_state(s, x);
    read_state(s, y);
    assert_same_bits(x, y, s->numbers);
    assert_int_equal(evaluate(s).end, SWEEP_DONE);
    read_state(s, y);
    assert_same_bits(x, y, s->numbers);
    free(x);
    free(y);
}

/* The same bits again, whatever happened in between, and from a solver that did nothing before. */
static void check_results_depend_on_the_state_alone(const suite *s)
{
    const int64_t numbers = results_count(s);
    double *x = state_of(s, 1), *y = state_of(s, 2);
    suite fresh = *s;
    write_state(s, x);
    double *first = results_of(s, x), *other = results_of(s, y);
    for (int stage = 0; stage < 4; stage++) {
        assert_int_equal(rk4_stage(s, stage, 1e-2).end, SWEEP_DONE);
    }
    double *again = results_of(s, x);
    create_run(&fresh);
    write_state(&fresh, x);
    double *alone = results_of(&fresh, x);
    assert_same_bits(first, again, numbers);
    assert_same_bits(first, alone, numbers);
    assert_memory_not_equal(first, other, (size_t)numbers * sizeof *first);
    destroy_run(&fresh);
    free(first);
    free(other);
    free(again);
    free(alone);
    free(x);
    free(y);
}

/* The stage in which a step of length dt from the present state fails; 4 if it does not fail. */
static int failing_stage(const suite *s, double dt)
{
    int stage = 0;
    rct_sweep_result result = {SWEEP_DONE, -1};
    while (stage < 4 && result.end == SWEEP_DONE) {
        result = rk4_stage(s, stage, dt);
        stage += result.end == SWEEP_DONE;
    }
    if (stage < 4) {
        assert_int_equal(result.end, SWEEP_NOT_FINITE);
        assert_in_range(result.link, 0, s->plan->links.count - 1);
    }
    return stage;
}

/* Rates grow as the square of the step in every stage: the longer the step, the earlier they
 * overflow. */
static void check_failed_step_is_taken_back(const suite *s)
{
    double *x = state_of(s, 3), *y = room(s->numbers);
    int failed[5] = {0};
    for (double dt = 1e-3; dt < 1e300; dt *= 1e3) {
        write_state(s, x);
        const int stage = failing_stage(s, dt);
        failed[stage]++;
        read_state(s, y);
        assert_int_equal(memcmp(x, y, (size_t)s->numbers * sizeof *x) == 0, stage < 4);
    }
    assert_true(failed[1] > 0 && failed[2] > 0 && failed[3] > 0 && failed[4] > 0);
    assert_int_equal(failed[0], 0);
    free(x);
    free(y);
}

/* A state whose accelerations overflow fails at once, and the failure is not attributed to the step
 * before. */
static void check_first_stage_fails(const suite *s)
{
    double *x = state_of(s, 4), *fast = state_of(s, 5), *y = room(s->numbers);
    fast[s->numbers - 1] = 1e200;
    write_state(s, x);
    assert_int_equal(failing_stage(s, 1e-3), 4);
    write_state(s, fast);
    assert_int_equal(failing_stage(s, 1e-3), 0);
    read_state(s, y);
    assert_same_bits(fast, y, s->numbers);
    write_state(s, fast);
    assert_int_equal(evaluate(s).end, SWEEP_NOT_FINITE);
    read_state(s, y);
    assert_same_bits(fast, y, s->numbers);
    write_state(s, x); /* no trace of the failure remains */
    assert_int_equal(failing_stage(s, 1e-3), 4);
    free(x);
    free(fast);
    free(y);
}

static void check_facts(const suite *s)
{
    const rct_run_info info = describe(s);
    assert_ptr_equal(rct_backend_find(s->backend->name, NULL), s->backend);
    assert_true(info.bytes >= s->numbers * (int64_t)sizeof(double));
    assert_true(info.threads >= 1);
    assert_true(info.lanes >= 1);
    const int cpu =
        strcmp(s->backend->name, "cpu") == 0; /* other backends have their own threads and lanes */
    if (cpu && s->options->threads > 0) {
        assert_int_equal(info.threads, s->options->threads);
    }
    if (cpu && s->options->lanes > 0) {
        assert_int_equal(info.lanes, s->options->lanes);
    }
    if (info.segment_length == 0) {
        assert_int_equal(info.segments, 0);
    }
    assert_int_equal(info.tiles, (info.segments + info.lanes - 1) / info.lanes);
    assert_true(info.tasks >= 0 && (!cpu || info.trunk >= info.segments));
    assert_true(info.bushes <= info.tasks && info.waves >= info.bushes);
    assert_true(info.padding >= 0);
    assert_true(cpu ? info.imbalance >= 1.0 && info.imbalance <= info.threads
                    : info.imbalance == 0.0);
}

/* ---- the suite ---------------------------------------------------------------------------- */

static void on_every_backend(void (*check)(const suite *))
{
    int ran = 0;
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        assert_int_equal(rct_backend_describe(i, &info, NULL), RCT_OK);
        const rct_backend *backend = rct_backend_find(info.name, NULL);
        if (backend == NULL) {
            print_message("%s skipped: %s\n", info.name, info.reason);
            continue;
        }
        for (int v = 0; v < 2 * VARIANTS; v++, ran++) {
            suite s = open_suite(backend, &variants[v / 2], v % 2 ? SHAPE_CHAIN : SHAPE_TREE);
            check(&s);
            close_suite(&s);
        }
    }
    assert_true(ran >= 2 * VARIANTS);
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

static void test_failed_step_is_taken_back(void **state)
{
    (void)state;
    on_every_backend(check_failed_step_is_taken_back);
}

static void test_first_stage_fails(void **state)
{
    (void)state;
    on_every_backend(check_first_stage_fails);
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
        cmocka_unit_test(test_failed_step_is_taken_back),
        cmocka_unit_test(test_first_stage_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
