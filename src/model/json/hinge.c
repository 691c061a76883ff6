/* The hinge of a body in a model file: JSON object -> hinge fields of rct_body. A key that the type of hinge
 * has no use for is refused here, where its line is known. */
#include "model/json/read.h"

#include "model/hinge_types.h"

#include <stdio.h>
#include <string.h>

/* The keys of a section that a type has a use for, as kind 1; `first` before them if it is not NULL. `room` is for them. */
static rct_keys section_of(rct_key room[RCT_HINGE_KEYS + 1], rct_hinge_type type,
                           const char *section, const char *first)
{
    int count = 0;
    if (first != NULL) {
        room[count++] = (rct_key){first, 0, 1, RCT_HOLDS_OTHER, NULL};
    }
    for (int key = 0; key < RCT_HINGE_KEYS; key++) {
        const rct_hinge_key *k = &rct_hinge_keys[key];
        const int required = rct_hinges[type].required >> key & 1;
        if (rct_hinge_uses(type, key) > 0 && strcmp(k->section, section) == 0) {
            room[count++] = (rct_key){k->name, k->offset, 1, rct_hinge_uses(type, key),
                                      required ? k->advice : NULL};
        }
    }
    return (rct_keys){room, count};
}

static const char *type_name(int type)
{
    return rct_hinge_name((rct_hinge_type)type);
}

static const rct_json_types types = {.what = "\"hinge\"",
                                     .before = "hinge ",
                                     .after = "",
                                     .advice = "add \"type\": \"ball\" or another one",
                                     .name = type_name,
                                     .count = RCT_HINGE_TYPES};

static void read_hinge(rct_json_reader *reader, const rct_json *hinge, rct_body *body)
{
    const rct_hinge_type type = (rct_hinge_type)rct_json_type_in(reader, hinge, &types);
    rct_key room[RCT_HINGE_KEYS + 1];
    const rct_keys keys = section_of(room, type, "hinge", "type");
    char what[32];
    body->hinge = type;
    if (rct_hinge_uses(type, RCT_KEY_FRAME) == 0 && rct_json_member(hinge, "orientation") != NULL) {
        rct_json_fail(reader, "orientation",
                      "a %s hinge has no orientation of its own; give the body's as \"initial\": { "
                      "\"orientation\": [w, x, y, z] }",
                      rct_hinge_name(type));
    }
    snprintf(what, sizeof what, "a %s hinge", rct_hinge_name(type));
    rct_json_check_keys(reader, hinge, what, &keys, 1);
    rct_json_read_keys(reader, hinge, &keys, 1, body);
}

void rct_json_hinge(rct_json_reader *reader, const rct_json *object, rct_body *body)
{
    const rct_json *hinge = rct_json_required(
        reader, object, "hinge", "add \"hinge\": { \"type\": \"ball\", \"at\": [x, y, z] }");
    if (hinge != NULL) {
        const rct_json *outer = rct_json_enter(reader, hinge);
        read_hinge(reader, hinge, body);
        rct_json_enter(reader, outer);
    }
}

void rct_json_initial(rct_json_reader *reader, const rct_json *object, rct_body *body)
{
    const rct_json *initial = rct_json_member(object, "initial");
    rct_key room[RCT_HINGE_KEYS + 1];
    const rct_keys keys = section_of(room, body->hinge, "initial", NULL);
    char what[48];
    if (initial == NULL) {
        return;
    }
    const rct_json *outer = rct_json_enter(reader, initial);
    if (rct_hinge_freedoms(body->hinge) == 0) {
        rct_json_fail(reader, NULL,
                      "a %s hinge has no \"initial\" state; place the body by the hinge's "
                      "\"orientation\"",
                      rct_hinge_name(body->hinge));
    }
    snprintf(what, sizeof what, "\"initial\" of a %s hinge", rct_hinge_name(body->hinge));
    rct_json_check_keys(reader, initial, what, &keys, 1);
    rct_json_read_keys(reader, initial, &keys, 1, body);
    rct_json_enter(reader, outer);
}
