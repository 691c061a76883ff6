/* Forces at the hinges of long chains and of trees, which sweeps find in lanes, in the trunk, in
 * narrow and in wide rows: the efforts that inverse dynamics finds for the accelerations are the
 * sums that rct_solver_hinge_efforts makes on the host; for any lanes, threads and segments, with
 * both methods. */
#include "tests/support/cmocka_all.h"

#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/systems/acting_forces.h"

#include <riccatree/operators.h>
#include <riccatree/solver.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 150, FORCES = 400 };

/* Hinges of a chain or a tree. */
typedef enum hinges { BALLS, REVOLUTES, ALTERNATE, FEW_REVOLUTES, ANY, KINDS } hinges;

static rct_hinge_type hinge_of(hinges kind, int32_t b)
{
    static const rct_hinge_type all[] = {
        RCT_HINGE_REVOLUTE, RCT_HINGE_BALL,    RCT_HINGE_UNIVERSAL,  RCT_HINGE_PRISMATIC,
        RCT_HINGE_PLANAR,   RCT_HINGE_HELICAL, RCT_HINGE_CYLINDRICAL};
    switch (kind) {
    case BALLS: return RCT_HINGE_BALL;
    case REVOLUTES: return RCT_HINGE_REVOLUTE;
    case ALTERNATE: return b % 2 ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE;
    case FEW_REVOLUTES: return b % 61 == 30 ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL;
    default: return all[b % 7];
    }
}

static rct_body body_of(rct_draw *draw, hinges kind, int32_t b, int tree)
{
    rct_body body = rct_body_default();
    body.hinge = hinge_of(kind, b);
    body.parent = tree && b > 0 ? (b - 1) / 2 - (b % 11 == 0) * ((b - 1) / 4) : b - 1;
    body.mass = 1.0;
    body.com[2] = -0.5;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.hinge_at[2] = b > 0 ? -1.0 : 0.0;
    if (body.hinge != RCT_HINGE_BALL) {
        body.hinge_axis[b % 3] = 1.0;
        body.hinge_axis[2] = b % 3 == 2;
        if (body.hinge == RCT_HINGE_UNIVERSAL || body.hinge == RCT_HINGE_PLANAR) {
            memset(body.hinge_axis2, 0, sizeof body.hinge_axis2);
            body.hinge_axis2[(b + 1) % 3] = 1.0;
        }
        body.hinge_pitch = body.hinge == RCT_HINGE_HELICAL ? 0.1 : 0.0;
        for (int i = 0; i < rct_hinge_freedoms(body.hinge); i++) {
            body.position[i] = rct_draw_between(draw, -0.4, 0.4);
            body.rate[i] = rct_draw_between(draw, -1.0, 1.0);
            body.damping[i] = b % 5 == 0;
        }
    } else {
        for (int i = 0; i < 3; i++) {
            body.orientation[1 + i] = rct_draw_between(draw, -0.2, 0.2);
            body.angular_velocity[i] = rct_draw_between(draw, -1.0, 1.0);
            body.damping[i] = b % 5 == 0;
        }
    }
    return body;
}

static rct_model *model_of(hinges kind, int tree)
{
    rct_model *model = rct_model_create(NULL, NULL);
    rct_draw draw = rct_draw_start((uint64_t)kind + 1, 7);
    for (int32_t b = 0; b < BODIES; b++) {
        const rct_body body = body_of(&draw, kind, b, tree);
        must_add(model, &body);
    }
    for (int k = 0; k < FORCES; k++) {
        double table[2 * ACTING_MOST_ROWS];
        const int32_t b = rct_draw_index(&draw, BODIES);
        const rct_hinge_type hinge = hinge_of(kind, b);
        const int ball = hinge == RCT_HINGE_BALL;
        rct_force f = any_acting(&draw, ball ? 0 : k % 4, 0, table);
        f.body = b;
        f.coordinate = ball ? 0 : rct_draw_index(&draw, rct_hinge_freedoms(hinge));
        assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    }
    return model;
}

/* The difference between the efforts needed for the accelerations and the acting ones, relative to
 * the forces that hinges carry. */
