/* The reference formulations: their names, and the checks and the pose they share. */
#include "core/error.h"
#include "core/memory.h"
#include "model/model.h"
#include "reference/lagrange.h"
#include "reference/pose.h"
#include "reference/semi_recursive.h"
#include "reference/spatial.h"
#include "reference/transfer.h"

#include <riccatree/reference.h>

#include <stddef.h>

const char *rct_reference_name(rct_reference reference)
{
    switch (reference) {
    case RCT_REFERENCE_LAGRANGE: return "lagrange";
    case RCT_REFERENCE_TRANSFER: return "transfer";
    case RCT_REFERENCE_SPATIAL: return "spatial";
    case RCT_REFERENCE_DENSE: return "dense";
    case RCT_REFERENCE_SEMI_RECURSIVE_1: return "semi-recursive-1";
    case RCT_REFERENCE_SEMI_RECURSIVE_2: return "semi-recursive-2";
    }
    return "unknown";
}

static rct_status dispatch(const rct_model *model, rct_reference reference, const rct_pose *pose,
                           rct_reference_result *result, rct_error *error)
{
    switch (reference) {
    case RCT_REFERENCE_LAGRANGE:
        return rct_lagrange_evaluate(model, pose, RCT_FACTORIZATION_AUTO, result, error);
    case RCT_REFERENCE_TRANSFER: return rct_transfer_evaluate(model, pose, result, error);
    case RCT_REFERENCE_SPATIAL: return rct_spatial_evaluate(model, pose, result, error);
    case RCT_REFERENCE_DENSE:
        return rct_lagrange_evaluate(model, pose, RCT_FACTORIZATION_ACCELERATOR, result, error);
    case RCT_REFERENCE_SEMI_RECURSIVE_1: /* of their own state: rct_reference_evaluate */
    case RCT_REFERENCE_SEMI_RECURSIVE_2: break;
    }
    return rct_fail(
        error, RCT_ERROR_ARGUMENT,
        "reference %d is unknown; this version knows %s, %s, %s, %s, %s, %s", (int)reference,
        rct_reference_name(RCT_REFERENCE_LAGRANGE), rct_reference_name(RCT_REFERENCE_TRANSFER),
        rct_reference_name(RCT_REFERENCE_SPATIAL), rct_reference_name(RCT_REFERENCE_DENSE),
        rct_reference_name(RCT_REFERENCE_SEMI_RECURSIVE_1),
        rct_reference_name(RCT_REFERENCE_SEMI_RECURSIVE_2));
}

static int is_semi_recursive(rct_reference reference)
{
    return reference == RCT_REFERENCE_SEMI_RECURSIVE_1 ||
           reference == RCT_REFERENCE_SEMI_RECURSIVE_2;
}

/* Their coordinates are those of hinges: orientations alone do not say where a body is. */
static rct_status evaluate_planar(const rct_model *model, rct_reference reference, int given,
                                  rct_reference_result *result, rct_error *error)
{
    if (given) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "reference %s takes no orientations and angular velocities; give "
                        "coordinates and rates of hinges to rct_reference_evaluate_at",
                        rct_reference_name(reference));
    }
    const int which = reference == RCT_REFERENCE_SEMI_RECURSIVE_1 ? 1 : 2;
    return rct_semi_recursive_evaluate(model, which, 0.0, NULL, NULL, result, error);
}

rct_status rct_reference_evaluate(const rct_model *model, rct_reference reference,
                                  const double *orientation, const double *angular_velocity,
                                  rct_reference_result *result, rct_error *error)
{
    rct_status status = rct_model_check(model, error);
    if (status != RCT_OK) {
        return status;
    }
    if (is_semi_recursive(reference)) {
        return evaluate_planar(model, reference, orientation != NULL || angular_velocity != NULL,
                               result, error);
    }
    rct_pose *pose = rct_allocate(model->count, sizeof *pose, "the poses of bodies", error);
    if (pose == NULL) {
        return RCT_ERROR_MEMORY;
    }
    status = rct_pose_all(model, orientation, angular_velocity, pose, error);
    if (status == RCT_OK) {
        status = dispatch(model, reference, pose, result, error);
    }
    rct_release(pose);
    return status;
}
