/* Checks of a force by itself, by type. */
#include "model/forces/force_check.h"

#include "core/error.h"
#include "core/numbers.h"
#include "model/forces/spline.h"
#include "model/model.h"

#include <inttypes.h>

enum {
    WRENCH = 1 << RCT_FORCE_WRENCH,
    FRICTION = 1 << RCT_FORCE_FRICTION,
    LIMIT = 1 << RCT_FORCE_LIMIT,
    SERVO = 1 << RCT_FORCE_SERVO,
    CURVE = 1 << RCT_FORCE_CURVE,
    DRAG = 1 << RCT_FORCE_DRAG,
    POINTS = RCT_FORCES_BETWEEN_POINTS,
    HINGES = RCT_FORCES_AT_HINGES,
    TABLES = RCT_FORCES_WITH_TABLES,
    ALL = (1 << RCT_FORCE_TYPES) - 1
};

#define KEY(field, uses, count, advice)                                                            \
    {                                                                                              \
#field, offsetof(rct_force, field), uses, count, advice                                    \
    }

static const char body_advice[] = "add the name of a body";

static const rct_key keys[] = {
    {"type", 0, ALL, RCT_HOLDS_OTHER, NULL},
    KEY(body, ALL, RCT_HOLDS_BODY, body_advice),
    {"coordinate", 0, HINGES, RCT_HOLDS_OTHER, NULL},
    KEY(at, WRENCH | POINTS | DRAG, 3, NULL),
    KEY(other, POINTS, RCT_HOLDS_BODY, body_advice),
    KEY(other_at, POINTS, 3, NULL),
    KEY(end, DRAG, 3, "add where the slender body ends, in m and body axes, such as [0, 0, -1]"),
    KEY(lower, LIMIT, 1, "add the lowest coordinate without a force, in m or rad"),
    KEY(upper, LIMIT, 1, "add the highest coordinate without a force, in m or rad"),
    KEY(target, SERVO, 1, NULL),
    KEY(target_rate, SERVO, 1, NULL),
    KEY(amplitude, SERVO, 1, NULL),
    KEY(angular_frequency, SERVO, 1, NULL),
    KEY(phase, SERVO, 1, NULL),
    KEY(stiffness, POINTS | LIMIT | SERVO, 1, NULL),
    KEY(damping, POINTS | LIMIT | SERVO, 1, NULL),
    KEY(length, POINTS, 1, NULL),
    KEY(saturation, SERVO, 1, NULL),
    KEY(coulomb, FRICTION, 1, "add the friction far from rest, in N or N m"),
    KEY(breakaway, FRICTION, 1, NULL),
    KEY(stribeck, FRICTION, 1, NULL),
    KEY(slip, FRICTION, 1, "add the rate below which it sticks, in m/s or rad/s, such as 0.001"),
    KEY(diameter, DRAG, 1, "add the diameter, in m"),
    KEY(density, DRAG, 1, "add the density of the fluid, in kg/m^3, such as 1000"),
    KEY(normal, DRAG, 1, NULL),
    KEY(tangential, DRAG, 1, NULL),
    KEY(current, DRAG, 3, NULL),
    KEY(force, WRENCH, 3, NULL),
    KEY(moment, WRENCH, 3, NULL),
    {"axes", 0, WRENCH, RCT_HOLDS_OTHER, NULL},
    {"over", 0, CURVE, RCT_HOLDS_OTHER, NULL},
    {"table", 0, TABLES, RCT_HOLDS_OTHER, NULL},
};

const rct_keys rct_force_keys = {keys, sizeof keys / sizeof keys[0]};

const char *rct_force_type_name(rct_force_type type)
{
    static const char *const names[RCT_FORCE_TYPES] = {"wrench", "spring", "friction", "limit",
                                                       "servo",  "curve",  "cable",    "drag"};
    return (int)type >= 0 && (int)type < RCT_FORCE_TYPES ? names[type] : NULL;
}

const char *rct_curve_over_name(rct_curve_over over)
{
    static const char *const names[] = {"coordinate", "rate", "time"};
    return (int)over >= 0 && (int)over <= RCT_OVER_TIME ? names[over] : NULL;
}

static const char *wrench_trouble(const rct_force *f)
{
    return f->body == RCT_GROUND ? "a wrench on the ground moves nothing; name a body" : NULL;
}

static const char *spring_trouble(const rct_force *f)
{
    if (f->body == f->other) {
        return "springs and cables are between two bodies: \"body\" and \"other\" must differ";
    }
    return f->stiffness < 0.0 || f->damping < 0.0 || f->length < 0.0
               ? "stiffness, damping and length of a spring or cable must not be negative"
               : NULL;
}

static const char *friction_trouble(const rct_force *f)
{
    if (f->coulomb < 0.0 || (f->breakaway != 0.0 && f->breakaway < f->coulomb)) {
        return "friction: coulomb must not be negative, and breakaway, if it is given, must not be "
               "less than coulomb";
    }
    if (f->stribeck < 0.0 || (f->breakaway != 0.0 && f->stribeck == 0.0)) {
        return "friction: stribeck, the rate over which breakaway falls to coulomb, must be "
               "positive if there is a breakaway";
    }
    return f->slip > 0.0 ? NULL
                         : "friction: slip, the rate below which it sticks, must be positive";
}

