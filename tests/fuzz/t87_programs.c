/* Random programs on the C interface: calls in any order, on existing and missing models and
 * solvers, with valid and invalid arguments, and with memory that runs out at any allocation. The
 * requirements form a small model of the state: a failed call changes nothing, to the bit; of two
 * solvers of a model with the same calls, one never meets a failure, and both have the same bits.
 * Programs on one model in several threads each get the results that they get alone. */
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

/* The outcomes of calls: refused for their arguments, without memory, another error, success. */
typedef struct tally {
    int spoiled, hungry, failed, done;
} tally;

static int below(program *p, int count)
{
    return (int)draw_between(&p->random, 0.0, count);
}

/* ---- a call ------------------------------------------------------------------------------- */

/* Accelerations are not known. */
static int gone(const program *p, const reading *r)
{
    int64_t count = 0;
    for (int64_t i = 0; i < p->rates; i++) {
        count += isnan(r->derivatives[i]) != 0;
    }
    return count == p->rates;
}

/* Accelerations after a failed call that evaluates: those of the state, which the twin has, or
 * NaN. */
static int evaluated(const program *p, const reading *after)
{
    reading other;
    read_all(p->twin, &other);
    return gone(p, after) ||
           memcmp(after->derivatives, other.derivatives, sizeof other.derivatives) == 0;
}

/* A failed call has changed nothing. */
static void unchanged(const program *p, const reading *before, int number, int evaluates)
{
    reading after;
    read_all(p->solver, &after);
    if (program_calls[number].steps && !p->one_step && after.time > before->time) {
        return;
    }
    if (evaluates && evaluated(p, &after)) {
        memcpy(after.derivatives, before->derivatives, sizeof after.derivatives);
    }
    if (memcmp(before, &after, sizeof after) != 0) {
        fail_msg("%s failed, and %s", program_calls[number].name,
                 memcmp(before->derivatives, after.derivatives, sizeof after.derivatives) != 0
                     ? "accelerations are others"
                     : "the state is another");
    }
}

/* Both twins have the same bits; accelerations too, unless failures of one have cleared them. */
static void alike(const program *p, int number)
{
    reading one, other;
    read_all(p->solver, &one);
    read_all(p->twin, &other);
    if (gone(p, &one)) {
        memcpy(one.derivatives, other.derivatives, sizeof one.derivatives);
    }
    if (memcmp(&one, &other, sizeof one) != 0) {
        fail_msg("after %s twins differ", program_calls[number].name);
    }
}

/* First with a cause of failure, on one twin; then correctly, on both. */
static void make_call(program *p, tally *t)
{
    const int number = below(p, ALL_CALLS), spoiled = below(p, 3) == 0, hungry = below(p, 3) == 0;
    const program_call *called = &program_calls[number];
    const uint64_t random = draw_bits(&p->random);
    rct_error error = {.status = RCT_OK}, none = {.status = RCT_OK, .text = ""};
    read_all(p->solver, &p->now);
    if (spoiled) {
        const rct_status status = called->of(p->solver, p, random, 1, &error);
        assert_int_equal(status, error.status);
        /* with loops that hold, what is for trees is refused whatever its arguments */
        assert_true(status == RCT_ERROR_ARGUMENT || status == RCT_ERROR_UNSUPPORTED);
        unchanged(p, &p->now, number, 0);
        t->spoiled++;
    }
    reading left = p->now;
    const rct_status end = called->of(p->twin, p, random, 0, &none);
    if (called->sets) {
        read_all(p->twin, &left);
    }
    rct_status status = RCT_ERROR_MEMORY;
    for (int64_t k = hungry ? 0 : -1; status == RCT_ERROR_MEMORY; k++) {
        error = (rct_error){.status = RCT_OK, .text = ""};
        rct_allocate_fail_after(k);
        status = called->of(p->solver, p, random, 0, &error);
        rct_allocate_fail_after(-1);
        if (status != RCT_OK) {
            unchanged(p, &left, number, called->evaluates);
        }
        t->hungry += status == RCT_ERROR_MEMORY;
    }
    assert_int_equal(status, end);
    assert_int_equal(error.status, none.status);
    assert_string_equal(error.text, none.text);
    alike(p, number);
    t->failed += status != RCT_OK;
    t->done += status == RCT_OK;
}

