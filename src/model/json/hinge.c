/* The hinge of a body in a model file: JSON object -> hinge fields of rct_body. A key that the
 * type of hinge does not use is refused here, because here its line is known. */
#include "model/json/read.h"

#include "model/hinge_types.h"

#include <stdio.h>
#include <string.h>

/* The keys that a section may have for a type of hinge, found once for consecutive bodies of the
 * same type; keys of kind 1. */
static const rct_json_section *section_of(rct_json_reader *reader, int number, rct_hinge_type type)
{
    static const struct {
        const char *name, *called;
    } sections[] = {[RCT_JSON_HINGE] = {"hinge", "a %s hinge"},
                    [RCT_JSON_INITIAL] = {"initial", "\"initial\" of a %s hinge"}};
    rct_json_section *section = &reader->sections[number];
    if (section->keys.key != NULL && section->type == type) {
        return section;
    }
    rct_key *room = section->room;
    if (number == RCT_JSON_HINGE) {
        *room++ = (rct_key){"type", 0, 1, RCT_HOLDS_OTHER, NULL};
    }
    for (int key = 0; key < RCT_HINGE_KEYS; key++) {
        const rct_hinge_key *k = &rct_hinge_keys[key];
        const int required = rct_hinges[type].required >> key & 1;
        if (rct_hinge_uses(type, key) > 0 && strcmp(k->section, sections[number].name) == 0) {
            const int count =
                rct_hinge_even(type, key) ? RCT_HOLDS_EVEN : rct_hinge_uses(type, key);
            *room++ = (rct_key){k->name, k->offset, 1, count, required ? k->advice : NULL};
        }
    }
    section->type = type;
    section->keys = (rct_keys){section->room, (int)(room - section->room)};
    snprintf(section->what, sizeof section->what, sections[number].called, rct_hinge_name(type));
    return section;
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
    const rct_json_section *section = section_of(reader, RCT_JSON_HINGE, type);
    body->hinge = type;
    if (rct_hinge_uses(type, RCT_KEY_FRAME) == 0 && rct_json_member(hinge, "orientation") != NULL) {
        rct_json_fail(reader, "orientation",
                      "a %s hinge has no orientation of its own; give the body's as \"initial\": { "
                      "\"orientation\": [w, x, y, z] }",
                      rct_hinge_name(type));
    }
    rct_json_check_keys(reader, hinge, section->what, &section->keys, 1);
    rct_json_read_keys(reader, hinge, &section->keys, 1, body);
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
    if (initial == NULL) {
        return;
    }
    const rct_json_section *section = section_of(reader, RCT_JSON_INITIAL, body->hinge);
    const rct_json *outer = rct_json_enter(reader, initial);
    if (rct_hinge_freedoms(body->hinge) == 0) {
        rct_json_fail(reader, NULL,
                      "a %s hinge has no \"initial\" state; place the body by the hinge's "
                      "\"orientation\"",
                      rct_hinge_name(body->hinge));
    }
    rct_json_check_keys(reader, initial, section->what, &section->keys, 1);
    rct_json_read_keys(reader, initial, &section->keys, 1, body);
    rct_json_enter(reader, outer);
}
