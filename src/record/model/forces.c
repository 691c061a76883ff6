/* The groups /model/forces and /model/base: what acts on the bodies, one dataset for each field,
 * row i for force i. Each exists only if the model has it. */
#include "core/memory.h"
#include "model/forces/force_check.h"
#include "model/model.h"
#include "record/model/model.h"

#include <stddef.h>
#include <string.h>

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
    {"end", 3, offsetof(rct_force, end), "m", "body axes", "drag: where the slender body ends"},
    {"lower", 1, offsetof(rct_force, lower), "m or rad", "none", "limit: lowest without force"},
    {"upper", 1, offsetof(rct_force, upper), "m or rad", "none", "limit: highest without force"},
    {"target", 1, offsetof(rct_force, target), "m or rad", "none", "servo: towards this"},
    {"target_rate", 1, offsetof(rct_force, target_rate), "m/s or rad/s", "none",
     "servo: which moves"},
    {"amplitude", 1, offsetof(rct_force, amplitude), "m or rad", "none", "servo: and swings"},
    {"angular_frequency", 1, offsetof(rct_force, angular_frequency), "rad/s", "none",
     "servo: so fast"},
    {"phase", 1, offsetof(rct_force, phase), "rad", "none", "servo: from this angle on"},
    {"saturation", 1, offsetof(rct_force, saturation), "N or N m", "none",
     "servo: most effort, 0: any"},
    {"coulomb", 1, offsetof(rct_force, coulomb), "N or N m", "none", "friction: far from rest"},
    {"breakaway", 1, offsetof(rct_force, breakaway), "N or N m", "none",
     "friction: near rest, 0: coulomb"},
    {"stribeck", 1, offsetof(rct_force, stribeck), "m/s or rad/s", "none",
     "friction: rate over which the one falls to the other"},
    {"slip", 1, offsetof(rct_force, slip), "m/s or rad/s", "none",
     "friction: far below this rate it sticks"},
    {"diameter", 1, offsetof(rct_force, diameter), "m", "none", "drag: of the slender body"},
    {"density", 1, offsetof(rct_force, density), "kg/m^3", "none", "drag: of the fluid"},
    {"normal", 1, offsetof(rct_force, normal), "1", "none", "drag: coefficient across the body"},
    {"tangential", 1, offsetof(rct_force, tangential), "1", "none",
     "drag: coefficient along the body"},
    {"current", 3, offsetof(rct_force, current), "m/s", "inertial axes", "drag: flow of the fluid"},
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
    ALWAYS = 7, /* the first fields; the others only if a force uses them */
};

/* Bits of the types that the model has. */
static int types_of(const rct_model *model)
{
    int types = 0;
    for (int32_t i = 0; i < model->force_count; i++) {
        types |= 1 << model->forces[i].type;
    }
    return types;
}

/* Whether field k is written for forces of these types. */
static int is_written(int k, int types)
{
    int uses = k < ALWAYS ? ~0 : 0;
    for (int i = 0; i < rct_force_keys.count; i++) {
        const rct_key *key = &rct_force_keys.key[i];
        uses |= strcmp(key->name, force_fields[k].name) == 0 ? key->uses : 0;
    }
    return (uses & types) != 0;
}

static void write_fields(rct_call *call, hid_t group, const rct_model *model, double *column)
{
    const int types = types_of(model);
    for (int k = 0; k < FORCE_FIELDS; k++) {
        for (int32_t i = 0; i < model->force_count; i++) {
            rct_take_field(column, i, &force_fields[k], &model->forces[i]);
        }
        if (is_written(k, types)) {
            rct_put_field(call, group, &force_fields[k], model->force_count, column);
        }
    }
}

static rct_tables tables_of(rct_force *forces, int64_t count)
{
    return (rct_tables){forces, sizeof *forces, count, offsetof(rct_force, rows),
                        offsetof(rct_force, table)};
}

