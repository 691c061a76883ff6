/* Element transfer matrices of seed 000: 13x13, on states z = (r.., W., m, q, 1) (eqs. 1-2). */
#ifndef RCT_REFERENCE_TRANSFER_MATRIX_H
#define RCT_REFERENCE_TRANSFER_MATRIX_H

#include "reference/pose.h"

/* Where the parts of a state begin: acceleration, angular acceleration, moment, force, and the 1.
 * */
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

void rct_transfer_identity(rct_transfer_matrix *matrix);

#endif
