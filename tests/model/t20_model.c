/* Model: bodies are stored as described, and bodies that cannot be rigid bodies are refused with a
 * reason. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"

#include <riccatree/model.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A uniform rod of 1 kg and 1 m along -z on the ground. */
static rct_body rod(void)
{
    rct_body body = rct_body_default();
    body.mass = 1.0;
    body.com[2] = -0.5;
    body.inertia[0] = body.inertia[1] = 1.0 / 12.0;
    body.inertia[2] = 0.001;
    return body;
}

static void test_bodies_come_back_as_given(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("pair", NULL);
    rct_body upper = rod();
    upper.name = "upper";
    int32_t id = -1;
    assert_int_equal(rct_model_add_body(model, &upper, &id, NULL), RCT_OK);
    assert_int_equal(id, 0);
    rct_body lower = rod();
    lower.parent = 0;
    lower.hinge_at[2] = -1.0;
    lower.orientation[0] = 0.0;
    lower.orientation[1] = 2.0; /* normalized on entry */
    assert_int_equal(rct_model_add_body(model, &lower, &id, NULL), RCT_OK);
    assert_int_equal(rct_model_check(model, NULL), RCT_OK);

    rct_body back;
    assert_int_equal(rct_model_body(model, 1, &back, NULL), RCT_OK);
    assert_true(back.orientation[1] == 1.0 && back.hinge_at[2] == -1.0 && back.parent == 0);
    assert_int_equal(rct_model_find_body(model, "upper"), 0);
    assert_int_equal(rct_model_find_body(model, "body1"), 1);
    assert_int_equal(rct_model_find_body(model, "body0"), -1);
    assert_int_equal(rct_model_find_body(model, "body01"), -1);
    rct_error error;
    assert_int_equal(rct_model_body(model, 2, &back, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_model_body(model, -1, &back, &error), RCT_ERROR_ARGUMENT);
    rct_model_free(model);
}

static void test_many_names_are_found(void **state)
{
    (void)state;
    rct_model *model = rct_model_create(NULL, NULL);
    for (int i = 0; i < 5000; i++) {
        char name[32];
        snprintf(name, sizeof name, "link %d", i);
        rct_body body = rod();
        body.name = name;
        body.parent = i - 1;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    assert_int_equal(rct_model_find_body(model, "link 0"), 0);
    assert_int_equal(rct_model_find_body(model, "link 4999"), 4999);
    assert_int_equal(rct_model_find_body(model, "link 5000"), -1);
    rct_model_free(model);
}

/* Every fault of a body: changes a valid rod, expects the message. */
static void spoil_mass_zero(rct_body *b)
{
    b->mass = 0.0;
}
static void spoil_mass_negative(rct_body *b)
{
    b->mass = -1.0;
}
static void spoil_mass_nan(rct_body *b)
{
    b->mass = NAN;
}
static void spoil_com(rct_body *b)
{
    b->com[1] = INFINITY;
}
static void spoil_at(rct_body *b)
{
    b->hinge_at[0] = NAN;
}
static void spoil_inertia_nan(rct_body *b)
{
    b->inertia[5] = NAN;
}
static void spoil_inertia_negative(rct_body *b)
{
    b->inertia[2] = -0.01;
}
static void spoil_inertia_product(rct_body *b)
{
    b->inertia[3] = 0.2;
}
static void spoil_triangle(rct_body *b)
{
    b->inertia[0] = 1.0;
}
static void spoil_orientation(rct_body *b)
{
    b->orientation[0] = 0.0;
}
static void spoil_rate(rct_body *b)
{
    b->angular_velocity[2] = -INFINITY;
}
static void spoil_ball_orientation(rct_body *b)
{
    b->hinge_orientation[1] = 1.0;
}
static void spoil_hinge(rct_body *b)
{
    b->hinge = (rct_hinge_type)99;
}
static void spoil_fixed_state(rct_body *b)
{
    b->hinge = RCT_HINGE_FIXED;
    b->angular_velocity[0] = 1.0;
}
static void spoil_name(rct_body *b)
{
    b->name = "taken";
}
static void spoil_made_up_name(rct_body *b)
{
    b->name = "body1";
}
static void spoil_ground_name(rct_body *b)
{
    b->name = "ground";
}
static void spoil_previous_name(rct_body *b)
{
    b->name = "previous";
}
static void spoil_encoding(rct_body *b)
{
    b->name = "caf\xe9";
}
static void spoil_overlong(rct_body *b)
{
    b->name = "\xc0\x80";
}
static void spoil_surrogate(rct_body *b)
{
    b->name = "\xed\xa0\x80";
}
static void spoil_cut_character(rct_body *b)
{
    b->name = "\xf0\x9f\x98";
}
static void spoil_long_name(rct_body *b)
{
    static char name[RCT_NAME_SIZE + 1];
    memset(name, 'n', RCT_NAME_SIZE);
    b->name = name;
}

static const struct {
    void (*spoil)(rct_body *body);
    const char *says;
} bad_bodies[] = {
    {spoil_mass_zero, "a body of mass 0 has inertia"},
    {spoil_mass_negative, "the mass is -1 kg"},
    {spoil_mass_nan, "the mass is nan"},
    {spoil_com, "the centre of mass is inf"},
    {spoil_at, "the hinge's point is nan"},
    {spoil_inertia_nan, "the inertia is nan"},
    {spoil_inertia_negative, "not positive"},
    {spoil_inertia_product, "not positive"},
    {spoil_triangle, "triangle"},
    {spoil_orientation, "zero length"},
    {spoil_rate, "the angular velocity is -inf"},
    {spoil_ball_orientation, "ball hinge without stiffness has no orientation"},
    {spoil_hinge, "unknown hinge type"},
    {spoil_fixed_state, "fixed hinge has no initial state"},
    {spoil_name, "belongs to body 0"},
    {spoil_made_up_name, "belongs to body 1"},
    {spoil_long_name, "longer than"},
    {spoil_ground_name, "is reserved"},
    {spoil_previous_name, "is reserved"},
    {spoil_encoding, "not UTF-8"},
    {spoil_overlong, "not UTF-8"},
    {spoil_surrogate, "not UTF-8"},
    {spoil_cut_character, "not UTF-8"},
};

static void test_bad_bodies_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_bodies / sizeof bad_bodies[0]; i++) {
        rct_model *model = rct_model_create(NULL, NULL);
        rct_body good = rod();
        good.name = "taken";
        assert_int_equal(rct_model_add_body(model, &good, NULL, NULL), RCT_OK);
        good.name = NULL; /* answers to "body1" */
        assert_int_equal(rct_model_add_body(model, &good, NULL, NULL), RCT_OK);
        rct_body bad = rod();
        bad_bodies[i].spoil(&bad);
        rct_error error;
        assert_int_equal(rct_model_add_body(model, &bad, NULL, &error), RCT_ERROR_MODEL);
        assert_int_equal(error.body, 2);
        if (strstr(error.text, bad_bodies[i].says) == NULL) {
            fail_msg("\"%s\" does not say \"%s\"", error.text, bad_bodies[i].says);
        }
        assert_int_equal(rct_model_body_count(model), 2); /* nothing was added */
        rct_model_free(model);
    }
}

