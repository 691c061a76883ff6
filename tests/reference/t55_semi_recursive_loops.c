/* Loops of models by both semi-recursive formulations (seed 003, eqs. 56, 57, 61 and 63) against
 * the Lagrangian system, accelerations and hinge forces: every planar closure, in any plane, at
 * different heights, on a moving ground; and refused input. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/answers/reference_case.h"
#include "tests/support/draw.h"
#include "tests/support/systems/hinge_system.h"
#include "tests/support/systems/loop_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 6 };

/* On axes along body z, or against it. */
static void add_body(rct_model *model, int32_t i, const double turn[4], uint64_t *draws)
{
    static const struct {
        int32_t parent;
        rct_hinge_type hinge;
        double sense;
    } all[BODIES] = {{RCT_GROUND, RCT_HINGE_REVOLUTE, 1}, {0, RCT_HINGE_PRISMATIC, 1},
                     {1, RCT_HINGE_REVOLUTE, -1},         {RCT_GROUND, RCT_HINGE_PLANAR, 1},
                     {3, RCT_HINGE_REVOLUTE, 1},          {2, RCT_HINGE_REVOLUTE, 1}};
    double x[8];
    rct_body body = rct_body_default();
    draw_numbers(draws, x, 8, 1.0);
    body.parent = all[i].parent;
    body.hinge = all[i].hinge;
    const int slides = body.hinge == RCT_HINGE_PRISMATIC;
    body.hinge_axis[0] = slides;
    body.hinge_axis[2] = slides ? 0.0 : all[i].sense;
    if (body.hinge == RCT_HINGE_PLANAR) {
        body.hinge_axis2[0] = 1.0;
        body.hinge_axis2[1] = body.hinge_axis2[2] = 0.0;
    }
    body.mass = 1.0 + 0.5 * x[0];
    if (body.parent == RCT_GROUND) {
        memcpy(body.hinge_orientation, turn, sizeof body.hinge_orientation);
    }
    for (int k = 0; k < 3; k++) {
        body.hinge_at[k] = x[1 + k];
        body.com[k] = x[4 + k];
        body.inertia[k] = 1.0 + k;
    }
    body.position[0] = 0.3 * x[7];
    body.rate[0] = x[3];
    body.damping[0] = 0.1;
    rct_error error;
    if (rct_model_add_body(model, &body, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* In the plane to whose normal a random rotation takes z; the ground rotates in it. */
static rct_model *model_of(uint64_t seed, rct_loop_type type)
{
    uint64_t draws = seed;
    double x[8];
    rct_model *model = rct_model_create("plane", NULL);
    rct_base base = rct_base_default();
    draw_numbers(&draws, x, 8, 1.0);
    /* along the normal, R z of the quaternion */
    const double *q = x, s = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    base.axis[0] = 2.0 * (q[1] * q[3] + q[0] * q[2]) / s;
    base.axis[1] = 2.0 * (q[2] * q[3] - q[0] * q[1]) / s;
    base.axis[2] = (q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]) / s;
    base.rate = x[4];
    base.angular_acceleration = x[5];
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
    for (int32_t i = 0; i < BODIES; i++) {
        add_body(model, i, x, &draws);
    }
    rct_loop loop = rct_loop_default();
    loop.type = type;
    loop.body = 5;
    loop.other = seed % 2 == 0 ? 4 : RCT_GROUND;
    loop.length = type == RCT_LOOP_DISTANCE ? 1.0 : loop.length;
    if (type == RCT_LOOP_CAM) { /* about the normal, or against it */
        loop.axis[2] = seed % 3 == 0 ? -1.0 : 1.0;
        loop.radius = 1.0;
        loop.cosine[0] = 0.2;
        loop.sine[0] = 0.1;
        loop.sine[1] = -0.05;
        loop.cosine[7] = 0.003;
    }
    if (loop.other == RCT_GROUND) {
        memcpy(loop.other_orientation, x, sizeof loop.other_orientation);
    }
    draw_numbers(&draws, loop.at, 3, 0.5);
    draw_numbers(&draws, loop.other_at, 3, 0.5);
    rct_error error;
    if (rct_model_add_loop(model, &loop, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    return model;
}

/* Evaluates model and proof, its twin, in the state that a solver has closed; 0 if there is
 * none. */
static int close_and_compare(reference_case *r, reference_case *proof, int which)
{
    const rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    rct_error error;
    rct_solver *solver = rct_solver_create(r->model, &options, &error);
    if (solver == NULL) {
        assert_int_equal(error.status, RCT_ERROR_LOOP);
        return 0;
    }
    int64_t count;
    double *state = loop_state(solver, &count), derivatives[2][8] = {{0.0}};
    const double *rates = state + hinge_coordinates(r->model);
    r->result.derivatives = derivatives[0];
    proof->result.derivatives = derivatives[1];
    assert_int_equal(rct_reference_evaluate_at(r->model,
                                               which == 1 ? RCT_REFERENCE_SEMI_RECURSIVE_1
                                                          : RCT_REFERENCE_SEMI_RECURSIVE_2,
                                               0.0, state, rates, &r->result, NULL),
                     RCT_OK);
    assert_int_equal(rct_reference_evaluate_at(proof->model, RCT_REFERENCE_LAGRANGE, 0.0, state,
                                               rates, &proof->result, NULL),
                     RCT_OK);
    const double off = reference_case_difference(r, proof);
    if (!(off < 1e-10)) {
        fail_msg("semi-recursive-%d is off by %g", which, off);
    }
    for (int k = 0; k < 8; k++) {
        assert_true(fabs(derivatives[0][k] - derivatives[1][k]) <
                    1e-10 * (1.0 + fabs(derivatives[1][k])));
    }
    free(state);
    rct_solver_free(solver);
    return 1;
}

static void test_every_closure_of_a_plane(void **state)
{
    (void)state;
    static const rct_loop_type types[5] = {RCT_LOOP_PLANAR_REVOLUTE, RCT_LOOP_PLANAR_PRISMATIC,
                                           RCT_LOOP_PLANAR_FIXED, RCT_LOOP_SLOT, RCT_LOOP_CAM};
    for (int type = 0; type < 5; type++) {
        int compared = 0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            reference_case *r = reference_case_create(model_of(seed, types[type]));
            reference_case *proof = reference_case_create(model_of(seed, types[type]));
            compared += close_and_compare(r, proof, 1 + (int)(seed / 2 % 2));
            reference_case_free(proof);
            reference_case_free(r);
        }
        assert_true(compared >= 10);
    }
}

static void expect_refused(rct_model *model, rct_status status, const char *says)
{
    for (int which = 0; which < 2; which++) {
        rct_reference_result result = {0};
        rct_error error;
        assert_int_equal(rct_reference_evaluate(model,
                                                which == 0 ? RCT_REFERENCE_SEMI_RECURSIVE_1
                                                           : RCT_REFERENCE_SEMI_RECURSIVE_2,
                                                NULL, NULL, &result, &error),
                         status);
        if (strstr(error.text, says) == NULL) {
            fail_msg("\"%s\" does not say \"%s\"", error.text, says);
        }
    }
    rct_model_free(model);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    expect_refused(model_of(0, RCT_LOOP_DISTANCE), RCT_ERROR_UNSUPPORTED,
                   "\"loop0\" is active, and its type is not a planar one");
    rct_loop loop = rct_loop_default();
    rct_model *model = model_of(0, RCT_LOOP_SLOT);
    loop.type = RCT_LOOP_PLANAR_REVOLUTE;
    loop.body = 2;
    loop.other = RCT_GROUND;
    loop.axis[1] = 1.0;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    expect_refused(model, RCT_ERROR_UNSUPPORTED,
                   "\"loop1\" is active, and its axis is not along the normal");
    model = model_of(0, RCT_LOOP_PLANAR_FIXED);
    assert_int_equal(rct_model_loop(model, 0, &loop, NULL), RCT_OK);
    loop.name = NULL;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    expect_refused(model, RCT_ERROR_SINGULAR,
                   "\"loop1\": its constraints depend on those before it");
}

static void test_short_memory_is_an_error(void **state)
{
    (void)state;
    reference_case *r = reference_case_create(model_of(0, RCT_LOOP_PLANAR_FIXED));
    rct_status status = RCT_ERROR_MEMORY;
    int64_t k = 0;
    for (; status == RCT_ERROR_MEMORY && k < 1000; k++) {
        r->error.status = RCT_OK;
        rct_allocate_fail_after(k);
        status = reference_case_run(r, RCT_REFERENCE_SEMI_RECURSIVE_2);
        rct_allocate_fail_after(-1);
        assert_int_equal(r->error.status, status);
    }
    assert_int_equal(status, RCT_OK);
    assert_true(k > 20);
    reference_case_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_closure_of_a_plane),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_short_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
