/* Derivatives of accelerations with loops. Random systems with loops of every type and methods of
 * every kind against central differences of rct_solver_forward; systems in which constraints stay
 * dependent along the motion; the transpose against products. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/must.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/loop_models.h"
#include "tests/support/systems/loop_system.h"
#include "tests/support/systems/tangent_bench.h"
#include "tests/support/zeros.h"

#include <riccatree/operators.h>

#include <stdlib.h>
#include <string.h>

static rct_error error;

static void must(rct_status status)
{
    if (status != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* Along coordinates, rates and efforts, by differences of h. */
static void check_tangents_by(tangent_bench *b, double h)
{
    for (int part = 0; part < 3; part++) {
        tangent_bench_check(b, tangent_bench_forward, h, part, 1e-7);
    }
}

static void check_tangents(tangent_bench *b)
{
    check_tangents_by(b, 3e-4);
}

static void check_adjoint(tangent_bench *b)
{
    tangent_bench_check_adjoint(b, 1e-10);
}

/* ---- random systems ----------------------------------------------------------------------- */

/* Whether rows depend on one another: then nearby states have no accelerations. */
static int depends(const rct_solver *solver)
{
    const rct_loop_info info = loop_info(solver);
    return info.rank < info.constraints;
}

/* Two loops of one type in trees large enough for them; then loops of all types, and relations. */
static void on_systems(void (*check)(tangent_bench *b))
{
    int checked = 0;
    for (int type = 0; type <= RCT_LOOP_TYPES; type++) {
        for (uint64_t seed = 1; seed <= 12; seed++) {
            const hinge_system system = {.tree = {.shape = SHAPE_TREE,
                                                  .bodies = 14,
                                                  .shuffled = 1,
                                                  .spin = 1.0,
                                                  .seed = seed},
                                         .hinges = ALL_HINGES,
                                         .floating = seed % 4 == 0,
                                         .joint_forces = seed % 2 == 0,
                                         .forces = seed % 3 == 0 ? 4 : 0,
                                         .ground_moves = seed % 4 == 1};
            rct_solver_options options = loop_options((rct_closing)(seed % 5));
            options.drift = seed % 3 == 2 ? RCT_DRIFT_BAUMGARTE : RCT_DRIFT_PROJECT;
            options.baumgarte[0] = 3.0, options.baumgarte[1] = 5.0;
            rct_model *model = hinge_system_create(&system);
            closed_add_random(model, 2, type == RCT_LOOP_TYPES ? -1 : 1 << type, seed + 500);
            if (rct_model_loop_count(model) == 0) { /* the tree allows none */
                rct_model_free(model);
                continue;
            }
            tangent_bench b = tangent_bench_begin(model, &options, seed, 1);
            must(rct_solver_evaluate(b.solver, &error));
            if (!depends(b.solver)) {
                check(&b);
                checked++;
            }
            tangent_bench_end(&b);
        }
    }
    assert_true(checked > 100);
}

static void test_tangents_are_differences(void **state)
{
    (void)state;
    on_systems(check_tangents);
}

static void test_adjoints_are_transposes(void **state)
{
    (void)state;
    on_systems(check_adjoint);
}

/* ---- constraints that follow from others -------------------------------------------------- */

/* Along the motion of the system itself: coordinates by the rates, rates by the accelerations. */
static void check_along_motion(rct_model *model, rct_closing closing)
{
    rct_solver_options options = loop_options(closing);
    tangent_bench b = tangent_bench_begin(model, &options, 5, 1);
    const int64_t n = b.rates;
    const double h = 1e-3;
    double *a = zeros(3 * n), *da = zeros(n);
    memset(b.tau, 0, (size_t)n * sizeof *b.tau);
    must(rct_solver_set_efforts(b.solver, b.tau, &error));
    must(rct_solver_step(b.solver, h, 50, &error));
    for (int k = 0; k < 3; k++) {
        must(rct_solver_evaluate(b.solver, &error));
        rct_solver_get_rate_derivatives(b.solver, a + k * n);
        if (k == 1) {
            assert_true(depends(b.solver));
            tangent_bench_stand(&b);
            must(rct_solver_acceleration_tangent(b.solver, 1, b.u, a + n, NULL, da, &error));
            check_adjoint(&b);
        }
        must(rct_solver_step(b.solver, h, 1, &error));
    }
    for (int64_t r = 0; r < n; r++) {
        a[r] = (a[2 * n + r] - a[r]) / (2.0 * h);
    }
    tangent_bench_expect(&b, da, a, 1e-4); /* to the square of h */
    free(a);
    free(da);
    tangent_bench_end(&b);
}

