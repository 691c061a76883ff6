/* Loops that depend on one another in motion: within a step they are open by its error, and rows
 * that depend on others look independent by as much. Every method closes them all the same. */
#include "tests/support/cmocka_all.h"

#include <riccatree/closure.h>
#include <riccatree/solver.h>

#include <math.h>
#include <string.h>

enum { LINKS = 4 };

/* Two floating arms of two links, whose axes a planar and a prismatic closure keep parallel: eight
 * constraints of rank six. Nothing acts on them. */
static rct_model *arms(void)
{
    const double weightless[3] = {0.0};
    static const double spin[2][3] = {{0.5, 0.6, -0.4}, {0.5, -0.3, 0.2}};
    rct_error error;
    rct_model *model = rct_model_create("arms", &error);
    rct_loop slide = rct_loop_default(), plane = rct_loop_default();
    assert_int_equal(rct_model_set_gravity(model, weightless, &error), RCT_OK);
    for (int i = 0; i < LINKS; i++) {
        const int arm = i / 2;
        rct_body body = rct_body_default();
        body.mass = 1.0;
        body.com[0] = 0.5;
        body.inertia[0] = 0.12;
        body.inertia[1] = body.inertia[2] = 0.1;
        body.hinge = i % 2 == 0 ? RCT_HINGE_FREE : RCT_HINGE_REVOLUTE;
        if (i % 2 == 0) {
            memcpy(body.angular_velocity, spin[arm], sizeof body.angular_velocity);
            body.rate[0] = arm == 0 ? -0.3 : 0.2;
            body.position[1] = arm;
        } else {
            body.parent = i - 1;
            body.hinge_at[0] = 1.0;
            body.position[0] = 0.4;
            body.rate[0] = arm == 0 ? 0.7 : -0.4;
        }
        assert_int_equal(rct_model_add_body(model, &body, NULL, &error), RCT_OK);
    }
    slide.type = RCT_LOOP_PRISMATIC;
    slide.body = 3, slide.other = 1;
    slide.at[0] = 0.2, slide.at[1] = -0.3;
    slide.other_at[0] = 0.1, slide.other_at[1] = 0.2;
    plane.type = RCT_LOOP_PLANAR;
    plane.body = 2, plane.other = 0;
    plane.at[0] = 0.3, plane.at[1] = 0.1;
    assert_int_equal(rct_model_add_loop(model, &slide, NULL, &error), RCT_OK);
    assert_int_equal(rct_model_add_loop(model, &plane, NULL, &error), RCT_OK);
    return model;
}

/* Kinetic energy at the start and after 0.3 s. */
static void move(const rct_model *model, rct_closing closing, rct_integrator integrator, double dt,
                 double energy[2])
{
    rct_error error;
    rct_measures sums;
    rct_loop_info info;
    rct_solver_options options = rct_solver_options_default();
    options.closing = closing;
    options.integrator = integrator;
    options.tolerance = 1e-8;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    assert_non_null(solver);
    rct_solver_measure(solver, &sums);
    energy[0] = sums.kinetic;
    assert_int_equal(rct_solver_step(solver, dt, (int64_t)round(0.3 / dt), &error), RCT_OK);
    rct_solver_measure(solver, &sums);
    energy[1] = sums.kinetic;
    rct_solver_get_loop_info(solver, &info);
    assert_true(info.rank == 6 && info.constraints == 8 && info.position < 1e-12);
    rct_solver_free(solver);
}

static void test_energy(void **state)
{
    (void)state;
    static const double steps[] = {3e-3, 1e-3, 1e-4};
    rct_model *model = arms();
    double first[2];
    move(model, RCT_CLOSING_ADMITTANCE, RCT_INTEGRATOR_RK4, 1e-3, first);
    for (rct_closing closing = RCT_CLOSING_ADMITTANCE; closing <= RCT_CLOSING_SVD; closing++) {
        for (int k = 0; k < 4; k++) {
            double energy[2];
            move(model, closing, k < 3 ? RCT_INTEGRATOR_RK4 : RCT_INTEGRATOR_DOPRI5,
                 k < 3 ? steps[k] : 0.3, energy);
            if (!(fabs(energy[0] - first[0]) < 1e-9) || !(fabs(energy[1] - energy[0]) < 1e-7)) {
                fail_msg("%s, case %d: %.12g and then %.12g J", rct_closing_name(closing), k,
                         energy[0], energy[1]);
            }
        }
    }
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
