/* Plans on an accelerator against the cpu: accelerations, hinge loads and derivatives of trees of
 * every hinge type with loads on a moving ground, cut in many ways; batches of small trees; steps.
 * The same bits on every run, and in every order of threads, warps and blocks where the device is
 * emulated. Skipped where the cpu is the only backend. `t61_device_hinges few`: some systems, in
 * the mode of the emulation that the environment sets. */
#include "tests/support/cmocka_all.h"
#include "tests/support/device/accelerator.h"
#include "tests/support/device/emulated.h"
#include "tests/support/larger.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int few = 0;                        /* systems */
static int pushed = 0;                     /* 1: efforts act at all hinges */
static rct_method method = RCT_METHOD_ABI; /* of the accelerator */

/* Accelerations, hinge loads, derivatives of the rates; after steps, coordinates and rates too. */
typedef struct answer {
    int64_t count;
    double *numbers;
} answer;

static rct_solver *solver_of(const rct_model *model, const char *backend, int64_t segment)
{
    rct_error error = {0};
    rct_solver_options options = rct_solver_options_default();
    options.segment = segment;
    options.backend = backend;
    options.user_forces = pushed;
    options.junction = segment == 3 || segment == 7 ? RCT_JUNCTION_DEVICE : RCT_JUNCTION_AUTO;
    options.method = strcmp(backend, "cpu") == 0 ? RCT_METHOD_ABI : method;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static void expect_done(rct_status status, const rct_error *error)
{
    if (status != RCT_OK) {
        fail_msg("%s", error->text);
    }
}

/* At 0.3 s, after `steps` steps in `calls` calls. */
static answer answer_of(const rct_model *model, const char *backend, int64_t segment, int64_t steps,
                        int64_t calls)
{
    const int64_t n = 3 * rct_model_body_count(model);
    const int64_t q = hinge_coordinates(model), u = hinge_freedoms(model);
    rct_solver *solver = solver_of(model, backend, segment);
    answer a = {.count = 4 * n + 2 * u + q};
    rct_error error = {0};
    a.numbers = calloc((size_t)a.count, sizeof(double));
    assert_non_null(a.numbers);
    if (pushed) { /* late: a step without them is recorded */
        expect_done(rct_solver_step(solver, 1e-9, 1, &error), &error);
    }
    rct_solver_set_time(solver, 0.3);
    if (pushed) {
        for (int64_t i = 0; i < u; i++) {
            a.numbers[i] = (double)(i % 7 - 3);
        }
        expect_done(rct_solver_set_efforts(solver, a.numbers, &error), &error);
    }
    for (int64_t k = 0; k < calls; k++) {
        expect_done(rct_solver_step(solver, 1e-3, steps / calls, &error), &error);
    }
    expect_done(rct_solver_evaluate(solver, &error), &error);
    double *x = a.numbers;
    rct_solver_get_accelerations(solver, x, x + n);
    rct_solver_get_hinge_forces(solver, x + 2 * n, x + 3 * n);
    rct_solver_get_rate_derivatives(solver, x + 4 * n);
    rct_solver_get_coordinates(solver, x + 4 * n + u, x + 4 * n + u + q);
    rct_solver_free(solver);
    return a;
}

/* The largest difference over the largest number, by kind: numbers [first, end). */
static double apart(const answer *a, const answer *b, int64_t first, int64_t end)
{
    double difference = 0.0, size = 1e-30;
    for (int64_t i = first; i < end; i++) {
        const double d = fabs(a->numbers[i] - b->numbers[i]);
        difference = d <= difference ? difference : d;
        size = larger(size, fabs(b->numbers[i]));
    }
    return difference / size;
}

static double distance(const rct_model *model, const answer *a, const answer *b)
{
    const int64_t n = 3 * rct_model_body_count(model), u = hinge_freedoms(model);
    const int64_t marks[] = {0, n, 2 * n, 4 * n, 4 * n + u, a->count};
    double most = 0.0;
    for (int k = 0; k < 5; k++) {
        const double own = apart(a, b, marks[k], marks[k + 1]);
        most = own <= most ? most : own;
    }
    return most;
}

static void check(const rct_model *model, const char *what, int seed, int64_t segment,
                  int64_t steps, double limit)
{
    const answer cpu = answer_of(model, "cpu", 0, steps, 1);
    const answer own = answer_of(model, accelerator(), segment, steps, 1);
    const double most = distance(model, &own, &cpu);
    if (getenv("RCT_SHOW") != NULL) {
        print_message("%s, seed %d, segments of %d: %.2e\n", what, seed, (int)segment, most);
    }
    if (!(most < limit)) {
        fail_msg("%s, seed %d, segments of %d, %d steps: %.2e off the cpu", what, seed,
                 (int)segment, (int)steps, most);
    }
    free(cpu.numbers);
    free(own.numbers);
}

static rct_model *create(const hinge_system *system)
{
    rct_model *model = hinge_system_create(system);
    assert_non_null(model);
    return model;
}

/* ---- one evaluation ----------------------------------------------------------------------- */

static void test_every_hinge_alone(void **state)
{
    (void)state;
    for (int type = RCT_HINGE_BALL; type < RCT_HINGE_TYPES && accelerator() != NULL; type++) {
        for (int seed = 1; seed <= (few ? 1 : 4); seed++) {
            const hinge_system system = {.tree = {.shape = seed % 2 ? SHAPE_CHAIN : SHAPE_TREE,
                                                  .bodies = 20,
                                                  .spin = 2.0,
                                                  .seed = (uint64_t)seed},
                                         .hinges = 1 << type,
                                         .joint_forces = seed > 1,
                                         .forces = seed > 2 ? 6 : 0,
                                         .ground_moves = 1};
            rct_model *model = create(&system);
            check(model, "one hinge type", 10 * type + seed, 3, 0, 1e-12);
            rct_model_free(model);
        }
    }
}

static hinge_system system_of(int seed)
{
    return (hinge_system){.tree = {.shape = (random_shape)(seed % 4),
                                   .bodies = few ? 60 : 150,
                                   .shuffled = 1,
                                   .spin = 1.0,
                                   .seed = (uint64_t)seed},
                          .hinges = seed % 5 == 4   ? 1 << RCT_HINGE_REVOLUTE
                                    : seed % 6 == 1 ? ALL_HINGES & ~(1 << RCT_HINGE_BALL)
                                                    : ALL_HINGES,
                          .joint_forces = seed % 2,
                          .forces = seed % 3 ? 10 : 0,
                          .acting = seed % 3 == 1 ? 12 : 0,
                          .floating = seed % 7 == 6,
                          .ground_moves = seed % 3};
}

/* All links on the trunk, all in segments of one length, and the default division. */
static void check_trees(void)
{
    static const int64_t lengths[] = {RCT_SEGMENT_AUTO, 3, 7, 0, 4, 40};
    for (int seed = 0; seed < (few ? 4 : 12) && accelerator() != NULL; seed++) {
        const hinge_system system = system_of(seed);
        rct_model *model = create(&system);
        for (int k = 0; k < (few ? 2 : 6); k++) {
            check(model, "tree", seed, lengths[k], 0, 1e-12);
        }
        rct_model_free(model);
    }
}

static void test_trees(void **state)
{
    (void)state;
    check_trees();
}

static void test_trees_by_riccati(void **state)
{
    (void)state;
    method = RCT_METHOD_RICCATI;
    check_trees();
    method = RCT_METHOD_ABI;
}

static void test_efforts(void **state)
{
    (void)state;
    pushed = 1;
    check_trees();
    pushed = 0;
}

/* ---- steps -------------------------------------------------------------------------------- */

static void test_steps(void **state)
{
    (void)state;
    static const int64_t lengths[] = {5, RCT_SEGMENT_AUTO};
    for (int seed = 0; seed < (few ? 2 : 6) && accelerator() != NULL; seed++) {
        hinge_system system = system_of(seed);
        system.tree.bodies = few ? 20 : 40;
        rct_model *model = create(&system);
        check(model, "steps", seed, lengths[seed % 2], few ? 4 : 100, 1e-10);
        rct_model_free(model);
    }
}

/* Systems of small trees on the ground, swept whole; many steps without a check. */
static void test_batches(void **state)
{
    (void)state;
    for (int type = RCT_HINGE_BALL; type < RCT_HINGE_TYPES && accelerator() != NULL; type++) {
        const rct_family family = {.family = "branch",
                                   .bodies = 12,
                                   .hinge = (rct_hinge_type)type,
                                   .seed = 3,
                                   .perturb = 1.0,
                                   .systems = few ? 5 : 40};
        rct_model *model = type == RCT_HINGE_FREE ? NULL : rct_model_generate(&family, NULL);
        if (model != NULL) {
            check(model, "batch", type, RCT_SEGMENT_AUTO, few ? 2 : 70, 1e-10);
        }
        rct_model_free(model);
    }
}

/* Loops are closed on the host, between sweeps of the machine. */
static void test_loops(void **state)
{
    (void)state;
    static const int types = 1 << RCT_LOOP_BALL | 1 << RCT_LOOP_DISTANCE | 1 << RCT_LOOP_REVOLUTE;
    for (int seed = 1; seed <= (few ? 2 : 6) && accelerator() != NULL; seed++) {
        hinge_system system = system_of(seed);
        system.tree.bodies = few ? 20 : 40;
        system.ground_moves = 0;
        rct_model *model = create(&system);
        closed_add_random(model, 3, types, (uint64_t)seed + 40);
        check(model, "loops", seed, seed % 2 ? 5 : RCT_SEGMENT_AUTO, 0, 1e-9);
        check(model, "loops", seed, 4, few ? 3 : 20, 1e-8);
        rct_model_free(model);
    }
}

/* ---- the same bits ------------------------------------------------------------------------ */

static void test_every_run_gives_the_same_bits(void **state)
{
    (void)state;
    static const char *const modes[] = {"", "order=reverse", "order=random seed=1",
                                        "order=random seed=2 deferred", "poison=0 deferred"};
    const int kinds = few || emulated_or_none() == NULL ? 1 : 5;
    for (int seed = 0; seed < 4 && accelerator() != NULL; seed++) {
        hinge_system system = system_of(seed);
        system.tree.bodies = 60;
        rct_model *model = create(&system);
        const answer first = answer_of(model, accelerator(), 4, 6, 1);
        for (int mode = 0; mode < kinds; mode++) {
            if (kinds > 1) {
                emulated_reset(modes[mode]);
            }
            const answer again = answer_of(model, accelerator(), 4, 6, mode % 2 == 0 ? 6 : 1);
            if (memcmp(again.numbers, first.numbers, (size_t)first.count * sizeof(double)) != 0) {
                fail_msg("seed %d: other bits, %s", seed, modes[mode]);
            }
            free(again.numbers);
        }
        free(first.numbers);
        rct_model_free(model);
    }
    if (kinds > 1) {
        emulated_expect_clean();
        emulated_reset("");
    }
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_hinge_alone),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_trees_by_riccati),
        cmocka_unit_test(test_efforts),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_every_run_gives_the_same_bits),
    };
    few = count > 1 && strcmp(arguments[1], "few") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
