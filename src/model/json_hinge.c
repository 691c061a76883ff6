/* The hinge of a body in a model file: JSON object -> hinge fields of rct_body. A key that the type of hinge
 * has no use for is refused here, where its line is known. */
#include "model/json_hinge.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define PLACE  "type", "at", "orientation"
#define FORCES "stiffness", "rest", "damping", "applied"

/* The keys of every type: of the hinge, those of them that must be there, and of the initial state. */
static const struct {
    const char *keys[11], *required[4], *initial[5];
} forms[RCT_HINGE_TYPES] = {
    [RCT_HINGE_FIXED] = {{PLACE}, {NULL}, {NULL}},
    [RCT_HINGE_BALL] = {{"type", "at", "damping"}, {NULL}, {"orientation", "angular_velocity"}},
    [RCT_HINGE_REVOLUTE] = {{PLACE, "axis", FORCES}, {"axis"}, {"position", "rate"}},
    [RCT_HINGE_PRISMATIC] = {{PLACE, "axis", FORCES}, {"axis"}, {"position", "rate"}},
    [RCT_HINGE_UNIVERSAL] = {{PLACE, "axis", "axis2", FORCES},
                             {"axis", "axis2"},
                             {"position", "rate"}},
    [RCT_HINGE_CYLINDRICAL] = {{PLACE, "axis", FORCES}, {"axis"}, {"position", "rate"}},
    [RCT_HINGE_PLANAR] = {{PLACE, "axis", "axis2", FORCES}, {"axis"}, {"position", "rate"}},
    [RCT_HINGE_HELICAL] = {{PLACE, "axis", "pitch", FORCES},
                           {"axis", "pitch"},
                           {"position", "rate"}},
    [RCT_HINGE_FREE] = {{"type"},
                        {NULL},
                        {"position", "velocity", "orientation", "angular_velocity"}},
};

static const char *advice_on(const char *key)
{
    if (strcmp(key, "axis") == 0) {
        return "add the direction of the hinge in its frame, as [0, 0, 1]";
    }
    if (strcmp(key, "axis2") == 0) {
        return "add the second direction of the hinge in its frame, as [1, 0, 0]";
    }
    return "add how far a turn takes the body along the axis, in m/rad";
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

static int is_absolute(rct_hinge_type type)
{
    return type == RCT_HINGE_BALL || type == RCT_HINGE_FREE;
}

/* All keys of the hinge are of use to its type, and none that it needs is missing. */
static rct_status check_keys(rct_json_reader *reader, const json_t *hinge, rct_hinge_type type)
{
    rct_status status = RCT_OK;
    if (is_absolute(type) && json_object_get(hinge, "orientation") != NULL) {
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
    status = rct_json_object(reader, hinge, what, forms[type].keys);
    for (int i = 0; status == RCT_OK && forms[type].required[i] != NULL; i++) {
        const char *key = forms[type].required[i];
        if (rct_json_required(reader, hinge, key, advice_on(key)) == NULL) {
            status = RCT_ERROR_MODEL;
        }
    }
    return status;
}

/* Keys that its type has no use for are not there. */
static rct_status read_numbers(rct_json_reader *reader, const json_t *hinge, rct_body *body)
{
    const int freedoms = body->hinge == RCT_HINGE_BALL ? 1 : rct_hinge_freedoms(body->hinge);
    const struct {
        const char *key;
        double *out;
        int count;
    } fields[] = {
        {"orientation", body->hinge_orientation, 4},
        {"at", body->hinge_at, 3},
        {"axis", body->hinge_axis, 3},
        {"axis2", body->hinge_axis2, 3},
        {"pitch", &body->hinge_pitch, 1},
        {"stiffness", body->stiffness, freedoms},
        {"rest", body->rest, freedoms},
        {"damping", body->damping, freedoms},
        {"applied", body->applied, freedoms},
    };
    rct_status status = RCT_OK;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && status == RCT_OK; i++) {
        status = rct_json_numbers(reader, hinge, fields[i].key, fields[i].out, fields[i].count);
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
        status = read_numbers(reader, hinge, body);
    }
    rct_json_leave(reader);
    return status;
}

static rct_status read_state(rct_json_reader *reader, const json_t *initial, rct_body *body)
{
    const int is_free = body->hinge == RCT_HINGE_FREE;
    const int states = is_free ? 3 : rct_hinge_freedoms(body->hinge);
    char what[48];
    snprintf(what, sizeof what, "\"initial\" of a %s hinge", rct_hinge_name(body->hinge));
    rct_status status = rct_json_object(reader, initial, what, forms[body->hinge].initial);
    if (status == RCT_OK) {
        status = rct_json_vector(reader, initial, "orientation", body->orientation, 4);
    }
    if (status == RCT_OK) {
        status = rct_json_vector(reader, initial, "angular_velocity", body->angular_velocity, 3);
    }
    if (status == RCT_OK) {
        status = rct_json_numbers(reader, initial, "position", body->position, states);
    }
    if (status == RCT_OK) {
        status =
            rct_json_numbers(reader, initial, is_free ? "velocity" : "rate", body->rate, states);
    }
    return status;
}

rct_status rct_json_initial(rct_json_reader *reader, const json_t *object, rct_body *body)
{
    const json_t *initial = json_object_get(object, "initial");
    if (initial == NULL) {
        return RCT_OK;
    }
    rct_json_enter_key(reader, "initial");
    const rct_status status =
        body->hinge == RCT_HINGE_FIXED
            ? rct_json_fail(reader, "a fixed hinge has no \"initial\" state; place the body by "
                                    "the hinge's \"orientation\"")
            : read_state(reader, initial, body);
    rct_json_leave(reader);
    return status;
}
