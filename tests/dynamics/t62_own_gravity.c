/* Trees side by side in one plan, each with a gravity of its own, on every backend: every result of
 * the solver for one tree has the bits of a solver of that tree alone. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "dynamics/solver.h"
#include "model/model.h"
#include "tests/support/must.h"
#include "tests/support/one_in.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SYSTEMS = 11, STEPS = 3 };

static const double dt = 1e-3;

/* What sweeps a model. */
typedef struct sweeper {
    const char *backend;
    rct_method method;
    int32_t lanes;
} sweeper;

static const sweeper cpu = {"cpu", RCT_METHOD_ABI, 0};

/* Everything that is here. */
static void on_every_backend(void (*check)(const char *backend))
{
    rct_backend_info info;
    for (int32_t i = 0; rct_backend_describe(i, &info, NULL) == RCT_OK; i++) {
        if (info.available) {
            check(info.name);
        } else {
            print_message("%s skipped: %s\n", info.name, info.reason);
        }
    }
}

/* ---- models ------------------------------------------------------------------------------- */

static rct_model *tree_of(uint64_t seed, int hinges, int loads)
{
    const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                          .bodies = 7 + (int32_t)(3 * seed),
                                          .seed = seed,
                                          .spin = 1.0},
                                 .hinges = hinges,
                                 .joint_forces = loads,
                                 .forces = loads ? 3 : 0,
                                 .floating = loads && seed % 2 == 0,
                                 .ground_moves = loads ? 1 + (int)(seed % 2) : 0};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    return model;
}

static int32_t beside(int32_t body, int32_t system)
{
    return body == RCT_GROUND ? RCT_GROUND : body * SYSTEMS + system;
}

/* SYSTEMS times the same tree; its gravity is the caller's to keep. */
static rct_model *side_by_side(const rct_model *one, const double *gravity)
{
    rct_error error;
    rct_model *all = rct_model_create(NULL, &error);
    assert_int_equal(rct_model_reserve(all, (int64_t)one->count * SYSTEMS, &error), RCT_OK);
    for (int32_t b = 0; b < one->count; b++) {
        for (int32_t s = 0; s < SYSTEMS; s++) {
            rct_body body = rct_bodies_get(one->bodies, b);
            body.parent = beside(body.parent, s);
            must_put(all, all->count, &body);
            all->count++;
        }
    }
    for (int32_t i = 0; i < one->force_count; i++) {
        for (int32_t s = 0; s < SYSTEMS; s++) {
            rct_force force = one->forces[i];
            force.body = beside(force.body, s);
            force.other = beside(force.other, s);
            assert_int_equal(rct_model_add_force(all, &force, NULL, &error), RCT_OK);
        }
    }
    assert_int_equal(rct_model_set_base(all, &one->base, &error), RCT_OK);
    all->own_gravity = gravity;
    all->systems = SYSTEMS;
    return all;
}

static void draw(double gravity[3 * SYSTEMS], double scale)
{
    for (int i = 0; i < 3 * SYSTEMS; i++) {
        gravity[i] = scale * ((i * 37 + 11) % 101 - 50);
    }
}

static rct_solver *solver_of(const rct_model *model, sweeper by)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.backend = by.backend;
    options.method = by.method;
    options.lanes = by.lanes;
    options.segment = RCT_SEGMENT_WHOLE;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* ---- what a solver shows ------------------------------------------------------------------ */

enum { SHOWN = 18 }; /* a body: place, velocity, accelerations and forces at its hinge */

/* [bodies][SHOWN], after some steps; for free(). */
static double *show(rct_solver *solver, int32_t n)
{
    rct_error error;
    double *rows = calloc((size_t)n, SHOWN * sizeof *rows), *all = calloc((size_t)n, SHOWN * 8);
    assert_true(rows != NULL && all != NULL);
    assert_int_equal(rct_solver_step(solver, dt, STEPS, &error), RCT_OK);
    assert_int_equal(rct_solver_evaluate(solver, &error), RCT_OK);
    rct_solver_get_state(solver, NULL, NULL, rows, rows + 3 * n);
    rct_solver_get_accelerations(solver, rows + 6 * n, rows + 9 * n);
    rct_solver_get_hinge_forces(solver, rows + 12 * n, rows + 15 * n);
    for (int32_t b = 0; b < n; b++) {
        for (int k = 0; k < SHOWN / 3; k++) {
            memcpy(all + SHOWN * b + 3 * k, rows + 3 * (k * n + b), 3 * sizeof *all);
        }
    }
    free(rows);
    return all;
}

