/* A member of an ensemble has the bits of the same member alone, whatever stands beside it: in any
 * batch, with any number of threads, and as a solver of its own outside an ensemble. That solver
 * differs by rounding if a member has loops and the compiler contracts products and sums
 * (docs/ensemble.md). */
#include "tests/support/cmocka_all.h"

#include "tests/support/files/collected.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"
#include "tests/support/systems/loop_models.h"
#include "tests/support/systems/tree_families.h"

#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { STEPS = 12, SERIES = 4 };

static const double dt = 1e-3;

#ifdef RCT_STRICT
static const int contracts = 0;
#else
static const int contracts = 1;
#endif

static rct_ensemble_run_options options_of(int64_t batch, int32_t threads)
{
    static const int32_t track[] = {0, 3};
    rct_ensemble_run_options options = collect_options(STEPS, SERIES, batch, threads);
    options.dt = dt;
    options.tracked = 2;
    options.track = track;
    return options;
}

static int same_numbers(const double *a, const double *b, int64_t count, int rounded)
{
    int same = 1;
    for (int64_t i = 0; i < count; i++) {
        same = same && fabs(a[i] - b[i]) <= (rounded ? 1e-13 * fmax(1.0, fabs(b[i])) : 0.0);
    }
    return same;
}

/* The state and energy of a solver made from the model of member k. */
static void check_solver(const rct_ensemble *ensemble, const collected *all, int64_t k,
                         const rct_solver_options *solver_options)
{
    rct_error error = {.text = ""};
    rct_measures first, last;
    const rct_solver_options options = rct_ensemble_solver_options(ensemble, solver_options);
    rct_model *model = rct_ensemble_model(ensemble, k, &error);
    rct_solver *solver = rct_solver_create(model, &options, &error);
    double *numbers = calloc((size_t)all->numbers, sizeof *numbers);
    if (solver == NULL || numbers == NULL) {
        fail_msg("%s", error.text);
    }
    rct_solver_measure(solver, &first);
    assert_int_equal(rct_solver_step(solver, dt, STEPS, &error), RCT_OK);
    rct_solver_measure(solver, &last);
    rct_solver_get_coordinates(solver, numbers, numbers + all->coordinates);
    const double energy[] = {first.kinetic + first.potential, last.kinetic + last.potential};
    const int64_t count = all->coordinates + all->rates;
    const double *found = all->member[k].numbers, *series = found + count;
    const int rounded = contracts && rct_model_loop_count(model) > 0;
    if (!same_numbers(numbers, found, count, rounded)) {
        fail_msg("member %" PRId64 ": a solver of its own gives other numbers", k);
    }
    assert_true(series[SERIES - 1] == all->member[k].energy);
    assert_true(same_numbers(energy, series, 1, rounded));
    assert_true(same_numbers(energy + 1, series + SERIES - 1, 1, rounded));
    free(numbers);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void check_equal(const collected *a, const collected *b)
{
    for (int64_t k = 0; k < a->members; k++) {
        assert_int_equal(a->member[k].times, 1);
        assert_int_equal(b->member[k].times, 1);
        if (!collected_equal(a, b, k)) {
            fail_msg("batches or threads matter");
        }
    }
}

/* One ensemble with batches and threads of every kind, and its members alone. */
static void check_ensemble(const rct_ensemble *ensemble, const rct_solver_options *solver)
{
    static const struct {
        int64_t batch;
        int32_t threads;
    } ways[] = {{1, 2}, {3, 3}, {8, 1}, {13, 2}};
    const int64_t members = rct_ensemble_members(ensemble);
    rct_ensemble_run_options options = options_of(0, 1);
    options.solver = *solver;
    collected *all = collect(ensemble, options, RCT_OK, NULL);
    for (int64_t k = 0; k < members; k++) {
        assert_int_equal(all->member[k].status, RCT_OK);
        assert_true(all->member[k].frames == SERIES && isfinite(all->member[k].drift));
    }
    for (int i = 0; i < 4; i++) {
        options.batch = ways[i].batch;
        options.threads = ways[i].threads;
        collected *other = collect(ensemble, options, RCT_OK, NULL);
        check_equal(all, other);
        collected_free(other);
    }
    for (int64_t k = 0; k < members; k += members / 3) {
        options.first = k;
        options.count = 1;
        collected *one = collect(ensemble, options, RCT_OK, NULL);
        assert_true(one->delivered == 1 && collected_equal(all, one, k));
        collected_free(one);
        check_solver(ensemble, all, k, solver);
    }
    collected_free(all);
}

static rct_solver_options cpu_by(rct_method method)
{
    rct_solver_options options = rct_solver_options_default();
    options.method = method;
    options.backend = "cpu";
    return options;
}

static void check_family(const char *name, int64_t bodies, rct_hinge_type hinge, int64_t members,
                         rct_method method)
{
    static const rct_variation v[] = {{"bodies.*.mass", RCT_VARY_UNIFORM, 0.5, 2.0, 0},
                                      {"gravity[0]", RCT_VARY_GRID, 0.0, 1.0, 2}};
    const rct_solver_options solver = cpu_by(method);
    for (int32_t count = 0; count <= 2; count += 2) {
        rct_ensemble *ensemble =
            must_ensemble(must_family(name, bodies, hinge), members, 0.7, count, v);
        check_ensemble(ensemble, &solver);
        rct_ensemble_free(ensemble);
    }
}

static void test_chains(void **state)
{
    (void)state;
    check_family("chain", 32, RCT_HINGE_BALL, 22, RCT_METHOD_ABI);
    check_family("chain", 32, RCT_HINGE_REVOLUTE, 22, RCT_METHOD_ABI);
    check_family("chain", 9, RCT_HINGE_BALL, 14, RCT_METHOD_RICCATI);
    check_family("chain", 9, RCT_HINGE_UNIVERSAL, 14, RCT_METHOD_RICCATI);
}

/* Each member with steps of its own length. For `implicit`, springs and dampers, which some members
 * lack; conserving takes no dampers. */
static void test_integrators(void **state)
{
    (void)state;
    static const rct_variation v[] = {{"bodies.*.hinge.stiffness", RCT_VARY_GRID, 0.0, 1e4, 3},
                                      {"bodies.body3.hinge.damping", RCT_VARY_GRID, 0.0, 50.0, 2},
                                      {"gravity[0]", RCT_VARY_UNIFORM, 0.0, 1.0, 0}};
    static const rct_integrator integrators[] = {RCT_INTEGRATOR_DOPRI5, RCT_INTEGRATOR_IMPLICIT,
                                                 RCT_INTEGRATOR_CONSERVING};
    for (int i = 0; i < 3; i++) {
        rct_solver_options solver = cpu_by(i == 1 ? RCT_METHOD_RICCATI : RCT_METHOD_ABI);
        solver.integrator = integrators[i];
        solver.tolerance = 1e-9;
        rct_ensemble *ensemble =
            must_ensemble(must_family("branch", 9, RCT_HINGE_REVOLUTE), 12, 0.7, i == 2 ? 1 : 3, v);
        check_ensemble(ensemble, &solver);
        rct_ensemble_free(ensemble);
        ensemble = must_ensemble(must_family("chain", 5, RCT_HINGE_BALL), 7, 0.7, 1, v + 2);
        check_ensemble(ensemble, &solver);
        rct_ensemble_free(ensemble);
        ensemble = must_ensemble(must_family("fourbars", 5, RCT_HINGE_REVOLUTE), 7, 0.0, 1, v + 2);
        check_ensemble(ensemble, &solver);
        rct_ensemble_free(ensemble);
    }
}

static void test_trees(void **state)
{
    (void)state;
    for (const char *const *name = tree_families; *name != NULL; name++) {
        check_family(*name, 15, RCT_HINGE_BALL, 18, RCT_METHOD_ABI);
        check_family(*name, 15, RCT_HINGE_REVOLUTE, 18, RCT_METHOD_ABI);
        check_family(*name, 15, RCT_HINGE_PLANAR, 12, RCT_METHOD_ABI);
    }
}

/* Members that differ only in gravity stand together. The gravities are drawn, so that no member
 * has that of its neighbours. */
static void test_gravity_in_lanes(void **state)
{
    (void)state;
    static const rct_variation v[] = {{"gravity[0]", RCT_VARY_NORMAL, 0.0, 3.0, 0},
                                      {"gravity[2]", RCT_VARY_UNIFORM, -12.0, 1.0, 0}};
    static const rct_hinge_type types[] = {RCT_HINGE_BALL, RCT_HINGE_REVOLUTE, RCT_HINGE_UNIVERSAL};
    for (int32_t lanes = 0; lanes <= 2; lanes++) { /* 0: the widest */
        for (int k = 0; k < 6; k++) {
            rct_solver_options solver = cpu_by(k % 2 == 0 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI);
            rct_ensemble *ensemble =
                must_ensemble(must_family("branch", 12, types[k / 2]), 19, 0.7, 2, v);
            solver.lanes = lanes;
            check_ensemble(ensemble, &solver);
            rct_ensemble_free(ensemble);
        }
    }
}

/* Large members have solvers of their own, which cut them into segments. */
static void test_large_members(void **state)
{
    (void)state;
    check_family("chain", RCT_ENSEMBLE_WHOLE + 1, RCT_HINGE_BALL, 4, RCT_METHOD_ABI);
    check_family("branch", RCT_ENSEMBLE_WHOLE + 90, RCT_HINGE_REVOLUTE, 4, RCT_METHOD_ABI);
}

/* Hinges of all types side by side, springs, dampers, forces, a ground that moves; also trees of several roots. */
static void test_random_trees(void **state)
{
    (void)state;
    const rct_solver_options solver = cpu_by(RCT_METHOD_ABI);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                              .bodies = 6 + (int32_t)(3 * seed),
                                              .seed = seed,
                                              .spin = 1.0},
                                     .hinges = ALL_HINGES,
                                     .joint_forces = seed % 2 == 0,
                                     .forces = seed % 3 == 0 ? 4 : 0,
                                     .floating = seed % 5 == 0,
                                     .ground_moves = seed % 4 == 1};
        for (int32_t count = 0; count <= 1; count++) {
            static const rct_variation gravity = {"gravity[1]", RCT_VARY_UNIFORM, -9.0, 9.0, 0};
            rct_ensemble *ensemble =
                must_ensemble(hinge_system_create(&system), 19, 0.7, count, &gravity);
            check_ensemble(ensemble, &solver);
            rct_ensemble_free(ensemble);
        }
    }
}

