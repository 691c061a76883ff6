/* Semi-recursive I and II (seed 003): refused input, and the results through the public
 * interface. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "reference/planar/planar.h"
#include "reference/planar/semi_recursive.h"
#include "tests/reference/planar_tree.h"

#include <riccatree/reference.h>

#include <math.h>
#include <string.h>

enum { MOST = TREE_MOST_BODIES };

static rct_body disc(int32_t parent, rct_hinge_type hinge)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge = hinge;
    body.mass = 1.0;
    body.com[0] = 0.5;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    return body;
}

/* A revolute body about z on the ground, and `second`, which is refused with a message. */
static void expect_refused(const rct_body *second, const char *words)
{
    for (int which = 1; which <= 2; which++) {
        rct_model *model = rct_model_create("refused", NULL);
        const rct_body first = disc(RCT_GROUND, RCT_HINGE_REVOLUTE);
        rct_reference_result result = {.linear = NULL};
        rct_error error;
        assert_int_equal(rct_model_add_body(model, &first, NULL, NULL), RCT_OK);
        assert_int_equal(rct_model_add_body(model, second, NULL, NULL), RCT_OK);
        assert_int_equal(
            rct_semi_recursive_evaluate(model, which, 0.0, NULL, NULL, &result, &error),
            RCT_ERROR_UNSUPPORTED);
        assert_int_equal(error.body, 1);
        assert_non_null(strstr(error.text, "body 1 \"body1\""));
        assert_non_null(strstr(error.text, words));
        assert_non_null(strstr(error.text, "use the reference lagrange"));
        rct_model_free(model);
    }
}

static void test_what_is_not_planar(void **state)
{
    (void)state;
    static const rct_hinge_type others[] = {RCT_HINGE_BALL, RCT_HINGE_UNIVERSAL,
                                            RCT_HINGE_CYLINDRICAL, RCT_HINGE_HELICAL};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const rct_body other = disc(0, others[k]);
        expect_refused(&other, "neither fixed, revolute, prismatic nor planar");
    }
    const rct_body loose = disc(RCT_GROUND, RCT_HINGE_FREE);
    expect_refused(&loose, "neither fixed, revolute, prismatic nor planar");
    rct_body tilted = disc(0, RCT_HINGE_REVOLUTE);
    tilted.hinge_axis[0] = 1e-6;
    expect_refused(&tilted, "is not along the normal");
    rct_body turned = disc(0, RCT_HINGE_PLANAR); /* its axis is tilted by the hinge's orientation */
    turned.hinge_orientation[1] = 1e-6;
    expect_refused(&turned, "is not along the normal");
    rct_body lifted = disc(0, RCT_HINGE_PRISMATIC);
    lifted.hinge_axis[0] = 1.0;
    lifted.hinge_axis[2] = 1e-6;
    expect_refused(&lifted, "leaves the plane");
    for (int k = 4; k < 6; k++) {
        rct_body skew = disc(0, RCT_HINGE_FIXED);
        skew.inertia[k] = 1e-6;
        expect_refused(&skew, "products with the normal");
    }
}

/* Status and text of an evaluation of a pendulum, after one change. */
static rct_status status_of(const rct_model *model, int which, double time, const double *q,
                            const double *u, rct_error *error)
{
    double linear[3 * MOST], force[3 * MOST];
    rct_reference_result result = {.linear = linear, .force = force};
    return rct_semi_recursive_evaluate(model, which, time, q, u, &result, error);
}

static rct_model *pendulum(void)
{
    rct_model *model = rct_model_create("pendulum", NULL);
    const rct_body body = disc(RCT_GROUND, RCT_HINGE_REVOLUTE);
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    return model;
}

static void test_motion_of_the_ground_out_of_the_plane(void **state)
{
    (void)state;
    rct_error error;
    for (int k = 0; k < 2; k++) {
        rct_model *model = pendulum();
        rct_base base = rct_base_default();
        (k == 0 ? base.velocity : base.acceleration)[2] = 1e-3;
        assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
        assert_int_equal(status_of(model, 1, 0.0, NULL, NULL, &error), RCT_ERROR_UNSUPPORTED);
        assert_int_equal(error.body, -1);
        assert_non_null(strstr(error.text, "motion of the ground: it leaves the plane"));
        rct_model_free(model);
    }
    rct_model *model = pendulum(); /* the ground turns otherwise than the hinge */
    rct_base base = rct_base_default();
    base.axis[1] = 1.0;
    base.rate = 1.0;
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
    assert_int_equal(status_of(model, 2, 0.0, NULL, NULL, &error), RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "is not along the normal"));
    rct_model_free(model);
}

