/* Checks of one body alone: finite numbers, mass, inertia, quaternions, hinge. */
#include "model/body_check.h"

#include "core/error.h"
#include "core/numbers.h"
#include "model/hinge_types.h"
#include "model/inertia.h"
#include "model/model.h"
#include "model/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct where {
    int32_t id;
    const char *name;
    rct_error *error;
} where;

/* Returns 0, so that a chain of checks can return it. */
__attribute__((format(printf, 2, 3))) static int fail(const where *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    rct_fail_list(at->error, RCT_ERROR_MODEL, at->id, format, arguments);
    va_end(arguments);
    rct_error_prefix(at->error, "body %" PRId32 " \"%s\": ", at->id, at->name);
    return 0;
}

static int check_finite(const where *at, const char *field, const double *value, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(value[i])) {
            return fail(at, "%s is %g; give finite numbers", field, value[i]);
        }
    }
    return 1;
}

static int check_numbers(const where *at, const rct_body *body)
{
    const size_t first = offsetof(rct_body, hinge_at); /* from here on a body is numbers */
    if (rct_all_finite((const double *)(const void *)((const char *)body + first),
                       (int64_t)((sizeof *body - first) / sizeof(double)))) {
        return 1;
    }
    int good = check_finite(at, "the mass", &body->mass, 1) &&
               check_finite(at, "the centre of mass", body->com, 3) &&
               check_finite(at, "the inertia", body->inertia, 6);
    for (int key = 0; key < RCT_HINGE_KEYS && good; key++) {
        good = check_finite(at, rct_hinge_keys[key].subject, rct_hinge_numbers(body, key),
                            rct_hinge_keys[key].width);
    }
    return good;
}

static int check_mass(const where *at, const rct_body *body)
{
    if (body->mass < 0.0) {
        return fail(at, "the mass is %g kg; it must not be negative", body->mass);
    }
    return body->mass > 0.0 || rct_all_zero(body->inertia, 6) ||
           fail(at, "a body of mass 0 has inertia; give it mass, or an inertia of zeros");
}

static int check_inertia(const where *at, const rct_body *body)
{
    double p[3];
    switch (rct_inertia_trouble(body->inertia, p)) {
    case RCT_INERTIA_NEGATIVE:
        return fail(at,
                    "the inertia is not positive: a principal moment is %g kg m^2; give xx yy zz "
                    "xy xz yz about the centre of mass",
                    p[0]);
    case RCT_INERTIA_UNEVEN:
        return fail(
            at,
            "the inertia violates the triangle inequality: principal moments %g > %g + %g kg "
            "m^2; no rigid body has it, correct xx yy zz xy xz yz",
            p[2], p[0], p[1]);
    case RCT_INERTIA_SOUND: break;
    }
    return 1;
}

static int normalize(const where *at, const char *field, double q[4])
{
    return rct_make_unit(q, 4) ||
           fail(at,
                "%s is a quaternion of zero length; give w x y z, such as 1 0 0 0 for no rotation",
                field);
}

static int negative(const double *x, int count)
{
    int any = 0;
    for (int i = 0; i < count; i++) {
        any = any || x[i] < 0.0;
    }
    return any;
}

/* How many numbers of a key the hinge uses. A rate and a velocity are the same numbers. */
static int used(rct_hinge_type type, int key)
{
    return key == RCT_KEY_RATE || key == RCT_KEY_VELOCITY
               ? rct_hinge_uses(type, RCT_KEY_RATE) + rct_hinge_uses(type, RCT_KEY_VELOCITY)
               : rct_hinge_uses(type, key);
}

/* Bits of the keys that are given but that the hinge does not use. */
static int given_unused(const rct_body *body)
{
    const rct_body *plain = &rct_plain_body;
    int given = 0;
    for (int key = 0; key < RCT_HINGE_KEYS; key++) {
        const int n = used(body->hinge, key);
        const double *x = rct_hinge_numbers(body, key), *none = rct_hinge_numbers(plain, key);
        given |= !rct_all_equal(x + n, none + n, rct_hinge_keys[key].width - n) << key;
    }
    return given;
}

enum {
    PLACE = 1 << RCT_KEY_AT,
    FRAME = 1 << RCT_KEY_FRAME,
    AXES = 1 << RCT_KEY_AXIS | 1 << RCT_KEY_AXIS2 | 1 << RCT_KEY_PITCH,
    START = 1 << RCT_KEY_POSITION | 1 << RCT_KEY_RATE | 1 << RCT_KEY_VELOCITY,
    ABSOLUTE = 1 << RCT_KEY_ORIENTATION | 1 << RCT_KEY_ANGULAR_VELOCITY
};

/* A number that the hinge does not use must not be given: it would be ignored silently. */
static int check_unused(const where *at, const rct_body *body)
{
    const rct_hinge_type type = body->hinge;
    const char *name = rct_hinge_name(type);
    const int given = given_unused(body);
    if (given & FRAME) {
        return fail(at,
                    "a %s hinge has no orientation of its own; give the body's initial orientation "
                    "in inertial axes instead",
                    name);
    }
    if (given & PLACE) {
        return fail(at, "a %s hinge has no place in its parent; give the body's initial position",
                    name);
    }
    if (rct_hinge_uses(type, RCT_KEY_AT) == 0 && body->parent != RCT_GROUND) {
        return fail(at, "a free body does not hang on another; its parent must be the ground");
    }
    if (given & ABSOLUTE) {
        return rct_hinge_freedoms(type) == 0
                   ? fail(at,
                          "a %s hinge has no initial state; place the body by the hinge's "
                          "orientation",
                          name)
                   : fail(at, "its hinge has no initial orientation or angular velocity; give the "
                              "hinge's position and rate");
    }
    if (given & AXES) {
        return fail(at, "an axis, second axis or pitch is given that its hinge type does not use; "
                        "leave it out");
    }
    if (given & START) {
        return fail(at, "its initial position or rate has more numbers than its hinge has "
                        "freedoms; leave the others out");
    }
    return given == 0 || fail(at, "a stiffness, rest position, damping, applied force or armature "
                                  "is given that its hinge does not use; leave it out");
}

