/* The elements of "bodies": one body each, or { "repeat": N, "body": ... }. A first pass adds them to
 * the model, a second finds the parents given by name, which may come later in the file. */
#include "model/json/read.h"

#include "core/error.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const repeat_keys[] = {"repeat", "body", NULL};

/* An element of "bodies": the body it describes and how often it stands there. */
typedef struct entry {
    const json_t *body;
    int32_t count;
    int repeated; /* in the form { "repeat": ..., "body": ... } */
} entry;

static void read_repeat(rct_json_reader *reader, const json_t *value, entry *out)
{
    double count = 0.0;
    rct_json_object(reader, value, "a repeat", repeat_keys);
    out->body = rct_json_required(reader, value, "body", "add the body to repeat");
    rct_json_required(reader, value, "repeat", "add how many bodies to make");
    rct_json_number(reader, value, "repeat", &count);
    if (count < 1.0 || count != floor(count)) {
        rct_json_fail(reader, "repeat", "\"repeat\" is %.15g; give a whole number from 1", count);
    } else if (count > INT32_MAX - 1 - reader->number) {
        rct_json_fail(reader, "repeat",
                      "\"repeat\" is %.15g, which makes too many bodies; a model holds at most %d",
                      count, INT32_MAX - 1);
    }
    out->count = reader->status == RCT_OK ? (int32_t)count : out->count;
}

static void read_entry(rct_json_reader *reader, const json_t *value, entry *out)
{
    *out = (entry){.body = value, .count = 1};
    out->repeated =
        json_object_get(value, "repeat") != NULL || json_object_get(value, "body") != NULL;
    if (out->repeated) {
        read_repeat(reader, value, out);
    }
}

/* The id a body's parent has if it is not given by name; those by name wait for the second pass. */
static int32_t early_parent(rct_json_reader *reader, const char *parent)
{
    const int previous = strcmp(parent, "previous") == 0;
    const int32_t before = rct_model_body_count(reader->model) - 1;
    if (previous && before < 0) {
        rct_json_fail(reader, "parent",
                      "no body comes before the first, \"previous\" names none; hang it on "
                      "\"ground\"");
    }
    return previous ? before : RCT_GROUND;
}

/* Add the bodies of one entry, which is at the reader's path; copies are called NAME.1, NAME.2 ... */
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
            /* a name cut here stays longer than add_body allows */
            snprintf(copy, sizeof copy, "%.*s.%" PRId32, RCT_NAME_SIZE - 1, name, k);
            body.name = copy;
        }
        body.parent = early_parent(reader, parent);
        if (reader->status == RCT_OK) {
            rct_json_heard(reader, rct_model_add_body(reader->model, &body, NULL, reader->error));
        }
    }
}

/* Find the parent of the bodies of one entry, whose first is body `id`, if it is given by name. */
static void link_entry(rct_json_reader *reader, const entry *from)
{
    const char *parent = json_string_value(json_object_get(from->body, "parent"));
    if (strcmp(parent, "ground") != 0 && strcmp(parent, "previous") != 0) {
        const int32_t id = rct_model_find_body(reader->model, parent);
        for (int32_t k = 0; k < from->count; k++) {
            reader->model->bodies[reader->number + k].parent = id;
        }
        if (id < 0) {
            rct_json_fail(reader, "parent",
                          "the parent \"%.127s\" is no body of this model; give \"ground\", "
                          "\"previous\" or the name of a body",
                          parent);
        }
    }
}

typedef void entry_action(rct_json_reader *reader, const entry *from);

/* Do `action` with every entry whose bodies include one from `first` to `last`; the reader's number is
 * that of the entry's first body. */
static void for_entries(rct_json_reader *reader, const json_t *bodies, int32_t first, int32_t last,
                        entry_action *action)
{
    int32_t id = 0;
    rct_json_enter_key(reader, "bodies");
    reader->what = "body";
    for (size_t i = 0; i < json_array_size(bodies) && id <= last && reader->status == RCT_OK; i++) {
        entry from;
        rct_json_enter_index(reader, (int64_t)i);
        reader->number = id;
        reader->item = json_array_get(bodies, i);
        read_entry(reader, reader->item, &from);
        reader->item = from.body;
        if (from.repeated) {
            rct_json_enter_key(reader, "body");
        }
        if (reader->status == RCT_OK && id + (from.count - 1) >= first) {
            action(reader, &from);
        }
        if (from.repeated) {
            rct_json_leave(reader);
        }
        rct_json_leave(reader);
        id += from.count;
    }
    rct_json_leave(reader);
    reader->what = NULL;
    reader->item = NULL;
}

void rct_json_entries(rct_json_reader *reader, const json_t *bodies)
{
    for_entries(reader, bodies, 0, INT32_MAX, add_copies);
    for_entries(reader, bodies, 0, INT32_MAX, link_entry);
}

static void locate_entry(rct_json_reader *reader, const entry *from)
{
    (void)from;
    rct_json_heard(reader, RCT_ERROR_MODEL);
}

void rct_json_locate_body(rct_json_reader *reader, const json_t *bodies, int32_t id)
{
    for_entries(reader, bodies, id, id, locate_entry);
}
