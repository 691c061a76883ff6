/* Elastic rods: from EI, GJ, density and length to cylinders on ball hinges with springs (riccatree/rod.h). */
#include "core/error.h"
#include "core/numbers.h"
#include "core/rotation.h"
#include "core/sized.h"
#include "model/model.h"
#include "model/pose.h"
#include "model/unit.h"

#include <riccatree/rod.h>

#include <inttypes.h>
#include <string.h>

void rct_rod_init(rct_out out)
{
    const rct_rod own = {.parent = RCT_GROUND,
                         .bodies = 100,
                         .orientation = {1.0, 0.0, 0.0, 0.0},
                         .length = 1.0,
                         .density = 1.0,
                         .radius = 0.01,
                         .bending = {1.0, 1.0},
                         .twist = 1.0};
    rct_give(out, &own, rct_whole(sizeof own));
}

static rct_status check_rod(rct_rod *rod, rct_error *error)
{
    const double numbers[] = {rod->length,     rod->density, rod->radius, rod->bending[0],
                              rod->bending[1], rod->twist,   rod->delay};
    rct_status status = rct_check_finite("numbers of a rod", numbers, 7, error);
    RCT_THEN(status, rct_check_finite("the start of a rod", rod->at, 3, error));
    RCT_THEN(status, rct_check_finite("the orientation of a rod", rod->orientation, 4, error));
    if (status != RCT_OK) {
        return status;
    }
    if (rod->bodies < 1) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "a rod of %d bodies: give at least 1",
                        (int)rod->bodies);
    }
    if (!(rod->length > 0.0) || !(rod->density > 0.0) || !(rod->radius > 0.0)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "length, density and radius of a rod are %g m, %g kg/m and %g m; they must "
                        "be positive",
                        rod->length, rod->density, rod->radius);
    }
    if (rod->bending[0] < 0.0 || rod->bending[1] < 0.0 || rod->twist < 0.0 || rod->delay < 0.0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "bending, twist and delay of a rod must not be negative");
    }
    if (rod->bending[0] > 0.0 && rod->bending[1] == 0.0 && rod->twist == 0.0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "a rod that bends about x alone reads like one that is alike about all "
                        "axes; give a small number for bending about y or for twist");
    }
    if (!rct_make_unit(rod->orientation, 4)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "the orientation of a rod is a quaternion of zero length; give w x y z, "
                        "such as 1 0 0 0 for no rotation");
    }
    return RCT_OK;
}

/* Whether a body and all its ancestors exist; its start depends on them. */
static rct_status check_parent(const rct_model *model, int32_t parent, rct_error *error)
{
    int32_t up = parent;
    for (int32_t k = 0; up != RCT_GROUND && k <= model->count; k++) {
        if (up < 0 || up >= model->count) {
            return rct_fail(error, RCT_ERROR_MODEL,
                            "a rod on body %" PRId32 ": body %" PRId32
                            " does not exist yet; first add the bodies that the rod hangs on",
                            parent, up);
        }
        up = model->bodies->parent[up];
    }
    return up == RCT_GROUND
               ? RCT_OK
               : rct_fail(error, RCT_ERROR_MODEL,
                          "a rod hangs on body %" PRId32 ", which is its own ancestor", parent);
}

/* A cylinder of length h along z from its start, which moves with the parent of the rod. */
static rct_body piece_of(const rct_rod *rod, double h, const rct_model_pose *parent)
{
    const double mass = rod->density * h, square = rod->radius * rod->radius;
    rct_body body = rct_plain_body;
    body.mass = mass;
    body.com[2] = 0.5 * h;
    body.inertia[0] = body.inertia[1] = mass * (3.0 * square + h * h) / 12.0;
    body.inertia[2] = mass * square / 2.0;
    body.hinge_at[2] = h;
    rct_quaternion_product(parent->orientation, rod->orientation, body.orientation);
    memcpy(body.angular_velocity, parent->angular_velocity, sizeof body.angular_velocity);
    return body;
}

/* Set springs and dampers of a rod that bends over a length. */
static void hold(const rct_rod *rod, double length, rct_body *body)
{
    const double all[3] = {rod->bending[0], rod->bending[1], rod->twist};
    for (int i = 0; i < 3; i++) {
        body->stiffness[i] = all[i] / length;
        body->damping[i] = rod->delay * body->stiffness[i];
    }
}

static rct_status add_pieces(rct_model *model, const rct_rod *rod, const rct_model_pose *parent,
                             rct_error *error)
{
    const double h = rod->length / rod->bodies;
    rct_status status = rct_model_reserve(model, rod->bodies, error);
    for (int32_t i = 0; i < rod->bodies && status == RCT_OK; i++) {
        rct_body body = piece_of(rod, h, parent);
        body.parent = i > 0 ? model->count - 1 : rod->parent;
        if (i > 0) {
            hold(rod, h, &body);
        } else {
            memcpy(body.hinge_at, rod->at, sizeof body.hinge_at);
        }
        if (i == 0 && !rod->pinned) {
            hold(rod, 0.5 * h, &body);
        }
        if (i == 0 && !rct_all_zero(body.stiffness, 3)) {
            memcpy(body.hinge_orientation, rod->orientation, sizeof body.hinge_orientation);
        }
        status = rct_model_add_body(model, &body, NULL, error);
    }
    return status;
}

rct_status rct_model_add_rod_sized(rct_model *model, rct_in in, int32_t *first, rct_error *error)
{
    rct_rod rod = rct_rod_default();
    rct_model_pose parent;
    if (!rct_given(model, "model", error) ||
        !rct_take(&rod, rct_whole(sizeof rod), in, "rod", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_status status = check_rod(&rod, error);
    RCT_THEN(status, check_parent(model, rod.parent, error));
    RCT_THEN(status, rct_model_find_pose(model, rod.parent, &parent, error));
    if (status != RCT_OK) {
        return status;
    }
    if (first != NULL) {
        *first = model->count;
    }
    return add_pieces(model, &rod, &parent, error);
}
