/* One body of a model file: JSON object -> rct_body. Checks keys and types; what the numbers must
 * meet is checked when the body is added to the model. */
#include "model/json_body.h"

#include <stddef.h>
#include <string.h>

static const char *const body_keys[] = {"name", "parent",  "hinge",   "mass",
                                        "com",  "inertia", "initial", NULL};
static const char *const hinge_keys[] = {"type", "at", "orientation", NULL};
static const char *const initial_keys[] = {"orientation", "angular_velocity", NULL};

static rct_status read_hinge_type(rct_json_reader *reader, const json_t *hinge,
                                  rct_hinge_type *type)
{
    const char *text = NULL;
    if (rct_json_required(reader, hinge, "type", "add \"type\": \"ball\" or \"fixed\"") == NULL ||
        rct_json_string(reader, hinge, "type", &text) != RCT_OK) {
        return RCT_ERROR_MODEL;
    }
    rct_status status = RCT_OK;
    if (strcmp(text, "ball") == 0) {
        *type = RCT_HINGE_BALL;
    } else if (strcmp(text, "fixed") == 0) {
        *type = RCT_HINGE_FIXED;
    } else {
        rct_json_enter_key(reader, "type");
        status = rct_json_fail(
            reader, "hinge type \"%.64s\" is unknown; this version knows \"ball\" and \"fixed\"",
            text);
        rct_json_leave(reader);
    }
    return status;
}

static rct_status read_hinge_members(rct_json_reader *reader, const json_t *hinge, rct_body *body)
{
    rct_status status = rct_json_object(reader, hinge, "\"hinge\"", hinge_keys);
    if (status == RCT_OK) {
        status = read_hinge_type(reader, hinge, &body->hinge);
    }
    if (status == RCT_OK) {
        status = rct_json_vector(reader, hinge, "at", body->hinge_at, 3);
    }
    if (status == RCT_OK && body->hinge == RCT_HINGE_BALL &&
        json_object_get(hinge, "orientation") != NULL) {
        rct_json_enter_key(reader, "orientation");
        status = rct_json_fail(reader, "a ball hinge has no orientation of its own; give the "
                                       "body's as \"initial\": { \"orientation\": [w, x, y, z] }");
        rct_json_leave(reader);
    }
    if (status == RCT_OK) {
        status = rct_json_vector(reader, hinge, "orientation", body->hinge_orientation, 4);
    }
    return status;
}

static rct_status read_hinge(rct_json_reader *reader, const json_t *object, rct_body *body)
{
    const json_t *hinge = rct_json_required(
        reader, object, "hinge", "add \"hinge\": { \"type\": \"ball\", \"at\": [x, y, z] }");
    if (hinge == NULL) {
        return RCT_ERROR_MODEL;
    }
    rct_json_enter_key(reader, "hinge");
    const rct_status status = read_hinge_members(reader, hinge, body);
    rct_json_leave(reader);
    return status;
}

static rct_status read_initial(rct_json_reader *reader, const json_t *object, rct_body *body)
{
    const json_t *initial = json_object_get(object, "initial");
    rct_status status = RCT_OK;
    rct_json_enter_key(reader, "initial");
    if (initial != NULL && body->hinge == RCT_HINGE_FIXED) {
        status = rct_json_fail(reader, "a fixed hinge has no \"initial\" state; place the body by "
                                       "the hinge's \"orientation\"");
    } else if (initial != NULL) {
        status = rct_json_object(reader, initial, "\"initial\"", initial_keys);
    }
    if (status == RCT_OK) {
        status = rct_json_vector(reader, initial, "orientation", body->orientation, 4);
    }
    if (status == RCT_OK) {
        status = rct_json_vector(reader, initial, "angular_velocity", body->angular_velocity, 3);
    }
    rct_json_leave(reader);
    return status;
}

/* Mass, centre of mass, inertia. */
static rct_status read_matter(rct_json_reader *reader, const json_t *object, rct_body *body)
{
    if (rct_json_required(reader, object, "mass", "add it in kg") == NULL ||
        rct_json_required(reader, object, "inertia",
                          "add xx yy zz xy xz yz about the centre of mass, in kg m^2") == NULL) {
        return RCT_ERROR_MODEL;
    }
    rct_status status = rct_json_number(reader, object, "mass", &body->mass);
    if (status == RCT_OK) {
        status = rct_json_vector(reader, object, "com", body->com, 3);
    }
    if (status == RCT_OK) {
        status = rct_json_vector(reader, object, "inertia", body->inertia, 6);
    }
    return status;
}

rct_status rct_json_body(rct_json_reader *reader, const json_t *value, rct_body *body,
                         const char **parent)
{
    *body = rct_body_default();
    rct_status status = rct_json_object(reader, value, "a body", body_keys);
    if (status == RCT_OK) {
        status = rct_json_string(reader, value, "name", &body->name);
    }
    if (status == RCT_OK &&
        rct_json_required(reader, value, "parent",
                          "add \"ground\", \"previous\" or the name of a body") == NULL) {
        status = RCT_ERROR_MODEL;
    }
    if (status == RCT_OK) {
        status = rct_json_string(reader, value, "parent", parent);
    }
    if (status == RCT_OK) {
        status = read_hinge(reader, value, body);
    }
    if (status == RCT_OK) {
        status = read_matter(reader, value, body);
    }
    if (status == RCT_OK) {
        status = read_initial(reader, value, body);
    }
    return status;
}
