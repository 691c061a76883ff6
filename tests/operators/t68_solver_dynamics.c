/* Inverse dynamics and the inverse mass matrix of trees of every hinge type, with loads and a
 * moving ground, against the sweeps, with which they share no code. */
#include "tests/support/cmocka_all.h"

#include "core/rotation.h"
#include "tests/operators/operator_bench.h"
#include "tests/support/answers/ball_torque.h"
#include "tests/support/systems/hinge_system.h"

#include <stdlib.h>
#include <string.h>

/* The efforts of hinges along their freedoms: applied - stiffness (q - rest) - damping u; of a ball
 * hinge -damping (w - w of the parent). */
static double *efforts_of(const bench *b)
{
    double *effort = zeros(b->v), *u = zeros(b->v), *w = zeros(3 * b->n), *turn = zeros(4 * b->n);
    double *q = zeros(hinge_coordinates(b->model)), *out = effort;
    const double *qb = q, *ub = u;
    rct_base_motion ground;
    rct_model_base_motion(b->model, time_of_state, &ground);
    rct_solver_get_coordinates(b->solver, q, u);
    rct_solver_get_state(b->solver, turn, w, NULL, NULL);
    for (int32_t i = 0; i < b->n; i++) {
        rct_body body;
        rct_model_body(b->model, i, &body, NULL);
        const double *up =
            body.parent == RCT_GROUND ? ground.angular_velocity : w + 3 * (int64_t)body.parent;
        const int nu = rct_hinge_freedoms(body.hinge);
        for (int k = 0; k < nu && body.hinge != RCT_HINGE_FREE && body.hinge != RCT_HINGE_BALL;
             k++) {
            out[k] = body.applied[k] - body.stiffness[k] * (qb[k] - body.rest[k]) -
                     body.damping[k] * ub[k];
        }
        if (body.hinge == RCT_HINGE_BALL) {
            const quad33 parent = quad33_rotation(
                body.parent == RCT_GROUND ? ground.orientation : turn + 4 * (int64_t)body.parent);
            const quad33 own = quad33_rotation(turn + 4 * (int64_t)i);
            const quad3 slip = quad3_subtract(quad3_of(w + 3 * (int64_t)i), quad3_of(up));
            quad3_give(ball_torque(&body, &parent, &own, slip), out, 0);
        }
        out += nu, ub += nu, qb += rct_hinge_coordinates(body.hinge);
    }
    free(u);
    free(w);
    free(turn);
    free(q);
    return effort;
}

static void check_inverse(bench *b)
{
    const int64_t n = b->n, v = b->v;
    double *x = zeros(v), *own = zeros(6 * n), *sweep = zeros(6 * n), *effort = zeros(v);
    rct_error error;
    assert_int_equal(rct_solver_evaluate(b->solver, &error), RCT_OK);
    rct_solver_get_rate_derivatives(b->solver, x);
    rct_solver_get_hinge_forces(b->solver, sweep, sweep + 3 * n);
    double *expected = efforts_of(b);
    assert_int_equal(rct_solver_inverse_dynamics(b->solver, x, own, own + 3 * n, effort, &error),
                     RCT_OK);
    expect_close(own, sweep, 6 * n, size_of(sweep, 6 * n), 1e-11);
    assert_int_equal(rct_solver_hinge_efforts(b->solver, x, &error), RCT_OK);
    expect_close(x, expected, v, size_of(expected, v), 1e-13);
    rct_solver_get_rate_derivatives(b->solver, x);
    rct_solver_get_hinge_forces(b->solver, own, own + 3 * n);
    assert_memory_equal(own, sweep, (size_t)n * 6 * sizeof *own);
    expect_close(effort, expected, v, size_of(sweep, 6 * n), 1e-11);
    assert_int_equal(rct_solver_inverse_dynamics(b->solver, x, NULL, NULL, x, &error), RCT_OK);
    assert_memory_equal(x, effort, (size_t)v * sizeof *x);
    assert_int_equal(rct_solver_inverse_dynamics(b->solver, x, NULL, NULL, NULL, &error), RCT_OK);
    free(x);
    free(own);
    free(sweep);
    free(effort);
    free(expected);
}

static void test_inverse_dynamics_return_what_acts(void **state)
{
    (void)state;
    on_random_benches(check_inverse);
}

/* Adds a force and a moment of the parent on body i at its hinge point, and the reaction. */
static void add_pair(const bench *b, const double *position, int32_t i, const double *force,
                     const double *moment, double *all)
{
    rct_body body;
    double arm[3] = {0.0}, turning[3];
    rct_model_body(b->model, i, &body, NULL);
    const int64_t up = body.parent;
    for (int k = 0; k < 3; k++) {
        all[3 * (int64_t)i + k] += force[k];
        all[3 * (b->n + i) + k] += moment[k];
        arm[k] = up == RCT_GROUND ? 0.0 : position[3 * (int64_t)i + k] - position[3 * up + k];
    }
    rct_cross(arm, force, turning);
    for (int k = 0; k < 3 && up != RCT_GROUND; k++) {
        all[3 * up + k] -= force[k];
        all[3 * (b->n + up) + k] -= moment[k] + turning[k];
    }
}

/* Generalized forces of hinges, less those needed for derivatives of 0. */
static double *drive_of(const bench *b)
{
    static const double none[3] = {0.0};
    const int64_t n = b->n, v = b->v;
    double *q = zeros(v), *zero = zeros(v), *asked = zeros(6 * n), *all = zeros(6 * n);
    double *position = zeros(3 * n), *effort = efforts_of(b), *direct = zeros(v);
    rct_error error;
    rct_solver_get_state(b->solver, NULL, NULL, position, NULL);
    assert_int_equal(
        rct_solver_inverse_dynamics(b->solver, zero, asked, asked + 3 * n, NULL, &error), RCT_OK);
    for (int64_t i = 0; i < 6 * n; i++) {
        asked[i] = -asked[i];
    }
    int64_t row = 0;
    for (int32_t i = 0; i < n; i++) {
        rct_body body;
        rct_model_body(b->model, i, &body, NULL);
        add_pair(b, position, i, asked + 3 * (int64_t)i, asked + 3 * (n + i), all);
        if (body.hinge == RCT_HINGE_BALL) {
            add_pair(b, position, i, none, effort + row, all);
        } else {
            memcpy(direct + row, effort + row,
                   (size_t)rct_hinge_freedoms(body.hinge) * sizeof *effort);
        }
        row += rct_hinge_freedoms(body.hinge);
    }
    assert_int_equal(rct_solver_jacobian_transposed(b->solver, 1, all, all + 3 * n, q, &error),
                     RCT_OK);
    for (int64_t i = 0; i < v; i++) {
        q[i] += direct[i];
    }
    free(zero);
    free(asked);
    free(all);
    free(position);
    free(effort);
    free(direct);
    return q;
}

static void check_forward(bench *b)
{
    double *x = zeros(b->v), *q = drive_of(b);
    rct_error error;
    assert_int_equal(rct_solver_evaluate(b->solver, &error), RCT_OK);
    rct_solver_get_rate_derivatives(b->solver, x);
    assert_int_equal(rct_solver_mass_solve(b->solver, 1, q, q, &error), RCT_OK);
    expect_close(q, x, b->v, size_of(x, b->v), 1e-10);
    free(x);
    free(q);
}

static void test_the_inverse_mass_matrix_accelerates(void **state)
{
    (void)state;
    on_random_benches(check_forward);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverse_dynamics_return_what_acts),
        cmocka_unit_test(test_the_inverse_mass_matrix_accelerates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
