/* The hinge of a body in a model file: JSON object -> hinge fields of rct_body. A key that the type of hinge
 * has no use for is refused here, where its line is known. */
#include "model/json/hinge.h"

#include "model/hinge_types.h"

#include <stdio.h>
#include <string.h>

typedef const char *key_list[RCT_HINGE_KEYS + 2];

/* The keys of a section that a type has a use for, NULL at the end; `first` before them if it is not NULL. */
static void list_keys(key_list keys, rct_hinge_type type, const char *section, const char *first)
{
    int count = 0;
    if (first != NULL) {
        keys[count++] = first;
    }
    for (int key = 0; key < RCT_HINGE_KEYS; key++) {
        if (rct_hinge_uses(type, key) > 0 && strcmp(rct_hinge_keys[key].section, section) == 0) {
            keys[count++] = rct_hinge_keys[key].name;
        }
    }
    keys[count] = NULL;
}

/* The numbers of a section, of which only keys are there that the type has a use for. */
static rct_status read_numbers(rct_json_reader *reader, const json_t *object, const char *section,
                               rct_body *body)
{
    rct_status status = RCT_OK;
    for (int key = 0; key < RCT_HINGE_KEYS && status == RCT_OK; key++) {
        const int count = rct_hinge_uses(body->hinge, key);
        if (count > 0 && strcmp(rct_hinge_keys[key].section, section) == 0) {
            status = rct_json_numbers(reader, object, rct_hinge_keys[key].name,
                                      rct_hinge_numbers_in(body, key), count);
        }
    }
    return status;
}

static const char *advice_on(int key)
{
    switch (key) {
    case RCT_KEY_AXIS: return "add the direction of the hinge in its frame, as [0, 0, 1]";
    case RCT_KEY_AXIS2: return "add the second direction of the hinge in its frame, as [1, 0, 0]";
    default: return "add how far a turn takes the body along the axis, in m/rad";
    }
}

static rct_status fail_type(rct_json_reader *reader, const char *text)
{
    char known[160] = "";
    for (int i = 0; i < RCT_HINGE_TYPES; i++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s\"%s\"", i > 0 ? ", " : "",
                 rct_hinge_name((rct_hinge_type)i));
    }
    rct_json_enter_key(reader, "type");
    rct_json_fail(reader, "hinge type \"%.64s\" is unknown; this version knows %s", text, known);
    rct_json_leave(reader);
    return RCT_ERROR_MODEL;
}

static rct_status read_type(rct_json_reader *reader, const json_t *hinge, rct_hinge_type *type)
{
    const char *text = NULL;
    if (!json_is_object(hinge)) {
        return rct_json_fail(reader, "\"hinge\" is %s; it must be an object { ... }",
                             rct_json_type(hinge));
    }
    if (rct_json_required(reader, hinge, "type", "add \"type\": \"ball\" or another one") == NULL ||
        rct_json_string(reader, hinge, "type", &text) != RCT_OK) {
        return RCT_ERROR_MODEL;
    }
    for (int i = 0; i < RCT_HINGE_TYPES; i++) {
        if (strcmp(text, rct_hinge_name((rct_hinge_type)i)) == 0) {
            *type = (rct_hinge_type)i;
            return RCT_OK;
        }
    }
    return fail_type(reader, text);
}

/* All keys of the hinge are of use to its type, and none that it needs is missing. */
static rct_status check_keys(rct_json_reader *reader, const json_t *hinge, rct_hinge_type type)
{
    rct_status status = RCT_OK;
    key_list keys;
    if (rct_hinge_uses(type, RCT_KEY_FRAME) == 0 && json_object_get(hinge, "orientation") != NULL) {
        rct_json_enter_key(reader, "orientation");
        status = rct_json_fail(reader,
                               "a %s hinge has no orientation of its own; give the body's as "
                               "\"initial\": { \"orientation\": [w, x, y, z] }",
                               rct_hinge_name(type));
        rct_json_leave(reader);
        return status;
    }
    char what[32];
    snprintf(what, sizeof what, "a %s hinge", rct_hinge_name(type));
    list_keys(keys, type, "hinge", "type");
    status = rct_json_object(reader, hinge, what, keys);
    for (int key = 0; key < RCT_HINGE_KEYS && status == RCT_OK; key++) {
        if ((rct_hinges[type].required >> key & 1) != 0 &&
            rct_json_required(reader, hinge, rct_hinge_keys[key].name, advice_on(key)) == NULL) {
            status = RCT_ERROR_MODEL;
        }
    }
    return status;
}

rct_status rct_json_hinge(rct_json_reader *reader, const json_t *object, rct_body *body)
{
    const json_t *hinge = rct_json_required(
        reader, object, "hinge", "add \"hinge\": { \"type\": \"ball\", \"at\": [x, y, z] }");
    if (hinge == NULL) {
        return RCT_ERROR_MODEL;
    }
    rct_json_enter_key(reader, "hinge");
    rct_status status = read_type(reader, hinge, &body->hinge);
    if (status == RCT_OK) {
        status = check_keys(reader, hinge, body->hinge);
    }
    if (status == RCT_OK) {
        status = read_numbers(reader, hinge, "hinge", body);
    }
    rct_json_leave(reader);
    return status;
}

static rct_status read_state(rct_json_reader *reader, const json_t *initial, rct_body *body)
{
    key_list keys;
    char what[48];
    snprintf(what, sizeof what, "\"initial\" of a %s hinge", rct_hinge_name(body->hinge));
    list_keys(keys, body->hinge, "initial", NULL);
    rct_status status = rct_json_object(reader, initial, what, keys);
    return status == RCT_OK ? read_numbers(reader, initial, "initial", body) : status;
}

rct_status rct_json_initial(rct_json_reader *reader, const json_t *object, rct_body *body)
{
    const json_t *initial = json_object_get(object, "initial");
    if (initial == NULL) {
        return RCT_OK;
    }
    rct_json_enter_key(reader, "initial");
    const rct_status status =
        rct_hinge_freedoms(body->hinge) == 0
            ? rct_json_fail(reader,
                            "a %s hinge has no \"initial\" state; place the body by "
                            "the hinge's \"orientation\"",
                            rct_hinge_name(body->hinge))
            : read_state(reader, initial, body);
    rct_json_leave(reader);
    return status;
}
