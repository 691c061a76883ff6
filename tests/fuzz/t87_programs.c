/* Random programs on the C interface: calls in any order, on models and solvers that are there or not, with arguments that are good or
 * not, and memory that runs out at any allocation; what must hold is a small model of the state: a call that fails changes nothing,
 * to the bit; of two solvers of a model that are treated alike, one never met a failure, and both have the same bits. */
#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/must.h"

#include "core/memory.h"

#include <riccatree/riccatree.h>

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROGRAMS = 600,
    CALLS = 60,
    BODIES = 8,
    NUMBERS = 13 * BODIES,
    COORDINATES = 7 * BODIES,
    LOOPS = 2,
    MODES = 2
};

/* All that can be read of a solver, and its time. */
typedef struct reading {
    double state[NUMBERS], coordinates[COORDINATES], rates[COORDINATES], derivatives[COORDINATES],
        time;
    int32_t active[LOOPS];
} reading;

/* A program at work: a solver that meets failures, and its twin, which does not. */
typedef struct program {
    uint64_t random;
    rct_model *model;
    rct_solver_options options;
    rct_solver *solver, *twin;
    int64_t coordinates, rates;
    reading now;         /* of both, before a call */
    int short_of_memory; /* allocations of the next call fail at some place */
    int one_step;        /* a call makes one step: a later one that fails leaves those before it */
} program;

static int below(program *p, int count)
{
    return (int)draw_between(&p->random, 0.0, count);
}

static void read_all(const rct_solver *solver, reading *r)
{
    memset(r, 0, sizeof *r);
    rct_solver_get_state(solver, r->state, r->state + 4 * BODIES, r->state + 7 * BODIES,
                         r->state + 10 * BODIES);
    rct_solver_get_coordinates(solver, r->coordinates, r->rates);
    rct_solver_get_rate_derivatives(solver, r->derivatives);
    r->time = rct_solver_time(solver);
    rct_solver_get_active_loops(solver, r->active);
}

/* ---- calls -------------------------------------------------------------------------------- */

/* On one of the two; drawn numbers come from `random`, the same for both. `spoiled`: an argument is to be bad. */
typedef rct_status call(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                        rct_error *error);

static rct_status evaluate(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                           rct_error *error)
{
    (void)p, (void)random;
    return rct_solver_evaluate(spoiled ? NULL : solver, error);
}

static rct_status step(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                       rct_error *error)
{
    static const double bad[] = {0.0, -1e-3, INFINITY};
    const double dt = draw_between(&random, 1e-5, 1e-3);
    const int64_t steps = (int64_t)draw_between(&random, 0.0, p->one_step ? 2.0 : 4.0);
    return rct_solver_step(solver, spoiled ? bad[steps % 3] : dt, steps, error);
}

static rct_status set_coordinates(rct_solver *solver, const program *p, uint64_t random,
                                  int spoiled, rct_error *error)
{
    double u[COORDINATES];
    memcpy(u, p->now.rates, sizeof u);
    for (int64_t i = 0; i < p->rates; i++) {
        u[i] += draw_between(&random, -0.1, 0.1);
    }
    if (spoiled) {
        u[(int64_t)draw_between(&random, 0.0, (double)p->rates)] = (double)NAN;
    }
    return rct_solver_set_coordinates(solver, p->now.coordinates, u, error);
}

static rct_status forward(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                          rct_error *error)
{
    double du[COORDINATES];
    (void)random;
    return rct_solver_forward(solver, spoiled ? -1 : 1, p->now.coordinates, p->now.rates, NULL, du,
                              error);
}

static rct_status set_efforts(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                              rct_error *error)
{
    double efforts[COORDINATES];
    for (int64_t i = 0; i < p->rates; i++) {
        efforts[i] = draw_between(&random, -1.0, 1.0);
    }
    efforts[0] = spoiled ? (double)INFINITY : efforts[0];
    return rct_solver_set_efforts(solver, efforts, error);
}

static rct_status mass_times(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                             rct_error *error)
{
    double x[COORDINATES], y[COORDINATES];
    draw_numbers(&random, x, (int)p->rates, 1.0);
    return rct_solver_mass_times(solver, spoiled ? -1 : 1, x, y, error);
}

static rct_status mass_solve(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                             rct_error *error)
{
    double x[COORDINATES], y[COORDINATES];
    draw_numbers(&random, x, (int)p->rates, 1.0);
    x[0] = spoiled ? (double)NAN : x[0];
    return rct_solver_mass_solve(solver, 1, x, y, error);
}

static rct_status tangent(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                          rct_error *error)
{
    double x[COORDINATES], y[COORDINATES];
    draw_numbers(&random, x, (int)p->rates, 1.0);
    x[0] = spoiled ? (double)NAN : x[0];
    return rct_solver_acceleration_tangent(solver, 1, x, x, x, y, error);
}

static rct_status adjoint(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                          rct_error *error)
{
    double x[COORDINATES], y[COORDINATES];
    draw_numbers(&random, x, (int)p->rates, 1.0);
    x[0] = spoiled ? (double)INFINITY : x[0];
    return rct_solver_acceleration_adjoint(solver, 1, x, y, x, NULL, error);
}

static rct_status check_step(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                             rct_error *error)
{
    rct_step_report report;
    (void)p, (void)random;
    return rct_solver_check_step(solver, spoiled ? -1.0 : 1e-4, &report, error);
}

