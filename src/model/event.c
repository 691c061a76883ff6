/* Events of a model: each is checked alone when it is added; check.c checks that the bodies,
 * hinges and loops it names exist. */
#include "model/event_check.h"

#include "core/error.h"
#include "core/sized.h"
#include "model/model.h"
#include "model/names.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

enum {
    TIME = 1 << RCT_EVENT_TIME,
    COORDINATE = 1 << RCT_EVENT_COORDINATE,
    DISTANCE = 1 << RCT_EVENT_DISTANCE,
    FORCE = 1 << RCT_EVENT_FORCE,
    ALL = TIME | COORDINATE | DISTANCE | FORCE,
};

static const rct_key keys[] = {
    {"name", 0, ALL, RCT_HOLDS_OTHER, NULL},
    {"type", 0, ALL, RCT_HOLDS_OTHER, NULL},
    {"body", offsetof(rct_event, body), COORDINATE | DISTANCE, RCT_HOLDS_BODY,
     "add the name of a body"},
    {"coordinate", 0, COORDINATE, RCT_HOLDS_OTHER, NULL},
    {"at", offsetof(rct_event, at), DISTANCE, 3, NULL},
    {"other", offsetof(rct_event, other), DISTANCE, RCT_HOLDS_BODY,
     "add the name of a body or \"ground\""},
    {"other_at", offsetof(rct_event, other_at), DISTANCE, 3, NULL},
    {"of", 0, FORCE, RCT_HOLDS_OTHER, NULL},
    {"way", 0, ALL & ~TIME, RCT_HOLDS_OTHER, NULL},
    {"value", offsetof(rct_event, value), ALL, 1, "add the value to be reached or crossed"},
    {"loop", 0, ALL, RCT_HOLDS_OTHER, NULL},
    {"becomes", 0, ALL, RCT_HOLDS_OTHER, NULL},
    {"breaks", 0, ALL, RCT_HOLDS_OTHER, NULL},
    {"again", 0, ALL, RCT_HOLDS_OTHER, NULL},
};

const rct_keys rct_event_keys = {keys, sizeof keys / sizeof keys[0]};

static const char *const type_names[RCT_EVENT_TYPES] = {"time", "coordinate", "distance", "force"};
static const char *const way_names[RCT_EVENT_WAYS] = {"rises", "falls", "crosses"};
static const char *const state_names[RCT_LOOP_STATES] = {"released", "attached", "pulled"};

static const char *name_in(const char *const *names, int count, int number)
{
    return number >= 0 && number < count ? names[number] : NULL;
}

const char *rct_event_type_name(rct_event_type type)
{
    return name_in(type_names, RCT_EVENT_TYPES, (int)type);
}

const char *rct_event_way_name(rct_event_way way)
{
    return name_in(way_names, RCT_EVENT_WAYS, (int)way);
}

const char *rct_loop_state_name(rct_loop_state state)
{
    return name_in(state_names, RCT_LOOP_STATES, (int)state);
}

void rct_event_init(rct_out out)
{
    const rct_event own = {.other = RCT_GROUND};
    rct_give(out, &own, rct_whole(sizeof own));
}

/* ---- checks ------------------------------------------------------------------------------- */

/* Fields that the type does not use must keep their defaults: they would be ignored silently. */
static const char *unused_trouble(const rct_event *e)
{
    const rct_event plain = rct_event_default();
    const int uses = 1 << e->type;
    if (rct_keys_unused(&rct_event_keys, uses, e, &plain) ||
        (!(uses & COORDINATE) && e->coordinate != 0)) {
        return "its type does not use this body, coordinate or point; leave it out";
    }
    if (!(uses & FORCE) && e->of != 0) {
        return "its type does not watch the force of a loop; leave that loop out";
    }
    return (uses & TIME) && e->way != RCT_EVENT_RISES ? "a time only rises; leave the way out"
                                                      : NULL;
}

static const char *trouble_of(const rct_event *e)
{
    if (rct_event_type_name(e->type) == NULL) {
        return "unknown type; rct_event_type lists the types";
    }
    if (rct_event_way_name(e->way) == NULL) {
        return "unknown way; give rises, falls or crosses";
    }
    if (rct_loop_state_name(e->state) == NULL) {
        return "its loop gets an unknown state; give released, attached or pulled";
    }
    if (!rct_keys_finite(&rct_event_keys, e)) {
        return "a number is not finite";
    }
    if (e->type != RCT_EVENT_COORDINATE && !(e->value > 0.0)) {
        return e->type == RCT_EVENT_TIME ? "its time must be after the start, at 0; a loop itself "
                                           "says whether it holds from the start"
                                         : "a distance or a force must be positive to be crossed";
    }
    if (e->type == RCT_EVENT_FORCE && e->of == e->loop && e->state != RCT_LOOP_RELEASED) {
        return "it attaches the loop whose force it watches, but a loop exerts nothing before it "
               "is "
               "attached; watch another loop";
    }
    if (e->type == RCT_EVENT_DISTANCE && e->body == e->other) {
        return "it measures the distance of a body from itself; give another body or the ground";
    }
    return unused_trouble(e);
}

