/* Shapes of bodies: one array sorted by body, so that a model without shapes holds none, and a
 * body finds its shapes by halving. */
#include "model/shape.h"

#include "core/error.h"
#include "core/sized.h"
#include "model/unit.h"

#include <inttypes.h>
#include <string.h>

enum {
    CAPSULE = 1 << RCT_SHAPE_CAPSULE,
    BOX = 1 << RCT_SHAPE_BOX,
    SPHERE = 1 << RCT_SHAPE_SPHERE,
    CYLINDER = 1 << RCT_SHAPE_CYLINDER,
    ALL = CAPSULE | BOX | SPHERE | CYLINDER
};

static const rct_key keys[] = {
    {"type", 0, ALL, RCT_HOLDS_OTHER, NULL},
    {"at", offsetof(rct_shape, at), ALL, 3, NULL},
    {"orientation", offsetof(rct_shape, orientation), ALL, 4, NULL},
    {"radius", offsetof(rct_shape, radius), ALL & ~BOX, 1, "add it in m"},
    {"length", offsetof(rct_shape, length), CAPSULE | CYLINDER, 1, "add it in m"},
    {"size", offsetof(rct_shape, size), BOX, 3, "add its edges along x, y, z in m"},
};

const rct_keys rct_shape_keys = {keys, sizeof keys / sizeof keys[0]};

static const rct_shape plain = {.type = RCT_SHAPE_CAPSULE, .orientation = {1.0, 0.0, 0.0, 0.0}};

void rct_shape_init(rct_out out)
{
    rct_give(out, &plain, rct_whole(sizeof plain));
}

const char *rct_shape_type_name(rct_shape_type type)
{
    static const char *const names[RCT_SHAPE_TYPES] = {"capsule", "box", "sphere", "cylinder"};
    return (int)type >= 0 && (int)type < RCT_SHAPE_TYPES ? names[type] : NULL;
}

/* Whether the sizes that the type uses are all positive. */
static int has_extent(const rct_shape *shape)
{
    const int uses = 1 << shape->type;
    int good = 1;
    for (int i = 0; i < rct_shape_keys.count; i++) {
        const rct_key *k = &keys[i];
        const double *numbers = rct_key_of(k, shape);
        for (int j = 0; k->advice != NULL && (k->uses & uses) && j < k->count; j++) {
            good = good && numbers[j] > 0.0;
        }
    }
    return good;
}

/* What is wrong with a shape alone, or NULL; its quaternion becomes a unit. */
static const char *trouble_of(rct_shape *shape)
{
    if (rct_shape_type_name(shape->type) == NULL) {
        return "unknown type; this version knows capsule, box, sphere and cylinder";
    }
    if (!rct_keys_finite(&rct_shape_keys, shape)) {
        return "a number is not finite";
    }
    if (!has_extent(shape)) {
        return "radius, length and edges must be positive";
    }
    if (rct_keys_unused(&rct_shape_keys, 1 << shape->type, shape, &plain)) {
        return shape->type == RCT_SHAPE_BOX ? "a box has no radius or length; give its size"
               : shape->type == RCT_SHAPE_SPHERE
                   ? "a sphere has only a radius"
                   : "a capsule or cylinder has no size; give its radius and length";
    }
    return rct_make_unit(shape->orientation, 4)
               ? NULL
               : "its orientation is a quaternion of length zero; give four numbers w x y z";
}

/* The number of the first shape whose body is `body` or later. */
static int32_t first_of(const rct_model *model, int32_t body)
{
    int32_t first = 0, last = model->shape_count;
    while (first < last) {
        const int32_t half = first + (last - first) / 2;
        if (model->shapes[half].body < body) {
            first = half + 1;
        } else {
            last = half;
        }
    }
    return first;
}

static rct_status insert(rct_model *model, const rct_shape *shape, int32_t *index, rct_error *error)
{
    const rct_status status = rct_model_room(
        &model->shapes, model->shape_count, &model->shape_capacity, sizeof *shape, "shapes", error);
    if (status != RCT_OK) {
        return status;
    }
    const int32_t at = first_of(model, shape->body + 1);
    rct_shape *place = model->shapes + at;
    memmove(place + 1, place, (size_t)(model->shape_count - at) * sizeof *place);
    *place = *shape;
    model->shape_count++;
    if (index != NULL) {
        *index = at;
    }
    return RCT_OK;
}

rct_status rct_model_add_shape_sized(rct_model *model, rct_in in, int32_t *index, rct_error *error)
{
    rct_shape own = plain;
    if (!rct_given(model, "model", error) ||
        !rct_take(&own, rct_whole(sizeof own), in, "shape", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (own.body < 0 || own.body >= model->count) {
        return rct_fail(error, RCT_ERROR_MODEL,
                        "a shape belongs to body %" PRId32
                        ", which does not exist; the model has %" PRId32 " bodies",
                        own.body, model->count);
    }
    const char *trouble = trouble_of(&own);
    if (trouble != NULL) {
        return rct_model_fail_body(model, own.body, error, RCT_ERROR_MODEL,
                                   ": shape %" PRId32 ": %s",
                                   rct_model_body_shapes(model, own.body, NULL), trouble);
    }
    rct_keys_clear(&rct_shape_keys, 1 << own.type, &own, &plain);
    return insert(model, &own, index, error);
}

int32_t rct_model_shape_count(const rct_model *model)
{
    return model != NULL ? model->shape_count : 0;
}

int32_t rct_model_body_shapes(const rct_model *model, int32_t body, int32_t *first)
{
    const int known = model != NULL && body >= 0 && body < model->count;
    const int32_t from = known ? first_of(model, body) : 0;
    if (first != NULL) {
        *first = from;
    }
    return known ? first_of(model, body + 1) - from : 0;
}

rct_status rct_model_shape_sized(const rct_model *model, int32_t index, rct_out shape,
                                 rct_error *error)
{
    if (!rct_given(model, "model", error) || !rct_given(shape.at, "shape", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (index < 0 || index >= model->shape_count) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "shape %" PRId32 " does not exist; the model has %" PRId32 " shapes", index,
                        model->shape_count);
    }
    rct_give(shape, &model->shapes[index], rct_whole(sizeof(rct_shape)));
    return RCT_OK;
}

int rct_model_shapes_alike(const rct_model *model, int32_t body, int32_t other)
{
    int32_t a = 0, b = 0;
    const int32_t count = rct_model_body_shapes(model, body, &a);
    int alike = count == rct_model_body_shapes(model, other, &b);
    for (int32_t k = 0; k < count && alike; k++) {
        rct_shape moved = model->shapes[b + k];
        moved.body = body;
        alike = memcmp(&moved, &model->shapes[a + k], sizeof moved) == 0;
    }
    return alike;
}

rct_status rct_model_copy_shapes(rct_model *model, const rct_model *from, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < from->shape_count && status == RCT_OK; i++) {
        status = insert(model, &from->shapes[i], NULL, error);
    }
    return status;
}
