/* Integrators with error control on every backend there is: one motion, to the tolerance; and implicit stages as those of the cpu. */
#include "tests/support/cmocka_all.h"

#include "dynamics/solver.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"

#include <math.h>

enum { BODIES = 40, NUMBERS = 7 * BODIES, MOST = 1024 };

static rct_solver *made(const char *backend, rct_integrator integrator, rct_hinge_type hinge,
                        rct_error *error)
{
    const rct_family family = {.family = "comb",
                               .bodies = BODIES,
                               .hinge = hinge,
                               .seed = 1,
                               .perturb = 0.3,
                               .systems = 1};
    rct_model *model = must_generate(&family);
    rct_solver_options options = rct_solver_options_default();
    options.backend = backend;
    options.integrator = integrator;
    options.tolerance = 1e-9;
    rct_solver *solver = rct_solver_create(model, &options, error);
    rct_model_free(model);
    return solver;
}

static void read_state(const rct_solver *solver, double *numbers)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    assert_true(info.coordinates + info.dof <= NUMBERS);
    rct_solver_get_coordinates(solver, numbers, numbers + info.coordinates);
}

static void expect_motion(const char *backend, rct_hinge_type hinge)
{
    rct_error error;
    double found[NUMBERS] = {0.0}, truth[NUMBERS] = {0.0};
    rct_solver *solver = made(backend, RCT_INTEGRATOR_DOPRI5, hinge, &error);
    rct_solver *fixed = made("cpu", RCT_INTEGRATOR_RK4, hinge, &error);
    assert_non_null(solver);
    assert_non_null(fixed);
    must_step(solver, 0.02, 2);
    must_step(fixed, 1e-4, 400);
    read_state(solver, found);
    read_state(fixed, truth);
    for (int i = 0; i < NUMBERS; i++) {
        assert_true(fabs(found[i] - truth[i]) < 1e-7 * (1.0 + fabs(truth[i])));
    }
    rct_solver_free(solver);
    rct_solver_free(fixed);
}

/* ---- implicit stages ------------------------------------------------------------------------ */

/* A system with whatever yields: springs and dampers at hinges, of balls too, and what else acts there. */
static rct_model *yielding(uint64_t seed)
{
    const hinge_system system = {.tree = {seed % 2 != 0 ? SHAPE_CHAIN : SHAPE_TREE,
                                          24 + 24 * (int32_t)(seed % 3), 0.1, 1, 0.3, seed},
                                 .hinges = seed % 4 == 1 ? 1 << RCT_HINGE_BALL
                                           : seed % 4 == 2
                                               ? 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_REVOLUTE
                                               : ALL_HINGES,
                                 .joint_forces = 1,
                                 .no_rotors = seed % 3 == 0,
                                 .forces = 3,
                                 .acting = seed % 2 == 0 ? 5 : 0,
                                 .smooth = 1,
                                 .ground_moves = 1};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    return model;
}

typedef struct way {
    rct_method method;
    int64_t segment;
    rct_junction junction;
} way;

static rct_solver *solver_of(const rct_model *model, const char *backend, const way *by)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.backend = backend;
    options.integrator = RCT_INTEGRATOR_IMPLICIT;
    options.tolerance = 1e-6;
    options.method = by->method;
    options.segment = by->segment;
    options.junction = by->junction;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s: %s", backend, error.text);
    }
    return solver;
}

/* How far apart two rows are, in parts of the largest number. */
static double apart(const double *x, const double *y, int64_t count)
{
    double most = 0.0, size = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    return most / size;
}

/* The stage of each against that of the cpu, and steps. */
static void expect_stages(const char *backend, const rct_model *model, const way *by)
{
    static const double deltas[] = {1e-3, 1.0, 0.0};
    const way plain = {by->method, 0, RCT_JUNCTION_AUTO};
    rct_solver *found = solver_of(model, backend, by), *truth = solver_of(model, "cpu", &plain);
    double rates[2][MOST], numbers[2][MOST];
    rct_solver_info info;
    rct_solver_get_info(truth, &info);
    assert_true(info.coordinates + info.dof <= MOST);
    for (int k = 0; k < 3; k++) {
        rct_solver *const both[2] = {found, truth};
        for (int i = 0; i < 2; i++) {
            both[i]->backend->set_delta(both[i]->run, deltas[k], NULL, 0, NULL);
            assert_int_equal(rct_solver_evaluate_inside(both[i], NULL), RCT_OK);
            rct_solver_get_rate_derivatives_inside(both[i], rates[i]);
        }
        assert_true(apart(rates[0], rates[1], info.dof) < 1e-10);
    }
    must_step(found, 0.01, 2);
    must_step(truth, 0.01, 2);
    rct_solver_get_coordinates(found, numbers[0], numbers[0] + info.coordinates);
    rct_solver_get_coordinates(truth, numbers[1], numbers[1] + info.coordinates);
    assert_true(apart(numbers[0], numbers[1], info.coordinates + info.dof) < 1e-9);
    rct_solver_free(found);
    rct_solver_free(truth);
}

static void expect_implicit(const char *backend)
{
    static const int64_t segments[] = {RCT_SEGMENT_AUTO, 3, RCT_SEGMENT_WHOLE};
    static const rct_junction junctions[] = {RCT_JUNCTION_HOST, RCT_JUNCTION_DEVICE};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rct_model *model = yielding(seed);
        for (int k = 0; k < 6; k++) {
            const way by = {seed % 2 == (uint64_t)(k % 2) ? RCT_METHOD_ABI : RCT_METHOD_RICCATI,
                            segments[k % 3], junctions[k / 3]};
            expect_stages(backend, model, &by);
        }
        rct_model_free(model);
    }
}

static void test_every_backend(void **state)
{
    (void)state;
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        assert_int_equal(rct_backend_describe(i, &info, NULL), RCT_OK);
        if (info.available) {
            expect_motion(info.name, RCT_HINGE_REVOLUTE);
            expect_motion(info.name, RCT_HINGE_BALL);
            expect_implicit(info.name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_backend)};
    return cmocka_run_group_tests_name("integrators on backends", tests, NULL, NULL);
}
