/* Motion of the ground: constants, or natural cubic splines through a table. In: rct_base,
 * checked and copied; out: the place of the ground at a time, with two derivatives. */
#include "core/error.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "core/sized.h"
#include "model/forces/spline.h"
#include "model/keys.h"
#include "model/model.h"
#include "model/unit.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { ROW = 5, CURVES = 4 }; /* t, x, y, z, angle; second derivatives of the last four */

void rct_base_init(rct_out out)
{
    const rct_base own = {.axis = {0.0, 0.0, 1.0}};
    rct_give(out, &own, rct_whole(sizeof own));
}

static const rct_key keys[] = {
    {"velocity", offsetof(rct_base, velocity), RCT_BASE_CONSTANTS, 3, NULL},
    {"acceleration", offsetof(rct_base, acceleration), RCT_BASE_CONSTANTS, 3, NULL},
    {"axis", offsetof(rct_base, axis), RCT_BASE_AXIS, 3, NULL},
    {"rate", offsetof(rct_base, rate), RCT_BASE_CONSTANTS, 1, NULL},
    {"angular_acceleration", offsetof(rct_base, angular_acceleration), RCT_BASE_CONSTANTS, 1, NULL},
    {"table", 0, RCT_BASE_TABLE, RCT_HOLDS_OTHER, NULL},
};

const rct_keys rct_base_keys = {keys, sizeof keys / sizeof keys[0]};

static const char *constants_trouble(const rct_base *b)
{
    const rct_base plain = rct_base_default();
    if (!rct_keys_finite(&rct_base_keys, b)) {
        return "a number is not finite";
    }
    if (rct_all_zero(b->axis, 3)) {
        return "its axis has length zero; give the direction that the ground turns about";
    }
    if (b->rows != 0 && (b->rows < 2 || b->table == NULL)) {
        return "a table needs at least two rows of t, x, y, z, angle";
    }
    if (b->rows != 0 && rct_keys_unused(&rct_base_keys, RCT_BASE_AXIS, b, &plain)) {
        return "give either a table or velocities and accelerations, not both";
    }
    return NULL;
}

static rct_status check_base(const rct_base *base, rct_error *error)
{
    char text[RCT_TABLE_TROUBLE];
    const char *trouble = constants_trouble(base);
    if (trouble == NULL) {
        trouble = rct_splines_trouble(base->table, CURVES, base->rows, text);
    }
    return trouble == NULL ? RCT_OK
                           : rct_fail(error, RCT_ERROR_MODEL, "motion of the ground: %s", trouble);
}

/* A copy of the table and its splines; both are NULL without a table. */
static rct_status make_splines(const rct_base *base, double **table, double **curves,
                               rct_error *error)
{
    const int64_t one = sizeof(double);
    *table = *curves = NULL;
    if (base->rows == 0) {
        return RCT_OK;
    }
    double *gain = rct_allocate(base->rows, one, "the motion of the ground", error);
    *table = rct_allocate(base->rows, ROW * one, "the motion of the ground", error);
    *curves = rct_allocate(base->rows, CURVES * one, "the motion of the ground", error);
    if (gain == NULL || *table == NULL || *curves == NULL) {
        rct_release(gain);
        rct_release(*table);
        rct_release(*curves);
        return RCT_ERROR_MEMORY;
    }
    memcpy(*table, base->table, (size_t)base->rows * ROW * sizeof **table);
    const int finite = rct_splines_bend(*table, base->rows, CURVES, gain, *curves);
    rct_release(gain);
    if (!finite) {
        rct_release(*table);
        rct_release(*curves);
        return rct_fail(error, RCT_ERROR_MODEL,
                        "motion of the ground: the splines through its table are not finite; give "
                        "smaller numbers or longer times");
    }
    return RCT_OK;
}

rct_status rct_model_set_base_sized(rct_model *model, rct_in in, rct_error *error)
{
    double *table = NULL, *curves = NULL;
    rct_base base = rct_base_default();
    if (!rct_given(model, "model", error) ||
        !rct_take(&base, rct_whole(sizeof base), in, "base", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_status status = check_base(&base, error);
    RCT_THEN(status, make_splines(&base, &table, &curves, error));
    if (status != RCT_OK) {
        return status;
    }
    rct_release(model->table);
    rct_release(model->curves);
    model->base = base;
    rct_make_unit(model->base.axis, 3);
    if (base.rows > 0) { /* a table leaves no negative zeros in the axis */
        const rct_base plain = rct_base_default();
        rct_keys_clear(&rct_base_keys, RCT_BASE_AXIS, &model->base, &plain);
    }
    model->base.table = model->table = table;
    model->curves = curves;
    return RCT_OK;
}

void rct_model_base_sized(const rct_model *model, rct_out base)
{
    const rct_base none = {.rows = 0};
    rct_give(base, model != NULL ? &model->base : &none, rct_whole(sizeof none));
}

int rct_model_has_base(const rct_model *model)
{
    const rct_base plain = rct_base_default(); /* doubles before `rows` */
    return model->base.rows > 0 || memcmp(&model->base, &plain, offsetof(rct_base, rows)) != 0;
}

static rct_on_spline constant(double v, double a, double t)
{
    return (rct_on_spline){t * (v + a * t / 2.0), v + a * t, a};
}

static void find_motion(const rct_model *model, double time, rct_base_motion *motion)
{
    const rct_base *b = &model->base;
    const rct_splines splines = {model->table, model->curves, b->rows, CURVES};
    rct_on_spline m[CURVES];
    for (int k = 0; k < CURVES; k++) {
        if (b->rows > 0) {
            m[k] = rct_splines_at(&splines, k, time);
        } else if (k < 3) {
            m[k] = constant(b->velocity[k], b->acceleration[k], time);
        } else {
            m[k] = constant(b->rate, b->angular_acceleration, time);
        }
    }
    const double s = sin(m[3].x / 2.0);
    motion->orientation[0] = cos(m[3].x / 2.0);
    for (int k = 0; k < 3; k++) {
        motion->orientation[1 + k] = s * b->axis[k];
        motion->angular_velocity[k] = m[3].v * b->axis[k];
        motion->angular_acceleration[k] = m[3].a * b->axis[k];
        motion->position[k] = m[k].x;
        motion->velocity[k] = m[k].v;
        motion->acceleration[k] = m[k].a;
    }
}

void rct_model_base_motion_sized(const rct_model *model, double time, rct_out motion)
{
    rct_base_motion own = {.position = {0.0}};
    if (model != NULL) {
        find_motion(model, time, &own);
    }
    rct_give(motion, &own, rct_whole(sizeof own));
}
