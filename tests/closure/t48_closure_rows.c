/* Rows of closures against differences along paths of the open tree: phi' against differences of
 * phi, phi'' against differences of phi'; and J* against J. */
#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/systems/closed_system.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1, MOST_ROWS = 400 };

static rct_model *model_of(uint64_t seed, int ground_moves, int32_t loops, int types)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = 14, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = ALL_HINGES,
        .joint_forces = 1,
        .forces = 3,
        .ground_moves = ground_moves};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    closed_add_random(model, loops, types, seed + 100);
    return model;
}

/* phi and phi' some steps of h away from the state at `time`; phi'' there from the accelerations of
 * the sweeps. */
static void sample(closed_system *s, const rct_model *model, double time, double h, double *phi,
                   double *speed, double *second)
{
    rct_error error;
    rct_solver_set_time(s->open, time);
    if (h > 0.0) {
        assert_int_equal(rct_solver_step(s->open, h, 1, &error), RCT_OK);
    }
    rct_model_base_motion(model, time + h, &s->state.ground);
    closed_system_renew(s, time + h);
    const rct_closure_rows *rows = s->problem.rows;
    assert_true(rows->count <= MOST_ROWS);
    memcpy(phi, rows->phi, (size_t)rows->count * sizeof *phi);
    memcpy(speed, rows->speed, (size_t)rows->count * sizeof *speed);
    double *linear = calloc((size_t)(6 * s->n + s->rates), sizeof *linear);
    double *angular = linear + 3 * s->n, *derivatives = angular + 3 * s->n;
    assert_int_equal(rct_solver_evaluate(s->open, &error), RCT_OK);
    rct_solver_get_accelerations(s->open, linear, angular);
    rct_solver_get_rate_derivatives(s->open, derivatives);
    rct_closure_take(rows, angular, linear, derivatives, second);
    for (int32_t i = 0; i < rows->count; i++) {
        second[i] += rows->bias[i];
    }
    free(linear);
}

/* Over a step h: phi(h) - phi(0) = h (phi'(0) + phi'(h)) / 2 - h^2 (phi''(h) - phi''(0)) / 12 + O(h^5). */
static void check_derivatives(uint64_t seed, int ground_moves, int types)
{
    static const double h = 1e-6;
    rct_model *model = model_of(seed, ground_moves, 24, types);
    closed_system s = closed_system_create(model, 0.3);
    double phi[2][MOST_ROWS], speed[2][MOST_ROWS], second[2][MOST_ROWS];
    sample(&s, model, 0.3, 0.0, phi[0], speed[0], second[0]);
    sample(&s, model, 0.3, h, phi[1], speed[1], second[1]);
    double furthest = 0.0, size = 0.0;
    for (int32_t i = 0; i < s.problem.rows->count; i++) {
        const double step =
            0.5 * h * (speed[0][i] + speed[1][i]) - h * h / 12.0 * (second[1][i] - second[0][i]);
        const double kick = 0.5 * h * (second[0][i] + second[1][i]);
        size = larger(size, fabs(second[0][i]));
        furthest =
            larger(furthest, fabs(phi[1][i] - phi[0][i] - step) / (h * (1.0 + fabs(speed[0][i]))));
        furthest = larger(furthest, fabs(speed[1][i] - speed[0][i] - kick) /
                                        (h * (1.0 + fabs(second[0][i]))));
    }
    assert_true(size > 1.0); /* the numbers are not all zero */
    if (furthest > 1e-4) {
        fail_msg("seed %d: off by %g of the derivative", (int)seed, furthest);
    }
    closed_system_free(&s);
    rct_model_free(model);
}

static void test_derivatives(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        check_derivatives(seed, (int)(seed % 3), ALL_TYPES);
        check_derivatives(seed, (int)(seed % 3), 1 << RCT_LOOP_CAM);
    }
}

/* Loops closed by the harness have phi = 0, for every type except relations in motion. */
static void test_closed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rct_model *model = model_of(seed, 0, 20, seed % 5 == 0 ? 1 << RCT_LOOP_CAM : ALL_TYPES);
        closed_system s = closed_system_create(model, 0.0);
        for (int32_t i = 0; i < s.problem.rows->count; i++) {
            rct_loop loop;
            rct_model_loop(model, s.problem.rows->loop[i], &loop, NULL);
            if (fabs(s.problem.rows->phi[i]) > 1e-12 * 100.0) {
                fail_msg("seed %d: row %d of a %s is open by %g", (int)seed, (int)i,
                         rct_loop_type_name(loop.type), s.problem.rows->phi[i]);
            }
        }
        assert_int_equal(s.problem.rows->flipped, -1);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* x . J u = u . J* x */
static void test_transposed(void **state)
{
    (void)state;
    rct_model *model = model_of(5, 0, 30, ALL_TYPES);
    closed_system s = closed_system_create(model, 0.0);
    const int64_t v = s.rates;
    double *J = closed_system_jacobian(&s),
           *force = calloc((size_t)(6 * s.n + 2 * v), sizeof *force);
    double *moment = force + 3 * s.n, *effort = moment + 3 * s.n, *y = effort + v;
    double x[MOST_ROWS];
    uint64_t random = 7;
    draw_numbers(&random, x, s.problem.rows->count, 1.0);
    rct_closure_give(s.problem.rows, x, force, moment, effort);
    rct_operator_gather(s.problem.operators, 1, force, moment, y);
    for (int64_t j = 0; j < v; j++) {
        double sum = 0.0;
        for (int32_t i = 0; i < s.problem.rows->count; i++) {
            sum += J[i * v + j] * x[i];
        }
        assert_true(fabs(sum - y[j] - effort[j]) <= 1e-12 * (1.0 + fabs(sum)));
    }
    free(J);
    free(force);
    closed_system_free(&s);
    rct_model_free(model);
}

static void test_active(void **state)
{
    (void)state;
    rct_model *model = model_of(9, 0, 6, 1 << RCT_LOOP_BALL);
    closed_system s = closed_system_create(model, 0.0);
    const int64_t version = s.problem.rows->version;
    assert_int_equal(s.problem.rows->count, 18);
    rct_closures_set_active(s.closures, 2, 1);
    assert_int_equal(s.problem.rows->version, version);
    rct_closures_set_active(s.closures, 2, 0);
    assert_true(s.problem.rows->version != version);
    assert_false(rct_closures_active(s.closures, 2));
    closed_system_renew(&s, 0.0);
    assert_int_equal(s.problem.rows->count, 15);
    for (int32_t i = 0; i < 15; i++) {
        assert_int_equal(s.problem.rows->loop[i], i / 3 + (i >= 6));
    }
    closed_system_free(&s);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_transposed),
        cmocka_unit_test(test_active),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
