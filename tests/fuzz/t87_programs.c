/* Random programs on the C interface: calls in any order, on models and solvers that are there or not, with arguments that are good or
 * not, and memory that runs out at any allocation; what must hold is a small model of the state: a call that fails changes nothing,
 * to the bit; of two solvers of a model that are treated alike, one never met a failure, and both have the same bits. */
#include "tests/fuzz/program_calls.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/must.h"
#include "tests/support/one_in.h"

#include "core/memory.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 300 / ONE_IN, CALLS = 60 };

static int below(program *p, int count)
{
    return (int)draw_between(&p->random, 0.0, count);
}

/* ---- a call ------------------------------------------------------------------------------- */

/* A call that failed has changed nothing. */
static void unchanged(const program *p, int number)
{
    const reading *before = &p->now;
    reading after;
    read_all(p->solver, &after);
    if (program_calls[number].results_go) {
        memcpy(after.derivatives, before->derivatives, sizeof after.derivatives);
    }
    if (memcmp(before, &after, sizeof after) != 0) {
        fail_msg("%s failed, and the state is another", program_calls[number].name);
    }
}

/* Both twins have the same bits where both have evaluated or neither. */
static void alike(const program *p, int number)
{
    reading one, other;
    read_all(p->solver, &one);
    read_all(p->twin, &other);
    memset(one.derivatives, 0, sizeof one.derivatives);
    memset(other.derivatives, 0, sizeof other.derivatives);
    if (memcmp(&one, &other, sizeof one) != 0) {
        fail_msg("after %s twins differ", program_calls[number].name);
    }
}

/* First with what makes it fail, on the one; then as it should be, on both. */
static void make_call(program *p)
{
    const int number = below(p, ALL_CALLS), spoiled = below(p, 3) == 0, hungry = below(p, 3) == 0;
    const uint64_t random = draw_bits(&p->random);
    rct_error error = {.status = RCT_OK}, none = {.status = RCT_OK, .text = ""};
    read_all(p->solver, &p->now);
    if (spoiled) {
        const rct_status status = program_calls[number].of(p->solver, p, random, 1, &error);
        assert_int_equal(status, error.status);
        /* with loops that hold, what is for trees is refused whatever its arguments */
        assert_true(status == RCT_ERROR_ARGUMENT || status == RCT_ERROR_UNSUPPORTED);
        unchanged(p, number);
    }
    rct_status status = RCT_ERROR_MEMORY;
    for (int64_t k = hungry ? 0 : -1; status == RCT_ERROR_MEMORY; k++) {
        error = (rct_error){.status = RCT_OK, .text = ""};
        rct_allocate_fail_after(k);
        status = program_calls[number].of(p->solver, p, random, 0, &error);
        rct_allocate_fail_after(-1);
        if (status == RCT_ERROR_MEMORY && !program_calls[number].sets) {
            unchanged(p, number);
        }
    }
    assert_int_equal(program_calls[number].of(p->twin, p, random, 0, &none), status);
    assert_int_equal(error.status, none.status);
    assert_string_equal(error.text, none.text);
    alike(p, number);
}

/* ---- programs ----------------------------------------------------------------------------- */

/* A solver, at the first allocation that does not fail on the way. */
static rct_solver *solver_in_need(const program *p)
{
    rct_solver *solver = NULL;
    rct_error error = {.status = RCT_ERROR_MEMORY};
    for (int64_t k = p->short_of_memory ? 0 : -1; solver == NULL; k++) {
        assert_int_equal(error.status, RCT_ERROR_MEMORY);
        rct_allocate_fail_after(k);
        solver = rct_solver_create(p->model, &p->options, &error);
        rct_allocate_fail_after(-1);
    }
    return solver;
}