/* Friction, limits, servos, curves, cables and drag, whose numbers vary. */
static void test_members_with_forces(void **state)
{
    (void)state;
    static const rct_variation v[] = {{"forces.0.slip", RCT_VARY_UNIFORM, 0.1, 2.0, 0},
                                      {"forces.1.stiffness", RCT_VARY_UNIFORM, 1.0, 50.0, 0},
                                      {"forces.2.damping", RCT_VARY_UNIFORM, 0.0, 3.0, 0},
                                      {"forces.4.length", RCT_VARY_UNIFORM, 0.1, 1.0, 0},
                                      {"forces.5.density", RCT_VARY_GRID, 1.0, 30.0, 2},
                                      {"gravity[1]", RCT_VARY_UNIFORM, -9.0, 9.0, 0}};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        const rct_solver_options solver =
            cpu_by(seed % 2 == 0 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI);
        const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                              .bodies = 8 + (int32_t)seed,
                                              .seed = seed,
                                              .spin = 1.0},
                                     .hinges = ALL_HINGES,
                                     .joint_forces = seed % 3 == 0,
                                     .acting = 12,
                                     .ground_moves = seed % 4 == 1};
        for (int32_t count = 0; count <= 6; count += 6) {
            rct_ensemble *ensemble = must_ensemble(hinge_system_create(&system), 18, 0.3, count, v);
            check_ensemble(ensemble, &solver);
            rct_ensemble_free(ensemble);
        }
    }
}

