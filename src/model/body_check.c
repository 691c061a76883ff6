/* What can be seen on one body alone: finite numbers, mass, inertia, quaternions, hinge. */
#include "model/body_check.h"

#include "core/error.h"
#include "core/numbers.h"
#include "model/inertia.h"
#include "model/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Inertia typed to some ten digits must pass: slack of the triangle inequality, of the largest
 * principal moment. */
static const double inertia_slack = 1e-9;

static const double identity[4] = {1.0, 0.0, 0.0, 0.0};

typedef struct where {
    int32_t id;
    const char *name;
    rct_error *error;
} where;

static rct_status check_finite(const where *at, const char *field, const double *value, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(value[i])) {
            return rct_fail_body(at->error, RCT_ERROR_MODEL, at->id,
                                 "body %" PRId32 " \"%s\": %s is %g; give finite numbers", at->id,
                                 at->name, field, value[i]);
        }
    }
    return RCT_OK;
}

static rct_status check_numbers(const where *at, const rct_body *body)
{
    const struct {
        const char *field;
        const double *value;
        int count;
    } fields[] = {
        {"the hinge's point", body->hinge_at, 3},
        {"the hinge's orientation", body->hinge_orientation, 4},
        {"the mass", &body->mass, 1},
        {"the centre of mass", body->com, 3},
        {"the inertia", body->inertia, 6},
        {"the orientation", body->orientation, 4},
        {"the angular velocity", body->angular_velocity, 3},
        {"the hinge's axis", body->hinge_axis, 3},
        {"the hinge's second axis", body->hinge_axis2, 3},
        {"the hinge's pitch", &body->hinge_pitch, 1},
        {"the initial position", body->position, 3},
        {"the initial rate", body->rate, 3},
        {"the hinge's stiffness", body->stiffness, 3},
        {"the hinge's rest position", body->rest, 3},
        {"the hinge's damping", body->damping, 3},
        {"the hinge's applied force", body->applied, 3},
    };
    rct_status status = RCT_OK;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && status == RCT_OK; i++) {
        status = check_finite(at, fields[i].field, fields[i].value, fields[i].count);
    }
    return status;
}

static rct_status check_mass(const where *at, const rct_body *body)
{
    if (!(body->mass > 0.0)) {
        return rct_fail_body(at->error, RCT_ERROR_MODEL, at->id,
                             "body %" PRId32 " \"%s\": the mass is %g kg; it must be positive",
                             at->id, at->name, body->mass);
    }
    return RCT_OK;
}

/* Moments p <= q <= r of a rigid body: p >= 0 and r <= p + q. */
static rct_status check_inertia(const where *at, const rct_body *body)
{
    double p[3];
    rct_principal_moments(body->inertia, p);
    const double slack = inertia_slack * fmax(fabs(p[0]), fabs(p[2]));
    if (p[0] < -slack) {
        return rct_fail_body(at->error, RCT_ERROR_MODEL, at->id,
                             "body %" PRId32 " \"%s\": the inertia is not positive: a principal "
                             "moment is %g kg m^2; give xx yy zz xy xz yz about the centre of mass",
                             at->id, at->name, p[0]);
    }
    if (p[2] > p[0] + p[1] + slack) {
        return rct_fail_body(at->error, RCT_ERROR_MODEL, at->id,
                             "body %" PRId32 " \"%s\": the inertia violates the triangle "
                             "inequality: principal moments %g > %g + %g kg m^2; no rigid body has "
                             "it, correct xx yy zz xy xz yz",
                             at->id, at->name, p[2], p[0], p[1]);
    }
    return RCT_OK;
}

static rct_status normalize(const where *at, const char *field, double q[4])
{
    if (!rct_make_unit(q, 4)) {
        return rct_fail_body(at->error, RCT_ERROR_MODEL, at->id,
                             "body %" PRId32 " \"%s\": %s is a quaternion of zero length; give "
                             "w x y z, as 1 0 0 0 for none",
                             at->id, at->name, field);
    }
    return RCT_OK;
}

static int negative(const double *x, int count)
{
    int any = 0;
    for (int i = 0; i < count; i++) {
        any = any || x[i] < 0.0;
    }
    return any;
}

static int is_absolute(rct_hinge_type type)
{
    return type == RCT_HINGE_BALL || type == RCT_HINGE_FREE;
}

static int has_axis(rct_hinge_type type)
{
    return type != RCT_HINGE_FIXED && !is_absolute(type);
}

static int has_axis2(rct_hinge_type type)
{
    return type == RCT_HINGE_UNIVERSAL || type == RCT_HINGE_PLANAR;
}