/* ---- programs ----------------------------------------------------------------------------- */

/* A solver, made at the first attempt in which no allocation fails. */
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

/* The tip held at a distance from the ground, and at a point of it; neither holds at the start, but
 * one of them holds soon after. */
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

static void draw_model(program *p, uint64_t seed)
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
}

static void draw_options(program *p)
{
    p->options = rct_solver_options_default();
    p->options.method = (rct_method)below(p, 2);
    p->options.lanes = lanes_up_to(1 << below(p, 3));
    p->options.threads = 1 + below(p, 2);
    p->options.segment = (int64_t[]){0, 2, RCT_SEGMENT_AUTO, RCT_SEGMENT_WHOLE}[below(p, 4)];
    p->options.user_forces = 1;
}

static void count_numbers(program *p)
{
    rct_solver_info info = {.dof = 0};
    rct_solver_get_info(p->solver, &info);
    p->coordinates = info.coordinates;
    p->rates = info.dof;
}

static void begin(program *p, uint64_t seed)
{
    draw_model(p, seed);
    draw_options(p);
    p->short_of_memory = below(p, 2);
    p->solver = solver_in_need(p);
    p->twin = rct_solver_create(p->model, &p->options, NULL);
    assert_non_null(p->twin);
    count_numbers(p);
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

static void test_programs(void **state)
{
    tally t = {.done = 0};
    (void)state;
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        program p;
        begin(&p, seed);
        for (int i = 0; i < CALLS; i++) {
            make_call(&p, &t);
        }
        end(&p);
    }
    print_message("%d calls refused, %d without memory, %d failed otherwise, %d well\n", t.spoiled,
                  t.hungry, t.failed, t.done);
    assert_true(t.spoiled > PROGRAMS * CALLS / 4 && t.hungry > PROGRAMS * CALLS / 4);
    assert_true(t.failed > PROGRAMS && t.done > PROGRAMS * CALLS / 2);
}

/* ---- several at once ------------------------------------------------------------------------ */

enum { THREADS = 4, ROUNDS = 20, THREAD_CALLS = 20 };

/* A program on one solver of a model that other solvers share: the outcomes of its calls, and the
 * results. */
typedef struct runner {
    program p;
    rct_status status[THREAD_CALLS];
    reading left[THREAD_CALLS];
} runner;

static void *run_program(void *context)
{
    runner *r = context;
    program *p = &r->p;
    draw_options(p);
    p->solver = rct_solver_create(p->model, &p->options, NULL);
    count_numbers(p);
    for (int i = 0; i < THREAD_CALLS && p->solver != NULL; i++) {
        const int number = below(p, ALL_CALLS), spoiled = below(p, 4) == 0;
        const int64_t fail_after = below(p, 4) == 0 ? below(p, 4) : -1;
        const uint64_t random = draw_bits(&p->random);
        read_all(p->solver, &p->now);
        rct_allocate_fail_after(fail_after);
        r->status[i] = program_calls[number].of(p->solver, p, random, spoiled, NULL);
        rct_allocate_fail_after(-1);
        read_all(p->solver, &r->left[i]);
    }
    rct_solver_free(p->solver);
    return NULL;
}

/* Programs on solvers of one model, each in a thread of its own, get the bits that each gets
 * alone. */
static void test_programs_in_threads(void **state)
{
    static runner alone[THREADS], together[THREADS];
    int well = 0;
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        pthread_t thread[THREADS];
        program shared = {.random = 0};
        draw_model(&shared, round);
        for (int i = 0; i < THREADS; i++) {
            alone[i].p = shared;
            alone[i].p.random = draw_bits(&shared.random);
            together[i].p = alone[i].p;
            run_program(&alone[i]);
            assert_non_null(alone[i].p.solver);
        }
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_create(&thread[i], NULL, run_program, &together[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(thread[i], NULL);
            assert_memory_equal(together[i].status, alone[i].status, sizeof alone[i].status);
            assert_memory_equal(together[i].left, alone[i].left, sizeof alone[i].left);
            for (int k = 0; k < THREAD_CALLS; k++) {
                well += alone[i].status[k] == RCT_OK;
            }
        }
        rct_model_free(shared.model);
    }
    assert_true(well > ROUNDS * THREADS * THREAD_CALLS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_programs_in_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
