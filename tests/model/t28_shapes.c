/* Shapes of bodies: refused input with reasons, their numbering, shapes read back from files, and
 * copies of a body, which have them too. */
#include "tests/support/systems/models_alike.h"

#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "model/shape.h"
#include "tests/support/faults/refusal.h"
#include "tests/support/must.h"
#include "tests/support/systems/any_model.h"

#include <math.h>

static rct_shape shape_of(rct_shape_type type, int32_t body)
{
    rct_shape shape = rct_shape_default();
    shape.type = type;
    shape.body = body;
    shape.radius = type != RCT_SHAPE_BOX ? 0.5 : 0.0;
    shape.length = type == RCT_SHAPE_CAPSULE || type == RCT_SHAPE_CYLINDER ? 2.0 : 0.0;
    for (int i = 0; i < 3; i++) {
        shape.size[i] = type == RCT_SHAPE_BOX ? 1.0 + i : 0.0;
    }
    return shape;
}

static void expect_refused(rct_shape shape, const char *says)
{
    rct_model *model = two_bodies();
    rct_error error = {.status = RCT_OK};
    int32_t index = 77;
    assert_int_equal(rct_model_add_shape(model, &shape, &index, &error), RCT_ERROR_MODEL);
    assert_int_equal(rct_model_add_shape(model, &shape, &index, NULL), RCT_ERROR_MODEL);
    expect_words(&error, says);
    assert_int_equal(rct_model_shape_count(model), 0);
    assert_int_equal(index, 77);
    rct_model_free(model);
}

static void test_bad_shapes_are_refused(void **state)
{
    (void)state;
    for (int type = 0; type < RCT_SHAPE_TYPES; type++) {
        for (int i = 0; i < 12; i++) {
            rct_shape s = shape_of((rct_shape_type)type, 1);
            double *const numbers[] = {&s.at[0],          &s.at[1],          &s.at[2],
                                       &s.orientation[0], &s.orientation[1], &s.orientation[2],
                                       &s.orientation[3], &s.radius,         &s.length,
                                       &s.size[0],        &s.size[1],        &s.size[2]};
            const double before = *numbers[i];
            *numbers[i] = i % 2 == 0 ? NAN : INFINITY;
            expect_refused(s, "body 1 \"body1\": shape 0: a number is not finite");
            *numbers[i] = before > 0.0 ? 0.0 : 1.0;
            if (i > 6) {
                expect_refused(s, before > 0.0 ? "radius, length and edges must be positive"
                                  : type == RCT_SHAPE_BOX
                                      ? "a box has no radius or length; give its size"
                                  : type == RCT_SHAPE_SPHERE
                                      ? "a sphere has only a radius"
                                      : "a capsule or cylinder has no size; give its radius");
            }
        }
    }
    rct_shape s = shape_of(RCT_SHAPE_SPHERE, 1);
    s.orientation[0] = 0.0;
    expect_refused(s, "its orientation is a quaternion of length zero");
    s = shape_of(RCT_SHAPE_SPHERE, 2);
    expect_refused(s, "a shape belongs to body 2, which does not exist; the model has 2 bodies");
    expect_refused(shape_of(RCT_SHAPE_BOX, RCT_GROUND), "a shape belongs to body -1");
    s.type = (rct_shape_type)4;
    s.body = 0;
    expect_refused(s, "unknown type; this version knows capsule, box, sphere and cylinder");
    assert_null(rct_shape_type_name((rct_shape_type)4));
    assert_null(rct_shape_type_name((rct_shape_type)-1));
}

/* In the order of bodies, whatever the order in which they are added; for one body in the order of
 * adding. */
static void test_shapes_are_numbered_by_bodies(void **state)
{
    (void)state;
    enum { BODIES = 7, COUNT = 300 };
    rct_draw draw = rct_draw_start(3, 0);
    rct_model *model = must_family("chain", BODIES, RCT_HINGE_BALL);
    rct_shape given[BODIES][COUNT], back;
    int32_t counts[BODIES] = {0}, first = 0;
    for (int32_t i = 0; i < COUNT; i++) {
        const int32_t body = rct_draw_index(&draw, BODIES);
        rct_shape s = shape_of((rct_shape_type)rct_draw_index(&draw, RCT_SHAPE_TYPES), body);
        int32_t index = -1, before = 0;
        s.at[0] = rct_draw_unit(&draw);
        s.orientation[0] = 0.6;
        s.orientation[2] = -0.8;
        rct_allocate_fail_after(0); /* short of memory, nothing is added */
        const rct_status status = rct_model_add_shape(model, &s, &index, NULL);
        rct_allocate_fail_after(-1);
        if (status != RCT_OK) {
            assert_int_equal(status, RCT_ERROR_MEMORY);
            assert_int_equal(rct_model_shape_count(model), i);
            assert_int_equal(rct_model_add_shape(model, &s, &index, NULL), RCT_OK);
        }
        for (int32_t b = 0; b <= body; b++) {
            before += counts[b];
        }
        assert_int_equal(index, before);
        given[body][counts[body]++] = s;
    }
    for (int32_t b = 0; b < BODIES; b++) {
        int32_t at = -1;
        assert_int_equal(rct_model_body_shapes(model, b, &at), counts[b]);
        assert_int_equal(at, first);
        for (int32_t k = 0; k < counts[b]; k++) {
            assert_int_equal(rct_model_shape(model, first + k, &back, NULL), RCT_OK);
            assert_memory_equal(&back, &given[b][k], sizeof back);
        }
        first += counts[b];
    }
    rct_error error = {.text = ""};
    assert_int_equal(rct_model_body_shapes(model, BODIES, NULL), 0);
    assert_int_equal(rct_model_body_shapes(model, -1, &first), 0);
    assert_int_equal(rct_model_shape(model, COUNT, &back, &error), RCT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "shape 300 does not exist; the model has 300 shapes");
    assert_int_equal(rct_model_shape(model, -1, &back, &error), RCT_ERROR_ARGUMENT);
    rct_model_free(model);
}

