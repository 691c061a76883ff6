/* The operators against one another and against results that share no code with them: sums of
 * energy, velocities of the state, hinge forces of the sweeps, and the accelerations of the
 * Lagrangian reference. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/answers/solution.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/systems/random_system.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 3 };

typedef struct system {
    rct_model *model;
    rct_solver *solver;
    int32_t n, balls;
    double *w; /* [n][3] angular velocities of the state      */
    double *u; /* [balls][3] those of bodies with ball hinges */
} system_of_test;

static double *rows(int64_t count)
{
    double *r = calloc((size_t)count * 3, sizeof *r);
    assert_non_null(r);
    return r;
}

/* Whether body b has freedoms of its own. */
static int is_free(const system_of_test *s, int32_t b)
{
    rct_body body;
    assert_int_equal(rct_model_body(s->model, b, &body, NULL), RCT_OK);
    return body.hinge == RCT_HINGE_BALL;
}

/* Rows of bodies with ball hinges, which are rates; counts them. */
static void pack(system_of_test *s, const double *all, double *rates)
{
    s->balls = 0;
    for (int32_t b = 0; b < s->n; b++) {
        if (is_free(s, b)) {
            memcpy(rates + 3 * s->balls++, all + 3 * b, 3 * sizeof *all);
        }
    }
}

static system_of_test system_make(int shape, int32_t bodies, uint64_t seed, double spin)
{
    const random_system what = {.shape = (random_shape)shape,
                                .bodies = bodies,
                                .fixed = 0.15,
                                .shuffled = 1,
                                .spin = spin,
                                .seed = seed};
    system_of_test s = {.model = random_system_create(&what), .n = bodies};
    assert_non_null(s.model);
    s.solver = solution_solver(s.model, RCT_METHOD_ABI);
    s.w = rows(bodies);
    s.u = rows(bodies);
    rct_solver_get_state(s.solver, NULL, s.w, NULL, NULL);
    pack(&s, s.w, s.u);
    return s;
}

static void system_end(system_of_test *s)
{
    rct_solver_free(s->solver);
    rct_model_free(s->model);
    free(s->w);
    free(s->u);
}

