/* What can be seen on one body alone: finite numbers, mass, inertia, quaternions, hinge. */
#include "model/body_check.h"

#include "core/error.h"
#include "model/inertia.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Inertia typed to some ten digits must pass: slack of the triangle inequality, of the largest
 * principal moment. */
static const double inertia_slack = 1e-9;

/* A quaternion this close to length 1 is left as it is, so that a model written and read again keeps
 * its bits. */
static const double unit_slack = 1e-15;

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

/* Scale to length 1. Twice the length of the largest component cannot overflow or vanish. */
static rct_status normalize(const where *at, const char *field, double q[4])
{
    double largest = 0.0;
    for (int i = 0; i < 4; i++) {
        largest = fmax(largest, fabs(q[i]));
    }
    if (largest == 0.0) {
        return rct_fail_body(at->error, RCT_ERROR_MODEL, at->id,
                             "body %" PRId32 " \"%s\": %s is a quaternion of zero length; give "
                             "w x y z, as 1 0 0 0 for none",
                             at->id, at->name, field);
    }
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        sum += (q[i] / largest) * (q[i] / largest);
    }
    const double length = largest * sqrt(sum);
    for (int i = 0; i < 4 && fabs(length - 1.0) > unit_slack; i++) {
        q[i] /= length;
    }
    return RCT_OK;
}

static int equal(const double *a, const double *b, int count)
{
    int same = 1;
    for (int i = 0; i < count; i++) {
        same = same && a[i] == b[i];
    }
    return same;
}

/* What the hinge has no use for must not be given: it would be ignored in silence. */
static rct_status check_hinge(const where *at, const rct_body *body)
{
    const double rest[3] = {0.0, 0.0, 0.0};
    const char *trouble = NULL;
    switch (body->hinge) {
    case RCT_HINGE_FIXED:
        if (!equal(body->orientation, identity, 4) || !equal(body->angular_velocity, rest, 3)) {
            trouble = "a fixed hinge has no initial state; place the body by the hinge's "
                      "orientation";
        }
        break;
    case RCT_HINGE_BALL:
        if (!equal(body->hinge_orientation, identity, 4)) {
            trouble = "a ball hinge has no orientation of its own; give the body's initial "
                      "orientation in inertial axes instead";
        }
        break;
    default: trouble = "unknown hinge type; this version knows fixed and ball"; break;
    }
    if (trouble != NULL) {
        return rct_fail_body(at->error, RCT_ERROR_MODEL, at->id, "body %" PRId32 " \"%s\": %s",
                             at->id, at->name, trouble);
    }
    return RCT_OK;
}

/* What the hinge has no use for was checked to equal its default, but may carry negative zeros. */
static void clear_unused(rct_body *body)
{
    if (body->hinge == RCT_HINGE_FIXED) {
        memcpy(body->orientation, identity, sizeof identity);
        memset(body->angular_velocity, 0, sizeof body->angular_velocity);
    } else {
        memcpy(body->hinge_orientation, identity, sizeof identity);
    }
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
