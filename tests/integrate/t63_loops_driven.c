/* Relations that prescribe a motion, a sine or a table: the coordinate has its prescribed value,
 * the drive does the work, and the references agree. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/motion.h"
#include "tests/support/must.h"

#include <riccatree/closure.h>
#include <riccatree/loop.h>
#include <riccatree/reference.h>
#include <riccatree/solver.h>

#include <math.h>
#include <string.h>

static const double rows[] = {0.0, 0.3, 0.2, 0.5, 0.5, -0.1, 0.7, 0.0, 1.0, 0.4};

/* A slide of 2 kg along x, driven, and a pendulum of 1 kg, 1 m on it. */
static rct_model *driven(int by_table)
{
    rct_model *model = rct_model_create("driven", NULL);
    const rct_loop_term term = {0, 0, 2.0};
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_PRISMATIC;
    body.hinge_axis[0] = 1.0, body.hinge_axis[2] = 0.0;
    body.mass = 2.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    must_add(model, &body);
    body = rct_body_default();
    body.parent = 0;
    body.hinge = RCT_HINGE_REVOLUTE;
    body.hinge_axis[1] = 1.0, body.hinge_axis[2] = 0.0;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.com[2] = -1.0;
    body.position[0] = 0.4;
    must_add(model, &body);
    rct_loop loop = rct_loop_default();
    loop.type = RCT_LOOP_RELATION;
    loop.term_count = 1;
    loop.terms = &term;
    if (by_table) {
        loop.rows = 5, loop.table = rows;
    } else {
        loop.offset = 0.1, loop.amplitude = 0.6, loop.angular_frequency = 5.0, loop.phase = 0.3;
    }
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    return model;
}

static rct_solver *solver_of(const rct_model *model, rct_closing closing, rct_integrator integrator)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.closing = closing;
    options.integrator = integrator;
    options.tolerance = 1e-9;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* For a sine in closed form; for a table the rows themselves. */
