/* Elastic rods as bodies: masses, places, springs; on the ground, on a moving body; and refused
 * input. */
#include "tests/support/cmocka_all.h"

#include "tests/support/must.h"

#include <riccatree/rod.h>

#include <math.h>
#include <string.h>

static rct_body get(const rct_model *model, int32_t b)
{
    rct_body body;
    assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
    return body;
}

static void test_a_rod_has_its_mass_and_its_springs(void **state)
{
    (void)state;
    rct_model *model = rct_model_create(NULL, NULL);
    rct_rod rod = rct_rod_default();
    int32_t first = -1;
    double mass = 0.0, axial = 0.0, compliance[3] = {0.0};
    rod.bodies = 8;
    rod.length = 2.0;
    rod.density = 3.0;
    rod.radius = 0.1;
    rod.bending[0] = 5.0, rod.bending[1] = 7.0, rod.twist = 11.0;
    rod.delay = 0.01;
    rod.at[1] = 4.0;
    rod.orientation[2] = 1.0; /* z to x */
    assert_int_equal(rct_model_add_rod(model, &rod, &first, NULL), RCT_OK);
    assert_int_equal(first, 0);
    assert_int_equal(rct_model_body_count(model), 8);
    for (int32_t b = 0; b < 8; b++) {
        const rct_body body = get(model, b);
        const double frame[4] = {sqrt(0.5), 0.0, sqrt(0.5), 0.0}, none[4] = {1.0, 0.0, 0.0, 0.0};
        mass += body.mass;
        axial += body.inertia[2];
        assert_int_equal(body.parent, b - 1);
        assert_true(body.hinge_at[b == 0 ? 1 : 2] == (b == 0 ? 4.0 : 0.25));
        for (int i = 0; i < 4; i++) {
            assert_true(fabs(body.orientation[i] - frame[i]) < 1e-15);
            assert_true(fabs(body.hinge_orientation[i] - (b == 0 ? frame : none)[i]) < 1e-15);
        }
        for (int i = 0; i < 3; i++) {
            compliance[i] += 1.0 / body.stiffness[i];
            assert_true(fabs(body.damping[i] - 0.01 * body.stiffness[i]) < 1e-12);
        }
    }
    assert_true(fabs(mass - 6.0) < 1e-14 && fabs(axial - 6.0 * 0.01 / 2.0) < 1e-15);
    for (int i = 0; i < 3; i++) { /* of all but half a cylinder at the end */
        const double all[3] = {5.0, 7.0, 11.0};
        assert_true(fabs(compliance[i] - (2.0 - 0.125) / all[i]) < 1e-14);
    }
    rct_model_free(model);
}

/* The rod continues the pose of its parent, and hangs on a pin on request. */
static void test_a_rod_on_a_body(void **state)
{
    (void)state;
    rct_model *model = rct_model_create(NULL, NULL);
    rct_body hub = rct_body_default();
    rct_rod rod = rct_rod_default();
    int32_t first = -1;
    hub.hinge = RCT_HINGE_REVOLUTE;
    hub.mass = 1.0;
    hub.inertia[0] = hub.inertia[1] = hub.inertia[2] = 0.1;
    hub.position[0] = acos(0.0);
    hub.rate[0] = 3.0;
    must_add(model, &hub);
    rod.parent = 0;
    rod.bodies = 3;
    rod.pinned = 1;
    rod.orientation[2] = 1.0;
    assert_int_equal(rct_model_add_rod(model, &rod, &first, NULL), RCT_OK);
    assert_int_equal(first, 1);
    for (int32_t b = 1; b < 4; b++) {
        const rct_body body = get(model, b);
        const double all = b == 1 ? 0.0 : 3.0;
        assert_int_equal(body.parent, b - 1);
        for (int i = 0; i < 4; i++) { /* z to x, then x to y */
            assert_true(fabs(body.orientation[i] - (i == 1 ? -0.5 : 0.5)) < 1e-15);
        }
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(body.angular_velocity[i] - (i == 2 ? 3.0 : 0.0)) < 1e-15);
            assert_true(fabs(body.stiffness[i] - all) < 1e-14);
        }
    }
    rct_model_free(model);
}

/* The family hangs down, and starts rotated on request. */
static void test_the_family(void **state)
{
    (void)state;
    rct_family family = rct_family_default();
    rct_error error = {.text = ""};
    family.family = "rod";
    family.bodies = 7;
    for (int perturbed = 0; perturbed < 2; perturbed++) {
        family.perturb = 0.1 * perturbed;
        rct_model *model = rct_model_generate(&family, &error);
        assert_non_null(model);
        assert_int_equal(rct_model_check(model, NULL), RCT_OK);
        assert_int_equal(rct_model_body_count(model), 7);
        for (int32_t b = 0; b < 7; b++) {
            const rct_body body = get(model, b);
            assert_true(fabs(body.stiffness[2] - (b == 0 ? 14.0 : 7.0)) < 1e-12);
            assert_true((fabs(body.orientation[1] - 1.0) < 1e-15) == !perturbed);
        }
        rct_model_free(model);
    }
    family.hinge = RCT_HINGE_REVOLUTE;
    assert_null(rct_model_generate(&family, &error));
    assert_non_null(strstr(error.text, "the rod would not bend with revolute hinges; give ball"));
}

