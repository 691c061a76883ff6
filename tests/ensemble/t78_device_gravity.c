/* Members of an ensemble that differ in gravity share batches on a device. The emulation counts the
 * launched graphs: one per step and batch, as many as with a single gravity. Each member has the
 * bits it has alone, and those of the processor to rounding, even if others fail during the run.
 * Without memory or a device the run says so, and nothing leaks. */
#include "tests/support/cmocka_all.h"

#include "tests/support/device/emulated.h"
#include "tests/support/files/collected.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MEMBERS = 40, STEPS = 4, SERIES = 3 };

/* Ensembles with a single gravity draw only the last value. */
static const rct_variation drawn[] = {{"gravity", RCT_VARY_UNIFORM, -9.0, 9.0, 0},
                                      {"gravity[1]", RCT_VARY_UNIFORM, -20.0, 5.0, 0},
                                      {"bodies.*.mass", RCT_VARY_UNIFORM, 0.5, 2.0, 0}};

typedef rct_model *model_of(void);

static rct_model *balls(void)
{
    return must_family("binary", 11, RCT_HINGE_BALL);
}

static rct_model *revolutes(void)
{
    return must_family("chain", 9, RCT_HINGE_REVOLUTE);
}

static rct_model *all_hinges(void)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_BINARY, .bodies = 14, .seed = 6, .spin = 1.0},
        .hinges = ALL_HINGES,
        .forces = 2};
    return hinge_system_create(&system);
}

/* A free body reads gravity at its own row. */
static rct_model *floating(void)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_CHAIN, .bodies = 9, .seed = 3, .spin = 1.0},
        .hinges = ALL_HINGES,
        .floating = 1};
    return hinge_system_create(&system);
}

static rct_model *shaken(void)
{
    const hinge_system system = {.tree = {.shape = SHAPE_TREE, .bodies = 8, .seed = 4, .spin = 1.0},
                                 .hinges = ALL_HINGES,
                                 .ground_moves = 1};
    return hinge_system_create(&system);
}

static rct_ensemble *ensemble_of(model_of *model, int gravities)
{
    return must_ensemble(model(), MEMBERS, 0.4, gravities ? 3 : 1, drawn + (gravities ? 0 : 2));
}

static rct_ensemble_run_options options_of(rct_method method, int64_t batch)
{
    static const int32_t tip[] = {3};
    rct_ensemble_run_options options = collect_options(STEPS, SERIES, batch, 2);
    options.solver.backend = "cuda";
    options.solver.method = method;
    options.tracked = 1;
    options.track = tip;
    return options;
}

/* Runs all members, and counts the launches of steps. */
static collected *counted(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                          emulation_counts *counts)
{
    emulated()->count_from_here();
    collected *all = collect(ensemble, options, RCT_OK, NULL);
    *counts = emulated()->counted();
    return all;
}

/* ---- batches ------------------------------------------------------------------------------ */

/* With a moving ground, and with forces, each stage is a launch of its own; a stage that reaches
 * roots takes one more. */
static void check_batches(model_of *model, rct_method method, int graphs)
{
    static const int64_t batches[] = {0, 32, 9};
    rct_ensemble *own = ensemble_of(model, 1), *one = ensemble_of(model, 0);
    for (int i = 0; i < 3; i++) {
        const int64_t room = batches[i] > 0 ? batches[i] : MEMBERS;
        const int64_t count = (MEMBERS + room - 1) / room;
        emulation_counts a, b;
        collected_free(counted(own, options_of(method, batches[i]), &a));
        collected_free(counted(one, options_of(method, batches[i]), &b));
        assert_int_equal(a.graph_launches, b.graph_launches);
        assert_int_equal(a.graph_launches, graphs ? STEPS * count : 0);
        assert_true(a.launches >= b.launches && a.launches <= 2 * b.launches + count);
    }
    rct_ensemble_free(own);
    rct_ensemble_free(one);
    emulated_expect_clean();
}

static void test_members_share_batches(void **state)
{
    (void)state;
    check_batches(balls, RCT_METHOD_ABI, 1);
    check_batches(balls, RCT_METHOD_RICCATI, 1);
    check_batches(revolutes, RCT_METHOD_ABI, 1);
    check_batches(all_hinges, RCT_METHOD_ABI, 0);
    check_batches(floating, RCT_METHOD_ABI, 1);
    check_batches(shaken, RCT_METHOD_ABI, 0);
}

