/* Hinge types: the fields that each type uses and refuses; axes of length 1. One file, because
 * every check goes through the fields of one table. */
#include "tests/support/systems/models_alike.h"

#include "tests/support/cmocka_all.h"

#include "model/families/draw.h"
#include "model/hinge_types.h"
#include "tests/model/hinge_fields.h"

#include <riccatree/model.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

static void test_names_and_numbers(void **state)
{
    (void)state;
    const struct {
        const char *name;
        int coordinates, freedoms;
    } wanted[RCT_HINGE_TYPES] = {
        {"fixed", 0, 0},     {"ball", 4, 3},      {"revolute", 1, 1},
        {"prismatic", 1, 1}, {"universal", 2, 2}, {"cylindrical", 2, 2},
        {"planar", 3, 3},    {"helical", 1, 1},   {"free", 7, 6},
    };
    for (int t = 0; t < RCT_HINGE_TYPES; t++) {
        const rct_hinge_type type = (rct_hinge_type)t;
        assert_string_equal(rct_hinge_name(type), wanted[t].name);
        assert_int_equal(rct_hinge_coordinates(type), wanted[t].coordinates);
        assert_int_equal(rct_hinge_freedoms(type), wanted[t].freedoms);
    }
    const int unknown[] = {-1, RCT_HINGE_TYPES, 1000000};
    for (int i = 0; i < 3; i++) {
        assert_null(rct_hinge_name((rct_hinge_type)unknown[i]));
        assert_int_equal(rct_hinge_coordinates((rct_hinge_type)unknown[i]), 0);
        assert_int_equal(rct_hinge_freedoms((rct_hinge_type)unknown[i]), 0);
    }
}

static void test_units(void **state)
{
    (void)state;
    const char *const free[] = {"1", "1", "1", "1", "m", "m", "m"};
    const char *const rates[] = {"rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"};
    for (int i = 0; i < 7; i++) {
        assert_string_equal(rct_hinge_coordinate_unit(RCT_HINGE_FREE, i), free[i]);
        if (i < 6) {
            assert_string_equal(rct_hinge_rate_unit(RCT_HINGE_FREE, i), rates[i]);
        }
    }
    assert_string_equal(rct_hinge_coordinate_unit(RCT_HINGE_PLANAR, 0), "m");
    assert_string_equal(rct_hinge_coordinate_unit(RCT_HINGE_PLANAR, 2), "rad");
    assert_string_equal(rct_hinge_rate_unit(RCT_HINGE_CYLINDRICAL, 0), "rad/s");
    assert_string_equal(rct_hinge_rate_unit(RCT_HINGE_PRISMATIC, 0), "m/s");
    for (int t = -1; t <= RCT_HINGE_TYPES; t++) {
        const rct_hinge_type type = (rct_hinge_type)t;
        assert_null(rct_hinge_coordinate_unit(type, -1));
        assert_null(rct_hinge_coordinate_unit(type, rct_hinge_coordinates(type)));
        assert_null(rct_hinge_rate_unit(type, rct_hinge_freedoms(type)));
    }
}

/* The requirements of the numbers of a row relative to each other. */
static void test_rows_of_the_table_hold_together(void **state)
{
    (void)state;
    for (int t = 0; t < RCT_HINGE_TYPES; t++) {
        const rct_hinge_traits *hinge = &rct_hinges[t];
        const int absolute = hinge->uses[RCT_KEY_ORIENTATION] > 0;
        int along = 0; /* directions that its freedoms need */
        for (int key = 0; key < RCT_HINGE_KEYS; key++) {
            assert_in_range(hinge->uses[key], 0, rct_hinge_keys[key].width);
            assert_true((hinge->required >> key & 1) == 0 || hinge->uses[key] > 0);
        }
        for (int k = 0; k < hinge->freedoms && !absolute; k++) {
            along |= hinge->freedom[k] == RCT_TURN_1 || hinge->freedom[k] == RCT_SLIDE_1
                         ? 1 << RCT_KEY_AXIS
                         : 1 << RCT_KEY_AXIS2;
        }
        assert_int_equal(hinge->uses[RCT_KEY_AXIS] > 0, along >> RCT_KEY_AXIS & 1);
        assert_int_equal(hinge->uses[RCT_KEY_AXIS2] > 0, along >> RCT_KEY_AXIS2 & 1);
        assert_int_equal(hinge->coordinates, hinge->freedoms + absolute);
        assert_int_equal(hinge->uses[RCT_KEY_RATE], absolute ? 0 : hinge->freedoms);
        assert_true(hinge->uses[RCT_KEY_RATE] == 0 || hinge->uses[RCT_KEY_VELOCITY] == 0);
    }
}

