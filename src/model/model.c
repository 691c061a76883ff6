/* Building a model body by body. A body alone is checked when it is added (body_check.c), the
 * whole model in check.c. */
#include "model/model.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "model/body_check.h"
#include "model/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

const rct_body rct_plain_body = {
    .parent = RCT_GROUND,
    .hinge = RCT_HINGE_BALL,
    .hinge_orientation = {1.0, 0.0, 0.0, 0.0},
    .hinge_axis = {0.0, 0.0, 1.0},
    .hinge_axis2 = {1.0, 0.0, 0.0},
    .orientation = {1.0, 0.0, 0.0, 0.0},
};

void rct_body_init(rct_out out)
{
    rct_give(out, &rct_plain_body, rct_whole(sizeof rct_plain_body));
}

rct_model *rct_model_create(const char *name, rct_error *error)
{
    const char *trouble = name != NULL ? rct_name_trouble(name) : NULL;
    if (trouble != NULL) {
        rct_fail(error, RCT_ERROR_ARGUMENT, "the model's name %s", trouble);
        return NULL;
    }
    rct_model *model = rct_allocate(1, sizeof *model, "a model", error);
    if (model == NULL) {
        return NULL;
    }
    model->gravity[2] = -9.81;
    model->base = rct_base_default();
    snprintf(model->name, sizeof model->name, "%s", name != NULL ? name : "");
    model->names = rct_names_create(error);
    model->loop_names = rct_names_create(error);
    model->event_names = rct_names_create(error);
    model->bodies = rct_bodies_create(error);
    if (model->names == NULL || model->bodies == NULL || model->loop_names == NULL ||
        model->event_names == NULL) {
        rct_model_free(model);
        return NULL;
    }
    return model;
}

void rct_model_free(rct_model *model)
{
    if (model != NULL) {
        rct_model_free_loops(model);
        rct_release(model->events);
        rct_names_free(model->event_names);
        rct_names_free(model->names);
        rct_bodies_release(model->bodies);
        rct_model_free_forces(model);
        rct_release(model->shapes);
        rct_release(model->table);
        rct_release(model->curves);
        rct_release(model);
    }
}

int64_t rct_model_bytes(const rct_model *model)
{
    const int64_t row = 5 * (int64_t)sizeof *model->table + 4 * (int64_t)sizeof *model->curves;
    int64_t bytes = (int64_t)sizeof *model + rct_names_bytes(model->names) +
                    rct_names_bytes(model->loop_names) + rct_names_bytes(model->event_names) +
                    model->base.rows * row + rct_bodies_bytes(model->bodies) +
                    rct_model_force_bytes(model) +
                    model->shape_capacity * (int64_t)sizeof *model->shapes +
                    model->loop_capacity * (int64_t)sizeof *model->loops +
                    model->event_capacity * (int64_t)sizeof *model->events;
    for (int32_t i = 0; i < model->loop_count; i++) {
        bytes += model->loops[i].term_count * (int64_t)sizeof *model->loops[i].terms;
    }
    return bytes;
}

const char *rct_model_name(const rct_model *model)
{
    return model != NULL ? model->name : NULL;
}

