/* The reference formulations: their names, and the checks and the pose they share. */
#include "core/error.h"
#include "core/memory.h"
#include "model/model.h"
#include "reference/lagrange.h"
#include "reference/pose.h"
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
    case RCT_REFERENCE_SPATIAL: break; /* has its own kinematics */
    case RCT_REFERENCE_DENSE:
        return rct_lagrange_evaluate(model, pose, RCT_FACTORIZATION_ACCELERATOR, result, error);
    }
    return rct_fail(
        error, RCT_ERROR_ARGUMENT, "reference %d is unknown; this version knows %s, %s, %s, %s",
        (int)reference, rct_reference_name(RCT_REFERENCE_LAGRANGE),
        rct_reference_name(RCT_REFERENCE_TRANSFER), rct_reference_name(RCT_REFERENCE_SPATIAL),
        rct_reference_name(RCT_REFERENCE_DENSE));
}

rct_status rct_reference_evaluate(const rct_model *model, rct_reference reference,
                                  const double *orientation, const double *angular_velocity,
                                  rct_reference_result *result, rct_error *error)
{
    rct_status status = rct_model_check(model, error);
    if (status != RCT_OK) {
        return status;
    }
    if (reference == RCT_REFERENCE_SPATIAL) {
        return rct_spatial_evaluate(model, orientation, angular_velocity, result, error);
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
