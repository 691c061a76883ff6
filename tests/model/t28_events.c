/* Events of a model: refused input, alone and within a whole model; events read back; and hinges
 * made breakable. */
#include "tests/support/systems/models_alike.h"

#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/model/loop_fields.h"
#include "tests/model/round_trip.h"
#include "tests/support/systems/any_model.h"

#include <riccatree/model_h5.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a type, with no fault. */
static rct_event good(rct_event_type type)
{
    rct_event event = rct_event_default();
    event.type = type;
    event.value = 1.0;
    event.body = type == RCT_EVENT_COORDINATE || type == RCT_EVENT_DISTANCE ? 1 : 0;
    return event;
}

/* A model with two loops and an event refuses this one, says why, and stays unchanged. */
static void expect_no_event(rct_event event, const char *says)
{
    rct_model *model = four_bodies();
    rct_error error = {.status = RCT_OK};
    rct_event first = good(RCT_EVENT_TIME);
    int32_t index = 77;
    first.name = "first";
    assert_int_equal(rct_model_add_event(model, &first, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_add_event(model, &event, &index, &error), RCT_ERROR_MODEL);
    assert_int_equal(rct_model_add_event(model, &event, &index, NULL), RCT_ERROR_MODEL);
    expect_loop_words(&error, RCT_ERROR_MODEL, says);
    expect_loop_words(&error, RCT_ERROR_MODEL, "event 1");
    assert_int_equal(rct_model_event_count(model), 1);
    assert_int_equal(index, 77);
    rct_model_free(model);
}

static void test_each_field_is_checked(void **state)
{
    (void)state;
    rct_event e = good((rct_event_type)4);
    expect_no_event(e, "unknown type; rct_event_type");
    e = good((rct_event_type)-1);
    e.name = "named";
    expect_no_event(e, "event 1 \"named\": unknown type");
    for (int t = 0; t < RCT_EVENT_TYPES; t++) {
        const double bad[] = {NAN, INFINITY, -INFINITY};
        for (int i = 0; i < 3; i++) {
            e = good((rct_event_type)t);
            e.value = bad[i];
            expect_no_event(e, "a number is not finite");
        }
        e = good((rct_event_type)t);
        e.way = (rct_event_way)3;
        expect_no_event(e, "unknown way; give rises, falls or crosses");
        e = good((rct_event_type)t);
        e.state = (rct_loop_state)(t == 0 ? -1 : 3);
        expect_no_event(e, "its loop gets an unknown state; give released, attached or");
        for (int zero = 0; zero < 2 && t != RCT_EVENT_COORDINATE; zero++) {
            e = good((rct_event_type)t);
            e.value = zero ? 0.0 : -1.0;
            expect_no_event(e, t == RCT_EVENT_TIME ? "its time must be after the start, at 0"
                                                   : "a distance or a force must be positive");
        }
    }
    e = good(RCT_EVENT_DISTANCE);
    e.at[2] = NAN;
    expect_no_event(e, "a number is not finite");
    e = good(RCT_EVENT_DISTANCE);
    e.other = e.body;
    expect_no_event(e, "it measures the distance of a body from itself");
    e = good(RCT_EVENT_TIME);
    e.way = RCT_EVENT_FALLS;
    expect_no_event(e, "a time only rises; leave the way out");
}

static void test_what_is_of_no_use_is_refused(void **state)
{
    (void)state;
    for (int t = 0; t < RCT_EVENT_TYPES; t++) {
        const int at_body = t == RCT_EVENT_COORDINATE || t == RCT_EVENT_DISTANCE;
        for (int field = 0; field < 6; field++) {
            const int used[6] = {at_body,
                                 t == RCT_EVENT_COORDINATE,
                                 t == RCT_EVENT_DISTANCE,
                                 t == RCT_EVENT_DISTANCE,
                                 t == RCT_EVENT_DISTANCE,
                                 t == RCT_EVENT_FORCE};
            rct_event e = good((rct_event_type)t);
            e.body = field == 0 ? 2 : e.body;
            e.coordinate = field == 1;
            e.at[1] = field == 2 ? 1.0 : -0.0;
            e.other = field == 3 ? 3 : RCT_GROUND;
            e.other_at[1] = field == 4 ? 1.0 : -0.0;
            e.of = field == 5;
            rct_model *model = four_bodies();
            if (used[field]) {
                assert_int_equal(rct_model_add_event(model, &e, NULL, NULL), RCT_OK);
            } else {
                expect_no_event(e, field == 5
                                       ? "its type does not watch the force of a loop"
                                       : "its type does not use this body, coordinate or point");
            }
            rct_model_free(model);
        }
    }
}

static void test_names(void **state)
{
    (void)state;
    char text[RCT_NAME_SIZE + 1];
    rct_event e = good(RCT_EVENT_TIME);
    e.name = "first";
    expect_no_event(e,
                    "event 1: the name \"first\" belongs to event 0; give each a name of its own");
    e.name = "event17";
    expect_no_event(e, "its name is reserved for events without a name; give another name");
    e.name = "caf\xe9";
    expect_no_event(e, "its name is not UTF-8 text");
    memset(text, 'x', sizeof text);
    text[RCT_NAME_SIZE] = '\0';
    e.name = text;
    expect_no_event(e, "its name is longer than 127 bytes; shorten it");
    const char *const names[] = {"a", NULL, "event", "", "events1", "loop0"};
    rct_model *model = four_bodies();
    for (int32_t i = 0; i < 6; i++) {
        char name[RCT_NAME_SIZE];
        e.name = names[i];
        assert_int_equal(rct_model_add_event(model, &e, NULL, NULL), RCT_OK);
        rct_model_event_name(model, i, name);
        assert_string_equal(name, i == 1 ? "event1" : i == 3 ? "event3" : names[i]);
        assert_int_equal(rct_model_find_event(model, name), i);
    }
    assert_int_equal(rct_model_find_event(model, "event0"), -1);
    assert_int_equal(rct_model_find_event(model, "event6"), -1);
    assert_int_equal(rct_model_find_event(model, "b"), -1);
    rct_error error;
    for (int32_t i = -1; i < 8; i += 7) {
        assert_int_equal(rct_model_event(model, i, &e, &error), RCT_ERROR_ARGUMENT);
        expect_loop_words(&error, RCT_ERROR_ARGUMENT, "does not exist; the model has 6 events");
    }
    assert_string_equal(rct_event_type_name(RCT_EVENT_FORCE), "force");
    assert_null(rct_event_type_name((rct_event_type)4));
    assert_string_equal(rct_event_way_name(RCT_EVENT_CROSSES), "crosses");
    assert_null(rct_event_way_name((rct_event_way)-1));
    assert_string_equal(rct_loop_state_name(RCT_LOOP_PULLED), "pulled");
    assert_null(rct_loop_state_name((rct_loop_state)3));
    rct_model_free(model);
}

/* Bodies and loops may come after the events; rct_model_check checks the whole. */
static void test_events_name_what_there_is(void **state)
{
    (void)state;
    const struct {
        int type;
        int32_t body, coordinate, other, of, loop;
        const char *says;
    } cases[] = {
        {RCT_EVENT_TIME, 0, 0, -1, 0, 0, NULL},
        {RCT_EVENT_TIME, 0, 0, -1, 0, 1,
         "event \"event0\": loop 1 does not exist; the model has 1 loop"},
        {RCT_EVENT_TIME, 0, 0, -1, 0, -1, "loop -1 does not exist"},
        {RCT_EVENT_FORCE, 0, 0, -1, 1, 0, "loop 1 does not exist"},
        {RCT_EVENT_FORCE, 0, 0, -1, -1, 0, "loop -1 does not exist"},
        {RCT_EVENT_DISTANCE, 4, 0, -1, 0, 0,
         "its body 4 does not exist; the model has bodies 0 to 3"},
        {RCT_EVENT_DISTANCE, -2, 0, -1, 0, 0, "its body -2 does not exist"},
        {RCT_EVENT_DISTANCE, 1, 0, 4, 0, 0, "its other body 4 does not exist"},
        {RCT_EVENT_DISTANCE, 1, 0, -2, 0, 0, "its other body -2 does not exist"},
        {RCT_EVENT_COORDINATE, 1, 1, -1, 0, 0, NULL},
        {RCT_EVENT_COORDINATE, 1, 2, -1, 0, 0,
         "event \"event0\": coordinate 2 of body 1: its universal hinge has no coordinate of that"},
        {RCT_EVENT_COORDINATE, 1, -1, -1, 0, 0, "has no coordinate of that number"},
        {RCT_EVENT_COORDINATE, 0, 0, -1, 0, 0, "its ball hinge has no single coordinates"},
        {RCT_EVENT_COORDINATE, 2, 0, -1, 0, 0, "its free hinge has no single coordinates"},
        {RCT_EVENT_COORDINATE, 9, 0, -1, 0, 0, "its body 9 does not exist"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rct_model *model = four_bodies();
        rct_error error = {.status = RCT_OK};
        rct_event e = good((rct_event_type)cases[i].type);
        const rct_loop loop = closure(RCT_LOOP_BALL);
        e.body = cases[i].body;
        e.coordinate = cases[i].coordinate;
        e.other = cases[i].other;
        e.of = cases[i].of;
        e.loop = cases[i].loop;
        assert_int_equal(rct_model_add_event(model, &e, NULL, NULL), RCT_OK);
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
        assert_int_equal(rct_model_check(model, &error),
                         cases[i].says == NULL ? RCT_OK : RCT_ERROR_MODEL);
        if (cases[i].says != NULL) {
            expect_loop_words(&error, RCT_ERROR_MODEL, cases[i].says);
        }
        if (i == 1) { /* the loop comes late */
            assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
            assert_int_equal(rct_model_check(model, NULL), RCT_OK);
        }
        rct_model_free(model);
    }
}

/* Events read back, also from files; with failing allocations, nothing is added. */
static void test_events_come_back(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    rct_model *model = four_bodies();
    rct_draw draw = rct_draw_start(8, 0);
    const rct_loop loop = closure(RCT_LOOP_BALL);
    int failures = 0;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    for (int32_t i = 0; i < COUNT; i++) {
        char name[32];
        rct_event given = any_event(&draw, model), back;
        int32_t index = -1;
        snprintf(name, sizeof name, "number %d", (int)i);
        given.name = i % 3 == 0 ? name : NULL;
        rct_status status = RCT_ERROR_MEMORY;
        for (int64_t k = 0; status == RCT_ERROR_MEMORY; k++) {
            rct_allocate_fail_after(k);
            status = rct_model_add_event(model, &given, &index, NULL);
            rct_allocate_fail_after(-1);
            failures += status == RCT_ERROR_MEMORY;
            assert_int_equal(rct_model_event_count(model), i + (status == RCT_OK));
        }
        assert_int_equal(status, RCT_OK);
        assert_int_equal(index, i);
        assert_int_equal(rct_model_event(model, i, &back, NULL), RCT_OK);
        assert_true(events_alike(&given, &back));
        assert_true(given.name == NULL || given.name != back.name); /* copied */
    }
    assert_true(failures > 2);
    round_trip(model);
    assert_int_equal(rct_model_write_h5(model, "t28_events.h5", NULL), RCT_OK);
    rct_model *read = rct_model_read_h5("t28_events.h5", NULL);
    assert_non_null(read);
    assert_true(models_alike(model, read));
    assert_int_equal(remove("t28_events.h5"), 0);
    rct_model_free(read);
    rct_model_free(model);
}

/* ---- hinges that break -------------------------------------------------------------------- */

/* A model of one hinge on a body on the ground. */
static rct_model *one_hinge(const rct_body *hinged)
{
    rct_model *model = rct_model_create(NULL, NULL);
    rct_body body = rct_body_default();
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_add_body(model, hinged, NULL, NULL), RCT_OK);
    return model;
}

static rct_body hinged_by(rct_hinge_type type)
{
    rct_body body = rct_body_default();
    body.hinge = type;
    body.parent = type == RCT_HINGE_FREE ? RCT_GROUND : 0;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    return body;
}

static void expect_firm(rct_model *model, rct_status status, int32_t body, const char *says)
{
    rct_error error = {.status = RCT_OK};
    int32_t loop = 77;
    const int32_t loops = rct_model_loop_count(model);
    assert_int_equal(rct_model_loosen(model, body, &loop, &error), status);
    expect_loop_words(&error, status, says);
    assert_int_equal(loop, 77);
    assert_int_equal(rct_model_loop_count(model), loops);
    rct_model_free(model);
}

static void test_hinges_that_cannot_break(void **state)
{
    (void)state;
    rct_body body = hinged_by(RCT_HINGE_FREE);
    expect_firm(one_hinge(&body), RCT_ERROR_MODEL, 1,
                "body 1 \"body1\": its free hinge cannot break: a free hinge holds nothing");
    body = hinged_by(RCT_HINGE_HELICAL);
    body.hinge_pitch = 0.1;
    expect_firm(one_hinge(&body), RCT_ERROR_MODEL, 1, "there is no closure of its type; use");
    for (int k = 0; k < 5; k++) {
        body = hinged_by(k == 4 ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE);
        *(k == 0   ? &body.stiffness[0]
          : k == 1 ? &body.applied[0]
          : k == 2 ? &body.armature[0]
                   : &body.damping[0]) = 1.0;
        expect_firm(one_hinge(&body), RCT_ERROR_MODEL, 1,
                    "closures have no springs, dampers, forces or rotors; remove these");
    }
    body = hinged_by(RCT_HINGE_REVOLUTE);
    for (int32_t k = -1; k < 3; k += 3) {
        expect_firm(one_hinge(&body), RCT_ERROR_ARGUMENT, k,
                    "does not exist; the model has bodies 0 to 1");
    }
    rct_model *model = one_hinge(&body);
    const rct_loop_term term = {1, 0, 1.0};
    const rct_loop tied = relation(&term, 1);
    assert_int_equal(rct_model_add_loop(model, &tied, NULL, NULL), RCT_OK);
    expect_firm(model, RCT_ERROR_MODEL, 1, "a force, a relation or an event names its coordinates");
    model = one_hinge(&body);
    rct_force limit = rct_force_default();
    limit.type = RCT_FORCE_LIMIT;
    limit.body = 1;
    limit.stiffness = limit.upper = 1.0;
    assert_int_equal(rct_model_add_force(model, &limit, NULL, NULL), RCT_OK);
    expect_firm(model, RCT_ERROR_MODEL, 1, "a force, a relation or an event names its coordinates");
    model = one_hinge(&body);
    rct_loop named = closure(RCT_LOOP_BALL);
    named.name = "body1 hinge";
    assert_int_equal(rct_model_add_loop(model, &named, NULL, NULL), RCT_OK);
    rct_model_loosen(model, 1, NULL, NULL);
    assert_int_equal(rct_bodies_at(model->bodies, 1)->hinge, RCT_HINGE_REVOLUTE);
    expect_firm(model, RCT_ERROR_MODEL, 1, "the name \"body1 hinge\" belongs to loop 0");
    model = one_hinge(&body);
    model->bodies->parent[1] = 5;
    expect_firm(model, RCT_ERROR_MODEL, 1, "its parent 5 does not exist");
}

/* Far out on a chain an orientation is the product of many; read back it is unchanged. */
static void test_what_is_loosened_comes_back(void **state)
{
    (void)state;
    enum { LINKS = 400 };
    rct_model *model = rct_model_create(NULL, NULL);
    rct_body body = hinged_by(RCT_HINGE_REVOLUTE);
    for (int32_t b = 0; b < LINKS; b++) {
        body.parent = b - 1;
        body.position[0] = 0.1 + 0.37 * b;
        body.hinge_axis[0] = b % 3, body.hinge_axis[1] = b % 5 - 2.0;
        body.hinge_orientation[b % 4] = 0.3;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    for (int32_t b = LINKS - 1; b >= 0; b--) {
        assert_int_equal(rct_model_loosen(model, b, NULL, NULL), RCT_OK);
    }
    round_trip(model);
    rct_model_free(model);
}

/* With failing allocations the model stays unchanged. */
static void test_loosening_without_memory(void **state)
{
    (void)state;
    const rct_body body = hinged_by(RCT_HINGE_UNIVERSAL);
    rct_status status = RCT_ERROR_MEMORY;
    int failures = -1;
    for (int64_t k = 0; status == RCT_ERROR_MEMORY; k++, failures++) {
        rct_model *model = one_hinge(&body), *same = one_hinge(&body);
        int32_t loop = -1;
        rct_allocate_fail_after(k);
        status = rct_model_loosen(model, 1, &loop, NULL);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || models_alike(model, same));
        assert_int_equal(loop, status == RCT_OK ? 0 : -1);
        rct_model_free(model);
        rct_model_free(same);
    }
    assert_int_equal(status, RCT_OK);
    assert_true(failures > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_field_is_checked),
        cmocka_unit_test(test_what_is_of_no_use_is_refused),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_events_name_what_there_is),
        cmocka_unit_test(test_events_come_back),
        cmocka_unit_test(test_hinges_that_cannot_break),
        cmocka_unit_test(test_what_is_loosened_comes_back),
        cmocka_unit_test(test_loosening_without_memory),
    };
    return cmocka_run_group_tests(tests, make_model_file, remove_model_file);
}
