/* Implicit stages of every backend, and steps of integrators, against those of the cpu: random
 * systems with springs and dampers and with forces at hinges, also at balls, where friction is a
 * load on devices, or forces at other hinges alone. */
#include "tests/support/cmocka_all.h"

#include "dynamics/solver.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"

#include <math.h>

enum { MOST = 1024 };

/* A system with all compliant elements: springs and dampers at hinges, also of balls, and other
 * forces there. */
static rct_model *yielding(uint64_t seed)
{
    static const int hinges[] = {ALL_HINGES, 1 << RCT_HINGE_BALL,
                                 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_REVOLUTE,
                                 ALL_HINGES & ~(1 << RCT_HINGE_BALL)};
    const int32_t bodies = 24 + 24 * (int32_t)(seed % 3);
    const hinge_system system = {
        .tree = {seed % 2 != 0 ? SHAPE_CHAIN : SHAPE_TREE, bodies, 0.1, 1, 0.3, seed},
        .hinges = hinges[seed % 4],
        .joint_forces = 1,
        .no_rotors = seed % 3 == 0,
        .forces = seed < 5 ? 3 : 0,
        .acting = seed % 4 != 1 ? 8 : 0,
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

static rct_solver *solver_of(const rct_model *model, const char *backend, rct_integrator integrator,
                             const way *by)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.backend = backend;
    options.integrator = integrator;
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

/* The difference of two rows, relative to the largest number. */
static double apart(const double *x, const double *y, int64_t count)
{
    double most = 0.0, size = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(x[i] - y[i]));
        size = larger(size, fabs(y[i]));
    }
    return most / size;
}

/* The stages of each against those of the cpu. */
static void expect_stages(rct_solver *found, rct_solver *truth, int64_t dof)
{
    static const double deltas[] = {1e-3, 1.0, 0.0};
    rct_solver *const both[2] = {found, truth};
    double rates[2][MOST];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 2; i++) {
            both[i]->backend->set_delta(both[i]->run, deltas[k], NULL, 0, NULL);
            assert_int_equal(rct_solver_evaluate_inside(both[i], NULL), RCT_OK);
            rct_solver_get_rate_derivatives_inside(both[i], rates[i]);
        }
        assert_true(apart(rates[0], rates[1], dof) < 1e-10);
    }
}

static void expect_steps(const char *backend, const rct_model *model, rct_integrator integrator,
                         const way *by)
{
    const way plain = {by->method, 0, RCT_JUNCTION_AUTO};
    rct_solver *found = solver_of(model, backend, integrator, by);
    rct_solver *truth = solver_of(model, "cpu", integrator, &plain);
    double numbers[2][MOST];
    rct_solver_info info;
    rct_solver_get_info(truth, &info);
    assert_true(info.coordinates + info.dof <= MOST);
    if (integrator == RCT_INTEGRATOR_IMPLICIT) {
        expect_stages(found, truth, info.dof);
    }
    must_step(found, 0.002, 3);
    must_step(truth, 0.002, 3);
    rct_solver_get_coordinates(found, numbers[0], numbers[0] + info.coordinates);
    rct_solver_get_coordinates(truth, numbers[1], numbers[1] + info.coordinates);
    assert_true(apart(numbers[0], numbers[1], info.coordinates + info.dof) < 1e-9);
    rct_solver_free(found);
    rct_solver_free(truth);
}

static void expect_all(const char *backend)
{
    static const int64_t segments[] = {RCT_SEGMENT_AUTO, 3, RCT_SEGMENT_WHOLE};
    static const rct_junction junctions[] = {RCT_JUNCTION_HOST, RCT_JUNCTION_DEVICE};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rct_model *model = yielding(seed);
        for (int k = 0; k < 6; k++) {
            const way by = {seed % 2 == (uint64_t)(k % 2) ? RCT_METHOD_ABI : RCT_METHOD_RICCATI,
                            segments[k % 3], junctions[k / 3]};
            expect_steps(backend, model, RCT_INTEGRATOR_IMPLICIT, &by);
            expect_steps(backend, model, RCT_INTEGRATOR_RK4, &by);
            if (k % 5 == 0) {
                expect_steps(backend, model, RCT_INTEGRATOR_DOPRI5, &by);
            }
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
            expect_all(info.name);
        }
    }
}

/* Forces at hinges that depend only on the state leave steps whole, as graphs on devices. */
static rct_model *rubbing(rct_hinge_type hinge)
{
    const rct_family family = {
        .family = "comb", .bodies = 90, .hinge = hinge, .seed = 1, .perturb = 0.3, .systems = 1};
    rct_model *model = must_generate(&family);
    for (int32_t b = 0; b < 90; b++) {
        rct_force force = rct_force_default();
        force.body = b;
        switch (b % 3) {
        case 0:
            force.type = RCT_FORCE_FRICTION;
            force.coulomb = force.slip = 0.1;
            break;
        case 1:
            force.type = RCT_FORCE_LIMIT;
            force.stiffness = 10.0, force.lower = -0.01, force.upper = 0.01;
            break;
        default:
            force.type = RCT_FORCE_SERVO;
            force.stiffness = 10.0, force.damping = 0.1, force.target = 0.2;
        }
        assert_int_equal(rct_model_add_force(model, &force, NULL, NULL), RCT_OK);
    }
    return model;
}

static void test_whole_steps(void **state)
{
    (void)state;
    static const way ways[] = {{RCT_METHOD_ABI, RCT_SEGMENT_WHOLE, RCT_JUNCTION_AUTO},
                               {RCT_METHOD_RICCATI, 7, RCT_JUNCTION_DEVICE},
                               {RCT_METHOD_ABI, RCT_SEGMENT_AUTO, RCT_JUNCTION_HOST}};
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        assert_int_equal(rct_backend_describe(i, &info, NULL), RCT_OK);
        for (int k = 0; k < 3 && info.available; k++) {
            rct_model *model = rubbing(k == 1 ? RCT_HINGE_UNIVERSAL : RCT_HINGE_REVOLUTE);
            expect_steps(info.name, model, RCT_INTEGRATOR_RK4, &ways[k]);
            rct_model_free(model);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_backend),
                                       cmocka_unit_test(test_whole_steps)};
    return cmocka_run_group_tests_name("stages and steps on backends", tests, NULL, NULL);
}