/* The numbers of a family are those of a rod; other families have none of these numbers. */
static void test_the_family_by_numbers(void **state)
{
    (void)state;
    rct_family family = rct_family_default();
    rct_rod rod = rct_rod_default();
    rct_error error = {.text = ""};
    rct_model *by_hand = rct_model_create(NULL, NULL);
    family.family = "rod";
    rod.bodies = 5;
    family.bodies = 5;
    rod.orientation[0] = 0.0, rod.orientation[1] = 1.0;
    rod.length = family.length = 3.0;
    rod.density = family.density = 0.25;
    rod.radius = family.radius = 0.02;
    rod.bending[0] = family.bending[0] = 4.0;
    rod.bending[1] = family.bending[1] = 5.0;
    rod.delay = family.delay = 0.125;
    rod.pinned = family.pinned = 1;
    rod.twist = 0.0; /* as the family has it */
    assert_int_equal(rct_model_add_rod(by_hand, &rod, NULL, &error), RCT_OK);
    rct_model *model = rct_model_generate(&family, &error);
    assert_non_null(model);
    for (int32_t b = 0; b < 5; b++) {
        const rct_body own = get(model, b), other = get(by_hand, b);
        assert_memory_equal(own.stiffness, other.stiffness, sizeof own.stiffness);
        assert_memory_equal(own.damping, other.damping, sizeof own.damping);
        assert_memory_equal(own.inertia, other.inertia, sizeof own.inertia);
        assert_memory_equal(own.hinge_at, other.hinge_at, sizeof own.hinge_at);
        assert_true(own.mass == other.mass);
    }
    rct_model_free(model);
    rct_model_free(by_hand);
    family.radius = 0.0;
    assert_null(rct_model_generate(&family, &error));
    assert_non_null(strstr(error.text, "must be positive"));
    family.family = "chain";
    assert_null(rct_model_generate(&family, &error));
    assert_non_null(strstr(error.text, "for the family rod; leave them out"));
}

static void refused(rct_model *model, const rct_rod *rod, rct_status status, const char *says)
{
    rct_error error = {.text = ""};
    const int32_t before = rct_model_body_count(model);
    assert_int_equal(rct_model_add_rod(model, rod, NULL, &error), status);
    assert_int_equal(rct_model_body_count(model), before);
    if (strstr(error.text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, says);
    }
}

static void test_what_is_no_rod(void **state)
{
    (void)state;
    rct_model *model = rct_model_create(NULL, NULL);
    static const struct {
        size_t at;
        double value;
        const char *says;
    } wrong[] = {
        {offsetof(rct_rod, length), 0.0, "they must be positive"},
        {offsetof(rct_rod, density), -1.0, "they must be positive"},
        {offsetof(rct_rod, radius), 0.0, "they must be positive"},
        {offsetof(rct_rod, bending), -1.0, "must not be negative"},
        {offsetof(rct_rod, twist), NAN, "numbers of a rod[5] is nan"},
        {offsetof(rct_rod, delay), -1e-9, "must not be negative"},
        {offsetof(rct_rod, at), INFINITY, "the start of a rod[0] is inf"},
        {offsetof(rct_rod, orientation), 0.0, "a quaternion of zero length"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        rct_rod rod = rct_rod_default();
        *(double *)(void *)((char *)&rod + wrong[i].at) = wrong[i].value;
        refused(model, &rod, RCT_ERROR_ARGUMENT, wrong[i].says);
    }
    rct_rod rod = rct_rod_default();
    rod.bodies = 0;
    refused(model, &rod, RCT_ERROR_ARGUMENT, "a rod of 0 bodies");
    rod = rct_rod_default();
    rod.bending[1] = rod.twist = 0.0;
    refused(model, &rod, RCT_ERROR_ARGUMENT, "about x alone");
    rod = rct_rod_default();
    rod.parent = 0;
    refused(model, &rod, RCT_ERROR_MODEL, "body 0 does not exist yet");
    rct_body early = rct_body_default();
    early.parent = 5;
    early.mass = early.inertia[0] = early.inertia[1] = early.inertia[2] = 1.0;
    must_add(model, &early);
    refused(model, &rod, RCT_ERROR_MODEL, "body 5 does not exist yet");
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rod_has_its_mass_and_its_springs),
        cmocka_unit_test(test_a_rod_on_a_body),
        cmocka_unit_test(test_the_family),
        cmocka_unit_test(test_the_family_by_numbers),
        cmocka_unit_test(test_what_is_no_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