static void test_arguments(void **state)
{
    (void)state;
    rct_error error;
    rct_model *model = pendulum();
    const double good = 0.1, bad = NAN;
    assert_int_equal(status_of(model, 3, 0.0, NULL, NULL, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "semi-recursive 3 is unknown"));
    assert_int_equal(status_of(model, 1, NAN, NULL, NULL, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "time is not finite"));
    assert_int_equal(status_of(model, 1, 0.0, &bad, &good, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(error.body, 0);
    assert_int_equal(status_of(model, 1, 0.0, &good, &bad, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "body 0 \"body0\": its coordinates or rates"));
    assert_int_equal(status_of(model, 1, 0.0, &good, &good, &error), RCT_OK);
    rct_force force = rct_force_default();
    force.body = 7;
    assert_int_equal(rct_model_add_force(model, &force, NULL, NULL), RCT_OK);
    assert_int_equal(status_of(model, 1, 0.0, NULL, NULL, &error), RCT_ERROR_MODEL);
    rct_model_free(model);
    rct_model *empty = rct_model_create("empty", NULL);
    assert_int_equal(status_of(empty, 1, 0.0, NULL, NULL, &error), RCT_ERROR_MODEL);
    rct_model_free(empty);
}

/* A body without inertia about its hinge, on one with inertia; and more bodies than the limit. */
static void test_singular_and_too_large(void **state)
{
    (void)state;
    rct_error error;
    rct_model *model = rct_model_create("singular", NULL);
    rct_body point = disc(1, RCT_HINGE_REVOLUTE);
    point.com[0] = 0.0;
    memset(point.inertia, 0, sizeof point.inertia);
    const rct_body root = disc(RCT_GROUND, RCT_HINGE_REVOLUTE);
    rct_model_add_body(model, &point, NULL, NULL);
    rct_model_add_body(model, &root, NULL, NULL);
    for (int which = 1; which <= 2; which++) {
        assert_int_equal(status_of(model, which, 0.0, NULL, NULL, &error), RCT_ERROR_SINGULAR);
        assert_int_equal(error.body, 0);
        assert_non_null(strstr(error.text, "body 0 \"body0\": the acceleration of its hinge"));
    }
    rct_model_free(model);
    model = pendulum();
    for (int i = 1; i <= PLANAR_MOST_BODIES; i++) {
        rct_model_add_body(model, &root, NULL, NULL);
    }
    assert_int_equal(status_of(model, 1, 0.0, NULL, NULL, &error), RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "201 bodies are too many"));
    rct_model_free(model);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    const planar_tree tree = planar_tree_draw(4, 1, 5);
    rct_model *model = planar_tree_model(&tree);
    for (int which = 1; which <= 2; which++) {
        rct_error error;
        rct_status status = RCT_ERROR_MEMORY;
        int fails = 0;
        for (; status == RCT_ERROR_MEMORY && fails < 100; fails++) {
            rct_allocate_fail_after(fails);
            status = status_of(model, which, 0.0, NULL, NULL, &error);
            rct_allocate_fail_after(-1);
            assert_true(status == RCT_OK || error.status == RCT_ERROR_MEMORY);
        }
        assert_int_equal(status, RCT_OK);
        assert_true(fails > 30);
    }
    rct_model_free(model);
}

/* The public interface at the initial state; orientations are not its state. */
static void test_public_interface(void **state)
{
    (void)state;
    assert_string_equal(rct_reference_name(RCT_REFERENCE_SEMI_RECURSIVE_1), "semi-recursive-1");
    assert_string_equal(rct_reference_name(RCT_REFERENCE_SEMI_RECURSIVE_2), "semi-recursive-2");
    rct_model *model = pendulum();
    const double q[4] = {1.0, 0.0, 0.0, 0.0}, w[3] = {0.0, 0.0, 1.0}, g[3] = {0.0, -9.81, 0.0};
    rct_model_set_gravity(model, g, NULL);
    for (int which = 1; which <= 2; which++) {
        const rct_reference reference = (rct_reference)(RCT_REFERENCE_SEMI_RECURSIVE_1 + which - 1);
        double angular[3];
        rct_error error;
        rct_reference_result result = {.angular = angular};
        assert_int_equal(rct_reference_evaluate(model, reference, NULL, NULL, &result, &error),
                         RCT_OK);
        assert_true(fabs(angular[2] + 0.5 * 9.81 / 0.35) < 1e-13);
        assert_int_equal(rct_reference_evaluate(model, reference, q, w, &result, &error),
                         RCT_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.text, "rct_reference_evaluate_at"));
    }
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_not_planar),
        cmocka_unit_test(test_motion_of_the_ground_out_of_the_plane),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_singular_and_too_large),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_public_interface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