static rct_status hinge_efforts(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                                rct_error *error)
{
    double own[COORDINATES];
    (void)p, (void)random;
    return rct_solver_hinge_efforts(spoiled ? NULL : solver, own, error);
}

static rct_status inverse_dynamics(rct_solver *solver, const program *p, uint64_t random,
                                   int spoiled, rct_error *error)
{
    double x[COORDINATES], effort[COORDINATES];
    draw_numbers(&random, x, (int)p->rates, 1.0);
    x[0] = spoiled ? (double)NAN : x[0];
    return rct_solver_inverse_dynamics(solver, x, NULL, NULL, effort, error);
}

/* In steps of their own length; where the model has gone before its solvers that is refused. */
static rct_status run_to(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                         rct_error *error)
{
    rct_run_options options = rct_run_options_default();
    options.dt = draw_between(&random, 1e-5, 1e-3);
    options.t_end = rct_solver_time(solver) + (p->one_step ? 1.0 : 3.0) * options.dt;
    options.dt = spoiled ? -options.dt : options.dt;
    return rct_solver_run(solver, p->model, &options, NULL, error);
}

static rct_status longest_step(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                               rct_error *error)
{
    double longest;
    int32_t body;
    (void)random;
    return rct_solver_longest_step(spoiled ? NULL : solver, p->model, &longest, &body, error);
}

static rct_status equilibrium(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                              rct_error *error)
{
    rct_equilibrium found;
    (void)p, (void)random;
    return rct_solver_equilibrium(spoiled ? NULL : solver, &found, error);
}

/* Of a state that rests: after the call before, as a rule. */
static rct_status modes(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                        rct_error *error)
{
    double square[MODES], shape[MODES * COORDINATES];
    rct_modes found;
    (void)p;
    const int32_t count = draw_between(&random, 0.0, 1.0) < 0.5 ? 0 : MODES;
    return rct_solver_modes(solver, spoiled ? -1 : count, square, shape, &found, error);
}

/* In any model: of one without loops it is refused. */
static rct_status set_loop(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                           rct_error *error)
{
    const int32_t loop = (int32_t)draw_between(&random, 0.0, LOOPS);
    const int state = (int)draw_between(&random, 0.0, RCT_LOOP_STATES);
    (void)p;
    return rct_solver_set_loop_active(solver, spoiled ? LOOPS : loop, (rct_loop_state)state, error);
}

static rct_status assemble(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                           rct_error *error)
{
    (void)p, (void)random;
    return rct_solver_assemble(spoiled ? NULL : solver, error);
}

static rct_status keep(rct_solver *solver, const program *p, uint64_t random, int spoiled,
                       rct_error *error)
{
    (void)p, (void)random;
    return spoiled ? rct_solver_keep(NULL, error) : rct_solver_check(solver, error);
}

/* What a call may end with, good arguments or not; whether it may leave what was read after an evaluation as it was. */
static const struct {
    call *of;
    const char *name;
    int results_go; /* accelerations are NaN afterwards, or others: also if it fails */
    int sets; /* the state is set before anything else can fail; to the last bit it is what setting makes of it */
} calls[] = {{evaluate, "evaluate", 1, 0},
             {step, "step", 1, 0},
             {set_coordinates, "set_coordinates", 1, 0},
             {forward, "forward", 1, 1},
             {set_efforts, "set_efforts", 1, 0},
             {mass_times, "mass_times", 0, 0},
             {mass_solve, "mass_solve", 0, 0},
             {tangent, "acceleration_tangent", 1, 0},
             {adjoint, "acceleration_adjoint", 1, 0},
             {check_step, "check_step", 1, 0},
             {hinge_efforts, "hinge_efforts", 0, 0},
             {inverse_dynamics, "inverse_dynamics", 0, 0},
             {run_to, "run", 1, 0},
             {longest_step, "longest_step", 0, 0},
             {equilibrium, "equilibrium", 1, 0},
             {modes, "modes", 1, 0},
             {set_loop, "set_loop_active", 1, 0},
             {assemble, "assemble", 1, 0},
             {keep, "keep", 0, 0}};

enum { ALL_CALLS = sizeof calls / sizeof calls[0] };

/* A call that failed has changed nothing. */
static void unchanged(const program *p, int number)
{
    const reading *before = &p->now;
    reading after;
    read_all(p->solver, &after);
    if (calls[number].results_go) {
        memcpy(after.derivatives, before->derivatives, sizeof after.derivatives);
    }
    if (memcmp(before, &after, sizeof after) != 0) {
        fail_msg("%s failed, and the state is another", calls[number].name);
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
        fail_msg("after %s twins differ", calls[number].name);
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
        const rct_status status = calls[number].of(p->solver, p, random, 1, &error);
        assert_int_equal(status, error.status);
        /* with loops that hold, what is for trees is refused whatever its arguments */
        assert_true(status == RCT_ERROR_ARGUMENT || status == RCT_ERROR_UNSUPPORTED);
        unchanged(p, number);
    }
    rct_status status = RCT_ERROR_MEMORY;
    for (int64_t k = hungry ? 0 : -1; status == RCT_ERROR_MEMORY; k++) {
        error = (rct_error){.status = RCT_OK, .text = ""};
        rct_allocate_fail_after(k);
        status = calls[number].of(p->solver, p, random, 0, &error);
        rct_allocate_fail_after(-1);
        if (status == RCT_ERROR_MEMORY && !calls[number].sets) {
            unchanged(p, number);
        }
    }
    assert_int_equal(calls[number].of(p->twin, p, random, 0, &none), status);
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