/* A body that every hinge type takes as it is. */
static rct_body plain_body(rct_hinge_type type)
{
    rct_body body = rct_body_default();
    body.hinge = type;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    return body;
}

/* The result of add_body for `body`: RCT_OK or the error. */
static rct_status enter(const rct_body *body, rct_body *entered, rct_error *error)
{
    rct_model *model = rct_model_create(NULL, NULL);
    const rct_status status = rct_model_add_body(model, body, NULL, error);
    assert_int_equal(rct_model_body_count(model), status == RCT_OK);
    if (status == RCT_OK) {
        rct_model_body(model, 0, entered, NULL);
    }
    rct_model_free(model);
    return status;
}

static int width_of(int field)
{
    return field == PITCH ? 1 : field == FRAME || field == ORIENTATION ? 4 : 3;
}

/* Sets number k of a field where only the other numbers are the default. */
static void check_given(rct_hinge_type type, int field, int k)
{
    rct_body body = plain_body(type), entered;
    rct_error error = {.status = RCT_OK, .text = ""};
    field_of(&body, field)[k] = 0.25;
    const rct_status status = enter(&body, &entered, &error);
    if (status != (is_of_use(type, field, k) ? RCT_OK : RCT_ERROR_MODEL)) {
        fail_msg("%s, field %d, number %d: %s", rct_hinge_name(type), field, k,
                 status == RCT_OK ? "taken" : error.text);
    }
    assert_true(status == RCT_OK || strstr(error.text, "body 0 \"body0\": ") != NULL);
}

/* A negative zero is not a given number, and leaves no trace in an unused field. */
static void check_negative_zero(rct_hinge_type type, int field, int k)
{
    rct_body body = plain_body(type), entered;
    field_of(&body, field)[k] = -0.0;
    assert_int_equal(enter(&body, &entered, NULL), RCT_OK);
    assert_true(is_of_use(type, field, k) || !signbit(field_of(&entered, field)[k]));
}

static void test_what_a_hinge_has_no_use_for_is_refused(void **state)
{
    (void)state;
    for (int t = 0; t < RCT_HINGE_TYPES; t++) {
        for (int f = 0; f < FIELDS; f++) {
            const int quaternion = width_of(f) == 4; /* any w is the same turn, none */
            for (int k = quaternion; k < width_of(f); k++) {
                check_given((rct_hinge_type)t, f, k);
                if (f != AXIS && f != AXIS2) {
                    check_negative_zero((rct_hinge_type)t, f, k);
                }
            }
        }
    }
}

static void spoil_axis(rct_body *b)
{
    b->hinge_axis[2] = 0.0;
}

static void spoil_axis2(rct_body *b)
{
    b->hinge_axis2[0] = 0.0;
}

static void spoil_axes(rct_body *b)
{
    b->hinge_axis2[0] = 1e-7;
    b->hinge_axis2[2] = -1.0;
}

static void spoil_stiffness(rct_body *b)
{
    b->stiffness[1] = -1e-9;
}

static void spoil_damping(rct_body *b)
{
    b->damping[0] = -1.0;
}

static void spoil_axis_nan(rct_body *b)
{
    b->hinge_axis[0] = NAN;
}

static void spoil_axis2_nan(rct_body *b)
{
    b->hinge_axis2[1] = INFINITY;
}

static void spoil_pitch_nan(rct_body *b)
{
    b->hinge_pitch = -INFINITY;
}

static void spoil_position(rct_body *b)
{
    b->position[2] = NAN;
}

static void spoil_initial_rate(rct_body *b)
{
    b->rate[0] = INFINITY;
}

static void spoil_stiffness_nan(rct_body *b)
{
    b->stiffness[0] = NAN;
}

static void spoil_rest(rct_body *b)
{
    b->rest[0] = NAN;
}

static void spoil_damping_nan(rct_body *b)
{
    b->damping[1] = INFINITY;
}

static void spoil_applied(rct_body *b)
{
    b->applied[1] = NAN;
}

static void spoil_armature(rct_body *b)
{
    b->armature[1] = -0.1;
}

static void spoil_armature_nan(rct_body *b)
{
    b->armature[0] = INFINITY;
}

static void spoil_armature_count(rct_body *b)
{
    b->armature[2] = 1.0;
}

static void spoil_free_parent(rct_body *b)
{
    b->hinge = RCT_HINGE_FREE;
    b->parent = 0;
}

