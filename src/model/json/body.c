/* One body of a model file: JSON object -> rct_body. Keys and types are checked here, the
 * numbers when the body is added to the model. */
#include "model/json/read.h"

#include "model/hinge_types.h"

#include <stddef.h>
#include <string.h>

static const char *const body_keys[] = {"name",    "parent",  "hinge",  "mass", "com",
                                        "inertia", "initial", "shapes", NULL};

void rct_json_body(rct_json_reader *reader, const rct_json *value, rct_body *body,
                   const char **parent)
{
    *body = rct_body_default();
    rct_json_object(reader, value, "a body", body_keys);
    rct_json_text(reader, value, "name", &body->name);
    rct_json_required(reader, value, "parent",
                      "add \"ground\", \"previous\" or the name of a body");
    rct_json_text(reader, value, "parent", parent);
    rct_json_hinge(reader, value, body);
    /* the parent is found by name later, after the check of the body itself */
    if (reader->status == RCT_OK && rct_hinge_uses(body->hinge, RCT_KEY_AT) == 0 &&
        strcmp(*parent, "ground") != 0) {
        rct_json_fail(reader, "parent",
                      "a free body does not hang on another; its parent must be \"ground\"");
    }
    rct_json_required(reader, value, "mass", "add it in kg");
    rct_json_required(reader, value, "inertia",
                      "add xx yy zz xy xz yz about the centre of mass, in kg m^2");
    rct_json_one(reader, value, "mass", &body->mass);
    rct_json_vector(reader, value, "com", body->com, 3);
    rct_json_vector(reader, value, "inertia", body->inertia, 6);
    rct_json_initial(reader, value, body);
}
