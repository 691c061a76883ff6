/* Derivatives of accelerations of random trees of every hinge, with and without what acts on them: against central differences of the
 * accelerations of the reference lagrange and of the solver; the transpose against products; what is refused. */
#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_tree.h"
#include "tests/support/zeros.h"

#include <riccatree/loop.h>
#include <riccatree/operators.h>
#include <riccatree/reference.h>

#include <math.h>
#include <stdlib.h>

typedef struct bench {
    rct_model *model;
    rct_solver *solver;
    int64_t rates, coordinates;
    double *q, *u, *tau; /* of the state; tau NULL: no efforts */
    uint64_t random;
} bench;

static const double time_of_state = 0.4;

/* Smooth where coordinates and rates are within 3 and a step of differences, and none of them is slack or cut off there; balls have
 * friction alone. */
static void add_at_hinge(rct_model *model, int32_t body, int ball, uint64_t *random)
{
    static const double table[] = {-4.0, 3.0, -0.5, 1.0, 0.4, -2.0, 4.0, 0.5};
    for (int type = RCT_FORCE_FRICTION; type <= (ball ? RCT_FORCE_FRICTION : RCT_FORCE_CURVE);
         type++) {
        rct_force f = rct_force_default();
        f.type = (rct_force_type)type;
        f.body = body;
        if (type == RCT_FORCE_FRICTION) {
            f.coulomb = 1.0, f.breakaway = 1.5, f.stribeck = 0.7, f.slip = 0.5;
        } else if (type == RCT_FORCE_LIMIT) {
            f.lower = 4.0, f.upper = 5.0; /* pushed in by 1 and more */
            f.stiffness = 30.0, f.damping = 1.0;
        } else if (type == RCT_FORCE_SERVO) {
            f.stiffness = draw_between(random, 0.0, 10.0), f.damping = 0.7;
            f.amplitude = 0.5, f.angular_frequency = 2.0;
        } else {
            f.rows = 4, f.table = table;
            f.over = body % 2 == 0 ? RCT_OVER_COORDINATE : RCT_OVER_RATE;
        }
        rct_error error;
        if (rct_model_add_force(model, &f, NULL, &error) != RCT_OK) {
            fail_msg("%s", error.text);
        }
    }
}

