/* The forces of a model file: elements of "forces" -> rct_force. Checks keys, types and names of bodies; what
 * the numbers must meet is checked when the force is added to the model. */
#include "model/json/read.h"

#include <riccatree/force.h>

#include <stddef.h>
#include <string.h>

static const char *type_name(int type)
{
    return type == RCT_FORCE_WRENCH ? "wrench" : "spring";
}

static const rct_json_types types = {.what = "a force",
                                     .before = "",
                                     .after = " of a force",
                                     .advice = "add \"wrench\" or \"spring\"",
                                     .name = type_name,
                                     .count = 2};

static void read_force(rct_json_reader *reader, const rct_json *value)
{
    const char *axes = "inertial";
    rct_force force = rct_force_default();
    force.type = (rct_force_type)rct_json_type_in(reader, value, &types);
    const int uses = 1 << force.type;
    rct_json_check_keys(reader, value, force.type == RCT_FORCE_WRENCH ? "a wrench" : "a spring",
                        &rct_force_keys, uses);
    rct_json_read_keys(reader, value, &rct_force_keys, uses, &force);
    rct_json_text(reader, value, "axes", &axes);
    force.in_body_axes = strcmp(axes, "body") == 0;
    if (!force.in_body_axes && strcmp(axes, "inertial") != 0) {
        rct_json_fail(reader, "axes", "\"axes\" is \"%.64s\"; give \"body\" or \"inertial\"", axes);
    }
    if (reader->status == RCT_OK) {
        rct_json_heard(reader, rct_model_add_force(reader->model, &force, NULL, reader->error));
    }
}

void rct_json_forces(rct_json_reader *reader)
{
    rct_json_each(reader, "forces", "force", read_force);
}
