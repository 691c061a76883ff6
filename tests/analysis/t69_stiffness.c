/* The gradient and the tangent stiffness of random trees of every hinge, with springs, constant
 * efforts, forces and springs to the ground, against accelerations at rest of the reference
 * lagrange and their central differences; solutions against products; the number of eigenvalues
 * below a shift against all eigenvalues by LAPACK. */
#include "tests/support/cmocka_all.h"

#include "analysis/statics.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_tree.h"
#include "tests/support/zeros.h"

#include <riccatree/analysis.h>
#include <riccatree/operators.h>
#include <riccatree/reference.h>

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

typedef struct bench {
    rct_model *model;
    rct_solver *solver;
    rct_statics statics;
    int64_t n, positions;
    double *q, *still, *K; /* of the state; no rates; [n][n] columns of K x */
} bench;

/* A force on the first coordinate of the hinge of a body, of each type that acts at rest. */
static void add_at_hinge(rct_model *model, int32_t body, uint64_t *seed)
{
    static const double table[] = {-2.0, 3.0, -0.5, 1.0, 0.4, -2.0, 2.0, 0.5};
    rct_force f = rct_force_default();
    f.body = body;
    f.type = body % 3 == 0 ? RCT_FORCE_SERVO : body % 3 == 1 ? RCT_FORCE_LIMIT : RCT_FORCE_CURVE;
    if (f.type == RCT_FORCE_CURVE) {
        f.rows = 4, f.table = table;
    } else {
        f.stiffness = draw_between(seed, 0.0, 10.0);
        f.damping = 1.0;
    }
    if (f.type == RCT_FORCE_SERVO) {
        f.target = draw_between(seed, -1.0, 1.0);
    } else if (f.type == RCT_FORCE_LIMIT) {
        f.lower = 10.0, f.upper = 20.0; /* far from its ends */
    }
    assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
}

/* Springs and efforts at hinges, forces of every kind that has a potential, and in half of the
 * cases rotors. */
static rct_model *tree(int32_t bodies, int hinge, uint64_t seed)
{
    const hinge_tree what = {.bodies = bodies, .hinge = hinge, .seed = seed};
    rct_model *model = hinge_tree_create(&what);
    for (int32_t b = 0; b < bodies; b++) {
        rct_body body = rct_body_default();
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        const int axes = body.hinge != RCT_HINGE_BALL && body.hinge != RCT_HINGE_FREE;
        for (int i = 0; axes && i < rct_hinge_freedoms(body.hinge); i++) {
            body.stiffness[i] = draw_between(&seed, 0.0, 20.0);
            body.rest[i] = draw_between(&seed, -1.0, 1.0);
            body.applied[i] = draw_between(&seed, -3.0, 3.0);
            body.armature[i] = seed % 2 == 0 ? draw_between(&seed, 0.0, 0.1) : 0.0;
        }
        if (body.hinge == RCT_HINGE_BALL && b % 3 != 2) {
            draw_numbers(&seed, body.hinge_orientation, 4, 1.0);
            for (int i = 0; i < 3; i++) {
                body.stiffness[i] = draw_between(&seed, 1.0, 10.0);
            }
        }
        must_put(model, b, &body);
        if (axes && rct_hinge_freedoms(body.hinge) > 0) {
            add_at_hinge(model, b, &seed);
        }
        rct_force f = rct_force_default();
        f.body = b;
        draw_numbers(&seed, f.at, 3, 0.7);
        if (b % 5 == 4) {
            f.type = RCT_FORCE_DRAG;
            draw_numbers(&seed, f.end, 3, 1.0);
            f.diameter = 0.2, f.density = 100.0, f.normal = 1.0;
        } else if (b % 2 == 0) {
            draw_numbers(&seed, f.force, 3, 4.0);
        } else {
            f.type = b % 4 == 1 ? RCT_FORCE_CABLE : RCT_FORCE_SPRING;
            draw_numbers(&seed, f.other_at, 3, 2.0);
            f.stiffness = draw_between(&seed, 0.0, 10.0);
            f.length = draw_between(&seed, 0.0, 1.0);
        }
        if (b % 4 == 3 && f.type == RCT_FORCE_SPRING) { /* the ground first */
            f.body = RCT_GROUND, f.other = b;
        }
        assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    }
    return model;
}