static void check_system(const double *all, rct_model *one, const double gravity[3], int32_t system,
                         sweeper by)
{
    assert_int_equal(rct_model_set_gravity(one, gravity, NULL), RCT_OK);
    rct_solver *solver = solver_of(one, by);
    double *alone = show(solver, one->count);
    for (int32_t b = 0; b < one->count; b++) {
        assert_memory_equal(alone + SHOWN * b, all + SHOWN * beside(b, system),
                            SHOWN * sizeof *all);
    }
    free(alone);
    rct_solver_free(solver);
}

/* Another gravity: by renewal, or in a new solver if renewal is impossible. */
static rct_solver *again(rct_solver *solver, const rct_model *model, sweeper by)
{
    if (!rct_solver_renews(solver)) {
        rct_solver_free(solver);
        return solver_of(model, by);
    }
    rct_error error;
    assert_true(rct_solver_fits(solver, model));
    assert_int_equal(rct_solver_renew(solver, model, &error), RCT_OK);
    return solver;
}

static void check(rct_model *one, sweeper by)
{
    double gravity[3 * SYSTEMS];
    draw(gravity, 0.2);
    rct_model *model = side_by_side(one, gravity);
    rct_solver *solver = solver_of(model, by);
    for (int twice = 0; twice < 2; twice++) {
        double *all = show(solver, model->count);
        for (int32_t s = 0; s < SYSTEMS; s += 2) {
            check_system(all, one, gravity + 3 * (int64_t)s, s, by);
        }
        free(all);
        draw(gravity, -0.13);
        solver = again(solver, model, by);
    }
    rct_solver_free(solver);
    rct_model_free(model);
}

static void check_balls(const char *backend)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        for (int32_t lanes = 1; lanes <= lanes_up_to(8); lanes *= 2) {
            rct_model *one = tree_of(seed, 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_FIXED, 0);
            check(one, (sweeper){backend, RCT_METHOD_ABI, lanes});
            check(one, (sweeper){backend, RCT_METHOD_RICCATI, lanes});
            rct_model_free(one);
        }
    }
}

static void test_balls(void **state)
{
    (void)state;
    on_every_backend(check_balls);
}

/* Also free bodies, and an accelerating and rotating ground. */
static void check_all_hinges(const char *backend)
{
    for (uint64_t seed = 1; seed <= 8; seed += ONE_IN) {
        const rct_method wanted = seed % 3 == 0 ? RCT_METHOD_RICCATI : RCT_METHOD_ABI;
        rct_model *one = tree_of(seed, ALL_HINGES, seed > 2);
        check(one, (sweeper){backend, wanted, lanes_up_to(1 << seed % 3)});
        rct_model_free(one);
    }
}

static void test_all_hinges(void **state)
{
    (void)state;
    on_every_backend(check_all_hinges);
}

/* One type only: the hinges of robots. */
static void check_revolutes(const char *backend)
{
    for (uint64_t seed = 9; seed <= 12; seed += ONE_IN) {
        rct_model *one = tree_of(seed, 1 << RCT_HINGE_REVOLUTE, seed % 2 == 0);
        check(one, (sweeper){backend, RCT_METHOD_ABI, 0});
        rct_model_free(one);
    }
}

static void test_revolutes(void **state)
{
    (void)state;
    on_every_backend(check_revolutes);
}

/* ---- energy, inverse dynamics ------------------------------------------------------------- */

static rct_measures measured(const rct_model *model, const char *backend)
{
    rct_measures measures;
    rct_error error;
    rct_solver *solver = solver_of(model, (sweeper){backend, RCT_METHOD_ABI, 0});
    assert_int_equal(rct_solver_step(solver, dt, STEPS, &error), RCT_OK);
    rct_solver_measure(solver, &measures);
    rct_solver_free(solver);
    return measures;
}

static void assert_near(double a, double b)
{
    assert_true(b != 0.0);
    assert_true(fabs(a - b) <= 1e-12 * fabs(b));
}

