/* Forces of a model: each is checked alone when it is added (force_check.c); check.c checks that
 * its bodies exist. */
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "model/forces/effort.h"
#include "model/forces/force_check.h"
#include "model/forces/spline.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void rct_force_init(rct_out out)
{
    const rct_force own = {.type = RCT_FORCE_WRENCH, .other = RCT_GROUND};
    rct_give(out, &own, rct_whole(sizeof own));
}

/* The table of force `f`, the next of the model, as effort.h expects it. If the last force with
 * a table has the same rows, `f` shares that table, so that caches keep it; otherwise `f` gets a
 * copy. Only forces without a table stand between forces that share one. */
static rct_status own_table(rct_force *f, const rct_model *model, rct_error *error)
{
    rct_status status = RCT_OK;
    const int32_t index = model->force_count;
    int32_t last = index - 1;
    while (f->rows > 0 && last >= 0 && model->forces[last].table == NULL) {
        last--;
    }
    const rct_force *other = f->rows > 0 && last >= 0 ? &model->forces[last] : NULL;
    if (other != NULL && other->rows == f->rows &&
        memcmp(other->table, f->table, 2 * (size_t)f->rows * sizeof *f->table) == 0) {
        f->table = other->table;
        return RCT_OK;
    }
    f->table = f->rows > 0 ? rct_splines_own(f->table, f->rows, &status, error) : NULL;
    return status != RCT_ERROR_MODEL
               ? status
               : rct_fail(error, RCT_ERROR_MODEL,
                          "force %" PRId32 ": the spline through its table is not finite; give "
                          "smaller numbers or rows further apart",
                          index);
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
    RCT_THEN(status, own_table(&own, model, error));
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

void rct_model_drop_forces(rct_model *model)
{
    const double *last = NULL;
    for (int32_t i = 0; i < model->force_count; i++) {
        const double *own = model->forces[i].table;
        if (own != NULL && own != last) {
            rct_release((void *)last);
            last = own;
        }
    }
    rct_release((void *)last);
    model->force_count = 0;
}

int64_t rct_model_force_bytes(const rct_model *model)
{
    int64_t bytes = model->force_capacity * (int64_t)sizeof *model->forces;
    const double *last = NULL;
    for (int32_t i = 0; i < model->force_count; i++) {
        const rct_force *f = &model->forces[i];
        if (f->table != NULL && f->table != last) {
            bytes += 3 * f->rows * (int64_t)sizeof *f->table;
            last = f->table;
        }
    }
    return bytes;
}

void rct_model_free_forces(rct_model *model)
{
    rct_model_drop_forces(model);
    rct_release(model->forces);
}

rct_status rct_model_force_effort_sized(const rct_model *model, int32_t index, double time,
                                        double coordinate, double rate, rct_out effort,
                                        rct_error *error)
{
    rct_force_effort own;
    if (!rct_given(model, "model", error) || !rct_given(effort.at, "effort", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    if (index < 0 || index >= model->force_count || !rct_force_is_at_hinge(&model->forces[index])) {
        return rct_fail(
            error, RCT_ERROR_ARGUMENT,
            "force %" PRId32
            " is not a force at a hinge; name a friction, limit, servo or curve of the model",
            index);
    }
    if (!isfinite(time) || !isfinite(coordinate) || !isfinite(rate)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "force %" PRId32
                        " at the time %g s, coordinate %g and rate %g: give finite "
                        "numbers",
                        index, time, coordinate, rate);
    }
    own = rct_force_exert(&model->forces[index], time, coordinate, rate);
    own.energy = rct_force_energy(&model->forces[index], coordinate);
    rct_give(effort, &own, rct_whole(sizeof own));
    return RCT_OK;
}
