/* Loops of a model: each is checked alone when it is added (loop_check.c); check.c checks the
 * bodies and hinges it joins. */
#include <riccatree/loop.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "model/loop_check.h"
#include "model/model.h"
#include "model/names.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void rct_loop_init(rct_out out)
{
    const rct_loop own = {.type = RCT_LOOP_BALL,
                          .active = 1,
                          .other = RCT_GROUND,
                          .orientation = {1.0, 0.0, 0.0, 0.0},
                          .other_orientation = {1.0, 0.0, 0.0, 0.0},
                          .axis = {0.0, 0.0, 1.0},
                          .axis2 = {1.0, 0.0, 0.0}};
    rct_give(out, &own, rct_whole(sizeof own));
}

/* A loop without a name answers to "loop17". Whether `name` is such a name, of an existing loop
 * or not. */
static int is_made_up(const char *name)
{
    const size_t digits = strncmp(name, "loop", 4) == 0 ? strspn(name + 4, "0123456789") : 0;
    return digits > 0 && name[4 + digits] == '\0';
}

static rct_status check_name(const rct_model *model, const char *name, rct_error *error)
{
    const char *trouble = rct_name_trouble(name);
    if (is_made_up(name)) {
        trouble = "is reserved for loops without a name; give another name";
    }
    if (trouble != NULL) {
        return rct_fail(error, RCT_ERROR_MODEL, "loop %" PRId32 ": its name %s", model->loop_count,
                        trouble);
    }
    const int32_t other = rct_names_find(model->loop_names, name);
    return other < 0 ? RCT_OK
                     : rct_fail(error, RCT_ERROR_MODEL,
                                "loop %" PRId32 ": the name \"%s\" belongs to loop %" PRId32
                                "; give each a name of its own",
                                model->loop_count, name, other);
}

static rct_status own_table(rct_loop *l, int32_t index, rct_error *error)
{
    rct_status status = RCT_OK;
    l->table = l->rows > 0 ? rct_splines_own(l->table, l->rows, &status, error) : NULL;
    return status != RCT_ERROR_MODEL
               ? status
               : rct_fail(error, RCT_ERROR_MODEL,
                          "loop %" PRId32 ": the spline through its table is not finite; give "
                          "smaller numbers or rows further apart",
                          index);
}

/* Replace the table, the terms and the name by own copies. */
static rct_status own(rct_model *model, rct_loop *l, rct_error *error)
{
    const rct_status status = own_table(l, model->loop_count, error);
    if (status != RCT_OK) {
        return status;
    }
    if (l->term_count > 0) {
        rct_loop_term *terms =
            rct_allocate(l->term_count, sizeof *terms, "the terms of a relation", error);
        if (terms == NULL) {
            rct_release((void *)l->table);
            return RCT_ERROR_MEMORY;
        }
        memcpy(terms, l->terms, (size_t)l->term_count * sizeof *terms);
        l->terms = terms;
    }
    if (l->name != NULL) {
        l->name = rct_names_add(model->loop_names, l->name, model->loop_count, error);
        if (l->name == NULL) {
            rct_release((void *)l->terms);
            rct_release((void *)l->table);
            return RCT_ERROR_MEMORY;
        }
    }
    return RCT_OK;
}

rct_status rct_model_add_loop_sized(rct_model *model, rct_in loop, int32_t *index, rct_error *error)
{
    rct_loop l = rct_loop_default();
    if (!rct_given(model, "model", error) ||
        !rct_take(&l, rct_whole(sizeof l), loop, "loop", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    l.name = l.name != NULL && l.name[0] != '\0' ? l.name : NULL;
    rct_status status = l.name != NULL ? check_name(model, l.name, error) : RCT_OK;
    RCT_THEN(status, rct_loop_check(&l, model->loop_count, error));
    RCT_THEN(status, rct_model_room(&model->loops, model->loop_count, &model->loop_capacity,
                                    sizeof l, "loops", error));
    RCT_THEN(status, own(model, &l, error));
    if (status != RCT_OK) {
        return status;
    }
    model->loops[model->loop_count] = l;
    if (index != NULL) {
        *index = model->loop_count;
    }
    model->loop_count++;
    return RCT_OK;
}

rct_status rct_model_copy_loops(rct_model *model, const rct_model *from, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < from->loop_count && status == RCT_OK; i++) {
        status = rct_model_add_loop(model, &from->loops[i], NULL, error);
    }
    return status == RCT_OK ? rct_model_copy_events(model, from, error) : status;
}

void rct_model_free_loops(rct_model *model)
{
    for (int32_t i = 0; i < model->loop_count; i++) {
        rct_release((void *)model->loops[i].terms);
        rct_release((void *)model->loops[i].table);
    }
    rct_release(model->loops);
    rct_names_free(model->loop_names);
}

int32_t rct_model_loop_count(const rct_model *model)
{
    return model != NULL ? model->loop_count : 0;
}

rct_status rct_model_loop_sized(const rct_model *model, int32_t index, rct_out loop,
                                rct_error *error)
{
    if (!rct_given(model, "model", error) || !rct_given(loop.at, "loop", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (index < 0 || index >= model->loop_count) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "loop %" PRId32 " does not exist; the model has %" PRId32 " loop%s", index,
                        model->loop_count, rct_plural(model->loop_count));
    }
    rct_give(loop, &model->loops[index], rct_whole(sizeof(rct_loop)));
    return RCT_OK;
}

rct_on_spline rct_loop_motion(const rct_loop *l, double t)
{
    if (l->rows > 0) {
        return rct_splines_own_at(l->table, l->rows, t);
    }
    const double angle = l->angular_frequency * t + l->phase;
    const double a = l->amplitude, w = l->angular_frequency;
    return (rct_on_spline){l->offset + t * (l->rate + 0.5 * l->acceleration * t) + a * sin(angle),
                           l->rate + l->acceleration * t + a * w * cos(angle),
                           l->acceleration - a * w * w * sin(angle)};
}

int rct_loop_moves(const rct_loop *l)
{
    return l->rate != 0.0 || l->acceleration != 0.0 || l->rows > 0 ||
           (l->amplitude != 0.0 && l->angular_frequency != 0.0);
}

rct_status rct_model_loop_motion(const rct_model *model, int32_t index, double time,
                                 double motion[3], rct_error *error)
{
    if (!rct_given(model, "model", error) || !rct_given(motion, "motion", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (index < 0 || index >= model->loop_count || model->loops[index].type != RCT_LOOP_RELATION) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "loop %" PRId32 " is not a relation, and has no motion of its own", index);
    }
    const rct_on_spline at = rct_loop_motion(&model->loops[index], time);
    motion[0] = at.x, motion[1] = at.v, motion[2] = at.a;
    return RCT_OK;
}

void rct_model_loop_name(const rct_model *model, int32_t index, char name[RCT_NAME_SIZE])
{
    if (name != NULL) {
        const int known = model != NULL && index >= 0 && index < model->loop_count;
        rct_answer(name, known ? model->loops[index].name : NULL, "loop", index);
    }
}

int32_t rct_model_find_loop(const rct_model *model, const char *name)
{
    if (model == NULL || name == NULL) {
        return -1;
    }
    const int32_t named = rct_names_find(model->loop_names, name);
    const int32_t index = named < 0 ? rct_made_up(name, "loop") : -1;
    return index >= 0 && index < model->loop_count && model->loops[index].name == NULL ? index
                                                                                       : named;
}
