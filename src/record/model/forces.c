/* The groups /model/forces and /model/base: what acts on the bodies, one dataset a field, row i for force i.
 * Either is there only if the model has it. */
#include "core/memory.h"
#include "model/model.h"
#include "record/model/model.h"

#include <stddef.h>

static const char body_axes[] = "body axes (ground: inertial)";
static const char wrench_axes[] = "body axes where in_body_axes is 1, else inertial axes";

static const rct_field force_fields[] = {
    {"at", 3, offsetof(rct_force, at), "m", body_axes, "point of the body, from its hinge point"},
    {"force", 3, offsetof(rct_force, force), "N", wrench_axes, "wrench: force at the point"},
    {"moment", 3, offsetof(rct_force, moment), "N m", wrench_axes, "wrench: moment"},
    {"other_at", 3, offsetof(rct_force, other_at), "m", body_axes,
     "spring: point of the other body, from its hinge point"},
    {"stiffness", 1, offsetof(rct_force, stiffness), "N/m", "none", "spring: stiffness"},
    {"damping", 1, offsetof(rct_force, damping), "N s/m", "none", "spring: damping"},
    {"length", 1, offsetof(rct_force, length), "m", "none", "spring: length without force"},
};

static const char inertial_axes[] = "inertial axes";

static const rct_field axis_field = {
    "axis", 3, offsetof(rct_base, axis), "1", inertial_axes, "axis about which the ground turns"};
static const rct_field base_fields[] = {
    {"velocity", 3, offsetof(rct_base, velocity), "m/s", inertial_axes, "velocity at time 0"},
    {"acceleration", 3, offsetof(rct_base, acceleration), "m/s^2", inertial_axes, "acceleration"},
    {"rate", 1, offsetof(rct_base, rate), "rad/s", "none", "angular velocity at time 0"},
    {"angular_acceleration", 1, offsetof(rct_base, angular_acceleration), "rad/s^2", "none",
     "angular acceleration"},
};

enum {
    FORCE_FIELDS = sizeof force_fields / sizeof force_fields[0],
    BASE_FIELDS = sizeof base_fields / sizeof base_fields[0],
    WIDEST = 3,
    ROW = 5,
    FORCE_INTEGERS = 2 * sizeof(int32_t) + 2 * sizeof(int8_t), /* bytes of the others */
};

static void write_fields(rct_call *call, hid_t group, const rct_model *model, double *column)
{
    for (int k = 0; k < FORCE_FIELDS; k++) {
        for (int32_t i = 0; i < model->force_count; i++) {
            rct_take_field(column, i, &force_fields[k], &model->forces[i]);
        }
        rct_put_field(call, group, &force_fields[k], model->force_count, column);
    }
}

/* Rows of the bodies at either end. */
static void write_ends(rct_call *call, hid_t group, const rct_model *model, int32_t *column)
{
    const int32_t n = model->force_count;
    for (int32_t i = 0; i < n; i++) {
        column[i] = model->forces[i].body;
    }
    rct_put_column(call, group, H5T_NATIVE_INT32, "body", n, "row of the body, -1: the ground",
                   column);
    for (int32_t i = 0; i < n; i++) {
        column[i] = model->forces[i].other;
    }
    rct_put_column(call, group, H5T_NATIVE_INT32, "other", n,
                   "spring: row of the other body, -1: the ground", column);
}

static void write_kinds(rct_call *call, hid_t group, const rct_model *model, int8_t *column)
{
    const int32_t n = model->force_count;
    hid_t type = rct_h5_enum_type(call);
    rct_h5_put_member(call, type, "wrench", RCT_FORCE_WRENCH);
    rct_h5_put_member(call, type, "spring", RCT_FORCE_SPRING);
    for (int32_t i = 0; i < n; i++) {
        column[i] = (int8_t)model->forces[i].type;
    }
    rct_put_column(call, group, type, "type", n, "type of the force", column);
    rct_h5_close(call, &type);
    for (int32_t i = 0; i < n; i++) {
        column[i] = (int8_t)model->forces[i].in_body_axes;
    }
    rct_put_column(call, group, H5T_NATIVE_INT8, "in_body_axes", n,
                   "wrench: 1: force and moment turn with the body", column);
}

static void write_forces(rct_call *call, hid_t parent, const rct_model *model)
{
    double *column = rct_call_allocate(call, WIDEST * (int64_t)model->force_count, sizeof *column,
                                       "the forces of a recording");
    if (column == NULL) {
        return;
    }
    hid_t group = rct_h5_create_group(call, parent, "forces");
    write_kinds(call, group, model, (int8_t *)column);
    write_ends(call, group, model, (int32_t *)column);
    write_fields(call, group, model, column);
    rct_h5_close(call, &group);
    rct_release(column);
}