static void expect_bad_tree(const int32_t *parents, int count, const char *says)
{
    rct_model *model = rct_model_create(NULL, NULL);
    for (int i = 0; i < count; i++) {
        rct_body body = rod();
        body.parent = parents[i];
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    rct_error error;
    assert_int_equal(rct_model_check(model, &error), RCT_ERROR_MODEL);
    if (strstr(error.text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, says);
    }
    rct_model_free(model);
}

static void test_bad_trees_are_refused(void **state)
{
    (void)state;
    expect_bad_tree(NULL, 0, "no bodies");
    expect_bad_tree((const int32_t[]){-1, 1}, 2, "its own parent");
    expect_bad_tree((const int32_t[]){-1, 5}, 2, "does not exist");
    expect_bad_tree((const int32_t[]){-2}, 1, "does not exist");
    expect_bad_tree((const int32_t[]){-1, 3, 1, 2}, 4, "cycle");
    expect_bad_tree((const int32_t[]){1, 0}, 2, "cycle");
}

/* All parent arrays of up to 6 bodies, ground included, against a walk up from each body. */
static void test_cycles_against_brute_force(void **state)
{
    (void)state;
    for (int n = 1; n <= 6; n++) {
        int64_t total = 1;
        for (int i = 0; i < n; i++) {
            total *= n + 1;
        }
        for (int64_t code = 0; code < total; code += n == 6 ? 7 : 1) {
            rct_model *model = rct_model_create(NULL, NULL);
            int32_t parents[6];
            int64_t rest = code;
            for (int i = 0; i < n; i++) {
                parents[i] = (int32_t)(rest % (n + 1)) - 1;
                rest /= n + 1;
                rct_body body = rod();
                body.parent = parents[i];
                assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
            }
            int good = 1;
            for (int i = 0; i < n; i++) {
                int32_t b = i;
                for (int up = 0; up <= n && b != RCT_GROUND; up++) {
                    b = parents[b];
                }
                good = good && b == RCT_GROUND;
            }
            assert_int_equal(rct_model_check(model, NULL), good ? RCT_OK : RCT_ERROR_MODEL);
            rct_model_free(model);
        }
    }
}

static void test_short_memory_is_an_error(void **state)
{
    (void)state;
    for (int64_t k = 0; k < 3; k++) {
        rct_error error = {RCT_OK, 0, 0, 0, 0, ""};
        rct_allocate_fail_after(k);
        rct_model *model = rct_model_create("m", &error);
        rct_allocate_fail_after(-1);
        assert_true((model == NULL) == (error.status == RCT_ERROR_MEMORY));
        rct_model_free(model);
    }
    rct_model *model = rct_model_create("m", NULL);
    rct_body body = rod();
    body.name = "first";
    for (int64_t k = 0; k < 2; k++) {
        rct_allocate_fail_after(k);
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_ERROR_MEMORY);
        rct_allocate_fail_after(-1);
        assert_int_equal(rct_model_body_count(model), 0);
    }
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    rct_model_free(model);
}