/* What the hinge has no use for must not be given: it would be ignored in silence. */
static const char *unused_trouble(const rct_body *body)
{
    const rct_body plain = rct_body_default();
    const rct_hinge_type type = body->hinge;
    const int32_t most = is_absolute(type) ? 0 : rct_hinge_freedoms(type);
    const int32_t damped = type == RCT_HINGE_BALL ? 1 : most;
    if (is_absolute(type) && !rct_all_equal(body->hinge_orientation, identity, 4)) {
        return type == RCT_HINGE_BALL
                   ? "a ball hinge has no orientation of its own; give the body's initial "
                     "orientation in inertial axes instead"
                   : "a free hinge has no orientation of its own; give the body's initial "
                     "orientation in inertial axes instead";
    }
    if (type == RCT_HINGE_FREE && !rct_all_zero(body->hinge_at, 3)) {
        return "a free hinge has no place in its parent; give the body's initial position";
    }
    if (type == RCT_HINGE_FREE && body->parent != RCT_GROUND) {
        return "a free body hangs on nothing; its parent must be the ground";
    }
    if (!is_absolute(type) && (!rct_all_equal(body->orientation, identity, 4) ||
                               !rct_all_zero(body->angular_velocity, 3))) {
        return type == RCT_HINGE_FIXED
                   ? "a fixed hinge has no initial state; place the body by the hinge's "
                     "orientation"
                   : "its hinge has no initial orientation or angular velocity; give the "
                     "hinge's position and rate";
    }
    if ((!has_axis(type) && !rct_all_equal(body->hinge_axis, plain.hinge_axis, 3)) ||
        (!has_axis2(type) && !rct_all_equal(body->hinge_axis2, plain.hinge_axis2, 3)) ||
        (type != RCT_HINGE_HELICAL && body->hinge_pitch != 0.0)) {
        return "an axis, second axis or pitch is given that its hinge type has no use for";
    }
    const int32_t states = type == RCT_HINGE_FREE ? 3 : most;
    if (!rct_all_zero(body->position + states, 3 - states) ||
        !rct_all_zero(body->rate + states, 3 - states)) {
        return "its initial position or rate has more numbers than its hinge has freedoms";
    }
    if (!rct_all_zero(body->stiffness + most, 3 - most) ||
        !rct_all_zero(body->rest + most, 3 - most) ||
        !rct_all_zero(body->applied + most, 3 - most) ||
        !rct_all_zero(body->damping + damped, 3 - damped)) {
        return "a stiffness, rest position, damping or applied force is given that its hinge has "
               "no use for";
    }
    return NULL;
}

/* Axes to length 1, the second of a planar hinge perpendicular to the first; NULL or what is wrong. */
static const char *axes_trouble(rct_body *body)
{
    const rct_hinge_type type = body->hinge;
    if (has_axis(type) && !rct_make_unit(body->hinge_axis, 3)) {
        return "its hinge axis has length zero; give a direction, as [0, 0, 1]";
    }
    if (has_axis2(type) && !rct_make_unit(body->hinge_axis2, 3)) {
        return "its second hinge axis has length zero; give a direction, as [1, 0, 0]";
    }
    if (has_axis2(type) && rct_are_parallel(body->hinge_axis, body->hinge_axis2)) {
        return "its two hinge axes are parallel; give another second axis";
    }
    if (type == RCT_HINGE_PLANAR) {
        rct_make_perpendicular(body->hinge_axis, body->hinge_axis2);
    }
    return NULL;
}

static rct_status check_hinge(const where *at, rct_body *body)
{
    const char *trouble = NULL;
    if (rct_hinge_name(body->hinge) == NULL) {
        trouble = "unknown hinge type; this version knows fixed, ball, revolute, prismatic, "
                  "universal, cylindrical, planar, helical and free";
    } else {
        trouble = unused_trouble(body);
    }
    if (trouble == NULL) {
        trouble = axes_trouble(body);
    }
    if (trouble == NULL && (negative(body->stiffness, 3) || negative(body->damping, 3))) {
        trouble = "stiffness and damping of a hinge must not be negative";
    }
    if (trouble != NULL) {
        return rct_fail_body(at->error, RCT_ERROR_MODEL, at->id, "body %" PRId32 " \"%s\": %s",
                             at->id, at->name, trouble);
    }
    return RCT_OK;
}

static void clear_zeros(double *x, int count)
{
    for (int i = 0; i < count; i++) {
        x[i] = x[i] == 0.0 ? 0.0 : x[i];
    }
}

/* What the hinge has no use for was checked to equal its default, but may carry negative zeros. */
static void clear_unused(rct_body *body)
{
    const rct_body plain = rct_body_default();
    if (!is_absolute(body->hinge)) {
        memcpy(body->orientation, identity, sizeof identity);
        memset(body->angular_velocity, 0, sizeof body->angular_velocity);
    } else {
        memcpy(body->hinge_orientation, identity, sizeof identity);
    }
    if (!has_axis(body->hinge)) {
        memcpy(body->hinge_axis, plain.hinge_axis, sizeof body->hinge_axis);
    }
    if (!has_axis2(body->hinge)) {
        memcpy(body->hinge_axis2, plain.hinge_axis2, sizeof body->hinge_axis2);
    }
    if (body->hinge == RCT_HINGE_FREE) {
        clear_zeros(body->hinge_at, 3);
    }
    clear_zeros(&body->hinge_pitch, 1);
    clear_zeros(body->position, 3);
    clear_zeros(body->rate, 3);
    clear_zeros(body->stiffness, 3);
    clear_zeros(body->rest, 3);
    clear_zeros(body->damping, 3);
    clear_zeros(body->applied, 3);
}

rct_status rct_body_check(rct_body *body, int32_t id, const char *name, rct_error *error)
{
    const where at = {id, name, error};
    rct_status status = check_numbers(&at, body);
    if (status == RCT_OK) {
        status = check_mass(&at, body);
    }
    if (status == RCT_OK) {
        status = check_inertia(&at, body);
    }
    if (status == RCT_OK) {
        status = normalize(&at, "the hinge's orientation", body->hinge_orientation);
    }
    if (status == RCT_OK) {
        status = normalize(&at, "the orientation", body->orientation);
    }
    if (status == RCT_OK) {
        status = check_hinge(&at, body);
    }
    if (status == RCT_OK) {
        clear_unused(body);
    }
    return status;
}