/* Write the argument of curves, and all tables. */
static void write_tables(rct_call *call, hid_t group, const rct_model *model, int32_t *column)
{
    const rct_tables tables = tables_of(model->forces, model->force_count);
    for (int32_t i = 0; i < model->force_count; i++) {
        column[i] = (int32_t)model->forces[i].over;
    }
    rct_put_column(call, group, H5T_NATIVE_INT32, "over", model->force_count,
                   "curve: over 0 the coordinate, 1 the rate, 2 the time", column);
    rct_put_tables(call, group, &tables,
                   "servo: t, target; curve: x, effort: natural cubic splines go through");
}

static void write_coordinates(rct_call *call, hid_t group, const rct_model *model, int32_t *column)
{
    for (int32_t i = 0; i < model->force_count; i++) {
        column[i] = model->forces[i].coordinate;
    }
    rct_put_column(call, group, H5T_NATIVE_INT32, "coordinate", model->force_count,
                   "at hinges: which of the coordinates of the hinge of the body", column);
}

/* Write the rows of the bodies at both ends. */
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
    for (int t = 0; t < RCT_FORCE_TYPES; t++) {
        if (t <= RCT_FORCE_SPRING || (types_of(model) >> t & 1) != 0) {
            rct_h5_put_member(call, type, rct_force_type_name((rct_force_type)t), (int8_t)t);
        }
    }
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
    if ((types_of(model) & RCT_FORCES_AT_HINGES) != 0) {
        write_coordinates(call, group, model, (int32_t *)column);
    }
    if ((types_of(model) & RCT_FORCES_WITH_TABLES) != 0) {
        write_tables(call, group, model, (int32_t *)column);
    }
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
    const int types = types_of(model);
    int64_t one = FORCE_INTEGERS, datasets = 5, bytes = 0;
    for (int k = 0; k < FORCE_FIELDS; k++) {
        if (is_written(k, types)) {
            one += rct_fields_bytes(&force_fields[k], 1);
            datasets++;
        }
    }
    if ((types & RCT_FORCES_AT_HINGES) != 0) {
        one += (int64_t)sizeof(int32_t);
        datasets++;
    }
    if ((types & RCT_FORCES_WITH_TABLES) != 0) {
        const rct_tables tables = tables_of(model->forces, model->force_count);
        one += (int64_t)sizeof(int32_t);
        datasets++;
        bytes += rct_tables_bytes(&tables);
    }
    bytes += model->force_count > 0 ? model->force_count * one + datasets * RCT_DATASET_BYTES : 0;
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
    static const char *const whole[] = {
        "type", "body", "other", "in_body_axes", "coordinate", "over", "rows", "table", NULL};
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
    rct_get_whole(call, &part, "coordinate", offsetof(rct_force, coordinate), forces, size);
    rct_get_whole(call, &part, "over", offsetof(rct_force, over), forces, size);
    for (int k = 0; k < FORCE_FIELDS && call->status == RCT_OK; k++) {
        rct_get_field(call, &part, &force_fields[k], forces, size);
    }
    const rct_tables all = tables_of(forces, n);
    double *tables = rct_get_tables(call, &part, "/model/forces", &all);
    for (int64_t i = 0; i < n && call->status == RCT_OK; i++) {
        rct_error why;
        rct_recall_status(call, rct_model_add_force(model, &forces[i], NULL, &why), &why);
    }
    rct_release(tables);
    rct_release(forces);
    rct_h5_close(call, &group);
}

static void read_base(rct_call *call, hid_t parent, rct_model *model)
{
    rct_error why;
    rct_base base = rct_base_default();
    static const char *const others[] = {"table", "axis", NULL};
    hid_t group = rct_h5_open_group(call, parent, "base");
    rct_check_names(call, group, "/model/base", base_fields, BASE_FIELDS, others);
    int64_t rows = 0;
    double *table =
        rct_h5_has(call, group, "table") ? rct_get_table(call, group, ROW, &rows) : NULL;
    base.rows = (int32_t)rows;
    base.table = table;
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
