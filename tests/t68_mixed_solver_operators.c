/* The public operators of trees of every hinge type, with loads and a ground that moves: against one another, and
 * against the sweeps, the velocities of the state and the kinetic energy, with which they share no code. */
#include "cmocka_all.h"

#include "core/memory.h"
#include "core/rotation.h"
#include "support/draw.h"
#include "support/larger.h"
#include "support/mixed_system.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 3 };

static const double time_of_state = 0.3;

typedef struct bench {
    rct_model *model;
    rct_solver *solver;
    int64_t n, v; /* bodies, rates */
    int resting;  /* 1: the ground is at rest */
    uint64_t random;
} bench;

/* A pull to the origin and a drag. */
static void pull_home(void *context, double time, int32_t bodies, const double *orientation,
                      const double *angular_velocity, const double *position,
                      const double *velocity, double *force, double *moment)
{
    (void)context;
    (void)orientation;
    for (int64_t i = 0; i < 3 * (int64_t)bodies; i++) {
        force[i] -= (1.0 + time) * position[i] + 0.5 * velocity[i];
        moment[i] -= 0.1 * angular_velocity[i];
    }
}

static bench bench_of(const mixed_system *system, int user)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.user_forces = user;
    bench b = {.model = mixed_system_create(system),
               .n = system->tree.bodies,
               .resting = !system->ground_moves,
               .random = system->tree.seed};
    assert_non_null(b.model);
    b.v = mixed_freedoms(b.model);
    b.solver = rct_solver_create(b.model, &options, &error);
    if (b.solver == NULL) {
        fail_msg("%s", error.text);
    }
    if (user) {
        assert_int_equal(rct_solver_set_force_function(b.solver, pull_home, NULL, &error), RCT_OK);
    }
    rct_solver_set_time(b.solver, time_of_state);
    return b;
}

static void bench_end(bench *b)
{
    rct_solver_free(b->solver);
    rct_model_free(b->model);
}

/* Every hinge type alone, then all of them, small and large, with and without all kinds of forces. */
static void on_random_systems(void (*check)(bench *b))
{
    for (int type = RCT_HINGE_FIXED; type <= RCT_HINGE_TYPES; type++) {
        for (uint64_t seed = 1; seed <= (type < RCT_HINGE_TYPES ? 3 : 12); seed++) {
            const int all = type == RCT_HINGE_TYPES;
            const mixed_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                                  .bodies = all && seed == 12 ? 1000
                                                            : all ? (int32_t)(seed * seed + 1)
                                                                  : 12,
                                                  .shuffled = seed % 2,
                                                  .spin = 2.0,
                                                  .seed = seed},
                                         .hinges = all ? MIXED_ALL_HINGES : 1 << type | 1,
                                         .joint_forces = seed % 3 != 0,
                                         .forces = seed % 3 == 1 ? 0 : 7,
                                         .floating = type == RCT_HINGE_FREE || seed % 5 == 0,
                                         .ground_moves = (int)(seed % 3)};
            bench b = bench_of(&system, seed % 4 == 0);
            check(&b);
            bench_end(&b);
        }
    }
}

static double *numbers(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static double dot(const double *a, const double *b, int64_t count)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double size_of(const double *a, int64_t count)
{
    double most = 1e-300;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(a[i]));
    }
    return most;
}

static void expect_near(const double *a, const double *b, int64_t count, double scale, double limit)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(a[i] - b[i]) / scale);
    }
    if (!(most < limit)) {
        fail_msg("%.2e apart, at most %.0e are allowed", most, limit);
    }
}

/* ---- M ------------------------------------------------------------------------------------- */

