/* One body of a model file: JSON object -> rct_body. Checks keys and types; what the numbers must
 * meet is checked when the body is added to the model. */
#include "model/json/body.h"

#include "model/hinge_types.h"
#include "model/json/hinge.h"

#include <stddef.h>
#include <string.h>

static const char *const body_keys[] = {"name", "parent",  "hinge",   "mass",
                                        "com",  "inertia", "initial", NULL};

/* The parent is found by name later, past the check of the body itself. */
static rct_status check_free(rct_json_reader *reader, const rct_body *body, const char *parent)
{
    rct_status status = RCT_OK;
    if (rct_hinge_uses(body->hinge, RCT_KEY_AT) == 0 && strcmp(parent, "ground") != 0) {
        rct_json_enter_key(reader, "parent");
        status = rct_json_fail(reader, "a free body hangs on nothing; its parent must be "
                                       "\"ground\"");
        rct_json_leave(reader);
    }
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
        status = rct_json_hinge(reader, value, body);
    }
    if (status == RCT_OK) {
        status = check_free(reader, body, *parent);
    }
    if (status == RCT_OK) {
        status = read_matter(reader, value, body);
    }
    if (status == RCT_OK) {
        status = rct_json_initial(reader, value, body);
    }
    return status;
}
