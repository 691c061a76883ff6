/* What steps with error control depend on besides their error: tables over time, which they must
 * not pass over, and the length of the system, of which their tolerance is a fraction. */
#include "tests/support/cmocka_all.h"

#include "dynamics/time_tables.h"
#include "tests/support/must.h"

#include <riccatree/solver.h>

#include <math.h>

enum { ROWS = 1001 };

static const rct_integrator integrators[] = {RCT_INTEGRATOR_DOPRI5, RCT_INTEGRATOR_IMPLICIT};

static rct_solver *made(const rct_model *model, rct_integrator integrator)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.integrator = integrator;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    assert_non_null(solver);
    return solver;
}

/* 1 kg on a slide along x without weight. */
static rct_model *cart(double arm)
{
    rct_error error;
    const double weightless[3] = {0.0};
    rct_model *model = rct_model_create("cart", &error);
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_PRISMATIC;
    body.hinge_axis[0] = 1.0;
    body.hinge_axis[2] = 0.0;
    body.mass = 1.0;
    body.com[1] = arm;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    assert_int_equal(rct_model_set_gravity(model, weightless, &error), RCT_OK);
    assert_int_equal(rct_model_add_body(model, &body, NULL, &error), RCT_OK);
    return model;
}

/* A force of 20 N for a tenth of a second in 100 s: the table of its curve has a row every 0.1 s. */
static void test_pulse(void **state)
{
    (void)state;
    double table[ROWS][2], impulse = 0.0;
    rct_error error;
    for (int r = 0; r < ROWS; r++) {
        table[r][0] = 0.1 * r;
        table[r][1] = r == 505 ? 20.0 : 0.0;
    }
    rct_model *model = cart(0.5);
    rct_force curve = rct_force_default();
    curve.type = RCT_FORCE_CURVE;
    curve.body = 0;
    curve.over = RCT_OVER_TIME;
    curve.rows = ROWS;
    curve.table = &table[0][0];
    assert_int_equal(rct_model_add_force(model, &curve, NULL, &error), RCT_OK);
    rct_solver *fixed = made(model, RCT_INTEGRATOR_RK4);
    assert_int_equal(rct_solver_step(fixed, 0.01, 10000, &error), RCT_OK);
    rct_solver_get_coordinates(fixed, NULL, &impulse);
    rct_solver_free(fixed);
    assert_true(impulse > 1.0);
    for (int i = 0; i < 2; i++) {
        double rate;
        rct_solver *solver = made(model, integrators[i]);
        assert_int_equal(rct_solver_step(solver, 100.0, 1, &error), RCT_OK);
        rct_solver_get_coordinates(solver, NULL, &rate);
        assert_true(fabs(rate - impulse) < 1e-4 * impulse);
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* Steps of a ramp, a plateau and a ramp end where a table has moved by an eighth. */
static void test_parts(void **state)
{
    (void)state;
    const double table[] = {0.0, 0.0, 1.0, 8.0, 2.0, 8.0, 3.0, 8.0, 3.5, 8.5, 4.0, 0.0};
    rct_error error;
    rct_time_tables *tables = NULL;
    rct_model *model = cart(0.5);
    assert_int_equal(rct_time_tables_create(model, &tables, &error), RCT_OK);
    assert_true(tables == NULL && rct_time_tables_step(tables, 0.0, 9.0) == 9.0);
    rct_force curve = rct_force_default();
    curve.type = RCT_FORCE_CURVE;
    curve.body = 0;
    curve.over = RCT_OVER_TIME;
    curve.rows = 6;
    curve.table = table;
    assert_int_equal(rct_model_add_force(model, &curve, NULL, &error), RCT_OK);
    assert_int_equal(rct_time_tables_create(model, &tables, &error), RCT_OK);
    const double cases[][3] = {/* time, step, and its part */
                               {-2.0, 1.0, 1.0}, {-2.0, 9.0, 3.0}, {0.0, 0.5, 0.5},
                               {0.5, 9.0, 0.5},  {1.0, 9.0, 3.0},  {2.5, 1.25, 1.25},
                               {3.5, 2.0, 0.5},  {4.0, 9.0, 9.0},  {7.0, 9.0, 9.0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_true(rct_time_tables_step(tables, cases[k][0], cases[k][1]) == cases[k][2]);
    }
    assert_true(rct_time_tables_step(tables, 1.0 - 1e-12, 9.0) > 2.9); /* a row that is reached */
    rct_time_tables_free(tables);
    rct_model_free(model);
}

/* A mass centre that rounding leaves beside the hinge is no length. */
static void test_lengths(void **state)
{
    (void)state;
    static const double arms[] = {0.0, 1e-17, 1e-9, 1e-3};
    for (int i = 0; i < 2; i++) {
        int64_t first = 0;
        for (int k = 0; k < 4; k++) {
            rct_error error;
            rct_stepping counts;
            rct_model *model = cart(arms[k]);
            rct_force spring = rct_force_default();
            spring.type = RCT_FORCE_SPRING;
            spring.body = 0;
            spring.other_at[0] = 2.0;
            spring.other_at[1] = arms[k];
            spring.at[1] = arms[k];
            spring.length = 1.0;
            spring.stiffness = 10.0;
            assert_int_equal(rct_model_add_force(model, &spring, NULL, &error), RCT_OK);
            rct_solver *solver = made(model, integrators[i]);
            assert_int_equal(rct_solver_step(solver, 1.0, 1, &error), RCT_OK);
            rct_solver_get_stepping(solver, &counts);
            first = k == 0 ? counts.steps : first;
            assert_true(counts.steps == first);
            rct_solver_free(solver);
            rct_model_free(model);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pulse), cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_lengths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