static double dot(const double *a, const double *b, int64_t count)
{
    double sum = 0.0;
    for (int64_t i = 0; i < 3 * count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double apart(const double *a, const double *b, int64_t count)
{
    double most = 0.0, scale = 1e-300;
    for (int64_t i = 0; i < 3 * count; i++) {
        most = larger(most, fabs(a[i] - b[i]));
        scale = larger(scale, fabs(b[i]));
    }
    return most / scale;
}

static void on_random_systems(void (*check)(system_of_test *s, uint64_t *random))
{
    uint64_t random = 5;
    for (int shape = SHAPE_TREE; shape <= SHAPE_STAR; shape++) {
        for (uint64_t seed = 1; seed <= 6; seed++) {
            system_of_test s = system_make(shape, 1 + (int32_t)(seed * seed * 7), seed, 2.0);
            check(&s, &random);
            system_end(&s);
        }
    }
}

/* ---- M ------------------------------------------------------------------------------------- */

static void check_mass(system_of_test *s, uint64_t *random)
{
    double *x = rows(COLUMNS * s->n), *y = rows(COLUMNS * s->n), *back = rows(COLUMNS * s->n);
    rct_error error;
    rct_measures sums;
    draw_numbers(random, x, 3 * COLUMNS * s->balls, 1.0);
    assert_int_equal(rct_solver_mass_times(s->solver, COLUMNS, x, y, &error), RCT_OK);
    const int64_t n = s->balls;
    const double one = dot(x, y + 3 * n, n), other = dot(x + 3 * n, y, n);
    assert_true(fabs(one - other) <= 1e-12 * sqrt(dot(x, y, n) * dot(x + 3 * n, y + 3 * n, n)));

    assert_int_equal(rct_solver_mass_solve(s->solver, COLUMNS, y, back, &error), RCT_OK);
    assert_true(apart(back, x, COLUMNS * n) < 1e-9); /* the condition of M comes in */
    assert_int_equal(rct_solver_mass_times(s->solver, COLUMNS, back, back, &error), RCT_OK);
    assert_true(apart(back, y, COLUMNS * n) < 1e-11);

    assert_int_equal(rct_solver_mass_times(s->solver, 1, s->u, y, &error), RCT_OK);
    rct_solver_measure(s->solver, &sums);
    assert_true(fabs(0.5 * dot(s->u, y, n) - sums.kinetic) <= 1e-12 * sums.kinetic);
    free(x);
    free(y);
    free(back);
}

static void test_the_mass_matrix_and_its_inverse(void **state)
{
    (void)state;
    on_random_systems(check_mass);
}

/* At rest M alpha are the generalized forces of gravity, with alpha from the Lagrangian reference. */
static void test_the_mass_matrix_against_lagrange(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        system_of_test s = system_make(SHAPE_TREE, 40, seed, 0.0);
        double *force = rows(s.n), *moment = rows(s.n), *weights = rows(s.n), *y = rows(s.n);
        double *q = calloc(4 * (size_t)s.n, sizeof *q);
        solution truth = solution_by_reference(s.model);
        rct_error error;
        rct_solver_get_state(s.solver, q, NULL, NULL, NULL);
        for (int32_t b = 0; b < s.n; b++) {
            rct_body body;
            rct_model_body(s.model, b, &body, NULL);
            const double *p = q + 4 * b, *c = body.com;
            const double t[3] = {2.0 * (p[2] * c[2] - p[3] * c[1]),
                                 2.0 * (p[3] * c[0] - p[1] * c[2]),
                                 2.0 * (p[1] * c[1] - p[2] * c[0])};
            const double com[2] = {c[0] + p[0] * t[0] + p[2] * t[2] - p[3] * t[1],
                                   c[1] + p[0] * t[1] + p[3] * t[0] - p[1] * t[2]};
            double g[3];
            rct_model_gravity(s.model, g);
            assert_true(g[0] == 0.0 && g[1] == 0.0);
            force[3 * b + 2] = body.mass * g[2];
            moment[3 * b] = com[1] * force[3 * b + 2];
            moment[3 * b + 1] = -com[0] * force[3 * b + 2];
        }
        assert_int_equal(
            rct_solver_jacobian_transposed(s.solver, 1, force, moment, weights, &error), RCT_OK);
        pack(&s, truth.angular, s.u);
        assert_int_equal(rct_solver_mass_times(s.solver, 1, s.u, y, &error), RCT_OK);
        assert_true(apart(y, weights, s.balls) < 1e-12);
        solution_free(&truth);
        free(force);
        free(moment);
        free(weights);
        free(y);
        free(q);
        system_end(&s);
    }
}

/* ---- J ------------------------------------------------------------------------------------- */

static void check_jacobian(system_of_test *s, uint64_t *random)
{
    const int64_t n = s->n;
    double *v = rows(n), *w = rows(n), *own = rows(n), *x = rows(n), *y = rows(n);
    double *force = rows(n), *moment = rows(n);
    rct_error error;
    rct_solver_get_state(s->solver, NULL, NULL, NULL, own);
    assert_int_equal(rct_solver_jacobian_times(s->solver, 1, s->u, v, w, &error), RCT_OK);
    assert_true(apart(v, own, n) < 1e-13);
    assert_true(apart(w, s->w, n) < 1e-13); /* welded bodies turn with their link */

    draw_numbers(random, x, 3 * s->balls, 1.0);
    draw_numbers(random, force, 3 * s->n, 1.0);
    draw_numbers(random, moment, 3 * s->n, 1.0);
    assert_int_equal(rct_solver_jacobian_times(s->solver, 1, x, v, w, &error), RCT_OK);
    assert_int_equal(rct_solver_jacobian_transposed(s->solver, 1, force, moment, y, &error),
                     RCT_OK);
    const double power = dot(v, force, n) + dot(w, moment, n);
    const double most =
        sqrt(dot(v, v, n) * dot(force, force, n)) + sqrt(dot(w, w, n) * dot(moment, moment, n));
    assert_true(fabs(power - dot(x, y, s->balls)) <= 1e-12 * most);
    free(v);
    free(w);
    free(own);
    free(x);
    free(y);
    free(force);
    free(moment);
}

static void test_the_jacobian_and_its_transpose(void **state)
{
    (void)state;
    on_random_systems(check_jacobian);
}

/* ---- inverse dynamics ---------------------------------------------------------------------- */

/* The body whose ball hinge carries body b. */
static int32_t head_of(const system_of_test *s, int32_t b)
{
    rct_body body;
    while (b != RCT_GROUND && !is_free(s, b)) {
        rct_model_body(s->model, b, &body, NULL);
        b = body.parent;
    }
    return b;
}

/* Inverse dynamics of the accelerations that the sweeps found return the moments at the hinges. */
static void check_inverse(system_of_test *s, uint64_t *random)
{
    const int64_t n = s->n;
    rct_error error;
    assert_int_equal(rct_solver_evaluate(s->solver, &error), RCT_OK);
    solution own = solution_of(s->solver);
    double *force = rows(n), *moment = rows(n), *asked = rows(n), *q = rows(n), *x = rows(n);
    double *packed = rows(n), *effort = rows(n);
    pack(s, own.angular, packed);
    assert_int_equal(rct_solver_inverse_dynamics(s->solver, packed, force, moment, effort, &error),
                     RCT_OK);
    assert_true(apart(force, own.force, n) < 1e-11);
    const double scale = sqrt(dot(force, force, n)) + sqrt(dot(own.moment, own.moment, n));
    for (int64_t i = 0; i < 3 * n; i++) {
        assert_true(fabs(moment[i] - own.moment[i]) <= 1e-11 * scale);
    }
    for (int64_t i = 0; i < 3 * s->balls; i++) {
        assert_true(fabs(effort[i]) <= 1e-11 * scale);
    }

    draw_numbers(random, asked, 3 * s->n, 1.0); /* moments of the hinges, N m */
    for (int32_t b = 0; b < s->n; b++) {
        rct_body body;
        rct_model_body(s->model, b, &body, NULL);
        const int32_t up = head_of(s, body.parent);
        for (int i = 0; i < 3 && is_free(s, b); i++) {
            q[3 * b + i] += asked[3 * b + i];
            if (up != RCT_GROUND) {
                q[3 * up + i] -= asked[3 * b + i];
            }
        }
    }
    pack(s, q, x);
    assert_int_equal(rct_solver_mass_solve(s->solver, 1, x, x, &error), RCT_OK);
    for (int64_t i = 0; i < 3 * s->balls; i++) {
        x[i] += packed[i];
    }
    assert_int_equal(rct_solver_inverse_dynamics(s->solver, x, NULL, moment, effort, &error),
                     RCT_OK);
    pack(s, asked, packed);
    for (int64_t i = 0; i < 3 * s->balls; i++) {
        assert_true(fabs(effort[i] - packed[i]) <= 1e-11 * (1.0 + scale));
    }
    pack(s, moment, x);
    assert_memory_equal(x, effort, (size_t)s->balls * 3 * sizeof *x);
    assert_int_equal(rct_solver_inverse_dynamics(s->solver, x, NULL, NULL, NULL, &error), RCT_OK);
    solution_free(&own);
    free(force);
    free(moment);
    free(asked);
    free(q);
    free(x);
    free(packed);
    free(effort);
}

static void test_inverse_dynamics_return_what_was_applied(void **state)
{
    (void)state;
    on_random_systems(check_inverse);
}

/* ---- errors -------------------------------------------------------------------------------- */

static void test_errors(void **state)
{
    (void)state;
    system_of_test s = system_make(SHAPE_TREE, 30, 1, 1.0);
    double *x = rows(s.n), *y = rows(s.n);
    rct_error error;
    assert_int_equal(rct_solver_mass_times(s.solver, -1, x, y, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "-1 columns"));
    assert_int_equal(rct_solver_mass_times(s.solver, 0, x, y, &error), RCT_OK);
    for (int64_t k = 0; k < 2; k++) {
        rct_allocate_fail_after(k);
        assert_int_equal(rct_solver_jacobian_transposed(s.solver, 1, y, y, x, &error),
                         RCT_ERROR_MEMORY);
    }
    rct_allocate_fail_after(0);
    assert_int_equal(rct_solver_mass_solve(s.solver, 1, x, y, &error), RCT_ERROR_MEMORY);
    assert_int_equal(rct_solver_inverse_dynamics(s.solver, x, y, y, y, &error), RCT_ERROR_MEMORY);
    rct_allocate_fail_after(-1);
    assert_int_equal(rct_solver_jacobian_times(s.solver, 1, x, NULL, NULL, &error), RCT_OK);
    free(x);
    free(y);
    system_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_mass_matrix_and_its_inverse),
        cmocka_unit_test(test_the_mass_matrix_against_lagrange),
        cmocka_unit_test(test_the_jacobian_and_its_transpose),
        cmocka_unit_test(test_inverse_dynamics_return_what_was_applied),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
