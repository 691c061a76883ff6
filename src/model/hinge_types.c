/* The tables of hinges (hinge_types.h). */
#include "model/hinge_types.h"

#include "core/rotation.h"

#include <math.h>
#include <string.h>

#define PARENT_AXES "axes of the parent (ground: inertial)"
#define HINGE_AXES  "of the hinge, free: inertial"

#define KEY(id, section, name, field, ...)                                                         \
    [RCT_KEY_##id] = {section, name, offsetof(rct_body, field), __VA_ARGS__}

const rct_hinge_key rct_hinge_keys[RCT_HINGE_KEYS] = {
    KEY(AT, "hinge", "at", hinge_at, 3, "the hinge's point", "m", PARENT_AXES,
        "hinge point in the parent, from the parent's own hinge point", NULL),
    KEY(FRAME, "hinge", "orientation", hinge_orientation, 4, "the hinge's orientation", "1",
        PARENT_AXES, "quaternion w x y z that turns the hinge frame's axes into the parent's",
        NULL),
    KEY(AXIS, "hinge", "axis", hinge_axis, 3, "the hinge's axis", "1", "hinge frame",
        "axis of the hinge", "add the direction of the hinge in its frame, such as [0, 0, 1]"),
    KEY(AXIS2, "hinge", "axis2", hinge_axis2, 3, "the hinge's second axis", "1", "hinge frame",
        "second axis of the hinge",
        "add the second direction of the hinge in its frame, such as [1, 0, 0]"),
    KEY(PITCH, "hinge", "pitch", hinge_pitch, 1, "the hinge's pitch", "m/rad", "none",
        "helical hinge: way along its axis by its angle",
        "add how far a turn takes the body along the axis, in m/rad"),
    KEY(STIFFNESS, "hinge", "stiffness", stiffness, 3, "the hinge's stiffness", "N/m or N m/rad",
        "none", "stiffness by freedom, of a ball hinge about the axes of its frame", NULL),
    KEY(REST, "hinge", "rest", rest, 3, "the hinge's rest position", "m or rad", "none",
        "coordinates at which the stiffness exerts nothing", NULL),
    KEY(DAMPING, "hinge", "damping", damping, 3, "the hinge's damping", "N s/m or N m s/rad",
        "none", "damping by freedom, of a ball hinge about the axes of the body", NULL),
    KEY(APPLIED, "hinge", "applied", applied, 3, "the hinge's applied force", "N or N m", "none",
        "constant force by freedom", NULL),
    KEY(ARMATURE, "hinge", "armature", armature, 3, "the hinge's armature", "kg or kg m^2", "none",
        "rotor inertia by freedom", NULL),
    KEY(POSITION, "initial", "position", position, 3, "the initial position", "m or rad",
        HINGE_AXES, "coordinates at the model's start, of a free hinge the position", NULL),
    KEY(RATE, "initial", "rate", rate, 3, "the initial rate", "m/s or rad/s", HINGE_AXES,
        "rates at the model's start, of a free hinge the velocity", NULL),
    KEY(VELOCITY, "initial", "velocity", rate, 3, "the initial velocity", "m/s", "inertial axes",
        "free hinge: velocity at the model's start", NULL),
    KEY(ORIENTATION, "initial", "orientation", orientation, 4, "the orientation", "1",
        "inertial axes",
        "ball and free hinge: quaternion w x y z at the model's start, body axes to inertial",
        NULL),
    KEY(ANGULAR_VELOCITY, "initial", "angular_velocity", angular_velocity, 3,
        "the angular velocity", "rad/s", "inertial axes",
        "ball and free hinge: angular velocity at the model's start", NULL),
};

/* Numbers that several types use: a second axis, a place in the parent, an absolute start, n
 * coordinates of an axis. */
#define SECOND   [RCT_KEY_AXIS2] = 3
#define PLACED   [RCT_KEY_AT] = 3, [RCT_KEY_FRAME] = 4
#define ABSOLUTE [RCT_KEY_ORIENTATION] = 4, [RCT_KEY_ANGULAR_VELOCITY] = 3
#define ALONG(n)                                                                                   \
    PLACED, [RCT_KEY_AXIS] = 3, [RCT_KEY_STIFFNESS] = (n), [RCT_KEY_REST] = (n),                   \
            [RCT_KEY_DAMPING] = (n), [RCT_KEY_APPLIED] = (n), [RCT_KEY_ARMATURE] = (n),            \
            [RCT_KEY_POSITION] = (n), [RCT_KEY_RATE] = (n)

enum { AXIS = 1 << RCT_KEY_AXIS, AXIS2 = 1 << RCT_KEY_AXIS2, PITCH = 1 << RCT_KEY_PITCH };

const rct_hinge_traits rct_hinges[RCT_HINGE_TYPES] = {
    [RCT_HINGE_FIXED] = {"fixed", 0, 0, {PLACED}, 0, {0}},
    [RCT_HINGE_BALL] =
        {"ball", 4, 3, {PLACED, [RCT_KEY_STIFFNESS] = 3, [RCT_KEY_DAMPING] = 3, ABSOLUTE}, 0, {0}},
    [RCT_HINGE_REVOLUTE] = {"revolute", 1, 1, {ALONG(1)}, AXIS, {RCT_TURN_1}},
    [RCT_HINGE_PRISMATIC] = {"prismatic", 1, 1, {ALONG(1)}, AXIS, {RCT_SLIDE_1}},
    [RCT_HINGE_UNIVERSAL] =
        {"universal", 2, 2, {ALONG(2), SECOND}, AXIS | AXIS2, {RCT_TURN_1, RCT_TURN_2}},
    [RCT_HINGE_CYLINDRICAL] = {"cylindrical", 2, 2, {ALONG(2)}, AXIS, {RCT_TURN_1, RCT_SLIDE_1}},
    [RCT_HINGE_PLANAR] =
        {"planar", 3, 3, {ALONG(3), SECOND}, AXIS, {RCT_SLIDE_2, RCT_SLIDE_3, RCT_TURN_1}},
    [RCT_HINGE_HELICAL] =
        {"helical", 1, 1, {ALONG(1), [RCT_KEY_PITCH] = 1}, AXIS | PITCH, {RCT_TURN_1}},
    [RCT_HINGE_FREE] =
        {"free", 7, 6, {[RCT_KEY_POSITION] = 3, [RCT_KEY_VELOCITY] = 3, ABSOLUTE}, 0, {0}},
};

static int known(rct_hinge_type type)
{
    return (int)type >= 0 && (int)type < RCT_HINGE_TYPES;
}

const char *rct_hinge_name(rct_hinge_type type)
{
    return known(type) ? rct_hinges[type].name : NULL;
}

int32_t rct_hinge_coordinates(rct_hinge_type type)
{
    return known(type) ? rct_hinges[type].coordinates : 0;
}

int32_t rct_hinge_freedoms(rct_hinge_type type)
{
    return known(type) ? rct_hinges[type].freedoms : 0;
}

static int is_absolute(rct_hinge_type type)
{
    return type == RCT_HINGE_BALL || type == RCT_HINGE_FREE;
}

const char *rct_hinge_coordinate_unit(rct_hinge_type type, int32_t i)
{
    if (i < 0 || i >= rct_hinge_coordinates(type)) {
        return NULL;
    }
    return is_absolute(type) ? (i < 4 ? "1" : "m") : rct_hinge_turns(type, i) ? "rad" : "m";
}

const char *rct_hinge_rate_unit(rct_hinge_type type, int32_t i)
{
    if (i < 0 || i >= rct_hinge_freedoms(type)) {
        return NULL;
    }
    return (is_absolute(type) ? i < 3 : rct_hinge_turns(type, i)) ? "rad/s" : "m/s";
}

int rct_hinge_is_turned(rct_hinge_type type, const double *coordinates)
{
    int good = 1;
    for (int k = 0;
         k < rct_hinge_uses(type, RCT_KEY_POSITION) && rct_hinge_uses(type, RCT_KEY_AXIS) > 0;
         k++) {
        good = good && (!rct_hinge_turns(type, k) || fabs(coordinates[k]) < 0x1p50);
    }
    return good;
}

void rct_hinge_direction(double out[3], rct_hinge_type type, int k, const double axis[3],
                         const double axis2[3])
{
    switch (rct_hinges[type].freedom[k]) {
    case RCT_TURN_1:
    case RCT_SLIDE_1: memcpy(out, axis, 3 * sizeof *out); break;
    case RCT_TURN_2:
    case RCT_SLIDE_2: memcpy(out, axis2, 3 * sizeof *out); break;
    case RCT_SLIDE_3: rct_cross(axis, axis2, out); break;
    }
}