static bench begin(rct_model *model, uint64_t seed)
{
    rct_error error;
    const rct_solver_options options = rct_solver_options_default();
    bench b = {.model = model, .n = hinge_tree_freedoms(model)};
    b.positions = hinge_tree_coordinates(model);
    b.q = zeros(b.positions), b.still = zeros(b.n), b.K = zeros(b.n * b.n);
    b.solver = rct_solver_create(model, &options, &error);
    if (b.solver == NULL) {
        fail_msg("%s", error.text);
    }
    hinge_tree_state(model, &seed, b.q, b.still);
    for (int64_t r = 0; r < b.n; r++) {
        b.still[r] = 0.0;
    }
    assert_int_equal(rct_solver_set_coordinates(b.solver, b.q, b.still, &error), RCT_OK);
    rct_solver_get_coordinates(b.solver, b.q, NULL);
    assert_int_equal(rct_statics_begin(&b.statics, b.solver, "it is tested", &error), RCT_OK);
    assert_int_equal(rct_statics_look(&b.statics, NULL, &error), RCT_OK);
    for (int64_t c = 0; c < b.n; c++) {
        b.still[c] = 1.0;
        rct_stiffness_times(b.statics.stiffness, b.still, b.K + c * b.n);
        b.still[c] = 0.0;
    }
    return b;
}

static void end(bench *b)
{
    rct_statics_end(&b->statics);
    rct_solver_free(b->solver);
    rct_model_free(b->model);
    free(b->q);
    free(b->still);
    free(b->K);
}

/* On every hinge alone, and on all together. */
static void on_benches(void (*check)(bench *b, uint64_t seed))
{
    for (int hinge = -1; hinge < RCT_HINGE_TYPES; hinge++) {
        for (uint64_t seed = 1; seed <= 4 && hinge != RCT_HINGE_FIXED; seed++) {
            bench b = begin(tree(1 + (int32_t)(seed * 3 % 8), hinge, seed), seed);
            check(&b, seed);
            end(&b);
        }
    }
}