static void check_mass(bench *b)
{
    const int64_t v = b->v;
    double *x = numbers(COLUMNS * v), *y = numbers(COLUMNS * v), *back = numbers(COLUMNS * v);
    double *one = numbers(v);
    rct_error error;
    rct_measures sums;
    draw_numbers(&b->random, x, (int)(COLUMNS * v), 1.0);
    assert_int_equal(rct_solver_mass_times(b->solver, COLUMNS, x, y, &error), RCT_OK);
    assert_int_equal(rct_solver_mass_solve(b->solver, COLUMNS, y, back, &error), RCT_OK);
    expect_near(back, x, COLUMNS * v, 1.0, 1e-9); /* the condition of M comes in */
    for (int64_t k = 0; k < COLUMNS; k++) {
        assert_int_equal(rct_solver_mass_times(b->solver, 1, x + k * v, one, &error), RCT_OK);
        assert_memory_equal(one, y + k * v, (size_t)v * sizeof *y);
        assert_int_equal(rct_solver_mass_solve(b->solver, 1, one, one, &error), RCT_OK);
        assert_memory_equal(one, back + k * v, (size_t)v * sizeof *y);
    }
    assert_int_equal(rct_solver_mass_times(b->solver, COLUMNS, back, back, &error), RCT_OK);
    expect_near(back, y, COLUMNS * v, size_of(y, COLUMNS * v), 1e-13);
    if (b->resting) {
        rct_solver_get_coordinates(b->solver, NULL, x);
        assert_int_equal(rct_solver_mass_times(b->solver, 1, x, y, &error), RCT_OK);
        rct_solver_measure(b->solver, &sums);
        assert_true(fabs(0.5 * dot(x, y, v) - sums.kinetic) <= 1e-12 * sums.kinetic);
    }
    free(x);
    free(y);
    free(back);
    free(one);
}

static void test_the_mass_matrix_and_its_inverse(void **state)
{
    (void)state;
    on_random_systems(check_mass);
}

/* ---- J ------------------------------------------------------------------------------------- */

static void check_columns(bench *b, const double *x, const double *rows, const double *force)
{
    const int64_t n = b->n, v = b->v;
    double *own = numbers(6 * n), *y = numbers(COLUMNS * v), *one = numbers(v);
    rct_error error;
    assert_int_equal(rct_solver_jacobian_transposed(b->solver, COLUMNS, force,
                                                    force + 3 * COLUMNS * n, y, &error),
                     RCT_OK);
    for (int64_t k = 0; k < COLUMNS; k++) {
        const double *linear = rows + 3 * k * n, *angular = rows + 3 * (COLUMNS + k) * n;
        assert_int_equal(
            rct_solver_jacobian_times(b->solver, 1, x + k * v, own, own + 3 * n, &error), RCT_OK);
        assert_memory_equal(own, linear, (size_t)n * 3 * sizeof *own);
        assert_memory_equal(own + 3 * n, angular, (size_t)n * 3 * sizeof *own);
        assert_int_equal(rct_solver_jacobian_transposed(b->solver, 1, force + 3 * k * n,
                                                        force + 3 * (COLUMNS + k) * n, one, &error),
                         RCT_OK);
        assert_memory_equal(one, y + k * v, (size_t)v * sizeof *one);
        const double done = dot(force + 3 * k * n, linear, 3 * n) +
                            dot(force + 3 * (COLUMNS + k) * n, angular, 3 * n);
        const double scale = sqrt(dot(rows, rows, 6 * COLUMNS * n)) * (double)n;
        assert_true(fabs(done - dot(x + k * v, one, v)) <= 1e-14 * (1.0 + scale));
    }
    free(own);
    free(y);
    free(one);
}

