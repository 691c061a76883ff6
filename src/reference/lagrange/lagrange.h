/* The Lagrangian system of seed 004, eqs. 10 and 49. */
#ifndef RCT_REFERENCE_LAGRANGE_LAGRANGE_H
#define RCT_REFERENCE_LAGRANGE_LAGRANGE_H

#include "reference/lagrange/equations.h"
#include "reference/pose.h"

#include <riccatree/reference.h>

/* Accelerations and hinge forces of a checked model at `time` in the given pose [n]. */
rct_status rct_lagrange_evaluate(const rct_model *model, double time, const rct_pose *pose,
                                 rct_factorization factorization, rct_reference_result *result,
                                 rct_error *error);

#endif