static void spoil_free_at(rct_body *b)
{
    b->hinge = RCT_HINGE_FREE;
    b->hinge_at[1] = 1.0;
}

static void spoil_free_frame(rct_body *b)
{
    b->hinge = RCT_HINGE_FREE;
    b->hinge_orientation[1] = 1.0;
}

static void spoil_state(rct_body *b)
{
    b->angular_velocity[0] = 1.0;
}

static void spoil_count(rct_body *b)
{
    b->rate[2] = 1.0;
}

static void spoil_pitch(rct_body *b)
{
    b->hinge_pitch = 1.0;
}

static void spoil_applied_count(rct_body *b)
{
    b->applied[2] = 1.0;
}

static void spoil_type(rct_body *b)
{
    b->hinge = (rct_hinge_type)9;
}

/* Of a universal hinge. */
static const struct {
    void (*spoil)(rct_body *body);
    const char *says;
} bad[] = {
    {spoil_axis, "its hinge axis has length zero"},
    {spoil_axis2, "its second hinge axis has length zero"},
    {spoil_axes, "its two hinge axes are parallel"},
    {spoil_stiffness, "stiffness, damping and armature of a hinge must not be negative"},
    {spoil_damping, "stiffness, damping and armature of a hinge must not be negative"},
    {spoil_armature, "stiffness, damping and armature of a hinge must not be negative"},
    {spoil_axis_nan, "the hinge's axis is nan; give finite numbers"},
    {spoil_axis2_nan, "the hinge's second axis is inf"},
    {spoil_pitch_nan, "the hinge's pitch is -inf"},
    {spoil_position, "the initial position is nan"},
    {spoil_initial_rate, "the initial rate is inf"},
    {spoil_stiffness_nan, "the hinge's stiffness is nan"},
    {spoil_rest, "the hinge's rest position is nan"},
    {spoil_damping_nan, "the hinge's damping is inf"},
    {spoil_applied, "the hinge's applied force is nan"},
    {spoil_armature_nan, "the hinge's armature is inf"},
    {spoil_free_parent, "its parent must be the ground"},
    {spoil_free_at, "a free hinge has no place in its parent"},
    {spoil_free_frame, "a free hinge has no orientation of its own"},
    {spoil_state, "its hinge has no initial orientation or angular velocity"},
    {spoil_count, "its initial position or rate has more numbers than its hinge has freedoms"},
    {spoil_pitch,
     "an axis, second axis or pitch is given that its hinge type does not use; leave it out"},
    {spoil_applied_count,
     "a stiffness, rest position, damping, applied force or armature is given"},
    {spoil_armature_count,
     "a stiffness, rest position, damping, applied force or armature is given"},
    {spoil_type, "unknown hinge type; this version knows fixed, ball, revolute, prismatic, "
                 "universal, cylindrical, planar, helical and free"},
};

static void test_bad_hinges_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rct_body body = plain_body(RCT_HINGE_UNIVERSAL), entered;
        rct_error error = {.text = ""};
        bad[i].spoil(&body);
        assert_int_equal(enter(&body, &entered, &error), RCT_ERROR_MODEL);
        assert_int_equal(error.body, 0);
        if (strstr(error.text, bad[i].says) == NULL) {
            fail_msg("\"%s\" does not say \"%s\"", error.text, bad[i].says);
        }
    }
}

