/* Loops attached, released and pulled during a motion: what is conserved, what stays. */
#include "tests/support/cmocka_all.h"

#include "tests/support/systems/loop_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double length(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* Floating systems: attaching any loop keeps momenta and loses energy. */
static void test_impact(void **state)
{
    (void)state;
    int attached = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        rct_model *model = loop_random(seed, LOOP_POINTLIKE | 1 << RCT_LOOP_FIXED, 1);
        rct_solver_options options = loop_options((rct_closing)(seed % 5));
        options.as_given = 1;
        rct_solver *solver = loop_solver(model, &options);
        rct_measures before, after;
        rct_loop loop;
        for (int32_t i = 0; i < 2; i++) {
            assert_int_equal(rct_solver_set_loop_active(solver, i, RCT_LOOP_RELEASED, NULL),
                             RCT_OK);
        }
        assert_int_equal(loop_info(solver).active, 0);
        rct_solver_measure(solver, &before);
        const rct_status status = rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, NULL);
        rct_model_loop(model, 0, &loop, NULL);
        rct_solver_measure(solver, &after);
        if (status == RCT_OK && loop.other != RCT_GROUND) {
            const double size = 1.0 + before.kinetic;
            assert_true(length(before.momentum, after.momentum) < 1e-9 * size);
            assert_true(length(before.angular_momentum, after.angular_momentum) < 1e-9 * size);
            assert_true(after.kinetic <= before.kinetic * (1.0 + 1e-12));
            assert_true(loop_info(solver).velocity < 1e-10 * size);
            attached++;
        }
        rct_solver_free(solver);
        rct_model_free(model);
    }
    print_message("%d of 30 attached\n", attached);
    assert_true(attached > 15);
}

/* A loop attached during the motion, then released: the tree again, from that state. */
static void test_release(void **state)
{
    (void)state;
    const rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    rct_model *model = loop_chain(6, RCT_HINGE_BALL, 0.3, 0.0, 0);
    const double gravity[3] = {0.0, 0.0, -9.81};
    rct_model_set_gravity(model, gravity, NULL);
    rct_solver *solver = loop_solver(model, &options), *open = loop_solver(model, &options);
    double linear[2][18], force[3], moment[3], effort[1];
    int64_t count;
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, NULL), RCT_OK);
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, NULL), RCT_OK);
    assert_int_equal(rct_solver_step(solver, 1e-3, 100, NULL), RCT_OK);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_loop_forces(solver, force, moment, effort);
    assert_true(fabs(force[2]) > 1.0 && moment[2] == 0.0 && effort[0] == 0.0);
    double *now = loop_state(solver, &count);
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_RELEASED, NULL), RCT_OK);
    loop_check_kept(solver, now);
    loop_set_state(open, now);
    rct_solver_set_time(open, rct_solver_time(solver));
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    assert_int_equal(rct_solver_evaluate(open, NULL), RCT_OK);
    rct_solver_get_accelerations(solver, linear[0], NULL);
    rct_solver_get_accelerations(open, linear[1], NULL);
    for (int i = 0; i < 18; i++) { /* rates go through body axes and back: the last bits */
        assert_true(fabs(linear[0][i] - linear[1][i]) <= 1e-12 * 100.0);
    }
    rct_solver_get_loop_forces(solver, force, moment, effort);
    assert_true(force[0] == 0.0 && force[1] == 0.0 && force[2] == 0.0);
    assert_int_equal(rct_solver_step(solver, 1e-3, 100, NULL), RCT_OK);
    free(now);
    rct_solver_free(solver);
    rct_solver_free(open);
    rct_model_free(model);
}

static void test_attach_what_is_open(void **state)
{
    (void)state;
    const rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    rct_model *model = loop_chain(4, RCT_HINGE_REVOLUTE, 0.0, -0.5, 0);
    rct_solver *solver = loop_solver(model, &options);
    rct_error error;
    const double bent[8] = {0.3, -0.2, 0.1, 0.2, 1.0, 0.0, 0.0, 2.0};
    loop_set_state(solver, bent);
    loop_expect(rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, &error), RCT_ERROR_LOOP,
                &error, 3, "it cannot be attached, it is open by 0.");
    loop_check_kept(solver, bent);
    assert_int_equal(loop_info(solver).active, 0);
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_PULLED, &error), RCT_OK);
    assert_int_equal(loop_info(solver).active, 1);
    assert_true(loop_info(solver).position < 1e-12 && loop_info(solver).velocity < 1e-12);
    assert_int_equal(rct_solver_set_loop_active(solver, 1, RCT_LOOP_ATTACHED, &error),
                     RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "loop 1 does not exist; the model has 1 loop"));
    for (int k = 0; k < 2; k++) {
        const rct_loop_state unknown = (rct_loop_state)(k == 0 ? 3 : -1);
        assert_int_equal(rct_solver_set_loop_active(solver, 0, unknown, &error),
                         RCT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.text, "of a loop; give released, attached or pulled"));
    }
    loop_set_state(solver, bent);
    assert_int_equal(rct_solver_set_loop_active(solver, 0, RCT_LOOP_PULLED, &error), RCT_OK);
    loop_check_kept(solver, bent); /* it is active: nothing is done */
    rct_solver_free(solver);
    rct_model_free(model);
}

/* Loops are checked again after a change of the state at the same time, however often poses were
 * read before: in columns of the sheaves and, for a moment after a loop was attached or released,
 * elsewhere. */
static void test_looked_at_again(void **state)
{
    (void)state;
    for (int reads = 0; reads < 24; reads++) {
        rct_error error;
        rct_model *model = rct_model_read(RCT_EXAMPLES "/four-bar.json", &error);
        rct_loop twin;
        double q[4], u[4], at[12];
        assert_non_null(model);
        rct_model_loop(model, 0, &twin, NULL);
        twin.name = "twin";
        assert_int_equal(rct_model_add_loop(model, &twin, NULL, &error), RCT_OK);
        const rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
        rct_solver *solver = loop_solver(model, &options);
        rct_solver_get_coordinates(solver, q, u);
        for (int k = 0; k < reads; k++) {
            assert_int_equal(rct_solver_set_coordinates(solver, q, u, &error), RCT_OK);
            rct_solver_get_state(solver, NULL, NULL, at, NULL);
        }
        assert_int_equal(rct_solver_set_loop_active(solver, 1, RCT_LOOP_RELEASED, &error), RCT_OK);
        q[0] += 0.1;
        assert_int_equal(rct_solver_set_coordinates(solver, q, u, &error), RCT_OK);
        assert_true(loop_info(solver).position > 1e-3);
        assert_int_equal(rct_solver_assemble(solver, &error), RCT_OK);
        assert_true(loop_info(solver).position < 1e-12);
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impact),
        cmocka_unit_test(test_release),
        cmocka_unit_test(test_attach_what_is_open),
        cmocka_unit_test(test_looked_at_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