/* ---- bits --------------------------------------------------------------------------------- */

static double largest(const double *x, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(x[i]));
    }
    return most;
}

/* Energies and all other results, to 1e-12 of the largest of their kind. */
static void assert_near(const collected *a, const collected *b, int64_t k)
{
    const int64_t kinds[] = {a->coordinates, a->rates, a->series, 3 * a->series * a->tracked};
    const double *x = a->member[k].numbers, *y = b->member[k].numbers;
    const double energy = largest(y + a->coordinates + a->rates, a->series);
    assert_true(energy > 0.0);
    assert_true(fabs(a->member[k].energy - b->member[k].energy) <= 1e-12 * energy);
    for (int i = 0; i < 4; i++) {
        const double most = largest(y, kinds[i]);
        for (int64_t n = 0; n < kinds[i]; n++) {
            assert_true(fabs(x[n] - y[n]) <= 1e-12 * most);
        }
        x += kinds[i];
        y += kinds[i];
    }
}

static void check_bits(model_of *model, rct_method method)
{
    rct_ensemble *ensemble = ensemble_of(model, 1);
    rct_ensemble_run_options options = options_of(method, 0);
    collected *all = collect(ensemble, options, RCT_OK, NULL);
    options.solver.backend = "cpu";
    collected *cpu = collect(ensemble, options, RCT_OK, NULL);
    options = options_of(method, 9);
    collected *parts = collect(ensemble, options, RCT_OK, NULL);
    for (int64_t k = 0; k < MEMBERS; k++) {
        assert_int_equal(all->member[k].status, RCT_OK);
        assert_true(collected_equal(all, parts, k));
        assert_near(all, cpu, k);
    }
    for (int64_t k = 0; k < MEMBERS; k += 7) {
        options.first = k;
        options.count = 1;
        collected *one = collect(ensemble, options, RCT_OK, NULL);
        assert_true(collected_equal(all, one, k));
        collected_free(one);
    }
    collected_free(all);
    collected_free(parts);
    collected_free(cpu);
    rct_ensemble_free(ensemble);
}

static void test_members_have_the_bits_they_have_alone(void **state)
{
    (void)state;
    check_bits(balls, RCT_METHOD_ABI);
    check_bits(balls, RCT_METHOD_RICCATI);
    check_bits(revolutes, RCT_METHOD_ABI);
    check_bits(all_hinges, RCT_METHOD_ABI);
    check_bits(floating, RCT_METHOD_ABI);
    check_bits(shaken, RCT_METHOD_ABI);
    emulated_expect_clean();
}

/* The solver of the member's model does not know the others, and has one gravity. */
static void test_solvers_of_one_gravity_have_them_too(void **state)
{
    (void)state;
    model_of *const models[] = {balls, revolutes, floating};
    for (int i = 0; i < 3; i++) {
        rct_error error;
        rct_ensemble *ensemble = ensemble_of(models[i], 1);
        const rct_ensemble_run_options run = options_of(RCT_METHOD_ABI, 0);
        const rct_solver_options options = rct_ensemble_solver_options(ensemble, &run.solver);
        collected *all = collect(ensemble, run, RCT_OK, NULL);
        for (int64_t k = 0; k < MEMBERS; k += 13) {
            double numbers[256];
            assert_true(all->coordinates + all->rates <= 256);
            rct_model *model = rct_ensemble_model(ensemble, k, &error);
            rct_solver *solver = rct_solver_create(model, &options, &error);
            assert_non_null(solver);
            must_step(solver, run.dt, STEPS);
            rct_solver_get_coordinates(solver, numbers, numbers + all->coordinates);
            assert_memory_equal(numbers, all->member[k].numbers,
                                (size_t)(all->coordinates + all->rates) * sizeof *numbers);
            rct_solver_free(solver);
            rct_model_free(model);
        }
        collected_free(all);
        rct_ensemble_free(ensemble);
    }
}

/* ---- members that fail -------------------------------------------------------------------- */

