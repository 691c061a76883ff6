/* Derivatives of accelerations beyond random trees (t68_tangents): forces beyond their corners,
 * long chains, refused input, and failing allocations. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/draw.h"
#include "tests/support/must.h"
#include "tests/support/zeros.h"

#include <riccatree/operators.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rct_error error;

static rct_solver *solver_of(const rct_model *model, int user_forces)
{
    rct_solver_options options = rct_solver_options_default();
    options.user_forces = user_forces;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* ---- corners ------------------------------------------------------------------------------ */

/* A slide of 2 kg at q = 0.3 with the rate 0.5, and a force. */
static rct_solver *slide_with(const rct_force *force)
{
    rct_model *model = rct_model_create("slide", NULL);
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_PRISMATIC;
    body.mass = 2.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    body.hinge_axis[0] = 1.0, body.hinge_axis[2] = 0.0;
    body.position[0] = 0.3, body.rate[0] = 0.5;
    must_add(model, &body);
    assert_int_equal(rct_model_add_force(model, force, NULL, &error), RCT_OK);
    rct_solver *solver = solver_of(model, 0);
    rct_model_free(model);
    return solver;
}

static void expect_slopes(const rct_force *force, double by_coordinate, double by_rate)
{
    rct_solver *solver = slide_with(force);
    const double one = 1.0;
    double da[2], g[2];
    assert_int_equal(rct_solver_acceleration_tangent(solver, 1, &one, NULL, NULL, da, &error),
                     RCT_OK);
    assert_int_equal(rct_solver_acceleration_tangent(solver, 1, NULL, &one, NULL, da + 1, &error),
                     RCT_OK);
    assert_int_equal(rct_solver_acceleration_adjoint(solver, 1, &one, g, g + 1, NULL, &error),
                     RCT_OK);
    if (!(fabs(da[0] - by_coordinate) <= 1e-14 && fabs(da[1] - by_rate) <= 1e-14 &&
          fabs(g[0] - by_coordinate) <= 1e-14 && fabs(g[1] - by_rate) <= 1e-14)) {
        fail_msg("%s: %g and %g, transposed %g and %g, not %g and %g",
                 rct_force_type_name(force->type), da[0], da[1], g[0], g[1], by_coordinate,
                 by_rate);
    }
    rct_solver_free(solver);
}

static void test_forces_have_the_slopes_of_their_branch(void **state)
{
    (void)state;
    rct_force f = rct_force_default();
    f.type = RCT_FORCE_LIMIT, f.stiffness = 8.0, f.damping = 0.6;
    f.lower = -1.0, f.upper = 1.0;
    expect_slopes(&f, 0.0, 0.0); /* between the stops */
    f.upper = 0.1;
    expect_slopes(&f, -4.0, -0.3);
    f.lower = 0.4, f.upper = 1.0, f.damping = 6.0; /* the relation would pull the results back */
    expect_slopes(&f, 0.0, 0.0);
    f = rct_force_default();
    f.type = RCT_FORCE_SERVO, f.stiffness = 8.0, f.damping = 0.6, f.target = 5.0;
    expect_slopes(&f, -4.0, -0.3);
    f.saturation = 1.0;
    expect_slopes(&f, 0.0, 0.0);
    f = rct_force_default();
    f.type = RCT_FORCE_CABLE, f.stiffness = 8.0, f.damping = 0.6;
    f.other = RCT_GROUND, f.other_at[0] = 2.3;
    f.length = 1.0;
    expect_slopes(&f, -4.0, -0.3);
    f.length = 3.0;
    expect_slopes(&f, 0.0, 0.0); /* slack */
}

/* ---- long chains -------------------------------------------------------------------------- */