static const char *limit_trouble(const rct_force *f)
{
    if (f->lower > f->upper) {
        return "limit: lower must not be above upper";
    }
    return f->stiffness < 0.0 || f->damping < 0.0
               ? "limit: stiffness and damping must not be negative"
               : NULL;
}

static const char *servo_trouble(const rct_force *f)
{
    const int moves = f->target != 0.0 || f->target_rate != 0.0 || f->amplitude != 0.0 ||
                      f->angular_frequency != 0.0 || f->phase != 0.0;
    if (f->rows > 0 && moves) {
        return "servo: give either a table, or target, target_rate, amplitude, angular_frequency "
               "and phase";
    }
    return f->stiffness < 0.0 || f->damping < 0.0 || f->saturation < 0.0
               ? "servo: stiffness, damping and saturation must not be negative"
               : NULL;
}

static const char *curve_trouble(const rct_force *f)
{
    if (rct_curve_over_name(f->over) == NULL) {
        return "curve: over must be coordinate, rate or time";
    }
    return f->rows == 0 ? "curve: it needs a table of at least two rows" : NULL;
}

static const char *drag_trouble(const rct_force *f)
{
    if (rct_all_equal(f->at, f->end, 3)) {
        return "drag: its ends are the same point; a slender body needs a length";
    }
    if (!(f->diameter > 0.0)) {
        return "drag: diameter must be positive";
    }
    return f->density < 0.0 || f->normal < 0.0 || f->tangential < 0.0
               ? "drag: density and coefficients must not be negative"
               : NULL;
}

/* For each type: its check, and the message about fields that it does not have. */
static const struct {
    const char *(*trouble)(const rct_force *);
    const char *foreign;
} rules[RCT_FORCE_TYPES] = {
    {wrench_trouble, "a wrench has no other end, stiffness, damping or length, which springs have, "
                     "and no field of forces at hinges or of drag"},
    {spring_trouble, "a spring has no force, moment or axes, which wrenches have, and no field of "
                     "forces at hinges or of drag"},
    {friction_trouble, "friction has only body, coordinate, coulomb, breakaway, stribeck and slip"},
    {limit_trouble, "a limit has only body, coordinate, lower, upper, stiffness and damping"},
    {servo_trouble, "a servo has only body, coordinate, target, target_rate, amplitude, "
                    "angular_frequency, phase, stiffness, damping, saturation and table"},
    {curve_trouble, "a curve has only body, coordinate, over and table"},
    {spring_trouble, "a cable has only body, at, other, other_at, stiffness, damping and length"},
    {drag_trouble,
     "drag has only body, at, end, diameter, density, normal, tangential and current"},
};

/* Whether fields that are not doubles are given. */
static int has_others(const rct_force *f)
{
    const int uses = 1 << f->type;
    return (f->in_body_axes && !(uses & WRENCH)) || (f->coordinate != 0 && !(uses & HINGES)) ||
           (f->over != RCT_OVER_COORDINATE && !(uses & CURVE)) ||
           ((f->rows != 0 || f->table != NULL) && !(uses & TABLES));
}

static const char *table_trouble(const rct_force *f, char text[RCT_TABLE_TROUBLE])
{
    if (f->rows != 0 && (f->rows < 2 || f->rows > INT32_MAX || f->table == NULL)) {
        return "a table needs at least two rows of two numbers";
    }
    return rct_splines_trouble(f->table, 1, f->rows, text);
}

/* What is wrong with the numbers of a force; NULL: nothing. RCT_FORCE_TYPES types, one for each. */
static const char *force_trouble(const rct_force *f, char text[RCT_TABLE_TROUBLE])
{
    const rct_force plain = rct_force_default();
    if (rct_force_type_name(f->type) == NULL) {
        return "unknown type; this version knows wrench, spring, friction, limit, servo, curve, "
               "cable and drag";
    }
    if (!rct_keys_finite(&rct_force_keys, f)) {
        return "a number is not finite";
    }
    if (!(1 << f->type & POINTS) && f->type != RCT_FORCE_WRENCH && f->body == RCT_GROUND) {
        return "it acts on a body or its hinge, not on the ground; name a body";
    }
    const char *trouble = table_trouble(f, text);
    trouble = trouble != NULL ? trouble : rules[f->type].trouble(f);
    if (trouble == NULL &&
        (has_others(f) || rct_keys_unused(&rct_force_keys, 1 << f->type, f, &plain))) {
        trouble = rules[f->type].foreign;
    }
    return trouble;
}

rct_status rct_force_check(rct_force *force, int32_t index, rct_error *error)
{
    const rct_force plain = rct_force_default();
    char text[RCT_TABLE_TROUBLE];
    const char *trouble = force_trouble(force, text);
    if (trouble != NULL) {
        return rct_fail(error, RCT_ERROR_MODEL, "force %" PRId32 ": %s", index, trouble);
    }
    force->in_body_axes = force->in_body_axes != 0;
    rct_keys_clear(&rct_force_keys, 1 << force->type, force, &plain);
    return RCT_OK;
}