/* The tip held at a distance from the ground, and at a point of it; neither holds from the start, but one of them from soon after. */
static void add_loops(program *p)
{
    rct_loop loop = rct_loop_default();
    rct_event event = rct_event_default();
    loop.active = 0;
    loop.body = BODIES - 1;
    loop.other_at[0] = 1.0;
    loop.type = RCT_LOOP_DISTANCE;
    loop.length = 1.5;
    assert_int_equal(rct_model_add_loop(p->model, &loop, NULL, NULL), RCT_OK);
    loop.type = RCT_LOOP_BALL;
    loop.length = 0.0;
    assert_int_equal(rct_model_add_loop(p->model, &loop, NULL, NULL), RCT_OK);
    event.loop = below(p, LOOPS);
    event.value = 5e-3;
    event.state = RCT_LOOP_PULLED;
    assert_int_equal(rct_model_add_event(p->model, &event, NULL, NULL), RCT_OK);
}

static void begin(program *p, uint64_t seed)
{
    static const char *const names[] = {"chain", "binary", "comb", "random"};
    rct_family family = rct_family_default();
    p->random = seed;
    family.family = names[below(p, 4)];
    family.bodies = BODIES;
    family.seed = seed;
    family.perturb = 0.5;
    family.hinge =
        (rct_hinge_type[]){RCT_HINGE_BALL, RCT_HINGE_REVOLUTE, RCT_HINGE_UNIVERSAL}[below(p, 3)];
    p->model = must_generate(&family);
    p->one_step = below(p, 3) == 0; /* attaching allocates */
    if (p->one_step) {
        add_loops(p);
    }
    p->options = rct_solver_options_default();
    p->options.method = (rct_method)below(p, 2);
    p->options.lanes = lanes_up_to(1 << below(p, 3));
    p->options.threads = 1 + below(p, 2);
    p->options.segment = (int64_t[]){0, 2, RCT_SEGMENT_AUTO, RCT_SEGMENT_WHOLE}[below(p, 4)];
    p->options.user_forces = 1;
    p->short_of_memory = below(p, 2);
    p->solver = solver_in_need(p);
    p->twin = rct_solver_create(p->model, &p->options, NULL);
    assert_non_null(p->twin);
    rct_solver_info info;
    rct_solver_get_info(p->solver, &info);
    p->coordinates = info.coordinates;
    p->rates = info.dof;
    if (below(p, 2) == 0) { /* the model may go before its solvers */
        rct_model_free(p->model);
        p->model = NULL;
    }
}

static void end(program *p)
{
    rct_solver *both[2] = {p->solver, p->twin};
    const int first = below(p, 2);
    rct_solver_free(both[first]);
    rct_model_free(p->model);
    rct_solver_free(both[!first]);
}

static void run(uint64_t seed)
{
    program p;
    begin(&p, seed);
    for (int i = 0; i < CALLS; i++) {
        make_call(&p);
    }
    end(&p);
}

static void test_programs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        run(seed);
    }
}

/* ---- two at once -------------------------------------------------------------------------- */

/* A solver of a model that others have solvers of too: its bits after some steps. */
typedef struct runner {
    const rct_model *model;
    reading end;
} runner;

static void *run_steps(void *context)
{
    runner *r = context;
    rct_solver_options options = rct_solver_options_default();
    options.threads = 2;
    rct_solver *solver = rct_solver_create(r->model, &options, NULL);
    const int good = solver != NULL && rct_solver_step(solver, 1e-3, 20, NULL) == RCT_OK &&
                     rct_solver_evaluate(solver, NULL) == RCT_OK;
    read_all(solver, &r->end);
    r->end.time = good ? r->end.time : (double)NAN;
    rct_solver_free(solver);
    return NULL;
}

/* Solvers of one model, made, run and freed in threads of their own, have the bits of one alone. */
static void test_solvers_in_threads(void **state)
{
    enum { THREADS = 4, ROUNDS = 10 };
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        rct_family family = rct_family_default();
        family.bodies = BODIES;
        family.perturb = 0.3;
        family.seed = round;
        rct_model *model = must_generate(&family);
        pthread_t thread[THREADS];
        runner alone = {.model = model}, runners[THREADS];
        run_steps(&alone);
        assert_true(alone.end.time > 0.019);
        for (int i = 0; i < THREADS; i++) {
            runners[i].model = model;
            assert_int_equal(pthread_create(&thread[i], NULL, run_steps, &runners[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(thread[i], NULL);
            assert_memory_equal(&runners[i].end, &alone.end, sizeof alone.end);
        }
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_solvers_in_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