static void check_jacobian(bench *b)
{
    const int64_t n = b->n, v = b->v, rows = 3 * COLUMNS * n;
    double *x = numbers(COLUMNS * v), *force = numbers(2 * rows), *moved = numbers(2 * rows);
    double *state = numbers(6 * n);
    rct_error error;
    draw_numbers(&b->random, x, (int)(COLUMNS * v), 1.0);
    draw_numbers(&b->random, force, (int)(2 * rows), 1.0);
    assert_int_equal(rct_solver_jacobian_times(b->solver, COLUMNS, x, moved, moved + rows, &error),
                     RCT_OK);
    check_columns(b, x, moved, force);
    if (b->resting) {
        rct_solver_get_coordinates(b->solver, NULL, x);
        rct_solver_get_state(b->solver, NULL, state + 3 * n, NULL, state);
        assert_int_equal(rct_solver_jacobian_times(b->solver, 1, x, moved, NULL, &error), RCT_OK);
        assert_int_equal(rct_solver_jacobian_times(b->solver, 1, x, NULL, moved + 3 * n, &error),
                         RCT_OK);
        expect_near(moved, state, 6 * n, size_of(state, 6 * n), 1e-12);
    }
    free(x);
    free(force);
    free(moved);
    free(state);
}

static void test_the_jacobian_and_its_transpose(void **state)
{
    (void)state;
    on_random_systems(check_jacobian);
}

/* ---- dynamics ------------------------------------------------------------------------------ */

/* What the hinges exert along their freedoms: applied - stiffness (q - rest) - damping u; of a ball hinge
 * -damping (w - w of the parent). */
static double *efforts_of(const bench *b)
{
    double *effort = numbers(b->v), *u = numbers(b->v), *w = numbers(3 * b->n);
    double *q = numbers(mixed_coordinates(b->model)), *out = effort;
    const double *qb = q, *ub = u;
    rct_base_motion ground;
    rct_model_base_motion(b->model, time_of_state, &ground);
    rct_solver_get_coordinates(b->solver, q, u);
    rct_solver_get_state(b->solver, NULL, w, NULL, NULL);
    for (int32_t i = 0; i < b->n; i++) {
        rct_body body;
        rct_model_body(b->model, i, &body, NULL);
        const double *up =
            body.parent == RCT_GROUND ? ground.angular_velocity : w + 3 * (int64_t)body.parent;
        const int nu = rct_hinge_freedoms(body.hinge);
        for (int k = 0; k < nu && body.hinge != RCT_HINGE_FREE; k++) {
            out[k] = body.hinge == RCT_HINGE_BALL
                         ? -body.damping[0] * (w[3 * (int64_t)i + k] - up[k])
                         : body.applied[k] - body.stiffness[k] * (qb[k] - body.rest[k]) -
                               body.damping[k] * ub[k];
        }
        out += nu, ub += nu, qb += rct_hinge_coordinates(body.hinge);
    }
    free(u);
    free(w);
    free(q);
    return effort;
}

static void check_inverse(bench *b)
{
    const int64_t n = b->n, v = b->v;
    double *x = numbers(v), *own = numbers(6 * n), *sweep = numbers(6 * n), *effort = numbers(v);
    rct_error error;
    assert_int_equal(rct_solver_evaluate(b->solver, &error), RCT_OK);
    rct_solver_get_rate_derivatives(b->solver, x);
    rct_solver_get_hinge_forces(b->solver, sweep, sweep + 3 * n);
    double *expected = efforts_of(b);
    assert_int_equal(rct_solver_inverse_dynamics(b->solver, x, own, own + 3 * n, effort, &error),
                     RCT_OK);
    expect_near(own, sweep, 6 * n, size_of(sweep, 6 * n), 1e-11);
    rct_solver_get_hinge_forces(b->solver, own, own + 3 * n);
    assert_memory_equal(own, sweep, (size_t)n * 6 * sizeof *own);
    expect_near(effort, expected, v, size_of(sweep, 6 * n), 1e-11);
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
    on_random_systems(check_inverse);
}

/* Add a force and a moment that the parent exerts on body i at its hinge point, and what comes back. */
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

