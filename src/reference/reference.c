/* The reference formulations: their names, and the checks and the pose they share. */
#include "core/error.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "core/pool.h"
#include "core/sized.h"
#include "model/model.h"
#include "reference/lagrange/lagrange.h"
#include "reference/mufti/mufti.h"
#include "reference/planar/semi_recursive.h"
#include "reference/pose.h"
#include "reference/spatial/spatial.h"
#include "reference/transfer/transfer.h"
#include <build_name.h>

#include <riccatree/reference.h>
#include <riccatree/version.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

static int is_known(rct_reference reference)
{
    return (int)reference >= RCT_REFERENCE_LAGRANGE && (int)reference <= RCT_REFERENCE_CLOSED_CHAIN;
}

const char *rct_reference_name(rct_reference reference)
{
    static const char *const names[] = {
        [RCT_REFERENCE_LAGRANGE] = "lagrange",
        [RCT_REFERENCE_TRANSFER] = "transfer",
        [RCT_REFERENCE_SPATIAL] = "spatial",
        [RCT_REFERENCE_DENSE] = "dense",
        [RCT_REFERENCE_FORCES] = "forces",
        [RCT_REFERENCE_MIXED] = "mixed",
        [RCT_REFERENCE_SPINS] = "spins",
        [RCT_REFERENCE_AUGMENTED] = "augmented",
        [RCT_REFERENCE_BARYCENTRES] = "barycentres",
        [RCT_REFERENCE_DIRECTIONS] = "directions",
        [RCT_REFERENCE_TORQUES] = "torques",
        [RCT_REFERENCE_ANGLES] = "angles",
        [RCT_REFERENCE_SEMI_RECURSIVE_1] = "semi-recursive-1",
        [RCT_REFERENCE_SEMI_RECURSIVE_2] = "semi-recursive-2",
        [RCT_REFERENCE_GAUSS] = "gauss",
        [RCT_REFERENCE_CLOSED_CHAIN] = "closed-chain",
    };
    return is_known(reference) ? names[reference] : "unknown";
}

static int is_ball_or_fixed(const rct_body *body)
{
    return body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FIXED;
}

/* The error for a hinge: "has a TYPE hinge", and why it is refused. */
static rct_status refuse_hinge(const rct_model *model, int32_t i, const char *why, rct_error *error)
{
    return rct_model_fail_body(model, i, error, RCT_ERROR_UNSUPPORTED, " has a %s hinge%s",
                               rct_hinge_name(rct_bodies_at(model->bodies, i)->hinge), why);
}

/* The transfer reference covers ball, free and fixed hinges. */
static rct_status expect_hinges_of_transfer(const rct_model *model, rct_error *error)
{
    for (int32_t i = 0; i < model->count; i++) {
        const rct_body *body = rct_bodies_at(model->bodies, i);
        if (!rct_pose_is_absolute(body) && body->hinge != RCT_HINGE_FIXED) {
            return refuse_hinge(model, i,
                                "; reference transfer takes ball, free and fixed hinges, use the "
                                "lagrange reference",
                                error);
        }
    }
    return RCT_OK;
}

static rct_status dispatch(const rct_model *model, rct_reference reference, double time,
                           const rct_pose *pose, rct_reference_result *result, rct_error *error)
{
    if (rct_mufti_knows(reference)) {
        return rct_mufti_evaluate(model, reference, time, pose, result, error);
    }
    if (reference == RCT_REFERENCE_TRANSFER) {
        return rct_transfer_evaluate(model, time, pose, result, error);
    }
    return rct_lagrange_evaluate(model, time, pose,
                                 reference == RCT_REFERENCE_DENSE ? RCT_FACTORIZATION_ACCELERATOR
                                                                  : RCT_FACTORIZATION_AUTO,
                                 result, error);
}

static rct_status expect_open(const rct_model *model, rct_reference reference, rct_error *error)
{
    for (int32_t i = 0; i < model->loop_count; i++) {
        if (model->loops[i].active) {
            char name[RCT_NAME_SIZE];
            rct_model_loop_name(model, i, name);
            return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                            "loop %" PRId32 " \"%s\" is active, and reference %s takes only trees; "
                            "use the lagrange reference, or a model without loops",
                            i, name, rct_reference_name(reference));
        }
    }
    return RCT_OK;
}

