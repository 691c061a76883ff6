/* The plain transfer matrix product of seed 000, eqs. 18-19, for one chain of ball hinges. */
#ifndef RCT_REFERENCE_TRANSFER_TRANSFER_H
#define RCT_REFERENCE_TRANSFER_TRANSFER_H

#include "reference/transfer/matrix.h"

#include <riccatree/reference.h>

/* Fill order [n] with the body ids from tip to root. RCT_ERROR_UNSUPPORTED names the body that
 * keeps the model from being one chain of ball hinges. */
rct_status rct_transfer_order(const rct_model *model, int32_t *order, rct_error *error);

/* Eqs. 18-19: `product` from the tip's free end to the root's output end, `first` the matrix of the
 * tip body alone. RCT_ERROR_SINGULAR names the body whose u_{3,2} cannot be inverted. */
rct_status rct_transfer_product(const rct_model *model, const rct_pose *pose, const int32_t *order,
                                rct_transfer_matrix *product, rct_transfer_matrix *first,
                                rct_error *error);

/* Accelerations and hinge forces of a checked model in the given pose [n], with all digits the
 * plain product leaves. `residual` is the acceleration found at the root, which should be 0,
 * relative to the largest of any hinge point and of the tip. */
rct_status rct_transfer_evaluate(const rct_model *model, const rct_pose *pose,
                                 rct_reference_result *result, rct_error *error);

#endif
