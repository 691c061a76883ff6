/* The plain transfer matrix product of seed 000, eqs. 18-19, for one chain of ball hinges. */
#ifndef RCT_REFERENCE_TRANSFER_TRANSFER_H
#define RCT_REFERENCE_TRANSFER_TRANSFER_H

#include "reference/pose.h"

#include <riccatree/reference.h>

/* ---- element matrices (matrix.c): 13x13, on states z = (r.., W., m, q, 1) (eqs. 1-2) ---------- */

/* Where the parts of a state begin: acceleration, angular acceleration, moment, force, and the 1. */
enum { STATE_R = 0, STATE_W = 3, STATE_M = 6, STATE_Q = 9, STATE_ONE = 12, STATE_SIZE = 13 };

typedef struct rct_transfer_matrix {
    double u[STATE_SIZE][STATE_SIZE];
} rct_transfer_matrix;

/* Eq. 4: the body from its input end I, given in body axes, to its output end O, its origin. */
void rct_transfer_body(const rct_body *body, const rct_pose *pose, const double input[3],
                       const double gravity[3], rct_transfer_matrix *matrix);

/* Eq. 10: the smooth ball-and-socket hinge whose outboard body, the next towards the root, has the
 * matrix `outboard`. Gives 0 if u_{3,2} is singular to rounding. */
int rct_transfer_hinge(const rct_transfer_matrix *outboard, rct_transfer_matrix *matrix);

/* product = later * product: one factor of eq. 19. */
void rct_transfer_multiply(const rct_transfer_matrix *later, rct_transfer_matrix *product);

/* z = matrix * z: eq. 3. */
void rct_transfer_apply(const rct_transfer_matrix *matrix, double z[STATE_SIZE]);

/* ---- products of them ------------------------------------------------------------------------ */

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