/* One of four members turns so fast that the step cannot follow after some steps: the remaining
 * ones keep their gravities. */
static void check_failures(model_of *model, const char *fast, double rate, rct_method method)
{
    const rct_variation v[] = {drawn[0], drawn[1], drawn[2], {fast, RCT_VARY_GRID, 0.0, rate, 4}};
    rct_ensemble *ensemble = must_ensemble(model(), MEMBERS, 0.1, 4, v);
    rct_ensemble_run_options options = options_of(method, 0);
    int64_t failed = 0, late = 0;
    options.steps = 12;
    collected *all = collect(ensemble, options, RCT_OK, NULL);
    for (int64_t k = 0; k < MEMBERS; k++) {
        options.first = k;
        options.count = 1;
        collected *one = collect(ensemble, options, RCT_OK, NULL);
        assert_true(collected_equal(all, one, k));
        failed += all->member[k].status != RCT_OK;
        late += all->member[k].status != RCT_OK && all->member[k].time > 0.0;
        collected_free(one);
    }
    assert_true(failed > 0 && failed < MEMBERS && late > 0);
    collected_free(all);
    rct_ensemble_free(ensemble);
}

static void test_members_that_fail_on_the_way(void **state)
{
    (void)state;
    const char *spin = "bodies.body3.initial.angular_velocity[1]";
    check_failures(balls, spin, 1e5, RCT_METHOD_ABI);
    check_failures(balls, spin, 1e5, RCT_METHOD_RICCATI);
    check_failures(revolutes, "bodies.body2.initial.rate", 1e5, RCT_METHOD_ABI);
    emulated_expect_clean();
}

/* ---- without memory, or a device ---------------------------------------------------------- */

typedef enum shortage { OF_THE_DEVICE, OF_THE_HOST, LOST } shortage;

/* The k-th allocation fails, or the k-th call loses the device. */
static rct_status attempt(const rct_ensemble *ensemble, shortage what, int64_t k)
{
    char words[64] = "";
    rct_error error = {.text = ""};
    rct_ensemble_run_options options = options_of(RCT_METHOD_ABI, 0);
    collected *c = collected_create(ensemble, &options);
    options.deliver = collected_take;
    options.context = c;
    if (what != OF_THE_HOST) {
        snprintf(words, sizeof words,
                 what == LOST ? "lose_at_call=%lld lose_error=214" : "fail_allocation=%lld",
                 (long long)k);
    }
    emulated_reset(words);
    emulated()->allocate_fail_after(what == OF_THE_HOST ? k - 1 : -1);
    const rct_status status = rct_ensemble_run(ensemble, &options, &error);
    emulated()->allocate_fail_after(-1);
    assert_true((status == RCT_OK) == (error.text[0] == '\0'));
    emulated_expect_clean();
    emulated_reset("");
    collected_free(c);
    return status;
}

static void check_shortage(const rct_ensemble *ensemble, shortage what, int64_t least)
{
    int64_t k = 1;
    rct_status status = RCT_ERROR_MEMORY;
    while (k < 2000 && (status = attempt(ensemble, what, k)) != RCT_OK) {
        if (what != LOST || k > 3 || status != RCT_ERROR_UNSUPPORTED) { /* was it there at all? */
            assert_int_equal(status, what == LOST ? RCT_ERROR_DEVICE : RCT_ERROR_MEMORY);
        }
        k++;
    }
    assert_int_equal(status, RCT_OK);
    assert_true(k > least);
}

static void test_without_memory_or_a_device(void **state)
{
    (void)state;
    model_of *const models[] = {balls, revolutes, shaken};
    for (int i = 0; i < 3; i++) {
        rct_ensemble *ensemble = ensemble_of(models[i], 1);
        check_shortage(ensemble, OF_THE_DEVICE, 20);
        check_shortage(ensemble, OF_THE_HOST, 20);
        check_shortage(ensemble, LOST, 60);
        rct_ensemble_free(ensemble);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_share_batches),
        cmocka_unit_test(test_members_have_the_bits_they_have_alone),
        cmocka_unit_test(test_solvers_of_one_gravity_have_them_too),
        cmocka_unit_test(test_members_that_fail_on_the_way),
        cmocka_unit_test(test_without_memory_or_a_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
