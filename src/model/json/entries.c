/* The elements of "bodies": one body each, or { "repeat": N, "body": ... }. They are added to
 * the model one by one. A second pass finds parents whose names belong to bodies later in the
 * file. */
#include "model/json/read.h"

#include "core/error.h"
#include "core/nearest.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const repeat_keys[] = {"repeat", "body", NULL};

/* An element of "bodies": the body it describes and how often it is repeated. */
typedef struct entry {
    const rct_json *body;
    int32_t count;
    int repeated; /* in the form { "repeat": ..., "body": ... } */
} entry;

static void read_repeat(rct_json_reader *reader, const rct_json *value, entry *out)
{
    double count = 0.0;
    rct_json_object(reader, value, "a repeat", repeat_keys);
    out->body = rct_json_required(reader, value, "body", "add the body to repeat");
    rct_json_required(reader, value, "repeat", "add how many bodies to make");
    rct_json_one(reader, value, "repeat", &count);
    if (count < 1.0 || count != floor(count)) {
        rct_json_fail(reader, "repeat", "\"repeat\" is %.15g; give a whole number of 1 or more",
                      count);
    } else if (count > INT32_MAX - 1 - reader->number) {
        rct_json_fail(reader, "repeat",
                      "\"repeat\" is %.15g, which makes too many bodies; a model holds at most %d",
                      count, INT32_MAX - 1);
    }
    out->count = reader->status == RCT_OK ? (int32_t)count : out->count;
}

static void read_entry(rct_json_reader *reader, const rct_json *value, entry *out)
{
    *out = (entry){.body = value, .count = 1};
    out->repeated =
        rct_json_member(value, "repeat") != NULL || rct_json_member(value, "body") != NULL;
    if (out->repeated) {
        read_repeat(reader, value, out);
    }
}

/* The id of the parent of a body. A parent that comes later in the file is RCT_GROUND until the
 * second pass. */
static int32_t early_parent(rct_json_reader *reader, const char *parent)
{
    const int previous = strcmp(parent, "previous") == 0;
    const int32_t before = rct_model_body_count(reader->model) - 1;
    if (previous && before < 0) {
        rct_json_fail(reader, "parent",
                      "\"previous\" names no body, because no body comes before the first; hang it "
                      "on \"ground\"");
    }
    if (previous || strcmp(parent, "ground") == 0) {
        return previous ? before : RCT_GROUND;
    }
    const int32_t id = rct_model_find_body(reader->model, parent);
    reader->unlinked = reader->unlinked || id < 0;
    return id;
}

/* Shapes of the copy that was added last: read for the first copy, repeated for the others. */
static void add_shapes(rct_json_reader *reader, const entry *from, int32_t copy)
{
    rct_model *model = reader->model;
    const int32_t body = model->count - 1;
    if (copy == 1) {
        rct_json_shapes(reader, from->body, body);
        return;
    }
    int32_t first = 0;
    const int32_t count = rct_model_body_shapes(model, body - 1, &first);
    for (int32_t k = 0; k < count && reader->status == RCT_OK; k++) {
        rct_shape shape = model->shapes[first + k];
        shape.body = body;
        rct_json_heard(reader, rct_model_add_shape(model, &shape, NULL, reader->error));
    }
}

/* Add the bodies of the entry at the reader; copies have the names NAME.1, NAME.2 ... */
static void add_copies(rct_json_reader *reader, const entry *from)
{
    rct_body body;
    const char *parent = NULL;
    rct_json_body(reader, from->body, &body, &parent);
    const char *name = body.name;
    if (reader->status == RCT_OK) {
        rct_json_heard(reader, rct_model_reserve(reader->model, from->count, reader->error));
    }
    for (int32_t k = 1; k <= from->count && reader->status == RCT_OK; k++) {
        char copy[RCT_NAME_SIZE + 16];
        if (name != NULL && from->repeated) {
            /* a name cut here is still longer than add_body allows */
            snprintf(copy, sizeof copy, "%.*s.%" PRId32, RCT_NAME_SIZE - 1, name, k);
            body.name = copy;
        }
        body.parent = early_parent(reader, parent);
        if (reader->status == RCT_OK) {
            rct_json_heard(reader, rct_model_add_body(reader->model, &body, NULL, reader->error));
        }
        if (reader->status == RCT_OK) {
            add_shapes(reader, from, k);
        }
    }
}