/* Whether the hinge slides along both its axes, which are then perpendicular. */
static int is_across(rct_hinge_type type)
{
    int across = 0;
    for (int k = 0; k < 3; k++) {
        across = across || rct_hinges[type].freedom[k] == RCT_SLIDE_3;
    }
    return across;
}

/* Scale axes to length 1; make the second axis of a planar hinge perpendicular to the first. */
static int check_axes(const where *at, rct_body *body)
{
    const rct_hinge_type type = body->hinge;
    if (rct_hinge_uses(type, RCT_KEY_AXIS) > 0 && !rct_make_unit(body->hinge_axis, 3)) {
        return fail(at, "its hinge axis has length zero; give a direction, such as [0, 0, 1]");
    }
    if (rct_hinge_uses(type, RCT_KEY_AXIS2) == 0) {
        return 1;
    }
    if (!rct_make_unit(body->hinge_axis2, 3)) {
        return fail(at,
                    "its second hinge axis has length zero; give a direction, such as [1, 0, 0]");
    }
    if (rct_are_parallel(body->hinge_axis, body->hinge_axis2)) {
        return fail(at, "its two hinge axes are parallel; give another second axis");
    }
    if (type == RCT_HINGE_UNIVERSAL && !rct_are_apart(body->hinge_axis, body->hinge_axis2)) {
        return fail(at, "its two hinge axes are less than 1e-3 rad apart, and turns about them are "
                        "nearly the same; give another second axis, or a revolute hinge");
    }
    if (is_across(type)) {
        rct_make_perpendicular(body->hinge_axis, body->hinge_axis2);
    }
    return 1;
}

static int fail_unknown(const where *at)
{
    char text[192] = "unknown hinge type; this version knows ";
    for (int i = 0; i < RCT_HINGE_TYPES; i++) {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s",
                 i == 0                     ? ""
                 : i == RCT_HINGE_TYPES - 1 ? " and "
                                            : ", ",
                 rct_hinges[i].name);
    }
    return fail(at, "%s", text);
}

/* Whether only the first of three numbers of a ball hinge is given. On entry it stands for all
 * three. */
static int is_lone(const rct_body *body, const double x[3])
{
    return body->hinge == RCT_HINGE_BALL && x[0] != 0.0 && x[1] == 0.0 && x[2] == 0.0;
}

void rct_body_enter(rct_body *body)
{
    double *const all[] = {body->stiffness, body->damping};
    for (int i = 0; i < 2; i++) {
        if (is_lone(body, all[i])) {
            all[i][1] = all[i][2] = all[i][0];
        }
    }
}

/* Whether the hinge frame is turned against the parent. */
static int is_turned(const rct_body *body)
{
    return !rct_all_zero(body->hinge_orientation + 1, 3);
}

static int check_hinge(const where *at, rct_body *body)
{
    if (rct_hinge_name(body->hinge) == NULL) {
        return fail_unknown(at);
    }
    if (!check_unused(at, body) || !check_axes(at, body)) {
        return 0;
    }
    if (!rct_hinge_is_turned(body->hinge, body->position)) {
        return fail(at, "its initial position is an angle of 2^50 rad or more, which leaves hardly "
                        "a digit for the part of a turn; leave whole turns out");
    }
    if (body->hinge == RCT_HINGE_BALL && !rct_bends(body) && is_turned(body)) {
        return fail(at,
                    "a ball hinge without stiffness has no orientation of its own; give the body's "
                    "initial orientation in inertial axes instead, or a stiffness");
    }
    const int any_negative =
        negative(body->stiffness, 3) || negative(body->damping, 3) || negative(body->armature, 3);
    if (any_negative) {
        return fail(at, "stiffness, damping and armature of a hinge must not be negative");
    }
    return !is_lone(body, body->stiffness) && !is_lone(body, body->damping)
               ? 1
               : fail(at, "stiffness or damping of its ball hinge about the first axis alone reads "
                          "like one number for all axes; give the other two axes a small number");
}

/* Numbers that the hinge does not use equal their defaults, but may be negative zeros, as may
 * numbers along its freedoms. */
static void clear_zeros(rct_body *body)
{
    for (int key = 0; key < RCT_HINGE_KEYS; key++) {
        const int along = (key >= RCT_KEY_PITCH && key <= RCT_KEY_VELOCITY) ||
                          (key == RCT_KEY_FRAME && body->hinge == RCT_HINGE_BALL);
        double *x = rct_hinge_numbers_in(body, key);
        for (int i = along ? 0 : used(body->hinge, key); i < rct_hinge_keys[key].width; i++) {
            x[i] = x[i] == 0.0 ? 0.0 : x[i];
        }
    }
}

rct_status rct_body_check(rct_body *body, int32_t id, const char *name, rct_error *error)
{
    const where at = {id, name, error};
    const int good = check_numbers(&at, body) && check_mass(&at, body) &&
                     check_inertia(&at, body) &&
                     normalize(&at, "the hinge's orientation", body->hinge_orientation) &&
                     normalize(&at, "the orientation", body->orientation) && check_hinge(&at, body);
    if (good) {
        clear_zeros(body);
    }
    return good ? RCT_OK : RCT_ERROR_MODEL;
}
