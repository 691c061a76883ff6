/* Bodies without mass between bodies with mass: two slides and a turn of one body against its
 * closed form, random trees against the reference, by both methods, in segments and lanes; bodies
 * that nothing resists are refused by name. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/motion.h"
#include "tests/support/answers/tree_answer.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double zeros[6];

static rct_body massless(int32_t parent, rct_hinge_type hinge, double x, double y, double z)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge = hinge;
    body.hinge_axis[0] = x, body.hinge_axis[1] = y, body.hinge_axis[2] = z;
    body.mass = 0.0;
    memcpy(body.inertia, zeros, sizeof body.inertia);
    return body;
}

/* Slides along x and z, then a turn about y: the centre falls freely and the turn continues. With c
 * from the hinge point to the centre: a = g - w x (w x c), w'' = 0. */
static void test_planar_motion(void **state)
{
    (void)state;
    const double q = 0.4, w = 1.7, l = 0.8, g = 9.81;
    rct_body body = massless(1, RCT_HINGE_REVOLUTE, 0.0, 1.0, 0.0);
    body.mass = 2.0;
    body.com[0] = l;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.3;
    body.position[0] = q;
    body.rate[0] = w;
    rct_model *model = rct_model_create("planar", NULL);
    const rct_body x = massless(RCT_GROUND, RCT_HINGE_PRISMATIC, 1.0, 0.0, 0.0);
    const rct_body z = massless(0, RCT_HINGE_PRISMATIC, 0.0, 0.0, 1.0);
    must_add(model, &x);
    must_add(model, &z);
    must_add(model, &body);
    for (int k = 0; k < 2; k++) {
        rct_solver_options options = rct_solver_options_default();
        double a[3];
        options.method = k ? RCT_METHOD_ABI : RCT_METHOD_RICCATI;
        rct_solver *solver = motion_solver(model, &options);
        assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        rct_solver_get_rate_derivatives(solver, a);
        assert_true(fabs(a[0] - w * w * l * cos(q)) < 1e-13);
        assert_true(fabs(a[1] + g + w * w * l * sin(q)) < 1e-13);
        assert_true(fabs(a[2]) < 1e-13);
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* The number of freedoms from a body inward up to the next one with mass, inclusive, if body `id`
 * has none. */
static int run_of(const rct_model *model, int32_t id)
{
    rct_body body;
    int run = 0;
    while (id != RCT_GROUND && rct_model_body(model, id, &body, NULL) == RCT_OK &&
           body.mass == 0.0) {
        run += rct_hinge_freedoms(body.hinge);
        id = body.parent;
    }
    return run;
}

/* About half of the bodies that have a hinge of one freedom, or a fixed one, and carry others lose
 * their mass; at most two freedoms in a row: axes have random directions, so that the next body
 * resists. */
static int32_t take_mass(rct_model *model)
{
    const int32_t count = rct_model_body_count(model);
    int32_t taken = 0;
    char *carries = calloc((size_t)count, 1);
    assert_non_null(carries);
    for (int32_t i = 0; i < count; i++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, i, &body, NULL), RCT_OK);
        if (body.parent != RCT_GROUND) {
            carries[body.parent] = 1;
        }
    }
    for (int32_t i = 0; i < count; i++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, i, &body, NULL), RCT_OK);
        if (carries[i] && (i * 7) % 5 < 3 && rct_hinge_freedoms(body.hinge) <= 1 &&
            run_of(model, body.parent) < 2) {
            body.mass = 0.0;
            memcpy(body.inertia, zeros, sizeof body.inertia);
            must_put(model, i, &body);
            taken++;
        }
    }
    free(carries);
    return taken;
}

static void expect_answers(const rct_model *model, rct_reference reference, int64_t seed)
{
    static const int64_t segments[] = {0, 1, 3, 7, RCT_SEGMENT_AUTO};
    const tree_answer expected = tree_answer_by_reference(model, reference, 0.0);
    for (int k = 0; k < 20; k++) {
        const tree_answer own =
            tree_answer_by_solver(model, 0.0, k % 2 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI,
                                  segments[k / 4], lanes_up_to(k % 4 < 2 ? 1 : 4));
        const double most = tree_answer_distance(model, own, expected);
        if (!(most < 1e-9)) {
            fail_msg("seed %d, case %d: %.2e off the reference", (int)seed, k, most);
        }
        tree_answer_free(own);
    }
    tree_answer_free(expected);
}

/* Hinges of one freedom alone, so that many bodies lose their mass, and hinges of all kinds. */
static void test_random_trees(void **state)
{
    (void)state;
    const int one = 1 << RCT_HINGE_REVOLUTE | 1 << RCT_HINGE_PRISMATIC | 1 << RCT_HINGE_FIXED;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const hinge_system system = {.tree = {.shape = seed % 2 ? SHAPE_CHAIN : SHAPE_TREE,
                                              .bodies = 80,
                                              .spin = 1.0,
                                              .seed = seed},
                                     .hinges = seed % 3 ? one : ALL_HINGES,
                                     .joint_forces = seed % 4 == 0,
                                     .forces = seed % 4 == 1 ? 10 : 0};
        rct_model *model = hinge_system_create(&system);
        assert_true(take_mass(model) > 5);
        expect_answers(model, RCT_REFERENCE_LAGRANGE, (int64_t)seed);
        rct_model_free(model);
    }
}

/* Two turns about one axis cannot be told apart, nor a slide and a slide of the next body along the
 * same line. */
static void test_what_nothing_resists(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const rct_hinge_type hinge = k < 2 ? RCT_HINGE_REVOLUTE : RCT_HINGE_PRISMATIC;
        rct_model *model = rct_model_create("twice", NULL);
        rct_body inner = massless(RCT_GROUND, hinge, 0.0, 0.6, 0.8), outer = inner;
        outer.parent = 0;
        outer.mass = 1.0;
        outer.com[0] = 0.5;
        outer.inertia[0] = outer.inertia[1] = outer.inertia[2] = 0.1;
        must_add(model, &inner);
        must_add(model, &outer);
        rct_solver_options options = rct_solver_options_default();
        options.method = k % 2 ? RCT_METHOD_ABI : RCT_METHOD_RICCATI;
        rct_error error;
        rct_solver *solver = rct_solver_create(model, &options, &error);
        assert_non_null(solver);
        assert_int_equal(rct_solver_evaluate(solver, &error), RCT_ERROR_SINGULAR);
        assert_int_equal(error.body, 0);
        assert_non_null(strstr(error.text, "nothing resists"));
        rct_solver_free(solver);
        rct_model_free(model);
    }
}

/* The check refuses a tip without mass, and names the first one by number. */
static void test_tips(void **state)
{
    (void)state;
    rct_error error;
    rct_model *model = rct_model_create("tips", NULL);
    rct_body body = massless(RCT_GROUND, RCT_HINGE_REVOLUTE, 0.0, 0.0, 1.0);
    must_add(model, &body);
    body.parent = 0;
    must_add(model, &body);
    assert_int_equal(rct_model_check(model, &error), RCT_ERROR_MODEL);
    assert_int_equal(error.body, 0);
    body.parent = 1;
    body.mass = 1.0;
    must_add(model, &body);
    assert_int_equal(rct_model_check(model, &error), RCT_OK);
    body.inertia[1] = 1.0;
    body.mass = 0.0;
    assert_int_equal(rct_model_add_body(model, &body, NULL, &error), RCT_ERROR_MODEL);
    assert_non_null(strstr(error.text, "a body of mass 0 has inertia"));
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar_motion),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_what_nothing_resists),
        cmocka_unit_test(test_tips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