static void test_gravity_and_name(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("pendulum", NULL);
    double gravity[3];
    rct_model_gravity(model, gravity);
    assert_true(gravity[0] == 0.0 && gravity[1] == 0.0 && gravity[2] == -9.81);
    assert_string_equal(rct_model_name(model), "pendulum");
    assert_int_equal(rct_model_set_gravity(model, (const double[]){0, NAN, 0}, NULL),
                     RCT_ERROR_MODEL);
    assert_int_equal(rct_model_set_gravity(model, (const double[]){0, -1.62, 0}, NULL), RCT_OK);
    rct_model_gravity(model, gravity);
    assert_true(gravity[1] == -1.62);
    rct_model_free(model);
    char name[RCT_NAME_SIZE + 1];
    memset(name, 'n', RCT_NAME_SIZE);
    name[RCT_NAME_SIZE] = '\0';
    assert_null(rct_model_create(name, NULL));
    assert_null(rct_model_create("\xff", NULL));
    model =
        rct_model_create("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", NULL); /* e acute, euro, face */
    assert_non_null(model);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_come_back_as_given),
        cmocka_unit_test(test_many_names_are_found),
        cmocka_unit_test(test_bad_bodies_are_refused),
        cmocka_unit_test(test_bad_trees_are_refused),
        cmocka_unit_test(test_cycles_against_brute_force),
        cmocka_unit_test(test_short_memory_is_an_error),
        cmocka_unit_test(test_gravity_and_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