static rct_status check_name(const rct_model *model, const char *name, rct_error *error)
{
    const char *trouble = rct_name_trouble(name);
    if (rct_made_up(name, "event") >= 0) {
        trouble = "is reserved for events without a name; give another name";
    }
    if (trouble != NULL) {
        return rct_fail(error, RCT_ERROR_MODEL, "event %" PRId32 ": its name %s",
                        model->event_count, trouble);
    }
    const int32_t other = rct_names_find(model->event_names, name);
    return other < 0 ? RCT_OK
                     : rct_fail(error, RCT_ERROR_MODEL,
                                "event %" PRId32 ": the name \"%s\" belongs to event %" PRId32
                                "; give each a name of its own",
                                model->event_count, name, other);
}

static rct_status check(const rct_model *model, rct_event *e, rct_error *error)
{
    const rct_event plain = rct_event_default();
    const char *trouble = trouble_of(e);
    const int named = e->name != NULL;
    if (trouble != NULL) {
        return rct_fail(error, RCT_ERROR_MODEL, "event %" PRId32 "%s%s%s: %s", model->event_count,
                        named ? " \"" : "", named ? e->name : "", named ? "\"" : "", trouble);
    }
    /* a checked default may be a negative zero, which a model file could not tell from zero */
    rct_keys_clear(&rct_event_keys, 1 << e->type, e, &plain);
    e->again = e->again != 0;
    return named ? check_name(model, e->name, error) : RCT_OK;
}

/* ---- events ------------------------------------------------------------------------------- */

rct_status rct_model_add_event_sized(rct_model *model, rct_in event, int32_t *index,
                                     rct_error *error)
{
    rct_event e = rct_event_default();
    if (!rct_given(model, "model", error) ||
        !rct_take(&e, rct_whole(sizeof e), event, "event", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    e.name = e.name != NULL && e.name[0] != '\0' ? e.name : NULL;
    rct_status status = check(model, &e, error);
    RCT_THEN(status, rct_model_room(&model->events, model->event_count, &model->event_capacity,
                                    sizeof e, "events", error));
    if (status == RCT_OK && e.name != NULL) {
        e.name = rct_names_add(model->event_names, e.name, model->event_count, error);
        status = e.name != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    }
    if (status != RCT_OK) {
        return status;
    }
    model->events[model->event_count] = e;
    if (index != NULL) {
        *index = model->event_count;
    }
    model->event_count++;
    return RCT_OK;
}

rct_status rct_model_copy_events(rct_model *model, const rct_model *from, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < from->event_count && status == RCT_OK; i++) {
        status = rct_model_add_event(model, &from->events[i], NULL, error);
    }
    return status;
}

int32_t rct_model_event_count(const rct_model *model)
{
    return model != NULL ? model->event_count : 0;
}

rct_status rct_model_event_sized(const rct_model *model, int32_t index, rct_out event,
                                 rct_error *error)
{
    if (!rct_given(model, "model", error) || !rct_given(event.at, "event", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (index < 0 || index >= model->event_count) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "event %" PRId32 " does not exist; the model has %" PRId32 " event%s",
                        index, model->event_count, rct_plural(model->event_count));
    }
    rct_give(event, &model->events[index], rct_whole(sizeof(rct_event)));
    return RCT_OK;
}

void rct_model_event_name(const rct_model *model, int32_t index, char name[RCT_NAME_SIZE])
{
    if (name != NULL) {
        const int known = model != NULL && index >= 0 && index < model->event_count;
        rct_answer(name, known ? model->events[index].name : NULL, "event", index);
    }
}

int32_t rct_model_find_event(const rct_model *model, const char *name)
{
    if (model == NULL || name == NULL) {
        return -1;
    }
    const int32_t named = rct_names_find(model->event_names, name);
    const int32_t index = named < 0 ? rct_made_up(name, "event") : -1;
    return index >= 0 && index < model->event_count && model->events[index].name == NULL ? index
                                                                                         : named;
}