/* Loads at hinges choose the kernels of a model: members with and without loads share no
 * kernels. */
static void test_members_with_and_without_loads(void **state)
{
    (void)state;
    const rct_solver_options solver = cpu_by(RCT_METHOD_ABI);
    const rct_variation damping = {"bodies.*.hinge.damping", RCT_VARY_GRID, 0.0, 1.0, 3};
    for (int type = RCT_HINGE_BALL; type <= RCT_HINGE_REVOLUTE; type++) {
        rct_ensemble *ensemble =
            must_ensemble(must_family("chain", 7, (rct_hinge_type)type), 18, 0.7, 1, &damping);
        check_ensemble(ensemble, &solver);
        rct_ensemble_free(ensemble);
    }
}

/* With every way of closing the loops and every correction of drift. */
static void test_closed_members(void **state)
{
    (void)state;
    static const rct_variation masses = {"bodies.*.mass", RCT_VARY_UNIFORM, 0.5, 2.0, 0};
    rct_error error;
    rct_solver_options solver = cpu_by(RCT_METHOD_ABI);
    rct_ensemble *ensemble =
        must_ensemble(loop_model_four_bars(3, RCT_LOOP_REVOLUTE, &error), 5, 0.01, 1, &masses);
    for (int closing = RCT_CLOSING_ADMITTANCE; closing <= RCT_CLOSING_SVD; closing++) {
        for (int drift = RCT_DRIFT_PROJECT; drift <= RCT_DRIFT_NONE; drift++) {
            solver.closing = (rct_closing)closing;
            solver.drift = (rct_drift)drift;
            check_ensemble(ensemble, &solver);
        }
    }
    rct_ensemble_free(ensemble);
}

/* Whole trees are tasks, whatever their size; no other value of segments is below 0. */
static void test_trees_left_whole(void **state)
{
    (void)state;
    rct_error error;
    rct_solver_info info;
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    for (int type = RCT_HINGE_BALL; type <= RCT_HINGE_REVOLUTE; type++) {
        rct_model *model = must_family("branch", 3000, (rct_hinge_type)type);
        options.segment = RCT_SEGMENT_WHOLE;
        rct_solver *solver = rct_solver_create(model, &options, &error);
        assert_non_null(solver);
        rct_solver_get_info(solver, &info);
        assert_true(info.segments == 0 && info.segment_length == 0 && info.trunk == 0);
        assert_true(info.tasks == info.roots && info.bushes == 1);
        rct_solver_free(solver);
        options.segment = RCT_SEGMENT_WHOLE - 1;
        assert_null(rct_solver_create(model, &options, &error));
        assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_integrators),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_gravity_in_lanes),
        cmocka_unit_test(test_large_members),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_members_with_forces),
        cmocka_unit_test(test_members_with_and_without_loads),
        cmocka_unit_test(test_closed_members),
        cmocka_unit_test(test_trees_left_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
