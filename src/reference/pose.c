/* Orientation and angular velocity of every body in quadruple precision. A ball-hinged body has its
 * own, absolute; a body with a fixed hinge takes R = R_parent R(hinge) and the parent's omega.
 * Bodies may come before their parents, so each chain of fixed hinges is walked up to a body that
 * stands already and down again, on a stack of its own: no recursion, each body is placed once. */
#include "reference/pose.h"

#include "core/error.h"
#include "core/memory.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

static const rct_pose ground = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {{0, 0, 0}}};

/* The rotation matrix of w x y z over |q|^2, so that q need not have length 1. */
static quad33 rotation(const double q[4])
{
    const quad w = q[0], x = q[1], y = q[2], z = q[3];
    const quad s = w * w + x * x + y * y + z * z;
    return (quad33){{
        {(w * w + x * x - y * y - z * z) / s, 2 * (x * y - w * z) / s, 2 * (x * z + w * y) / s},
        {2 * (x * y + w * z) / s, (w * w - x * x + y * y - z * z) / s, 2 * (y * z - w * x) / s},
        {2 * (x * z - w * y) / s, 2 * (y * z + w * x) / s, (w * w - x * x - y * y + z * z) / s},
    }};
}

static rct_status check_row(const rct_model *model, int32_t id, const double q[4],
                            const double omega[3], rct_error *error)
{
    char name[RCT_NAME_SIZE];
    const int finite = isfinite(q[0]) && isfinite(q[1]) && isfinite(q[2]) && isfinite(q[3]) &&
                       isfinite(omega[0]) && isfinite(omega[1]) && isfinite(omega[2]);
    if (!finite) {
        rct_model_body_name(model, id, name);
        return rct_fail_body(error, RCT_ERROR_ARGUMENT, id,
                             "body %" PRId32 " \"%s\": its orientation or angular velocity is not "
                             "finite; give finite numbers",
                             id, name);
    }
    if (q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0) {
        rct_model_body_name(model, id, name);
        return rct_fail_body(error, RCT_ERROR_ARGUMENT, id,
                             "body %" PRId32 " \"%s\": its orientation is a quaternion of zero "
                             "length; give w x y z, as 1 0 0 0 for none",
                             id, name);
    }
    return RCT_OK;
}

/* The poses of the ball-hinged bodies, which are absolute. */
static rct_status place_free(const rct_model *model, const double *orientation,
                             const double *angular_velocity, rct_pose *pose, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < model->count && status == RCT_OK; i++) {
        const rct_body *body = &model->bodies[i];
        if (body->hinge == RCT_HINGE_FIXED) {
            continue;
        }
        const double *q = orientation != NULL ? &orientation[4 * (int64_t)i] : body->orientation;
        const double *omega =
            angular_velocity != NULL ? &angular_velocity[3 * (int64_t)i] : body->angular_velocity;
        status = check_row(model, i, q, omega, error);
        if (status == RCT_OK) {
            pose[i].R = rotation(q);
            pose[i].omega = quad3_of(omega);
        }
    }
    return status;
}

/* The poses of the bodies with fixed hinges. `stack` [n] holds those between body i and the nearest
 * ancestor that stands; `stands` [n] is 1 for bodies placed. */
static void place_fixed(const rct_model *model, rct_pose *pose, int32_t *stack, char *stands)
{
    for (int32_t i = 0; i < model->count; i++) {
        stands[i] = model->bodies[i].hinge != RCT_HINGE_FIXED;
    }
    for (int32_t i = 0; i < model->count; i++) {
        int32_t height = 0;
        int32_t at = i;
        while (at != RCT_GROUND && !stands[at]) {
            stack[height++] = at;
            at = model->bodies[at].parent;
        }
        while (height > 0) {
            const int32_t child = stack[--height];
            const rct_pose *parent = at == RCT_GROUND ? &ground : &pose[at];
            const quad33 turn = rotation(model->bodies[child].hinge_orientation);
            pose[child].R = quad33_product(&parent->R, &turn, 0);
            pose[child].omega = parent->omega;
            stands[child] = 1;
            at = child;
        }
    }
}

rct_status rct_pose_all(const rct_model *model, const double *orientation,
                        const double *angular_velocity, rct_pose *pose, rct_error *error)
{
    rct_status status = place_free(model, orientation, angular_velocity, pose, error);
    if (status != RCT_OK) {
        return status;
    }
    int32_t *stack = rct_allocate(model->count, sizeof *stack, "the order of bodies", error);
    char *stands = rct_allocate(model->count, sizeof *stands, "the order of bodies", error);
    if (stack == NULL || stands == NULL) {
        status = RCT_ERROR_MEMORY;
    } else {
        place_fixed(model, pose, stack, stands);
    }
    rct_release(stands);
    rct_release(stack);
    return status;
}

quad33 rct_pose_inertia(const rct_pose *pose, const rct_body *body)
{
    const double *j = body->inertia;
    const quad33 own = {{{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}}};
    const quad33 turned = quad33_product(&pose->R, &own, 0);
    return quad33_product(&turned, &pose->R, 1);
}
