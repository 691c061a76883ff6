/* Motion of the ground: constants, or natural cubic splines through a table. In: rct_base, checked and
 * copied; out: where the ground is at a time, with two derivatives. */
#include "core/error.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "core/sized.h"
#include "model/keys.h"
#include "model/model.h"
#include "model/unit.h"

#include <inttypes.h>
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
        return "its axis has length zero; give the direction it turns about";
    }
    if (b->rows != 0 && (b->rows < 2 || b->table == NULL)) {
        return "a table needs at least two rows of t, x, y, z, angle";
    }
    if (b->rows != 0 && rct_keys_unused(&rct_base_keys, RCT_BASE_AXIS, b, &plain)) {
        return "give either a table or velocities and accelerations, not both";
    }
    return NULL;
}

/* What is wrong with row i of the table, after the rows before it. */
static const char *row_trouble(const double *table, int32_t i)
{
    const double *row = table + (int64_t)i * ROW;
    if (!rct_all_finite(row, ROW)) {
        return "a number is not finite";
    }
    if (i > 0 && !(row[0] > row[-ROW])) {
        return "its time is not after that of the row before; times must increase";
    }
    for (int k = 1; i > 0 && k < ROW; k++) {
        if (!isfinite((row[k] - row[k - ROW]) / (row[0] - row[-ROW]))) {
            return "it is too far from the row before for so short a time";
        }
    }
    return NULL;
}

static rct_status check_base(const rct_base *base, rct_error *error)
{
    const char *trouble = constants_trouble(base);
    if (trouble != NULL) {
        return rct_fail(error, RCT_ERROR_MODEL, "motion of the ground: %s", trouble);
    }
    for (int32_t i = 0; i < base->rows; i++) {
        trouble = row_trouble(base->table, i);
        if (trouble != NULL) {
            return rct_fail(error, RCT_ERROR_MODEL,
                            "motion of the ground: row %" PRId32 " of its table: %s", i + 1,
                            trouble);
        }
    }
    return RCT_OK;
}

/* Second derivatives of the natural spline through column k of the table: a tridiagonal system,
 * h_i-1 M_i-1 + 2 (h_i-1 + h_i) M_i + h_i M_i+1 = 6 (slope_i - slope_i-1). `gain` [rows] is room. */
static void bend(const double *table, int32_t rows, int k, double *gain, double *curves)
{
    for (int32_t i = 1; i + 1 < rows; i++) {
        const double *at = table + (int64_t)i * ROW;
        const double before = at[0] - at[-ROW], after = at[ROW] - at[0];
        const double slope = (at[k] - at[k - ROW]) / before, next = (at[k + ROW] - at[k]) / after;
        const double pivot = 2.0 * (before + after) - (i > 1 ? before * gain[i - 1] : 0.0);
        const double last = i > 1 ? curves[(int64_t)(i - 1) * CURVES + k - 1] : 0.0;
        gain[i] = after / pivot;
        curves[(int64_t)i * CURVES + k - 1] = (6.0 * (next - slope) - before * last) / pivot;
    }
    for (int32_t i = rows - 3; i >= 1; i--) {
        double *at = curves + (int64_t)i * CURVES + k - 1;
        at[0] -= gain[i] * at[CURVES];
    }
}

/* Copy of the table and its splines; NULL both without one. */
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
    for (int k = 1; k < ROW; k++) {
        bend(*table, base->rows, k, gain, *curves);
    }
    rct_release(gain);
    if (!rct_all_finite(*curves, (int64_t)base->rows * CURVES)) {
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
    if (base.rows > 0) { /* no negative zeros beside a table */
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
    const rct_base plain = rct_base_default(); /* of doubles up to `rows` */
    return model->base.rows > 0 || memcmp(&model->base, &plain, offsetof(rct_base, rows)) != 0;
}

/* Value, first and second derivative. */
typedef struct moment_of {
    double x, v, a;
} moment_of;

static moment_of on_spline(const rct_model *model, int32_t i, int k, double t)
{
    const double *at = model->table + (int64_t)i * ROW;
    const double *bends = model->curves + (int64_t)i * CURVES + k - 1;
    const double h = at[ROW] - at[0], s = t - at[0];
    const double slope = (at[k + ROW] - at[k]) / h - h * (2.0 * bends[0] + bends[CURVES]) / 6.0;
    const double twist = (bends[CURVES] - bends[0]) / h;
    return (moment_of){at[k] + s * (slope + s * (bends[0] / 2.0 + s * twist / 6.0)),
                       slope + s * (bends[0] + s * twist / 2.0), bends[0] + s * twist};
}

static moment_of from_table(const rct_model *model, int k, double t)
{
    const int32_t rows = model->base.rows;
    const double *table = model->table;
    const double begin = table[0], end = table[(int64_t)(rows - 1) * ROW];
    int32_t low = 0, high = rows - 1;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (table[(int64_t)middle * ROW] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const double inside = isnan(t) ? t : fmin(fmax(t, begin), end);
    moment_of m = on_spline(model, low, k, inside);
    if (t < begin || t > end) { /* a natural spline ends straight */
        m.x += m.v * (t - inside);
        m.a = 0.0;
    }
    return m;
}

static moment_of constant(double v, double a, double t)
{
    return (moment_of){t * (v + a * t / 2.0), v + a * t, a};
}

static void find_motion(const rct_model *model, double time, rct_base_motion *motion)
{
    const rct_base *b = &model->base;
    moment_of m[CURVES];
    for (int k = 0; k < CURVES; k++) {
        if (b->rows > 0) {
            m[k] = from_table(model, k + 1, time);
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
