/* The public operators of trees of every hinge type, with loads and a moving ground: M and J
 * against one another, and against the velocities of the state and the kinetic energy, with which
 * they share no code; columns, memory, errors. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/operators/operator_bench.h"
#include "tests/support/draw.h"
#include "tests/support/systems/hinge_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 3 };

static double dot(const double *a, const double *b, int64_t count)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* ---- M ------------------------------------------------------------------------------------- */

static void check_mass(bench *b)
{
    const int64_t v = b->v;
    double *x = zeros(COLUMNS * v), *y = zeros(COLUMNS * v), *back = zeros(COLUMNS * v);
    double *one = zeros(v);
    rct_error error;
    rct_measures sums;
    draw_numbers(&b->random, x, (int)(COLUMNS * v), 1.0);
    assert_int_equal(rct_solver_mass_times(b->solver, COLUMNS, x, y, &error), RCT_OK);
    assert_int_equal(rct_solver_mass_solve(b->solver, COLUMNS, y, back, &error), RCT_OK);
    expect_close(back, x, COLUMNS * v, 1.0, 1e-9); /* the condition of M comes in */
    for (int64_t k = 0; k < COLUMNS; k++) {
        assert_int_equal(rct_solver_mass_times(b->solver, 1, x + k * v, one, &error), RCT_OK);
        assert_memory_equal(one, y + k * v, (size_t)v * sizeof *y);
        assert_int_equal(rct_solver_mass_solve(b->solver, 1, one, one, &error), RCT_OK);
        assert_memory_equal(one, back + k * v, (size_t)v * sizeof *y);
    }
    assert_int_equal(rct_solver_mass_times(b->solver, COLUMNS, back, back, &error), RCT_OK);
    expect_close(back, y, COLUMNS * v, size_of(y, COLUMNS * v), 1e-13);
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
    on_random_benches(check_mass);
}

/* ---- J ------------------------------------------------------------------------------------- */

static void check_columns(bench *b, const double *x, const double *rows, const double *force)
{
    const int64_t n = b->n, v = b->v;
    double *own = zeros(6 * n), *y = zeros(COLUMNS * v), *one = zeros(v);
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
    double *x = zeros(COLUMNS * v), *force = zeros(2 * rows), *moved = zeros(2 * rows);
    double *state = zeros(6 * n);
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
        expect_close(moved, state, 6 * n, size_of(state, 6 * n), 1e-12);
    }
    free(x);
    free(force);
    free(moved);
    free(state);
}

static void test_the_jacobian_and_its_transpose(void **state)
{
    (void)state;
    on_random_benches(check_jacobian);
}

/* ---- errors -------------------------------------------------------------------------------- */

static void test_columns_and_memory(void **state)
{
    (void)state;
    const hinge_system system = {
        .tree = {.bodies = 30, .spin = 1.0, .seed = 1}, .hinges = ALL_HINGES, .joint_forces = 1};
    bench b = bench_of(&system, 0);
    double *x = zeros(6 * b.v), *y = zeros(6 * b.n);
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

/* A point mass on the axis of its pin, and on the axis of the pin of the next body: nothing resists
 * its angle. */
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
    assert_non_null(strstr(error.text, "nothing resists its turn"));
    assert_int_equal(rct_solver_mass_times(solver, 1, x, x, &error), RCT_OK);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* The error names the number, and nothing is written. */
static void test_numbers_that_are_not_finite(void **state)
{
    (void)state;
    rct_error error;
    const rct_family family = {.family = "chain", .bodies = 3, .hinge = RCT_HINGE_REVOLUTE};
    rct_model *model = rct_model_generate(&family, NULL);
    rct_solver *solver = rct_solver_create(model, NULL, NULL);
    double x[6] = {1.0, 1.0, 1.0, 1.0, INFINITY, 1.0}, y[6] = {0.0}, rows[18] = {0.0};
    const double none[9] = {0.0};
    assert_int_equal(rct_solver_mass_times(solver, 2, x, y, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "x[4] is inf; give finite numbers"));
    assert_int_equal(rct_solver_mass_solve(solver, 2, x, y, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_solver_jacobian_times(solver, 1, x + 3, rows, rows, &error),
                     RCT_ERROR_ARGUMENT);
    x[1] = NAN;
    assert_int_equal(rct_solver_inverse_dynamics(solver, x, NULL, NULL, y, &error),
                     RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "x[1] is "));
    for (int i = 0; i < 6; i++) {
        assert_true(y[i] == 0.0 && rows[i] == 0.0);
    }
    rows[3] = NAN;
    assert_int_equal(rct_solver_jacobian_transposed(solver, 1, none, rows, y, &error),
                     RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "moment[3] is "));
    assert_int_equal(rct_solver_jacobian_transposed(solver, 1, rows, none, y, &error),
                     RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "force[3] is "));
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_mass_matrix_and_its_inverse),
        cmocka_unit_test(test_the_jacobian_and_its_transpose),
        cmocka_unit_test(test_columns_and_memory),
        cmocka_unit_test(test_numbers_that_are_not_finite),
        cmocka_unit_test(test_a_hinge_without_resistance_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