/* Generalized forces that hinges exert, less those that derivatives 0 ask of them. */
static double *drive_of(const bench *b)
{
    static const double none[3] = {0.0};
    const int64_t n = b->n, v = b->v;
    double *q = numbers(v), *zero = numbers(v), *asked = numbers(6 * n), *all = numbers(6 * n);
    double *position = numbers(3 * n), *effort = efforts_of(b), *direct = numbers(v);
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
    double *x = numbers(b->v), *q = drive_of(b);
    rct_error error;
    assert_int_equal(rct_solver_evaluate(b->solver, &error), RCT_OK);
    rct_solver_get_rate_derivatives(b->solver, x);
    assert_int_equal(rct_solver_mass_solve(b->solver, 1, q, q, &error), RCT_OK);
    expect_near(q, x, b->v, size_of(x, b->v), 1e-10);
    free(x);
    free(q);
}

static void test_the_inverse_mass_matrix_accelerates(void **state)
{
    (void)state;
    on_random_systems(check_forward);
}

/* ---- errors -------------------------------------------------------------------------------- */

static void test_columns_and_memory(void **state)
{
    (void)state;
    const mixed_system system = {.tree = {.bodies = 30, .spin = 1.0, .seed = 1},
                                 .hinges = MIXED_ALL_HINGES,
                                 .joint_forces = 1};
    bench b = bench_of(&system, 0);
    double *x = numbers(6 * b.v), *y = numbers(6 * b.n);
    rct_error error;
    assert_int_equal(rct_solver_mass_times(b.solver, -1, x, x, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "-1 columns"));
    assert_int_equal(rct_solver_mass_solve(b.solver, -2, x, x, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_solver_jacobian_times(b.solver, -3, x, y, y, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_solver_jacobian_transposed(b.solver, -4, y, y, x, &error),
                     RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_solver_mass_times(b.solver, 0, x, x, &error), RCT_OK);
    int64_t refused[2] = {0, 0};
    for (int solve = 0; solve < 2; solve++) {
        rct_status status = RCT_ERROR_MEMORY;
        for (int64_t k = 0; status == RCT_ERROR_MEMORY && k < 100; k++) {
            rct_allocate_fail_after(k);
            status = solve ? rct_solver_mass_solve(b.solver, 1, x, x, &error)
                           : rct_solver_inverse_dynamics(b.solver, x, y, y, NULL, &error);
            refused[solve] += status == RCT_ERROR_MEMORY;
        }
        rct_allocate_fail_after(-1);
        assert_int_equal(status, RCT_OK);
        assert_true(refused[solve] > 10);
    }
    free(x);
    free(y);
    bench_end(&b);
}

/* A point mass on the axis of its pin, which the pin of what hangs on it takes up: nothing resists its angle. */
static void test_a_hinge_without_resistance_is_named(void **state)
{
    (void)state;
    rct_error error;
    double x[3] = {1.0, 1.0, 1.0};
    rct_model *model = rct_model_create("loose", NULL);
    for (int i = 0; i < 3; i++) {
        rct_body body = rct_body_default();
        body.hinge = i == 0 ? RCT_HINGE_PRISMATIC : RCT_HINGE_REVOLUTE;
        body.parent = i - 1;
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = 1.0;
        body.inertia[2] = i == 1 ? 0.0 : 1.0;
        assert_int_equal(rct_model_add_body(model, &body, NULL, &error), RCT_OK);
    }
    rct_solver *solver = rct_solver_create(model, NULL, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(rct_solver_mass_solve(solver, 1, x, x, &error), RCT_ERROR_SINGULAR);
    assert_int_equal(error.body, 1);
    assert_non_null(strstr(error.text, "nothing resists a motion of its hinge"));
    assert_int_equal(rct_solver_mass_times(solver, 1, x, x, &error), RCT_OK);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_mass_matrix_and_its_inverse),
        cmocka_unit_test(test_the_jacobian_and_its_transpose),
        cmocka_unit_test(test_inverse_dynamics_return_what_acts),
        cmocka_unit_test(test_the_inverse_mass_matrix_accelerates),
        cmocka_unit_test(test_columns_and_memory),
        cmocka_unit_test(test_a_hinge_without_resistance_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