static double apart(rct_solver *solver, int64_t freedoms)
{
    rct_error error;
    double *a = calloc((size_t)freedoms * 3, sizeof *a), *asked = a + freedoms,
           *there = asked + freedoms;
    double *force = calloc(6 * (size_t)BODIES, sizeof *force), most = 0.0, size = 0.0;
    if (rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_rate_derivatives(solver, a);
    assert_int_equal(
        rct_solver_inverse_dynamics(solver, a, force, force + 3 * (size_t)BODIES, asked, &error),
        RCT_OK);
    assert_int_equal(rct_solver_hinge_efforts(solver, there, &error), RCT_OK);
    for (int64_t r = 0; r < freedoms; r++) {
        most = larger(most, fabs(asked[r] - there[r]));
    }
    for (int32_t i = 0; i < 6 * BODIES; i++) {
        size = larger(size, fabs(force[i]));
    }
    free(a), free(force);
    return most / size;
}

static void test_efforts_are_those_of_the_host(void **state)
{
    (void)state;
    static const int64_t segments[] = {RCT_SEGMENT_AUTO, 5, RCT_SEGMENT_WHOLE, 0};
    for (int kind = 0; kind < 2 * KINDS; kind++) {
        rct_model *model = model_of((hinges)(kind / 2), kind % 2);
        for (int i = 0; i < 16; i++) {
            rct_error error;
            rct_solver_options options = rct_solver_options_default();
            rct_solver_info info;
            options.method = i % 2 ? RCT_METHOD_RICCATI : RCT_METHOD_ABI;
            options.segment = segments[i / 2 % 4];
            options.lanes = lanes_up_to(i < 8 ? 4 : 1);
            options.threads = 1 + i / 4 % 2;
            rct_solver *solver = rct_solver_create(model, &options, &error);
            if (solver == NULL) {
                fail_msg("%s", error.text);
            }
            rct_solver_get_info(solver, &info);
            for (int k = 0; k < 3; k++) {
                const double off = apart(solver, info.dof);
                if (!(off < 1e-9)) { /* accelerations along 150 axes lose digits */
                    fail_msg("kind %d, options %d, time %g: %.2e", kind, i, rct_solver_time(solver),
                             off);
                }
                must_step(solver, 1e-4, 3);
            }
            rct_solver_free(solver);
        }
        rct_model_free(model);
    }
}

/* Efforts that depend on time are those of the present time, even if nothing else has changed. */
static void test_time_alone_changes_efforts(void **state)
{
    (void)state;
    rct_model *model = model_of(REVOLUTES, 0);
    rct_solver *solver = rct_solver_create(model, NULL, NULL);
    rct_solver_info info;
    double a[2][BODIES];
    rct_solver_get_info(solver, &info);
    for (int k = 0; k < 2; k++) {
        rct_solver_set_time(solver, 0.7 * k);
        assert_true(apart(solver, info.dof) < 1e-10);
        rct_solver_get_rate_derivatives(solver, a[k]);
    }
    double most = 0.0;
    for (int r = 0; r < BODIES; r++) {
        most = larger(most, fabs(a[1][r] - a[0][r]));
    }
    assert_true(most > 1e-3);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Slides side by side, each pushed by a table of its own length: before the table, at its rows,
 * between them, after it. */
static void test_tables_of_any_length(void **state)
{
    (void)state;
    enum { SLIDES = 203, MOST_ROWS = 150 };
    rct_model *model = rct_model_create(NULL, NULL);
    rct_draw draw = rct_draw_start(3, 7);
    const double none[3] = {0.0};
    double q[SLIDES], u[SLIDES], a[SLIDES], expected[SLIDES], table[2 * MOST_ROWS];
    rct_error error;
    assert_int_equal(rct_model_set_gravity(model, none, &error), RCT_OK);
    for (int b = 0; b < SLIDES; b++) {
        rct_body body = rct_body_default();
        body.hinge = RCT_HINGE_PRISMATIC;
        body.mass = 1.0;
        must_add(model, &body);
        rct_force f = rct_force_default();
        f.type = RCT_FORCE_CURVE;
        f.body = b;
        f.table = table;
        f.rows = 2 + b * 11 % (MOST_ROWS - 1);
        for (int k = 0; k < f.rows; k++) {
            table[2 * k] = (k > 0 ? table[2 * k - 2] : -1.0) + rct_draw_between(&draw, 0.01, 0.5);
            table[2 * k + 1] = rct_draw_between(&draw, -9.0, 9.0);
        }
        const double end = table[2 * f.rows - 2];
        q[b] = b % 4 == 0   ? table[2 * rct_draw_index(&draw, (int32_t)f.rows)]
               : b % 4 == 1 ? rct_draw_between(&draw, table[0], end)
               : b % 4 == 2 ? table[0] - 0.7
                            : end + 3.0;
        u[b] = 0.0;
        assert_int_equal(rct_model_add_force(model, &f, NULL, &error), RCT_OK);
    }
    for (int32_t lanes = 1; lanes <= 4; lanes *= 2) {
        rct_solver_options options = rct_solver_options_default();
        options.lanes = lanes_up_to(lanes);
        rct_solver *solver = rct_solver_create(model, &options, &error);
        assert_non_null(solver);
        assert_int_equal(rct_solver_forward(solver, 1, q, u, NULL, a, &error), RCT_OK);
        assert_int_equal(rct_solver_hinge_efforts(solver, expected, &error), RCT_OK);
        for (int b = 0; b < SLIDES; b++) {
            if (!(fabs(a[b] - expected[b]) <= 1e-13 * fmax(1.0, fabs(expected[b])))) {
                fail_msg("slide %d: %.17g, not %.17g", b, a[b], expected[b]);
            }
        }
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* A ball that spins about an axis through its hinge, without gravity, stops as a wheel with such
 * friction does: with moment of inertia J, J du/dt = -(C + (B - C) exp(-(u / s)^2)) tanh(u / e),
 * whatever the axis. */
static void test_a_ball_is_rubbed_as_a_wheel(void **state)
{
    (void)state;
    double rate[2];
    for (int ball = 0; ball < 2; ball++) {
        const double none[3] = {0.0, 0.0, 0.0};
        rct_model *model = rct_model_create(NULL, NULL);
        rct_body body = rct_body_default();
        rct_force f = rct_force_default();
        assert_int_equal(rct_model_set_gravity(model, none, NULL), RCT_OK);
        body.hinge = ball ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE;
        body.mass = 2.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.4;
        if (ball) {
            body.angular_velocity[0] = 1.0, body.angular_velocity[1] = -2.0;
            body.angular_velocity[2] = 2.0;
        } else {
            body.hinge_axis[1] = 1.0, body.hinge_axis[2] = 0.0;
            body.rate[0] = 3.0;
        }
        must_add(model, &body);
        f.type = RCT_FORCE_FRICTION;
        f.coulomb = 0.5, f.breakaway = 0.8, f.stribeck = 0.7, f.slip = 0.05;
        assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
        rct_solver *solver = rct_solver_create(model, NULL, NULL);
        double w[3];
        must_step(solver, 1e-3, 2000);
        rct_solver_get_state(solver, NULL, w, NULL, NULL);
        rate[ball] = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        if (ball) {
            assert_true(fabs(w[1] + 2.0 * w[0]) < 1e-12 && fabs(w[2] - 2.0 * w[0]) < 1e-12);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
    assert_true(rate[0] > 0.01 && rate[0] < 1.0);
    assert_true(fabs(rate[1] - rate[0]) < 1e-9);
}

/* Forces that a ball has no coordinate for. */
static void test_what_balls_have_not_is_refused(void **state)
{
    (void)state;
    rct_model *model = rct_model_create(NULL, NULL);
    rct_body body = rct_body_default();
    rct_force f = rct_force_default();
    rct_error error;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    must_add(model, &body);
    f.type = RCT_FORCE_FRICTION;
    f.coulomb = 1.0, f.slip = 0.1;
    f.coordinate = 1;
    assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_check(model, &error), RCT_ERROR_MODEL);
    assert_non_null(
        strstr(error.text, "its ball hinge has friction as a whole: leave the coordinate"));
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_efforts_are_those_of_the_host),
        cmocka_unit_test(test_time_alone_changes_efforts),
        cmocka_unit_test(test_tables_of_any_length),
        cmocka_unit_test(test_a_ball_is_rubbed_as_a_wheel),
        cmocka_unit_test(test_what_balls_have_not_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