static void test_a_driven_coordinate_is_where_it_must_be(void **state)
{
    (void)state;
    for (int k = 0; k < 12; k++) {
        static const rct_closing closings[] = {RCT_CLOSING_ADMITTANCE, RCT_CLOSING_EMBEDDING,
                                               RCT_CLOSING_MULTIPLIERS};
        rct_model *model = driven(k % 2);
        rct_solver *solver = solver_of(model, closings[k / 2 % 3],
                                       k < 6 ? RCT_INTEGRATOR_RK4 : RCT_INTEGRATOR_DOPRI5);
        for (int i = 1; i < 4; i++) {
            double q[2], u[2], a[2], motion[3];
            must_step(solver, 1e-2, i == 1 ? 20 : i == 2 ? 30 : 20); /* to 0.2, 0.5, 0.7 s */
            const double t = rct_solver_time(solver);
            assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
            rct_solver_get_coordinates(solver, q, u);
            rct_solver_get_rate_derivatives(solver, a);
            assert_int_equal(rct_model_loop_motion(model, 0, t, motion, NULL), RCT_OK);
            assert_true(fabs(2.0 * q[0] - motion[0]) < 1e-13);
            assert_true(fabs(2.0 * u[0] - motion[1]) < 1e-12);
            assert_true(fabs(2.0 * a[0] - motion[2]) < 1e-10);
            if (k % 2 == 0) {
                assert_true(fabs(motion[0] - 0.1 - 0.6 * sin(5.0 * t + 0.3)) < 1e-15);
                assert_true(fabs(motion[1] - 3.0 * cos(5.0 * t + 0.3)) < 1e-14);
                assert_true(fabs(motion[2] + 15.0 * sin(5.0 * t + 0.3)) < 1e-13);
            } else {
                assert_true(fabs(motion[0] - rows[2 * i + 1]) < 1e-12);
            }
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

static void test_references_agree(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        rct_model *model = driven(k % 2);
        rct_solver *solver = solver_of(model, RCT_CLOSING_ADMITTANCE, RCT_INTEGRATOR_RK4);
        must_step(solver, 1e-2, 33);
        double q[2], u[2], own[2], a[2], rest[4][6];
        rct_error error;
        rct_reference_result result = {.linear = rest[0],
                                       .angular = rest[1],
                                       .force = rest[2],
                                       .moment = rest[3],
                                       .derivatives = a};
        assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        rct_solver_get_coordinates(solver, q, u);
        rct_solver_get_rate_derivatives(solver, own);
        const rct_reference reference = k < 2 ? RCT_REFERENCE_LAGRANGE : RCT_REFERENCE_GAUSS;
        const rct_status status = rct_reference_evaluate_at(
            model, reference, rct_solver_time(solver), q, u, &result, &error);
        if (status == RCT_OK) {
            assert_true(fabs(own[0] - a[0]) <= 1e-11 * fabs(a[0]));
            assert_true(fabs(own[1] - a[1]) <= 1e-11 * fabs(a[1]));
        } else {
            fail_msg("%s: %s", rct_reference_name(reference), error.text);
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* The work of the drive, by Simpson's rule, is the change of energy to the order of the method. */
static double imbalance(const rct_model *model, int64_t steps)
{
    rct_solver *solver = solver_of(model, RCT_CLOSING_ADMITTANCE, RCT_INTEGRATOR_RK4);
    const double h = 0.5 / (double)steps, energy = motion_energy(solver);
    double work = 0.0;
    for (int64_t k = 0; k <= steps; k++) {
        double effort = 0.0, force[3], moment[3], motion[3];
        assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        rct_solver_get_loop_forces(solver, force, moment, &effort);
        assert_int_equal(rct_model_loop_motion(model, 0, rct_solver_time(solver), motion, NULL),
                         RCT_OK);
        work += h / 3.0 *
                (k == 0 || k == steps ? 1.0
                 : k % 2 == 1         ? 4.0
                                      : 2.0) *
                effort * motion[1];
        if (k < steps) {
            must_step(solver, h, 1);
        }
    }
    const double change = motion_energy(solver) - energy;
    rct_solver_free(solver);
    return fabs(work - change);
}

static void test_the_drive_does_the_work(void **state)
{
    (void)state;
    rct_model *model = driven(0);
    const double coarse = imbalance(model, 40), fine = imbalance(model, 320);
    assert_true(coarse < 1e-2 && log2(coarse / fine) / 3.0 > 3.5);
    rct_model_free(model);
}

static void test_what_is_no_motion_is_refused(void **state)
{
    (void)state;
    static const double falls[] = {0.0, 1.0, -1.0, 2.0};
    const rct_loop_term term = {0, 0, 1.0};
    static const char *const says[] = {
        "a relation has either a table, or offset, rate",
        "its first number is not larger than that of the row before",
        "a table needs at least two rows of t and the sum",
        "its type has no terms, offset, rate, acceleration or other"};
    for (int k = 0; k < 4; k++) {
        rct_model *model = driven(0);
        rct_error error;
        double motion[3];
        rct_loop loop = rct_loop_default();
        loop.type = k < 3 ? RCT_LOOP_RELATION : RCT_LOOP_BALL;
        loop.term_count = k < 3, loop.terms = &term;
        loop.rows = k == 2 ? 1 : 2;
        loop.table = k == 1 ? falls : rows;
        loop.phase = k == 0 ? 1.0 : 0.0;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, &error), RCT_ERROR_MODEL);
        if (strstr(error.text, says[k]) == NULL) {
            fail_msg("%s", error.text);
        }
        assert_int_equal(rct_model_loop_motion(model, 1, 0.0, motion, &error), RCT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.text, "loop 1 is not a relation"));
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_driven_coordinate_is_where_it_must_be),
        cmocka_unit_test(test_references_agree),
        cmocka_unit_test(test_the_drive_does_the_work),
        cmocka_unit_test(test_what_is_no_motion_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
