/* The shapes of a body in a model file: member "shapes", an array of objects -> rct_shape. Keys
 * and types are checked here, the numbers when the shape is added to the model. */
#include "model/json/read.h"

#include "model/shape.h"

#include <stdio.h>

static const char *type_name(int type)
{
    return rct_shape_type_name((rct_shape_type)type);
}

static const rct_json_types types = {.what = "a shape",
                                     .before = "",
                                     .after = " of a shape",
                                     .advice = "add \"capsule\", \"box\", \"sphere\" or "
                                               "\"cylinder\"",
                                     .name = type_name,
                                     .count = RCT_SHAPE_TYPES};

static void read_shape(rct_json_reader *reader, const rct_json *value, int32_t body)
{
    rct_shape shape = rct_shape_default();
    char what[32];
    shape.body = body;
    shape.type = (rct_shape_type)rct_json_type_in(reader, value, &types);
    snprintf(what, sizeof what, "a %s", rct_shape_type_name(shape.type));
    rct_json_check_keys(reader, value, what, &rct_shape_keys, 1 << shape.type);
    rct_json_read_keys(reader, value, &rct_shape_keys, 1 << shape.type, &shape);
    if (reader->status == RCT_OK) {
        rct_json_heard(reader, rct_model_add_shape(reader->model, &shape, NULL, reader->error));
    }
}

void rct_json_shapes(rct_json_reader *reader, const rct_json *object, int32_t body)
{
    const rct_json *array = rct_json_member(object, "shapes");
    if (array != NULL && array->type != RCT_JSON_ARRAY) {
        rct_json_fail(reader, "shapes", "\"shapes\" is %s; it must be an array of shapes",
                      rct_json_type_name(array));
    }
    const rct_json *shape = array != NULL ? rct_json_first(array) : NULL;
    for (int64_t i = 0; i < rct_json_count(array) && reader->status == RCT_OK; i++) {
        const rct_json *outer = rct_json_enter(reader, shape);
        read_shape(reader, shape, body);
        rct_json_enter(reader, outer);
        shape = rct_json_next(shape);
    }
}
