/* Checks of derivatives of accelerations (tangent_bench.h). */
#include "tests/support/systems/tangent_bench.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/systems/hinge_tree.h"
#include "tests/support/zeros.h"

#include <riccatree/operators.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rct_error error;

static void must(rct_status status)
{
    if (status != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* ---- a bench ------------------------------------------------------------------------------ */

void tangent_bench_stand(tangent_bench *b)
{
    rct_solver_get_coordinates(b->solver, b->q, b->u);
}

tangent_bench tangent_bench_begin(rct_model *model, const rct_solver_options *options,
                                  uint64_t seed, int pushed)
{
    rct_solver_options own = *options;
    tangent_bench b = {.model = model,
                       .rates = hinge_tree_freedoms(model),
                       .coordinates = hinge_tree_coordinates(model),
                       .random = seed};
    own.user_forces = pushed;
    b.q = zeros(b.coordinates), b.u = zeros(b.rates);
    b.solver = rct_solver_create(model, &own, &error);
    must(b.solver != NULL ? RCT_OK : error.status);
    tangent_bench_stand(&b);
    if (pushed) {
        b.tau = zeros(b.rates);
        draw_numbers(&b.random, b.tau, (int)b.rates, 5.0);
        must(rct_solver_set_efforts(b.solver, b.tau, &error));
    }
    return b;
}

void tangent_bench_end(tangent_bench *b)
{
    rct_solver_free(b->solver);
    rct_model_free(b->model);
    free(b->q);
    free(b->u);
    free(b->tau);
}

/* ---- differences -------------------------------------------------------------------------- */

void tangent_bench_forward(tangent_bench *b, const double *q, const double *u, const double *tau,
                           double *a)
{
    must(rct_solver_forward(b->solver, 1, q, u, tau, a, &error));
}

/* At h along d. */
static void accelerations_at(tangent_bench *b, tangent_bench_law *law, double h, const double *d,
                             double *a)
{
    double *q = zeros(b->coordinates), *u = zeros(b->rates), *tau = zeros(b->rates);
    double *none = zeros(b->rates);
    hinge_tree_advance(b->model, b->q, d, none, h, q, u);
    for (int64_t r = 0; r < b->rates; r++) {
        u[r] = b->u[r] + h * d[b->rates + r];
        tau[r] = b->tau != NULL ? b->tau[r] + h * d[2 * b->rates + r] : 0.0;
    }
    law(b, q, u, tau, a);
    free(q);
    free(u);
    free(tau);
    free(none);
}

void tangent_bench_differences(tangent_bench *b, tangent_bench_law *law, double h, const double *d,
                               double *da)
{
    static const double steps[4] = {1.0, -1.0, 2.0, -2.0};
    double *a = zeros(4 * b->rates);
    for (int k = 0; k < 4; k++) {
        accelerations_at(b, law, steps[k] * h, d, a + k * b->rates);
    }
    for (int64_t r = 0; r < b->rates; r++) {
        da[r] = (8.0 * (a[r] - a[b->rates + r]) - (a[2 * b->rates + r] - a[3 * b->rates + r])) /
                (12.0 * h);
    }
    free(a);
    must(rct_solver_set_coordinates(b->solver, b->q, b->u, &error));
    if (b->tau != NULL) {
        must(rct_solver_set_efforts(b->solver, b->tau, &error));
    }
}

void tangent_bench_expect(const tangent_bench *b, const double *da, const double *expected,
                          double tolerance)
{
    double size = 0.0, off = 0.0;
    for (int64_t r = 0; r < b->rates; r++) {
        size = larger(size, fabs(expected[r]));
        off = larger(off, fabs(da[r] - expected[r]));
    }
    if (!(off <= tolerance * size + 1e-10)) {
        fail_msg("off by %.2e of %.2e", off, size);
    }
}

void tangent_bench_check(tangent_bench *b, tangent_bench_law *law, double h, int part,
                         double tolerance)
{
    const int64_t n = b->rates;
    double *d = zeros(3 * n), *da = zeros(n), *expected = zeros(n);
    const double *given[3];
    draw_numbers(&b->random, d, (int)(3 * n), 1.0);
    for (int k = 0; k < 3; k++) {
        const int has = (part == k || part == 3) && (k < 2 || b->tau != NULL);
        given[k] = has ? d + k * n : NULL;
        if (!has) {
            memset(d + k * n, 0, (size_t)n * sizeof *d);
        }
    }
    must(rct_solver_acceleration_tangent(b->solver, 1, given[0], given[1], given[2], da, &error));
    memcpy(expected, d + part % 3 * n, (size_t)n * sizeof *d);
    given[part % 3] = given[part % 3] != NULL ? expected : NULL;
    must(rct_solver_acceleration_tangent(b->solver, 1, given[0], given[1], given[2], expected,
                                         &error));
    assert_memory_equal(expected, da, (size_t)n * sizeof *da);
    tangent_bench_differences(b, law, h, d, expected);
    tangent_bench_expect(b, da, expected, tolerance);
    free(d);
    free(da);
    free(expected);
}

/* ---- the transpose ------------------------------------------------------------------------ */

static double product(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

void tangent_bench_check_adjoint(tangent_bench *b, double tolerance)
{
    const int64_t n = b->rates;
    double *d = zeros(6 * n), *x = zeros(2 * n), *da = zeros(2 * n), *g = zeros(6 * n);
    draw_numbers(&b->random, d, (int)(6 * n), 1.0);
    draw_numbers(&b->random, x, (int)(2 * n), 1.0);
    must(rct_solver_acceleration_tangent(b->solver, 2, d, d + 2 * n, d + 4 * n, da, &error));
    memcpy(g, x, (size_t)(2 * n) * sizeof *g);
    must(rct_solver_acceleration_adjoint(b->solver, 2, g, g, g + 2 * n, g + 4 * n, &error));
    for (int c = 0; c < 2; c++) {
        double along = 0.0, size = 0.0;
        for (int k = 0; k < 3; k++) {
            const double *one = g + (2 * k + c) * n, *other = d + (2 * k + c) * n;
            along += product(one, other, n);
            size += sqrt(product(one, one, n) * product(other, other, n));
        }
        const double expected = product(x + c * n, da + c * n, n);
        if (!(fabs(along - expected) <= tolerance * size)) {
            fail_msg("%.15g by the transpose, %.15g by the tangent, of %.2e", along, expected,
                     size);
        }
    }
    free(d);
    free(x);
    free(da);
    free(g);
}
