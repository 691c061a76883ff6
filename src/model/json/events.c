/* The events of a model file: elements of "events" -> rct_event. Keys, types and names of bodies
 * and loops are checked here, the numbers when the event is added to the model. */
#include "model/json/read.h"

#include "core/error.h"
#include "core/nearest.h"
#include "model/event_check.h"
#include "model/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *type_name(int type)
{
    return rct_event_type_name((rct_event_type)type);
}

static const char *way_name(int way)
{
    return rct_event_way_name((rct_event_way)way);
}

static const char *state_name(int state)
{
    return rct_loop_state_name((rct_loop_state)state);
}

static const rct_json_types types = {.what = "an event",
                                     .before = "",
                                     .after = " of an event",
                                     .advice = "add \"time\", \"coordinate\" or another one",
                                     .name = type_name,
                                     .count = RCT_EVENT_TYPES};

static void fail_loop(rct_json_reader *reader, const char *key, const char *text)
{
    rct_nearest nearest = {.given = text};
    char name[RCT_NAME_SIZE], hint[RCT_ERROR_TEXT_SIZE];
    for (int32_t i = 0; i < rct_model_loop_count(reader->model); i++) {
        rct_model_loop_name(reader->model, i, name);
        rct_nearest_offer(&nearest, name);
    }
    rct_json_fail(reader, key, "\"%.127s\" is not a loop of this model%s", text,
                  rct_nearest_hint(&nearest, "give the name of a loop", hint));
}

/* The number of the loop that member `key` names, if the member exists. */
static void read_loop_name(rct_json_reader *reader, const rct_json *value, const char *key,
                           int32_t *loop)
{
    const char *text = NULL;
    rct_json_text(reader, value, key, &text);
    if (text != NULL) {
        *loop = rct_model_find_loop(reader->model, text);
        if (*loop < 0) {
            fail_loop(reader, key, text);
        }
    }
}

/* The loop that replaces the hinge that breaks: the loop of an earlier event, or a new one. */
static void read_break(rct_json_reader *reader, const rct_json *value, rct_event *event)
{
    int32_t body = RCT_GROUND;
    char name[RCT_NAME_SIZE], hinge[RCT_NAME_SIZE + 8];
    if (rct_json_member(value, "loop") != NULL || rct_json_member(value, "becomes") != NULL) {
        rct_json_fail(reader, "breaks",
                      "\"breaks\" replaces \"loop\" and \"becomes\"; remove these");
    }
    rct_json_end(reader, value, "breaks", &body);
    if (reader->status == RCT_OK && body == RCT_GROUND) {
        rct_json_fail(reader, "breaks",
                      "\"breaks\" is the ground, which has no hinge; give the name of a body");
    }
    if (reader->status != RCT_OK) {
        return;
    }
    rct_model_body_name(reader->model, body, name);
    snprintf(hinge, sizeof hinge, "%s hinge", name);
    const rct_model *model = reader->model;
    event->loop = rct_model_find_loop(model, hinge);
    if (rct_bodies_at(model->bodies, body)->hinge != RCT_HINGE_FREE || event->loop < 0 ||
        model->loops[event->loop].body != body) {
        rct_json_heard(reader,
                       rct_model_loosen_hinge(reader->model, body, &event->loop, reader->error));
    }
}

static void read_loop(rct_json_reader *reader, const rct_json *value, rct_event *event)
{
    if (rct_json_member(value, "breaks") != NULL) {
        read_break(reader, value, event);
        return;
    }
    rct_json_required(reader, value, "loop",
                      "add the name of a loop, or \"breaks\" and that of a body");
    rct_json_required(reader, value, "becomes", "add \"released\", \"attached\" or \"pulled\"");
    read_loop_name(reader, value, "loop", &event->loop);
    event->state = (rct_loop_state)rct_json_word(reader, value, "becomes", state_name, 0);
}

/* What the type watches, apart from the table of keys. */
static void read_watched(rct_json_reader *reader, const rct_json *value, rct_event *event)
{
    double number = 0.0;
    if (event->type != RCT_EVENT_TIME && event->type != RCT_EVENT_FORCE &&
        event->body == RCT_GROUND) {
        rct_json_fail(reader, "body", "\"body\" is the ground; give the name of a body");
    }
    if (event->type == RCT_EVENT_COORDINATE && reader->status == RCT_OK) {
        rct_loop_term term = {event->body, 0, 1.0};
        rct_json_one(reader, value, "coordinate", &number);
        term.freedom = rct_json_coordinate(number);
        rct_json_coordinate_trouble(reader, value, number, term.body,
                                    rct_loop_term_trouble(reader->model, &term));
        event->coordinate = term.freedom;
    } else if (event->type == RCT_EVENT_FORCE) {
        event->of = event->loop;
        read_loop_name(reader, value, "of", &event->of);
    }
}

static void read_event(rct_json_reader *reader, const rct_json *value)
{
    rct_event event = rct_event_default();
    char what[48];
    reader->item = value;
    event.type = (rct_event_type)rct_json_type_in(reader, value, &types);
    snprintf(what, sizeof what, "a %s event", rct_event_type_name(event.type));
    rct_json_check_keys(reader, value, what, &rct_event_keys, 1 << event.type);
    rct_json_text(reader, value, "name", &event.name);
    rct_json_flag(reader, value, "again", &event.again);
    rct_json_read_keys(reader, value, &rct_event_keys, 1 << event.type, &event);
    event.way = (rct_event_way)rct_json_word(reader, value, "way", way_name, RCT_EVENT_RISES);
    read_loop(reader, value, &event);
    read_watched(reader, value, &event);
    if (reader->status == RCT_OK) {
        rct_json_heard(reader, rct_model_add_event(reader->model, &event, NULL, reader->error));
    }
}

void rct_json_events(rct_json_reader *reader)
{
    rct_json_each(reader, "events", "event", read_event);
}