/* The lost potential energy of a tree is the work of its own gravity. */
static void check_energies(const char *backend)
{
    double gravity[3 * SYSTEMS];
    draw(gravity, 0.2);
    for (int type = RCT_HINGE_BALL; type <= RCT_HINGE_REVOLUTE; type++) {
        double sum = 0.0;
        rct_model *one = tree_of(5, 1 << type, 0), *model = side_by_side(one, gravity);
        const rct_measures all = measured(model, backend), on_cpu = measured(model, "cpu");
        for (int32_t s = 0; s < SYSTEMS; s++) {
            rct_model_set_gravity(one, gravity + 3 * (int64_t)s, NULL);
            sum += measured(one, backend).potential;
        }
        assert_near(all.potential, sum);
        assert_near(all.potential, on_cpu.potential);
        assert_near(all.kinetic, on_cpu.kinetic);
        for (int i = 0; i < 3; i++) {
            assert_near(all.momentum[i], on_cpu.momentum[i]);
        }
        rct_model_free(model);
        rct_model_free(one);
    }
}

static void test_energies_add_up(void **state)
{
    (void)state;
    on_every_backend(check_energies);
}

/* Accelerations are zero at the start: these forces hold each tree up. */
static void test_inverse_dynamics_of_balls(void **state)
{
    (void)state;
    rct_error error;
    double gravity[3 * SYSTEMS];
    draw(gravity, 0.2);
    rct_model *one = tree_of(6, 1 << RCT_HINGE_BALL, 0), *model = side_by_side(one, gravity);
    const size_t n = (size_t)model->count;
    rct_solver *solver = solver_of(model, cpu);
    double *x = calloc(3 * n, sizeof *x), *force = calloc(3 * n, sizeof *x);
    double *alone = calloc(3 * n, sizeof *x);
    assert_int_equal(rct_solver_inverse_dynamics(solver, x, force, NULL, NULL, &error), RCT_OK);
    rct_solver_free(solver);
    for (int32_t s = 0; s < SYSTEMS; s++) {
        rct_model_set_gravity(one, gravity + 3 * (int64_t)s, &error);
        solver = solver_of(one, cpu);
        assert_int_equal(rct_solver_inverse_dynamics(solver, x, alone, NULL, NULL, &error), RCT_OK);
        for (int32_t b = 0; b < one->count; b++) {
            assert_memory_equal(alone + 3 * b, force + 3 * beside(b, s), 3 * sizeof *x);
        }
        rct_solver_free(solver);
    }
    free(x);
    free(force);
    free(alone);
    rct_model_free(model);
    rct_model_free(one);
}

/* ---- what does not fit, failures ---------------------------------------------------------- */

static void test_one_gravity_and_many_do_not_fit(void **state)
{
    (void)state;
    double gravity[3 * SYSTEMS];
    draw(gravity, 0.2);
    rct_model *one = tree_of(3, 1 << RCT_HINGE_REVOLUTE, 0), *model = side_by_side(one, gravity);
    rct_solver *solver = solver_of(model, cpu);
    model->own_gravity = NULL;
    model->systems = 0;
    assert_false(rct_solver_fits(solver, model));
    rct_solver_free(solver);
    solver = solver_of(model, cpu);
    assert_true(rct_solver_fits(solver, model));
    model->own_gravity = gravity;
    model->systems = SYSTEMS;
    assert_false(rct_solver_fits(solver, model));
    rct_solver_free(solver);
    rct_model_free(model);
    rct_model_free(one);
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    double gravity[3 * SYSTEMS];
    draw(gravity, 0.2);
    for (int type = RCT_HINGE_BALL; type <= RCT_HINGE_REVOLUTE; type++) {
        rct_model *one = tree_of(2, 1 << type, 0), *model = side_by_side(one, gravity);
        rct_solver_options options = rct_solver_options_default();
        rct_solver *solver = NULL;
        int64_t allocations = 0;
        options.backend = "cpu";
        options.segment = RCT_SEGMENT_WHOLE;
        for (; solver == NULL && allocations < 200; allocations++) {
            rct_error error = {.text = ""};
            rct_allocate_fail_after(allocations);
            solver = rct_solver_create(model, &options, &error);
            rct_allocate_fail_after(-1);
            assert_true(solver != NULL || strstr(error.text, "out of memory") != NULL);
        }
        assert_non_null(solver);
        assert_true(allocations > 20);
        rct_solver_free(solver);
        rct_model_free(model);
        rct_model_free(one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_all_hinges),
        cmocka_unit_test(test_revolutes),
        cmocka_unit_test(test_energies_add_up),
        cmocka_unit_test(test_inverse_dynamics_of_balls),
        cmocka_unit_test(test_one_gravity_and_many_do_not_fit),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
