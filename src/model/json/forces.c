/* The forces of a model file: elements of "forces" -> rct_force. Keys, types, coordinates and
 * names of bodies are checked here, the numbers when the force is added to the model. */
#include "core/memory.h"
#include "model/forces/force_check.h"
#include "model/json/read.h"
#include "model/model.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *type_name(int type)
{
    return rct_force_type_name((rct_force_type)type);
}

static const char *over_name(int over)
{
    return rct_curve_over_name((rct_curve_over)over);
}

static const rct_json_types types = {.what = "a force",
                                     .before = "",
                                     .after = " of a force",
                                     .advice = "add \"wrench\", \"spring\" or another one",
                                     .name = type_name,
                                     .count = RCT_FORCE_TYPES};

static void read_axes(rct_json_reader *reader, const rct_json *value, rct_force *force)
{
    const char *axes = "inertial";
    rct_json_text(reader, value, "axes", &axes);
    force->in_body_axes = strcmp(axes, "body") == 0;
    if (!force->in_body_axes && strcmp(axes, "inertial") != 0) {
        rct_json_fail(reader, "axes", "\"axes\" is \"%.64s\"; give \"body\" or \"inertial\"", axes);
    }
}

/* The coordinate of the hinge on which the force acts. */
static void read_coordinate(rct_json_reader *reader, const rct_json *value, rct_force *force)
{
    double number = 0.0;
    rct_json_one(reader, value, "coordinate", &number);
    if (reader->status == RCT_OK && force->body == RCT_GROUND) {
        rct_json_fail(reader, "body",
                      "\"body\" is the ground, which has no hinge; give the name of a body");
    }
    if (reader->status == RCT_OK) {
        force->coordinate = rct_json_coordinate(number);
        rct_json_coordinate_trouble(reader, value, number, force->body,
                                    rct_force_coordinate_trouble(reader->model, force));
    }
}

/* How strong a force is must be given, be it 0: otherwise a word that is forgotten leaves it without
 * effect. */
static void check_strength(rct_json_reader *reader, const rct_json *value, int uses,
                           const char *what)
{
    const int pulls =
        uses & (RCT_FORCES_BETWEEN_POINTS | 1 << RCT_FORCE_LIMIT | 1 << RCT_FORCE_SERVO);
    const char *one = pulls ? "stiffness" : "force", *other = pulls ? "damping" : "moment";
    if ((pulls || uses == 1 << RCT_FORCE_WRENCH) && rct_json_member(value, one) == NULL &&
        rct_json_member(value, other) == NULL) {
        rct_json_fail(reader, "type", "%s needs \"%s\" or \"%s\"; add one, if only as 0", what, one,
                      other);
    }
}

static void read_force(rct_json_reader *reader, const rct_json *value)
{
    rct_force force = rct_force_default();
    double *table = NULL;
    force.type = (rct_force_type)rct_json_type_in(reader, value, &types);
    const int uses = 1 << force.type;
    const rct_json *rows = uses & RCT_FORCES_WITH_TABLES ? rct_json_member(value, "table") : NULL;
    char what[32];
    snprintf(what, sizeof what, "a %s", type_name((int)force.type));
    rct_json_check_keys(reader, value, what, &rct_force_keys, uses);
    rct_json_read_keys(reader, value, &rct_force_keys, uses, &force);
    if (force.type == RCT_FORCE_WRENCH) {
        read_axes(reader, value, &force);
    } else if (force.type == RCT_FORCE_CURVE) {
        force.over = (rct_curve_over)rct_json_word(reader, value, "over", over_name, 0);
    }
    if (reader->status == RCT_OK && rct_force_is_at_hinge(&force)) {
        read_coordinate(reader, value, &force);
    }
    if (reader->status == RCT_OK && rows != NULL) {
        force.table = table = rct_json_table(reader, rows, 2, "[x, y]", &force.rows);
    }
    if (reader->status == RCT_OK) {
        rct_json_heard(reader, rct_model_add_force(reader->model, &force, NULL, reader->error));
    }
    if (reader->status == RCT_OK) {
        check_strength(reader, value, uses, what);
    }
    rct_release(table);
}

void rct_json_forces(rct_json_reader *reader)
{
    rct_json_each(reader, "forces", "force", read_force);
}
