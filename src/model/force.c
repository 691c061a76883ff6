/* Forces of a model: checked alone when they are added; their bodies are looked for in check.c. */
#include "core/error.h"
#include "core/sized.h"
#include "model/keys.h"
#include "model/model.h"

#include <inttypes.h>

void rct_force_init(rct_out out)
{
    const rct_force own = {.type = RCT_FORCE_WRENCH, .other = RCT_GROUND};
    rct_give(out, &own, rct_whole(sizeof own));
}

enum { WRENCH = 1 << RCT_FORCE_WRENCH, SPRING = 1 << RCT_FORCE_SPRING, BOTH = WRENCH | SPRING };

static const rct_key keys[] = {
    {"type", 0, BOTH, RCT_HOLDS_OTHER, NULL},
    {"body", offsetof(rct_force, body), BOTH, RCT_HOLDS_BODY, "add the name of a body"},
    {"at", offsetof(rct_force, at), BOTH, 3, NULL},
    {"other", offsetof(rct_force, other), SPRING, RCT_HOLDS_BODY, "add the name of a body"},
    {"other_at", offsetof(rct_force, other_at), SPRING, 3, NULL},
    {"stiffness", offsetof(rct_force, stiffness), SPRING, 1, NULL},
    {"damping", offsetof(rct_force, damping), SPRING, 1, NULL},
    {"length", offsetof(rct_force, length), SPRING, 1, NULL},
    {"force", offsetof(rct_force, force), WRENCH, 3, NULL},
    {"moment", offsetof(rct_force, moment), WRENCH, 3, NULL},
    {"axes", 0, WRENCH, RCT_HOLDS_OTHER, NULL},
};

const rct_keys rct_force_keys = {keys, sizeof keys / sizeof keys[0]};

static const char *wrench_trouble(const rct_force *f, int unused)
{
    if (f->body == RCT_GROUND) {
        return "a wrench on the ground moves nothing; name a body";
    }
    return unused ? "a wrench has no other end, stiffness, damping or length; they are those of "
                    "springs"
                  : NULL;
}

static const char *spring_trouble(const rct_force *f, int unused)
{
    if (f->body == f->other) {
        return "a spring needs two different ends";
    }
    if (f->stiffness < 0.0 || f->damping < 0.0 || f->length < 0.0) {
        return "stiffness, damping and length of a spring must not be negative";
    }
    return unused || f->in_body_axes
               ? "a spring has no force, moment or axes of its own; they are those of wrenches"
               : NULL;
}

static const char *force_trouble(const rct_force *f)
{
    const rct_force plain = rct_force_default();
    if (!rct_keys_finite(&rct_force_keys, f)) {
        return "a number is not finite";
    }
    switch (f->type) {
    case RCT_FORCE_WRENCH:
        return wrench_trouble(f, rct_keys_unused(&rct_force_keys, WRENCH, f, &plain));
    case RCT_FORCE_SPRING:
        return spring_trouble(f, rct_keys_unused(&rct_force_keys, SPRING, f, &plain));
    }
    return "unknown type; this version knows wrench and spring";
}

rct_status rct_force_check(rct_force *force, int32_t index, rct_error *error)
{
    const rct_force plain = rct_force_default();
    const char *trouble = force_trouble(force);
    if (trouble != NULL) {
        return rct_fail(error, RCT_ERROR_MODEL, "force %" PRId32 ": %s", index, trouble);
    }
    force->in_body_axes = force->in_body_axes != 0;
    rct_keys_clear(&rct_force_keys, 1 << force->type, force, &plain);
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
    RCT_THEN(status, rct_model_room(&model->forces, model->force_count, &model->force_capacity,
                                    sizeof own, "forces", error));
    if (status == RCT_OK) {
        model->forces[model->force_count] = own;
        if (index != NULL) {
            *index = model->force_count;
        }
        model->force_count++;
    }
    return status;
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
                        "force %" PRId32 " does not exist; the model has %" PRId32 " force%s",
                        index, model->force_count, rct_plural(model->force_count));
    }
    rct_give(force, &model->forces[index], rct_whole(sizeof(rct_force)));
    return RCT_OK;
}