rct_status rct_model_set_gravity(rct_model *model, const double gravity[3], rct_error *error)
{
    if (!rct_given(model, "model", error) || !rct_given(gravity, "gravity", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    for (int i = 0; i < 3; i++) {
        if (!isfinite(gravity[i])) {
            return rct_fail(error, RCT_ERROR_MODEL,
                            "gravity: %g is not a finite number; give three "
                            "numbers in m/s^2",
                            gravity[i]);
        }
    }
    memcpy(model->gravity, gravity, sizeof model->gravity);
    return RCT_OK;
}

void rct_model_gravity(const rct_model *model, double gravity[3])
{
    if (model != NULL && gravity != NULL) {
        memcpy(gravity, model->gravity, sizeof model->gravity);
    }
}

rct_status rct_model_reserve(rct_model *model, int64_t more, rct_error *error)
{
    if (rct_bodies_own(&model->bodies, model->count, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    if (more <= model->bodies->capacity - model->count) {
        return RCT_OK;
    }
    if (more > INT32_MAX - 1 - model->count) {
        return rct_fail(error, RCT_ERROR_MODEL, "a model holds at most %d bodies", INT32_MAX - 1);
    }
    int64_t capacity = (int64_t)model->count + model->count / 2 + FIRST_CAPACITY;
    capacity = capacity < INT32_MAX ? capacity : INT32_MAX;
    capacity = capacity > model->count + more ? capacity : model->count + more;
    return rct_bodies_reserve(model->bodies, model->count, (int32_t)capacity, error);
}

rct_status rct_model_room(void *items, int32_t count, int32_t *capacity, int64_t size,
                          const char *what, rct_error *error)
{
    const int64_t most = INT32_MAX - 1, room = 2 * (int64_t)count + 4;
    void *array;
    char text[32];
    if (count < *capacity) {
        return RCT_OK;
    }
    if (count >= most) {
        return rct_fail(error, RCT_ERROR_MODEL, "a model holds at most %d %s", INT32_MAX - 1, what);
    }
    memcpy(&array, items, sizeof array);
    snprintf(text, sizeof text, "the %s of a model", what);
    array = rct_widen(array, count, room < most ? room : most, size, text, error);
    if (array == NULL) {
        return RCT_ERROR_MEMORY;
    }
    memcpy(items, &array, sizeof array);
    *capacity = (int32_t)(room < most ? room : most);
    return RCT_OK;
}

/* Set `text` to the name that the next body answers to. */
static rct_status check_name(const rct_model *model, const char *name, char text[RCT_NAME_SIZE],
                             rct_error *error)
{
    const char *trouble = name != NULL ? rct_body_name_trouble(name) : NULL;
    if (trouble != NULL) {
        return rct_fail_body(error, RCT_ERROR_MODEL, model->count, "body %" PRId32 ": its name %s",
                             model->count, trouble);
    }
    rct_answer(text, name, "body", model->count);
    const int32_t other = rct_model_find_body(model, text);
    if (other >= 0) {
        return rct_fail_body(error, RCT_ERROR_MODEL, model->count,
                             "body %" PRId32 ": the name \"%s\" belongs to body %" PRId32
                             " already; give each body a name of its own",
                             model->count, text, other);
    }
    return RCT_OK;
}

rct_status rct_model_add_body_sized(rct_model *model, rct_in in, int32_t *id, rct_error *error)
{
    rct_body body = rct_plain_body;
    if (!rct_given(model, "model", error) ||
        !rct_take(&body, rct_whole(sizeof body), in, "body", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    body.name = body.name != NULL && body.name[0] != '\0' ? body.name : NULL;
    char text[RCT_NAME_SIZE];
    rct_status status = rct_model_reserve(model, 1, error);
    RCT_THEN(status, check_name(model, body.name, text, error));
    rct_body_enter(&body);
    RCT_THEN(status, rct_body_check(&body, model->count, text, error));
    if (status == RCT_OK && body.name != NULL && model->count >= model->bodies->named_room) {
        status = rct_bodies_reserve_names(model->bodies, model->names, error);
    }
    RCT_THEN(status, rct_bodies_put(model->bodies, model->count, &body, error));
    if (status == RCT_OK && body.name != NULL) {
        body.name = rct_names_add(model->names, body.name, model->count, error);
        status = body.name != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    }
    if (status != RCT_OK) {
        return status;
    }
    if (model->count < model->bodies->named_room) {
        model->bodies->name[model->count] = body.name;
    }
    if (id != NULL) {
        *id = model->count;
    }
    model->count++;
    return RCT_OK;
}

int32_t rct_model_body_count(const rct_model *model)
{
    return model != NULL ? model->count : 0;
}

rct_status rct_model_body_sized(const rct_model *model, int32_t id, rct_out body, rct_error *error)
{
    if (!rct_given(model, "model", error) || !rct_given(body.at, "body", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (id < 0 || id >= model->count) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "no body %" PRId32 ": the model has bodies 0 to %" PRId32, id,
                        model->count - 1);
    }
    rct_body own = rct_bodies_get(model->bodies, id);
    own.name = rct_model_own_name(model, id);
    rct_give(body, &own, rct_whole(sizeof own));
    return RCT_OK;
}

void rct_model_body_name(const rct_model *model, int32_t id, char name[RCT_NAME_SIZE])
{
    if (name != NULL) {
        const int known = model != NULL && id >= 0 && id < model->count;
        rct_answer(name, known ? rct_model_own_name(model, id) : NULL, "body", id);
    }
}

rct_status rct_model_fail_body(const rct_model *model, int32_t id, rct_error *error,
                               rct_status status, const char *format, ...)
{
    char name[RCT_NAME_SIZE];
    va_list arguments;
    va_start(arguments, format);
    rct_fail_list(error, status, id, format, arguments);
    va_end(arguments);
    rct_model_body_name(model, id, name);
    rct_error_prefix(error, "body %" PRId32 " \"%s\"", id, name);
    return status;
}

int32_t rct_model_find_body(const rct_model *model, const char *name)
{
    if (model == NULL || name == NULL) {
        return -1;
    }
    const int32_t named = rct_names_find(model->names, name);
    const int32_t id = named < 0 ? rct_made_up(name, "body") : -1;
    return id >= 0 && id < model->count && rct_model_own_name(model, id) == NULL ? id : named;
}

void rct_model_offer_bodies(const rct_model *model, rct_nearest *nearest)
{
    for (int32_t id = 0; id < model->count; id++) {
        char name[RCT_NAME_SIZE];
        rct_model_body_name(model, id, name);
        rct_nearest_offer(nearest, name);
    }
}

const char *rct_model_body_hint(const rct_model *model, const char *name, const char *advice,
                                char text[RCT_ERROR_TEXT_SIZE])
{
    rct_nearest nearest = {.given = name != NULL ? name : ""};
    if (text == NULL) {
        return NULL;
    }
    if (model != NULL) {
        rct_model_offer_bodies(model, &nearest);
    }
    return rct_nearest_hint(&nearest, advice != NULL ? advice : "", text);
}
