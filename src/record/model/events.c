/* The group /model/events: one dataset for each field, row i for event i. It exists only if the
 * model has events. */
#include "core/memory.h"
#include "model/model.h"
#include "record/model/model.h"

#include <stddef.h>
#include <string.h>

static const rct_field fields[] = {
    {"value", 1, offsetof(rct_event, value), "s, rad, m or N", "none",
     "what is reached or crossed"},
    {"at", 3, offsetof(rct_event, at), "m", "body axes",
     "distance: point of the body, from its hinge point"},
    {"other_at", 3, offsetof(rct_event, other_at), "m", "body axes (ground: inertial)",
     "distance: point of the other body, from its hinge point"},
};

/* A field that is a whole number; `word` gives its names, if it has names. */
typedef struct whole {
    const char *name;
    size_t offset;
    const char *description;
    const char *(*word)(int); /* NULL behind the last field */
} whole;

static const char *type_word(int number)
{
    return rct_event_type_name((rct_event_type)number);
}

static const char *way_word(int number)
{
    return rct_event_way_name((rct_event_way)number);
}

static const char *state_word(int number)
{
    return rct_loop_state_name((rct_loop_state)number);
}

static const whole wholes[] = {
    {"type", offsetof(rct_event, type), "type of the event", type_word},
    {"way", offsetof(rct_event, way), "how the value is crossed", way_word},
    {"becomes", offsetof(rct_event, state), "what becomes of the loop", state_word},
    {"loop", offsetof(rct_event, loop), "row of the loop that changes", NULL},
    {"of", offsetof(rct_event, of), "force: row of the loop that exerts it", NULL},
    {"body", offsetof(rct_event, body), "coordinate, distance: row of the body", NULL},
    {"coordinate", offsetof(rct_event, coordinate), "coordinate: its number", NULL},
    {"other", offsetof(rct_event, other), "distance: row of the other body, -1: the ground", NULL},
    {"again", offsetof(rct_event, again), "1: it happens every time", NULL},
};

enum {
    FIELDS = sizeof fields / sizeof fields[0],
    WHOLES = sizeof wholes / sizeof wholes[0],
    WIDEST = 3,
};

/* The names of events, with the bytes of the longest one. */
static rct_name_column names_of(const rct_model *model)
{
    return (rct_name_column){&model->events->name, sizeof *model->events, model->event_count};
}

/* ---- writing ------------------------------------------------------------------------------ */

static void write_whole(rct_call *call, hid_t group, const rct_model *model, const whole *w,
                        int32_t *column)
{
    const int32_t n = model->event_count;
    int8_t *words = (int8_t *)column;
    hid_t type = w->word != NULL ? rct_h5_enum_type(call) : H5T_NATIVE_INT32;
    for (int k = 0; w->word != NULL && w->word(k) != NULL; k++) {
        rct_h5_put_member(call, type, w->word(k), (int8_t)k);
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t number;
        memcpy(&number, (const char *)&model->events[i] + w->offset, sizeof number);
        if (w->word != NULL) {
            words[i] = (int8_t)number;
        } else {
            column[i] = number;
        }
    }
    rct_put_column(call, group, type, w->name, n, w->description, column);
    if (w->word != NULL) {
        rct_h5_close(call, &type);
    }
}

void rct_record_events(rct_call *call, hid_t parent, const rct_model *model)
{
    if (model->event_count == 0) {
        return;
    }
    double *scratch = rct_call_allocate(call, WIDEST * (int64_t)model->event_count, sizeof *scratch,
                                        "the events of a recording");
    if (scratch == NULL) {
        return;
    }
    hid_t group = rct_h5_create_group(call, parent, "events");
    for (int k = 0; k < WHOLES; k++) {
        write_whole(call, group, model, &wholes[k], (int32_t *)scratch);
    }
    for (int k = 0; k < FIELDS; k++) {
        for (int32_t i = 0; i < model->event_count; i++) {
            rct_take_field(scratch, i, &fields[k], &model->events[i]);
        }
        rct_put_field(call, group, &fields[k], model->event_count, scratch);
    }
    const rct_name_column names = names_of(model);
    rct_put_name_column(call, group, &names, "event");
    rct_h5_close(call, &group);
    rct_release(scratch);
}

int64_t rct_event_group_bytes(const rct_model *model)
{
    if (model->event_count == 0) {
        return 0;
    }
    const rct_name_column names = names_of(model);
    const int64_t one = WHOLES * (int64_t)sizeof(int32_t) + rct_fields_bytes(fields, FIELDS);
    return model->event_count * one + (FIELDS + WHOLES + 1) * (int64_t)RCT_DATASET_BYTES +
           rct_name_column_bytes(&names);
}

/* ---- reading ------------------------------------------------------------------------------ */

static void add_events(rct_call *call, const rct_part *part, rct_event *events, rct_model *model)
{
    int64_t size = 0;
    char *names = rct_get_texts(call, part, "name", &size);
    for (int64_t i = 0; i < part->rows && call->status == RCT_OK; i++) {
        rct_error why;
        events[i].name = names != NULL ? names + i * size : NULL;
        rct_recall_status(call, rct_model_add_event(model, &events[i], NULL, &why), &why);
    }
    rct_release(names);
}

static void read_events(rct_call *call, hid_t group, rct_model *model)
{
    static const char *const needed[] = {"type", "value", "loop", "becomes", NULL};
    const char *others[WHOLES + 2] = {"name"};
    int64_t extent[RCT_H5_RANK] = {0};
    for (int k = 0; k < WHOLES; k++) {
        others[1 + k] = wholes[k].name;
    }
    rct_check_names(call, group, "/model/events", fields, FIELDS, others);
    rct_check_columns(call, group, "/model/events", needed);
    rct_h5_extent_of(call, group, "type", extent);
    const rct_part part = {.group = group, .rows = extent[0], .count = extent[0]};
    rct_event *events = rct_call_allocate(call, part.rows, sizeof *events, "reading events");
    for (int64_t i = 0; i < part.rows && call->status == RCT_OK; i++) {
        events[i] = rct_event_default();
    }
    for (int k = 0; k < WHOLES && call->status == RCT_OK; k++) {
        rct_get_whole(call, &part, wholes[k].name, wholes[k].offset, events, sizeof *events);
    }
    for (int k = 0; k < FIELDS && call->status == RCT_OK; k++) {
        rct_get_field(call, &part, &fields[k], events, sizeof *events);
    }
    if (call->status == RCT_OK) {
        add_events(call, &part, events, model);
    }
    rct_release(events);
}

void rct_recall_events(rct_call *call, hid_t parent, rct_model *model)
{
    if (rct_h5_has(call, parent, "events")) {
        hid_t group = rct_h5_open_group(call, parent, "events");
        read_events(call, group, model);
        rct_h5_close(call, &group);
    }
}