/* One number about the first axis equals that number about all axes; a frame requires springs. */
static void test_balls_with_springs(void **state)
{
    (void)state;
    const double one[3] = {2.0, 0.0, 0.0}, all[3] = {2.0, 2.0, 2.0}, apart[3] = {2.0, 0.0, 1.0};
    rct_body body = plain_body(RCT_HINGE_BALL), entered;
    rct_error error = {.text = ""};
    memcpy(body.stiffness, one, sizeof one);
    memcpy(body.damping, apart, sizeof apart);
    body.hinge_orientation[1] = 1.0;
    assert_int_equal(enter(&body, &entered, &error), RCT_OK);
    assert_memory_equal(entered.stiffness, all, sizeof all);
    assert_memory_equal(entered.damping, apart, sizeof apart);
    memset(body.stiffness, 0, sizeof body.stiffness);
    assert_int_equal(enter(&body, &entered, &error), RCT_ERROR_MODEL);
    assert_non_null(strstr(error.text, "a ball hinge without stiffness has no orientation"));
    body.hinge = RCT_HINGE_FREE;
    memcpy(body.stiffness, all, sizeof all);
    memset(body.damping, 0, sizeof body.damping);
    body.hinge_orientation[1] = 0.0;
    assert_int_equal(enter(&body, &entered, &error), RCT_ERROR_MODEL);
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* The same direction to a few digits of double precision, with length 1; `scale` brings it close to
 * 1. */
static void assert_direction(const double *x, const double *given, int count, double scale)
{
    double small[4];
    for (int i = 0; i < count; i++) {
        small[i] = given[i] * scale;
    }
    const double length = sqrt(dot(small, small, count));
    assert_true(fabs(sqrt(dot(x, x, count)) - 1.0) <= 2e-15);
    for (int i = 0; i < count; i++) {
        assert_true(fabs(x[i] - small[i] / length) <= 2e-15);
    }
}

static void test_axes_get_length_one_and_keep_their_bits(void **state)
{
    (void)state;
    const double sizes[] = {1.0, 1e-3, 7.0, 0x1p1000, 0x1p-1000, 1.0 + 1e-15};
    const rct_hinge_type types[] = {RCT_HINGE_REVOLUTE, RCT_HINGE_UNIVERSAL, RCT_HINGE_PLANAR};
    for (uint64_t seed = 0; seed < 3000; seed++) {
        rct_draw draw = rct_draw_start(seed, 1);
        const double size = sizes[seed % 6];
        rct_body body = plain_body(types[seed % 3]), once, twice;
        rct_draw_on_sphere(&draw, body.hinge_axis, 3);
        rct_draw_on_sphere(&draw, body.hinge_orientation, 4);
        const int two = body.hinge != RCT_HINGE_REVOLUTE;
        if (two) {
            rct_draw_on_sphere(&draw, body.hinge_axis2, 3);
        }
        for (int i = 0; i < 3; i++) {
            /* nearly parallel, at times */
            if (two && seed % 5 == 0) {
                const double apart = body.hinge == RCT_HINGE_PLANAR ? 1e-4 : 0.05;
                body.hinge_axis2[i] = body.hinge_axis[i] + apart * body.hinge_axis2[i];
            }
            body.hinge_axis[i] *= size;
            body.hinge_axis2[i] *= two ? size : 1.0;
        }
        for (int i = 0; i < 4; i++) {
            body.hinge_orientation[i] *= size;
        }
        assert_int_equal(enter(&body, &once, NULL), RCT_OK);
        assert_int_equal(enter(&once, &twice, NULL), RCT_OK);
        assert_true(bodies_alike(&once, &twice));
        assert_direction(once.hinge_axis, body.hinge_axis, 3, 1.0 / size);
        assert_direction(once.hinge_orientation, body.hinge_orientation, 4, 1.0 / size);
        if (body.hinge == RCT_HINGE_UNIVERSAL) {
            assert_direction(once.hinge_axis2, body.hinge_axis2, 3, 1.0 / size);
        } else if (body.hinge == RCT_HINGE_PLANAR) {
            const double *a = once.hinge_axis, *b = once.hinge_axis2;
            assert_true(fabs(dot(a, b, 3)) <= 1e-15);
            assert_true(fabs(dot(b, b, 3) - 1.0) <= 4e-15);
            assert_true(dot(b, body.hinge_axis2, 3) > 0.0);
        }
    }
}

/* Lengths that overflow, and numbers so small that they have almost no digits. */
static void test_directions_of_extreme_numbers(void **state)
{
    (void)state;
    const double sizes[] = {DBL_MAX, DBL_MIN, 5e-324, 1e-310};
    for (int i = 0; i < 4; i++) {
        rct_body body = plain_body(RCT_HINGE_REVOLUTE), entered;
        for (int k = 0; k < 4; k++) {
            body.hinge_orientation[k] = -sizes[i];
            body.hinge_axis[k % 3] = sizes[i];
        }
        assert_int_equal(enter(&body, &entered, NULL), RCT_OK);
        for (int k = 0; k < 4; k++) {
            assert_true(fabs(entered.hinge_orientation[k] + 0.5) < 1e-15);
            assert_true(fabs(entered.hinge_axis[k % 3] - sqrt(1.0 / 3.0)) < 1e-15);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_numbers),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_rows_of_the_table_hold_together),
        cmocka_unit_test(test_what_a_hinge_has_no_use_for_is_refused),
        cmocka_unit_test(test_bad_hinges_are_refused),
        cmocka_unit_test(test_balls_with_springs),
        cmocka_unit_test(test_axes_get_length_one_and_keep_their_bits),
        cmocka_unit_test(test_directions_of_extreme_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