/* The gradient -M a at rest, from the accelerations of lagrange with q moved by h along rate r. */
static void gradient_at(bench *b, double h, int64_t r, double *gradient)
{
    rct_error error;
    double *q = zeros(b->positions), *u = zeros(b->n);
    rct_reference_result result = {.derivatives = zeros(b->n)};
    b->still[r] = 1.0;
    hinge_tree_advance(b->model, b->q, b->still, u, h, q, u);
    b->still[r] = 0.0;
    if (rct_reference_evaluate_at(b->model, RCT_REFERENCE_LAGRANGE, 0.0, q, b->still, &result,
                                  &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(rct_solver_set_coordinates(b->solver, q, b->still, &error), RCT_OK);
    assert_int_equal(rct_solver_mass_times(b->solver, 1, result.derivatives, gradient, &error),
                     RCT_OK);
    for (int64_t i = 0; i < b->n; i++) {
        gradient[i] = -gradient[i];
    }
    free(q);
    free(u);
    free(result.derivatives);
}

/* Central differences of two lengths, to the fourth order. */
static void column_of_differences(bench *b, int64_t r, double *column)
{
    double *g = zeros(4 * b->n);
    static const double h[4] = {1e-3, -1e-3, 2e-3, -2e-3};
    for (int k = 0; k < 4; k++) {
        gradient_at(b, h[k], r, g + k * b->n);
    }
    for (int64_t i = 0; i < b->n; i++) {
        column[i] = (8.0 * (g[i] - g[b->n + i]) - (g[2 * b->n + i] - g[3 * b->n + i])) / 12e-3;
    }
    free(g);
}

static void check_derivatives(bench *b, uint64_t seed)
{
    double *D = zeros(b->n * b->n), *g = zeros(b->n), size = 0.0, off = 0.0;
    (void)seed;
    gradient_at(b, 0.0, 0, g);
    for (int64_t i = 0; i < b->n; i++) {
        size = larger(size, fabs(g[i]));
        off = larger(off, fabs(g[i] - b->statics.gradient[i]));
    }
    assert_true(off <= 1e-11 * size);
    for (int64_t r = 0; r < b->n; r++) {
        column_of_differences(b, r, D + r * b->n);
    }
    for (int64_t i = 0; i < b->n;
         i++) { /* turns do not commute; the symmetric part of these is K */
        for (int64_t j = 0; j < b->n; j++) {
            const double own = b->K[i * b->n + j];
            size = larger(size, fabs(own));
            off = larger(off, fabs(own - 0.5 * (D[i * b->n + j] + D[j * b->n + i])));
            assert_true(fabs(own - b->K[j * b->n + i]) <= 1e-13 * (size + 1.0));
        }
    }
    if (!(off <= 1e-8 * size)) {
        fail_msg("K is off by %.2e of %.2e", off, size);
    }
    free(D);
    free(g);
}

static void test_gradient_and_stiffness_are_derivatives(void **state)
{
    (void)state;
    on_benches(check_derivatives);
}

static void columns_of_pencil(bench *b, double *K, double *M)
{
    for (int64_t c = 0; c < b->n; c++) {
        b->still[c] = 1.0;
        rct_operator_mass(b->statics.sweeps, 1, b->still, M + c * b->n);
        b->still[c] = 0.0;
        for (int64_t i = 0; i < b->n; i++) {
            K[c * b->n + i] = b->K[c * b->n + i];
        }
    }
}

static void check_solutions(bench *b, double shift, uint64_t *random)
{
    double *x = zeros(b->n), *y = zeros(b->n), *Kx = zeros(b->n), *Mx = zeros(b->n), size = 0.0;
    draw_numbers(random, x, (int)b->n, 1.0);
    rct_stiffness_times(b->statics.stiffness, x, Kx);
    rct_operator_mass(b->statics.sweeps, 1, x, Mx);
    for (int64_t i = 0; i < b->n; i++) {
        y[i] = Kx[i] - shift * Mx[i];
    }
    rct_stiffness_solve(b->statics.stiffness, y, y);
    for (int64_t i = 0; i < b->n; i++) {
        size = larger(size, fabs(y[i] - x[i]));
    }
    if (!(size <= 1e-7)) {
        fail_msg("solved for with an error of %.2e at the shift %g", size, shift);
    }
    free(x);
    free(y);
    free(Kx);
    free(Mx);
}

static void check_signs(bench *b, uint64_t seed)
{
    double *K = zeros(b->n * b->n), *M = zeros(b->n * b->n), *lambda = zeros(b->n);
    const lapack_int n = (lapack_int)b->n;
    columns_of_pencil(b, K, M);
    assert_int_equal(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'U', n, K, n, M, n, lambda), 0);
    for (lapack_int k = 0; k <= n; k++) { /* between eigenvalues, and beyond them */
        const double low = k > 0 ? lambda[k - 1] : lambda[0] - 2.0;
        const double high = k < n ? lambda[k] : lambda[n - 1] + 2.0;
        const double shift = 0.5 * (low + high);
        const double size = larger(fabs(lambda[0]), fabs(lambda[n - 1]));
        if (high - low > 1e-9 * size) {
            const rct_inertia signs = rct_stiffness_factor(b->statics.stiffness, shift);
            if (signs.negative != k || signs.zero != 0) {
                fail_msg("%d eigenvalues below %g, between %g and %g, counted as %d and %d", (int)k,
                         shift, low, high, (int)signs.negative, (int)signs.zero);
            }
            if (high - low > 1e-3 * size) {
                check_solutions(b, shift, &seed);
            }
        }
    }
    free(K);
    free(M);
    free(lambda);
}

static void test_signs_count_eigenvalues(void **state)
{
    (void)state;
    on_benches(check_signs);
}

/* Upright factors of a stiffness that has no negative pivot are those of K. */
static void test_upright_factors_are_those_of_k_where_it_is_positive(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 20, RCT_HINGE_REVOLUTE);
    rct_error error;
    const rct_solver_options options = rct_solver_options_default();
    rct_solver *solver = rct_solver_create(model, &options, &error);
    rct_statics s;
    double least[20] = {0.0}, x[20], y[20], off = 0.0;
    uint64_t random = 3;
    assert_int_equal(rct_solver_equilibrium(solver, NULL, &error), RCT_OK);
    assert_int_equal(rct_statics_begin(&s, solver, "it is tested", &error), RCT_OK);
    assert_int_equal(rct_statics_look(&s, NULL, &error), RCT_OK);
    draw_numbers(&random, x, 20, 1.0);
    for (int kind = RCT_UPRIGHT_PIVOTS; kind <= RCT_UPRIGHT_BODIES; kind++) {
        assert_int_equal(rct_stiffness_factor_upright(s.stiffness, (rct_upright)kind, least), 0);
        rct_stiffness_solve(s.stiffness, x, y);
        rct_stiffness_times(s.stiffness, y, y);
        for (int i = 0; i < 20; i++) {
            off = larger(off, fabs(y[i] - x[i]));
        }
    }
    if (!(off <= 1e-5)) {
        fail_msg("off by %.2e", off);
    }
    rct_statics_end(&s);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradient_and_stiffness_are_derivatives),
        cmocka_unit_test(test_signs_count_eigenvalues),
        cmocka_unit_test(test_upright_factors_are_those_of_k_where_it_is_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