static rct_status expect_no_rotors(const rct_model *model, rct_reference reference,
                                   rct_error *error)
{
    for (int32_t i = 0; i < model->count; i++) {
        if (!rct_all_zero(rct_bodies_at(model->bodies, i)->armature, 3)) {
            return rct_model_fail_body(model, i, error, RCT_ERROR_UNSUPPORTED,
                                       " has a hinge with armature; reference %s takes no "
                                       "armature, use the lagrange reference",
                                       rct_reference_name(reference));
        }
    }
    return RCT_OK;
}

/* Whether the reference covers the model. */
static rct_status check(const rct_model *model, rct_reference reference, rct_error *error)
{
    if (!is_known(reference)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "reference %d is unknown; this version knows lagrange, transfer, spatial, "
                        "dense, forces, mixed, spins, augmented, barycentres, directions, torques, "
                        "angles, semi-recursive-1, semi-recursive-2, gauss and "
                        "closed-chain",
                        (int)reference);
    }
    rct_status status = rct_model_check(model, error);
    if (status == RCT_OK && reference == RCT_REFERENCE_TRANSFER) {
        status = expect_hinges_of_transfer(model, error);
    }
    if (status == RCT_OK &&
        (reference == RCT_REFERENCE_TRANSFER || reference == RCT_REFERENCE_SPATIAL)) {
        status = expect_open(model, reference, error);
    }
    const int knows_rotors =
        reference == RCT_REFERENCE_LAGRANGE || reference == RCT_REFERENCE_DENSE ||
        reference == RCT_REFERENCE_SPATIAL || reference == RCT_REFERENCE_CLOSED_CHAIN;
    if (status == RCT_OK && !knows_rotors) {
        status = expect_no_rotors(model, reference, error);
    }
    return status;
}

static rct_status evaluate_at(const rct_model *model, rct_reference reference, double time,
                              const double *coordinates, const double *rates,
                              rct_reference_result *result, rct_error *error)
{
    rct_status status = check(model, reference, error);
    if (status == RCT_OK && !isfinite(time)) {
        status =
            rct_fail(error, RCT_ERROR_ARGUMENT,
                     "the time is %g s; give a finite time, such as 0 for the initial state", time);
    }
    if (status != RCT_OK) {
        return status;
    }
    switch (reference) { /* references with their own kinematics */
    case RCT_REFERENCE_SPATIAL:
        return rct_spatial_evaluate_at(model, time, coordinates, rates, result, error);
    case RCT_REFERENCE_CLOSED_CHAIN:
        return rct_spatial_close_at(model, time, coordinates, rates, result, error);
    case RCT_REFERENCE_SEMI_RECURSIVE_1:
        return rct_semi_recursive_evaluate(model, 1, time, coordinates, rates, result, error);
    case RCT_REFERENCE_SEMI_RECURSIVE_2:
        return rct_semi_recursive_evaluate(model, 2, time, coordinates, rates, result, error);
    default: break;
    }
    rct_pose *pose = rct_allocate(model->count, sizeof *pose, "the poses of bodies", error);
    if (pose == NULL) {
        return RCT_ERROR_MEMORY;
    }
    status = rct_pose_all(model, time, coordinates, rates, pose, error);
    RCT_THEN(status, dispatch(model, reference, time, pose, result, error));
    rct_release(pose);
    return status;
}

/* Copy rows of bodies, `width` numbers each, to consecutive rows of ball hinges. */
static void gather(const rct_model *model, const double *rows, int width, double *gathered)
{
    int64_t at = 0;
    for (int32_t i = 0; i < model->count && rows != NULL; i++) {
        for (int k = 0; k < width && rct_bodies_at(model->bodies, i)->hinge == RCT_HINGE_BALL;
             k++) {
            gathered[at++] = rows[(int64_t)i * width + k];
        }
    }
}