static void add_on_body(rct_model *model, int32_t body, uint64_t *random)
{
    rct_force f = rct_force_default();
    f.body = body;
    draw_numbers(random, f.at, 3, 0.7);
    if (body % 2 == 0) {
        f.type = RCT_FORCE_DRAG;
        draw_numbers(random, f.end, 3, 1.0);
        draw_numbers(random, f.current, 3, 2.0);
        f.diameter = 0.2, f.density = 10.0, f.normal = 1.0, f.tangential = 0.1;
    } else {
        f.type = RCT_FORCE_CABLE;
        draw_numbers(random, f.other_at, 3, 9.0);
        f.stiffness = draw_between(random, 5.0, 10.0), f.damping = 0.1;
    }
    if (body % 4 == 3) { /* the ground first */
        f.body = RCT_GROUND, f.other = body;
        for (int i = 0; i < 3; i++) {
            const double at = f.at[i];
            f.at[i] = f.other_at[i], f.other_at[i] = at;
        }
    }
    rct_error error;
    if (rct_model_add_force(model, &f, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* Forces of the drawing, and of every type besides; rotors. */
static void load(rct_model *model, uint64_t seed)
{
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body = rct_body_default();
        rct_model_body(model, b, &body, NULL);
        const int axes = body.hinge != RCT_HINGE_BALL && body.hinge != RCT_HINGE_FREE;
        for (int i = 0; axes && i < rct_hinge_freedoms(body.hinge); i++) {
            body.armature[i] = draw_between(&seed, 0.0, 0.1);
        }
        must_put(model, b, &body);
        if (body.hinge == RCT_HINGE_BALL || (axes && rct_hinge_freedoms(body.hinge) > 0)) {
            add_at_hinge(model, b, !axes, &seed);
        }
        add_on_body(model, b, &seed);
    }
}

static bench begin(rct_model *model, uint64_t seed, int pushed)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    bench b = {.model = model, .rates = hinge_tree_freedoms(model), .random = seed};
    options.user_forces = pushed;
    b.coordinates = hinge_tree_coordinates(model);
    b.q = zeros(b.coordinates), b.u = zeros(b.rates);
    b.solver = rct_solver_create(model, &options, &error);
    if (b.solver == NULL) {
        fail_msg("%s", error.text);
    }
    hinge_tree_state(model, &b.random, b.q, b.u);
    rct_solver_set_time(b.solver, time_of_state);
    assert_int_equal(rct_solver_set_coordinates(b.solver, b.q, b.u, &error), RCT_OK);
    rct_solver_get_coordinates(b.solver, b.q, b.u);
    if (pushed) {
        b.tau = zeros(b.rates);
        draw_numbers(&b.random, b.tau, (int)b.rates, 5.0);
        assert_int_equal(rct_solver_set_efforts(b.solver, b.tau, &error), RCT_OK);
    }
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

/* On every hinge alone and on all together; free, in motion, loaded, pushed, each with the others and without. */
static void on_benches(void (*check)(bench *b))
{
    for (int hinge = -1; hinge < RCT_HINGE_TYPES; hinge++) {
        const uint64_t seeds = hinge < 0 ? 60 : hinge == RCT_HINGE_FIXED ? 0 : 8;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            const int forces = seed % 2 == 0;
            const hinge_tree what = {.bodies = 1 + (int32_t)(seed * 5 % 9),
                                     .hinge = hinge,
                                     .floating = hinge < 0 && seed % 3 == 0,
                                     .forces = forces,
                                     .moving = seed % 4 >= 2,
                                     .seed = seed};
            rct_model *model = hinge_tree_create(&what);
            if (seed % 8 == 0 || seed % 8 >= 5) {
                load(model, seed);
            }
            bench b = begin(model, seed, seed % 3 != 1);
            check(&b);
            end(&b);
        }
    }
}

/* A direction [3][rates]: dq, du, dtau. */
static double *direction_of(bench *b)
{
    double *d = zeros(3 * b->rates);
    draw_numbers(&b->random, d, (int)(3 * b->rates), 1.0);
    return d;
}

/* Accelerations at h along the direction, of the solver with efforts, or of lagrange. */
static void accelerations_at(bench *b, double h, const double *d, double *a)
{
    rct_error error;
    double *q = zeros(b->coordinates), *u = zeros(b->rates), *tau = zeros(b->rates);
    double *none = zeros(b->rates);
    hinge_tree_advance(b->model, b->q, d, none, h, q, u);
    for (int64_t r = 0; r < b->rates; r++) {
        u[r] = b->u[r] + h * d[b->rates + r];
        tau[r] = b->tau != NULL ? b->tau[r] + h * d[2 * b->rates + r] : 0.0;
    }
    rct_reference_result result = {.derivatives = a};
    const rct_status status = b->tau != NULL
                                  ? rct_solver_forward(b->solver, 1, q, u, tau, a, &error)
                                  : rct_reference_evaluate_at(b->model, RCT_REFERENCE_LAGRANGE,
                                                              time_of_state, q, u, &result, &error);
    if (status != RCT_OK) {
        fail_msg("%s", error.text);
    }
    free(q);
    free(u);
    free(tau);
    free(none);
}

/* To the fourth order. */
static void differences(bench *b, const double *d, double *da)
{
    static const double h[4] = {1e-3, -1e-3, 2e-3, -2e-3};
    double *a = zeros(4 * b->rates);
    for (int k = 0; k < 4; k++) {
        accelerations_at(b, h[k], d, a + k * b->rates);
    }
    for (int64_t r = 0; r < b->rates; r++) {
        da[r] =
            (8.0 * (a[r] - a[b->rates + r]) - (a[2 * b->rates + r] - a[3 * b->rates + r])) / 12e-3;
    }
    free(a);
}

/* Along coordinates, rates and efforts alone, each by NULL for the others, and along all of them. */
static void check_tangent(bench *b)
{
    const int64_t n = b->rates;
    double *all = direction_of(b), *da = zeros(n), *expected = zeros(n), *one = zeros(3 * n);
    for (int part = 0; part < 4; part++) {
        const int has[3] = {part == 0 || part == 3, part == 1 || part == 3,
                            b->tau != NULL && part >= 2};
        const double *given[3];
        rct_error error;
        double size = 0.0, off = 0.0;
        for (int k = 0; k < 3; k++) {
            given[k] = has[k] ? all + k * n : NULL;
            for (int64_t r = 0; r < n; r++) {
                one[k * n + r] = has[k] ? all[k * n + r] : 0.0;
            }
        }
        if (rct_solver_acceleration_tangent(b->solver, 1, given[0], given[1], given[2], da,
                                            &error) != RCT_OK) {
            fail_msg("%s", error.text);
        }
        differences(b, one, expected);
        rct_solver_set_coordinates(b->solver, b->q, b->u, &error);
        if (b->tau != NULL) {
            rct_solver_set_efforts(b->solver, b->tau, &error);
        }
        for (int64_t r = 0; r < n; r++) {
            size = larger(size, fabs(expected[r]));
            off = larger(off, fabs(da[r] - expected[r]));
        }
        if (!(off <= 1e-8 * size + 1e-10)) {
            fail_msg("part %d: off by %.2e of %.2e", part, off, size);
        }
    }
    free(all);
    free(da);
    free(expected);
    free(one);
}

static void test_tangents_are_differences(void **state)
{
    (void)state;
    on_benches(check_tangent);
}

static double product(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Two columns at once, the second in place. */
static void check_adjoint(bench *b)
{
    const int64_t n = b->rates;
    double *d = zeros(3 * 2 * n), *x = zeros(2 * n), *da = zeros(2 * n), *g = zeros(3 * 2 * n);
    rct_error error;
    draw_numbers(&b->random, d, (int)(6 * n), 1.0);
    draw_numbers(&b->random, x, (int)(2 * n), 1.0);
    assert_int_equal(
        rct_solver_acceleration_tangent(b->solver, 2, d, d + 2 * n, d + 4 * n, da, &error), RCT_OK);
    for (int64_t r = 0; r < 2 * n; r++) {
        g[r] = x[r];
    }
    assert_int_equal(
        rct_solver_acceleration_adjoint(b->solver, 2, g, g, g + 2 * n, g + 4 * n, &error), RCT_OK);
    for (int c = 0; c < 2; c++) {
        double along = 0.0, size = 0.0;
        for (int k = 0; k < 3; k++) {
            const double *one = g + (2 * k + c) * n, *other = d + (2 * k + c) * n;
            along += product(one, other, n);
            size += sqrt(product(one, one, n) * product(other, other, n));
        }
        const double expected = product(x + c * n, da + c * n, n);
        if (!(fabs(along - expected) <= 1e-12 * size)) {
            fail_msg("%.15g by the transpose, %.15g by the tangent, of %.2e", along, expected,
                     size);
        }
    }
    free(d);
    free(x);
    free(da);
    free(g);
}

static void test_adjoints_are_transposes(void **state)
{
    (void)state;
    on_benches(check_adjoint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adjoints_are_transposes),
        cmocka_unit_test(test_tangents_are_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
