/* Derivatives of accelerations with loops: of random systems against central differences of rct_solver_forward, by loops of every type and
 * methods of every kind; where constraints follow from others along the motion itself; the transpose against products. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/hinge_tree.h"
#include "tests/support/systems/loop_models.h"
#include "tests/support/systems/loop_system.h"
#include "tests/support/zeros.h"

#include <riccatree/operators.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rct_error error;

typedef struct bench {
    rct_model *model;
    rct_solver *solver;
    int64_t rates, coordinates;
    double *q, *u, *tau; /* of the state */
    uint64_t random;
} bench;

static void must(rct_status status)
{
    if (status != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

static bench begin(rct_model *model, const rct_solver_options *options, uint64_t seed)
{
    rct_solver_options own = *options;
    own.user_forces = 1;
    bench b = {.model = model, .rates = hinge_tree_freedoms(model), .random = seed};
    b.coordinates = hinge_tree_coordinates(model);
    b.q = zeros(b.coordinates), b.u = zeros(b.rates), b.tau = zeros(b.rates);
    b.solver = loop_solver(model, &own);
    rct_solver_get_coordinates(b.solver, b.q, b.u);
    draw_numbers(&b.random, b.tau, (int)b.rates, 5.0);
    must(rct_solver_set_efforts(b.solver, b.tau, &error));
    return b;
}

static void end(bench *b)
{
    rct_solver_free(b->solver);
    rct_model_free(b->model);
    free(b->q);
    free(b->u);
    free(b->tau);
}

/* ---- differences -------------------------------------------------------------------------- */

/* At h along a direction [3][rates]: dq, du, dtau. */
static void accelerations_at(bench *b, double h, const double *d, double *a)
{
    double *q = zeros(b->coordinates), *u = zeros(b->rates), *tau = zeros(b->rates);
    double *none = zeros(b->rates);
    hinge_tree_advance(b->model, b->q, d, none, h, q, u);
    for (int64_t r = 0; r < b->rates; r++) {
        u[r] = b->u[r] + h * d[b->rates + r];
        tau[r] = b->tau[r] + h * d[2 * b->rates + r];
    }
    must(rct_solver_forward(b->solver, 1, q, u, tau, a, &error));
    free(q);
    free(u);
    free(tau);
    free(none);
}

/* To the fourth order; the solver is then where it was. */
static void differences(bench *b, const double *d, double *da)
{
    static const double h[4] = {3e-4, -3e-4, 6e-4, -6e-4};
    double *a = zeros(4 * b->rates);
    for (int k = 0; k < 4; k++) {
        accelerations_at(b, h[k], d, a + k * b->rates);
    }
    for (int64_t r = 0; r < b->rates; r++) {
        da[r] =
            (8.0 * (a[r] - a[b->rates + r]) - (a[2 * b->rates + r] - a[3 * b->rates + r])) / 36e-4;
    }
    free(a);
    must(rct_solver_set_coordinates(b->solver, b->q, b->u, &error));
    must(rct_solver_set_efforts(b->solver, b->tau, &error));
}

static void expect(const double *da, const double *expected, int64_t n, double tolerance)
{
    double size = 0.0, off = 0.0;
    for (int64_t r = 0; r < n; r++) {
        size = larger(size, fabs(expected[r]));
        off = larger(off, fabs(da[r] - expected[r]));
    }
    if (!(off <= tolerance * size + 1e-10)) {
        fail_msg("off by %.2e of %.2e", off, size);
    }
}

/* Along coordinates, rates and efforts alone, each by NULL for the others. */
static void check_tangents(bench *b)
{
    const int64_t n = b->rates;
    double *one = zeros(3 * n), *da = zeros(n), *expected = zeros(n);
    for (int part = 0; part < 3; part++) {
        const double *d = one + part * n;
        memset(one, 0, (size_t)(3 * n) * sizeof *one);
        draw_numbers(&b->random, one + part * n, (int)n, 1.0);
        must(rct_solver_acceleration_tangent(b->solver, 1, part == 0 ? d : NULL,
                                             part == 1 ? d : NULL, part == 2 ? d : NULL, da,
                                             &error));
        differences(b, one, expected);
        expect(da, expected, n, 1e-7);
    }
    free(one);
    free(da);
    free(expected);
}

static double product(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void check_adjoint(bench *b)
{
    const int64_t n = b->rates;
    double *d = zeros(6 * n), *x = zeros(2 * n), *da = zeros(2 * n), *g = zeros(6 * n);
    draw_numbers(&b->random, d, (int)(6 * n), 1.0);
    draw_numbers(&b->random, x, (int)(2 * n), 1.0);
    must(rct_solver_acceleration_tangent(b->solver, 2, d, d + 2 * n, d + 4 * n, da, &error));
    must(rct_solver_acceleration_adjoint(b->solver, 2, x, g, g + 2 * n, g + 4 * n, &error));
    for (int c = 0; c < 2; c++) {
        double along = 0.0, size = 0.0;
        for (int k = 0; k < 3; k++) {
            const double *one = g + (2 * k + c) * n, *other = d + (2 * k + c) * n;
            along += product(one, other, n);
            size += sqrt(product(one, one, n) * product(other, other, n));
        }
        const double expected = product(x + c * n, da + c * n, n);
        if (!(fabs(along - expected) <= 1e-10 * size)) {
            fail_msg("%.15g by the transpose, %.15g by the tangent, of %.2e", along, expected,
                     size);
        }
    }
    free(d);
    free(x);
    free(da);
    free(g);
}

/* ---- random systems ----------------------------------------------------------------------- */

/* Whether rows depend on one another: then accelerations are not there for all states nearby. */
static int depends(const rct_solver *solver)
{
    const rct_loop_info info = loop_info(solver);
    return info.rank < info.constraints;
}

/* By loops of one type, two of them, in trees large enough to let them; then of all types, and relations. */
static void on_systems(void (*check)(bench *b))
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
            if (rct_model_loop_count(model) == 0) { /* none that the tree lets */
                rct_model_free(model);
                continue;
            }
            bench b = begin(model, &options, seed);
            must(rct_solver_evaluate(b.solver, &error));
            if (!depends(b.solver)) {
                check(&b);
                checked++;
            }
            end(&b);
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

/* Along what the system does by itself: coordinates by the rates, rates by the accelerations. */
static void check_along_motion(rct_model *model, rct_closing closing)
{
    rct_solver_options options = loop_options(closing);
    bench b = begin(model, &options, 5);
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
            rct_solver_get_coordinates(b.solver, b.q, b.u);
            must(rct_solver_acceleration_tangent(b.solver, 1, b.u, a + n, NULL, da, &error));
            check_adjoint(&b);
        }
        must(rct_solver_step(b.solver, h, 1, &error));
    }
    for (int64_t r = 0; r < n; r++) {
        a[r] = (a[2 * n + r] - a[r]) / (2.0 * h);
    }
    expect(da, a, n, 1e-4); /* to the square of h */
    free(a);
    free(da);
    end(&b);
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
    bench b = begin(must_family("fourbars", 401, RCT_HINGE_REVOLUTE), &options, 9);
    check_adjoint(&b);
    end(&b);
    b = begin(loop_model_necklace(300, &error), &options, 9);
    check_tangents(&b);
    check_adjoint(&b);
    end(&b);
}

/* A loop that is let go changes nothing. */
static void test_released_loops(void **state)
{
    (void)state;
    rct_model *model = loop_chain(6, RCT_HINGE_BALL, 0.3, 0.0, 1);
    rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    bench b = begin(model, &options, 3);
    check_tangents(&b);
    must(rct_solver_set_loop_active(b.solver, 0, 0, &error));
    check_tangents(&b);
    check_adjoint(&b);
    end(&b);
}

/* Every allocation fails in turn. */
static void test_memory_runs_out(void **state)
{
    (void)state;
    rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    bench b = begin(must_family("fourbars", 5, RCT_HINGE_REVOLUTE), &options, 9);
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
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangents_are_differences),
        cmocka_unit_test(test_adjoints_are_transposes),
        cmocka_unit_test(test_dependent_constraints),
        cmocka_unit_test(test_many_loops),
        cmocka_unit_test(test_released_loops),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