static void test_dependent_constraints(void **state)
{
    (void)state;
    for (int closing = RCT_CLOSING_ADMITTANCE; closing <= RCT_CLOSING_SVD; closing++) {
        check_along_motion(loop_model_four_bars(3, RCT_LOOP_REVOLUTE, &error),
                           (rct_closing)closing);
    }
}

/* ---- many loops, and none that hold ------------------------------------------------------- */

static void test_many_loops(void **state)
{
    (void)state;
    rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    tangent_bench b =
        tangent_bench_begin(must_family("fourbars", 401, RCT_HINGE_REVOLUTE), &options, 9, 1);
    check_adjoint(&b);
    tangent_bench_end(&b);
    b = tangent_bench_begin(loop_model_necklace(300, &error), &options, 9, 1);
    check_tangents(&b);
    check_adjoint(&b);
    tangent_bench_end(&b);
}

/* A tree large enough that its loops are closed in the junction. */
static void test_loops_in_the_junction(void **state)
{
    (void)state;
    rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    rct_model *model = must_family("chain", 3000, RCT_HINGE_BALL);
    rct_solver_info info;
    options.as_given = 1;
    must(loop_model_close(model, 4, 50, &error));
    tangent_bench b = tangent_bench_begin(model, &options, 9, 1);
    rct_solver_get_info(b.solver, &info);
    assert_true(info.segments > 0 && info.trunk > 0);
    check_tangents_by(&b,
                      1e-6); /* they move the end of the chain, 3 km from the ground, the most */
    check_adjoint(&b);
    tangent_bench_end(&b);
}

/* A released loop changes nothing. */
static void test_released_loops(void **state)
{
    (void)state;
    rct_model *model = loop_chain(6, RCT_HINGE_BALL, 0.3, 0.0, 1);
    rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    tangent_bench b = tangent_bench_begin(model, &options, 3, 1);
    check_tangents(&b);
    must(rct_solver_set_loop_active(b.solver, 0, 0, &error));
    check_tangents(&b);
    check_adjoint(&b);
    tangent_bench_end(&b);
}

/* Every allocation fails in turn. */
static void test_memory_runs_out(void **state)
{
    (void)state;
    rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    tangent_bench b =
        tangent_bench_begin(must_family("fourbars", 5, RCT_HINGE_REVOLUTE), &options, 9, 1);
    double x[8] = {1.0}, y[8];
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        rct_status status = RCT_ERROR_MEMORY;
        int64_t failures = -1;
        for (int64_t k = 0; status == RCT_ERROR_MEMORY; k++, failures++) {
            rct_allocate_fail_after(k);
            status = adjoint
                         ? rct_solver_acceleration_adjoint(b.solver, 1, x, y, NULL, NULL, &error)
                         : rct_solver_acceleration_tangent(b.solver, 1, x, x, NULL, y, &error);
            rct_allocate_fail_after(-1);
        }
        must(status);
        assert_true(failures > 20);
    }
    tangent_bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangents_are_differences),
        cmocka_unit_test(test_adjoints_are_transposes),
        cmocka_unit_test(test_dependent_constraints),
        cmocka_unit_test(test_many_loops),
        cmocka_unit_test(test_loops_in_the_junction),
        cmocka_unit_test(test_released_loops),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
