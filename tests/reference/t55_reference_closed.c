/* The Lagrangian reference with closed loops against the dense answer on random systems and against all methods of
 * closing on the examples; energy against power. */
#include "tests/support/cmocka_all.h"

#include "core/rotation.h"
#include "tests/reference/loop_reference.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/example.h"
#include "tests/support/systems/loop_system.h"

#include <riccatree/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1, MOST_RATES = 400 };

/* ---- random systems ----------------------------------------------------------------------- */

/* The open tree's derivatives and the dense change; the remaining phi'' relative to the largest
 * gap. */
static double dense_derivatives(closed_system *s, double *derivatives)
{
    const rct_closure_rows *rows = s->problem.rows;
    double *linear = calloc((size_t)(6 * s->n + s->rates + 2 * rows->count), sizeof *linear);
    double *angular = linear + 3 * s->n, *change = angular + 3 * s->n, *gap = change + s->rates;
    double size = 0.0, left = 0.0, *second = gap + rows->count;
    closed_system_accelerate(s, linear, angular, derivatives, gap);
    for (int32_t i = 0; i < rows->count; i++) {
        size = larger(size, fabs(gap[i]));
    }
    closed_system_answer(s, gap, second, change);
    rct_operator_velocities(s->problem.operators, 1, change, linear, angular);
    rct_closure_take(rows, angular, linear, change, second);
    for (int32_t i = 0; i < rows->count; i++) {
        left = larger(left, fabs(gap[i] + second[i]) / size);
    }
    for (int64_t k = 0; k < s->rates; k++) {
        derivatives[k] += change[k];
    }
    free(linear);
    return left;
}

/* 1 if the loops can be closed, 0 if they contradict one another, which the reference must find
 * too; close to the limit either is accepted. */
static int check_random(uint64_t seed, int32_t loops)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = 14, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = ALL_HINGES,
        .joint_forces = 1,
        .forces = 3,
        .ground_moves = (int)(seed % 3)};
    rct_model *model = hinge_system_create(&system);
    closed_add_random(model, loops, ALL_TYPES, seed + 100);
    closed_system s = closed_system_create(model, 0.0);
    double expected[MOST_RATES], found[MOST_RATES];
    rct_error error;
    const double left = dense_derivatives(&s, expected);
    const rct_status status = refer(model, 0.0, NULL, NULL, found, &error);
    if (left > 1e-8 && left < 1e-4) {
        assert_true(status == RCT_OK || status == RCT_ERROR_LOOP);
    } else if (left > 1e-5) {
        assert_int_equal(status, RCT_ERROR_LOOP);
        assert_non_null(strstr(error.text, "contradicts"));
    } else if (status != RCT_OK) {
        fail_msg("seed %d, %d loops: %s", (int)seed, (int)loops, error.text);
    } else if (!(difference(found, expected, s.rates) <= 1e-9)) {
        fail_msg("seed %d, %d loops: off by %g", (int)seed, (int)loops,
                 difference(found, expected, s.rates));
    }
    closed_system_free(&s);
    rct_model_free(model);
    return left <= 1e-5;
}

static void test_random(void **state)
{
    (void)state;
    int closed = 0, all = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        for (int32_t loops = 1; loops <= 8; loops++, all++) {
            closed += check_random(seed, loops);
        }
    }
    print_message("%d of %d can be closed\n", closed, all);
    assert_true(closed > all / 3 && closed < all);
}

/* ---- examples ----------------------------------------------------------------------------- */

/* Energy grows by the power of weight and of what acts at hinges: sum of m v . a + w . (I w. + w x I w). */
static void check_power(const rct_model *model, const rct_solver *solver,
                        const rct_reference_result *result, const double *u, const char *name)
{
    const int32_t n = rct_model_body_count(model);
    double *x = calloc((size_t)(13 * n), sizeof *x), *w = x + 4 * n, *v = w + 6 * n;
    double g[3], gained = 0.0, given = 0.0, size = 0.0;
    int64_t rate = 0;
    rct_solver_get_state(solver, x, w, w + 3 * n, v);
    rct_model_gravity(model, g);
    for (int32_t b = 0; b < n; b++) {
        rct_body body;
        double m[3][3], c[3], spin[3], turned[3], *own = w + 3 * b, arm[3], back[3];
        const double *a = result->linear + 3 * b, *alpha = result->angular + 3 * b;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        rct_rotation(x + 4 * b, m);
        rct_rotate(m, body.com, c);
        rct_cross(own, c, spin);
        rct_cross(own, spin, turned);
        rct_cross(alpha, c, arm);
        double in_body[3], alpha_body[3];
        rct_rotate_back(m, own, in_body);
        rct_rotate_back(m, alpha, alpha_body);
        const double *J = body.inertia;
        double I[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
        rct_rotate(I, alpha_body, back);
        for (int i = 0; i < 3; i++) {
            const double speed = v[3 * b + i] + spin[i];
            const double work = body.mass * speed * (a[i] + arm[i] + turned[i]);
            gained += work + in_body[i] * back[i];
            given += body.mass * speed * g[i];
            size = larger(size, fabs(work));
        }
        for (int32_t k = 0; k < rct_hinge_freedoms(body.hinge); k++, rate++) {
            given += body.applied[k] * u[rate];
        }
    }
    assert_true(size > 1e-3);
    if (!(fabs(gained - given) <= 1e-9 * size)) {
        fail_msg("%s: gains %.17g, is given %.17g", name, gained, given);
    }
    free(x);
}

/* During the motion, with every method that covers it; energy if all loads are weight and applied
 * forces. */
static void check_example(const char *name, int has_power)
{
    static const rct_closing closings[] = {RCT_CLOSING_ADMITTANCE, RCT_CLOSING_MULTIPLIERS,
                                           RCT_CLOSING_QR, RCT_CLOSING_SVD};
    rct_model *model = example(name);
    print_message("%s\n", name);
    for (size_t k = 0; k < sizeof closings / sizeof closings[0]; k++) {
        const rct_solver_options options = loop_options(closings[k]);
        rct_solver *solver = loop_solver(model, &options);
        rct_solver_info info;
        rct_error error;
        double q[MOST_RATES], u[MOST_RATES], found[MOST_RATES], linear[MOST_RATES],
            angular[MOST_RATES], derivatives[MOST_RATES];
        must_step(solver, 1e-4, 100);
        assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        rct_solver_get_info(solver, &info);
        rct_solver_get_coordinates(solver, q, u);
        rct_solver_get_rate_derivatives(solver, found);
        rct_reference_result result = {
            .linear = linear, .angular = angular, .derivatives = derivatives};
        if (rct_reference_evaluate_at(model, RCT_REFERENCE_LAGRANGE, 0.01, q, u, &result, &error) !=
            RCT_OK) {
            fail_msg("%s: %s", name, error.text);
        }
        if (!(difference(found, derivatives, info.dof) <= 1e-10)) {
            fail_msg("%s by %s: off by %g", name, rct_closing_name(closings[k]),
                     difference(found, derivatives, info.dof));
        }
        if (has_power) {
            check_power(model, solver, &result, u, name);
        }
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

static void test_examples(void **state)
{
    (void)state;
    check_example("four-bar", 1);
    check_example("four-bar-internal", 1);
    check_example("bricard", 1);
    check_example("andrews", 0);
    check_example("geared-link", 0);
    check_example("quick-return-1", 0);
    check_example("quick-return-2", 0);
    check_example("six-bodies", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
