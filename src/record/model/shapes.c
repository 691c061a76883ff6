/* The group /model/shapes: the shapes of bodies, one dataset for each field, row i for shape i.
 * It exists only if a body has a shape. */
#include "core/memory.h"
#include "model/model.h"
#include "record/model/model.h"

#include <stddef.h>

static const rct_field fields[] = {
    {"at", 3, offsetof(rct_shape, at), "m", "body axes",
     "centre of the shape, from the hinge point of the body"},
    {"orientation", 4, offsetof(rct_shape, orientation), "1", "shape to body axes", "quaternion"},
    {"radius", 1, offsetof(rct_shape, radius), "m", "none", "capsule, sphere, cylinder: radius"},
    {"length", 1, offsetof(rct_shape, length), "m", "none",
     "cylinder, and of a capsule that between its half balls: length along z"},
    {"size", 3, offsetof(rct_shape, size), "m", "axes of the shape", "box: edges along x, y, z"},
};

enum {
    FIELDS = sizeof fields / sizeof fields[0],
    WIDEST = 4,
    INTEGERS = sizeof(int32_t) + sizeof(int8_t) /* bytes of the others */
};

/* ---- writing ------------------------------------------------------------------------------ */

static void write_types(rct_call *call, hid_t group, const rct_model *model, int8_t *column)
{
    hid_t type = rct_h5_enum_type(call);
    for (int k = 0; k < RCT_SHAPE_TYPES; k++) {
        rct_h5_put_member(call, type, rct_shape_type_name((rct_shape_type)k), (int8_t)k);
    }
    for (int32_t i = 0; i < model->shape_count; i++) {
        column[i] = (int8_t)model->shapes[i].type;
    }
    rct_put_column(call, group, type, "type", model->shape_count, "type of the shape", column);
    rct_h5_close(call, &type);
}

static void write_bodies(rct_call *call, hid_t group, const rct_model *model, int32_t *column)
{
    for (int32_t i = 0; i < model->shape_count; i++) {
        column[i] = model->shapes[i].body;
    }
    rct_put_column(call, group, H5T_NATIVE_INT32, "body", model->shape_count, "row of the body",
                   column);
}

void rct_record_shapes(rct_call *call, hid_t parent, const rct_model *model)
{
    if (model->shape_count == 0) {
        return;
    }
    double *column = rct_call_allocate(call, WIDEST * (int64_t)model->shape_count, sizeof *column,
                                       "the shapes of a recording");
    if (column == NULL) {
        return;
    }
    hid_t group = rct_h5_create_group(call, parent, "shapes");
    write_types(call, group, model, (int8_t *)column);
    write_bodies(call, group, model, (int32_t *)column);
    for (int k = 0; k < FIELDS; k++) {
        for (int32_t i = 0; i < model->shape_count; i++) {
            rct_take_field(column, i, &fields[k], &model->shapes[i]);
        }
        rct_put_field(call, group, &fields[k], model->shape_count, column);
    }
    rct_h5_close(call, &group);
    rct_release(column);
}

int64_t rct_shape_group_bytes(const rct_model *model)
{
    const int64_t one = INTEGERS + rct_fields_bytes(fields, FIELDS);
    return model->shape_count > 0
               ? model->shape_count * one + (FIELDS + 3) * (int64_t)RCT_DATASET_BYTES
               : 0;
}

/* ---- reading ------------------------------------------------------------------------------ */

static int64_t count_shapes(rct_call *call, hid_t group)
{
    static const char *const needed[] = {"type", "body", NULL};
    int64_t extent[RCT_H5_RANK] = {0};
    rct_check_names(call, group, "/model/shapes", fields, FIELDS, needed);
    rct_check_columns(call, group, "/model/shapes", needed);
    rct_h5_extent_of(call, group, "body", extent);
    return call->status == RCT_OK && extent[0] < INT32_MAX ? extent[0] : 0;
}

void rct_recall_shapes(rct_call *call, hid_t parent, rct_model *model)
{
    if (!rct_h5_has(call, parent, "shapes")) {
        return;
    }
    hid_t group = rct_h5_open_group(call, parent, "shapes");
    const int64_t n = count_shapes(call, group);
    const rct_part part = {.group = group, .rows = n, .count = n};
    rct_shape *shapes = rct_call_allocate(call, n, sizeof *shapes, "reading shapes");
    for (int64_t i = 0; i < n && call->status == RCT_OK; i++) {
        shapes[i] = rct_shape_default();
    }
    rct_get_whole(call, &part, "type", offsetof(rct_shape, type), shapes, sizeof *shapes);
    rct_get_whole(call, &part, "body", offsetof(rct_shape, body), shapes, sizeof *shapes);
    for (int k = 0; k < FIELDS && call->status == RCT_OK; k++) {
        rct_get_field(call, &part, &fields[k], shapes, sizeof *shapes);
    }
    for (int64_t i = 0; i < n && call->status == RCT_OK; i++) {
        rct_error why;
        rct_recall_status(call, rct_model_add_shape(model, &shapes[i], NULL, &why), &why);
    }
    rct_release(shapes);
    rct_h5_close(call, &group);
}
