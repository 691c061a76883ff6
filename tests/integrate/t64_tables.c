/* The tables of the integrators with error control against the order conditions: one condition per
 * rooted tree, and for a pair of tables one for every choice of a table at each inner node. Then
 * what steps depend on besides their error: tables over time, which they must not pass over, and
 * the length of the system, of which the tolerance is a fraction. */
#include "tests/support/cmocka_all.h"

#include "dynamics/time_tables.h"
#include "integrate/tables.h"

#include <riccatree/solver.h>

#include <math.h>

enum { MOST_TABLES = 2 };

static const double rounding = 4e-15;

/* One or two tables with the same c and weights. */
typedef struct pair {
    int stages, tables;
    const double *a[MOST_TABLES]; /* [stages][stages] by rows */
    const double *c;
} pair;

static void times(const pair *p, int table, const double *x, double *y)
{
    for (int i = 0; i < p->stages; i++) {
        y[i] = 0.0;
        for (int j = 0; j < p->stages; j++) {
            y[i] += p->a[table][i * p->stages + j] * x[j];
        }
    }
}

static void by_c(const pair *p, const double *x, double *y)
{
    for (int i = 0; i < p->stages; i++) {
        y[i] = p->c[i] * x[i];
    }
}

static void expect_sum(const pair *p, const double *b, const double *x, double whole)
{
    double sum = 0.0;
    for (int i = 0; i < p->stages; i++) {
        sum += b[i] * x[i];
    }
    assert_true(fabs(sum - 1.0 / whole) < rounding);
}

/* Conditions of the trees that begin with c^k: of A c^k and the larger trees that contain it, up to
 * `order`. */
static void expect_inner(const pair *p, const double *b, const double *power, int k, int order)
{
    double inner[DOPRI5_STAGES], more[DOPRI5_STAGES], all[DOPRI5_STAGES];
    for (int t = 0; t < p->tables && k + 2 <= order; t++) {
        times(p, t, power, inner); /* c^(k+1) / (k+1) in an exact method */
        expect_sum(p, b, inner, (k + 1.0) * (k + 2.0));
        if (k + 3 <= order) {
            by_c(p, inner, more);
            expect_sum(p, b, more, (k + 1.0) * (k + 3.0));
            for (int other = 0; other < p->tables; other++) {
                times(p, other, inner, more);
                expect_sum(p, b, more, (k + 1.0) * (k + 2.0) * (k + 3.0));
            }
        }
        if (k + 4 <= order) { /* a single table */
            by_c(p, more, all);
            expect_sum(p, b, all, (k + 1.0) * (k + 2.0) * (k + 4.0));
            by_c(p, inner, more);
            times(p, t, more, all);
            expect_sum(p, b, all, (k + 1.0) * (k + 3.0) * (k + 4.0));
            by_c(p, more, all);
            expect_sum(p, b, all, (k + 1.0) * (k + 4.0));
            times(p, t, inner, more);
            times(p, t, more, all);
            expect_sum(p, b, all, (k + 1.0) * (k + 2.0) * (k + 3.0) * (k + 4.0));
            for (int i = 0; i < p->stages; i++) {
                all[i] = inner[i] * inner[i];
            }
            expect_sum(p, b, all, (k + 1.0) * (k + 1.0) * (2.0 * k + 3.0));
        }
    }
}

static void expect_order(const pair *p, const double *b, int order)
{
    double power[DOPRI5_STAGES], next[DOPRI5_STAGES];
    for (int i = 0; i < p->stages; i++) {
        power[i] = 1.0;
    }
    expect_sum(p, b, power, 1.0);
    for (int k = 1; k < order; k++) {
        by_c(p, power, next);
        for (int i = 0; i < p->stages; i++) {
            power[i] = next[i];
        }
        expect_sum(p, b, power, k + 1.0);
        expect_inner(p, b, power, k, order);
    }
}

/* Rows of every table sum to c. The differences of the weights sum to zero, and are not of a higher
 * order: an estimate that vanishes has no information. */
static void expect_pair(const pair *p, const double *b, const double *e, int order)
{
    double lower[DOPRI5_STAGES], ones[DOPRI5_STAGES], sums[DOPRI5_STAGES], error = 0.0;
    for (int i = 0; i < p->stages; i++) {
        lower[i] = b[i] - e[i];
        ones[i] = 1.0;
    }
    for (int t = 0; t < p->tables; t++) {
        times(p, t, ones, sums);
        for (int i = 0; i < p->stages; i++) {
            assert_true(fabs(sums[i] - p->c[i]) < rounding);
        }
    }
    expect_order(p, b, order);
    expect_order(p, lower, order - 1);
    for (int i = 0; i < p->stages; i++) {
        error += e[i] * pow(p->c[i], order - 1.0);
    }
    assert_true(fabs(error) > 1e-5);
}

static void test_dormand_and_prince(void **state)
{
    (void)state;
    const pair p = {DOPRI5_STAGES, 1, {&rct_dopri5_a[0][0]}, rct_dopri5_c};
    expect_pair(&p, rct_dopri5_a[DOPRI5_STAGES - 1], rct_dopri5_e, 5);
}

static void test_kennedy_and_carpenter(void **state)
{
    (void)state;
    const pair p = {
        ARK4_STAGES, 2, {&rct_ark4_explicit[0][0], &rct_ark4_implicit[0][0]}, rct_ark4_c};
    expect_pair(&p, rct_ark4_implicit[ARK4_STAGES - 1], rct_ark4_e, 4);
    for (int i = 0; i < ARK4_STAGES; i++) {
        assert_true(rct_ark4_implicit[i][i] == (i > 0 ? RCT_ARK4_GAMMA : 0.0));
        for (int j = i; j < ARK4_STAGES; j++) {
            assert_true(rct_ark4_explicit[i][j] == 0.0);
            assert_true(j == i || rct_ark4_implicit[i][j] == 0.0);
        }
    }
}

/* ---- steps with error control and tables over time, and lengths ---- */

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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dormand_and_prince),
        cmocka_unit_test(test_kennedy_and_carpenter),
        cmocka_unit_test(test_pulse),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_lengths),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