/* Find the parents of the bodies of one entry, which start at body `id`, if the parent is given
 * by name. */
static void link_entry(rct_json_reader *reader, const entry *from)
{
    const char *parent = rct_json_string(rct_json_member(from->body, "parent"));
    if (strcmp(parent, "ground") != 0 && strcmp(parent, "previous") != 0) {
        const int32_t id = rct_model_find_body(reader->model, parent);
        for (int32_t k = 0; k < from->count; k++) { /* no other owner yet */
            reader->model->bodies->parent[reader->number + k] = id;
        }
        if (id < 0) {
            rct_nearest nearest = {.given = parent};
            char hint[RCT_ERROR_TEXT_SIZE];
            rct_nearest_offer(&nearest, "ground");
            rct_nearest_offer(&nearest, "previous");
            rct_model_offer_bodies(reader->model, &nearest);
            rct_json_fail(
                reader, "parent", "the parent \"%.127s\" is not a body of this model%s", parent,
                rct_nearest_hint(&nearest, "give \"ground\", \"previous\" or the name of a body",
                                 hint));
        }
    }
}

typedef void entry_action(rct_json_reader *reader, const entry *from);

/* Do `action` with an element of "bodies" if one of its bodies, numbered from `reader->number`,
 * is `first` or later. Returns how many bodies the element has. */
static int32_t do_entry(rct_json_reader *reader, const rct_json *element, int32_t first,
                        entry_action *action)
{
    entry from;
    reader->what = "body";
    reader->at = reader->item = element;
    read_entry(reader, element, &from);
    if (reader->status == RCT_OK && reader->number + (from.count - 1) >= first) {
        reader->at = reader->item = from.body;
        action(reader, &from);
    }
    reader->what = NULL;
    reader->item = NULL;
    return from.count;
}

/* Make room for the bodies still to come, estimated from the text that each body took so far. */
static void make_room(rct_json_reader *reader, const rct_json *next)
{
    rct_model *model = reader->model;
    if (model->count > 0 && model->count == model->bodies->capacity) {
        const double read = (double)(next->start - reader->file.text);
        const double left = (double)(reader->file.end - next->start);
        const double more = 1.02 * model->count * (left / read) + 1.0;
        const double most = INT32_MAX - 1 - model->count;
        rct_json_heard(reader, rct_model_reserve(model, (int64_t)fmin(more, most), reader->error));
    }
}

int rct_json_take_body(void *context, const rct_json *element)
{
    rct_json_reader *reader = context;
    reader->at = element;
    make_room(reader, element);
    reader->number = rct_model_body_count(reader->model);
    do_entry(reader, element, 0, add_copies);
    return reader->status == RCT_OK;
}

/* Do `action` with every entry whose bodies include one from `first` to `last`. */
static void for_entries(rct_json_reader *reader, const rct_json *bodies, int32_t first,
                        int32_t last, entry_action *action)
{
    const rct_json *outer = reader->at;
    const char *place = NULL;
    int32_t id = 0;
    for (int64_t i = 0; i < rct_json_count(bodies) && id <= last && reader->status == RCT_OK; i++) {
        const rct_json *element = rct_json_take(reader, bodies, &place);
        reader->number = id;
        id += element != NULL ? do_entry(reader, element, first, action) : 0;
    }
    reader->at = outer;
}

void rct_json_link(rct_json_reader *reader, const rct_json *bodies)
{
    if (reader->unlinked) {
        for_entries(reader, bodies, 0, INT32_MAX, link_entry);
    }
}

static void locate_entry(rct_json_reader *reader, const entry *from)
{
    (void)from;
    rct_json_heard(reader, RCT_ERROR_MODEL);
}

void rct_json_locate_body(rct_json_reader *reader, const rct_json *bodies, int32_t id)
{
    for_entries(reader, bodies, id, id, locate_entry);
}