static const char rope[] =
    "{ \"riccatree\": 1, \"bodies\": [\n"
    "  { \"name\": \"mast\", \"parent\": \"ground\", \"hinge\": { \"type\": \"fixed\" }, \"mass\": "
    "1,\n"
    "    \"inertia\": [1, 1, 1, 0, 0, 0], \"shapes\": [] },\n"
    "  { \"repeat\": 3, \"body\": { \"name\": \"rod\", \"parent\": \"previous\",\n"
    "    \"hinge\": { \"type\": \"ball\" }, \"mass\": 1, \"inertia\": [1, 1, 1, 0, 0, 0],\n"
    "    \"shapes\": [ { \"type\": \"capsule\", \"at\": [0, 0, -0.5], \"radius\": 0.05, "
    "\"length\": 0.9 },\n"
    "      { \"type\": \"box\", \"orientation\": [0, 0, 0, 2], \"size\": [1, 2, 3] } ] } },\n"
    "  { \"name\": \"ball\", \"parent\": \"rod.3\", \"hinge\": { \"type\": \"ball\" }, \"mass\": "
    "1,\n"
    "    \"inertia\": [1, 1, 1, 0, 0, 0], \"shapes\": [ { \"type\": \"sphere\", \"radius\": 2 } ] "
    "} ] }\n";

static void test_copies_have_the_shapes_of_their_body(void **state)
{
    (void)state;
    rct_error error = {.text = ""};
    rct_model *model = rct_model_parse(rope, (int64_t)strlen(rope), &error);
    assert_string_equal(error.text, "");
    assert_int_equal(rct_model_shape_count(model), 7);
    assert_int_equal(rct_model_body_shapes(model, 0, NULL), 0);
    for (int32_t b = 1; b < 4; b++) {
        const rct_shape *s = &model->shapes[2 * (b - 1)];
        assert_true(s[0].body == b && s[0].type == RCT_SHAPE_CAPSULE && s[0].radius == 0.05 &&
                    s[0].length == 0.9 && s[0].at[2] == -0.5 && s[0].orientation[0] == 1.0);
        assert_true(s[1].body == b && s[1].type == RCT_SHAPE_BOX && s[1].size[1] == 2.0 &&
                    s[1].orientation[3] == 1.0);
    }
    assert_true(rct_model_shapes_alike(model, 1, 3));
    assert_false(rct_model_shapes_alike(model, 0, 1));
    assert_false(rct_model_shapes_alike(model, 3, 4));
    int64_t size = 0;
    char *text = rct_model_text(model, &size, &error);
    assert_non_null(strstr(text, "\"repeat\": 3")); /* the run stays one */
    rct_model *again = rct_model_parse(text, size, &error);
    assert_true(models_alike(model, again));
    model->shapes[3].radius = 0.0; /* what looks otherwise leaves the run */
    model->shapes[3].size[0] = 1.5;
    rct_release(text);
    text = rct_model_text(model, &size, &error);
    assert_null(strstr(text, "\"repeat\": 3"));
    rct_release(text);
    rct_model_free(again);
    rct_model_free(model);
}

/* A model holds as many bytes without shapes as before, and a body that breaks loose keeps its own
 * shapes. */
static void test_shapes_stay_apart_from_bodies(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 1000, RCT_HINGE_BALL);
    const int64_t before = rct_model_bytes(model), records = model->bodies->records.count;
    int32_t loop = -1;
    for (int32_t b = 0; b < 1000; b++) {
        rct_shape s = shape_of(RCT_SHAPE_SPHERE, b);
        s.radius += b;
        assert_int_equal(rct_model_add_shape(model, &s, NULL, NULL), RCT_OK);
    }
    assert_int_equal(model->bodies->records.count, records);
    assert_int_equal(rct_model_bytes(model) - before,
                     model->shape_capacity * (int64_t)sizeof(rct_shape));
    assert_int_equal(rct_model_loosen(model, 999, &loop, NULL), RCT_OK);
    assert_int_equal(rct_model_body_shapes(model, 999, NULL), 1);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_shapes_are_refused),
        cmocka_unit_test(test_shapes_are_numbered_by_bodies),
        cmocka_unit_test(test_copies_have_the_shapes_of_their_body),
        cmocka_unit_test(test_shapes_stay_apart_from_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
