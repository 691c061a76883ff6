/* The forces of a model file: elements of "forces" -> rct_force. Checks keys, types and names of bodies; what
 * the numbers must meet is checked when the force is added to the model. */
#include "model/json/forces.h"

#include <riccatree/force.h>

#include <stddef.h>
#include <string.h>

static const char *const types[] = {"wrench", "spring"};
static const char *const keys[2][9] = {
    [RCT_FORCE_WRENCH] = {"type", "body", "at", "force", "moment", "axes", NULL},
    [RCT_FORCE_SPRING] = {"type", "body", "at", "other", "other_at", "stiffness", "damping",
                          "length", NULL},
};
static const char *const whats[] = {"a wrench", "a spring"};

static rct_status read_type(rct_json_reader *reader, const json_t *value, rct_force_type *type)
{
    const char *text = NULL;
    if (!json_is_object(value)) {
        return rct_json_fail(reader, "a force is %s; it must be an object { ... }",
                             rct_json_type(value));
    }
    if (rct_json_required(reader, value, "type", "add \"wrench\" or \"spring\"") == NULL ||
        rct_json_string(reader, value, "type", &text) != RCT_OK) {
        return RCT_ERROR_MODEL;
    }
    for (int i = 0; i < 2; i++) {
        if (strcmp(text, types[i]) == 0) {
            *type = (rct_force_type)i;
            return RCT_OK;
        }
    }
    rct_json_enter_key(reader, "type");
    rct_json_fail(reader,
                  "type \"%.64s\" of a force is unknown; this version knows \"wrench\" and "
                  "\"spring\"",
                  text);
    rct_json_leave(reader);
    return RCT_ERROR_MODEL;
}

static rct_status read_wrench(rct_json_reader *reader, const json_t *value, rct_force *force)
{
    const char *axes = "inertial";
    rct_status status = rct_json_vector(reader, value, "force", force->force, 3);
    if (status == RCT_OK) {
        status = rct_json_vector(reader, value, "moment", force->moment, 3);
    }
    if (status == RCT_OK) {
        status = rct_json_string(reader, value, "axes", &axes);
    }
    force->in_body_axes = strcmp(axes, "body") == 0;
    if (status == RCT_OK && !force->in_body_axes && strcmp(axes, "inertial") != 0) {
        rct_json_enter_key(reader, "axes");
        status =
            rct_json_fail(reader, "\"axes\" is \"%.64s\"; give \"body\" or \"inertial\"", axes);
        rct_json_leave(reader);
    }
    return status;
}

static rct_status read_spring(rct_json_reader *reader, const json_t *value, rct_force *force)
{
    rct_status status = rct_json_end(reader, value, "other", &force->other);
    if (status == RCT_OK) {
        status = rct_json_vector(reader, value, "other_at", force->other_at, 3);
    }
    if (status == RCT_OK) {
        status = rct_json_number(reader, value, "stiffness", &force->stiffness);
    }
    if (status == RCT_OK) {
        status = rct_json_number(reader, value, "damping", &force->damping);
    }
    if (status == RCT_OK) {
        status = rct_json_number(reader, value, "length", &force->length);
    }
    return status;
}

static rct_status read_force(rct_json_reader *reader, const json_t *value, rct_force *force)
{
    *force = rct_force_default();
    rct_status status = read_type(reader, value, &force->type);
    if (status == RCT_OK) {
        status = rct_json_object(reader, value, whats[force->type], keys[force->type]);
    }
    if (status == RCT_OK) {
        status = rct_json_end(reader, value, "body", &force->body);
    }
    if (status == RCT_OK) {
        status = rct_json_vector(reader, value, "at", force->at, 3);
    }
    if (status == RCT_OK) {
        status = force->type == RCT_FORCE_WRENCH ? read_wrench(reader, value, force)
                                                 : read_spring(reader, value, force);
    }
    return status;
}

static rct_status add_forces(rct_json_reader *reader, const json_t *forces)
{
    rct_status status = RCT_OK;
    for (size_t i = 0; i < json_array_size(forces) && status == RCT_OK; i++) {
        rct_force force;
        rct_json_enter_index(reader, (int64_t)i);
        reader->force = rct_model_force_count(reader->model);
        status = read_force(reader, json_array_get(forces, i), &force);
        if (status == RCT_OK) {
            status = rct_model_add_force(reader->model, &force, NULL, reader->error);
            rct_json_locate(reader, status);
        }
        rct_json_leave(reader);
    }
    reader->force = -1;
    return status;
}

rct_status rct_json_forces(rct_json_reader *reader, const json_t *root)
{
    const json_t *forces = json_object_get(root, "forces");
    if (forces == NULL) {
        return RCT_OK;
    }
    rct_json_enter_key(reader, "forces");
    const rct_status status =
        json_is_array(forces)
            ? add_forces(reader, forces)
            : rct_json_fail(reader, "\"forces\" is %s; it must be an array of forces",
                            rct_json_type(forces));
    rct_json_leave(reader);
    return status;
}