static rct_status expect_balls(const rct_model *model, rct_error *error)
{
    for (int32_t i = 0; i < model->count; i++) {
        if (!is_ball_or_fixed(rct_bodies_at(model->bodies, i))) {
            return refuse_hinge(
                model, i,
                ": orientations and angular velocities alone do not give its state; pass "
                "coordinates and rates to rct_reference_evaluate_at, or neither",
                error);
        }
    }
    return RCT_OK;
}

static rct_status evaluate(const rct_model *model, rct_reference reference,
                           const double *orientation, const double *angular_velocity,
                           rct_reference_result *result, rct_error *error)
{
    if (orientation == NULL && angular_velocity == NULL) {
        return evaluate_at(model, reference, 0.0, NULL, NULL, result, error);
    }
    rct_status status = check(model, reference, error);
    RCT_THEN(status, expect_balls(model, error));
    if (status != RCT_OK) {
        return status;
    }
    const int64_t n = model->count;
    rct_pool pool = {.what = "a state"};
    double *coordinates = rct_pool_take(&pool, 4 * n, sizeof *coordinates, error);
    double *rates = rct_pool_take(&pool, 3 * n, sizeof *rates, error);
    status = RCT_ERROR_MEMORY;
    if (!pool.failed) {
        gather(model, orientation, 4, coordinates);
        gather(model, angular_velocity, 3, rates);
        status = evaluate_at(model, reference, 0.0, orientation != NULL ? coordinates : NULL,
                             angular_velocity != NULL ? rates : NULL, result, error);
    }
    rct_pool_empty(&pool);
    return status;
}

/* ---- the public functions ----------------------------------------------------------------- */

/* The reference reads models from the inside, so the library that made this one must be of the
 * same build. */
static rct_status expect_build(rct_error *error)
{
    return strstr(rct_build(), RCT_BUILD_NAME) != NULL
               ? RCT_OK
               : rct_fail(error, RCT_ERROR_UNSUPPORTED,
                          "libriccatree_reference comes from another build than libriccatree; "
                          "install both from one build");
}

/* The caller's arrays. */
static rct_status begin(const rct_model *model, rct_reference_result *own, rct_out out,
                        rct_error *error)
{
    const rct_in in = {out.at, out.size, 0, 0};
    if (expect_build(error) != RCT_OK) {
        return RCT_ERROR_UNSUPPORTED;
    }
    return rct_given(model, "model", error) &&
                   rct_take(own, rct_whole(sizeof *own), in, "result", error)
               ? RCT_OK
               : RCT_ERROR_ARGUMENT;
}

rct_status rct_reference_evaluate_at_sized(const rct_model *model, rct_reference reference,
                                           double time, const double *coordinates,
                                           const double *rates, rct_out result, rct_error *error)
{
    rct_reference_result own = {.residual = 0.0};
    rct_status status = begin(model, &own, result, error);
    if (status == RCT_OK) {
        status = evaluate_at(model, reference, time, coordinates, rates, &own, error);
        rct_give(result, &own, rct_whole(sizeof own));
    }
    return status;
}

rct_status rct_reference_evaluate_sized(const rct_model *model, rct_reference reference,
                                        const double *orientation, const double *angular_velocity,
                                        rct_out result, rct_error *error)
{
    rct_reference_result own = {.residual = 0.0};
    rct_status status = begin(model, &own, result, error);
    if (status == RCT_OK) {
        status = evaluate(model, reference, orientation, angular_velocity, &own, error);
        rct_give(result, &own, rct_whole(sizeof own));
    }
    return status;
}

rct_status rct_reference_identities(const rct_model *model, double time, const double *coordinates,
                                    const double *rates, double *apart, rct_error *error)
{
    if (expect_build(error) != RCT_OK) {
        return RCT_ERROR_UNSUPPORTED;
    }
    if (!rct_given(model, "model", error) || !rct_given(apart, "apart", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    return isfinite(time)
               ? rct_spatial_identities_at(model, time, coordinates, rates, apart, error)
               : rct_fail(error, RCT_ERROR_ARGUMENT,
                          "the time is %g s; give a finite time, such as 0 for the initial state",
                          time);
}