/* The transpose against a product, to the rounding of many bodies. */
static void test_long_chains(void **state)
{
    (void)state;
    for (int ball = 0; ball < 2; ball++) {
        const int32_t bodies = 20000;
        rct_model *model = must_family("chain", bodies, ball ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE);
        rct_solver *solver = solver_of(model, 0);
        rct_solver_info info;
        rct_solver_get_info(solver, &info);
        const int64_t n = info.dof;
        double *d = zeros(3 * n), *x = zeros(n), *da = zeros(n), *g = zeros(3 * n);
        double along = 0.0, size = 0.0, expected = 0.0;
        uint64_t random = 5;
        draw_numbers(&random, d, (int)(3 * n), 1.0);
        draw_numbers(&random, x, (int)n, 1.0);
        assert_int_equal(
            rct_solver_acceleration_tangent(solver, 1, d, d + n, d + 2 * n, da, &error), RCT_OK);
        assert_int_equal(rct_solver_acceleration_adjoint(solver, 1, x, g, g + n, g + 2 * n, &error),
                         RCT_OK);
        for (int64_t i = 0; i < 3 * n; i++) {
            along += g[i] * d[i], size += fabs(g[i] * d[i]);
        }
        for (int64_t i = 0; i < n; i++) {
            expected += x[i] * da[i], size += fabs(x[i] * da[i]);
        }
        if (!(fabs(along - expected) <= 1e-11 * size)) {
            fail_msg("%.15g and %.15g of %.2e", along, expected, size);
        }
        free(d);
        free(x);
        free(da);
        free(g);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* ---- refused ------------------------------------------------------------------------------ */

enum { MOST = 24 };

/* Both are refused, and nothing is written. Frees the solver. */
static void expect_refused(rct_solver *solver, rct_status status, int32_t columns, double number,
                           const char *words)
{
    double x[MOST] = {1.0, number}, y[MOST] = {-7.0};
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        const rct_status got =
            adjoint ? rct_solver_acceleration_adjoint(solver, columns, x, y, NULL, NULL, &error)
                    : rct_solver_acceleration_tangent(solver, columns, NULL, x, NULL, y, &error);
        assert_int_equal(got, status);
        assert_int_equal(error.status, status);
        if (strstr(error.text, words) == NULL) {
            fail_msg("\"%s\" does not say \"%s\"", error.text, words);
        }
        assert_true(y[0] == -7.0);
    }
    assert_int_equal(rct_solver_acceleration_tangent(solver, columns, NULL, x, NULL, y, NULL),
                     status); /* without an error */
    rct_solver_free(solver);
}

static void nothing(void *context, double time, int32_t count, const double *orientation,
                    const double *angular_velocity, const double *position, const double *velocity,
                    double *force, double *moment)
{
    (void)context, (void)time, (void)count, (void)orientation, (void)angular_velocity;
    (void)position, (void)velocity, (void)force, (void)moment;
}

static void test_what_is_refused(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 3, RCT_HINGE_BALL);
    rct_solver *solver = solver_of(model, 1);
    assert_int_equal(rct_solver_set_force_function(solver, nothing, NULL, NULL), RCT_OK);
    expect_refused(solver, RCT_ERROR_UNSUPPORTED, 1, 0.0, "a force function is set");
    expect_refused(solver_of(model, 0), RCT_ERROR_ARGUMENT, -1, 0.0, "-1 columns");
    expect_refused(solver_of(model, 0), RCT_ERROR_ARGUMENT, 1, (double)NAN, "[1] is nan");
    expect_refused(solver_of(model, 0), RCT_ERROR_ARGUMENT, 1, (double)INFINITY, "[1] is inf");
    rct_force f = rct_force_default();
    f.type = RCT_FORCE_SPRING, f.other = RCT_GROUND, f.stiffness = 1.0, f.length = 1.0;
    rct_body root;
    rct_model_body(model, 0, &root, NULL);
    memcpy(f.other_at, root.hinge_at, sizeof f.other_at);
    assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    expect_refused(solver_of(model, 0), RCT_ERROR_UNSUPPORTED, 1, 0.0,
                   "force 0: the ends of this spring meet");
    rct_model_free(model);
}

/* Every allocation fails in turn. */
static void test_memory_runs_out(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 4, RCT_HINGE_BALL);
    rct_force f = rct_force_default();
    f.force[0] = 1.0;
    assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    rct_solver *solver = solver_of(model, 0);
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        rct_status status = RCT_ERROR_MEMORY;
        int64_t failures = -1;
        for (int64_t k = 0; status == RCT_ERROR_MEMORY; k++, failures++) {
            double x[12] = {1.0}, y[12];
            rct_allocate_fail_after(k);
            status = adjoint ? rct_solver_acceleration_adjoint(solver, 1, x, y, NULL, NULL, &error)
                             : rct_solver_acceleration_tangent(solver, 1, x, x, NULL, y, &error);
            rct_allocate_fail_after(-1);
        }
        assert_int_equal(status, RCT_OK);
        assert_true(failures > 10);
    }
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_have_the_slopes_of_their_branch),
        cmocka_unit_test(test_long_chains),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