static void write_base(rct_call *call, hid_t parent, const rct_base *base)
{
    const rct_table table = {.name = "table",
                             .rank = 2,
                             .extent = {base->rows, ROW},
                             .unit = "s, m, m, m, rad",
                             .axes = inertial_axes,
                             .description = "t, x, y, z, angle: natural cubic splines go through"};
    hid_t group = rct_h5_create_group(call, parent, "base");
    rct_put_single(call, group, &axis_field, base);
    if (base->rows > 0) {
        rct_h5_put_dataset(call, group, H5T_NATIVE_DOUBLE, &table, base->table);
    } else {
        for (int i = 0; i < BASE_FIELDS; i++) {
            rct_put_single(call, group, &base_fields[i], base);
        }
    }
    rct_h5_close(call, &group);
}

void rct_record_forces(rct_call *call, hid_t group, const rct_model *model)
{
    if (model->force_count > 0) {
        write_forces(call, group, model);
    }
    if (rct_model_has_base(model)) {
        write_base(call, group, &model->base);
    }
}

int64_t rct_force_group_bytes(const rct_model *model)
{
    const int64_t one = FORCE_INTEGERS + rct_fields_bytes(force_fields, FORCE_FIELDS);
    int64_t bytes = 0;
    if (model->force_count > 0) {
        bytes += model->force_count * one + (FORCE_FIELDS + 5) * RCT_DATASET_BYTES;
    }
    if (rct_model_has_base(model)) {
        bytes += model->base.rows * (int64_t)(ROW * sizeof(double)) +
                 (BASE_FIELDS + 2) * RCT_DATASET_BYTES;
    }
    return bytes;
}

/* ---- reading ------------------------------------------------------------------------------ */

static int64_t count_forces(rct_call *call, hid_t group)
{
    static const char *const needed[] = {"type", "body", NULL};
    static const char *const whole[] = {"type", "body", "other", "in_body_axes", NULL};
    rct_check_names(call, group, "/model/forces", force_fields, FORCE_FIELDS, whole);
    rct_check_columns(call, group, "/model/forces", needed);
    int64_t extent[RCT_H5_RANK] = {0};
    rct_h5_extent_of(call, group, "body", extent);
    return call->status == RCT_OK && extent[0] < INT32_MAX ? extent[0] : 0;
}

static void read_forces(rct_call *call, hid_t parent, rct_model *model)
{
    hid_t group = rct_h5_open_group(call, parent, "forces");
    const int64_t n = count_forces(call, group);
    const rct_part part = {.group = group, .rows = n, .count = n};
    rct_force *forces = rct_call_allocate(call, n, sizeof *forces, "reading forces");
    const size_t size = sizeof *forces;
    for (int64_t i = 0; i < n && call->status == RCT_OK; i++) {
        forces[i] = rct_force_default();
    }
    rct_get_whole(call, &part, "type", offsetof(rct_force, type), forces, size);
    rct_get_whole(call, &part, "body", offsetof(rct_force, body), forces, size);
    rct_get_whole(call, &part, "other", offsetof(rct_force, other), forces, size);
    rct_get_whole(call, &part, "in_body_axes", offsetof(rct_force, in_body_axes), forces, size);
    for (int k = 0; k < FORCE_FIELDS && call->status == RCT_OK; k++) {
        rct_get_field(call, &part, &force_fields[k], forces, size);
    }
    for (int64_t i = 0; i < n && call->status == RCT_OK; i++) {
        rct_error why;
        rct_recall_status(call, rct_model_add_force(model, &forces[i], NULL, &why), &why);
    }
    rct_release(forces);
    rct_h5_close(call, &group);
}

static double *read_table(rct_call *call, hid_t group, rct_base *base)
{
    int64_t extent[RCT_H5_RANK] = {0};
    rct_h5_extent_of(call, group, "table", extent);
    const int64_t rows = call->status == RCT_OK && extent[0] < INT32_MAX ? extent[0] : 0;
    const rct_table table = {.name = "table", .rank = 2, .extent = {rows, ROW}};
    double *numbers = rct_call_allocate(call, rows * ROW, sizeof *numbers, "the way of the ground");
    if (numbers != NULL) {
        rct_h5_get_dataset(call, group, H5T_NATIVE_DOUBLE, &table, numbers);
    }
    base->rows = (int32_t)rows;
    base->table = numbers;
    return numbers;
}

static void read_base(rct_call *call, hid_t parent, rct_model *model)
{
    rct_error why;
    rct_base base = rct_base_default();
    static const char *const others[] = {"table", "axis", NULL};
    hid_t group = rct_h5_open_group(call, parent, "base");
    rct_check_names(call, group, "/model/base", base_fields, BASE_FIELDS, others);
    double *table = rct_h5_has(call, group, "table") ? read_table(call, group, &base) : NULL;
    rct_get_single(call, group, &axis_field, &base);
    for (int i = 0; i < BASE_FIELDS; i++) {
        rct_get_single(call, group, &base_fields[i], &base);
    }
    if (call->status == RCT_OK) {
        rct_recall_status(call, rct_model_set_base(model, &base, &why), &why);
    }
    rct_release(table);
    rct_h5_close(call, &group);
}

void rct_recall_forces(rct_call *call, hid_t group, rct_model *model)
{
    if (rct_h5_has(call, group, "forces")) {
        read_forces(call, group, model);
    }
    if (rct_h5_has(call, group, "base")) {
        read_base(call, group, model);
    }
}
