/* Forces of a model: checked alone when they are added; their bodies are looked for in check.c. */
#include "core/error.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "core/sized.h"
#include "model/model.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_FORCES = INT32_MAX - 1 };

void rct_force_init(rct_out out)
{
    const rct_force own = {.type = RCT_FORCE_WRENCH, .other = RCT_GROUND};
    rct_give(out, &own, rct_whole(sizeof own));
}

static int is_finite(const rct_force *f)
{
    const double numbers[15] = {f->at[0],     f->at[1],       f->at[2],       f->force[0],
                                f->force[1],  f->force[2],    f->moment[0],   f->moment[1],
                                f->moment[2], f->other_at[0], f->other_at[1], f->other_at[2],
                                f->stiffness, f->damping,     f->length};
    return rct_all_finite(numbers, 15);
}

static const char *wrench_trouble(const rct_force *f)
{
    if (f->body == RCT_GROUND) {
        return "a wrench on the ground moves nothing; name a body";
    }
    if (f->other != RCT_GROUND || !rct_all_zero(f->other_at, 3) || f->stiffness != 0.0 ||
        f->damping != 0.0 || f->length != 0.0) {
        return "a wrench has no other end, stiffness, damping or length; they are those of springs";
    }
    return NULL;
}

static const char *spring_trouble(const rct_force *f)
{
    if (f->body == f->other) {
        return "a spring needs two different ends";
    }
    if (f->stiffness < 0.0 || f->damping < 0.0 || f->length < 0.0) {
        return "stiffness, damping and length of a spring must not be negative";
    }
    if (f->in_body_axes || !rct_all_zero(f->force, 3) || !rct_all_zero(f->moment, 3)) {
        return "a spring has no force, moment or axes of its own; they are those of wrenches";
    }
    return NULL;
}

static const char *force_trouble(const rct_force *f)
{
    if (!is_finite(f)) {
        return "a number is not finite";
    }
    switch (f->type) {
    case RCT_FORCE_WRENCH: return wrench_trouble(f);
    case RCT_FORCE_SPRING: return spring_trouble(f);
    }
    return "unknown type; this version knows wrench and spring";
}

/* Room for one more force; asked for one at a time it doubles. */
static rct_status reserve(rct_model *model, rct_error *error)
{
    if (model->force_count < model->force_capacity) {
        return RCT_OK;
    }
    if (model->force_count >= MOST_FORCES) {
        return rct_fail(error, RCT_ERROR_MODEL, "a model holds at most %d forces", MOST_FORCES);
    }
    const int64_t room = 2 * (int64_t)model->force_count + 4;
    const int64_t capacity = room < MOST_FORCES ? room : MOST_FORCES;
    rct_force *forces = rct_allocate(capacity, sizeof *forces, "the forces of a model", error);
    if (forces == NULL) {
        return RCT_ERROR_MEMORY;
    }
    if (model->force_count > 0) {
        memcpy(forces, model->forces, (size_t)model->force_count * sizeof *forces);
    }
    rct_release(model->forces);
    model->forces = forces;
    model->force_capacity = (int32_t)capacity;
    return RCT_OK;
}

/* What its type has no use for was checked to be zero, but may carry negative zeros. */
static rct_force clean(const rct_force *force)
{
    rct_force f = *force;
    if (f.type == RCT_FORCE_WRENCH) {
        f.in_body_axes = f.in_body_axes != 0;
        memset(f.other_at, 0, sizeof f.other_at);
        f.stiffness = f.damping = f.length = 0.0;
    } else {
        memset(f.force, 0, sizeof f.force);
        memset(f.moment, 0, sizeof f.moment);
    }
    return f;
}

rct_status rct_force_check(rct_force *force, int32_t index, rct_error *error)
{
    const char *trouble = force_trouble(force);
    if (trouble != NULL) {
        return rct_fail(error, RCT_ERROR_MODEL, "force %" PRId32 ": %s", index, trouble);
    }
    *force = clean(force);
    return RCT_OK;
}

rct_status rct_model_add_force_sized(rct_model *model, rct_in force, int32_t *index,
                                     rct_error *error)
{
    rct_force own = rct_force_default();
    if (!rct_given(model, "model", error) ||
        !rct_take(&own, rct_whole(sizeof own), force, "force", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_status status = rct_force_check(&own, model->force_count, error);
    if (status == RCT_OK) {
        status = reserve(model, error);
    }
    if (status != RCT_OK) {
        return status;
    }
    model->forces[model->force_count] = own;
    if (index != NULL) {
        *index = model->force_count;
    }
    model->force_count++;
    return RCT_OK;
}

int32_t rct_model_force_count(const rct_model *model)
{
    return model != NULL ? model->force_count : 0;
}

rct_status rct_model_force_sized(const rct_model *model, int32_t index, rct_out force,
                                 rct_error *error)
{
    if (!rct_given(model, "model", error) || !rct_given(force.at, "force", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (index < 0 || index >= model->force_count) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "force %" PRId32 " does not exist; the model has %" PRId32 " forces", index,
                        model->force_count);
    }
    rct_give(force, &model->forces[index], rct_whole(sizeof(rct_force)));
    return RCT_OK;
}
